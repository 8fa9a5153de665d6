package import RetraceAvro
import RetraceSchema
package import RetraceState

/// Reads the names of entities in states of an app.
///
/// The name of an entity is its field `name`: a text, or a value with a field `text`.
package struct StateNames<State: RecordedState>: Sendable {
  private let tables: [TableDescription]
  /// The codec of the entities of each table.
  private let codecs: [SchemaCodec]
  /// The table to whose ids a field refers, by the type of the entity and the name of the field.
  private let references: [String: [String: Int]]

  /// Prepares the reading of names.
  ///
  /// - Parameter sample: Any state.
  /// - Complexity: O(size of the schema).
  /// - Throws: `AvroError` for a state whose schema is contradictory.
  package init(like sample: State) throws(AvroError) {
    var composer = SchemaComposer()
    let tables = TableDescription.all(of: sample, State.stateSchema(in: &composer))
    var sample = sample
    var collector = EntitySchemas()
    sample.visitTables(&collector)
    var codecs: [SchemaCodec] = []
    var references: [String: [String: Int]] = [:]
    for (table, schema) in zip(tables, collector.schemas) {
      codecs.append(try SchemaCodec(schema))
      guard case .record(_, _, let fields) = schema else { continue }
      for field in fields {
        guard let type = Self.definedName(of: field.type),
          let index = tables.firstIndex(where: { $0.id == type })
        else { continue }
        references[table.entity, default: [:]][field.name] = index
      }
    }
    (self.tables, self.codecs, self.references) = (tables, codecs, references)
  }

  /// Returns the name of a named type, of an optional one, or of the items of a list.
  private static func definedName(of type: Schema) -> String? {
    switch type {
    case .record(let name, _, _), .reference(let name): return name
    case .array(let items): return definedName(of: items)
    case .ruled(_, let base): return definedName(of: base)
    case .union(let branches):
      let types = branches.filter { $0 != .null }
      return types.count == 1 ? definedName(of: types[0]) : nil
    default: return nil
    }
  }

  /// Returns the name of an entity; `nil` if it does not exist or has no name.
  ///
  /// - Complexity: O(size of the entity).
  package func name(of entity: StateChange.Entity, in state: State) -> String? {
    guard let index = tables.firstIndex(where: { $0.path == entity.table }) else { return nil }
    return names(of: [entity.id], inTable: index, of: state)[0]
  }

  /// Returns the name of the entity that has an id; `nil` if it does not exist or has no name.
  ///
  /// - Parameters:
  ///   - id: The number of the id.
  ///   - type: The recorded name of the type of the id.
  ///   - state: The state.
  /// - Complexity: O(size of the entity).
  package func name(of id: Int64, ofType type: String, in state: State) -> String? {
    guard let index = tables.firstIndex(where: { $0.id == type }) else { return nil }
    return names(of: [id], inTable: index, of: state)[0]
  }

  /// Returns the names for the value of a field of an entity.
  ///
  /// - Parameters:
  ///   - value: The value, as a `StateDiffer` returns it.
  ///   - field: The name of the field.
  ///   - type: The recorded name of the type of the entity.
  ///   - state: The state with the value.
  /// - Returns: For an id, the name of the entity, or null without a name; for a list of ids, a
  ///   list of that; for a name, its text; `nil` for any other value.
  /// - Complexity: O(size of the entities).
  package func names(
    for value: JSONValue?, of field: String, ofType type: String, in state: State
  ) -> JSONValue? {
    guard let value else { return nil }
    if field == "name" { return Self.text(of: value).map { .string($0) } }
    guard let index = references[type]?[field] else { return nil }
    func json(_ name: String?) -> JSONValue { name.map { .string($0) } ?? .null }
    if let id = value.integerValue { return json(names(of: [id], inTable: index, of: state)[0]) }
    guard let items = value.arrayValue else { return nil }
    let ids = items.compactMap { $0.integerValue }
    return .array(names(of: ids, inTable: index, of: state).map(json))
  }

  private func names(of ids: [Int64], inTable index: Int, of state: State) -> [String?] {
    var state = state
    var finder = EntityFinder(tableIndex: index, ids: ids)
    state.visitTables(&finder)
    let codec = codecs[index]
    return finder.found.map { bytes in
      guard let bytes, let entity = try? codec.decode(bytes.span) else { return nil }
      return codec.json(entity)["name"].flatMap { Self.text(of: $0) }
    }
  }

  private static func text(of name: JSONValue) -> String? {
    name.stringValue ?? name["text"]?.stringValue
  }
}

/// Collects the schemas of the entities of each table.
private struct EntitySchemas: TableVisitor {
  var schemas: [Schema] = []

  mutating func visit<ID, Entity>(_ table: inout EntityTable<ID, Entity>) {
    schemas.append(Entity.schema)
  }
}

/// Finds entities of one table.
private struct EntityFinder: TableVisitor {
  let tableIndex: Int
  let ids: [Int64]
  /// The encoded entities; `nil` for those that do not exist.
  var found: [[UInt8]?]
  private var visitedIndex = 0

  init(tableIndex: Int, ids: [Int64]) {
    self.tableIndex = tableIndex
    self.ids = ids
    found = ids.map { _ in nil }
  }

  mutating func visit<ID, Entity>(_ table: inout EntityTable<ID, Entity>) {
    defer { visitedIndex += 1 }
    guard visitedIndex == tableIndex else { return }
    for (index, id) in ids.enumerated() { found[index] = table[ID(value: id)]?.encoded() }
  }
}
