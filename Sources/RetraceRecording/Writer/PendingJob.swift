import RetraceSystem

/// A job that a task waits for: it either begins or is cancelled before that.
final class PendingJob<Outcome: Sendable>: Sendable {
  private enum State {
    case waiting(CheckedContinuation<Outcome?, Never>?)
    case begun(CheckedContinuation<Outcome?, Never>?)
    case over
  }

  private let state = Lock(State.waiting(nil))

  /// Waits for the outcome of a job.
  ///
  /// - Parameter submit: Submits the job, which calls ``begin()`` first and ``end(_:)`` last.
  /// - Returns: `nil` if the task was cancelled before the job began.
  func wait(_ submit: () -> Void) async -> Outcome? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isCancelled = state.withLock { state in
          if case .over = state { return true }
          state = .waiting(continuation)
          return false
        }
        if isCancelled { continuation.resume(returning: nil) } else { submit() }
      }
    } onCancel: {
      let continuation = state.withLock { state -> CheckedContinuation<Outcome?, Never>? in
        guard case .waiting(let continuation) = state else { return nil }
        state = .over
        return continuation
      }
      continuation?.resume(returning: nil)
    }
  }

  /// Begins the job and returns `true`, unless it was cancelled.
  func begin() -> Bool {
    state.withLock { state in
      guard case .waiting(let continuation) = state else { return false }
      state = .begun(continuation)
      return true
    }
  }

  func end(_ outcome: Outcome) {
    let continuation = state.withLock { state -> CheckedContinuation<Outcome?, Never>? in
      guard case .begun(let continuation) = state else { return nil }
      state = .over
      return continuation
    }
    continuation?.resume(returning: outcome)
  }
}
