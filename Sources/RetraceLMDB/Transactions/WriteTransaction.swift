import CLMDB
import Glibc

/// The write transaction of an environment; at most one exists in all threads and processes.
///
/// Nothing is visible to other transactions, or on disk, before ``commit()`` returns. It is aborted
/// if it is destroyed without a commit; the C function is `mdb_txn_abort`.
///
/// It belongs to the thread that began it, because only that thread can release LMDB's lock. If it
/// is dropped or committed on another thread, nothing is committed. It then stays open until its
/// own thread begins a write transaction or closes the environment. Until then, beginning one on
/// another thread throws ``LMDBError/Code/wrongThread`` instead of waiting forever.
///
/// If a `put`, `append` or `delete` fails while it changes pages, the transaction can only be
/// aborted: other calls throw ``LMDBError/Code/badTransaction``. A key that is refused, with
/// ``LMDBError/Code/badValueSize`` or ``LMDBError/Code/keyExists``, changes nothing.
///
/// Unchecked: every call checks that it is on the transaction's thread.
@safe
public struct WriteTransaction: ~Copyable, @unchecked Sendable {
  package let environment: LMDBEnvironment

  // Unsafe: owned by this value from begin to commit or deinit.
  let handle: OpaquePointer
  private let thread: pthread_t
  private var isEnded = false
  // Unsafe: LMDB closes it with the transaction.
  private var appendCursor: AppendCursor?
  /// The database of the previous append; the cursor is opened when the next append is to the same
  /// database.
  private var lastAppendedDatabase: MDB_dbi?

  init(_ handle: LMDBEnvironment.Handle, of environment: LMDBEnvironment) {
    unsafe self.handle = handle.pointer
    self.environment = environment
    thread = pthread_self()
    unsafe appendCursor = nil
  }

  deinit {
    if isEnded { return }
    guard isOnItsThread else {
      environment.strand(unsafe LMDBEnvironment.Handle(pointer: handle))
      return
    }
    unsafe environment.calls.abort(handle)
    environment.unregisterTransaction(wasWriting: true)
  }

  private var isOnItsThread: Bool { pthread_self() == thread }

  func checkThread(_ operation: LMDBError.Operation) throws(LMDBError) {
    if !isOnItsThread { throw LMDBError(.wrongThread, during: operation) }
  }
}

// Unsafe in the following: the handle is owned by this value and not ended, and this is its thread.
extension WriteTransaction {
  /// Commits: when this returns, all changes are on disk and visible to others.
  ///
  /// A failed commit has an unknown outcome: opening the environment again may show it committed.
  /// Until then the environment must not be trusted.
  ///
  /// - Complexity: O(pages changed), two synchronous writes.
  /// - Throws: ``LMDBError/Code/wrongThread`` (nothing is committed), ``LMDBError/Code/mapFull``,
  ///   ``LMDBError/Code/noSpace``, ``LMDBError/Code/inputOutput``, ``LMDBError/Code/panic``,
  ///   ``LMDBError/Code/badTransaction`` and other errors of the system.
  public consuming func commit() throws(LMDBError) {
    try checkThread(.commit)
    isEnded = true
    defer { environment.unregisterTransaction(wasWriting: true) }
    try unsafe environment.calls.commit(handle)
  }

  /// Writes a value, and replaces an existing one.
  ///
  /// - Complexity: O(log `entries` + `value.count`).
  /// - Throws: ``LMDBError/Code/mapFull``, ``LMDBError/Code/badValueSize`` for a key that is empty
  ///   or above 511 bytes, ``LMDBError/Code/transactionFull``, ``LMDBError/Code/wrongThread``.
  package mutating func put(
    _ value: Span<UInt8>, for key: Span<UInt8>, in database: LMDBDatabase
  ) throws(LMDBError) {
    try checkThread(.put)
    try unsafe WriteOperations(environment, handle).put(value, key, database, appending: false)
  }

  /// Writes the value of an integer key, 8 big-endian bytes.
  ///
  /// - Complexity: O(log `entries` + `value.count`).
  /// - Throws: As ``put(_:for:in:)-(_,Span<UInt8>,_)``.
  public mutating func put(
    _ value: Span<UInt8>, for key: UInt64, in database: LMDBDatabase
  ) throws(LMDBError) {
    try checkThread(.put)
    try unsafe WriteOperations(environment, handle).put(value, key, database, appending: false)
  }

  /// Writes a value whose key is above all others.
  ///
  /// Appending in the order of keys fills pages completely.
  ///
  /// - Complexity: O(`value.count`).
  /// - Throws: ``LMDBError/Code/keyExists`` if the key is not above all others, and what
  ///   ``put(_:for:in:)-(_,Span<UInt8>,_)`` throws.
  package mutating func append(
    _ value: Span<UInt8>, for key: Span<UInt8>, in database: LMDBDatabase
  ) throws(LMDBError) {
    try checkThread(.append)
    try unsafe WriteOperations(environment, handle).put(value, key, database, appending: true)
  }

  /// Writes the value of an integer key, 8 big-endian bytes, that is above all others.
  ///
  /// - Complexity: O(`value.count`).
  /// - Throws: As ``append(_:for:in:)-(_,Span<UInt8>,_)``.
  public mutating func append(
    _ value: Span<UInt8>, for key: UInt64, in database: LMDBDatabase
  ) throws(LMDBError) {
    try checkThread(.append)
    let identity = try environment.handle(of: database, .append)
    if let cursor = unsafe appendCursor, unsafe cursor.database == identity {
      return try unsafe cursor.append(value, key, through: environment.calls)
    }
    try unsafe WriteOperations(environment, handle).put(value, key, database, appending: true)
    if lastAppendedDatabase == identity {
      unsafe appendCursor = try WriteOperations(environment, handle).openAppendCursor(
        over: database)
    }
    lastAppendedDatabase = identity
  }

  /// Deletes a key and its value.
  ///
  /// - Complexity: O(log `entries`).
  /// - Returns: Whether the key existed.
  /// - Throws: ``LMDBError/Code/mapFull``, ``LMDBError/Code/badValueSize``,
  ///   ``LMDBError/Code/wrongThread``.
  @discardableResult
  package mutating func delete(
    _ key: Span<UInt8>, in database: LMDBDatabase
  ) throws(LMDBError) -> Bool {
    try checkThread(.delete)
    return try unsafe WriteOperations(environment, handle).delete(key, database)
  }

  /// Deletes an integer key, 8 big-endian bytes, and its value.
  ///
  /// - Complexity: O(log `entries`).
  /// - Returns: Whether the key existed.
  /// - Throws: As ``delete(_:in:)-(Span<UInt8>,_)``.
  @discardableResult
  package mutating func delete(
    _ key: UInt64, in database: LMDBDatabase
  ) throws(LMDBError) -> Bool {
    try checkThread(.delete)
    return try unsafe WriteOperations(environment, handle).delete(key, database)
  }

  /// Deletes all entries of a database, but not the database itself.
  ///
  /// - Complexity: O(pages of the database).
  /// - Throws: ``LMDBError/Code/mapFull``, ``LMDBError/Code/wrongThread``.
  package mutating func removeAll(in database: LMDBDatabase) throws(LMDBError) {
    try checkThread(.removeAll)
    try unsafe WriteOperations(environment, handle).removeAll(database)
  }
}
