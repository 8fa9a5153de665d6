import RetraceAvro
import RetraceLog
import RetraceSystem

/// The blocks that are chained to record 1, as a tree.
///
/// A block that was rewritten, or that no transaction committed, is a branch of its own.
struct BlockTree {
  /// A block and its position in the tree.
  private struct Step {
    var block: PageSearch.Block
    /// The chain digest of the block's last record.
    var chain: Digest
    /// The index of the block before it; `nil` for the first.
    var before: Int?
    /// Whether the data file's own tree names this block and all blocks before it.
    var isNamed: Bool
  }

  /// The values that identify equal blocks.
  private struct Content: Hashable {
    var first: UInt64
    var checksum: UInt64
  }

  /// A record on the path from record 1 to the end of a block.
  struct Place: Equatable {
    fileprivate var step: Int
    /// The sequence of the record.
    var sequence: UInt64
  }

  private var steps: [Step] = []
  private let file: DamagedFile
  private let store: StoreID

  /// Chains blocks.
  ///
  /// - Parameters:
  ///   - blocks: Blocks with a valid checksum.
  ///   - store: The identity of the store, which the chain covers.
  ///   - file: The file that contains them.
  ///   - places: The offset of each block by its first sequence, from the tree of an intact data
  ///     file.
  /// - Complexity: O(blocks · log blocks), and each block in the tree is read and hashed once.
  init(
    _ blocks: [PageSearch.Block], of store: StoreID, in file: DamagedFile,
    namedAt places: [UInt64: Int] = [:]
  ) throws(SystemError) {
    self.store = store
    self.file = file
    var ends: [Digest: Int] = [:]
    var seen: Set<Content> = []
    // Of equal blocks, the one that the tree names comes first.
    let ordered = blocks.sorted { left, right in
      let (first, other) = (left.header.firstSequence, right.header.firstSequence)
      guard first == other else { return first < other }
      return places[first] == left.offset && places[other] != right.offset
    }
    for block in ordered {
      let header = block.header
      var before: Int?
      if header.firstSequence > 1 {
        guard let end = ends[header.chainBefore],
          steps[end].block.header.lastSequence + 1 == header.firstSequence
        else { continue }
        before = end
      } else {
        guard header.chainBefore == .zero else { continue }
      }
      let content = Content(first: header.firstSequence, checksum: header.checksum)
      guard seen.insert(content).inserted else { continue }
      let chain = try chain(of: block)
      let isNamed =
        places[header.firstSequence] == block.offset && before.map { steps[$0].isNamed } ?? true
      ends[chain] = steps.count
      steps.append(Step(block: block, chain: chain, before: before, isNamed: isNamed))
    }
  }

  private func chain(of block: PageSearch.Block) throws(SystemError) -> Digest {
    let bytes = try file.read(at: block.offset, count: block.byteCount)
    var hasher = ChainHasher<SHA256Hasher>(block: block.header, of: store)
    hasher.update(bytes.span.extracting(LogFormat.headerBytes...))
    return hasher.digest
  }

  /// Returns the places of a head's last record, one for each block that contains it with the
  /// head's chain digest.
  ///
  /// - Complexity: O(blocks); reads the blocks that contain the sequence.
  func places(of head: Head) throws(SystemError) -> [Place] {
    var places: [Place] = []
    for (index, step) in steps.enumerated()
    where step.block.sequences.contains(head.sequence) {
      let place = Place(step: index, sequence: head.sequence)
      if try chain(at: place) == head.chain { places.append(place) }
    }
    return places
  }

  /// Returns the chain digest of a record.
  func chain(at place: Place) throws(SystemError) -> Digest? {
    let step = steps[place.step]
    guard place.sequence != step.block.header.lastSequence else { return step.chain }
    let bytes = try file.read(at: step.block.offset, count: step.block.byteCount)
    return try? ChainHasher<SHA256Hasher>.chain(
      at: place.sequence, in: bytes.span, header: step.block.header, of: store)
  }

  /// Returns the last record of the longest path of blocks that the data file's tree names.
  func lastNamed() -> Place? {
    steps.indices.filter { steps[$0].isNamed }
      .max { steps[$0].block.header.lastSequence < steps[$1].block.header.lastSequence }
      .map { Place(step: $0, sequence: steps[$0].block.header.lastSequence) }
  }

  /// Returns the end of the path that contains the head with the highest sequence; of several such
  /// paths, the end of the longest.
  ///
  /// - Parameter marks: The places of the heads.
  func last(passing marks: [Place]) -> Place? {
    // A block comes after its predecessors in the list.
    var highest = [UInt64](repeating: 0, count: steps.count)
    for mark in marks { highest[mark.step] = max(highest[mark.step], mark.sequence) }
    for (index, step) in steps.enumerated() {
      if let before = step.before { highest[index] = max(highest[index], highest[before]) }
    }
    return steps.indices.max { left, right in
      (highest[left], steps[left].block.header.lastSequence)
        < (highest[right], steps[right].block.header.lastSequence)
    }.map { Place(step: $0, sequence: steps[$0].block.header.lastSequence) }
  }

  /// Returns the end of an earlier copy of a damaged block, if the block still begins with the
  /// copy's records.
  ///
  /// - Parameters:
  ///   - place: The last record before the damaged block; `nil` if it is the first.
  ///   - offset: The offset of the damaged block in the file.
  /// - Complexity: O(blocks).
  func earlierCopy(after place: Place?, ofBlockAt offset: Int) throws(SystemError) -> Place? {
    var best: Place?
    for (index, step) in steps.enumerated()
    where step.before == place?.step && step.block.header.lastSequence > best?.sequence ?? 0 {
      let copy = try file.read(at: step.block.offset, count: step.block.byteCount)
      let damaged = try file.read(at: offset, count: step.block.byteCount)
      // Compares the bytes after the checksum, the count and the length, which differ.
      guard damaged.count == copy.count, damaged[20...] == copy[20...] else { continue }
      best = Place(step: index, sequence: step.block.header.lastSequence)
    }
    return best
  }

  /// Returns the blocks from record 1 up to a record, in order.
  func blockPath(to place: Place) -> [PageSearch.Block] {
    var blockPath: [PageSearch.Block] = []
    var index: Int? = place.step
    while let step = index {
      blockPath.append(steps[step].block)
      index = steps[step].before
    }
    return blockPath.reversed()
  }
}
