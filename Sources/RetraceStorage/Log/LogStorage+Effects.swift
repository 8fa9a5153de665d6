package import Retrace
import RetraceSystem

/// Locks for recovering the effects of ended sessions.
extension LogStorage {
  /// Takes the lock for recovering the effects of a record whose session has ended.
  ///
  /// It is held until it is released or the store is closed. It locks the byte of the record's
  /// sequence. No session uses that byte, because the number of a session is the sequence of the
  /// record that opened it, and this record is an action.
  ///
  /// - Returns: Whether this open of the store now holds the lock; `false` if another open holds
  ///   it.
  /// - Complexity: One system call.
  package func acquireEffectLock(_ cause: UInt64) throws(StoreError) -> Bool {
    try withLocks { locks throws(SystemError) in try locks.tryAcquire(Int(cause)) }
  }

  /// Returns whether an answer of a record's effect has crashed a program before.
  ///
  /// An earlier crash counts if it was on the same actions, or if no answer of the effect was
  /// recorded after it: an answer recorded after a crash shows that the crash was a kill.
  ///
  /// - Complexity: O(bytes of the log from that record on).
  package func hasCrashed(on batch: Crashed, answering cause: UInt64) throws(StoreError) -> Bool {
    var (wasLast, isSame) = (false, false)
    try withReadView { view throws(StoreError) in
      try view.scan(from: cause, through: view.head.sequence) {
        record throws(StoreError) in
        guard record.cause == cause else { return }
        switch record.kind {
        case .crashed:
          wasLast = true
          let earlier = try? Crashed(encoded: record.payload)
          if earlier?.actions == batch.actions { isSame = true }
        case .action, .command: wasLast = false
        default: break
        }
      }
    }
    return wasLast || isSame
  }

  package func releaseEffectLock(_ cause: UInt64) throws(StoreError) {
    try withLocks { locks throws(SystemError) in try locks.release(Int(cause)) }
  }
}
