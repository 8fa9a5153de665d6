import Retrace
import RetraceReplay
import RetraceStorage
import RetraceToolCommands
import RetraceToolSupport

/// One field changed by one record, in exported form.
struct ChangeRow {
  let envelope: Envelope
  let action: String?
  /// A remark on the moment, if there is one.
  let clock: RecordClocks.Remark?
  /// The user and the machine of the session, such as `anna@desk`; empty if unknown.
  let user: String
  /// The names of the command's cases, as in `entry.change`, and its reason; `nil` without one.
  let command: (name: String?, reason: String?)
  let change: StateChange
  let field: ValueDifference
  /// The name of the entity, and those for the values, as `StateNames` returns them.
  let names: (entity: String?, before: JSONValue?, after: JSONValue?)

  /// The column headings of the CSV table.
  static let header =
    "sequence,moment,session,action,entity,id,change,field,before,after,clock,user,command,reason,"
    + "name,beforeName,afterName"

  /// The row as a JSON object, with exact values.
  var json: JSONValue {
    [
      "sequence": .integer(Int64(clamping: envelope.sequence)),
      "moment": .string(envelope.moment.timestamp),
      "session": .integer(Int64(clamping: envelope.session)),
      "action": action.map { .string($0) } ?? .null,
      "entity": change.entity.map { .string($0.name) } ?? .null,
      "id": change.entity.map { .integer($0.id) } ?? .null,
      "change": .string(change.kind.rawValue),
      "field": .string(field.path),
      "before": field.before ?? .null, "after": field.after ?? .null,
      "clock": clock.map { .string($0.text) } ?? .null,
      "user": .string(user),
      "command": command.name.map { .string($0) } ?? .null,
      "reason": command.reason.map { .string($0) } ?? .null,
      "name": names.entity.map { .string($0) } ?? .null,
      "beforeName": names.before ?? .null, "afterName": names.after ?? .null,
    ]
  }

  /// The row as CSV for a spreadsheet: text without JSON's quotes, other values as JSON, and the
  /// names of a list with commas between them.
  var csv: String {
    var row = "\(envelope.sequence),\(envelope.moment.timestamp),\(envelope.session),"
    row += Self.cell(action) + "," + Self.cell(change.entity?.name) + ","
    if let id = change.entity?.id { row += id.description }
    row += "," + change.kind.rawValue + "," + Self.cell(field.path)
    row += "," + Self.cell(field.before) + "," + Self.cell(field.after)
    row += "," + Self.cell(clock?.text) + "," + Self.cell(user)
    row += "," + Self.cell(command.name) + "," + Self.cell(command.reason)
    row += "," + Self.cell(names.entity)
    row += "," + Self.cell(names: names.before) + "," + Self.cell(names: names.after)
    return row
  }

  private static func cell(names: JSONValue?) -> String {
    guard let items = names?.arrayValue else { return cell(names) }
    let text = items.map { $0.stringValue ?? "" }.joined(separator: ", ")
    return cell(text)
  }

  private static func cell(_ value: JSONValue?) -> String {
    switch value {
    case nil, .null: ""
    case .string(let text): cell(text)
    case .integer, .double, .bool: value?.text() ?? ""
    case .array, .object: quoted(value?.text() ?? "")
    }
  }

  /// Returns a text as a cell; text that a spreadsheet would take for a formula gets an apostrophe.
  private static func cell(_ text: String?) -> String {
    guard let text else { return "" }
    return quoted(spreadsheetText(SafeText.line(text)))
  }

  /// Quotes a cell that contains a separator, a quotation mark, a line break or a space.
  private static func quoted(_ text: String) -> String {
    let needsQuotes = text.utf8.contains { byte in
      switch Unicode.Scalar(byte) {
      case ",", "\"", "\n", "\r", " ": true
      default: false
      }
    }
    return needsQuotes ? "\"" + text.replacing("\"", with: "\"\"") + "\"" : text
  }
}
