/// A lock that lets one process at a time open or close an environment.
///
/// LMDB's exclusive lock on the lock file is not enough: if the process that initializes the lock
/// file is killed, a waiting process assumes that the file is initialized.
package protocol EnvironmentOpeningLock: AnyObject, Sendable {
  /// Waits until no other process is opening or closing the environment.
  ///
  /// - Throws: ``LMDBError/Code/openingStalled`` if another process takes too long; the system's
  ///   error if the lock is unusable.
  func enter() throws(LMDBError)

  /// Releases the lock; called once after each ``enter()`` that returned.
  func leave()
}
