import RetraceArchitecture
import RetraceLog
import RetraceStorage

/// The session of this process as others see it: its lock, and the attempt file that has the group
/// at hand.
struct HeldSession: ~Copyable, Sendable {
  /// The session whose lock this process holds.
  private(set) var number: UInt64?
  private var attempt: AttemptFile?

  /// Whether groups are noted already.
  var isNoting: Bool { attempt != nil }

  /// Takes the lock of a session, which is what tells other processes that it lives.
  mutating func open(_ session: UInt64, of log: LogStorage) throws(StoreError) {
    try leave(log)
    try log.holdSessionLock(session)
    number = session
  }

  /// Notes a group, the first batch of which is about to be reduced.
  mutating func note(
    _ group: Attempt, session: UInt64, of log: LogStorage
  ) throws(StoreError) {
    if attempt == nil { attempt = try log.attemptFile(session: session) }
    try attempt?.write(group)
  }

  /// Notes a phase of the group at hand.
  borrowing func note(_ phase: Attempt.Phase) throws(StoreError) { try attempt?.note(phase) }

  /// Lends the attempt file to the thread that reduces a large group.
  mutating func takeAttempt() -> AttemptFile? { attempt.take() }

  /// Takes the attempt file back.
  mutating func putBack(_ file: consuming AttemptFile?) { attempt = file }

  /// Notes that the group at hand was aborted, so that no other process takes it for a crash.
  borrowing func abort() { try? attempt?.note(.idle) }

  /// Removes the attempt file and frees the session's lock.
  mutating func leave(_ log: LogStorage) throws(StoreError) {
    if let session = attempt?.session {
      attempt = nil
      try log.removeAttempt(session: session)
    }
    if let session = number {
      number = nil
      try log.releaseSessionLock(session)
    }
  }
}
