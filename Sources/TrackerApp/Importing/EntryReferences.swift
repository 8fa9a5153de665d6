import Retrace
public import RetraceStorage
import TimeTracking

/// The client, the project, the task and the tags of an entry, each before the ones that it was
/// merged into.
struct EntryReferences: Sendable {
  private var clients: [ClientID] = []
  private var projects: [ProjectID] = []
  private var tasks: [TaskID] = []
  private var tags: [Tag] = []

  /// A tag, and its present name.
  private struct Tag: Sendable {
    var ids: [TagID]
    var name: Name?
  }

  /// Reads what an entry refers to.
  ///
  /// - Complexity: O(tags of the entry, and merges of what it refers to).
  init(of entry: TimeEntry, in domain: DomainState) {
    if let id = entry.project { projects = domain.projects.merges(of: id) }
    let client = projects.last.flatMap { domain.projects.read($0) { $0.client } } ?? nil
    if let client { clients = domain.clients.merges(of: client) }
    if let id = entry.task { tasks = domain.tasks.merges(of: id) }
    tags = entry.tags.map { id in
      let ids = domain.tags.merges(of: id)
      return Tag(ids: ids, name: ids.last.flatMap { domain.tags.read($0) { $0.name } })
    }
  }

  func names(in domain: DomainState) -> EntityNames {
    var names = EntityNames()
    for id in clients { names.add(domain.clients.read(id) { $0.name }, of: id) }
    for id in projects { names.add(domain.projects.read(id) { $0.name }, of: id) }
    for id in tasks { names.add(domain.tasks.read(id) { $0.name }, of: id) }
    for id in tags.flatMap(\.ids) { names.add(domain.tags.read(id) { $0.name }, of: id) }
    return names
  }

  /// Returns whether one of the entities was changed since a moment.
  func areChanged(since moment: Moment, in domain: DomainState) -> Bool {
    func isChanged<ID, Entity: TrackedEntity>(
      _ id: ID, _ table: EntityTable<ID, Entity>
    ) -> Bool {
      table.read(id) { $0.modified >= moment } ?? false
    }
    return clients.contains { isChanged($0, domain.clients) }
      || projects.contains { isChanged($0, domain.projects) }
      || tasks.contains { isChanged($0, domain.tasks) }
      || tags.contains { $0.ids.contains { isChanged($0, domain.tags) } }
  }

  /// Returns a row with the present names of the entities that it gives other names.
  func rename(_ row: ImportedRow, by names: EntityNames, _ labels: EntryLabels) -> ImportedRow {
    var row = row
    if let name = row.project, projects.contains(where: { names.has(name, of: $0) }) {
      row.project = labels.project.map { Name($0) }
    }
    // A project that was given another client keeps it for rows with the one from before.
    let isMoved =
      row.project == labels.project.map { Name($0) }
      && projects.contains { names.isMoved($0, from: row.client) }
    let isRenamed = row.client.map { name in clients.contains { names.has(name, of: $0) } }
    if isMoved || isRenamed == true { row.client = labels.client.map { Name($0) } }
    if let name = row.task, tasks.contains(where: { names.has(name, of: $0) }) {
      row.task = labels.task.map { Name($0) }
    }
    let present = Set(tags.compactMap(\.name))
    row.tags = row.tags.map { name in
      guard !present.contains(name) else { return name }
      let tag = tags.first { $0.ids.contains { names.has(name, of: $0) } }
      return tag?.name ?? name
    }
    return row
  }
}

/// Names of clients, projects, tasks and tags, of which each may have several.
struct EntityNames {
  private var clients: [ClientID: Set<Name>] = [:]
  private var projects: [ProjectID: Set<Name>] = [:]
  private var tasks: [TaskID: Set<Name>] = [:]
  private var tags: [TagID: Set<Name>] = [:]
  /// The clients from before of the projects that were given another one.
  private var moved: [ProjectID: Set<ClientID?>] = [:]

  /// Makes a collection without names.
  init() {}

  mutating func add(_ name: Name?, of id: ClientID) {
    if let name { clients[id, default: []].insert(name) }
  }

  mutating func add(_ name: Name?, of id: ProjectID) {
    if let name { projects[id, default: []].insert(name) }
  }

  mutating func add(_ name: Name?, of id: TaskID) {
    if let name { tasks[id, default: []].insert(name) }
  }

  mutating func add(_ name: Name?, of id: TagID) {
    if let name { tags[id, default: []].insert(name) }
  }

  /// Adds the name or the client that an edit changes.
  fileprivate mutating func add(before edit: DomainEdit) {
    switch edit {
    case .client(.changed(let id, let changes)): add(changes.name?.before, of: id)
    case .project(.changed(let id, let changes)):
      add(changes.name?.before, of: id)
      if let client = changes.client { moved[id, default: []].insert(client.before) }
    case .task(.changed(let id, let changes)): add(changes.name?.before, of: id)
    case .tag(.changed(let id, let changes)): add(changes.name?.before, of: id)
    default: break
    }
  }

  /// Returns whether a project was moved from the client with a name; `nil` means no client.
  func isMoved(_ id: ProjectID, from client: Name?) -> Bool {
    moved[id]?.contains { before in
      guard let before, let client else { return before == nil && client == nil }
      return has(client, of: before)
    } == true
  }

  func has(_ name: Name, of id: ClientID) -> Bool { clients[id]?.contains(name) == true }
  func has(_ name: Name, of id: ProjectID) -> Bool { projects[id]?.contains(name) == true }
  func has(_ name: Name, of id: TaskID) -> Bool { tasks[id]?.contains(name) == true }
  func has(_ name: Name, of id: TagID) -> Bool { tags[id]?.contains(name) == true }
}

extension EntityTable where Entity: MergeableEntity, Entity.ID == ID {
  /// Returns an id and those that it was merged into, in order.
  ///
  /// - Complexity: O(merges of it).
  fileprivate func merges(of id: ID) -> [ID] {
    var (ids, last) = ([id], id)
    // A merge refuses cycles, so that this ends; the bound keeps it total.
    while ids.count <= count, let next = read(last, { $0.mergedInto }) ?? nil {
      ids.append(next)
      last = next
    }
    return ids
  }
}

extension EntityNames {
  /// Reads the names that entities had before they were renamed since a moment.
  ///
  /// - Complexity: As `TrackerStore.forEachChange(at:_:)`, up to the moment.
  /// - Throws: As `TrackerStore.forEachChange(at:_:)`.
  init(changedSince moment: Moment, at path: String) throws(StoreError) {
    self = try TrackerStore.readHistory(at: path) { (domain, _, forEachChange) throws(StoreError) in
      var names = EntityNames()
      try forEachChange { change in
        guard change.moment >= moment else { return false }
        for edit in change.edits { names.add(before: edit) }
        return true
      }
      for client in names.moved.values.joined().compactMap({ $0 }) {
        for id in domain.clients.merges(of: client) {
          names.add(domain.clients.read(id) { $0.name }, of: client)
        }
      }
      return names
    }
  }
}

extension ImportReport {
  /// Counts the rows as known that differ only by the names that clients, projects, tasks and tags
  /// of their entries had before they were renamed, or by the client that their project had, and
  /// keeps the present names in the others.
  ///
  /// Rows that are not listed as differing stay counted as such.
  ///
  /// - Parameter path: The directory of the store, which is closed.
  /// - Complexity: As ``TrackerStore/forEachChange(at:_:)``, up to the oldest import of a row whose
  ///   client, project, task or tags were changed since; O(rows that differ) without such a row.
  /// - Throws: As ``TrackerStore/forEachChange(at:_:)``.
  public mutating func passRenames(at path: String) throws(StoreError) {
    guard let moment = differing.compactMap(\.namesChangedSince).min() else { return }
    let names = try EntityNames(changedSince: moment, at: path)
    let count = differing.count
    differing = differing.compactMap { $0.renamed(by: names) }
    rows.known += count - differing.count
    rows.differing -= count - differing.count
  }
}
