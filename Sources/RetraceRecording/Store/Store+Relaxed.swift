import RetraceArchitecture
import RetracePlatform
import RetraceStorage
import Synchronization

/// What a store with relaxed durability does beside the others: it commits when the window is over,
/// and shows the durable state again if that fails.
extension Store {
  /// When the oldest record that waits was appended, and whether a commit is on its way.
  struct Window: Sendable {
    var durableSequence: UInt64 = 0
    var openedAt: Int64?
  }

  /// Lets commits wait, if the configuration says so.
  func relax() throws(StoreError) {
    guard case .relaxed = configuration.durability else { return }
    try storage.deferCommits()
    engine.withLock { $0.trackDurability(in: storage) }
    followDurability()
  }

  /// Commits what waits.
  func commitWaiting() throws(StoreError) {
    guard storage.isDeferring else { return }
    _ = try advance { (_) throws(StoreError) in
      try storage.commitDeferred()
      return Advance()
    }
  }

  /// Notes what is durable after a turn, and sees to it that what waits is committed in time.
  func followDurability() {
    guard storage.isDeferring, case .relaxed(let length) = configuration.durability else { return }
    let durable = engine.withLock { $0.durable?.fold.sequence ?? $0.fold.sequence }
    let now = MonotonicClock.nanoseconds()
    let opened = window.withLock { window in
      window.durableSequence = durable
      let opened = window.openedAt
      window.openedAt = storage.hasWaiting ? opened ?? now : nil
      return opened
    }
    guard storage.hasWaiting else { return }
    if let opened {
      // The timer may be late; whoever sends is not.
      if now - opened > length.nanoseconds { try? commitWaiting() }
    } else {
      Task { [weak self] in
        try? await Task.sleep(for: length)
        self?.submitCommit(of: now)
      }
    }
  }

  /// Lets the writer thread commit a window, unless it was committed meanwhile.
  private func submitCommit(of opened: Int64) {
    storage.writer.submit { [weak self] in
      guard let self, window.withLock({ $0.openedAt }) == opened else { return }
      // Who sends or flushes next is told what failed here.
      try? commitWaiting()
    }
  }
}

extension Engine {
  /// Notes what is durable; falls back to it if records that waited are not kept.
  mutating func trackDurability(in storage: LogStorage) {
    guard storage.isDeferring, !storage.hasWaiting else { return }
    if storage.isClosedForWriting, let durable {
      if durable.fold.sequence != committed.fold.sequence {
        caughtUp = Store.Published(durable.fold, pages: keeper.pages)
      }
      committed = durable
    } else {
      durable = committed
    }
  }
}

extension Duration {
  /// The duration in nanoseconds, at most 292 years.
  fileprivate var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    return overflows ? .max : product.addingReportingOverflow(attoseconds / 1_000_000_000).0
  }
}
