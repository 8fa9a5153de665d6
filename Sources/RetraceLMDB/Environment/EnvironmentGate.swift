/// Lets one process at a time open or close an environment.
///
/// LMDB's exclusive lock on the lock file does not do that: a process that waits for it takes the
/// lock file as initialised when the process that was initialising it is killed.
package protocol EnvironmentGate: AnyObject, Sendable {
  /// Waits until no other process opens or closes the environment.
  ///
  /// - Throws: ``LMDBError/Code/openingStalled`` if another process does not finish in time; what
  ///   the system returns if the gate cannot be used.
  func enter() throws(LMDBError)

  /// Lets the next process in; called once after each ``enter()`` that returned.
  func leave()
}
