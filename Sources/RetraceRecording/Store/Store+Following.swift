import RetraceArchitecture
import RetracePlatform
public import RetraceStorage
import Synchronization

/// Keeping up with what other processes commit, without being asked.
extension Store {
  /// Folds what others commit as it comes, and tells the observers, until the store is closed.
  ///
  /// Observing starts this. While nobody commits, nothing is done; where the system gives no
  /// reports of writes, the end of the log is looked at twenty times a second.
  ///
  /// - Complexity: O(1), and a thread; calls after the first do nothing.
  public func follow() {
    // Nobody else can commit to a store in memory, or to one whose commits wait.
    if storage.isInMemory || storage.isDeferring { return }
    watch.withLock { watch in
      guard watch == nil, !queue.withLock({ $0.isClosed }) else { return }
      // Without a thread for it the store catches up when it writes, and the next call tries again.
      watch = try? storage.watchCommits { [weak self] in self?.scheduleCatchUp() }
    }
    // What was committed before the watch began.
    scheduleCatchUp()
  }

  /// Why this store takes no more actions, once that is so; what it shows stays.
  public var writingEnded: StoreError? { storage.writingEnded }

  func stopFollowing() {
    let watch = watch.withLock { $0.take() }
    watch?.stop()
  }

  /// Lets the writer thread catch up, unless that is to happen already.
  private func scheduleCatchUp() {
    guard !isCatchUpScheduled.exchange(true, ordering: .acquiringAndReleasing) else { return }
    storage.writer.submit { [weak self] in
      guard let self else { return }
      isCatchUpScheduled.store(false, ordering: .releasing)
      // Who writes next is told what failed here.
      try? catchUpHere()
    }
  }
}
