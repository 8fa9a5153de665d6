import RetraceArchitecture
import RetraceStorage
import Synchronization

/// A batch in the queue: encoded when it was sent, reduced when its turn comes.
struct PendingBatch<App: ReplayableApp>: Sendable {
  let actions: [App.Action]
  /// The canonical bytes of each action.
  let encoded: EncodedActions
  /// The bytes of the payloads and of their lengths.
  let bytes: Int
  let moment: Moment
  /// The leaf that answers with this batch, the record of whose end goes before the actions.
  var end: LeafEnd?
  /// What makes a second sending of the batch known.
  var key: BatchKey?
  /// Whether somebody waits for what becomes of it.
  var isAwaited = false
  var completion: @Sendable (Result<Receipt<App>, StoreError>) -> Void = { _ in }

  /// A batch without actions, of which nothing is appended.
  static func empty(at moment: Moment) -> PendingBatch<App> {
    PendingBatch(actions: [], encoded: EncodedActions(), bytes: 0, moment: moment)
  }

  /// Whether there is nothing to append.
  var isEmpty: Bool { actions.isEmpty && end == nil }

  func completing(
    _ completion: @escaping @Sendable (Result<Receipt<App>, StoreError>) -> Void
  ) -> PendingBatch<App> {
    var batch = self
    batch.completion = completion
    batch.isAwaited = true
    return batch
  }
}

/// An idempotency key, and what it stands for.
struct BatchKey: Hashable, Sendable {
  let bytes: [UInt8]
  let digest: [UInt8]

  init(_ key: String, of payloads: EncodedActions) throws(StoreError) {
    bytes = Array(key.utf8)
    try BatchKey.check(key)
    digest = KeptBatch.digest(of: payloads)
  }

  /// Refuses a key that the log cannot hold.
  static func check(_ key: String) throws(StoreError) {
    guard (1...KeptBatch.keyBytes).contains(key.utf8.count) else {
      throw StoreError.invalidKey(bytes: key.utf8.count)
    }
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
