extension Schema {
  /// The schema as JSON, with full names.
  public var json: JSONValue { json(within: "") }

  /// The schema as JSON text on one line; `init(parsing:)` reads an equal schema from it.
  ///
  /// There is one exception: a reference, inside a namespace, to a type that has no namespace. Avro
  /// reads it as the type of the same name in that namespace, if there is one.
  public var text: String { json.text() }

  /// Returns the namespace of a full name: the part before the last dot.
  static func namespace(of name: String) -> String {
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return "" }
    return String(name[..<dot])
  }

  fileprivate func json(within namespace: String) -> JSONValue {
    switch self {
    case .null, .boolean, .int, .long, .float, .double, .bytes, .string:
      return .string(primitiveName ?? "")
    case .array(let items):
      return ["type": "array", "items": items.json(within: namespace)]
    case .map(let values):
      return ["type": "map", "values": values.json(within: namespace)]
    case .union(let branches):
      return .array(branches.map { $0.json(within: namespace) })
    case .record(let name, let aliases, let fields):
      let inner = Schema.namespace(of: name)
      return definition(
        "record", name, aliases, within: namespace,
        [.init("fields", .array(fields.map { $0.json(within: inner) }))])
    case .enumeration(let name, let aliases, let symbols, let fallback):
      var rest = [JSONValue.Member("symbols", .array(symbols.map { .string($0) }))]
      if let fallback { rest.append(.init("default", .string(fallback))) }
      return definition("enum", name, aliases, within: namespace, rest)
    case .fixed(let name, let aliases, let size):
      return definition(
        "fixed", name, aliases, within: namespace, [.init("size", .integer(Int64(size)))])
    case .reference(let name):
      return .string(name)
    case .logical(let logical, let base):
      return base.json(within: namespace, with: .init("logicalType", .string(logical)))
    case .ruled(let rule, let base):
      return base.json(within: namespace, with: .init("retraceRule", .string(rule)))
    }
  }

  /// Returns the schema as an object with one more member.
  ///
  /// The parser applies an object's `logicalType` before its `retraceRule`. So if the schema's
  /// object already has a rule or a member of that name, it is wrapped in another object.
  private func json(within namespace: String, with member: JSONValue.Member) -> JSONValue {
    let json = json(within: namespace)
    if case .object(let members) = json,
      !members.contains(where: { [member.name, "retraceRule"].contains($0.name) })
    {
      return .object(members + [member])
    }
    return .object([.init("type", json), member])
  }

  private func definition(
    _ type: String, _ name: String, _ aliases: [String], within namespace: String,
    _ rest: [JSONValue.Member]
  ) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("type", .string(type)), .init("name", .string(name)),
    ]
    // Without a namespace of its own, a name without dots would take the enclosing namespace.
    if Schema.namespace(of: name).isEmpty && !namespace.isEmpty {
      members.append(.init("namespace", ""))
    }
    if !aliases.isEmpty { members.append(.init("aliases", .strings(aliases))) }
    return .object(members + rest)
  }

  var primitiveName: String? {
    switch self {
    case .null: "null"
    case .boolean: "boolean"
    case .int: "int"
    case .long: "long"
    case .float: "float"
    case .double: "double"
    case .bytes: "bytes"
    case .string: "string"
    default: nil
    }
  }

  init?(primitive name: String) {
    switch name {
    case "null": self = .null
    case "boolean": self = .boolean
    case "int": self = .int
    case "long": self = .long
    case "float": self = .float
    case "double": self = .double
    case "bytes": self = .bytes
    case "string": self = .string
    default: return nil
    }
  }
}

extension Schema.Field {
  fileprivate func json(within namespace: String) -> JSONValue {
    var members = [
      JSONValue.Member("name", .string(name)), .init("type", type.json(within: namespace)),
    ]
    if let defaultValue { members.append(.init("default", defaultValue)) }
    if !aliases.isEmpty { members.append(.init("aliases", .strings(aliases))) }
    return .object(members)
  }
}

extension JSONValue {
  fileprivate static func strings(_ texts: [String]) -> JSONValue {
    .array(texts.map { .string($0) })
  }
}
