import RetraceArchitecture
import RetraceState

/// Inserts the rows of one command, and looks up each name once.
struct RowImporter {
  private struct Place<ID: Hashable>: Hashable {
    var name: Name
    var parent: ID?
  }

  private let run: ImportRunID
  private let source: SourceID
  private var users: [Name: UserID] = [:]
  private var clients: [Name: ClientID] = [:]
  private var projects: [Place<ClientID>: ProjectID] = [:]
  private var tasks: [Place<ProjectID>: TaskID] = [:]
  private var tags: [Name: TagID] = [:]

  init(_ run: ImportRunID, _ source: SourceID) {
    self.run = run
    self.source = source
  }

  /// Inserts the entry of a row; creates the entities that it names and that do not exist.
  mutating func insert(
    _ row: ImportedRow, in editor: inout EntityEditor<DomainEdit>
  ) throws(RecordRefusal) {
    let user = try find(row.user, &users, in: &editor) { name, editor throws(RecordRefusal) in
      try Users.findOrCreate(User(name: name), in: &editor)
    }
    var client: ClientID?
    if let name = row.client {
      client = try find(name, &clients, in: &editor) { name, editor throws(RecordRefusal) in
        try Clients.findOrCreate(Client(name: name), in: &editor)
      }
    }
    var project: ProjectID?
    if let name = row.project {
      let place = Place(name: name, parent: client)
      project = try find(place, &projects, in: &editor) { place, editor throws(RecordRefusal) in
        try Projects.findOrCreate(Project(name: place.name, client: place.parent), in: &editor)
      }
    }
    var task: TaskID?
    if let name = row.task, let project {
      let place = Place<ProjectID>(name: name, parent: project)
      task = try find(place, &tasks, in: &editor) { place, editor throws(RecordRefusal) in
        try Tasks.findOrCreate(ProjectTask(name: place.name, project: project), in: &editor)
      }
    }
    var tags: Set<TagID> = []
    for name in row.tags {
      tags.insert(
        try find(name, &self.tags, in: &editor) { name, editor throws(RecordRefusal) in
          try Tags.findOrCreate(Tag(name: name), in: &editor)
        })
    }
    editor.insert(
      TimeEntry(
        user: user, workspace: nil, description: row.description, project: project, task: task,
        tags: tags.sorted(), start: row.start, end: row.end, zone: row.zone,
        isBillable: row.isBillable, rate: nil, annotations: [],
        externalIDs: row.id.map { [ExternalID(source: source, id: $0)] } ?? [], importRun: run,
        modified: editor.moment, deleted: nil),
      of: TimeEntries.self)
  }

  private func find<Key: Hashable, ID>(
    _ key: Key, _ known: inout [Key: ID], in editor: inout EntityEditor<DomainEdit>,
    _ findOrCreate: (Key, inout EntityEditor<DomainEdit>) throws(RecordRefusal) -> ID
  ) throws(RecordRefusal) -> ID {
    if let id = known[key] { return id }
    let id = try findOrCreate(key, &editor)
    known[key] = id
    return id
  }
}
