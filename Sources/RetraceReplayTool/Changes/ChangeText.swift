import Retrace
import RetraceReplay
import RetraceToolSupport

enum ChangeText {
  static let valueLimit = 60

  /// Returns the lines of a change: the entity first, its fields below it.
  static func lines(_ change: StateChange, indent: String = "  ") -> [String] {
    guard let entity = change.entity else { return change.fields.map { indent + line($0) } }
    let kind = change.kind == .changed ? "" : " \(change.kind.rawValue)"
    return ["\(indent)\(entity.path)\(kind)"] + fields(change, indent: indent + "  ")
  }

  static func fields(_ change: StateChange, indent: String) -> [String] {
    change.fields.map { indent + line($0, kind: change.kind) }
  }

  /// Returns the lines of a difference, with a note if it is cut or empty.
  static func lines(_ difference: StateDifference) -> [String] {
    var lines = difference.changes.flatMap { Self.lines($0) }
    if difference.isTruncated { lines.append("  and more; raise --limit to see them") }
    if lines.isEmpty { lines.append("  nothing changed") }
    return lines
  }

  /// Returns the lines of differences between two values, the innermost ones by their paths.
  static func lines(_ fields: [ValueDifference], limit: Int) -> [String] {
    let lines = fields.prefix(limit).map { "  " + line($0) }
    return fields.count > limit ? lines + ["  and \(fields.count - limit) more"] : lines
  }

  static func line(_ field: ValueDifference, kind: StateChange.Kind = .changed) -> String {
    // The key of a dictionary may be long; the values after it are shown, too.
    let path = field.path.isEmpty ? "value" : SafeText.line(field.path, bytesMax: 400)
    switch kind {
    case .created: return "\(path): \(short(field.after))"
    case .removed: return "\(path): \(short(field.before))"
    case .changed: return "\(path): \(arrow(field))"
    }
  }

  static func arrow(_ field: ValueDifference) -> String {
    "\(short(field.before)) -> \(short(field.after))"
  }

  /// Returns a value on one line; a missing one is a hyphen.
  static func short(_ value: JSONValue?, limit: Int = valueLimit) -> String {
    guard let value else { return "-" }
    let text = value.text()
    guard text.count > limit else { return text }
    return text.prefix(limit - 1) + "…"
  }
}

enum ChangeJSON {
  /// Returns a difference: its changes in order, and whether some are omitted.
  static func members(_ difference: StateDifference) -> [JSONValue.Member] {
    [
      .init("changes", .array(difference.changes.map { value($0) })),
      .init("cut", .bool(difference.isTruncated)),
    ]
  }

  /// Returns a change: the entity, the kind of change, and its fields.
  static func value(_ change: StateChange) -> JSONValue {
    [
      "entity": change.entity.map { .string($0.name) } ?? .null,
      "id": change.entity.map { .integer($0.id) } ?? .null,
      "table": change.entity.map { .string($0.table) } ?? .null,
      "change": .string(change.kind.rawValue),
      "fields": .array(change.fields.map { value($0) }),
    ]
  }

  /// Returns a field: its path, the value before and the value after.
  static func value(_ field: ValueDifference) -> JSONValue {
    ["field": .string(field.path), "before": field.before ?? .null, "after": field.after ?? .null]
  }
  /// Returns a field for tables: its path, and the values before and after as texts of JSON.
  static func row(_ field: ValueDifference) -> JSONValue {
    [
      "field": .string(field.path), "before": (field.before ?? .null).asText,
      "after": (field.after ?? .null).asText,
    ]
  }
}
