import RetraceState
import TimeTracking

/// The names of entities, by which the names of rows are found in any form of Unicode.
///
/// An import resolves a name as the command line does one that was typed, because its decision
/// compares names byte by byte: see `Name.init(_:in:)`.
struct RowNames {
  private var users: NameForms
  private var clients: NameForms
  private var projects: NameForms
  private var tasks: NameForms
  private var tags: NameForms

  /// Reads the names.
  ///
  /// - Complexity: O(entities without entries).
  init(_ domain: DomainState) {
    users = NameForms(domain.users)
    clients = NameForms(domain.clients)
    projects = NameForms(domain.projects)
    tasks = NameForms(domain.tasks)
    tags = NameForms(domain.tags)
  }

  /// Returns a row with the names as entities or earlier rows write them.
  mutating func resolve(_ row: ImportedRow) -> ImportedRow {
    var row = row
    row.user = users.resolve(row.user)
    row.client = row.client.map { clients.resolve($0) }
    row.project = row.project.map { projects.resolve($0) }
    row.task = row.task.map { tasks.resolve($0) }
    row.tags = row.tags.map { tags.resolve($0) }
    return row
  }
}

/// The names of one kind that are not ASCII, which has one form.
private struct NameForms {
  /// The names as they are written.
  private var exact: Set<Name> = []
  /// The first name of each key; strings are equal in all forms.
  private var first: [String: Name] = [:]

  init<ID, Entity: NamedEntity>(_ table: EntityTable<ID, Entity>) {
    table.forEach { _, entity in
      if entity.deleted == nil, !Self.isASCII(entity.name) { add(entity.name) }
    }
  }

  /// Returns the known name that another one means; a new one becomes known.
  mutating func resolve(_ name: Name) -> Name {
    guard !Self.isASCII(name), !exact.contains(name) else { return name }
    if let known = first[name.key] { return known }
    add(name)
    return name
  }

  private mutating func add(_ name: Name) {
    exact.insert(name)
    if first[name.key] == nil { first[name.key] = name }
  }

  private static func isASCII(_ name: Name) -> Bool {
    name.key.utf8.allSatisfy { $0 < 0x80 }
  }
}
