import RetraceArchitecture
import RetraceStorage
import Synchronization

/// A batch in the queue: encoded when it was sent, reduced when its turn comes.
struct PendingBatch<App: ReplayableApp>: Sendable {
  let actions: [App.Action]
  /// The canonical bytes of each action.
  let payloads: [[UInt8]]
  /// The bytes of the payloads and of their lengths.
  let bytes: Int
  let moment: Moment
  /// The leaf that answers with this batch, the record of whose end goes before the actions.
  var end: LeafEnd?
  var completion: @Sendable (Result<Receipt<App>, StoreError>) -> Void = { _ in }

  /// A batch without actions, of which nothing is appended.
  static func empty(at moment: Moment) -> PendingBatch<App> {
    PendingBatch(actions: [], payloads: [], bytes: 0, moment: moment)
  }

  /// Whether there is nothing to append.
  var isEmpty: Bool { actions.isEmpty && end == nil }

  func completing(
    _ completion: @escaping @Sendable (Result<Receipt<App>, StoreError>) -> Void
  ) -> PendingBatch<App> {
    var batch = self
    batch.completion = completion
    return batch
  }
}

/// The place where the writer thread leaves what became of a batch.
final class Outcome<App: ReplayableApp>: Sendable {
  private let result = Mutex<Result<Receipt<App>, StoreError>?>(nil)

  func set(_ result: Result<Receipt<App>, StoreError>) {
    self.result.withLock { $0 = result }
  }

  /// What became of the batch.
  ///
  /// - Precondition: The writer thread has drained the queue since the batch was pushed.
  func get() throws(StoreError) -> Receipt<App> {
    guard let result = result.withLock({ $0 }) else { throw StoreError.closed }
    return try result.get()
  }
}
