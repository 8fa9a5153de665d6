import Retrace
import RetraceSystem
import RetraceStorage

/// A save of a copy of the state on its own thread, while the next group is reduced.
final class BackgroundSave<App: ReplayableApp>: Sendable {
  struct Outcome: Sendable {
    /// The saved fold, whose tables then refer to the saved pages.
    var records: RecordFold<App>
    var keeper: SnapshotKeeper<App>
    /// Whether nothing was saved, because another process has saved, or has removed the snapshot
    /// that the state came from.
    var wasSkipped = false
  }

  private let outcome: Lock<Outcome>
  private let finished = Semaphore()

  /// Prepares a save.
  ///
  /// - Parameters:
  ///   - records: A fold at a record that carries the hash of its state.
  ///   - keeper: The keeper that saves it.
  init(_ records: RecordFold<App>, by keeper: SnapshotKeeper<App>) {
    outcome = Lock(Outcome(records: records, keeper: keeper))
  }

  func run(in storage: LogStorage) {
    var outcome = outcome.withLock { $0 }
    // Ignored: an error comes from reading the log, and the next read throws it again.
    try? storage.withReadView { view throws(StoreError) in
      switch try view.saveOnce(&outcome.records, by: &outcome.keeper) {
      case .overtaken, .lost: outcome.wasSkipped = true
      case .saved, .skipped, .failed: break
      }
    }
    self.outcome.withLock { $0 = outcome }
    finished.signal()
  }

  /// Waits until the save is over, and returns its result.
  func finish() -> Outcome {
    finished.wait()
    return outcome.withLock { $0 }
  }
}
