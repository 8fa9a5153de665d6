import RetraceSystem

/// The durable sequence of a store with relaxed durability, and the start of the current window.
final class CommitWindow: Sendable {
  private struct State {
    var durableSequence: UInt64 = 0
    var openedAt: Int64?
  }

  private let state = Lock(State())

  enum Step {
    /// Nothing: no records wait, or a commit is scheduled.
    case none
    /// The window has begun, and its end has to be scheduled.
    case schedule
    case commit
  }

  /// The sequence of the last record on stable storage.
  var durableSequence: UInt64 { state.withLock { $0.durableSequence } }

  /// Updates the durable sequence and the window, and returns the next step.
  ///
  /// - Parameters:
  ///   - sequence: The sequence of the last record on stable storage.
  ///   - isWaiting: Whether records wait for a commit.
  ///   - now: The current time in nanoseconds.
  ///   - length: How long records may wait, in nanoseconds.
  func update(
    durable sequence: UInt64, isWaiting: Bool, at now: Int64, length: Int64
  ) -> Step {
    state.withLock { state in
      state.durableSequence = sequence
      let opened = state.openedAt
      state.openedAt = isWaiting ? opened ?? now : nil
      guard isWaiting else { return .none }
      guard let opened else { return .schedule }
      return now - opened > length ? .commit : .none
    }
  }

  func isOpen(since opened: Int64) -> Bool { state.withLock { $0.openedAt == opened } }
}

extension Duration {
  /// The duration in nanoseconds, at most 292 years.
  var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, overflows) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
    return isTooLong || overflows ? .max : sum
  }
}
