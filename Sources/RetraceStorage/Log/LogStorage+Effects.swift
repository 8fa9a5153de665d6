import RetraceLog
import RetraceSystem

/// Who looks after the effects of sessions that have ended.
extension LogStorage {
  /// Takes the lock of who settles the effects of a record whose session has ended, until it is
  /// given back or the store is closed.
  ///
  /// The lock is the byte of the record's sequence: it is that of an action, so no session has it.
  ///
  /// - Parameter cause: The sequence of the record.
  /// - Returns: Whether this open of the store holds it now; `false` if another one does.
  /// - Complexity: One system call.
  /// - Throws: ``StoreError``.
  package func holdEffectLock(_ cause: UInt64) throws(StoreError) -> Bool {
    try withLock { lock throws(SystemError) in try lock.hold(Int(cause)) }
  }

  /// Whether the log has a `crashed` record of an answer to the effects of a record.
  ///
  /// - Complexity: O(bytes of the log from that record on).
  /// - Throws: ``StoreError``.
  package func hasCrashed(onAnswersOf cause: UInt64) throws(StoreError) -> Bool {
    var found = false
    try withSnapshot { snapshot throws(StoreError) in
      try snapshot.scan(from: cause, through: snapshot.head.sequence) {
        record throws(StoreError) in
        if record.kind == .crashed && record.cause == cause { found = true }
      }
    }
    return found
  }

  /// Gives the lock of who settles the effects of a record back.
  ///
  /// - Throws: ``StoreError``.
  package func releaseEffectLock(_ cause: UInt64) throws(StoreError) {
    try withLock { lock throws(SystemError) in try lock.release(Int(cause)) }
  }
}
