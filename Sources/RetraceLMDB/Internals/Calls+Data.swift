import CLMDB

// Unsafe in all of the following: as in Calls.swift. Keys and values passed in are borrowed for the
// call; LMDB takes them as non-const pointers but does not change them. Returned bytes are in the
// map, and valid until the transaction ends or changes the data.
extension Calls {
  func openDatabase(
    _ transaction: OpaquePointer, _ name: String, create: Bool
  ) throws(LMDBError) -> MDB_dbi {
    var database: MDB_dbi = 0
    let flags = create ? UInt32(MDB_CREATE) : 0
    try perform(.openDatabase) {
      unsafe mdb_dbi_open(transaction, name, flags, &database)
    }
    return database
  }

  func flags(_ transaction: OpaquePointer, _ database: MDB_dbi) throws(LMDBError) -> UInt32 {
    var flags: UInt32 = 0
    try perform(.openDatabase) { unsafe mdb_dbi_flags(transaction, database, &flags) }
    return flags
  }

  func statistics(
    _ transaction: OpaquePointer, _ database: MDB_dbi
  ) throws(LMDBError) -> MDB_stat {
    var statistics = MDB_stat()
    try perform(.statistics) { unsafe mdb_stat(transaction, database, &statistics) }
    return statistics
  }

  /// Returns the position of a value in the map, or `nil`; the C function is `mdb_get`.
  ///
  /// Returns a pointer and a count, not a span. If this function created a span, the compiler would
  /// allocate the variable that C writes to on the heap.
  @inline(__always)
  func get(
    _ transaction: OpaquePointer, _ database: MDB_dbi, _ key: UnsafeRawBufferPointer
  ) throws(LMDBError) -> UnsafeRawBufferPointer? {
    var key = unsafe MDB_val(key)
    var value = unsafe MDB_val()
    let found = try performFinding(.get) {
      unsafe mdb_get(transaction, database, &key, &value)
    }
    return found ? unsafe value.bytes : nil
  }

  @inline(__always)
  func put(
    _ transaction: OpaquePointer, _ database: MDB_dbi, _ key: UnsafeRawBufferPointer,
    _ value: UnsafeRawBufferPointer, appending: Bool
  ) throws(LMDBError) {
    var key = unsafe MDB_val(key)
    var value = unsafe MDB_val(value)
    let flags = appending ? UInt32(MDB_APPEND) : 0
    try perform(appending ? .append : .put) {
      unsafe mdb_put(transaction, database, &key, &value, flags)
    }
  }

  /// The C function is `mdb_cursor_put`, with a key after all others.
  @inline(__always)
  func append(
    _ cursor: OpaquePointer, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
  ) throws(LMDBError) {
    var key = unsafe MDB_val(key)
    var value = unsafe MDB_val(value)
    try perform(.append) { unsafe mdb_cursor_put(cursor, &key, &value, UInt32(MDB_APPEND)) }
  }

  func delete(
    _ transaction: OpaquePointer, _ database: MDB_dbi, _ key: UnsafeRawBufferPointer
  ) throws(LMDBError) -> Bool {
    var key = unsafe MDB_val(key)
    return try performFinding(.delete) {
      unsafe mdb_del(transaction, database, &key, nil)
    }
  }

  func removeAll(_ transaction: OpaquePointer, _ database: MDB_dbi) throws(LMDBError) {
    try perform(.removeAll) { unsafe mdb_drop(transaction, database, 0) }
  }

  func openCursor(
    _ transaction: OpaquePointer, _ database: MDB_dbi
  ) throws(LMDBError) -> OpaquePointer {
    var cursor: OpaquePointer?
    try perform(.openCursor, acquiresResource: true) {
      unsafe mdb_cursor_open(transaction, database, &cursor)
    }
    guard let cursor = unsafe cursor else { throw LMDBError(.outOfMemory, during: .openCursor) }
    return unsafe cursor
  }

  func closeCursor(_ cursor: OpaquePointer) {
    unsafe mdb_cursor_close(cursor)
  }

  /// Moves a cursor and returns the return code; the C function is `mdb_cursor_get`.
  ///
  /// If a signal interrupted it, the caller repeats it.
  ///
  /// - Parameters:
  ///   - key: The key to find, if the operation takes one; then the key of the entry.
  ///   - value: Set to the value of the entry.
  @inline(__always)
  func moveOnce(
    _ cursor: OpaquePointer, _ move: MDB_cursor_op, _ key: inout MappedBytes,
    _ value: inout MappedBytes
  ) -> Int32 {
    unsafe withUnsafeMutablePointer(to: &key) { key in
      unsafe withUnsafeMutablePointer(to: &value) { value in
        unsafe key.withMemoryRebound(to: MDB_val.self, capacity: 1) { key in
          unsafe value.withMemoryRebound(to: MDB_val.self, capacity: 1) { value in
            code(of: .moveCursor) { unsafe mdb_cursor_get(cursor, key, value, move) }
          }
        }
      }
    }
  }
}

/// Bytes in the map, with the layout of `MDB_val`, which inlined code in other modules cannot name.
@unsafe
@frozen
@usableFromInline
struct MappedBytes {
  @usableFromInline var count: Int
  @usableFromInline var start: UnsafeRawPointer?

  @inline(__always)
  init() {
    unsafe count = 0
    unsafe start = nil
  }

  /// Borrows bytes for one call.
  @inline(__always)
  init(_ bytes: UnsafeRawBufferPointer) {
    unsafe count = bytes.count
    unsafe start = bytes.baseAddress
  }

  @inlinable
  @inline(__always)
  var bytes: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: start, count: count)
  }
}

extension MDB_val {
  /// Borrows bytes for one call.
  @inline(__always)
  init(_ bytes: UnsafeRawBufferPointer) {
    unsafe self.init(
      mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
  }

  @inline(__always)
  var bytes: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: mv_data, count: mv_size)
  }
}
