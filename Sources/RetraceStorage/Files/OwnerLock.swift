import RetracePlatform

/// The locks of a store, bytes of its file `owner.lock`.
///
/// Byte 0 is shared by everyone who has the store open. Byte N is held by session N: that is what
/// being alive means. Byte 2^62 is shared by all who write; a build that does not share holds it
/// alone. Byte 2^62 + 1 is held by the one whose turn it is to write, in front of LMDB's own lock,
/// for which one cannot wait with a limit; byte 2^62 + 3 is shared by all who wait for that. Byte
/// 2^62 + 2^61 + N is held by who shows scene N. Byte 2^62 + 4 is the ``OpeningLock``.
struct OwnerLock: ~Copyable, Sendable {
  /// The name of the file.
  static let name = "owner.lock"
  /// The byte that all writers share.
  static let writerByte = 1 << 62
  /// The byte of the process whose turn it is to write.
  static let turnByte = writerByte + 1
  /// The byte that those share who wait for their turn.
  static let waitingByte = writerByte + 3
  /// The byte that is held while a process opens or closes an LMDB environment of the store.
  static let openingByte = writerByte + 4
  /// The byte of scene 0.
  static let sceneByte = writerByte + (1 << 61)
  /// The byte that is held while the store is being made, under another name.
  static let creationByte = writerByte + 2

  private let lock: RangeLock
  /// The path of the file, which each commit looks at.
  private let path: String
  private let identity: FileIdentity
  private var held: Set<Int> = []

  /// Opens the file and takes the locks of a reader or of a writer.
  static func open(_ store: StorePath, forWriting: Bool) throws(StoreError) -> OwnerLock {
    let lock = RangeLock(
      try store.open(name, [.read, .write, .create], doing: "be locked"))
    let taken: Bool
    let identity: FileIdentity
    do {
      taken = try take(lock, forWriting: forWriting)
      identity = try lock.file.identity
    } catch {
      throw StoreError(error, in: store.directory, doing: "be locked")
    }
    guard taken else { throw inUse(store, lock) }
    return OwnerLock(lock: lock, path: store.file(name), identity: identity)
  }

  private static func take(
    _ lock: borrowing RangeLock, forWriting: Bool
  ) throws(PlatformError) -> Bool {
    guard try lock.tryShared(at: 0) else { return false }
    guard forWriting else { return true }
    return try lock.tryShared(at: writerByte)
  }

  private init(lock: consuming RangeLock, path: String, identity: FileIdentity) {
    self.lock = lock
    self.path = path
    self.identity = identity
  }

  /// Frees every lock by name: a program that is just being started still has a copy of the open
  /// file for a moment, and would keep the locks as long.
  deinit {
    for byte in held { try? lock.release(at: byte) }
    try? lock.release(at: OwnerLock.turnByte)
    try? lock.release(at: OwnerLock.waitingByte)
    try? lock.release(at: OwnerLock.writerByte)
    try? lock.release(at: 0)
  }

  /// The error that names the processes which are in the way.
  private static func inUse(_ store: StorePath, _ lock: borrowing RangeLock) -> StoreError {
    let pids = (try? lock.holders(at: writerByte)) ?? []
    let who =
      pids.isEmpty
      ? "another process" : "process \(pids.map { "\($0)" }.joined(separator: ", "))"
    return StoreError(
      .inUse(pids: pids), what: "The store \(store.directory) could not be opened.",
      why: "It is in use by \(who), which shares it with nobody.",
      advice: "Wait until that is done, or end it.")
  }

  /// Takes the turn to write, unless another has it.
  func takeTurn() throws(PlatformError) -> Bool {
    do throws(PlatformError) {
      return try lock.tryExclusive(at: OwnerLock.turnByte)
    } catch {
      // An error does not say whether the byte is locked.
      try? lock.release(at: OwnerLock.turnByte)
      throw error
    }
  }

  /// Gives the turn to write to the next.
  func endTurn() throws(PlatformError) { try lock.release(at: OwnerLock.turnByte) }

  /// Tells those who write that this process waits for its turn.
  func beginWaiting() throws(PlatformError) {
    // Nobody holds it alone.
    _ = try lock.tryShared(at: OwnerLock.waitingByte)
  }

  /// Takes that back.
  func endWaiting() throws(PlatformError) { try lock.release(at: OwnerLock.waitingByte) }

  /// Whether others wait for their turn and none of them has it.
  func isAwaited() throws(PlatformError) -> Bool {
    guard try lock.holding(at: OwnerLock.waitingByte) != .nobody else { return false }
    return try lock.holding(at: OwnerLock.turnByte) == .nobody
  }

  /// The processes that hold a byte, for a message.
  func holders(at byte: Int) throws(PlatformError) -> [Int32] { try lock.holders(at: byte) }

  /// Takes the writers' byte alone, unless another process has the store open for writing.
  func writeAlone() throws(PlatformError) -> Bool {
    try lock.tryExclusive(at: OwnerLock.writerByte)
  }

  /// Who else has the store open for writing, for a message.
  func writers() -> [Int32] {
    let pids = (try? holders(at: OwnerLock.writerByte)) ?? []
    return pids.filter { $0 != ThisProcess.identifier }
  }

  /// Whose turn it is, for a message.
  func turnHolders() -> [Int32] { (try? lock.holders(at: OwnerLock.turnByte)) ?? [] }

  /// Whether the file is no longer the one that others open by the name.
  ///
  /// - Complexity: One system call.
  func isReplaced() throws(PlatformError) -> Bool {
    do throws(PlatformError) {
      return try FileSystem.linkInfo(path).identity != identity
    } catch {
      if error.code == .noSuchFile { return true }
      throw error
    }
  }

  /// Takes a byte that one holds alone for life, such as that of a session.
  mutating func hold(_ byte: Int) throws(PlatformError) -> Bool {
    do throws(PlatformError) {
      guard try lock.tryExclusive(at: byte) else { return false }
    } catch {
      // An error does not say whether the byte is locked.
      if !held.contains(byte) { try? lock.release(at: byte) }
      throw error
    }
    held.insert(byte)
    return true
  }

  /// Gives a byte back.
  mutating func release(_ byte: Int) throws(PlatformError) {
    try lock.release(at: byte)
    held.remove(byte)
  }

  /// Whether this open of the store holds a byte.
  func isHeldHere(_ byte: Int) -> Bool { held.contains(byte) }

  /// Whether another open of the store holds a byte.
  func isHeldElsewhere(_ byte: Int) throws(PlatformError) -> Bool {
    try lock.holding(at: byte) != .nobody
  }
}
