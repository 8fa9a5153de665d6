import CivilTime
package import RetraceAvro
import RetraceLog
import RetraceSchema
import RetraceScreen

extension RecordedHistory {
  /// The records as lines of text: what led to each, then the changes of the entity.
  package var lines: [String] {
    entries.flatMap { entry -> [String] in
      [entry.heading] + entry.edits.map { "    \(Self.line($0))" }
    }
  }

  /// The records as JSON objects.
  package var json: [JSONValue] { entries.map(\.json) }

  private static func line(_ edit: RecordedEdit) -> String {
    switch edit.kind {
    case .inserted(let entity): "inserted \(list(entity))"
    case .removed(let entity): "removed \(list(entity))"
    case .changed(let field, let before, let after):
      "\(field): \(before.text()) -> \(after.text())"
    }
  }

  private static func list(_ entity: JSONValue) -> String {
    guard case .object(let members) = entity else { return entity.text() }
    return members.map { "\($0.name): \($0.value.text())" }.joined(separator: ", ")
  }

  /// The fields of the entity, each with the record that set it, as lines of text.
  package var blameLines: [String] {
    let (fields, removal) = fields
    let width = fields.map { TextWidth.of($0.name) }.max() ?? 0
    let values = fields.map { $0.value.text() }
    let valueWidth = min(40, values.map { TextWidth.of($0) }.max() ?? 0)
    var lines = zip(fields, values).map { field, value in
      let name = Self.padded(field.name, to: width)
      return "\(name)  \(Self.padded(value, to: valueWidth))  \(entries[field.entry].heading)"
    }
    if let removal { lines.append("removed by \(entries[removal].heading)") }
    return lines
  }

  /// The fields of the entity, each with the record that set it, as one JSON object.
  package var blameJSON: JSONValue {
    let (fields, removal) = fields
    let values = fields.map { field in
      JSONValue.Member(field.name, ["value": field.value, "setBy": entries[field.entry].json])
    }
    return [
      "type": .string(entity.type), "id": .integer(entity.id), "isRemoved": .bool(removal != nil),
      "fields": .object(values),
    ]
  }

  private static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - TextWidth.of(text)))
  }
}

extension RecordedHistory.Entry {
  /// The number and the moment of the record, the user, and the command or else the fact.
  fileprivate var heading: String {
    let user = user.isEmpty ? "" : " \(user)"
    return "#\(envelope.sequence) \(envelope.moment.timestamp)\(user) \(command ?? fact)"
  }

  fileprivate var json: JSONValue {
    [
      "sequence": .integer(Int64(clamping: envelope.sequence)),
      "moment": .string(envelope.moment.timestamp),
      "session": .integer(Int64(clamping: envelope.session)),
      "user": .string(user),
      "command": command.map { .string($0) } ?? .null,
      "fact": .string(fact),
      "edits": .array(edits.map(\.json)),
    ]
  }
}

extension RecordedEdit {
  fileprivate var json: JSONValue {
    switch kind {
    case .inserted(let entity): ["kind": "inserted", "entity": entity]
    case .removed(let entity): ["kind": "removed", "entity": entity]
    case .changed(let field, let before, let after):
      ["kind": "changed", "field": .string(field), "before": before, "after": after]
    }
  }
}
