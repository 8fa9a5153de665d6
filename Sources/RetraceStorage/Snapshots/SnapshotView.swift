import LMDBFile
import Retrace
import RetraceLMDB
import RetraceSystem

/// The snapshots and pages of `derived/` at one commit.
///
/// While the view lives, its read transaction keeps LMDB from reusing the commit's pages, unless it
/// was opened without one. ``TreeFile`` reads the bytes, so that a damaged file cannot crash the
/// process.
final class SnapshotView: Sendable {
  private let pages: TreeDescriptor?
  private let snapshots: TreeDescriptor?
  private let file: Lock<TreeFile>
  private let pin: Lock<ReadTransaction?>

  /// Begins a read transaction and opens the commit that it sees.
  ///
  /// - Throws: ``TreeFileError`` if the file is damaged, or is not the environment's.
  convenience init(
    of environment: LMDBEnvironment, at path: String, store: StoreID
  ) throws(TreeFileError) {
    let transaction: ReadTransaction
    do throws(LMDBError) {
      transaction = try environment.beginRead()
    } catch {
      throw TreeFileError("\(error)", isDamage: false)
    }
    let file = try TreeFile.open(at: path, transaction: transaction.number)
    guard file.isFile(environment.fileIdentity) else {
      throw TreeFileError("it was replaced", isDamage: false)
    }
    try self.init(file, transaction, store: store)
  }

  /// Opens the last commit without a read transaction, and so without LMDB.
  ///
  /// Another process may overwrite the pages of the commit meanwhile. They then look damaged,
  /// because snapshots have a checksum and pages a hash.
  ///
  /// - Throws: ``TreeFileError``.
  convenience init(withoutTransactionAt path: String, store: StoreID) throws(TreeFileError) {
    try self.init(try TreeFile.open(at: path), nil, store: store)
  }

  private init(
    _ file: consuming TreeFile, _ transaction: consuming sending ReadTransaction?, store: StoreID
  ) throws(TreeFileError) {
    var file = file
    let names = DerivedDatabases.names
    if let meta = try file.tree(named: names.meta) {
      let key = DerivedDatabases.storeKey
      let isOurs = try file.withValue(of: key.span, in: meta) { value throws(TreeFileError) in
        value.indices.map { value[$0] } == DerivedDatabases.storeValue(store)
      }
      guard isOurs == true else {
        throw TreeFileError("it belongs to another store or version", isDamage: false)
      }
    }
    pages = try file.tree(named: names.pages)
    snapshots = try file.tree(named: names.snapshots)
    self.file = Lock(file)
    pin = Lock(transaction)
  }

  /// Returns the sequences of the snapshots, in ascending order.
  ///
  /// - Complexity: O(snapshots).
  func sequences() throws(TreeFileError) -> [UInt64] {
    guard let snapshots else { return [] }
    var sequences: [UInt64] = []
    try file.withLock { file throws(TreeFileError) in
      try file.forEachKey(in: snapshots) { key throws(TreeFileError) in
        let sequence = try Self.sequence(key)
        guard sequence > sequences.last ?? 0 else {
          throw TreeFileError("the snapshots are not in order")
        }
        sequences.append(sequence)
      }
    }
    return sequences
  }

  /// Returns the sequence of the newest snapshot at or before a record, or `nil`.
  ///
  /// - Complexity: A read for each level of the file's tree that is not cached.
  func newestSequence(atOrBefore last: UInt64) throws(TreeFileError) -> UInt64? {
    guard let snapshots else { return nil }
    let limit = DerivedDatabases.snapshotKey(last)
    let key = try file.withLock { file throws(TreeFileError) in
      try file.lastKey(atOrBefore: limit.span, in: snapshots)
    }
    guard let key else { return nil }
    let sequence = try Self.sequence(key.span)
    guard sequence <= last else { throw TreeFileError("the snapshots are not in order") }
    return sequence
  }

  private static func sequence(_ key: Span<UInt8>) throws(TreeFileError) -> UInt64 {
    guard let sequence = key.bigEndian64, LogFormat.isSequence(sequence) else {
      throw TreeFileError("a snapshot has a wrong key")
    }
    return sequence
  }

  /// Returns the snapshot at a sequence, or `nil`.
  ///
  /// - Complexity: O(bytes of the snapshot).
  func snapshot(at sequence: UInt64) throws(TreeFileError) -> StateSnapshot? {
    guard let snapshots else { return nil }
    let key = DerivedDatabases.snapshotKey(sequence)
    let value = try file.withLock { file throws(TreeFileError) in
      try file.value(of: key.span, in: snapshots)
    }
    guard let value else { return nil }
    let snapshot = try StateSnapshot(decoding: value.span)
    guard snapshot.sequence == sequence else {
      throw TreeFileError("a snapshot is stored under the wrong key")
    }
    return snapshot
  }

  /// Returns a copy of the page with a key, or `nil`.
  ///
  /// - Complexity: O(bytes of the page), and a read for each level that is not cached.
  func page(_ key: Span<UInt8>) throws(TreeFileError) -> [UInt8]? {
    guard let pages else { return nil }
    return try file.withLock { file throws(TreeFileError) in try file.value(of: key, in: pages) }
  }

  var bytesRead: Int { file.withLock { $0.bytesRead } }

  /// Announces that many pages will be read soon.
  func prefetch() { file.withLock { $0.prefetch() } }
}
