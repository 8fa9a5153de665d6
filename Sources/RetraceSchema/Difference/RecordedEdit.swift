package import RetraceAvro

/// A change of one entity that a recorded fact tells, read without the app's code.
///
/// A fact tells it by the values `Change`, `Insertion` and `Removal`, found by the names of their
/// types in the schema. The entity is that of the first id beside the value, or else of the first
/// id beside a value that contains it.
package struct RecordedEdit: Sendable {
  /// The kinds of changes.
  package enum Kind: Sendable {
    /// The entity was inserted with these fields.
    case inserted(JSONValue)
    /// The entity with these fields was removed.
    case removed(JSONValue)
    /// A field changed.
    case changed(field: String, before: JSONValue, after: JSONValue)
  }

  /// The name of the id's type, such as `AccountID`.
  package var type: String
  /// The number of the entity.
  package var id: Int64
  /// The change.
  package var kind: Kind
}

extension SchemaCodec {
  /// Returns the changes of entities that a fact tells, in order.
  ///
  /// - Parameters:
  ///   - value: The fact, of this codec's schema.
  ///   - logical: Formats values of logical types; see ``json(_:logical:)``.
  /// - Complexity: O(size of the value).
  package func edits(
    in value: AvroValue, logical: (String, AvroValue) -> JSONValue?
  ) -> [RecordedEdit] {
    withoutActuallyEscaping(logical) { logical in
      var reader = EditReader(codec: self, format: LogicalTypeFormat(json: logical))
      reader.read(value, as: schema, named: "", of: nil)
      return reader.edits
    }
  }
}

/// Collects the edits of a fact.
private struct EditReader {
  let codec: SchemaCodec
  let format: LogicalTypeFormat
  var edits: [RecordedEdit] = []

  /// Reads a value.
  ///
  /// - Parameters:
  ///   - field: The name of the field that holds the value.
  ///   - entity: The id beside the value, or beside a value that contains it.
  mutating func read(
    _ value: AvroValue, as type: Schema, named field: String,
    of entity: (type: String, id: Int64)?
  ) {
    switch (codec.definition(of: type), value) {
    case (.array(let items), .array(let values)):
      for value in values { read(value, as: items, named: field, of: entity) }
    case (.map(let type), .map(let entries)):
      for entry in entries { read(entry.value, as: type, named: field, of: entity) }
    case (.union(let branches), .union(let branch, let value)):
      guard branches.indices.contains(branch) else { return }
      read(value, as: branches[branch], named: field, of: entity)
    case (.record(let name, _, let fields), .record(_, let values)):
      if let entity, let kind = kind(of: name, fields, values, in: field) {
        edits.append(RecordedEdit(type: entity.type, id: entity.id, kind: kind))
        return
      }
      var entity = entity
      if let own = values.lazy.compactMap({ Self.id($0.value) }).first { entity = own }
      for (field, value) in zip(fields, values) {
        read(value.value, as: field.type, named: field.name, of: entity)
      }
    default: break
    }
  }

  /// Returns the change that a record tells; `nil` for a record of another type.
  private func kind(
    of name: String, _ fields: [Schema.Field], _ values: [AvroValue.Entry], in field: String
  ) -> RecordedEdit.Kind? {
    func json(_ index: Int) -> JSONValue {
      codec.json(values[index].value, as: fields[index].type, format)
    }
    let names = fields.map(\.name)
    if name.hasPrefix("Change__"), names == ["before", "after"] {
      return .changed(field: field, before: json(0), after: json(1))
    }
    guard names == ["entity"] else { return nil }
    if name.hasPrefix("Insertion__") { return .inserted(json(0)) }
    if name.hasPrefix("Removal__") { return .removed(json(0)) }
    return nil
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
