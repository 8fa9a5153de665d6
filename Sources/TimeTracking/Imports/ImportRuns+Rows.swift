import RetraceArchitecture
import RetraceState

/// An inserter of the rows of one command, which creates the entities that they name.
struct RowInserter {
  private let run: ImportRunID
  private let source: SourceID
  private var users: NameIndex<Users>
  private var clients: NameIndex<Clients>
  private var projects: NameIndex<Projects>
  private var tasks: NameIndex<Tasks>
  private var tags: NameIndex<Tags>

  init(_ rows: [ImportedRow], of run: ImportRunID, _ source: SourceID) {
    self.run = run
    self.source = source
    users = NameIndex { rows.map { $0.user } }
    clients = NameIndex { rows.compactMap { $0.client } }
    projects = NameIndex { rows.compactMap { $0.project } }
    tasks = NameIndex { rows.compactMap { $0.task } }
    tags = NameIndex { rows.flatMap { $0.tags } }
  }

  /// Inserts the entry of a row, and creates the entities that its names need.
  mutating func insert(
    _ row: ImportedRow, in editor: inout EntityEditor<DomainEdit>
  ) throws(EntityRefusal) {
    try check(row)
    let user = try users.findOrCreate(row.user, in: &editor) { User(name: $0) }
    var client: ClientID?
    if let name = row.client {
      client = try clients.findOrCreate(name, in: &editor) { Client(name: $0) }
    }
    var project: ProjectID?
    if let name = row.project {
      project = try projects.findOrCreate(name, of: client?.value, in: &editor) {
        Project(name: $0, client: client)
      }
    }
    var task: TaskID?
    if let name = row.task, let project {
      task = try tasks.findOrCreate(name, of: project.value, in: &editor) {
        ProjectTask(name: $0, project: project)
      }
    }
    var tags: [TagID] = []
    for name in row.tags {
      let tag = try self.tags.findOrCreate(name, in: &editor) { Tag(name: $0) }
      if !tags.contains(tag) { tags.append(tag) }
    }
    editor.insert(
      TimeEntry(
        user: user, workspace: nil, description: row.description, project: project, task: task,
        tags: tags.sorted(), start: row.start, end: row.end, zone: row.zone,
        isBillable: row.isBillable, rate: row.rate, annotations: row.annotations,
        externalIDs: row.id.map { [ExternalID(source: source, id: $0)] } ?? [], importRun: run,
        modified: editor.moment, deleted: nil, allowsOverlap: true),
      of: TimeEntries.self)
  }
}

extension RowInserter {
  /// Refuses a row with values beyond the limits of entries.
  ///
  /// The readers of files reject such rows earlier.
  private func check(_ row: ImportedRow) throws(EntityRefusal) {
    guard TimeEntry.moments.contains(row.start), TimeEntry.moments.contains(row.end) else {
      throw .invalid(field: "start")
    }
    let isInOrder = row.start <= row.end
    guard isInOrder, row.end.elapsed(since: row.start) <= TimeEntry.durationMax else {
      throw .invalid(field: "end")
    }
    guard row.description.utf8.count <= TimeEntry.textBytesMax else {
      throw .invalid(field: "description")
    }
    guard row.tags.count <= TimeEntry.listMax else { throw .invalid(field: "tags") }
    let bytes = row.annotations.reduce(row.description.utf8.count) { $0 + $1.utf8.count }
    guard row.annotations.count <= TimeEntry.listMax, bytes <= TimeEntry.textBytesMax else {
      throw .invalid(field: "annotations")
    }
    if let rate = row.rate, rate < 0 { throw .invalid(field: "rate") }
    if let id = row.id, id.utf8.count > Name.bytesMax { throw .invalid(field: "id") }
  }
}

/// An index of the entities of one table that the rows of a command name.
///
/// It is built at the first look-up, so that a command with many names reads the table once.
private struct NameIndex<Module: EntityRules> where Module.Entity: NamedEntity {
  /// A name within its scope: among all entities, or among the ones of a client or project.
  private struct ScopedName: Hashable {
    var name: Name
    var owner: Int64?
  }

  private let names: () -> [Name]
  private var entities: [Name: [(id: Module.ID, entity: Module.Entity)]]?
  private var found: [ScopedName: Module.ID] = [:]
  /// The name that was looked up last, because most rows have the names of the previous row.
  private var last: (name: ScopedName, id: Module.ID)?

  init(_ names: @escaping () -> [Name]) { self.names = names }

  /// Returns the entity with a name and scope, and creates it if needed.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - owner: The number of the client of a project, or of the project of a task.
  ///   - editor: The editor.
  ///   - make: Returns the entity of the name and owner.
  /// - Complexity: O(entities) for the first call, then O(entities with the name).
  mutating func findOrCreate(
    _ name: Name, of owner: Int64? = nil, in editor: inout EntityEditor<DomainEdit>,
    _ make: (Name) -> Module.Entity
  ) throws(EntityRefusal) -> Module.ID {
    let scoped = ScopedName(name: name, owner: owner)
    if let last, last.name == scoped { return last.id }
    let id: Module.ID
    if let known = found[scoped] {
      id = known
    } else {
      id = try findOrCreate(make(name), in: &editor)
    }
    found[scoped] = id
    last = (scoped, id)
    return id
  }

  private mutating func findOrCreate(
    _ entity: Module.Entity, in editor: inout EntityEditor<DomainEdit>
  ) throws(EntityRefusal) -> Module.ID {
    if entities == nil { entities = find(in: editor) }
    for known in entities?[entity.name] ?? []
    where Module.areRivals(known.entity, entity, in: editor.state) {
      return known.id
    }
    try Module.checkText(of: entity.name)
    var entity = entity
    entity.modified = editor.moment
    let id = editor.insert(entity, of: Module.self)
    entities?[entity.name, default: []].append((id, entity))
    return id
  }

  private func find(
    in editor: borrowing EntityEditor<DomainEdit>
  ) -> [Name: [(id: Module.ID, entity: Module.Entity)]] {
    let names = Set(names())
    return Module.readTable(of: editor.state) { table in
      var entities: [Name: [(id: Module.ID, entity: Module.Entity)]] = [:]
      table.forEach { id, entity in
        if entity.deleted == nil, names.contains(entity.name) {
          entities[entity.name, default: []].append((id, entity))
        }
      }
      return entities
    }
  }
}
