import Retrace
import RetraceStorage

/// The texts of actions, commands and changes of an app, as `replay show` writes them.
///
/// An app whose schema is contradictory has none; its store cannot be opened.
struct ActionTexts<App: ReplayableApp>: Sendable {
  private let actions = try? SchemaCodec(App.Action.schema)
  private let commands = try? SchemaCodec(App.Command.schema)
  private let refusals = try? SchemaCodec(App.Refusal.schema)
  private let states: SchemaCodec?

  init() {
    var composer = SchemaComposer()
    states = try? SchemaCodec(App.State.stateSchema(in: &composer))
  }

  /// Returns a line for the command and for each action.
  func lines(of commit: Commit<App>) -> [String] {
    var lines: [String] = []
    if let command = commit.command {
      var line = "\(commit.sequences.lowerBound) command \(text(of: command, commands))"
      if let refusal = commit.refusal { line += " refused: \(text(of: refusal, refusals))" }
      lines.append(line)
    }
    for (sequence, action) in commit.records {
      lines.append("\(sequence) \(text(of: action, actions))")
    }
    if commit.isOfOthers { lines.append("\(commit.sequences) of other processes") }
    return lines
  }

  /// Returns the name of an action and its value as JSON.
  func parts(of action: App.Action) -> (name: String, json: JSONValue)? {
    guard let actions, let value = try? actions.decode(action.encoded().span) else { return nil }
    let json = actions.json(value)
    return (actions.caseName(of: value) ?? App.Action.recordedName, json)
  }

  /// Returns the places in which the states before and after a commit differ.
  func changes(of commit: Commit<App>) -> [ValueDifference] {
    guard let states, let before = value(of: commit.before, states),
      let after = value(of: commit.after, states)
    else { return [] }
    return states.differences(
      from: before, to: after, logical: MomentFormat.readable.json)
  }

  private func value(of state: App.State, _ codec: SchemaCodec) -> AvroValue? {
    var writer = AvroWriter(capacity: 2_048)
    state.encodeWhole(into: &writer)
    return try? codec.decode(writer.span)
  }

  private func text(of value: some Recordable, _ codec: SchemaCodec?) -> String {
    guard let codec, let decoded = try? codec.decode(value.encoded().span) else { return "?" }
    let instant = MomentFormat.readable.json
    if let restored = decoded.restoreText {
      // A fact has a name, and the command is the restore itself.
      let name = value is App.Action ? codec.caseName(of: decoded) : nil
      return SafeText.line(name.map { "\($0)(\(restored))" } ?? restored)
    }
    return SafeText.line(
      codec.caseText(of: decoded, logical: instant)
        ?? codec.json(decoded, logical: instant).text())
  }
}
