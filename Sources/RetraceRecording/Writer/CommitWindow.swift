import Synchronization

/// Of a store with relaxed durability: what is durable, and since when records wait.
final class CommitWindow: Sendable {
  private struct State {
    var durableSequence: UInt64 = 0
    var openedAt: Int64?
  }

  private let state = Mutex(State())

  /// What is to be done about the records that wait.
  enum Step {
    /// Nothing: none wait, or a commit is on its way.
    case none
    /// The window began, and has to end.
    case began
    /// The window is over.
    case isOver
  }

  /// The sequence of the last record that is on stable storage.
  var durableSequence: UInt64 { state.withLock { $0.durableSequence } }

  /// Notes what is durable, and whether records wait.
  ///
  /// - Parameters:
  ///   - now: The time in nanoseconds.
  ///   - length: How long records may wait, in nanoseconds.
  func note(
    durable sequence: UInt64, isWaiting: Bool, at now: Int64, length: Int64
  ) -> Step {
    state.withLock { state in
      state.durableSequence = sequence
      let opened = state.openedAt
      state.openedAt = isWaiting ? opened ?? now : nil
      guard isWaiting else { return .none }
      guard let opened else { return .began }
      return now - opened > length ? .isOver : .none
    }
  }

  /// Whether the records that wait are those of a window.
  func isOpen(since opened: Int64) -> Bool { state.withLock { $0.openedAt == opened } }
}

extension Duration {
  /// The duration in nanoseconds, at most 292 years.
  var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    return overflows ? .max : product.addingReportingOverflow(attoseconds / 1_000_000_000).0
  }
}
