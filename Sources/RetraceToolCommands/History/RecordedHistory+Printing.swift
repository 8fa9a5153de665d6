package import Retrace
import RetraceToolSupport

extension RecordedHistory {
  /// Returns a value as text, cut so that more text fits on its line.
  private static func short(_ value: JSONValue, bytesMax: Int = 200) -> String {
    short(value.text(), bytesMax: bytesMax)
  }

  private static func short(_ text: String, bytesMax: Int = 200) -> String {
    SafeText.line(text, bytesMax: bytesMax)
  }

  /// The records as lines of text: a heading for each, then the changes of the entity.
  ///
  /// Long values are cut.
  package var lines: [String] {
    entries.flatMap { entry -> [String] in
      [entry.heading] + entry.edits.map { "    \(Self.line($0))" }
    }
  }

  package var json: [JSONValue] { entries.map(\.json) }

  private static func line(_ edit: RecordedEdit) -> String {
    switch edit.kind {
    case .inserted(let entity): "inserted \(list(entity))"
    case .removed(let entity): "removed \(list(entity))"
    case .changed(let field, let before, let after):
      "\(short(field)): \(short(before)) -> \(short(after))"
    }
  }

  private static func list(_ entity: JSONValue) -> String {
    guard case .object(let members) = entity else { return short(entity) }
    let bytesMax = min(200, max(16, 3_000 / max(1, members.count)))
    return members.map { "\(short($0.name)): \(short($0.value, bytesMax: bytesMax))" }
      .joined(separator: ", ")
  }

  /// The fields of the entity, each with the record that set it, as lines of text; long values are
  /// cut.
  ///
  /// A record that set several fields is described at the first one, and named by its number at the
  /// others. A field whose later changes no fact tells is marked.
  package var blameLines: [String] {
    let (fields, removal) = fields
    let names = fields.map { Self.short($0.name) }
    let width = min(40, names.map { TextWidth.of($0) }.max() ?? 0)
    let values = fields.map { Self.short($0.value) }
    let valueWidth = min(40, values.map { TextWidth.of($0) }.max() ?? 0)
    var described: Set<Int> = []
    func heading(_ entry: Int) -> String {
      let isNew = described.insert(entry).inserted
      return isNew ? entries[entry].heading : "#\(entries[entry].envelope.sequence)"
    }
    var lines = fields.indices.map { index in
      let heading = fields[index].entry.map(heading) ?? "no fact tells who set it"
      return "\(TextWidth.padded(names[index], to: width))  "
        + "\(TextWidth.padded(values[index], to: valueWidth))  \(heading)"
        + (fields[index].mayHaveChanged ? "  (then; no fact tells its later changes)" : "")
    }
    if let removal { lines.append("removed by \(heading(removal))") }
    return lines
  }

  /// The fields of the entity, each with the record that set it, as one JSON object.
  package var blameJSON: JSONValue {
    let (fields, removal) = fields
    let values = fields.map { field in
      JSONValue.Member(
        field.name,
        [
          "value": field.value, "setBy": field.entry.map { entries[$0].json } ?? .null,
          "mayHaveChanged": .bool(field.mayHaveChanged),
        ])
    }
    return [
      "type": .string(entity.type), "id": .integer(entity.id), "isRemoved": .bool(removal != nil),
      "fields": .object(values),
    ]
  }
}

extension RecordedHistory.Entry {
  /// The number and the moment of the record, a remark on its clock, the user, and the command or
  /// else the fact.
  fileprivate var heading: String {
    let user = user.isEmpty ? "" : " \(SafeText.line(user, bytesMax: Self.textMax))"
    return "#\(envelope.sequence) \(envelope.moment.localTimestamp(with: clock))\(user) "
      + SafeText.line(command ?? fact, bytesMax: Self.textMax)
  }

  /// The size at which the text of a command or a fact is cut, in bytes of UTF-8.
  private static var textMax: Int { 200 }

  fileprivate var json: JSONValue {
    .object(
      envelope.members(with: clock) + [
        .init("user", .string(user)),
        .init("command", command.map { .string($0) } ?? .null),
        .init("fact", .string(fact)),
        .init("edits", .array(edits.map(\.json))),
      ])
  }
}

extension RecordedEdit {
  /// The change as a JSON object, which has the same members for every kind; `before` and `after`
  /// are texts of JSON.
  fileprivate var json: JSONValue {
    switch kind {
    case .inserted(let entity): Self.json("inserted", entity: entity)
    case .removed(let entity): Self.json("removed", entity: entity)
    case .changed(let field, let before, let after):
      Self.json(
        "changed", entity: .null, field: .string(field), before: before.asText,
        after: after.asText)
    }
  }

  private static func json(
    _ kind: String, entity: JSONValue, field: JSONValue = .null, before: JSONValue = .null,
    after: JSONValue = .null
  ) -> JSONValue {
    [
      "kind": .string(kind), "entity": entity, "field": field, "before": before, "after": after,
    ]
  }
}
