import RetraceSystem

/// Locks by which other processes see which sessions and scenes are alive.
extension LogStorage {
  /// Takes the lock of a session, which marks it as alive until the store is closed.
  ///
  /// - Throws: ``StoreError/Code/inUse(pids:)`` if another open of the store holds it.
  package func acquireSessionLock(_ session: UInt64) throws(StoreError) {
    let path = self.path
    let held = try withLocks { locks throws(SystemError) in try locks.tryAcquire(Int(session)) }
    guard held else {
      throw StoreError(
        .inUse(pids: []), what: "Session \(session) of \(path) could not begin.",
        why: "Another process holds the lock of that session.", advice: "Try again.")
    }
  }

  package func releaseSessionLock(_ session: UInt64) throws(StoreError) {
    try withLocks { locks throws(SystemError) in try locks.release(Int(session)) }
  }

  /// Returns whether another open of the store holds the lock of a session.
  package func isSessionAlive(_ session: UInt64) throws(StoreError) -> Bool {
    try withLocks { locks throws(SystemError) in try locks.isHeldByOther(Int(session)) }
  }

  /// Returns the processes that hold the lock of a session, as far as this user may see them.
  ///
  /// - Complexity: O(open files of all processes of this user).
  package func processes(ofSession session: UInt64) throws(StoreError) -> [Int32] {
    try withLocks { locks throws(SystemError) in try locks.holders(at: Int(session)) }
  }

  func holdsSessionLock(_ session: UInt64) throws(StoreError) -> Bool {
    try withLocks { locks throws(SystemError) in locks.isHeldByThisOpen(Int(session)) }
  }

  /// Takes the lock of a scene, which marks it as shown by this process.
  ///
  /// The lock is held until it is released or the store is closed.
  ///
  /// - Returns: Whether this open of the store now holds the lock; `false` if another open holds
  ///   it.
  /// - Complexity: One system call.
  package func acquireSceneLock(_ scene: Int64) throws(StoreError) -> Bool {
    let byte = LogStorage.sceneByte(scene)
    return try withLocks { locks throws(SystemError) in try locks.tryAcquire(byte) }
  }

  package func releaseSceneLock(_ scene: Int64) throws(StoreError) {
    let byte = LogStorage.sceneByte(scene)
    try withLocks { locks throws(SystemError) in try locks.release(byte) }
  }

  private static func sceneByte(_ scene: Int64) -> Int {
    StoreLocks.sceneByte + Int(scene) & ((1 << 60) - 1)
  }
}
