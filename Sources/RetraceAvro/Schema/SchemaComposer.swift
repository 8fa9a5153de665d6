/// A composer of one schema from many types.
///
/// Each named type is defined at its first use and referred to afterwards.
public struct SchemaComposer: Sendable {
  private var defined: [String: TypeIdentity?] = [:]
  /// Whether this composes the schema of a default; the fields in that schema get no defaults.
  private var omitsDefaults = false

  /// Creates a composer without defined types.
  public init() {}

  /// Defines a named type, or refers to it if it is already defined.
  ///
  /// - Parameters:
  ///   - name: The name of the type in the schema.
  ///   - type: The Swift type of that name, for detecting another type with the same name.
  ///   - definition: Makes the definition; not called for a type that is already defined.
  /// - Precondition: No other type has the same name.
  public mutating func named<Whole>(
    _ name: String, for type: Whole.Type, _ definition: (inout SchemaComposer) -> Schema
  ) -> Schema {
    named(name, TypeIdentity(type), definition)
  }

  /// Defines a name without a Swift type of its own, or refers to it if it is already defined.
  ///
  /// - Parameters:
  ///   - name: The name in the schema.
  ///   - definition: Makes the definition; not called for a name that is already defined.
  /// - Precondition: No type has the same name.
  public mutating func named(
    _ name: String, _ definition: (inout SchemaComposer) -> Schema
  ) -> Schema {
    named(name, nil, definition)
  }

  private mutating func named(
    _ name: String, _ identity: TypeIdentity?, _ definition: (inout SchemaComposer) -> Schema
  ) -> Schema {
    if let known = defined[name] {
      precondition(known == identity, "SchemaComposer: two types have the name \(name)")
      return .reference(name)
    }
    defined.updateValue(identity, forKey: name)
    return definition(&self)
  }

  /// Defines a named type whose stored properties generated code knows.
  ///
  /// Traps if the size of the type shows a stored property that the generated code does not record.
  /// Values of that property would be lost.
  ///
  /// - Parameters:
  ///   - name: The name of the type in the schema.
  ///   - type: The Swift type of that name.
  ///   - fields: The types of its stored properties, in order, as a tuple.
  ///   - definition: Makes the definition; not called for a type that is already defined.
  /// - Precondition: No other type has the same name, and `fields` are all stored properties.
  public mutating func named<Whole, Fields>(
    _ name: String, for type: Whole.Type, storing fields: Fields.Type,
    _ definition: (inout SchemaComposer) -> Schema
  ) -> Schema {
    guard MemoryLayout<Whole>.size == MemoryLayout<Fields>.size else {
      fatalError(
        """
        The type of the schema \(name) has stored properties that its generated code does not \
        record. Run Tools/generate/run for the folder of the type, and build again.
        """)
    }
    return named(name, for: type, definition)
  }

  /// Returns the schema of a type, with the type's rule if the schema can have one.
  public mutating func schema<Value: Recordable>(of type: Value.Type) -> Schema {
    let schema = Value.schema(in: &self)
    guard schema.takesRule, let rule = Value.recordedRule else { return schema }
    return .ruled(rule, schema)
  }

  /// Defines the record of the payloads of one case of an enum.
  ///
  /// - Parameters:
  ///   - name: The name of the record: the enum, `_`, the case.
  ///   - aliases: The former names of the record.
  ///   - fields: The payloads in order.
  /// - Precondition: The name is new.
  public mutating func caseRecord(
    _ name: String, aliases: [String] = [], _ fields: [Schema.Field]
  ) -> Schema {
    precondition(
      defined.updateValue(TypeIdentity?.none, forKey: name) == nil,
      "SchemaComposer: a case and a type have the name \(name)")
    return .record(name: name, aliases: aliases, fields: fields)
  }

  /// Returns a value as the default of a field.
  ///
  /// The JSON of the schema contains the default only if other programs read the JSON as the same
  /// value: NaN and the infinities are not JSON, and a union's default is read as the first branch
  /// that it fits.
  ///
  /// - Complexity: O(parts of the type's schema).
  public func defaultValue<Value: Recordable>(_ value: Value) -> Schema.Default {
    // A type can be part of the default of one of its own fields, so composing could recur forever.
    guard !omitsDefaults else { return Schema.Default(json: nil, bytes: nil) }
    var composer = SchemaComposer()
    composer.omitsDefaults = true
    let bytes = value.encoded()
    guard let codec = try? SchemaCodec(composer.schema(of: Value.self)),
      let plain = try? codec.decode(bytes.span), let json = Self.json(plain),
      DefaultEncoder(codec).bytes(of: json, as: codec.schema) == bytes
    else { return Schema.Default(json: nil, bytes: bytes) }
    return Schema.Default(json: json, bytes: bytes)
  }

  private static func json(_ value: AvroValue) -> JSONValue? {
    switch value {
    case .null: return .null
    case .boolean(let value): return .bool(value)
    case .int(let value): return .integer(Int64(value))
    case .long(let value): return .integer(value)
    case .float(let value): return value.isFinite ? .double(Double(value)) : nil
    case .double(let value): return value.isFinite ? .double(value) : nil
    case .string(let text): return .string(text)
    case .bytes(let bytes), .fixed(let bytes):
      var text = String.UnicodeScalarView()
      for byte in bytes { text.append(Unicode.Scalar(byte)) }
      return .string(String(text))
    case .enumeration(_, let symbol): return .string(symbol)
    case .array(let items):
      let values = items.compactMap { json($0) }
      return values.count == items.count ? .array(values) : nil
    case .map(let entries), .record(_, let entries):
      let members = entries.compactMap { entry in
        json(entry.value).map { JSONValue.Member(entry.name, $0) }
      }
      return members.count == entries.count ? .object(members) : nil
    case .union(_, let value): return json(value)
    }
  }
}

/// The identity of a Swift type.
private struct TypeIdentity: Hashable {
  // Embedded Swift has no identity of types, and all are alike there. The native build of the app
  // composes the same schemas, and finds two types of one name.
  #if !hasFeature(Embedded)
    private let type: ObjectIdentifier

    init<Whole>(_ type: Whole.Type) { self.type = ObjectIdentifier(type) }
  #else
    init<Whole>(_ type: Whole.Type) {}
  #endif
}

extension Schema {
  /// Whether a type can get a rule: it has no name of its own and no rule yet.
  ///
  /// A union cannot, because its JSON has no place for an attribute.
  fileprivate var takesRule: Bool {
    switch self {
    case .null, .boolean, .int, .long, .float, .double, .bytes, .string, .array, .map: true
    case .logical(_, let base): base.takesRule
    case .union, .record, .enumeration, .fixed, .reference, .ruled: false
    }
  }
}
