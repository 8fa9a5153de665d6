import Retrace
import RetraceStorage

struct CommitResult<App: ReplayableApp>: Sendable {
  /// The receipt of a committed batch, for a caller, for observers, or for starting its effects.
  ///
  /// A class, so that passing a receipt on copies one reference, whatever the app. The receipt
  /// keeps the state after its batch, so the next change has to copy the parts that it changes.
  final class BatchReceipt: Sendable {
    let position: Int
    let receipt: Receipt<App>
    /// The batch and its moment; `nil` if nothing of it was appended.
    let batch: PendingBatch<App>?
    let moment: Moment?

    init(
      _ receipt: Receipt<App>, at position: Int, of batch: PendingBatch<App>?, _ moment: Moment?
    ) {
      self.position = position
      self.receipt = receipt
      self.batch = batch
      self.moment = moment
    }
  }

  var batches = 0
  var actions = 0
  /// The processor time of reducing them, in nanoseconds; 0 for a single small batch.
  var reductionNanoseconds: Int64 = 0
  /// Whether the group had so many actions that releasing the previous state is expensive.
  var isLarge = false
  private(set) var hasEffects = false
  /// The batches that got a receipt, in order.
  private(set) var receipts: [BatchReceipt] = []
  /// The outcomes of batches that are already in the log, by their position in the group; `nil`
  /// without such batches.
  var repeated: [Int: Result<Receipt<App>, StoreError>]?

  mutating func add(
    _ receipt: Receipt<App>, at position: Int, of batch: PendingBatch<App>? = nil,
    _ moment: Moment? = nil
  ) {
    // `count` needs no metadata of the element type, which is generic here.
    if receipt.effects.count > 0 { hasEffects = true }
    receipts.append(BatchReceipt(receipt, at: position, of: batch, moment))
  }

  /// Replaces the positions among the committed batches by the positions in the whole group.
  mutating func move(to places: [Int]) {
    receipts = receipts.map {
      BatchReceipt($0.receipt, at: places[$0.position], of: $0.batch, $0.moment)
    }
  }

  /// Fails the waits for the effects of a session that ended with the group.
  func failUnstartedEffects() {
    guard hasEffects else { return }
    for batch in receipts where batch.receipt.effects.contains(where: { $0.effect.leafCount > 0 }) {
      batch.receipt.settlement?.failUnstarted(.closed)
    }
  }

  /// Whether the last batch with a receipt is a command that was not accepted.
  var lastCommandWasNotAccepted: Bool {
    guard receipts.count > 0 else { return false }
    return receipts[receipts.count - 1].receipt.decision?.isAccepted == false
  }

  var hasOutcome: Bool { receipts.count > 0 || repeated != nil }

  /// Returns the receipt of a group of one batch, for the caller that waits for it.
  func singleReceipt() throws(StoreError) -> Receipt<App> {
    if receipts.count > 0 { return receipts[0].receipt }
    guard let outcome = repeated?[0] else { throw StoreError.closed }
    return try outcome.get()
  }

  /// The outcomes of the group's batches, in order; batches that nothing waits for have none.
  var outcomes: [(position: Int, outcome: Result<Receipt<App>, StoreError>)] {
    var outcomes: [(position: Int, outcome: Result<Receipt<App>, StoreError>)] = receipts.map {
      ($0.position, .success($0.receipt))
    }
    guard let repeated else { return outcomes }
    for (position, outcome) in repeated { outcomes.append((position, outcome)) }
    return outcomes.sorted { $0.position < $1.position }
  }
}
