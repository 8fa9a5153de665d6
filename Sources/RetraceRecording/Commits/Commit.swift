public import Retrace

/// A batch that was appended, with the state before and after it.
///
/// ```swift
/// let observation = store.observeCommits { (commit: Commit<CounterApp>) in
///   let grown = commit.after.counters.count - commit.before.counters.count
///   print("records \(commit.sequences): \(commit.actions.count) actions, \(grown) counters more")
/// }
/// ```
public struct Commit<App: ReplayableApp>: Sendable {
  /// The sequences of the batch's command, if it has one, and of its actions.
  ///
  /// For a commit of other processes, the sequences of all their records since the commit before.
  public let sequences: Range<UInt64>
  /// The moment of the batch; `nil` for a commit of other processes.
  public let moment: Moment?
  /// The command at the head of the batch, if it has one.
  public let command: App.Command?
  /// The reason why the command was refused, if it was.
  public let refusal: App.Refusal?
  /// The actions, in order; none for a commit of other processes, which tell them themselves.
  public let actions: [App.Action]
  /// The effects that the reducer returned for the actions.
  public let effects: [Effect<App.Action, App.Environment>]
  /// The state before the batch.
  public let before: App.State
  /// The state after the batch.
  public let after: App.State

  /// Whether other processes appended the records.
  public var isOfOthers: Bool { moment == nil }

  /// The actions with the sequences of their records.
  public var records: [(sequence: UInt64, action: App.Action)] {
    let first = sequences.upperBound - UInt64(actions.count)
    return actions.enumerated().map { (first + UInt64($0.offset), $0.element) }
  }

  private init(
    _ batch: PendingBatch<App>, _ receipt: Receipt<App>, at moment: Moment, from before: App.State
  ) {
    sequences = receipt.sequences
    self.moment = moment
    command = batch.command?.command
    refusal = receipt.decision?.refusal
    if case .accepted(let facts, _)? = receipt.decision?.outcome {
      actions = facts
    } else {
      actions = batch.actions
    }
    effects = receipt.effects.map { $0.effect }
    self.before = before
    after = receipt.state
  }

  private init(ofOthersFrom before: PublishedState<App>, to after: PublishedState<App>) {
    sequences = before.sequence + 1..<after.sequence + 1
    (moment, command, refusal) = (nil, nil, nil)
    (actions, effects) = ([], [])
    (self.before, self.after) = (before.state, after.state)
  }

  /// Returns the commits of one call of the engine.
  ///
  /// - Parameters:
  ///   - receipts: The receipts of the batches, in order.
  ///   - base: The state before the first batch.
  ///   - older: The state before the records of other processes, if there are any before the batch.
  static func all(
    of receipts: [CommitResult<App>.BatchReceipt], from base: PublishedState<App>,
    afterOthers older: PublishedState<App>?
  ) -> [Commit] {
    var commits: [Commit] = []
    if let older, older.sequence < base.sequence {
      commits.append(Commit(ofOthersFrom: older, to: base))
    }
    var before = base.state
    for item in receipts {
      guard let batch = item.batch, let moment = item.moment, !item.receipt.sequences.isEmpty
      else { continue }
      commits.append(Commit(batch, item.receipt, at: moment, from: before))
      before = item.receipt.state
    }
    return commits
  }
}
