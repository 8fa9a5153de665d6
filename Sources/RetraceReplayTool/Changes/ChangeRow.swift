import Retrace
import RetraceReplay
import RetraceStorage
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

  /// The names of the columns of the CSV table.
  static let header = CSVLine(fields: [
    "sequence", "moment", "session", "action", "entity", "id", "change", "field", "before", "after",
    "clock", "user", "command", "reason", "name", "beforeName", "afterName",
  ])

  /// The row as a JSON object; values and their names are texts of JSON.
  var json: JSONValue {
    func optional(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
    return [
      "sequence": .integer(Int64(clamping: envelope.sequence)),
      "moment": .string(envelope.moment.sortableTimestamp),
      "session": .integer(Int64(clamping: envelope.session)),
      "action": optional(action),
      "entity": optional(change.entity?.name),
      "id": change.entity.map { .integer($0.id) } ?? .null,
      "change": .string(change.kind.rawValue),
      "field": .string(field.path),
      "before": (field.before ?? .null).asText, "after": (field.after ?? .null).asText,
      "clock": optional(clock?.text),
      "user": .string(user),
      "command": optional(command.name),
      "reason": optional(command.reason),
      "name": optional(names.entity),
      "beforeName": (names.before ?? .null).asText, "afterName": (names.after ?? .null).asText,
    ]
  }

  /// Returns the row as CSV: text without JSON's quotes, other values as JSON, and the names of a
  /// list with commas between them.
  ///
  /// A name with a comma is in quotes there.
  ///
  /// - Parameter isExact: Whether texts that a spreadsheet would compute stay as they are.
  func csv(isExact: Bool) -> CSVLine {
    func cell(_ text: String?) -> String {
      isExact ? text ?? "" : SpreadsheetText.marked(text ?? "")
    }
    func cell(_ value: JSONValue?) -> String {
      switch value {
      case nil, .null: ""
      case .string(let text): cell(text)
      default: value?.text() ?? ""
      }
    }
    func cell(names: JSONValue?) -> String {
      guard let items = names?.arrayValue else { return cell(names) }
      return cell(items.map { quoted($0.stringValue ?? "") }.joined(separator: ", "))
    }
    func quoted(_ name: String) -> String {
      let isPlain = !name.utf8.contains(UInt8(ascii: ",")) && name.utf8.first != UInt8(ascii: "\"")
      return isPlain ? name : "\"\(name.replacing("\"", with: "\"\""))\""
    }
    return CSVLine(fields: [
      "\(envelope.sequence)", envelope.moment.sortableTimestamp, "\(envelope.session)",
      cell(action), cell(change.entity?.name), change.entity.map { "\($0.id)" } ?? "",
      change.kind.rawValue, cell(field.path), cell(field.before), cell(field.after),
      cell(clock?.text), cell(user), cell(command.name), cell(command.reason),
      cell(names.entity), cell(names: names.before), cell(names: names.after),
    ])
  }
}
