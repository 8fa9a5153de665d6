import CLMDB
import Glibc

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
  // Unsafe: where the entry lies in the map. C writes both in place, as each entry of a walk makes
  // it do so; a key is never empty, so an empty one says that there is no entry.
  @usableFromInline var entryKey: MappedBytes
  @usableFromInline var entryValue: MappedBytes
  private var readAhead = ReadAhead()

  @_lifetime(immortal)
  init(_ handle: OpaquePointer, _ calls: Calls) {
    unsafe self.handle = handle
    self.calls = calls
    unsafe entryKey = MappedBytes()
    unsafe entryValue = MappedBytes()
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
      unsafe _overrideLifetime(Span(mapped: entryKey.bytes), copying: self)
    }
  }

  /// The value of the entry; empty if there is no entry.
  @inlinable
  public var value: Span<UInt8> {
    @_lifetime(copy self)
    get {
      // Unsafe: as for the key.
      unsafe _overrideLifetime(Span(mapped: entryValue.bytes), copying: self)
    }
  }

  /// The key of the entry as an integer, if it has 8 bytes; `nil` if there is no entry.
  @inlinable
  public var integerKey: UInt64? {
    // Unsafe: the map keeps the bytes while the transaction, which this value borrows, is
    // unchanged.
    guard unsafe entryKey.count == 8 else { return nil }
    return unsafe UInt64(bigEndian: entryKey.bytes.loadUnaligned(as: UInt64.self))
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
    unsafe readAhead.announce(entryValue.bytes)
  }
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
  @inlinable
  public mutating func next() throws(LMDBError) -> Bool {
    let code = step()
    return code == 0 ? true : try resume(after: code)
  }

  /// Moves to the next entry and answers C's return code.
  ///
  /// It ends with C's function and keeps nothing for after it, since each entry of a walk makes
  /// this call.
  @usableFromInline
  @inline(never)
  mutating func step() -> Int32 {
    // Unsafe: C writes to both during the call only.
    unsafe calls.moveOnce(handle, MDB_NEXT, &entryKey, &entryValue)
  }

  /// What ``next()`` does if there is no entry, or the call failed.
  @usableFromInline
  @inline(never)
  mutating func resume(after code: Int32) throws(LMDBError) -> Bool {
    var code = code
    while code == EINTR { code = step() }
    return code == 0 ? true : try clearPosition(after: code)
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
    try unsafe key.withKeyBytes { key throws(LMDBError) in
      unsafe entryKey = MappedBytes(key)
      return try move(MDB_SET_RANGE)
    }
  }

  /// Moves to the first entry whose integer key is not below a number.
  ///
  /// - Complexity: O(log `entries`).
  /// - Returns: Whether there is one.
  /// - Throws: As ``first()``.
  public mutating func seek(atOrAfter key: UInt64) throws(LMDBError) -> Bool {
    try unsafe key.withKeyBytes { key throws(LMDBError) in
      unsafe entryKey = MappedBytes(key)
      return try move(MDB_SET_RANGE)
    }
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
    var code: Int32
    // Unsafe: C writes to both during the call only.
    repeat {
      code = unsafe calls.moveOnce(handle, operation, &entryKey, &entryValue)
    } while code == EINTR
    return code == 0 ? true : try clearPosition(after: code)
  }

  /// There is no entry any more, or the call failed.
  private mutating func clearPosition(after code: Int32) throws(LMDBError) -> Bool {
    unsafe entryKey = MappedBytes()
    unsafe entryValue = MappedBytes()
    return try Calls.answer(to: .moveCursor, code)
  }
}
