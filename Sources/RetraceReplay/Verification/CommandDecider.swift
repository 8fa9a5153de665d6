import Retrace
import RetraceStorage

/// The outcome of a decision: the encodings of its facts, or of its refusal.
enum DecisionOutcome: Equatable {
  case facts([[UInt8]])
  case refusal([UInt8])

  /// Returns the facts under `facts`, or the refusal under `refusal`.
  ///
  /// - Parameters:
  ///   - facts: The codec of facts; `nil` for a schema that is contradictory.
  ///   - refusals: The codec of refusals.
  ///   - moments: How instants are written; `nil` for their microseconds.
  func json(
    _ facts: SelectiveCodec?, _ refusals: SelectiveCodec?, moments: MomentFormat? = nil
  ) -> JSONValue {
    switch self {
    case .facts(let list): ["facts": .array(list.map { Self.json($0, facts, moments) })]
    case .refusal(let bytes): ["refusal": Self.json(bytes, refusals, moments)]
    }
  }

  private static func json(
    _ bytes: [UInt8], _ codec: SelectiveCodec?, _ moments: MomentFormat?
  ) -> JSONValue {
    guard let codec, let value = try? codec.decode(bytes.span) else { return .null }
    return codec.json(value) { moments?.json($0, $1) }
  }
}

/// A decider of the commands of a log, which may have an older schema.
struct CommandDecider<App: ReplayableApp> {
  private var commands = RecordedValues<App.Command>()

  /// Decides the command of a record, on the state before it.
  ///
  /// - Returns: The command and its outcome; `nil` if the app's `canDecideAgain(_:)` returns
  ///   `false`, if this build cannot read the command, or if no decider handles it.
  mutating func decide(
    _ recorded: RecordedCommand, on fold: borrowing Fold<App>, at moment: Moment,
    in view: borrowing ReadView
  ) -> (command: App.Command, outcome: DecisionOutcome)? {
    guard let command = commands.value(of: recorded.command, in: view),
      App.canDecideAgain(command)
    else { return nil }
    do throws(App.Refusal) {
      guard let facts = try App._decide(command, on: fold, at: moment) else { return nil }
      return (command, .facts(facts.map { $0.encoded() }))
    } catch {
      return (command, .refusal(error.encoded()))
    }
  }
}
