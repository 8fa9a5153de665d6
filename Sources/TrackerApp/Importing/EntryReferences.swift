import Retrace
public import RetraceStorage
import TimeTracking

/// The client, the project, the task and the tags of an entry.
///
/// Each is a list of ids: the entity, followed by the entities that it was merged into, in order.
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

  /// Returns whether one of the entities was changed at or after a moment.
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

  /// Returns a row with the present names of the entities that it names by others.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - names: The other names of the entities.
  ///   - labels: The present names of what the entry refers to.
  func withPresentNames(
    _ row: ImportedRow, by names: EntityNames, _ labels: EntryLabels
  ) -> ImportedRow {
    var row = row
    if let name = row.project, projects.contains(where: { names.has(name, of: $0) }) {
      row.project = labels.project.map { Name($0) }
    }
    // A row with the former client of a project gets the present client of that project.
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

/// Sets of names of clients, projects, tasks and tags.
struct EntityNames {
  private var clients: [ClientID: Set<Name>] = [:]
  private var projects: [ProjectID: Set<Name>] = [:]
  private var tasks: [TaskID: Set<Name>] = [:]
  private var tags: [TagID: Set<Name>] = [:]
  /// The former clients of projects whose client was changed.
  private var moved: [ProjectID: Set<ClientID?>] = [:]

  /// Creates a collection without names.
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

  /// Adds the value of a name or a client before an edit.
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
  /// Returns an id and the ids that it was merged into, in order.
  ///
  /// - Complexity: O(merges of the entity).
  fileprivate func merges(of id: ID) -> [ID] {
    var (ids, last) = ([id], id)
    // Merges refuse cycles. The bound ends the loop even if the state has one.
    while ids.count <= count, let next = read(last, { $0.mergedInto }) ?? nil {
      ids.append(next)
      last = next
    }
    return ids
  }
}

extension EntityNames {
  /// Reads the former names of entities that were renamed at or after a moment.
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
  /// Removes the rows that differ only by former names from ``differing``, and counts them as
  /// known.
  ///
  /// A former name is one that a client, project, task or tag of the entry had before it was
  /// renamed, or the name of the former client of its project. The rows that are left get the
  /// present names. Rows that are counted as differing but not listed stay counted.
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
