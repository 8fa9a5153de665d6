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
    var decided: Outcome

    var recorded: Outcome { refusal.map { .refusal($0) } ?? .facts(facts) }
  }

  /// A decision: the encodings of its facts, or of its refusal.
  private enum Outcome: Equatable {
    case facts([[UInt8]])
    case refusal([UInt8])
  }

  private(set) var results = Verification.Decisions()
  private var current: CurrentCommand?
  private var commands = RecordedValues<App.Command>()
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
    let recorded: RecordedCommand
    do throws(AvroError) {
      recorded = try record.systemPayload(as: RecordedCommand.self)
    } catch {
      throw StoreError.damaged(sequence: record.sequence, detail: "command: \(error)")
    }
    guard let command = commands.value(of: recorded.command, in: view),
      App.canDecideAgain(command),
      let outcome = outcome(of: command, on: fold, at: record.moment)
    else {
      results.notComparable += 1
      return
    }
    // An unreadable refusal equals no refusal of this build, so it counts as a divergence.
    let refusal = recorded.refusal.map { refusals.value(of: $0, in: view)?.encoded() ?? $0.bytes }
    current = CurrentCommand(
      sequence: record.sequence, command: command, refusal: refusal, decided: outcome)
  }

  private func outcome(
    of command: App.Command, on fold: borrowing Fold<App>, at moment: Moment
  ) -> Outcome? {
    do throws(App.Refusal) {
      guard let facts = try App._decide(command, on: fold, at: moment) else { return nil }
      return .facts(facts.map { $0.encoded() })
    } catch {
      return .refusal(error.encoded())
    }
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
    results.firstDivergence = Verification.DecisionDivergence(
      sequence: last.sequence,
      command: Self.json(last.command.encoded(), App.Command.schema),
      recorded: Self.json(last.recorded), decided: Self.json(last.decided))
  }

  private static func json(_ outcome: Outcome) -> JSONValue {
    switch outcome {
    case .facts(let facts):
      ["facts": .array(facts.map { json($0, App.Action.schema) })]
    case .refusal(let bytes): ["refusal": json(bytes, App.Refusal.schema)]
    }
  }

  private static func json(_ bytes: [UInt8], _ schema: Schema) -> JSONValue {
    guard let codec = try? SchemaCodec(schema), let value = try? codec.decode(bytes.span) else {
      return .null
    }
    return codec.json(value)
  }
}
