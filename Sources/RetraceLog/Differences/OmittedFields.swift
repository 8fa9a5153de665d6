package import RetraceAvro
package import RetraceSchema

/// The fields of recorded types that a comparison of two builds leaves out, because only one build
/// has them, or because their types cannot be compared.
package struct OmittedFields: Hashable, Sendable {
  /// The fields, each as the recorded name of its type and its own, such as `Book.language`, in the
  /// order of their bytes.
  package let names: [String]
  private let known: Set<String>

  /// Creates a list of fields by their names.
  package init(_ names: [String] = []) {
    known = Set(names)
    self.names = known.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Creates the list of the fields that two builds do not have in common.
  ///
  /// Types are matched by their recorded names, fields by their names. An int and a long are
  /// comparable, and so are a type and its optional.
  ///
  /// - Parameters:
  ///   - here: The schemas of one build; types of one name are the same type.
  ///   - there: The schemas of the other build.
  /// - Complexity: O(size of the schemas).
  package init(between here: [Schema], and there: [Schema]) {
    var (left, right) = (RecordCollector(), RecordCollector())
    for schema in here { left.visit(schema) }
    for schema in there { right.visit(schema) }
    var omitted: [String] = []
    for (name, fields) in left.records {
      guard let others = right.records[name] else { continue }
      for field in fields {
        let other = others.first { $0.name.utf8.elementsEqual(field.name.utf8) }
        guard let other, Self.isComparable(field.type, other.type) else {
          omitted.append("\(name).\(field.name)")
          continue
        }
      }
      for other in others
      where !fields.contains(where: { $0.name.utf8.elementsEqual(other.name.utf8) }) {
        omitted.append("\(name).\(other.name)")
      }
    }
    self.init(omitted)
  }

  /// Whether no field is left out.
  package var isEmpty: Bool { names.isEmpty }

  func contains(_ field: String, of record: String) -> Bool {
    known.contains("\(record).\(field)")
  }

  /// Returns whether values of two types have the same JSON if they are the same.
  private static func isComparable(_ left: Schema, _ right: Schema) -> Bool {
    switch (left, right) {
    case (.ruled(_, let base), _): isComparable(base, right)
    case (_, .ruled(_, let base)): isComparable(left, base)
    case (.logical(let name, let base), .logical(let other, let otherBase)):
      name == other && isComparable(base, otherBase)
    case (.union(let branches), .union(let others)):
      switch (plain(branches), plain(others)) {
      case (let type?, let other?): isComparable(type, other)
      // The cases of an enum are matched by their names.
      case (nil, nil): true
      default: false
      }
    case (.union(let branches), _): plain(branches).map { isComparable($0, right) } ?? false
    case (_, .union(let others)): plain(others).map { isComparable(left, $0) } ?? false
    case (.array(let items), .array(let others)): isComparable(items, others)
    case (.map(let values), .map(let others)): isComparable(values, others)
    case (.int, .long), (.long, .int): true
    default:
      if let name = left.definedName { name == right.definedName } else { left == right }
    }
  }

  /// Returns the type of an optional; `nil` for another union.
  private static func plain(_ branches: [Schema]) -> Schema? {
    let types = branches.filter { $0 != .null }
    return types.count == 1 && branches.count == 2 ? types[0] : nil
  }
}

extension Schema {
  /// The name of a named type or of a reference to one.
  fileprivate var definedName: String? {
    switch self {
    case .record(let name, _, _), .enumeration(let name, _, _, _), .fixed(let name, _, _),
      .reference(let name):
      name
    default: nil
    }
  }
}

/// Collects the records in schemas.
private struct RecordCollector {
  var records: [String: [Schema.Field]] = [:]

  mutating func visit(_ schema: Schema) {
    switch schema {
    case .record(let name, _, let fields):
      records[name] = fields
      for field in fields { visit(field.type) }
    case .array(let type), .map(let type), .logical(_, let type), .ruled(_, let type): visit(type)
    case .union(let branches): for branch in branches { visit(branch) }
    default: break
    }
  }
}

/// A reader of values of one schema that leaves out some fields.
package struct SelectiveCodec: Sendable {
  private let whole: SchemaCodec
  /// The codec of the schema without the fields.
  private let rest: SchemaCodec
  private let omitted: OmittedFields

  /// Creates a codec.
  ///
  /// - Throws: `AvroError` if the schema is not valid.
  package init(
    _ schema: Schema, omitting omitted: OmittedFields = OmittedFields()
  ) throws(AvroError) {
    whole = try SchemaCodec(schema)
    self.omitted = omitted
    guard !omitted.isEmpty else {
      rest = whole
      return
    }
    var pruner = SchemaPruner(codec: whole, omitted: omitted)
    rest = try SchemaCodec(pruner.pruned(schema))
  }

  /// Returns the value of an encoding, without the fields.
  package func decode(_ bytes: Span<UInt8>) throws(AvroError) -> AvroValue {
    let value = try whole.decode(bytes)
    return omitted.isEmpty ? value : pruned(value)
  }

  /// Returns a value as JSON; see `SchemaCodec`.
  package func json(
    _ value: AvroValue, logical: (String, AvroValue) -> JSONValue?
  ) -> JSONValue {
    rest.json(value, logical: logical)
  }

  /// Returns the parts in which two values differ; see `SchemaCodec`.
  package func differences(
    from old: AvroValue, to new: AvroValue, depth: Int = .max, limit: Int,
    logical: (String, AvroValue) -> JSONValue?
  ) -> [ValueDifference] {
    rest.differences(from: old, to: new, depth: depth, limit: limit, logical: logical)
  }

  /// Returns whether the schema has a path of field names, as in `timeline.entries`.
  func contains(path: String) -> Bool {
    var type = rest.definition(of: rest.schema)
    for name in path.split(separator: ".") {
      guard case .record(_, _, let fields) = type,
        let field = fields.first(where: { $0.name.utf8.elementsEqual(name.utf8) })
      else { return false }
      type = rest.definition(of: field.type)
    }
    return true
  }

  private func pruned(_ value: AvroValue) -> AvroValue {
    switch value {
    case .record(let name, let fields):
      .record(
        name: name,
        fields: fields.compactMap { field in
          omitted.contains(field.name, of: name)
            ? nil : AvroValue.Entry(field.name, pruned(field.value))
        })
    case .array(let items): .array(items.map(pruned))
    case .map(let entries): .map(entries.map { AvroValue.Entry($0.name, pruned($0.value)) })
    case .union(let branch, let value): .union(branch: branch, pruned(value))
    default: value
    }
  }
}

/// Leaves fields out of a schema.
///
/// A named type is then defined where the rest of the schema first uses it.
private struct SchemaPruner {
  let codec: SchemaCodec
  let omitted: OmittedFields
  private var defined: Set<String> = []

  init(codec: SchemaCodec, omitted: OmittedFields) {
    (self.codec, self.omitted) = (codec, omitted)
  }

  mutating func pruned(_ schema: Schema) -> Schema {
    switch schema {
    case .record(let name, let aliases, let fields):
      guard defined.insert(name).inserted else { return .reference(name) }
      var kept: [Schema.Field] = []
      for field in fields where !omitted.contains(field.name, of: name) {
        kept.append(Schema.Field(field.name, pruned(field.type)))
      }
      return .record(name: name, aliases: aliases, fields: kept)
    case .enumeration(let name, _, _, _), .fixed(let name, _, _):
      return defined.insert(name).inserted ? schema : .reference(name)
    case .reference(let name):
      guard !defined.contains(name), let definition = codec.definitions[name] else {
        return schema
      }
      return pruned(definition)
    case .array(let items): return .array(pruned(items))
    case .map(let values): return .map(pruned(values))
    case .union(let branches):
      var kept: [Schema] = []
      for branch in branches { kept.append(pruned(branch)) }
      return .union(kept)
    case .logical(let name, let base): return .logical(name, pruned(base))
    case .ruled(let name, let base): return .ruled(name, pruned(base))
    default: return schema
    }
  }
}
