import CLMDB
import Glibc
import Synchronization

/// An LMDB environment: a directory with `data.mdb` and `lock.mdb`, mapped into memory.
///
/// See <doc:RetraceLMDB> for the contract of the map. Every commit is fully synchronous: the flags
/// that trade durability for speed cannot be expressed.
public final class LMDBEnvironment: Sendable {
  /// The directory that was opened.
  public let path: String
  /// The data file that was opened.
  public let fileIdentity: LMDBFileIdentity
  /// The lock file that was opened; `nil` on a file system that is mounted to be read only.
  public let lockFileIdentity: LMDBFileIdentity?
  /// Whether the environment only reads.
  public let isReadOnly: Bool

  let calls: Calls
  /// What keeps other processes from opening or closing the environment at the same time.
  package let gate: (any EnvironmentGate)?
  /// The paths of the files, which each commit looks at.
  let dataPath, lockPath: String
  let handle: Handle
  let processIdentifier: Int32
  let state = Mutex(State())
  let databases = Mutex<[String: MDB_dbi]>([:])

  /// The pointer of C.
  ///
  /// Unchecked: an environment opened with `MDB_NOTLS` may be used from all threads; the pointer
  /// itself never changes.
  @safe
  struct Handle: @unchecked Sendable {
    let pointer: OpaquePointer
  }

  /// What the threads of the process share of an environment.
  struct State {
    /// The transactions that are open, plus those being begun.
    var openTransactions = 0
    /// The thread that has the write transaction.
    var writer: pthread_t?
    /// A write transaction that was given up on another thread than its own.
    var stranded: Handle?
    /// Whether `close()` was called.
    var isClosing = false
    /// Whether C's handle is gone.
    var isClosed = false
  }

  private init(_ handle: Handle, _ calls: Calls, _ path: String, _ options: Options)
    throws(LMDBError)
  {
    self.handle = handle
    self.calls = calls
    gate = options.gate
    self.path = path
    dataPath = Self.dataPath(path)
    lockPath = Self.lockPath(path)
    isReadOnly = options.isReadOnly
    processIdentifier = getpid()
    // Unsafe: the handle was just opened and is owned by this object.
    let descriptor = unsafe calls.fileDescriptor(handle.pointer)
    fileIdentity = try calls.status(ofDescriptor: descriptor).identity
    lockFileIdentity = try calls.status(ofPath: Self.lockPath(path))?.identity
  }

  deinit {
    close()
  }

  /// Opens an environment, and makes its files if there are none.
  ///
  /// New files have mode 0600, whatever the umask allows beyond. Slots of readers that ended
  /// without saying so are cleared.
  ///
  /// LMDB initialises the lock file in the first process that opens the environment, and takes a
  /// process that is killed meanwhile for one that has finished. So processes that share an
  /// environment open and close it one at a time, by the gate of the options.
  ///
  /// - Parameters:
  ///   - directory: An existing directory that only its owner can write to.
  ///   - options: Sizes and limits.
  /// - Returns: The open environment.
  /// - Throws: ``LMDBError/Code/invalidArgument`` for a map without bytes,
  ///   ``LMDBError/Code/outOfMemory`` if a limit on address space leaves no room for the data file,
  ///   ``LMDBError/Code/alreadyOpen`` if this process has the data file open,
  ///   ``LMDBError/Code/notPlainFile`` if a file is a link, a pipe or has a second name,
  ///   ``LMDBError/Code/openingStalled`` if another process does not finish opening or closing it,
  ///   and what LMDB answers.
  public static func open(
    _ directory: String, options: Options = Options()
  ) throws(LMDBError) -> LMDBEnvironment {
    let calls = Calls(faults: options.faults)
    try options.gate?.enter()
    defer { options.gate?.leave() }
    return try Registry.open(dataPath(directory), calls) { () throws(LMDBError) in
      _ = try calls.status(ofPlainFile: lockPath(directory))
      try calls.prepareLockFile(lockPath(directory), readers: options.maxReaders)
      while true {
        // Unsafe: the handle is closed below or owned by the environment that is returned.
        let handle = unsafe Handle(pointer: try calls.createEnvironment())
        do throws(LMDBError) {
          try configureAndOpen(handle, calls, directory, options)
          return try LMDBEnvironment(handle, calls, directory, options)
        } catch {
          unsafe calls.close(handle.pointer)
          // After a signal, again with a new handle: this one is only good for closing.
          guard error.code == .interrupted else { throw error }
        }
      }
    }
  }

  private static func configureAndOpen(
    _ handle: Handle, _ calls: Calls, _ directory: String, _ options: Options
  ) throws(LMDBError) {
    // Unsafe: the handle was just made and nobody else has it.
    try unsafe calls.setMaxDatabases(handle.pointer, options.maxDatabases)
    let map = try AddressSpace.mapBytes(
      wanted: try options.mapSizeInPages,
      dataBytes: try calls.status(ofPath: dataPath(directory))?.sizeBytes ?? 0)
    try unsafe calls.setMapSize(handle.pointer, map)
    try unsafe calls.setMaxReaders(handle.pointer, options.maxReaders)
    try unsafe calls.open(handle.pointer, at: directory, options.flags, mode: 0o600)
    _ = try unsafe calls.checkReaders(handle.pointer)
  }

  static func dataPath(_ directory: String) -> String { directory + "/data.mdb" }
  static func lockPath(_ directory: String) -> String { directory + "/lock.mdb" }

  /// The calls that are to fail, for tests.
  package var faults: LMDBFaultPlan? { calls.faults }

  /// The flags that are in force in C, for tests.
  package var openFlags: UInt32 {
    // Unsafe: the environment keeps its handle open while it is not closed.
    unsafe calls.flags(handle.pointer)
  }
}
