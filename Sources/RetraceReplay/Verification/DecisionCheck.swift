public import Retrace
import RetraceStorage

/// A check that decides the commands of a log again, and compares the decisions.
@usableFromInline
struct DecisionCheck<App: ReplayableApp> {
  /// A command that was decided, with the facts that the log has for it so far.
  private struct CurrentCommand {
    var sequence: UInt64
    var command: App.Command
    /// The recorded refusal; `nil` if the command was accepted.
    var refusal: [UInt8]?
    var facts: [[UInt8]] = []
    var hasRetiredFact = false
    var decided: DecisionOutcome

    var recorded: DecisionOutcome { refusal.map { .refusal($0) } ?? .facts(facts) }
  }

  private(set) var results = Verification.Decisions()
  private var current: CurrentCommand?
  private var decider = CommandDecider<App>()
  private var refusals = RecordedValues<App.Refusal>()

  /// Takes a record that is about to be folded.
  ///
  /// - Throws: `damaged`, `incompatible`.
  mutating func visit(
    _ record: borrowing RecordCursor, before fold: borrowing RecordFold<App>,
    in view: borrowing ReadView
  ) throws(StoreError) {
    if record.startsBatch { finish() }
    switch record.kind {
    case .command: try decide(record, on: fold.fold, in: view)
    case .action: try add(record, fold.plan)
    default: break
    }
  }

  private mutating func decide(
    _ record: borrowing RecordCursor, on fold: borrowing Fold<App>, in view: borrowing ReadView
  ) throws(StoreError) {
    let recorded = try record.storedPayload(as: RecordedCommand.self)
    guard let decision = decider.decide(recorded, on: fold, at: record.moment, in: view) else {
      results.notComparable += 1
      return
    }
    // An unreadable refusal equals no refusal of this build, so it counts as a divergence.
    let refusal = recorded.refusal.map { refusals.value(of: $0, in: view)?.encoded() ?? $0.bytes }
    current = CurrentCommand(
      sequence: record.sequence, command: decision.command, refusal: refusal,
      decided: decision.outcome)
  }

  /// Adds a fact of the current command.
  private mutating func add(
    _ record: borrowing RecordCursor, _ plan: DecodingPlan<App>
  ) throws(StoreError) {
    guard current != nil else { return }
    do throws(FoldError) {
      guard let actions = try plan.actions(of: record) else {
        current?.hasRetiredFact = true
        return
      }
      for action in actions { current?.facts.append(action.encoded()) }
    } catch {
      throw StoreError(error)
    }
  }

  /// Compares the recorded and the new decision on the current command, if there is one.
  mutating func finish() {
    guard let last = current.take() else { return }
    if last.hasRetiredFact {
      results.notComparable += 1
      return
    }
    results.decided += 1
    guard last.recorded != last.decided else { return }
    results.divergences += 1
    guard results.firstDivergence == nil else { return }
    let facts = try? SelectiveCodec(App.Action.schema)
    let refusals = try? SelectiveCodec(App.Refusal.schema)
    results.firstDivergence = Verification.DecisionDivergence(
      sequence: last.sequence, command: Self.json(last.command),
      recorded: last.recorded.json(facts, refusals), decided: last.decided.json(facts, refusals))
    results.firstDivergence?.differences = JSONDifference.values(
      between: last.recorded.json(facts, refusals, moments: .readable),
      last.decided.json(facts, refusals, moments: .readable))
  }

  private static func json(_ command: App.Command) -> JSONValue {
    let bytes = command.encoded()
    guard let codec = try? SchemaCodec(App.Command.schema),
      let value = try? codec.decode(bytes.span)
    else { return .null }
    return codec.json(value)
  }
}
