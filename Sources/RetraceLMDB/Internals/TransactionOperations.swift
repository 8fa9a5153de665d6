import CLMDB

/// The reading operations of both kinds of transaction, on C's pointer.
///
/// Unsafe: valid only while the transaction that owns the pointer is.
@unsafe
struct ReadOperations {
  private let environment: LMDBEnvironment
  private let handle: OpaquePointer

  @inline(__always)
  init(_ environment: LMDBEnvironment, _ handle: OpaquePointer) {
    unsafe self.environment = environment
    unsafe self.handle = handle
  }

  @inline(__always)
  func get(
    _ key: Span<UInt8>, _ database: LMDBDatabase
  ) throws(LMDBError) -> UnsafeRawBufferPointer? {
    let database = try unsafe environment.handle(of: database, .get)
    return try unsafe key.withBytesForC { key throws(LMDBError) in
      unsafe try environment.calls.get(handle, database, key)
    }
  }

  @inline(__always)
  func get(_ key: UInt64, _ database: LMDBDatabase) throws(LMDBError) -> UnsafeRawBufferPointer? {
    let database = try unsafe environment.handle(of: database, .get)
    return try unsafe key.withBytesForC { key throws(LMDBError) in
      unsafe try environment.calls.get(handle, database, key)
    }
  }

  @_lifetime(immortal)
  func cursor(_ database: LMDBDatabase) throws(LMDBError) -> LMDBCursor {
    let database = try unsafe environment.handle(of: database, .openCursor)
    return unsafe LMDBCursor(
      try environment.calls.openCursor(handle, database), environment.calls)
  }

  func statistics(_ database: LMDBDatabase) throws(LMDBError) -> LMDBStatistics {
    let database = try unsafe environment.handle(of: database, .statistics)
    return LMDBStatistics(try unsafe environment.calls.statistics(handle, database))
  }
}

/// The writing operations of a write transaction, on C's pointer.
///
/// Unsafe: valid only while the transaction that owns the pointer is.
@unsafe
struct WriteOperations {
  private let environment: LMDBEnvironment
  private let handle: OpaquePointer

  @inline(__always)
  init(_ environment: LMDBEnvironment, _ handle: OpaquePointer) {
    unsafe self.environment = environment
    unsafe self.handle = handle
  }

  func put(
    _ value: Span<UInt8>, _ key: Span<UInt8>, _ database: LMDBDatabase, appending: Bool
  ) throws(LMDBError) {
    let database = try unsafe environment.handle(of: database, appending ? .append : .put)
    try unsafe key.withBytesForC { key throws(LMDBError) in
      try unsafe value.withBytesForC { value throws(LMDBError) in
        try unsafe environment.calls.put(handle, database, key, value, appending: appending)
      }
    }
  }

  func put(
    _ value: Span<UInt8>, _ key: UInt64, _ database: LMDBDatabase, appending: Bool
  ) throws(LMDBError) {
    let database = try unsafe environment.handle(of: database, appending ? .append : .put)
    try unsafe key.withBytesForC { key throws(LMDBError) in
      try unsafe value.withBytesForC { value throws(LMDBError) in
        try unsafe environment.calls.put(handle, database, key, value, appending: appending)
      }
    }
  }

  /// Opens the cursor for a run of appends.
  func openAppendCursor(over database: LMDBDatabase) throws(LMDBError) -> AppendCursor {
    let database = try unsafe environment.handle(of: database, .openCursor)
    return unsafe AppendCursor(
      handle: try environment.calls.openCursor(handle, database), database: database)
  }

  func delete(_ key: Span<UInt8>, _ database: LMDBDatabase) throws(LMDBError) -> Bool {
    let database = try unsafe environment.handle(of: database, .delete)
    return try unsafe key.withBytesForC { key throws(LMDBError) in
      try unsafe environment.calls.delete(handle, database, key)
    }
  }

  func delete(_ key: UInt64, _ database: LMDBDatabase) throws(LMDBError) -> Bool {
    let database = try unsafe environment.handle(of: database, .delete)
    return try unsafe key.withBytesForC { key throws(LMDBError) in
      try unsafe environment.calls.delete(handle, database, key)
    }
  }

  func removeAll(_ database: LMDBDatabase) throws(LMDBError) {
    let database = try unsafe environment.handle(of: database, .removeAll)
    try unsafe environment.calls.removeAll(handle, database)
  }
}

/// A cursor that is kept open for successive appends to one database.
///
/// `mdb_put` sets up a cursor for each call, which costs a third of the instructions of an append
/// of a few hundred bytes.
///
/// Unsafe: it belongs to a write transaction and ends with it.
@unsafe
struct AppendCursor {
  let handle: OpaquePointer
  let database: MDB_dbi

  @inline(__always)
  func append(
    _ value: Span<UInt8>, _ key: UInt64, through calls: borrowing Calls
  ) throws(LMDBError) {
    try unsafe key.withBytesForC { key throws(LMDBError) in
      try unsafe value.withBytesForC { value throws(LMDBError) in
        try unsafe calls.append(handle, key, value)
      }
    }
  }
}

extension Span<UInt8> {
  /// Creates a span of bytes in the map.
  ///
  /// Unsafe: the caller has to tie the span's lifetime to what keeps the map in place.
  @inlinable
  @inline(__always)
  @_lifetime(immortal)
  init(mapped bytes: UnsafeRawBufferPointer) {
    let typed = unsafe bytes.assumingMemoryBound(to: UInt8.self)
    let span = unsafe Span(_unsafeElements: typed)
    self = unsafe _overrideLifetime(span, copying: ())
  }

  /// Calls `body` with the bytes, which are valid only during this call.
  @inline(__always)
  func withBytesForC<Result: ~Copyable>(
    _ body: (UnsafeRawBufferPointer) throws(LMDBError) -> Result
  ) throws(LMDBError) -> Result {
    // Unsafe: the pointer is used only during the closure, while the span borrows its memory.
    try unsafe withUnsafeBytes { bytes throws(LMDBError) in try unsafe body(bytes) }
  }
}

extension UInt64 {
  /// Calls `body` with the number as 8 big-endian bytes, which are valid only during this call.
  @inline(__always)
  func withBytesForC<Result: ~Copyable>(
    _ body: (UnsafeRawBufferPointer) throws(LMDBError) -> Result
  ) throws(LMDBError) -> Result {
    // Unsafe: the pointer is used only during the closure, while the number stays in place.
    try unsafe Swift.withUnsafeBytes(of: bigEndian) { bytes throws(LMDBError) in
      try unsafe body(bytes)
    }
  }
}
