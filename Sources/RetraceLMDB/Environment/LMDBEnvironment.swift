import CLMDB
import Glibc
package import RetraceSystem
import Synchronization

/// An LMDB environment: a directory with `data.mdb` and `lock.mdb`, mapped into memory.
///
/// <doc:RetraceLMDB> describes the contract of the map. Every commit is fully synchronous; the
/// flags that trade durability for speed cannot be set.
public final class LMDBEnvironment: Sendable {
  package let path: String
  package let fileIdentity: FileIdentity
  /// The identity of the opened lock file; `nil` on a read-only file system.
  let lockFileIdentity: FileIdentity?
  package let isReadOnly: Bool

  /// A number that no other environment of this process has.
  let opening = LMDBEnvironment.openings.add(1, ordering: .relaxed).newValue
  private static let openings = Atomic<UInt64>(0)

  let calls: Calls
  /// A lock that keeps other processes from opening or closing the environment concurrently.
  package let openingLock: (any EnvironmentOpeningLock)?
  /// The paths of the data file and the lock file.
  let dataPath, lockPath: String
  let handle: Handle
  let processIdentifier: Int32
  let state = Lock(State())
  let databases = Lock<[String: MDB_dbi]>([:])

  /// C's pointer to the environment.
  ///
  /// Unchecked: with `MDB_NOTLS` all threads may use the environment, and the pointer never
  /// changes.
  @safe
  struct Handle: @unchecked Sendable {
    let pointer: OpaquePointer
  }

  /// The state of an environment that the threads of the process share.
  struct State {
    /// The number of transactions that are open or being begun.
    var openTransactions = 0
    var writer: pthread_t?
    /// A write transaction that was dropped on a thread that did not begin it.
    var stranded: Handle?
    var isClosing = false
    var isClosed = false
  }

  private init(_ handle: Handle, _ calls: Calls, _ path: String, _ options: Options)
    throws(LMDBError)
  {
    self.handle = handle
    self.calls = calls
    openingLock = options.openingLock
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

  /// Opens an environment, and creates missing files.
  ///
  /// New files have at most mode 0600. The slots of crashed readers are freed.
  ///
  /// The first process that opens the environment initializes LMDB's lock file. If that process is
  /// killed meanwhile, LMDB in another process assumes that the file is initialized. So processes
  /// that share an environment open and close it one at a time, under the opening lock of the
  /// options.
  ///
  /// - Parameters:
  ///   - directory: An existing directory that only its owner can write to.
  ///   - options: The sizes and limits.
  /// - Returns: The open environment.
  /// - Throws: ``LMDBError/Code/invalidArgument`` for an empty map, ``LMDBError/Code/outOfMemory``
  ///   if a limit on address space leaves no room for the data file, ``LMDBError/Code/alreadyOpen``
  ///   if this process has the data file open, ``LMDBError/Code/notPlainFile`` if a file is a link,
  ///   a pipe or has a second name, ``LMDBError/Code/openingStalled`` if another process takes too
  ///   long to open or close it, ``LMDBError/Code/otherLibrary`` if the program runs with another
  ///   version of LMDB than it was built for, and errors of LMDB.
  public static func open(
    _ directory: String, options: Options = Options()
  ) throws(LMDBError) -> LMDBEnvironment {
    let calls = Calls(faults: options.faults)
    try calls.requireLibraryOfHeaders()
    try options.openingLock?.enter()
    defer { options.openingLock?.leave() }
    return try Registry.open(dataPath(directory), calls) { () throws(LMDBError) in
      _ = try calls.status(ofPlainFile: lockPath(directory))
      try calls.prepareLockFile(lockPath(directory), readers: options.maxReaders)
      while true {
        // Unsafe: the handle is closed below, or owned by the returned environment.
        let handle = unsafe Handle(pointer: try calls.createEnvironment())
        do throws(LMDBError) {
          try configureAndOpen(handle, calls, directory, options)
          return try LMDBEnvironment(handle, calls, directory, options)
        } catch {
          unsafe calls.close(handle.pointer)
          // After a signal, try again with a new handle; this one can only be closed.
          guard error.code == .interrupted else { throw error }
        }
      }
    }
  }

  private static func configureAndOpen(
    _ handle: Handle, _ calls: Calls, _ directory: String, _ options: Options
  ) throws(LMDBError) {
    // Unsafe: the handle was just created and is not shared yet.
    try unsafe calls.setMaxDatabases(handle.pointer, options.maxDatabases)
    let map = try AddressSpace.mapSize(
      wanted: try options.mapSizeRoundedToPages,
      dataBytes: try calls.status(ofPath: dataPath(directory))?.sizeBytes ?? 0)
    try unsafe calls.setMapSize(handle.pointer, map)
    try unsafe calls.setMaxReaders(handle.pointer, options.maxReaders)
    try unsafe calls.open(handle.pointer, at: directory, options.flags, mode: 0o600)
    _ = try unsafe calls.checkReaders(handle.pointer)
  }

  static func dataPath(_ directory: String) -> String { directory + "/data.mdb" }
  static func lockPath(_ directory: String) -> String { directory + "/lock.mdb" }

  package var faults: LMDBFaultPlan? { calls.faults }

  /// The flags that C reports, for tests.
  package var openFlags: UInt32 {
    // Unsafe: the handle is valid until the environment is closed, which is not checked here.
    unsafe calls.flags(handle.pointer)
  }
}
