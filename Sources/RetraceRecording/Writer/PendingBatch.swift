import Retrace
import RetraceStorage
import RetraceSystem

/// A batch in the queue, encoded by its sender and reduced later by the writer.
///
/// A class, so that passing a batch on copies one reference, whatever the app.
final class PendingBatch<App: ReplayableApp>: Sendable {
  typealias Completion = @Sendable (Result<Receipt<App>, StoreError>) -> Void

  /// The actions; none if the batch is a command.
  let actions: [App.Action]
  let encoded: EncodedActions
  /// The command whose facts are the actions of the batch; `nil` if actions were sent.
  let command: PendingCommand<App>?
  /// The number of bytes of the payloads and their lengths.
  let bytes: Int
  /// When the batch was sent; the moment of a command is sampled in the write transaction.
  let moment: Moment
  /// The leaf that answers with this batch; the record of its end precedes the actions.
  let answer: LeafAnswer?
  let key: BatchKey?
  let isAwaited: Bool
  /// Called with a failure, or with the receipt if there is one.
  let completion: Completion?

  init(
    actions: [App.Action], encoded: EncodedActions, command: PendingCommand<App>? = nil,
    bytes: Int, moment: Moment, answer: LeafAnswer? = nil, key: BatchKey? = nil,
    isAwaited: Bool = false, completion: Completion? = nil
  ) {
    self.actions = actions
    self.encoded = encoded
    self.command = command
    self.bytes = bytes
    self.moment = moment
    self.answer = answer
    self.key = key
    self.isAwaited = isAwaited
    self.completion = completion
  }

  /// Whether the batch gets a receipt even without effects and without observers.
  var needsReceipt: Bool { isAwaited || answer != nil || key != nil }

  /// The number of actions; 1 for a command.
  var count: Int { command == nil ? actions.count : 1 }

  var isEmpty: Bool { count == 0 && answer == nil }

  /// Returns the same batch with a completion, for a caller that waits for the outcome.
  func completing(_ completion: @escaping Completion) -> PendingBatch<App> {
    PendingBatch(
      actions: actions, encoded: encoded, command: command, bytes: bytes, moment: moment,
      answer: answer, key: key, isAwaited: true, completion: completion)
  }

  /// Returns the same batch as the answer of a leaf.
  func answering(_ answer: LeafAnswer, _ completion: Completion?) -> PendingBatch<App> {
    PendingBatch(
      actions: actions, encoded: encoded, command: command, bytes: bytes, moment: moment,
      answer: answer, key: key, completion: completion)
  }
}

/// An idempotency key and the digest of the batch it belongs to.
struct BatchKey: Hashable, Sendable {
  let bytes: [UInt8]
  let digest: [UInt8]

  init(_ key: String, of payloads: EncodedActions) throws(StoreError) {
    bytes = Array(key.utf8)
    try BatchKey.check(key)
    digest = KeyedBatch.digest(of: payloads)
  }

  init(_ key: String, ofCommand encoded: [UInt8]) throws(StoreError) {
    bytes = Array(key.utf8)
    try BatchKey.check(key)
    digest = KeyedBatch.digest(ofCommand: encoded)
  }

  /// Creates the key of an undo or a redo.
  ///
  /// - Parameters:
  ///   - target: The sequence of the command that is taken back, which has at most one such key.
  ///   - encoded: The command.
  init(ofRestore target: Int64, _ encoded: [UInt8]) {
    bytes = Array(Self.text(ofRestore: target).utf8)
    digest = KeyedBatch.digest(ofCommand: encoded)
  }

  /// Returns the key of the undo or the redo that takes a command back.
  static func text(ofRestore target: Int64) -> String { "\(KeyedBatch.reservedPrefix)\(target)" }

  /// Throws if the log cannot hold the key, or if it is one that only stores make.
  static func check(_ key: String) throws(StoreError) {
    guard (1...KeyedBatch.keyBytesMax).contains(key.utf8.count) else {
      throw StoreError.invalidKey(bytes: key.utf8.count)
    }
    if key.utf8.starts(with: KeyedBatch.reservedPrefix.utf8) { throw StoreError.reservedKey(key) }
  }
}

/// A box in which the writer stores the outcome of a batch.
final class OutcomeBox<App: ReplayableApp>: Sendable {
  private let result = Lock<Result<Receipt<App>, StoreError>?>(nil)

  func set(_ result: Result<Receipt<App>, StoreError>) {
    self.result.withLock { $0 = result }
  }

  var isKnown: Bool { result.withLock { $0 != nil } }

  /// Returns the receipt of the batch, or throws its failure.
  ///
  /// - Precondition: The writer has drained the queue since the batch was pushed.
  func get() throws(StoreError) -> Receipt<App> {
    guard let result = result.withLock({ $0 }) else { throw StoreError.closed }
    return try result.get()
  }
}
