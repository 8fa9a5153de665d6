public import RetraceAvro
import RetraceSchema

/// The text and the JSON of a value, for snapshot tests of what a screen shows.
///
/// Equal values have equal renderings in every process: the fields of a type are in their order,
/// dictionaries and sets are sorted. Any value can be rendered; a recordable one is rendered as the
/// tools show it. A case of an enum is its name, or an object of one member with its payload.
///
/// ```swift
/// let rendering = Rendering(CounterApp.initialState)
/// print(rendering.text, rendering.json)
/// ```
///
/// The fields are found by reflection, so this is for tests.
public struct Rendering: Hashable, Sendable {
  /// The value as a tree.
  public let value: JSONValue

  /// Renders a value.
  ///
  /// - Complexity: O(size of the value), by reflection.
  public init(_ value: Any) { self.value = Self.json(of: value) }

  /// The JSON on one line.
  public var json: String { value.text() }

  /// The value as indented lines, one for each field or item.
  public var text: String {
    var lines: [String] = []
    Self.write(value, named: nil, level: 0, into: &lines)
    return lines.joined(separator: "\n")
  }

  // MARK: The tree

  private static func json(of value: Any) -> JSONValue {
    if let simple = scalar(value) { return simple }
    if let recordable = value as? any Recordable, let json = json(ofRecordable: recordable) {
      return json
    }
    let mirror = Mirror(reflecting: value)
    let children = mirror.children.map { $0.value }
    switch mirror.displayStyle {
    case .optional: return children.first.map(json) ?? .null
    case .collection: return .array(children.map(json))
    case .set: return .array(sorted(children.map(json)) { $0 })
    case .dictionary: return dictionary(children)
    case .enum:
      guard let payload = mirror.children.first else { return .string("\(value)") }
      return .object([.init(payload.label ?? "\(value)", json(of: payload.value))])
    default:
      guard !children.isEmpty else { return .string("\(value)") }
      let members = mirror.children.enumerated().map { index, child in
        JSONValue.Member(child.label ?? "\(index)", json(of: child.value))
      }
      return .object(members)
    }
  }

  private static func scalar(_ value: Any) -> JSONValue? {
    switch value {
    case let value as Bool: return .bool(value)
    case let value as any BinaryInteger:
      return Int64(exactly: value).map { .integer($0) } ?? .string("\(value)")
    case let value as Double: return .double(value)
    case let value as Float: return .double(Double(value))
    case let value as String: return .string(value)
    case let value as Character: return .string(String(value))
    case let value as Substring: return .string(String(value))
    default: return nil
    }
  }

  private static func json<Value: Recordable>(ofRecordable value: Value) -> JSONValue? {
    guard let codec = try? SchemaCodec(Value.schema),
      let decoded = try? codec.decode(value.encoded().span)
    else { return nil }
    return codec.json(decoded)
  }

  private static func dictionary(_ pairs: [Any]) -> JSONValue {
    let members = pairs.compactMap { pair -> JSONValue.Member? in
      let sides = Mirror(reflecting: pair).children.map { $0.value }
      guard sides.count == 2 else { return nil }
      let key = json(of: sides[0])
      return JSONValue.Member(key.stringValue ?? key.text(), json(of: sides[1]))
    }
    return .object(sorted(members) { .string($0.name) })
  }

  /// Sorts by the bytes of the JSON, because the order of strings follows Unicode's tables.
  private static func sorted<Item>(_ items: [Item], by json: (Item) -> JSONValue) -> [Item] {
    items.map { (Array(json($0).text().utf8), $0) }
      .sorted { $0.0.lexicographicallyPrecedes($1.0) }
      .map { $0.1 }
  }

  // MARK: The text

  private static func write(
    _ value: JSONValue, named name: String?, level: Int, into lines: inout [String]
  ) {
    let indent = String(repeating: "  ", count: level)
    var parts: [(String, JSONValue)] = []
    switch value {
    case .object(let members): parts = members.map { ($0.name, $0.value) }
    case .array(let items): parts = items.enumerated().map { ("\($0.offset)", $0.element) }
    default: break
    }
    guard !parts.isEmpty else {
      return lines.append(indent + (name.map { "\($0): " } ?? "") + value.text())
    }
    if let name { lines.append("\(indent)\(name):") }
    for (label, part) in parts {
      write(part, named: label, level: name == nil ? level : level + 1, into: &lines)
    }
  }
}
