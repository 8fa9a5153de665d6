import RetraceSystem

/// A job that a task waits for: it either begins or is cancelled before that.
final class PendingJob<Outcome: Sendable>: Sendable {
  private let arrival = Arrival<Outcome?>()
  private let isClaimed = Lock(false)

  /// Waits for the outcome of the job, which has been submitted.
  ///
  /// The job calls ``begin()`` first and ``end(_:)`` last.
  ///
  /// - Returns: `nil` if the task was cancelled before the job began.
  func outcome() async -> Outcome? {
    await arrival.value(onCancel: { if self.begin() { self.arrival.put(nil) } })
  }

  /// Begins the job and returns `true`, unless it was cancelled.
  func begin() -> Bool {
    isClaimed.withLock { isClaimed in
      defer { isClaimed = true }
      return !isClaimed
    }
  }

  func end(_ outcome: Outcome) { arrival.put(outcome) }
}
