import Retrace
import RetraceLMDB

/// The databases of idempotency keys: one maps keys to batches, the other orders keys by age.
///
/// The transaction that appends a batch updates them. They can be rebuilt from the log.
struct KeyIndex: Sendable {
  let batches: LMDBDatabase
  /// Keys by the sequence of their batch's first action, a big-endian UInt64.
  let ages: LMDBDatabase

  static let names = (batches: "keys", ages: "keyAges")

  /// Opens the databases; returns `nil` for a reader of a log that predates the keys.
  static func open(in environment: LMDBEnvironment) throws(LMDBError) -> KeyIndex? {
    let batches = try environment.openDatabase(names.batches)
    let ages = try environment.openDatabase(names.ages)
    if let batches, let ages { return KeyIndex(batches: batches, ages: ages) }
    return environment.isReadOnly ? nil : try create(in: environment)
  }

  /// Creates the databases; they are on disk when this returns.
  private static func create(in environment: LMDBEnvironment) throws(LMDBError) -> KeyIndex {
    let databases = try environment.createDatabases([names.batches, names.ages])
    return KeyIndex(batches: databases[0], ages: databases[1])
  }

  /// Returns the batch with a key, as a transaction sees it.
  func batch<Transaction: ReadableTransaction & ~Copyable>(
    ofKey key: [UInt8], in transaction: borrowing Transaction, path: String
  ) throws(StoreError) -> KeyedBatch? {
    let bytes: Span<UInt8>?
    do {
      bytes = try transaction.get(key.span, from: batches)
    } catch {
      throw StoreError(error, in: path, doing: "be read")
    }
    guard let bytes else { return nil }
    guard let batch = KeyedBatch(bytes) else {
      throw StoreError.damaged(1, "An entry of the idempotency keys is damaged", in: path)
    }
    return batch
  }
}

extension ReadView {
  /// Returns the batch with an idempotency key; `nil` if the log has no such key or removed it.
  ///
  /// - Complexity: O(log `keys`).
  /// - Throws: ``StoreError``.
  package func batch(ofKey key: String) throws(StoreError) -> KeyedBatch? {
    switch source {
    // The keys of a bundle are only in its records, and only a writer asks for them.
    case .bundle: return nil
    case .store(let store):
      guard let index = store.databases.keys, !key.isEmpty else { return nil }
      let bytes = Array(key.utf8.prefix(KeyedBatch.keyBytesMax + 1))
      return try index.batch(ofKey: bytes, in: store.transaction, path: path)
    }
  }

  /// Returns whether the log may have removed the key of a batch after a record.
  ///
  /// - Parameters:
  ///   - sequence: The record.
  ///   - limit: The number of keys above which the log removes the oldest ones.
  /// - Complexity: O(log `keys`).
  /// - Throws: ``StoreError``.
  package func mayHaveRemovedKeys(
    after sequence: UInt64, keeping limit: Int
  ) throws(StoreError) -> Bool {
    switch source {
    case .bundle: return false
    case .store(let store):
      guard let index = store.databases.keys else { return false }
      do throws(LMDBError) {
        guard try store.transaction.statistics(of: index.ages).entries >= limit else {
          return false
        }
        var cursor = try store.transaction.cursor(over: index.ages)
        guard try cursor.first(), let oldest = cursor.integerKey else { return true }
        return oldest > sequence
      } catch {
        throw StoreError(error, in: path, doing: "be read")
      }
    }
  }
}

extension LogAppender {
  /// Returns the batch with an idempotency key, including batches of this transaction.
  ///
  /// - Complexity: O(log `keys`).
  /// - Throws: ``StoreError``.
  package func batch(ofKey key: [UInt8]) throws(StoreError) -> KeyedBatch? {
    try databases.keys?.batch(ofKey: key, in: transaction, path: path)
  }

  /// Stores the key of a batch that this transaction appends, and removes the oldest keys above a
  /// limit.
  ///
  /// - Parameters:
  ///   - key: 1 to 64 bytes that the log does not contain.
  ///   - batch: The batch.
  ///   - limit: The largest number of keys to keep.
  /// - Complexity: O(log `keys`); at most two keys are removed.
  /// - Throws: ``StoreError``.
  package mutating func note(
    key: [UInt8], of batch: KeyedBatch, keeping limit: Int
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
      throw StoreError(error, in: path, doing: "store an idempotency key")
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
  /// Returns the batch with an idempotency key; `nil` if the log has no such key or removed it.
  ///
  /// After a commit with an unknown outcome, open the store again and call this to learn whether
  /// the batch was stored. The last million keys are kept.
  ///
  /// - Complexity: O(log `keys`).
  /// - Throws: ``StoreError``.
  package func batch(ofKey key: String) throws(StoreError) -> KeyedBatch? {
    try withReadView { view throws(StoreError) in try view.batch(ofKey: key) }
  }
}
