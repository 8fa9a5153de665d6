import RetracePlatform

/// The locks of a store, bytes of its file `owner.lock`.
///
/// Byte 0 is shared by everyone who has the store open. Byte N is held by session N: that is what
/// being alive means. Byte 2^62 is the lock of the single writer. The file's text is the writer's
/// process identifier, for the message that another one prints.
struct OwnerLock: ~Copyable, Sendable {
  /// The name of the file.
  static let name = "owner.lock"
  /// The byte that the single writer holds.
  static let writerByte = 1 << 62

  private let lock: RangeLock
  private var sessions: Set<UInt64> = []

  /// Opens the file and takes the locks of a reader or of the writer.
  static func open(_ store: StorePath, forWriting: Bool) throws(StoreError) -> OwnerLock {
    if let info = try store.info(name) { try store.requirePlain(name, info) }
    let lock: RangeLock
    do {
      lock = try RangeLock.open(store.file(name))
    } catch {
      throw StoreError(error, in: store.directory, doing: "be locked")
    }
    let taken: Bool
    do {
      taken = try take(lock, forWriting: forWriting)
    } catch {
      throw StoreError(error, in: store.directory, doing: "be locked")
    }
    guard taken else { throw inUse(store) }
    return OwnerLock(lock: lock)
  }

  private static func take(
    _ lock: borrowing RangeLock, forWriting: Bool
  ) throws(PlatformError) -> Bool {
    guard try lock.tryShared(at: 0) else { return false }
    guard forWriting else { return true }
    guard try lock.tryExclusive(at: writerByte) else { return false }
    try lock.file.truncate(to: 0)
    try lock.file.write(Array("\(ThisProcess.identifier)\n".utf8).span, at: 0)
    return true
  }

  private init(lock: consuming RangeLock) {
    self.lock = lock
  }

  /// Frees every lock by name: a program that is just being started still has a copy of the open
  /// file for a moment, and would keep the locks as long.
  deinit {
    for session in sessions { try? lock.release(at: Int(session)) }
    try? lock.release(at: OwnerLock.writerByte)
    try? lock.release(at: 0)
  }

  /// The error that names the process which is in the way.
  private static func inUse(_ store: StorePath) -> StoreError {
    let text = (try? FileSystem.readWhole(store.file(name), limitBytes: 64)) ?? []
    let pid = Int32(String(decoding: text, as: UTF8.self).split(separator: "\n").first ?? "")
    if pid == ThisProcess.identifier {
      return StoreError(
        .alreadyOpen, what: "The store \(store.directory) could not be opened.",
        why: "This process has it open for writing already.",
        advice: "Use the store that is open, or close it first.")
    }
    let who = pid.map { "process \($0)" } ?? "another process"
    return StoreError(
      .inUse(pids: pid.map { [$0] } ?? []),
      what: "The store \(store.directory) could not be opened for writing.",
      why: "It is in use by \(who).", advice: "Wait until that is done, or end it.")
  }

  /// Takes the lock by which a session is alive.
  mutating func hold(_ session: UInt64) throws(PlatformError) -> Bool {
    guard try lock.tryExclusive(at: Int(session)) else { return false }
    sessions.insert(session)
    return true
  }

  /// Gives the lock of a session back.
  mutating func release(_ session: UInt64) throws(PlatformError) {
    try lock.release(at: Int(session))
    sessions.remove(session)
  }

  /// Whether another open of the store holds the lock of a session.
  func isHeldElsewhere(_ session: UInt64) throws(PlatformError) -> Bool {
    try lock.holding(at: Int(session)) != .nobody
  }
}
