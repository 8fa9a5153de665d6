import RetraceArchitecture
import RetraceState
import RetraceStorage
import Synchronization

/// A batch in the queue: encoded when it was sent, reduced when its turn comes.
///
/// An object, so that handing it on costs the same whatever the app's types are.
final class PendingBatch<App: ReplayableApp>: Sendable {
  /// What takes the outcome of a batch.
  typealias Completion = @Sendable (Result<Receipt<App>, StoreError>) -> Void

  let actions: [App.Action]
  /// The canonical bytes of each action.
  let encoded: EncodedActions
  /// The bytes of the payloads and of their lengths.
  let bytes: Int
  let moment: Moment
  /// The leaf that answers with this batch, the record of whose end goes before the actions.
  let end: LeafEnd?
  /// What makes a second sending of the batch known.
  let key: BatchKey?
  /// Whether somebody waits for what becomes of it.
  let isAwaited: Bool
  /// Told what became of it, if that is a failure or there is a receipt; `nil` if nobody is.
  let completion: Completion?

  init(
    actions: [App.Action], encoded: EncodedActions, bytes: Int, moment: Moment,
    end: LeafEnd? = nil, key: BatchKey? = nil, isAwaited: Bool = false,
    completion: Completion? = nil
  ) {
    self.actions = actions
    self.encoded = encoded
    self.bytes = bytes
    self.moment = moment
    self.end = end
    self.key = key
    self.isAwaited = isAwaited
    self.completion = completion
  }

  /// A batch without actions, of which nothing is appended.
  static func empty(at moment: Moment) -> PendingBatch<App> {
    PendingBatch(actions: [], encoded: EncodedActions(), bytes: 0, moment: moment)
  }

  /// Whether a receipt is made for it in any case.
  var needsReceipt: Bool { isAwaited || end != nil || key != nil }

  /// Whether there is nothing to append.
  var isEmpty: Bool { actions.count == 0 && end == nil }

  /// The same batch, for somebody who waits for what becomes of it.
  func completing(_ completion: @escaping Completion) -> PendingBatch<App> {
    PendingBatch(
      actions: actions, encoded: encoded, bytes: bytes, moment: moment, end: end, key: key,
      isAwaited: true, completion: completion)
  }

  /// The same batch as what a leaf answers with.
  func answering(_ end: LeafEnd, _ completion: Completion?) -> PendingBatch<App> {
    PendingBatch(
      actions: actions, encoded: encoded, bytes: bytes, moment: moment, end: end, key: key,
      completion: completion)
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

/// The place where the writer leaves what became of a batch.
final class Outcome<App: ReplayableApp>: Sendable {
  private let result = Mutex<Result<Receipt<App>, StoreError>?>(nil)

  func set(_ result: Result<Receipt<App>, StoreError>) {
    self.result.withLock { $0 = result }
  }

  /// Whether that is there.
  var isKnown: Bool { result.withLock { $0 != nil } }

  /// What became of the batch.
  ///
  /// - Precondition: The writer has drained the queue since the batch was pushed.
  func get() throws(StoreError) -> Receipt<App> {
    guard let result = result.withLock({ $0 }) else { throw StoreError.closed }
    return try result.get()
  }
}
