extension Schema {
  /// Parses a schema in JSON.
  ///
  /// The attributes `doc` and `order` are ignored; aliases, defaults and logical types are kept.
  /// Defaults are not checked against their types.
  ///
  /// - Throws: ``AvroError`` of the kind `schema` if the schema is not valid.
  public init(parsing bytes: Span<UInt8>) throws(AvroError) {
    let json: JSONValue
    do {
      json = try JSONValue(parsing: bytes, depthLimit: AvroLimits.schemaDepth)
    } catch { throw AvroError(.schema, at: error.offset, error.message) }
    try self.init(json: json)
  }

  /// Parses a schema in JSON; see the initializer for bytes.
  public init(parsing text: String) throws(AvroError) {
    let bytes = [UInt8](text.utf8)
    try self.init(parsing: bytes.span)
  }

  /// Reads a schema from parsed JSON.
  public init(json: JSONValue) throws(AvroError) {
    var parser = SchemaParser()
    self = try parser.schema(json, within: "")
  }
}

private struct SchemaParser {
  var defined: Set<String> = []

  func failure(_ message: String) -> AvroError { AvroError(.schema, at: 0, message) }

  mutating func schema(_ json: JSONValue, within namespace: String) throws(AvroError) -> Schema {
    switch json {
    case .string(let name): return try named(name, within: namespace)
    case .array(let branches): return try union(branches, within: namespace)
    case .object: return try object(json, within: namespace)
    default: throw failure("a schema must be a string, an array or an object")
    }
  }

  func named(_ name: String, within namespace: String) throws(AvroError) -> Schema {
    if let primitive = Schema(primitive: name) { return primitive }
    if !namespace.isEmpty && !name.utf8.contains(UInt8(ascii: ".")) {
      let full = "\(namespace).\(name)"
      if defined.contains(full) { return .reference(full) }
    }
    guard defined.contains(name) else {
      throw failure("`\(name)` is not defined before it is used")
    }
    return .reference(name)
  }

  mutating func union(_ branches: [JSONValue], within namespace: String) throws(AvroError) -> Schema
  {
    var schemas: [Schema] = []
    var kinds: Set<String> = []
    for branch in branches {
      let schema = try self.schema(branch, within: namespace)
      if case .union = schema { throw failure("a union must not directly contain a union") }
      guard kinds.insert(schema.branchName).inserted else {
        throw failure("two branches of the type `\(schema.branchName)` in a union")
      }
      schemas.append(schema)
    }
    return .union(schemas)
  }

  mutating func object(_ json: JSONValue, within namespace: String) throws(AvroError) -> Schema {
    let base: Schema
    switch json["type"] {
    case .string("record"), .string("error"): base = try record(json, within: namespace)
    case .string("enum"): base = try enumeration(json, within: namespace)
    case .string("fixed"):
      let name = try define(json, within: namespace)
      guard let size = json["size"]?.integerValue, size >= 0, size <= Int64(Int32.max) else {
        throw failure("`\(name)` has no valid size")
      }
      base = .fixed(name: name, aliases: try aliases(json, of: name), size: Int(size))
    case .string("array"):
      guard let items = json["items"] else { throw failure("an array without `items`") }
      base = .array(try schema(items, within: namespace))
    case .string("map"):
      guard let values = json["values"] else { throw failure("a map without `values`") }
      base = .map(try schema(values, within: namespace))
    case let type?: base = try schema(type, within: namespace)
    case nil: throw failure("an object without `type`")
    }
    var type = base
    if case .string(let logical) = json["logicalType"] { type = .logical(logical, type) }
    if case .string(let rule) = json["retraceRule"] { type = .ruled(rule, type) }
    return type
  }

  mutating func record(_ json: JSONValue, within namespace: String) throws(AvroError) -> Schema {
    let name = try define(json, within: namespace)
    guard case .array(let items) = json["fields"] else {
      throw failure("`\(name)` has no `fields`")
    }
    var fields: [Schema.Field] = []
    var names: Set<String> = []
    for item in items {
      guard let field = item["name"]?.stringValue, Schema.isName(field) else {
        throw failure("a field of `\(name)` has no valid name")
      }
      guard names.insert(field).inserted else {
        throw failure("`\(name)` has two fields `\(field)`")
      }
      guard let type = item["type"] else { throw failure("`\(name).\(field)` has no type") }
      fields.append(
        Schema.Field(
          field, try schema(type, within: Schema.namespace(of: name)),
          aliases: try aliasList(item["aliases"], of: field), default: item["default"]))
    }
    return .record(name: name, aliases: try aliases(json, of: name), fields: fields)
  }

  mutating func enumeration(_ json: JSONValue, within namespace: String) throws(AvroError) -> Schema
  {
    let name = try define(json, within: namespace)
    guard case .array(let items) = json["symbols"] else {
      throw failure("`\(name)` has no `symbols`")
    }
    var symbols: [String] = []
    var seen: Set<String> = []
    for item in items {
      guard let symbol = item.stringValue, Schema.isName(symbol), seen.insert(symbol).inserted
      else {
        throw failure("`\(name)` has a symbol that is repeated or not a valid name")
      }
      symbols.append(symbol)
    }
    let fallback = json["default"]?.stringValue
    if let fallback, !seen.contains(fallback) {
      throw failure("the default of `\(name)` is not one of its symbols")
    }
    return .enumeration(
      name: name, aliases: try aliases(json, of: name), symbols: symbols, default: fallback)
  }

  /// Returns the former full names of a type.
  ///
  /// An alias without a namespace gets the namespace of the type.
  func aliases(_ json: JSONValue, of name: String) throws(AvroError) -> [String] {
    let namespace = Schema.namespace(of: name)
    return try aliasList(json["aliases"], of: name).map { alias in
      namespace.isEmpty || alias.utf8.contains(UInt8(ascii: ".")) ? alias : "\(namespace).\(alias)"
    }
  }

  func aliasList(_ json: JSONValue?, of name: String) throws(AvroError) -> [String] {
    guard let json else { return [] }
    guard let items = json.arrayValue else {
      throw failure("the aliases of `\(name)` are not an array")
    }
    var names: [String] = []
    for item in items {
      guard let alias = item.stringValue,
        alias.split(separator: ".", omittingEmptySubsequences: false)
          .allSatisfy({ Schema.isName($0) })
      else { throw failure("an alias of `\(name)` is not a valid name") }
      names.append(alias)
    }
    return names
  }

  /// Returns the full name of a definition, and allows references to it from here on.
  mutating func define(_ json: JSONValue, within outer: String) throws(AvroError) -> String {
    guard var name = json["name"]?.stringValue else { throw failure("a type without a name") }
    if !name.utf8.contains(UInt8(ascii: ".")) {
      let namespace = json["namespace"]?.stringValue ?? outer
      if !namespace.isEmpty { name = "\(namespace).\(name)" }
    }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.allSatisfy({ Schema.isName($0) }), Schema(primitive: name) == nil else {
      throw failure("`\(name)` is not a valid name")
    }
    guard defined.insert(name).inserted else { throw failure("`\(name)` is defined twice") }
    return name
  }
}

extension Schema {
  /// Returns whether a text can name a field, a symbol or a part of a full name.
  static func isName(_ text: some StringProtocol) -> Bool {
    func isNameStart(_ byte: UInt8) -> Bool {
      byte == 0x5f || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
    }
    guard let first = text.utf8.first, isNameStart(first) else { return false }
    return text.utf8.allSatisfy { isNameStart($0) || (0x30...0x39).contains($0) }
  }

  /// The name by which a union tells its branches apart: the full name, or the kind of type.
  package var branchName: String {
    switch self {
    case .array: "array"
    case .map: "map"
    case .union: "union"
    case .record(let name, _, _), .enumeration(let name, _, _, _), .fixed(let name, _, _):
      name
    case .reference(let name): name
    case .logical(_, let base), .ruled(_, let base): base.branchName
    default: primitiveName ?? ""
    }
  }
}
