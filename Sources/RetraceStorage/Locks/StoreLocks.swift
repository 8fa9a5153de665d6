import RetraceSystem

/// The locks of a store: byte-range locks on single bytes of its file `owner.lock`.
///
/// - Byte 0 is held in shared mode by all opens of the store.
/// - Byte N is held by session N while it is alive, or by the process that recovers the effects of
///   record N.
/// - Byte 2^62 is held in shared mode by all writers; a writer that excludes all others holds it
///   exclusively.
/// - Byte 2^62 + 1 is the write lock. It is taken before LMDB's own lock, which has no timeout.
/// - Byte 2^62 + 2 is held while the store is being created.
/// - Byte 2^62 + 3 is held in shared mode by all processes that wait for the write lock.
/// - Byte 2^62 + 4 is the ``OpeningLock``.
/// - Byte 2^62 + 2^61 + N is held by the process that shows scene N.
struct StoreLocks: ~Copyable, Sendable {
  static let name = "owner.lock"
  /// The byte that all writers share.
  static let writerByte = 1 << 62
  static let writeLockByte = writerByte + 1
  /// The byte that processes share while they wait for the write lock.
  static let waitingByte = writerByte + 3
  /// The byte that is held while a process opens or closes an LMDB environment of the store.
  static let openingByte = writerByte + 4
  static let sceneByte = writerByte + (1 << 61)
  /// The byte that is held while the store is being created under another name.
  static let creationByte = writerByte + 2

  private let lock: ByteRangeLock
  private let path: String
  private let identity: FileIdentity
  private var held: Set<Int> = []

  /// Opens the file and takes the locks of a reader or of a writer.
  static func open(_ store: StorePath, forWriting: Bool) throws(StoreError) -> StoreLocks {
    let lock = ByteRangeLock(
      try store.open(name, [.read, .write, .create], doing: "be locked"))
    let excluded: Int?
    let identity: FileIdentity
    do {
      excluded = try take(lock, forWriting: forWriting)
      identity = try lock.file.identity
    } catch {
      throw StoreError(error, in: store.directory, doing: "be locked")
    }
    if let excluded { throw inUseError(store, lock, excludedAt: excluded) }
    return StoreLocks(lock: lock, path: store.file(name), identity: identity)
  }

  /// Takes the bytes of a reader or of a writer; returns the byte that another process holds
  /// exclusively, or `nil`.
  ///
  /// A salvage holds byte 0 exclusively. A program that excludes other writers holds the writers'
  /// byte exclusively.
  private static func take(
    _ lock: borrowing ByteRangeLock, forWriting: Bool
  ) throws(SystemError) -> Int? {
    guard try lock.tryShared(at: 0) else { return 0 }
    guard forWriting else { return nil }
    return try lock.tryShared(at: writerByte) ? nil : writerByte
  }

  private init(lock: consuming ByteRangeLock, path: String, identity: FileIdentity) {
    self.lock = lock
    self.path = path
    self.identity = identity
  }

  /// Releases every lock explicitly.
  ///
  /// A child process has a copy of the open file until it executes its program, and that copy would
  /// keep the locks.
  deinit {
    for byte in held { try? lock.release(at: byte) }
    try? lock.release(at: StoreLocks.writeLockByte)
    try? lock.release(at: StoreLocks.waitingByte)
    try? lock.release(at: StoreLocks.writerByte)
    try? lock.release(at: 0)
  }

  private static func inUseError(
    _ store: StorePath, _ lock: borrowing ByteRangeLock, excludedAt byte: Int
  ) -> StoreError {
    let pids = (try? lock.holders(at: byte)) ?? []
    let who =
      pids.isEmpty
      ? "another process" : "process \(pids.map { "\($0)" }.joined(separator: ", "))"
    return StoreError(
      .inUse(pids: pids), what: "The store \(store.directory) could not be opened.",
      why: "It is open exclusively in \(who).",
      advice: "Wait until that process closes it, or end the process.")
  }

  /// Takes the write lock, unless another process holds it.
  func tryAcquireWriteLock() throws(SystemError) -> Bool {
    try lock.tryAcquire(at: StoreLocks.writeLockByte)
  }

  func releaseWriteLock() throws(SystemError) { try lock.release(at: StoreLocks.writeLockByte) }

  /// Announces that this process waits for the write lock.
  func beginWaiting() throws(SystemError) {
    // No process takes this byte exclusively, so this succeeds.
    _ = try lock.tryShared(at: StoreLocks.waitingByte)
  }

  func endWaiting() throws(SystemError) { try lock.release(at: StoreLocks.waitingByte) }

  /// Returns whether other processes wait for the write lock and none holds it.
  func hasWaiters() throws(SystemError) -> Bool {
    guard try lock.foreignLock(at: StoreLocks.waitingByte) != .unlocked else { return false }
    return try lock.foreignLock(at: StoreLocks.writeLockByte) == .unlocked
  }

  func holders(at byte: Int) throws(SystemError) -> [Int32] { try lock.holders(at: byte) }

  /// Takes the writers' byte exclusively, unless another process has the store open for writing.
  func excludeOtherWriters() throws(SystemError) -> Bool {
    try lock.tryExclusive(at: StoreLocks.writerByte)
  }

  /// Returns the other processes that have the store open for writing, for a message.
  func writers() -> [Int32] {
    let pids = (try? holders(at: StoreLocks.writerByte)) ?? []
    return pids.filter { $0 != ThisProcess.identifier }
  }

  func writeLockHolders() -> [Int32] { (try? lock.holders(at: StoreLocks.writeLockByte)) ?? [] }

  /// Returns whether the file's name now belongs to another file, or to none.
  ///
  /// - Complexity: One system call.
  func isReplaced() throws(SystemError) -> Bool {
    do throws(SystemError) {
      return try FileSystem.linkInfo(path).identity != identity
    } catch {
      if error.code == .noSuchFile { return true }
      throw error
    }
  }

  /// Takes a byte exclusively until it is released, such as a session's byte.
  mutating func tryAcquire(_ byte: Int) throws(SystemError) -> Bool {
    if held.contains(byte) { return true }
    guard try lock.tryAcquire(at: byte) else { return false }
    held.insert(byte)
    return true
  }

  mutating func release(_ byte: Int) throws(SystemError) {
    try lock.release(at: byte)
    held.remove(byte)
  }

  func isHeldByThisOpen(_ byte: Int) -> Bool { held.contains(byte) }

  func isHeldByOther(_ byte: Int) throws(SystemError) -> Bool {
    try lock.foreignLock(at: byte) != .unlocked
  }
}
