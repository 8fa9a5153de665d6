import LMDBFile
import Retrace
import RetraceSystem

extension LogStorage {
  /// Copies the verifiable part of a damaged store into a new store.
  ///
  /// The whole data file is searched for blocks, whether LMDB's pages are intact or not. If they
  /// are intact, they tell which blocks the last commit has. The new store has the longest verified
  /// prefix of the log that ends with a complete batch, with the same identity and sequences, in
  /// the current format version. When this returns, it is on disk and verified from the first
  /// record to the last. The original is neither changed nor opened with LMDB.
  ///
  /// - Parameters:
  ///   - path: The directory of the store, which no process may have open.
  ///   - destination: The directory to create; its parent must exist.
  ///   - schemas: The JSON of known schemas, to replace damaged ones.
  /// - Returns: What was kept, and what is missing.
  /// - Complexity: O(bytes of the data file), read up to six times; memory for an entry for each
  ///   block.
  /// - Throws: `inUse` if a process has the store open; `damaged` if no record can be kept, or the
  ///   identity is lost; ``StoreError/Code/destinationExists``; storage failures.
  package static func salvage(
    _ path: String, to destination: String, knowing schemas: [String] = []
  ) throws(StoreError) -> SalvageReport {
    try Salvage.withLock(on: StorePath(path)) { store throws(StoreError) in
      try Salvage(store, knowing: schemas).copy(to: destination)
    }
  }
}

/// The search of a damaged store, and the copy of its records.
struct Salvage {
  let store: StorePath
  let file: UntrustedFile
  private let tree: TreeContents?
  let search: PageSearch
  private let anchor: Head?
  private let format: FormatFile?
  /// The reason why the file `FORMAT` is unreadable; `nil` if it is readable.
  private let formatFailure: StoreError?
  private let identity: StoreID

  static var doing: String { "be salvaged" }

  // MARK: The search

  init(_ store: StorePath, knowing schemas: [String]) throws(StoreError) {
    self.store = store
    guard let data = try store.openIfPresent("data.mdb", .read, doing: Self.doing) else {
      throw Self.nothingSalvagedError(in: store, "Its file data.mdb is missing")
    }
    var format: FormatFile?
    var failure: StoreError?
    do throws(StoreError) { format = try FormatFile.read(store) } catch { failure = error }
    (self.format, formatFailure) = (format, failure)
    anchor = (try? Anchor.read(store)) ?? nil
    let pageBytes = try Self.pageBytes(store)
    let tree = TreeContents(store.file("data.mdb"))
    self.tree = tree
    var known = FoundSchemas()
    for (number, json) in tree?.schemas ?? [:] {
      known.add(json, number: number, isReferenced: true)
    }
    for json in schemas { known.add(Array(json.utf8), number: nil) }
    let found: StoreID?
    do throws(SystemError) {
      file = try UntrustedFile(data)
      search = try PageSearch(file, pageBytes: pageBytes, knowing: known)
      found = try Self.identity(
        format?.storeID, search, in: file, heads: [tree?.head, anchor].compactMap(\.self))
    } catch {
      throw StoreError(error, in: store.directory, doing: Self.doing)
    }
    guard let found else {
      if let failure, failure.code == .incompatible || failure.code == .notAStore { throw failure }
      throw Self.nothingSalvagedError(
        in: store, "Neither FORMAT nor the data file contains the store's identity")
    }
    identity = found
  }

  /// Returns the result of `body`, during which no other process can open the store.
  static func withLock<Result>(
    on store: StorePath, _ body: (StorePath) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    ClosingStores.wait(for: store)
    let held = try lock(store)
    defer { try? held?.release(at: 0) }
    return try body(store)
  }

  /// Locks the store against every other process, if its lock file can be opened.
  private static func lock(_ store: StorePath) throws(StoreError) -> ByteRangeLock? {
    guard let info = try store.directoryInfo() else { throw LogStorage.missingStoreError(store) }
    guard info.isDirectory,
      let file = try? store.openIfPresent(StoreLocks.name, [.read, .write], doing: doing)
    else { return nil }
    let lock = ByteRangeLock(file)
    guard let isAlone = try? lock.tryExclusive(at: 0), !isAlone else { return lock }
    let pids = (try? lock.holders(at: 0)) ?? []
    let who = pids.map { "\($0)" }.joined(separator: ", ")
    throw StoreError(
      .inUse(pids: pids), what: "The store \(store.directory) could not \(doing).",
      why: who.isEmpty ? "A process has it open." : "Process \(who) has it open.",
      advice: "Close every program that uses the store, and try again.")
  }

  /// Returns the size of a page; the usual one if the meta pages are damaged.
  ///
  /// - Throws: `incompatible` for a file of LMDB 1.0, in which values are elsewhere on a page.
  private static func pageBytes(_ store: StorePath) throws(StoreError) -> Int {
    do throws(StructureFailure) {
      return try PageFile.open(store.file("data.mdb")).pageSize
    } catch {
      if case .laterLMDB(let version) = error {
        throw .laterLMDB(version, in: store, doing: doing)
      }
      return 4096
    }
  }

  private static func nothingSalvagedError(in store: StorePath, _ why: String) -> StoreError {
    StoreError(
      .damaged(sequence: 1), what: "Nothing of the store \(store.directory) could be salvaged.",
      why: why + ".", advice: "Keep a copy of the directory, and restore a backup.")
  }

  /// Returns the identity that fits the chain of the log.
  ///
  /// - Parameters:
  ///   - named: The identity in the file `FORMAT`.
  ///   - heads: Known heads, in addition to those that were found.
  private static func identity(
    _ named: StoreID?, _ search: PageSearch, in file: UntrustedFile, heads: [Head]
  ) throws(SystemError) -> StoreID? {
    let candidates = [named].compactMap { $0 } + search.identities.filter { $0 != named }
    guard candidates.count > 1 || named == nil else { return named }
    let links = Set(search.blocks.map(\.header.chainBefore))
      .union(search.heads.map(\.chain)).union(heads.map(\.chain))
    // The first blocks in the file are as good as any.
    for block in search.blocks.prefix(256) {
      let bytes = try file.read(at: block.offset, count: block.byteCount)
      for candidate in candidates {
        var hasher = ChainHasher<SHA256Hasher>(block: block.header, of: candidate)
        hasher.update(bytes.span.extracting(LogFormat.headerBytes...))
        if links.contains(hasher.digest) { return candidate }
      }
    }
    return named ?? (candidates.count == 1 ? candidates.first : nil)
  }

  // MARK: The end

  /// The blocks of the log, as far as they are chained.
  struct BlockPath {
    var blocks: [PageSearch.Block] = []
    var last: UInt64 = 0
    /// Whether a commit ended with the last record.
    var isCommitted = true
  }

  /// Returns the blocks of the log up to its end, or up to the last block that can be chained.
  func findBlockPath() throws(SystemError) -> BlockPath {
    let blocks = try BlockTree(
      search.blocks, of: identity, in: file, referencedAt: tree?.blocks ?? [:])
    let known = [tree?.head, anchor].compactMap(\.self)
    // An intact tree has the head of the last commit. An anchor after it means that the meta pages
    // lead to an older commit.
    if let head = tree?.head {
      let least = head.sequence
      for head in known.sorted(by: { $0.sequence > $1.sequence }) where head.sequence >= least {
        if head.sequence == 0 { return BlockPath() }
        if let position = try blocks.positions(of: head).first {
          return BlockPath(blocks: blocks.blockPath(to: position), last: position.sequence)
        }
      }
    }
    var headPositions: [BlockTree.Position] = []
    for head in search.heads.union(known) { headPositions += try blocks.positions(of: head) }
    guard let position = try last(of: blocks, passing: headPositions) else {
      return BlockPath(isCommitted: search.blocks.isEmpty && search.heads.isSubset(of: [.empty]))
    }
    let isLast = tree.map { $0.blocks.keys.allSatisfy { $0 <= position.sequence } } ?? false
    return BlockPath(
      blocks: blocks.blockPath(to: position), last: position.sequence,
      isCommitted: isLast && tree?.head == nil || headPositions.contains(position))
  }

  /// Returns the last record to take if no head of an intact tree leads to the end of the log.
  private func last(
    of blocks: BlockTree, passing heads: [BlockTree.Position]
  ) throws(SystemError) -> BlockTree.Position? {
    guard let tree else { return blocks.last(passing: heads) }
    // The candidates: the last record that the tree leads to, the last record of the commit before,
    // and the last record of an earlier copy of the next block.
    let referenced = blocks.lastReferenced()
    var positions = [referenced].compactMap(\.self)
    if let head = tree.headBefore { positions += try blocks.positions(of: head) }
    if let offset = tree.blocks[(referenced?.sequence ?? 0) + 1],
      let copy = try blocks.earlierCopy(after: referenced, ofBlockAt: offset)
    {
      positions.append(copy)
    }
    return positions.max { $0.sequence < $1.sequence }
  }

  /// The last record that the store is known to have had.
  private var lastKnown: UInt64 {
    let anchored = anchor?.sequence ?? 0
    if let head = tree?.head { return max(head.sequence, anchored) }
    var blocks = search.blocks.lazy.map(\.header.lastSequence).max() ?? 0
    blocks = max(blocks, tree?.blocks.keys.max() ?? 0)
    return max(anchored, blocks, search.heads.lazy.map(\.sequence).max() ?? 0)
  }

  // MARK: The records after the end

  /// The records of an intact block that are taken from it.
  struct Part {
    var block: PageSearch.Block
    var records: ClosedRange<UInt64>
  }

  /// Returns the intact blocks with records after one, in order, each with the records to take.
  ///
  /// Of several copies of a block, the one in LMDB's tree is taken, or else the longest. A copy has
  /// no record of the next block that the tree names.
  ///
  /// - Complexity: O(blocks · log blocks).
  func intactParts(after last: UInt64) -> [Part] {
    func rank(_ block: PageSearch.Block) -> (UInt64, Int, UInt64) {
      let first = block.header.firstSequence
      return (first, tree?.blocks[first] == block.offset ? 0 : 1, .max - block.header.lastSequence)
    }
    let lastKnown = lastKnown
    var named = (tree?.blocks.keys).map { $0.sorted()[...] } ?? []
    var next = last + 1
    var parts: [Part] = []
    for block in search.blocks.sorted(by: { rank($0) < rank($1) }) {
      let first = max(next, block.header.firstSequence)
      named = named.drop { $0 <= block.header.firstSequence }
      let end = min(block.header.lastSequence, lastKnown, named.first.map { $0 - 1 } ?? .max)
      guard first <= end else { continue }
      parts.append(Part(block: block, records: first...end))
      next = end + 1
    }
    return parts
  }

  /// Returns the ranges of records from one on through the last known that are not in some ranges,
  /// which are in order.
  func missing(
    from first: UInt64, besides found: [ClosedRange<UInt64>]
  ) -> [ClosedRange<UInt64>] {
    var missing: [ClosedRange<UInt64>] = []
    var next = first
    for range in found {
      if range.lowerBound > next { missing.append(next...range.lowerBound - 1) }
      next = range.upperBound + 1
    }
    let lastKnown = lastKnown
    if next <= lastKnown { missing.append(next...lastKnown) }
    return missing
  }

  // MARK: The copy

  func copy(to destination: String) throws(StoreError) -> SalvageReport {
    let blockPath: BlockPath
    var prefix = VerifiedPrefix(of: identity, with: search.schemas)
    do throws(SystemError) {
      blockPath = try findBlockPath()
      for block in blockPath.blocks {
        let bytes = try file.read(at: block.offset, count: block.byteCount)
        let goesOn = prefix.take(
          bytes.span, from: block.header.firstSequence, through: blockPath.last)
        if prefix.lastRead == blockPath.last {
          prefix.finish(
            in: bytes.span, from: block.header.firstSequence, isCommitted: blockPath.isCommitted)
        }
        guard goesOn else { break }
      }
    } catch {
      throw StoreError(error, in: store.directory, doing: Self.doing)
    }
    let lastKnown = lastKnown
    guard prefix.last > 0 || lastKnown == 0 else { throw noRecordError(prefix) }
    return try copy(prefix, of: blockPath, to: destination, lastKnown: lastKnown)
  }

  private func noRecordError(_ prefix: VerifiedPrefix) -> StoreError {
    if search.blocks.isEmpty, let formatFailure, formatFailure.code == .incompatible {
      return formatFailure
    }
    if let number = prefix.missingSchema {
      return Self.nothingSalvagedError(
        in: store, "The schema \(number) of its records is missing or damaged")
    }
    return Self.nothingSalvagedError(
      in: store, "The block with its first record is missing or damaged")
  }

  private func copy(
    _ prefix: VerifiedPrefix, of blockPath: BlockPath, to destination: String, lastKnown: UInt64
  ) throws(StoreError) -> SalvageReport {
    let version = prefix.version ?? format?.version ?? LogFormat.version
    let created = format?.created ?? prefix.firstMoment ?? Moment(microseconds: WallClock.now())
    try requireOutside(destination)
    var openSessions: Set<UInt64> = []
    let copy = try StoreCopy.make(
      at: destination, of: store.directory, format: FormatFile(storeID: identity, created: created),
      schemas: prefix.schemas(isWhole: prefix.last == lastKnown), from: version,
      doing: Self.doing
    ) { (copier) throws(StoreError) in
      for block in blockPath.blocks where block.header.firstSequence <= prefix.last {
        try copyRecords(of: block, through: prefix.last, to: &copier, &openSessions)
      }
    } check: { (head) throws(StoreError) in
      // The same records in the same version have the same chain.
      guard head.sequence == prefix.last,
        head.chain == prefix.chain || version != LogFormat.version
      else { throw Self.nothingSalvagedError(in: store, "It changed while it was read") }
    }
    return report(prefix, blockPath, copy, version: version, lastKnown, openSessions.sorted())
  }

  private func copyRecords(
    of block: PageSearch.Block, through last: UInt64, to copier: inout RecordCopier,
    _ openSessions: inout Set<UInt64>
  ) throws(StoreError) {
    let bytes = try StoreError.system(
      try file.read(at: block.offset, count: block.byteCount), in: store.directory,
      doing: Self.doing)
    let first = block.header.firstSequence
    var record = try BlockScan.cursor(over: bytes.span, at: first, in: store.directory)
    while true {
      do throws(LogError) {
        guard try record.next(), record.sequence <= last else { return }
      } catch {
        throw StoreError(error, in: store.directory)
      }
      try copier.append(record.envelope, record.payload)
      switch record.kind {
      case .sessionOpened: openSessions.insert(record.session)
      case .sessionClosed: openSessions.remove(record.session)
      default: break
      }
    }
  }

  /// Refuses a destination inside the salvaged store.
  private func requireOutside(_ destination: String) throws(StoreError) {
    guard let own = try store.directoryInfo(),
      let above = try StorePath(StorePath(destination).parent).directoryInfo(),
      own.identity == above.identity
    else { return }
    throw StoreError(
      .invalidConfiguration, what: "The store \(store.directory) could not \(Self.doing).",
      why: "The destination \(destination) is inside the store.",
      advice: "Choose a directory outside of the store.")
  }

  // MARK: The report

  private func report(
    _ prefix: VerifiedPrefix, _ blockPath: BlockPath, _ copy: CopiedStore, version: UInt8,
    _ lastKnown: UInt64,
    _ openSessions: [UInt64]
  ) -> SalvageReport {
    let (kept, lastRead) = (prefix.last, prefix.lastRead)
    let dropped = kept < lastRead && kept < lastKnown ? kept + 1...min(lastRead, lastKnown) : nil
    let start = (dropped?.upperBound ?? kept) + 1
    let after = intactParts(after: start - 1).map(\.records)
    var unreachable: [ClosedRange<UInt64>] = []
    for range in after {
      if let before = unreachable.last, before.upperBound + 1 == range.lowerBound {
        unreachable[unreachable.count - 1] = before.lowerBound...range.upperBound
      } else {
        unreachable.append(range)
      }
    }
    return SalvageReport(
      path: copy.path, head: copy.head, bytes: copy.bytes, version: version,
      lastKnown: lastKnown, missing: missing(from: start, besides: after),
      unreachable: unreachable, dropped: dropped, missingSchema: prefix.missingSchema,
      openSessions: openSessions)
  }
}
