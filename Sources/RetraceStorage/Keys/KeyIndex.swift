import RetraceLMDB
import RetraceLog

/// The two databases by which a batch is found by its idempotency key, and the oldest key.
///
/// They change in the transaction that appends the batch, and can be made anew from the log.
struct KeyIndex: Sendable {
  /// What is known of a batch, by its key.
  let batches: LMDBDatabase
  /// Keys by the sequence of their batch's first action, 8 bytes, highest first.
  let ages: LMDBDatabase

  /// The names of the databases.
  static let names = (batches: "keys", ages: "keyAges")

  /// Opens the databases; `nil` in a log from before there were keys that is opened for reading.
  static func open(in environment: LMDBEnvironment) throws(LMDBError) -> KeyIndex? {
    let batches = try environment.openDatabase(names.batches)
    let ages = try environment.openDatabase(names.ages)
    if let batches, let ages { return KeyIndex(batches: batches, ages: ages) }
    return environment.isReadOnly ? nil : try create(in: environment)
  }

  /// Makes the databases; when this returns they are on disk.
  private static func create(in environment: LMDBEnvironment) throws(LMDBError) -> KeyIndex {
    let databases = try environment.createDatabases([names.batches, names.ages])
    return KeyIndex(batches: databases[0], ages: databases[1])
  }

  /// What is known of a batch by its key, as a transaction sees it.
  func batch<Transaction: ReadingTransaction & ~Copyable>(
    ofKey key: [UInt8], in transaction: borrowing Transaction, path: String
  ) throws(StoreError) -> KeptBatch? {
    let bytes: Span<UInt8>?
    do {
      bytes = try transaction.get(key.span, from: batches)
    } catch {
      throw StoreError(error, in: path, doing: "be read")
    }
    guard let bytes else { return nil }
    guard let batch = KeptBatch(bytes) else {
      throw StoreError.damaged(1, "An entry of the idempotency keys is damaged", in: path)
    }
    return batch
  }
}

extension LogSnapshot {
  /// What the log knows of a batch by its idempotency key; `nil` if it has none, or no longer.
  ///
  /// - Complexity: O(log `keys`).
  /// - Throws: ``StoreError``.
  public func batch(ofKey key: String) throws(StoreError) -> KeptBatch? {
    guard let index = databases.keys, !key.isEmpty else { return nil }
    let bytes = Array(key.utf8.prefix(KeptBatch.keyBytes + 1))
    return try index.batch(ofKey: bytes, in: transaction, path: path)
  }
}

extension LogAppender {
  /// What the log knows of a batch by its idempotency key, this transaction included.
  ///
  /// - Complexity: O(log `keys`).
  /// - Throws: ``StoreError``.
  public func batch(ofKey key: [UInt8]) throws(StoreError) -> KeptBatch? {
    try databases.keys?.batch(ofKey: key, in: transaction, path: path)
  }

  /// Notes the key of a batch that this transaction appends, and forgets the oldest of too many.
  ///
  /// - Parameters:
  ///   - key: 1 to 64 bytes, which the log does not have.
  ///   - batch: The batch.
  ///   - limit: The most keys that are kept.
  /// - Complexity: O(log `keys`); at most two keys are forgotten.
  /// - Throws: ``StoreError``.
  public mutating func note(
    key: [UInt8], of batch: KeptBatch, keeping limit: Int
  ) throws(StoreError) {
    guard let index = databases.keys else { return }
    let value = batch.encoded
    do throws(LMDBError) {
      try transaction.put(value.span, for: key.span, in: index.batches)
      try transaction.append(key.span, for: batch.sequences.lowerBound, in: index.ages)
      for _ in 0..<2 where try transaction.statistics(of: index.ages).entries > limit {
        try forgetOldest(index)
      }
    } catch {
      throw StoreError(error, in: path, doing: "keep a key")
    }
  }

  private mutating func forgetOldest(_ index: KeyIndex) throws(LMDBError) {
    guard let (age, key) = try oldest(index) else { return }
    try transaction.delete(age, in: index.ages)
    try transaction.delete(key.span, in: index.batches)
  }

  private func oldest(_ index: KeyIndex) throws(LMDBError) -> (age: UInt64, key: [UInt8])? {
    var cursor = try transaction.cursor(over: index.ages)
    guard try cursor.first(), let age = cursor.integerKey else { return nil }
    let key = cursor.value
    return (age, key.indices.map { key[$0] })
  }
}

extension LogStorage {
  /// What the log knows of a batch by its idempotency key; `nil` if it has none, or no longer.
  ///
  /// This is how one learns what was kept after a commit with an unknown outcome: the store is
  /// opened again and asked. The last million keys are kept.
  ///
  /// - Complexity: O(log `keys`).
  /// - Throws: ``StoreError``.
  public func batch(ofKey key: String) throws(StoreError) -> KeptBatch? {
    try withSnapshot { snapshot throws(StoreError) in try snapshot.batch(ofKey: key) }
  }
}
