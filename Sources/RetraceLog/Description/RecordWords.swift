package import RetraceAvro
import RetraceSchema
import RetraceScreen

/// Values of records in words for people: no signs of JSON, no names of wrappers, nothing that is
/// empty.
///
/// The exact value is what `show` and `--json` print.
package enum RecordWords {
  /// The fields that say what an entity is, which come first and without their names.
  private static let leading = ["name", "title", "description", "id"]

  /// Returns an action or a command in words, such as `entry start mail, project Thesis`.
  ///
  /// Of cases within cases, the last two are named; a fact is known by its place in a batch.
  static func text(_ value: AvroValue, _ json: JSONValue) -> String {
    var labels: [String] = []
    var last = NamedCase(value, json)
    while let named = last {
      labels.append(named.label)
      guard let inner = named.payloads.last.flatMap({ NamedCase($0.value, $0.json) }) else { break }
      last = inner
    }
    guard let last else { return self.value(json) ?? json.text() }
    if labels.count > 1, labels[0] == "fact" { labels.removeFirst() }
    var parts: [String] = []
    for payload in last.payloads {
      let found = self.parts(of: payload.json, named: payload.name, isID: payload.value.isID)
      parts += found.filter { !parts.contains($0) }
    }
    let name = labels.suffix(2).map(words).joined(separator: " ")
    return parts.isEmpty ? name : "\(name) \(parts.joined(separator: ", "))"
  }

  /// Returns a value in words; `nil` for one that says nothing: null, an empty text or list, and an
  /// object of these.
  package static func value(_ json: JSONValue) -> String? {
    switch json {
    case .null: return nil
    case .bool(let value): return value ? "yes" : "no"
    case .string(let text): return text.utf8.isEmpty ? nil : SafeText.line(text, bytesMax: 400)
    case .array(let items):
      let texts = items.compactMap { value($0) }
      let separator = texts.contains { isList($0) } ? "; " : ", "
      return texts.isEmpty ? nil : texts.joined(separator: separator)
    case .object(let members):
      let parts = parts(of: members)
      return parts.isEmpty ? nil : parts.joined(separator: ", ")
    default: return json.text()
    }
  }

  /// Returns whether a text has a comma before a blank.
  private static func isList(_ text: String) -> Bool {
    zip(text.utf8, text.utf8.dropFirst()).contains { $0 == UInt8(ascii: ",") && $1 == 0x20 }
  }

  /// Returns a name in camel case as words, such as `out of stock`.
  package static func words(_ name: String) -> String {
    let characters = Array(name)
    var text = ""
    for (index, character) in characters.enumerated() {
      let isStart = index > 0 && character.isUppercase && !characters[index - 1].isUppercase
      let isAcronym = index + 1 < characters.count && characters[index + 1].isUppercase
      if isStart { text += " " }
      text += isStart && !isAcronym ? character.lowercased() : "\(character)"
    }
    return SafeText.line(text, bytesMax: 100)
  }

  /// Returns what a member says: nothing, its value, or its name and its value.
  private static func parts(of json: JSONValue, named name: String, isID: Bool) -> [String] {
    let isUnnamed = name.utf8.first == UInt8(ascii: "_") || leading.contains(name)
    switch json {
    case .bool(let value) where !isUnnamed: return value ? [words(name)] : []
    case .object(let members) where isUnnamed: return parts(of: members)
    default:
      guard let text = value(json) else { return [] }
      let shown = isID && json.integerValue != nil ? "#\(text)" : text
      return [isUnnamed ? shown : "\(words(name)) \(shown)"]
    }
  }

  private static func parts(of members: [JSONValue.Member]) -> [String] {
    func member(_ name: String) -> JSONValue? { members.first { $0.name == name }?.value }
    if members.count == 2, let before = member("before"), let after = member("after") {
      switch (value(before), value(after)) {
      case (nil, nil): return []
      case (nil, let after?): return [after]
      case (let before?, nil): return ["no longer \(before)"]
      case (let before?, let after?): return ["\(before) -> \(after)"]
      }
    }
    // A name, or an edit of a text.
    if let text = member("text"), text.stringValue != nil { return [value(text)].compactMap { $0 } }
    if members.count == 1, let only = members.first { return parts(ofOnly: only) }
    let first = leading.compactMap { name in members.first { $0.name == name } }
    let rest = members.filter { member in !leading.contains(member.name) }
    return (first + rest).flatMap { parts(of: $0.value, named: $0.name, isID: false) }
  }

  /// Returns what the only member of an object says: a field, or a case with its payloads.
  private static func parts(ofOnly member: JSONValue.Member) -> [String] {
    guard case .object(let inner) = member.value else {
      return [value(member.value)].compactMap { $0 }
    }
    if inner.isEmpty { return [words(member.name)] }
    let isWrapper =
      member.name == "entity" || member.name.hasPrefix("_")
      || inner.count == 1 && inner[0].name == "_0"
    let parts = parts(of: inner)
    guard !isWrapper, let first = parts.first else { return parts }
    return ["\(words(member.name)) \(first)"] + parts.dropFirst()
  }
}

extension AvroValue {
  /// Whether the value is an id: a record of one number.
  fileprivate var isID: Bool {
    guard case .record(_, let fields) = self else { return false }
    return fields.count == 1 && fields[0].name == "value"
  }
}
