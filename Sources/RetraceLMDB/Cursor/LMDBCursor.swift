import CLMDB
import Glibc

/// A cursor over the ordered entries of a database, within one transaction.
///
/// It starts before the first entry. After a move that returned `false` it has no entry, and
/// ``key`` and ``value`` are empty. Keys and values are bytes of the map. They are valid as long as
/// the transaction is borrowed, so an entry remains readable while the cursor moves on.
@safe
public struct LMDBCursor: ~Copyable, ~Escapable {
  // Unsafe: owned by this value from init to deinit.
  private let handle: OpaquePointer
  private let calls: Calls
  // Unsafe: the position of the entry in the map. C writes both values in place, once per entry.
  // LMDB has no empty keys, so an empty key means that there is no entry.
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

  // Inlinable, so that a scan does not copy the cursor for each entry.

  /// The key of the entry; empty if there is no entry.
  @inlinable
  package var key: Span<UInt8> {
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

  /// The key of the entry as a big-endian integer; `nil` if there is no entry, or if the key does
  /// not have 8 bytes.
  @inlinable
  public var integerKey: UInt64? {
    // Unsafe: the map keeps the bytes while the transaction, which this value borrows, is
    // unchanged.
    guard unsafe entryKey.count == 8 else { return nil }
    return unsafe UInt64(bigEndian: entryKey.bytes.loadUnaligned(as: UInt64.self))
  }

  /// Makes the system read the whole value in the background; the C function is `madvise`.
  ///
  /// In a long scan, the system also reads the bytes after the value.
  ///
  /// Call it at each entry of a scan. In a map without ``LMDBEnvironment/Options/readahead``, a
  /// scan otherwise waits for the disk at each page.
  ///
  /// - Complexity: O(1), at most two system calls; the reads continue in the background.
  package mutating func prefetchValue() {
    // Unsafe: the bytes are not accessed.
    unsafe readAhead.prefetch(entryValue.bytes)
  }
}

extension LMDBCursor {
  /// Moves to the first entry; the C operation is `MDB_FIRST`.
  ///
  /// - Complexity: O(log `entries`).
  /// - Returns: Whether there is an entry.
  /// - Throws: ``LMDBError/Code/corrupted``, ``LMDBError/Code/pageNotFound``.
  package mutating func first() throws(LMDBError) -> Bool {
    try move(MDB_FIRST)
  }

  /// Moves to the last entry; the C operation is `MDB_LAST`.
  ///
  /// - Complexity: O(log `entries`).
  /// - Returns: Whether there is an entry.
  /// - Throws: As ``first()``.
  package mutating func last() throws(LMDBError) -> Bool {
    try move(MDB_LAST)
  }

  /// Moves to the next entry, or from the start to the first; the C operation is `MDB_NEXT`.
  ///
  /// - Complexity: O(1) on average.
  /// - Returns: Whether there is an entry.
  /// - Throws: As ``first()``.
  @inlinable
  public mutating func next() throws(LMDBError) -> Bool {
    let code = step()
    return code == 0 ? true : try finishStep(after: code)
  }

  /// Moves to the next entry and returns C's return code.
  ///
  /// This does nothing else, so that the C call is a tail call and no registers have to be saved. A
  /// scan calls this for each entry.
  @usableFromInline
  @inline(never)
  mutating func step() -> Int32 {
    // Unsafe: C writes to both during the call only.
    unsafe calls.moveOnce(handle, MDB_NEXT, &entryKey, &entryValue)
  }

  /// Handles the return code of ``step()`` if there is no entry or the call failed.
  @usableFromInline
  @inline(never)
  mutating func finishStep(after code: Int32) throws(LMDBError) -> Bool {
    var code = code
    while code == EINTR { code = step() }
    return code == 0 ? true : try clearEntry(after: code)
  }

  /// Moves to the previous entry, or from the start to the last; the C operation is `MDB_PREV`.
  ///
  /// - Complexity: O(1) on average.
  /// - Returns: Whether there is an entry.
  /// - Throws: As ``first()``.
  package mutating func previous() throws(LMDBError) -> Bool {
    try move(MDB_PREV)
  }

  /// Moves to the first entry whose integer key is at least a number; the C operation is
  /// `MDB_SET_RANGE`.
  ///
  /// - Complexity: O(log `entries`).
  /// - Returns: Whether there is an entry.
  /// - Throws: As ``first()``.
  package mutating func seek(atOrAfter key: UInt64) throws(LMDBError) -> Bool {
    try unsafe key.withBytesForC { key throws(LMDBError) in
      unsafe entryKey = MappedBytes(key)
      return try move(MDB_SET_RANGE)
    }
  }

  /// Moves to the last entry whose integer key is at most a number.
  ///
  /// - Complexity: O(log `entries`).
  /// - Returns: Whether there is an entry.
  /// - Throws: As ``first()``.
  package mutating func seek(atOrBefore key: UInt64) throws(LMDBError) -> Bool {
    guard try seek(atOrAfter: key) else { return try last() }
    return integerKey == key ? true : try previous()
  }

  private mutating func move(_ operation: MDB_cursor_op) throws(LMDBError) -> Bool {
    var code: Int32
    // Unsafe: C writes to both during the call only.
    repeat {
      code = unsafe calls.moveOnce(handle, operation, &entryKey, &entryValue)
    } while code == EINTR
    return code == 0 ? true : try clearEntry(after: code)
  }

  /// Clears the entry; returns `false` if the code means "not found", else throws the code.
  private mutating func clearEntry(after code: Int32) throws(LMDBError) -> Bool {
    unsafe entryKey = MappedBytes()
    unsafe entryValue = MappedBytes()
    return try Calls.checkFound(.moveCursor, code)
  }
}
