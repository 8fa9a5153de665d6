/// A value of any Avro type, for programs that have only a schema.
public indirect enum AvroValue: Hashable, Sendable {
  /// The value of `null`.
  case null
  /// A `boolean`.
  case boolean(Bool)
  /// An `int`.
  case int(Int32)
  /// A `long`.
  case long(Int64)
  /// A `float`.
  case float(Float)
  /// A `double`.
  case double(Double)
  /// A sequence of bytes.
  case bytes([UInt8])
  /// A string.
  case string(String)
  /// The items of an array.
  case array([AvroValue])
  /// The entries of a map, in the order in which they were written.
  case map([Entry])
  /// The full name of a record and its fields, in the order of the schema.
  case record(name: String, fields: [Entry])
  /// The symbol of an enum, with its index.
  case enumeration(index: Int, symbol: String)
  /// The bytes of a `fixed`.
  case fixed([UInt8])
  /// The value of a union, with the index of its branch.
  case union(branch: Int, AvroValue)

  /// A named value in a record or map.
  public struct Entry: Hashable, Sendable {
    /// The name of the field, or the key.
    public var name: String
    /// The value.
    public var value: AvroValue

    /// Creates an entry.
    public init(_ name: String, _ value: AvroValue) {
      self.name = name
      self.value = value
    }
  }

  /// The value of a record's field, or `nil` if there is no such field or this is not a record.
  public subscript(field: String) -> AvroValue? {
    guard case .record(_, let fields) = self else { return nil }
    return fields.first { $0.name.utf8.elementsEqual(field.utf8) }?.value
  }
}

/// A reader and writer of values of one schema.
///
/// Making a codec resolves the names of the schema, so use one codec for many values.
///
/// ```swift
/// let codec = try SchemaCodec(Schema(parsing: json))
/// let value: AvroValue = try codec.decode(bytes.span)
/// if case .record(_, let entries) = value { print(entries.map(\.name)) }
/// ```
public struct SchemaCodec: Sendable {
  /// The schema.
  public let schema: Schema
  /// The named types, with their logical types and rules.
  package let definitions: [String: Schema]

  /// Resolves the names of a schema.
  ///
  /// - Throws: ``AvroError`` of the kind `schema` if a name is not defined or defined twice.
  public init(_ schema: Schema) throws(AvroError) {
    self.schema = schema
    var collector = DefinitionCollector()
    try collector.visit(schema)
    definitions = collector.definitions
  }

  /// Returns the definition that a reference names, without logical type and rule.
  package func definition(of schema: Schema) -> Schema {
    switch schema {
    case .reference(let name): definitions[name].map { definition(of: $0) } ?? schema
    case .logical(_, let base), .ruled(_, let base): definition(of: base)
    default: schema
    }
  }
}

private struct DefinitionCollector {
  var definitions: [String: Schema] = [:]

  mutating func define(_ name: String, _ schema: Schema) throws(AvroError) {
    guard definitions.updateValue(schema, forKey: name) == nil else {
      throw AvroError(.schema, at: 0, "`\(name)` is defined twice")
    }
  }

  /// - Parameter whole: The schema with its logical type and rule, if it has any.
  mutating func visit(_ schema: Schema, of whole: Schema? = nil) throws(AvroError) {
    switch schema {
    case .array(let items): try visit(items)
    case .map(let values): try visit(values)
    case .union(let branches):
      for branch in branches { try visit(branch) }
    case .record(let name, _, let fields):
      try define(name, whole ?? schema)
      for field in fields { try visit(field.type) }
    case .enumeration(let name, _, _, _), .fixed(let name, _, _):
      try define(name, whole ?? schema)
    case .reference(let name):
      if definitions[name] == nil {
        throw AvroError(.schema, at: 0, "the type `\(name)` is not defined")
      }
    case .logical(_, let base), .ruled(_, let base): try visit(base, of: whole ?? schema)
    default: break
    }
  }
}
