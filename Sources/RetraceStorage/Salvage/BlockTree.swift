import Retrace
import RetraceSystem

/// The blocks that are chained to record 1, as a tree.
///
/// A block that was rewritten, or that no transaction committed, is a branch of its own.
struct BlockTree {
  private struct Node {
    var block: PageSearch.Block
    /// The chain digest of the block's last record.
    var chain: Digest
    /// The index of the block before it; `nil` for the first.
    var before: Int?
    /// Whether the data file's own tree names this block and all blocks before it.
    var isReferenced: Bool
  }

  /// The values that identify equal blocks.
  private struct Content: Hashable {
    var first: UInt64
    var checksum: UInt64
  }

  /// A record on the path from record 1 to the end of a block.
  struct Position: Equatable {
    fileprivate var index: Int
    var sequence: UInt64
  }

  private var nodes: [Node] = []
  private let file: UntrustedFile
  private let store: StoreID

  /// Chains blocks.
  ///
  /// - Parameters:
  ///   - blocks: Blocks with a valid checksum.
  ///   - store: The identity of the store, which the chain covers.
  ///   - file: The file that contains them.
  ///   - offsets: The offset of each block by its first sequence, from the tree of an intact data
  ///     file.
  /// - Complexity: O(blocks · log blocks), and each block in the tree is read and hashed once.
  init(
    _ blocks: [PageSearch.Block], of store: StoreID, in file: UntrustedFile,
    referencedAt offsets: [UInt64: Int] = [:]
  ) throws(SystemError) {
    self.store = store
    self.file = file
    var ends: [Digest: Int] = [:]
    var seen: Set<Content> = []
    // Of equal blocks, the one that the tree names comes first.
    let ordered = blocks.sorted { left, right in
      let (first, other) = (left.header.firstSequence, right.header.firstSequence)
      guard first == other else { return first < other }
      return offsets[first] == left.offset && offsets[other] != right.offset
    }
    for block in ordered {
      let header = block.header
      var before: Int?
      if header.firstSequence > 1 {
        guard let end = ends[header.chainBefore],
          nodes[end].block.header.lastSequence + 1 == header.firstSequence
        else { continue }
        before = end
      } else {
        guard header.chainBefore == .zero else { continue }
      }
      let content = Content(first: header.firstSequence, checksum: header.checksum)
      guard seen.insert(content).inserted else { continue }
      let chain = try chain(of: block)
      let isReferenced =
        offsets[header.firstSequence] == block.offset
        && before.map { nodes[$0].isReferenced } ?? true
      ends[chain] = nodes.count
      nodes.append(Node(block: block, chain: chain, before: before, isReferenced: isReferenced))
    }
  }

  private func chain(of block: PageSearch.Block) throws(SystemError) -> Digest {
    let bytes = try file.read(at: block.offset, count: block.byteCount)
    var hasher = ChainHasher<SHA256Hasher>(block: block.header, of: store)
    hasher.update(bytes.span.extracting(LogFormat.headerBytes...))
    return hasher.digest
  }

  /// Returns the positions of a head's last record, one for each block that has a record with the
  /// head's sequence and chain digest.
  ///
  /// - Complexity: O(blocks); reads the blocks that contain the sequence.
  func positions(of head: Head) throws(SystemError) -> [Position] {
    var positions: [Position] = []
    for (index, node) in nodes.enumerated()
    where node.block.sequences.contains(head.sequence) {
      let position = Position(index: index, sequence: head.sequence)
      if try chain(at: position) == head.chain { positions.append(position) }
    }
    return positions
  }

  func chain(at position: Position) throws(SystemError) -> Digest? {
    let node = nodes[position.index]
    guard position.sequence != node.block.header.lastSequence else { return node.chain }
    let bytes = try file.read(at: node.block.offset, count: node.block.byteCount)
    return try? ChainHasher<SHA256Hasher>.chain(
      at: position.sequence, in: bytes.span, header: node.block.header, of: store)
  }

  /// Returns the last record of the longest path of blocks that the data file's tree names.
  func lastReferenced() -> Position? {
    nodes.indices.filter { nodes[$0].isReferenced }
      .max { nodes[$0].block.header.lastSequence < nodes[$1].block.header.lastSequence }
      .map { Position(index: $0, sequence: nodes[$0].block.header.lastSequence) }
  }

  /// Returns the end of the path that contains the head with the highest sequence; of several such
  /// paths, the end of the longest.
  ///
  /// - Parameter heads: The positions of the heads.
  func last(passing heads: [Position]) -> Position? {
    // A block comes after its predecessors in the list.
    var highest = [UInt64](repeating: 0, count: nodes.count)
    for head in heads { highest[head.index] = max(highest[head.index], head.sequence) }
    for (index, node) in nodes.enumerated() {
      if let before = node.before { highest[index] = max(highest[index], highest[before]) }
    }
    return nodes.indices.max { left, right in
      (highest[left], nodes[left].block.header.lastSequence)
        < (highest[right], nodes[right].block.header.lastSequence)
    }.map { Position(index: $0, sequence: nodes[$0].block.header.lastSequence) }
  }

  /// Returns the end of an earlier copy of a damaged block, if the block still begins with the
  /// copy's records.
  ///
  /// - Parameters:
  ///   - position: The last record before the damaged block; `nil` if it is the first.
  ///   - offset: The offset of the damaged block in the file.
  /// - Complexity: O(blocks).
  func earlierCopy(after position: Position?, ofBlockAt offset: Int) throws(SystemError)
    -> Position?
  {
    var best: Position?
    for (index, node) in nodes.enumerated()
    where node.before == position?.index && node.block.header.lastSequence > best?.sequence ?? 0 {
      let copy = try file.read(at: node.block.offset, count: node.block.byteCount)
      let damaged = try file.read(at: offset, count: node.block.byteCount)
      // Compares the bytes after the checksum, the count and the length, which differ.
      guard damaged.count == copy.count, damaged[20...] == copy[20...] else { continue }
      best = Position(index: index, sequence: node.block.header.lastSequence)
    }
    return best
  }

  /// Returns the blocks from record 1 up to a record, in order.
  func blockPath(to position: Position) -> [PageSearch.Block] {
    var blockPath: [PageSearch.Block] = []
    var index: Int? = position.index
    while let current = index {
      blockPath.append(nodes[current].block)
      index = nodes[current].before
    }
    return blockPath.reversed()
  }
}
