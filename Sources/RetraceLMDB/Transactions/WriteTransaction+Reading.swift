import CLMDB

extension WriteTransaction {
  /// Returns the value of a key, including this transaction's changes.
  ///
  /// - Complexity: O(log `entries`), no copy.
  /// - Returns: The bytes in the map, or `nil` if the key does not exist.
  /// - Throws: ``LMDBError/Code/badValueSize`` for an empty key, ``LMDBError/Code/badDatabase``,
  ///   ``LMDBError/Code/corrupted``, ``LMDBError/Code/pageNotFound``, ``LMDBError/Code/panic``.
  @_lifetime(borrow self)
  package func get(
    _ key: Span<UInt8>, from database: LMDBDatabase
  ) throws(LMDBError) -> Span<UInt8>? {
    try checkThread(.get)
    guard let found = try unsafe ReadOperations(environment, handle).get(key, database) else {
      return nil
    }
    // Unsafe: the map keeps these bytes until the next change, which the result cannot outlive.
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
    try checkThread(.get)
    guard let found = try unsafe ReadOperations(environment, handle).get(key, database) else {
      return nil
    }
    // Unsafe: as above.
    return unsafe _overrideLifetime(Span(mapped: found), borrowing: self)
  }

  /// Opens a cursor over a database.
  ///
  /// - Returns: The cursor, before the first entry; nothing can be changed while it lives.
  /// - Throws: ``LMDBError/Code/badDatabase``, ``LMDBError/Code/panic``.
  @_lifetime(borrow self)
  package func cursor(over database: LMDBDatabase) throws(LMDBError) -> LMDBCursor {
    try checkThread(.openCursor)
    let cursor = try unsafe ReadOperations(environment, handle).cursor(database)
    return unsafe _overrideLifetime(cursor, borrowing: self)
  }

  /// Returns the statistics of a database.
  ///
  /// - Complexity: O(1).
  /// - Throws: ``LMDBError/Code/badDatabase``.
  package func statistics(of database: LMDBDatabase) throws(LMDBError) -> LMDBStatistics {
    try checkThread(.statistics)
    return try unsafe ReadOperations(environment, handle).statistics(database)
  }
}
