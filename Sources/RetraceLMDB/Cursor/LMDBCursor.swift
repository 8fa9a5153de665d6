import CLMDB

/// A position in the ordered entries of a database, within one transaction.
///
/// It starts before the first entry. After a move that answered `false` there is no entry:
/// ``key`` and ``value`` are empty. Keys and values lie in the map; they live as long as the borrow
/// of the transaction, so one entry can be kept while the cursor moves on.
@safe
public struct LMDBCursor: ~Copyable, ~Escapable {
  // Unsafe: owned by this value from init to deinit.
  private let handle: OpaquePointer
  private let calls: Calls
  @usableFromInline var entry: Entry?
  private var readAhead = ReadAhead()

  @_lifetime(immortal)
  init(_ handle: OpaquePointer, _ calls: Calls) {
    unsafe self.handle = handle
    self.calls = calls
    unsafe entry = nil
  }

  deinit {
    unsafe calls.closeCursor(handle)
  }

  // Inlinable, so that a walk does not copy the cursor for each entry.

  /// The key of the entry; empty if there is no entry.
  @inlinable
  public var key: Span<UInt8> {
    @_lifetime(copy self)
    get {
      // Unsafe: the map keeps the bytes while the transaction, which this value borrows, is
      // unchanged.
      guard let entry = unsafe entry else { return Span() }
      return unsafe _overrideLifetime(Span(mapped: entry.key), copying: self)
    }
  }

  /// The value of the entry; empty if there is no entry.
  @inlinable
  public var value: Span<UInt8> {
    @_lifetime(copy self)
    get {
      // Unsafe: as for the key.
      guard let entry = unsafe entry else { return Span() }
      return unsafe _overrideLifetime(Span(mapped: entry.value), copying: self)
    }
  }

  /// The key of the entry as an integer, if it has 8 bytes; `nil` if there is no entry.
  @inlinable
  public var integerKey: UInt64? {
    // Unsafe: the map keeps the bytes while the transaction, which this value borrows, is
    // unchanged.
    guard let entry = unsafe entry, unsafe entry.key.count == 8 else { return nil }
    return unsafe UInt64(bigEndian: entry.key.loadUnaligned(as: UInt64.self))
  }

  /// Says that the value will be read whole, and on a long walk what lies behind it too;
  /// the C function is `madvise`.
  ///
  /// Call it at each entry of a walk. Without it a map that is not read ahead, as
  /// ``LMDBEnvironment/Options/readahead`` says, costs a wait for the disk for each page.
  ///
  /// - Complexity: O(1), at most two calls into the system; what is read is read behind them.
  public mutating func expectValue() {
    // Unsafe: the bytes are not touched.
    guard let entry = unsafe entry else { return }
    unsafe readAhead.announce(entry.value)
  }

  /// Whether there is an entry at the cursor.
  @inlinable public var hasEntry: Bool { unsafe entry != nil }
}

extension LMDBCursor {
  /// Moves to the first entry; the C operation is `MDB_FIRST`.
  ///
  /// - Complexity: O(log `entries`).
  /// - Returns: Whether there is one.
  /// - Throws: ``LMDBError/Code/corrupted``, ``LMDBError/Code/pageNotFound``.
  public mutating func first() throws(LMDBError) -> Bool {
    try move(MDB_FIRST)
  }

  /// Moves to the last entry; the C operation is `MDB_LAST`.
  ///
  /// - Complexity: O(log `entries`).
  /// - Returns: Whether there is one.
  /// - Throws: As ``first()``.
  public mutating func last() throws(LMDBError) -> Bool {
    try move(MDB_LAST)
  }

  /// Moves to the next entry, from the start to the first; the C operation is `MDB_NEXT`.
  ///
  /// - Complexity: O(1) on average.
  /// - Returns: Whether there is one.
  /// - Throws: As ``first()``.
  public mutating func next() throws(LMDBError) -> Bool {
    unsafe entry = try calls.move(handle, MDB_NEXT, nil)
    return hasEntry
  }

  /// Moves to the entry before, from the start to the last; the C operation is `MDB_PREV`.
  ///
  /// - Complexity: O(1) on average.
  /// - Returns: Whether there is one.
  /// - Throws: As ``first()``.
  public mutating func previous() throws(LMDBError) -> Bool {
    try move(MDB_PREV)
  }

  /// Moves to the first entry whose key is not below a key; the C operation is `MDB_SET_RANGE`.
  ///
  /// - Complexity: O(log `entries`).
  /// - Returns: Whether there is one.
  /// - Throws: As ``first()``, and ``LMDBError/Code/badValueSize`` for an empty key.
  public mutating func seek(atOrAfter key: Span<UInt8>) throws(LMDBError) -> Bool {
    let cursor = unsafe handle
    let calls = self.calls
    unsafe entry = try key.withKeyBytes { key throws(LMDBError) in
      try unsafe calls.move(cursor, MDB_SET_RANGE, key)
    }
    return hasEntry
  }

  /// Moves to the first entry whose integer key is not below a number.
  ///
  /// - Complexity: O(log `entries`).
  /// - Returns: Whether there is one.
  /// - Throws: As ``first()``.
  public mutating func seek(atOrAfter key: UInt64) throws(LMDBError) -> Bool {
    let cursor = unsafe handle
    let calls = self.calls
    unsafe entry = try key.withKeyBytes { key throws(LMDBError) in
      try unsafe calls.move(cursor, MDB_SET_RANGE, key)
    }
    return hasEntry
  }

  /// Moves to the last entry whose integer key is not above a number.
  ///
  /// - Complexity: O(log `entries`).
  /// - Returns: Whether there is one.
  /// - Throws: As ``first()``.
  public mutating func seek(atOrBefore key: UInt64) throws(LMDBError) -> Bool {
    guard try seek(atOrAfter: key) else { return try last() }
    return integerKey == key ? true : try previous()
  }

  private mutating func move(_ operation: MDB_cursor_op) throws(LMDBError) -> Bool {
    unsafe entry = try calls.move(handle, operation, nil)
    return hasEntry
  }
}
