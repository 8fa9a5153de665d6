import RetraceArchitecture
import RetraceStorage

/// What one turn of the writer brought about.
struct Advance<App: ReplayableApp>: Sendable {
  /// A batch that was committed and that somebody waits for, or whose effects have to start.
  ///
  /// An object, so that handing it on costs the same whatever the app's types are. The receipt
  /// keeps the state after its batch, so that what changes next has to be copied.
  final class Answered: Sendable {
    /// The position of the batch in the group.
    let position: Int
    /// The receipt, with the effects of the batch's records.
    let receipt: Receipt<App>

    init(_ receipt: Receipt<App>, at position: Int) {
      self.position = position
      self.receipt = receipt
    }
  }

  /// How many batches were committed.
  var batches = 0
  /// How many actions those have.
  var actions = 0
  /// The nanoseconds for which the processor reduced them, if they were several.
  var nanoseconds: Int64 = 0
  /// Whether they were many, so that letting go of the state before them is some work.
  var isLarge = false
  /// Whether a receipt has effects.
  private(set) var hasEffects = false
  /// The batches of which there is a receipt, in order.
  private(set) var answered: [Answered] = []
  /// What batches are answered with that the log has already, by their position in the group; `nil`
  /// if there are none.
  var repeated: [Int: Result<Receipt<App>, StoreError>]?

  /// Keeps the receipt of a batch.
  mutating func add(_ receipt: Receipt<App>, at position: Int) {
    // Without a look at the type of the elements, which is not known here.
    if receipt.effects.count > 0 { hasEffects = true }
    answered.append(Answered(receipt, at: position))
  }

  /// Says where in the group the batches are that were committed.
  mutating func move(to places: [Int]) {
    answered = answered.map { Answered($0.receipt, at: places[$0.position]) }
  }

  /// Whether there is an answer to any batch.
  var hasAnswered: Bool { answered.count > 0 || repeated != nil }

  /// The receipt of the only batch of a group, which somebody waits for.
  func receiptOfOnly() throws(StoreError) -> Receipt<App> {
    if answered.count > 0 { return answered[0].receipt }
    guard let outcome = repeated?[0] else { throw StoreError.closed }
    return try outcome.get()
  }

  /// What became of batches of the group, in order; nothing of one that nobody waits for.
  var outcomes: [(position: Int, outcome: Result<Receipt<App>, StoreError>)] {
    var outcomes: [(position: Int, outcome: Result<Receipt<App>, StoreError>)] = answered.map {
      ($0.position, .success($0.receipt))
    }
    guard let repeated else { return outcomes }
    for (position, answer) in repeated { outcomes.append((position, answer)) }
    return outcomes.sorted { $0.position < $1.position }
  }
}
