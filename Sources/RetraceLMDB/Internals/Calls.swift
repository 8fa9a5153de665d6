import CLMDB
import Glibc
import RetraceSystem

/// The layer around C: one function per call of LMDB, and the place where tests inject faults.
///
/// Nothing else in the package calls LMDB. The functions take and return pointers; the types that
/// own these guarantee their lifetimes.
struct Calls: Sendable {
  let faults: LMDBFaultPlan?

  /// Makes a call and returns its return code, unless a test makes it fail.
  ///
  /// - Parameter acquiresResource: Whether the call acquires a resource, which would leak if a
  ///   fault were reported after the call.
  @inline(__always)
  func code(
    of operation: LMDBError.Operation, acquiresResource: Bool = false, _ call: () -> Int32
  ) -> Int32 {
    if faults == nil { return call() }
    return faultyCode(of: operation, acquiresResource: acquiresResource, call)
  }

  /// Makes a call as the fault plan demands, and returns its code.
  ///
  /// Out of line, because ``code(of:acquiresResource:_:)`` is inlined into each step of a scan.
  /// A call that fails with `EINTR` is not made, as after a signal.
  @inline(never)
  private func faultyCode(
    of operation: LMDBError.Operation, acquiresResource: Bool, _ call: () -> Int32
  ) -> Int32 {
    switch faults?.verdict(for: operation) {
    case .perform, nil:
      faults?.interrupt(operation, .before)
      defer { faults?.interrupt(operation, .after) }
      return call()
    case .failBefore(let code): return code.rawValue
    case .failAfter(let code):
      if !acquiresResource && code != .interrupted { _ = call() }
      return code.rawValue
    }
  }

  /// Makes a call and throws its return code unless it is 0; repeats it after a signal, if
  /// possible.
  @inline(__always)
  func perform(
    _ operation: LMDBError.Operation, acquiresResource: Bool = false, _ call: () -> Int32
  ) throws(LMDBError) {
    var code: Int32
    repeat {
      code = self.code(of: operation, acquiresResource: acquiresResource, call)
    } while code == EINTR && operation.isRepeatable
    if code != 0 { throw LMDBError(.init(rawValue: code), during: operation) }
  }

  /// Makes a call for which "not found" is a normal result; returns whether it found something.
  @inline(__always)
  func performFinding(
    _ operation: LMDBError.Operation, _ call: () -> Int32
  ) throws(LMDBError) -> Bool {
    var code: Int32
    repeat { code = self.code(of: operation, call) } while code == EINTR && operation.isRepeatable
    return try Self.checkFound(operation, code)
  }

  /// Returns whether a call found something, or throws its return code.
  @inline(__always)
  static func checkFound(
    _ operation: LMDBError.Operation, _ code: Int32
  ) throws(LMDBError) -> Bool {
    if code == MDB_NOTFOUND { return false }
    if code != 0 { throw LMDBError(.init(rawValue: code), during: operation) }
    return true
  }
}

extension LMDBError.Operation {
  /// Whether the call can be repeated after a signal interrupted it.
  ///
  /// Calls that change or end a transaction cannot be repeated, because the transaction is invalid
  /// or has ended after an error. A failed opening leaves a handle that can only be closed. An
  /// interrupted copy has already written bytes to its file, and a second copy would be written
  /// after them.
  @inline(__always)
  fileprivate var isRepeatable: Bool {
    switch self {
    case .put, .append, .delete, .removeAll, .openDatabase, .commit, .openEnvironment,
      .copyEnvironment:
      false
    default: true
    }
  }
}

// Unsafe in all of the following: LMDB's handles are plain pointers. The caller owns each handle
// that it passes, keeps it valid during the call, and becomes the owner of each returned handle.
extension Calls {
  /// Throws ``LMDBError/Code/otherLibrary`` unless the library has the version of the headers.
  ///
  /// Patch versions may differ: all of LMDB 0.9 share functions, flags and the format of files.
  func requireLibraryOfHeaders() throws(LMDBError) {
    let (library, header) = (LMDBVersion.library, LMDBVersion.header)
    guard library.major == header.major, library.minor == header.minor else {
      throw LMDBError(.otherLibrary, during: .createEnvironment)
    }
  }

  /// The C function is `mdb_env_create`.
  func createEnvironment() throws(LMDBError) -> OpaquePointer {
    var handle: OpaquePointer?
    try perform(.createEnvironment, acquiresResource: true) { unsafe mdb_env_create(&handle) }
    guard let handle = unsafe handle else {
      throw LMDBError(.outOfMemory, during: .createEnvironment)
    }
    return unsafe handle
  }

  /// The C function is `mdb_env_set_maxdbs`.
  func setMaxDatabases(_ environment: OpaquePointer, _ count: UInt32) throws(LMDBError) {
    try perform(.setMaxDatabases) { unsafe mdb_env_set_maxdbs(environment, count) }
  }

  /// The C function is `mdb_env_set_mapsize`.
  func setMapSize(_ environment: OpaquePointer, _ byteCount: Int) throws(LMDBError) {
    try perform(.setMapSize) { unsafe mdb_env_set_mapsize(environment, byteCount) }
  }

  /// The C function is `mdb_env_set_maxreaders`.
  func setMaxReaders(_ environment: OpaquePointer, _ count: UInt32) throws(LMDBError) {
    try perform(.setMaxReaders) { unsafe mdb_env_set_maxreaders(environment, count) }
  }

  /// The C function is `mdb_env_open`.
  func open(
    _ environment: OpaquePointer, at path: String, _ flags: UInt32, mode: mdb_mode_t
  ) throws(LMDBError) {
    try perform(.openEnvironment, acquiresResource: true) {
      unsafe mdb_env_open(environment, path, flags, mode)
    }
  }

  /// The C function is `mdb_env_close`.
  func close(_ environment: OpaquePointer) {
    _ = faults?.verdict(for: .closeEnvironment)
    unsafe mdb_env_close(environment)
  }

  /// The C function is `mdb_env_get_flags`.
  func flags(_ environment: OpaquePointer) -> UInt32 {
    var flags: UInt32 = 0
    _ = unsafe mdb_env_get_flags(environment, &flags)
    return flags
  }

  /// The C function is `mdb_env_get_fd`.
  func fileDescriptor(_ environment: OpaquePointer) -> Int32 {
    var descriptor: Int32 = -1
    _ = unsafe mdb_env_get_fd(environment, &descriptor)
    return descriptor
  }

  /// The C function is `mdb_env_info`.
  func information(_ environment: OpaquePointer) throws(LMDBError) -> MDB_envinfo {
    var information = unsafe MDB_envinfo()
    try perform(.environmentInformation) { unsafe mdb_env_info(environment, &information) }
    return unsafe information
  }

  /// Returns the number of the newest commit, from the meta pages of the data file.
  ///
  /// The C function is `mdb_env_info`, which reads it from the map without a system call.
  @inline(__always)
  func newestTransaction(_ environment: OpaquePointer) throws(LMDBError) -> UInt64 {
    var information = unsafe MDB_envinfo()
    let result = unsafe mdb_env_info(environment, &information)
    guard result == 0 else {
      throw LMDBError(.init(rawValue: result), during: .environmentInformation)
    }
    return unsafe UInt64(information.me_last_txnid)
  }

  /// The C function is `mdb_reader_check`.
  func checkReaders(_ environment: OpaquePointer) throws(LMDBError) -> Int32 {
    var dead: Int32 = 0
    try perform(.checkReaders) { unsafe mdb_reader_check(environment, &dead) }
    return dead
  }

  /// The C function is `mdb_txn_id`, which cannot fail.
  func number(_ transaction: OpaquePointer) -> UInt64 {
    unsafe UInt64(mdb_txn_id(transaction))
  }

  /// The C function is `mdb_env_copyfd2`.
  func copy(
    _ environment: OpaquePointer, to descriptor: Int32, compacting: Bool
  ) throws(LMDBError) {
    try perform(.copyEnvironment) {
      unsafe mdb_env_copyfd2(environment, descriptor, compacting ? UInt32(MDB_CP_COMPACT) : 0)
    }
  }

  /// The C function is `mdb_txn_begin`.
  func begin(
    _ environment: OpaquePointer, readOnly: Bool
  ) throws(LMDBError) -> OpaquePointer {
    let operation: LMDBError.Operation = readOnly ? .beginRead : .beginWrite
    let flags = readOnly ? UInt32(MDB_RDONLY) : 0
    var handle: OpaquePointer?
    try perform(operation, acquiresResource: true) {
      unsafe mdb_txn_begin(environment, nil, flags, &handle)
    }
    guard let handle = unsafe handle else { throw LMDBError(.outOfMemory, during: operation) }
    return unsafe handle
  }

  /// Commits or aborts the transaction, which ends in any case; the C function is `mdb_txn_commit`.
  func commit(_ transaction: OpaquePointer) throws(LMDBError) {
    let verdict = faults?.verdict(for: .commit) ?? .perform
    if case .failBefore(let code) = verdict {
      unsafe mdb_txn_abort(transaction)
      throw LMDBError(code, during: .commit)
    }
    faults?.interrupt(.commit, .before)
    let result = unsafe mdb_txn_commit(transaction)
    faults?.interrupt(.commit, .after)
    if case .failAfter(let code) = verdict { throw LMDBError(code, during: .commit) }
    if result != 0 { throw LMDBError(.init(rawValue: result), during: .commit) }
  }

  /// The C function is `mdb_txn_abort`.
  func abort(_ transaction: OpaquePointer) {
    _ = faults?.verdict(for: .abort)
    unsafe mdb_txn_abort(transaction)
  }
}
