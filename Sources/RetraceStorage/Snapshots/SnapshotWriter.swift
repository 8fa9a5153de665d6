import Retrace
import RetraceLMDB

/// The write transaction of a save, which writes pages and the snapshot, and thins old snapshots.
///
/// After the first failed call nothing more is written, and ``finish(_:gapMax:)`` throws its error.
struct SnapshotWriter: ~Copyable, PageSink {
  private var transaction: WriteTransaction
  private let databases: DerivedDatabases
  private var failure: LMDBError?
  private var replaced: [PageKey] = []
  private(set) var pages = 0
  private(set) var bytes = 0

  init(_ transaction: consuming WriteTransaction, _ databases: DerivedDatabases) {
    self.transaction = transaction
    self.databases = databases
  }

  mutating func put(_ key: PageKey, _ page: Span<UInt8>) {
    guard failure == nil else { return }
    let name = key.encoded
    do throws(LMDBError) {
      try transaction.append(page, for: name.span, in: databases.pages)
    } catch {
      failure = error
    }
    pages += 1
    bytes += page.count
  }

  mutating func markReplaced(_ key: PageKey) { replaced.append(key) }

  func sequences() throws(LMDBError) -> [UInt64] {
    var sequences: [UInt64] = []
    var cursor = try transaction.cursor(over: databases.snapshots)
    while try cursor.next() {
      guard let sequence = cursor.integerKey, LogFormat.isSequence(sequence) else {
        throw LMDBError(.corrupted, during: .get)
      }
      sequences.append(sequence)
    }
    return sequences
  }

  /// Returns the bytes of the newest snapshot, or `nil` without snapshots.
  func newest() throws(LMDBError) -> [UInt8]? {
    var cursor = try transaction.cursor(over: databases.snapshots)
    guard try cursor.last() else { return nil }
    return [UInt8](copying: cursor.value)
  }

  /// Removes everything newer than a snapshot; removes everything if `origin` is `nil`.
  ///
  /// - Returns: `false`, with nothing removed, if `origin` is not stored.
  mutating func removeSnapshots(after origin: StateSnapshot?, of store: StoreID) throws(LMDBError)
    -> Bool
  {
    guard let origin else {
      try clear(for: store)
      return true
    }
    guard try encodedSnapshot(at: origin.sequence) == origin.encoded() else { return false }
    for sequence in try sequences() where sequence > origin.sequence {
      _ = try takeDead(of: sequence)
      try transaction.delete(sequence, in: databases.snapshots)
    }
    for key in try pageKeys(bornAfter: origin.sequence) {
      try transaction.delete(key.span, in: databases.pages)
    }
    return true
  }

  private func encodedSnapshot(at sequence: UInt64) throws(LMDBError) -> [UInt8]? {
    guard let value = try transaction.get(sequence, from: databases.snapshots) else { return nil }
    return value.indices.map { value[$0] }
  }

  private func pageKeys(bornAfter sequence: UInt64) throws(LMDBError) -> [[UInt8]] {
    var keys: [[UInt8]] = []
    var cursor = try transaction.cursor(over: databases.pages)
    var isThere = try cursor.seek(atOrAfter: sequence + 1)
    while isThere {
      keys.append([UInt8](copying: cursor.key))
      isThere = try cursor.next()
    }
    return keys
  }

  /// Removes everything, and stores the identity of the store.
  mutating func clear(for store: StoreID) throws(LMDBError) {
    for database in [databases.pages, databases.snapshots, databases.dead, databases.meta] {
      try transaction.removeAll(in: database)
    }
    let (key, value) = (DerivedDatabases.storeKey, DerivedDatabases.storeValue(store))
    try transaction.put(value.span, for: key.span, in: databases.meta)
  }

  /// Writes the snapshot and the keys of the pages it replaced, thins old snapshots, and commits.
  ///
  /// When this returns, the snapshot is completely on disk.
  consuming func finish(_ snapshot: StateSnapshot, gapMax: UInt64) throws(LMDBError) {
    if let failure { throw failure }
    let record = snapshot.encoded()
    try transaction.append(record.span, for: snapshot.sequence, in: databases.snapshots)
    try putDead(replaced, of: snapshot.sequence)
    var sequences = try self.sequences()
    for _ in 0..<Thinning.removalsMax {
      guard let index = try removable(sequences, gapMax: gapMax) else { break }
      try remove(
        sequences[index], between: index == 0 ? 0 : sequences[index - 1], and: sequences[index + 1])
      sequences.remove(at: index)
    }
    let environment = transaction.environment
    try environment.verifyFiles()
    try transaction.commit()
  }

  /// Returns the index of the first snapshot to remove.
  private func removable(_ sequences: [UInt64], gapMax: UInt64) throws(LMDBError) -> Int? {
    if let index = Thinning.removable(sequences, gapMax: Thinning.smallSnapshotGap(gapMax)) {
      return index
    }
    for index in Thinning.removableIfLarge(sequences, gapMax: gapMax) {
      let before = index == 0 ? 0 : sequences[index - 1]
      let next = sequences[index + 1]
      var pages: [PageKey] = []
      var chunk = 0
      while try appendDead(DerivedDatabases.deadKey(next, chunk: chunk), to: &pages) { chunk += 1 }
      let own = pages.count { $0.birth > before }
      if Thinning.isLarge(pages: own, gap: next - before) { return index }
    }
    return nil
  }

  /// Removes a snapshot between two others: its entry, and the pages that only it uses.
  ///
  /// Of the pages that the next snapshot replaced, those born after the previous one belong only to
  /// the removed snapshot. The previous snapshot uses the older ones, so they become dead keys of
  /// the next.
  private mutating func remove(
    _ sequence: UInt64, between before: UInt64, and next: UInt64
  ) throws(LMDBError) {
    var kept = try takeDead(of: sequence)
    for key in try takeDead(of: next) {
      if key.birth > before {
        let name = key.encoded
        try transaction.delete(name.span, in: databases.pages)
      } else {
        kept.append(key)
      }
    }
    try putDead(kept, of: next)
    try transaction.delete(sequence, in: databases.snapshots)
  }

  private mutating func putDead(_ keys: [PageKey], of sequence: UInt64) throws(LMDBError) {
    let size = DerivedDatabases.chunkKeys
    var writer = AvroWriter(capacity: min(keys.count, size) * PageKey.byteCount)
    for (chunk, start) in stride(from: 0, to: keys.count, by: size).enumerated() {
      writer.removeAll()
      for key in keys[start..<min(start + size, keys.count)] { key.encode(into: &writer) }
      let name = DerivedDatabases.deadKey(sequence, chunk: chunk)
      let names = writer.bytes
      try transaction.put(names.span, for: name.span, in: databases.dead)
    }
  }

  private mutating func takeDead(of sequence: UInt64) throws(LMDBError) -> [PageKey] {
    var keys: [PageKey] = []
    var chunk = 0
    while true {
      let name = DerivedDatabases.deadKey(sequence, chunk: chunk)
      guard try appendDead(name, to: &keys) else { return keys }
      try transaction.delete(name.span, in: databases.dead)
      chunk += 1
    }
  }

  private func appendDead(
    _ name: [UInt8], to keys: inout [PageKey]
  ) throws(LMDBError) -> Bool {
    guard let value = try transaction.get(name.span, from: databases.dead) else { return false }
    for start in stride(from: 0, to: value.count, by: PageKey.byteCount) {
      let end = start + PageKey.byteCount
      guard end <= value.count, let key = PageKey(value.extracting(start..<end)) else {
        throw LMDBError(.corrupted, during: .get)
      }
      keys.append(key)
    }
    return true
  }
}

extension PageKey {
  var encoded: [UInt8] {
    var writer = AvroWriter(capacity: PageKey.byteCount)
    encode(into: &writer)
    return writer.bytes
  }
}
