import CLMDB

/// A read transaction: a view of one commit, which later commits do not change.
///
/// Bytes that it returns are in the map and cannot outlive it. Any thread may use it, one at a
/// time. It ends when it is destroyed; the C function is `mdb_txn_abort`.
@safe
public struct ReadTransaction: ~Copyable {
  package let environment: LMDBEnvironment

  // Unsafe: owned by this value from begin to deinit.
  private let handle: OpaquePointer

  init(_ handle: LMDBEnvironment.Handle, of environment: LMDBEnvironment) {
    unsafe self.handle = handle.pointer
    self.environment = environment
  }

  deinit {
    unsafe environment.calls.abort(handle)
    environment.unregisterTransaction(wasWriting: false)
  }
}

extension ReadTransaction {
  /// The number of the visible commit; the C function is `mdb_txn_id`.
  package var number: UInt64 { unsafe environment.calls.number(handle) }

  /// Returns the value of a key.
  ///
  /// - Complexity: O(log `entries`), no copy.
  /// - Returns: The bytes in the map, or `nil` if the key does not exist.
  /// - Throws: ``LMDBError/Code/badValueSize`` for an empty key, ``LMDBError/Code/badDatabase``,
  ///   ``LMDBError/Code/corrupted``, ``LMDBError/Code/pageNotFound``, ``LMDBError/Code/panic``.
  @_lifetime(borrow self)
  package func get(
    _ key: Span<UInt8>, from database: LMDBDatabase
  ) throws(LMDBError) -> Span<UInt8>? {
    guard let found = try unsafe ReadOperations(environment, handle).get(key, database) else {
      return nil
    }
    // Unsafe: the map keeps these bytes until the transaction ends, which the result cannot
    // outlive.
    return unsafe _overrideLifetime(Span(mapped: found), borrowing: self)
  }

  /// Returns the value of an integer key: 8 big-endian bytes, so that keys are in numeric order.
  ///
  /// - Complexity: O(log `entries`), no copy.
  /// - Returns: The bytes in the map, or `nil` if the key does not exist.
  /// - Throws: As ``get(_:from:)-(Span<UInt8>,_)``.
  @_lifetime(borrow self)
  package func get(
    _ key: UInt64, from database: LMDBDatabase
  ) throws(LMDBError) -> Span<UInt8>? {
    guard let found = try unsafe ReadOperations(environment, handle).get(key, database) else {
      return nil
    }
    // Unsafe: as above.
    return unsafe _overrideLifetime(Span(mapped: found), borrowing: self)
  }

  /// Opens a cursor over a database.
  ///
  /// - Returns: The cursor, before the first entry; it cannot outlive the transaction.
  /// - Throws: ``LMDBError/Code/badDatabase``, ``LMDBError/Code/panic``.
  @_lifetime(borrow self)
  public func cursor(over database: LMDBDatabase) throws(LMDBError) -> LMDBCursor {
    let cursor = try unsafe ReadOperations(environment, handle).cursor(database)
    return unsafe _overrideLifetime(cursor, borrowing: self)
  }

  /// Returns the statistics of a database.
  ///
  /// - Complexity: O(1).
  /// - Throws: ``LMDBError/Code/badDatabase``.
  package func statistics(of database: LMDBDatabase) throws(LMDBError) -> LMDBStatistics {
    try unsafe ReadOperations(environment, handle).statistics(database)
  }
}
