import RetraceArchitecture
import RetraceLog
import RetraceSystem
import RetraceStorage
import Synchronization

/// A save of a copy of the state on a thread of its own, while the next group is reduced.
final class SaveAside<App: ReplayableApp>: Sendable {
  /// What a save leaves behind.
  struct Outcome: Sendable {
    /// What was saved, which then knows its pages.
    var records: RecordFold<App>
    var keeper: SnapshotKeeper<App>
    /// Whether others saved, or removed what the state came from, so that there was nothing to do
    /// aside.
    var isLeft = false
  }

  private let outcome: Mutex<Outcome>
  private let isOver = Semaphore()

  /// Prepares a save.
  ///
  /// - Parameters:
  ///   - records: A fold at a record that carries the hash of its state.
  ///   - keeper: What saves it.
  init(_ records: RecordFold<App>, by keeper: SnapshotKeeper<App>) {
    outcome = Mutex(Outcome(records: records, keeper: keeper))
  }

  /// Saves.
  func run(in storage: LogStorage) {
    var outcome = outcome.withLock { $0 }
    // An error here is one of the log, which its next reader meets.
    try? storage.withSnapshot { snapshot throws(StoreError) in
      switch try snapshot.saveOnce(&outcome.records, by: &outcome.keeper) {
      case .overtaken, .lost: outcome.isLeft = true
      case .saved, .skipped, .failed: break
      }
    }
    self.outcome.withLock { $0 = outcome }
    isOver.signal()
  }

  /// Waits until nothing is saved any more.
  func finish() -> Outcome {
    isOver.wait()
    return outcome.withLock { $0 }
  }
}
