package import RetraceAvro

/// A change of one entity, read from a recorded fact without the app's code.
///
/// A fact holds the change as a value of the type `Change`, `Insertion` or `Removal`, which the
/// schema names. The first id beside that value identifies the entity. Without such an id, it is
/// the first id beside a value around it.
package struct RecordedEdit: Sendable {
  package enum Kind: Sendable {
    case inserted(JSONValue)
    case removed(JSONValue)
    /// A field changed, or one entry of a dictionary field, such as `prices["tea"]`.
    case changed(field: String, before: JSONValue, after: JSONValue)
  }

  /// The name of the id's type, such as `AccountID`.
  package var type: String
  package var id: Int64
  package var kind: Kind
  /// The names of the fields whose changes the fact would tell: all of the record that holds this
  /// change, if it holds nothing but changes; otherwise none.
  package var told: [String] = []
}

extension SchemaCodec {
  /// Returns the changes of entities that a fact holds, in order.
  ///
  /// - Parameters:
  ///   - value: The fact, of this codec's schema.
  ///   - names: The names that records and fields have had; fields get their present ones.
  ///   - logical: Formats values of logical types; see ``json(_:logical:)``.
  /// - Complexity: O(size of the value).
  package func edits(
    in value: AvroValue, names: FormerNames, logical: (String, AvroValue) -> JSONValue?
  ) -> [RecordedEdit] {
    withoutActuallyEscaping(logical) { logical in
      var reader = EditReader(
        codec: self, names: names, format: LogicalTypeFormat(json: logical))
      reader.read(value, as: schema, named: "", of: nil)
      return reader.edits
    }
  }
}

/// Collects the edits of a fact.
private struct EditReader {
  let codec: SchemaCodec
  let names: FormerNames
  let format: LogicalTypeFormat
  var edits: [RecordedEdit] = []
  /// The fields of the innermost record, if all of them are changes that may be absent.
  private var told: [String] = []

  init(codec: SchemaCodec, names: FormerNames, format: LogicalTypeFormat) {
    (self.codec, self.names, self.format) = (codec, names, format)
  }

  /// Reads a value.
  ///
  /// - Parameters:
  ///   - field: The name of the field that holds the value.
  ///   - part: The innermost part of a dictionary that contains the value, such as `prices["tea"]`,
  ///     or an empty string.
  ///   - entity: The id beside the value, or beside a value that contains it.
  mutating func read(
    _ value: AvroValue, as type: Schema, named field: String, within part: String = "",
    of entity: (type: String, id: Int64)?
  ) {
    switch (codec.definition(of: type), value) {
    case (.array(let items), .array(let values)):
      for value in values {
        if readRow(value, as: items, named: field, of: entity) { continue }
        read(value, as: items, named: field, within: part, of: entity)
      }
    case (.map(let type), .map(let entries)):
      for entry in entries {
        let part = "\(field)[\(JSONValue.string(entry.name).text())]"
        read(entry.value, as: type, named: part, within: part, of: entity)
      }
    case (.union(let branches), .union(let branch, let value)):
      guard branches.indices.contains(branch) else { return }
      read(value, as: branches[branch], named: field, within: part, of: entity)
    case (.record(let name, _, let fields), .record(_, let values)):
      if let entity, let kind = kind(of: name, fields, values, in: field) {
        edits.append(RecordedEdit(type: entity.type, id: entity.id, kind: kind, told: told))
        return
      }
      let outer = told
      defer { told = outer }
      told =
        fields.allSatisfy { isOptionalChange($0.type) }
        ? fields.map { names.field($0.name, of: name) } : []
      var (entity, part) = (entity, part)
      if let own = values.lazy.compactMap({ Self.id($0.value) }).first {
        (entity, part) = (own, "")
      }
      for (field, value) in zip(fields, values) {
        let own = names.field(field.name, of: name)
        let path = part.isEmpty ? own : "\(part).\(own)"
        read(value.value, as: field.type, named: path, within: part, of: entity)
      }
    default: break
    }
  }

  private func isOptionalChange(_ type: Schema) -> Bool {
    guard case .union(let branches) = codec.definition(of: type) else { return false }
    return branches.contains { branch in
      guard case .record(let name, _, _) = codec.definition(of: branch) else { return false }
      return name.hasPrefix("Change__")
    }
  }

  /// Reads the value of a row `{key, value}` of a dictionary whose keys are not strings.
  ///
  /// If the key is the id of an entity, the value belongs to that entity and not to the field.
  ///
  /// - Returns: Whether the value is a row.
  private mutating func readRow(
    _ row: AvroValue, as type: Schema, named field: String, of entity: (type: String, id: Int64)?
  ) -> Bool {
    guard case .record(_, _, let fields) = codec.definition(of: type), fields.count == 2,
      fields[0].name == "key", fields[1].name == "value",
      case .record(_, let values) = row, values.count == 2
    else { return false }
    if let own = Self.id(values[0].value) {
      read(values[1].value, as: fields[1].type, named: field, of: own)
    } else {
      let key = codec.json(values[0].value, as: fields[0].type, format).text()
      let part = "\(field)[\(key)]"
      read(values[1].value, as: fields[1].type, named: part, within: part, of: entity)
    }
    return true
  }

  /// Returns the change that a record holds; `nil` if the record is not a change.
  private func kind(
    of name: String, _ fields: [Schema.Field], _ values: [AvroValue.Entry], in field: String
  ) -> RecordedEdit.Kind? {
    func json(_ index: Int) -> JSONValue {
      codec.json(values[index].value, as: fields[index].type, format)
    }
    let labels = fields.map { $0.name }
    if name.hasPrefix("Change__"), labels == ["before", "after"] {
      return .changed(field: field, before: json(0), after: json(1))
    }
    guard labels == ["entity"] else { return nil }
    func entity() -> JSONValue { presentNames(in: json(0), of: fields[0].type) }
    if name.hasPrefix("Insertion__") { return .inserted(entity()) }
    if name.hasPrefix("Removal__") { return .removed(entity()) }
    return nil
  }

  /// Returns the fields of an entity under their present names.
  private func presentNames(in json: JSONValue, of type: Schema) -> JSONValue {
    guard case .record(let name, _, _) = codec.definition(of: type),
      case .object(let members) = json
    else { return json }
    return .object(
      members.map { JSONValue.Member(names.field($0.name, of: name), $0.value) })
  }

  /// Returns the type and number of an id, which may be optional; `nil` for another value.
  private static func id(_ value: AvroValue) -> (type: String, id: Int64)? {
    switch value {
    case .union(_, let value): id(value)
    case .record(let name, let fields):
      if fields.count == 1, fields[0].name == "value", case .long(let id) = fields[0].value {
        (name, id)
      } else {
        nil
      }
    default: nil
    }
  }
}
