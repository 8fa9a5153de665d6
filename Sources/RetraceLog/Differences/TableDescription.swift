package import RetraceAvro
package import RetraceState

/// A table of a state: the names of its types and its path.
package struct TableDescription: Hashable, Sendable {
  /// The recorded name of the type of the entities.
  package var entity: String
  /// The recorded name of the type of the ids.
  package var id: String
  /// The path in the state, such as `timeline.entries`.
  package var path: String

  /// Returns the tables of a state, in order.
  ///
  /// - Complexity: O(size of the schema).
  package static func all<State: RecordedState>(
    of state: State, _ schema: Schema
  ) -> [TableDescription] {
    var state = state
    var namer = TableNamer()
    state.visitTables(&namer)
    var finder = TableFinder(rows: namer.tables.map { $0.entity + "Row" })
    finder.visit(schema, at: "")
    var tables = namer.tables
    for index in tables.indices {
      tables[index].path =
        index < finder.paths.count ? finder.paths[index] : "tables.\(tables[index].entity)"
    }
    return tables
  }
}

/// Collects the names of the types in the tables of a state.
private struct TableNamer: TableVisitor {
  var tables: [TableDescription] = []

  mutating func visit<ID, Entity>(_ table: inout EntityTable<ID, Entity>) {
    tables.append(
      TableDescription(entity: Entity.recordedName, id: ID.recordedName, path: ""))
  }
}

/// Finds the paths of tables in the schema of a state.
///
/// In the schema, a table is an array of its row type, and the arrays come in the order of the
/// tables.
private struct TableFinder {
  let rows: [String]
  var paths: [String] = []
  private var records: [String: Schema] = [:]

  init(rows: [String]) { self.rows = rows }

  mutating func visit(_ schema: Schema, at path: String) {
    guard paths.count < rows.count else { return }
    switch schema {
    case .array(.record(let name, _, _)) where name == rows[paths.count]: paths.append(path)
    case .array(.reference(let name)) where name == rows[paths.count]: paths.append(path)
    case .record(let name, _, let fields):
      records[name] = schema
      for field in fields {
        visit(field.type, at: path.isEmpty ? field.name : "\(path).\(field.name)")
      }
    case .reference(let name):
      if let record = records[name] { visit(record, at: path) }
    default: break
    }
  }
}
