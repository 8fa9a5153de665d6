import Retrace
import TimeTracking
import TrackerFormats

/// The names of entities, to which names of rows in other Unicode normalization forms are mapped.
///
/// The decision of an import compares names byte by byte. So an import resolves the names of rows
/// as the command line resolves typed names, see `Name.init(_:in:)`.
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

  /// Replaces the names of a row by the forms that entities or earlier rows have.
  mutating func resolve(_ row: inout ImportedRow) {
    if let name = users.knownForm(of: row.user) { row.user = name }
    if let name = row.client.flatMap({ clients.knownForm(of: $0) }) { row.client = name }
    if let name = row.project.flatMap({ projects.knownForm(of: $0) }) { row.project = name }
    if let name = row.task.flatMap({ tasks.knownForm(of: $0) }) { row.task = name }
    for index in row.tags.indices {
      if let name = tags.knownForm(of: row.tags[index]) { row.tags[index] = name }
    }
  }
}

/// The names of one kind of entity that are not ASCII.
///
/// An ASCII name has only one form.
private struct NameForms {
  /// The names as they are written.
  private var exact: Set<Name> = []
  /// The first name of each key.
  ///
  /// Keys are equal as strings in all normalization forms.
  private var first: [String: Name] = [:]

  init<ID, Entity: NamedEntity>(_ table: EntityTable<ID, Entity>) {
    table.forEach { _, entity in
      if entity.deleted == nil, !Self.isASCII(entity.name) { add(entity.name) }
    }
  }

  /// Returns the known name of which a name is another form, if any.
  ///
  /// A new name becomes known.
  mutating func knownForm(of name: Name) -> Name? {
    guard !Self.isASCII(name), !exact.contains(name) else { return nil }
    if let known = first[name.key] { return known }
    add(name)
    return nil
  }

  private mutating func add(_ name: Name) {
    exact.insert(name)
    if first[name.key] == nil { first[name.key] = name }
  }

  private static func isASCII(_ name: Name) -> Bool {
    name.key.utf8.allSatisfy { $0 < 0x80 }
  }
}

/// The projects without a workspace, from which rows get values that their file lacks.
struct RowProjects {
  private struct Known {
    var id: ProjectID
    /// The name of its client as the project refers to it.
    var client: Name?
    /// The name of its client after all merges; `nil` without a client, or if it was deleted.
    var present: Name?
    var project: Project
  }

  private var projects: [Name: [Known]] = [:]
  /// The names of the projects that are in a workspace.
  private var elsewhere: Set<Name> = []
  private var userRates: [Name: Int64] = [:]
  /// The present names of clients that were merged.
  private var mergedClients: [Name: Name] = [:]

  /// Reads the projects and the clients.
  ///
  /// - Parameters:
  ///   - domain: The entities.
  ///   - moments: The moments of the batches of an interrupted import. Projects that were changed
  ///     at these moments are left out.
  /// - Complexity: O(projects, clients and users).
  init(_ domain: DomainState, except moments: Set<Moment> = []) {
    domain.projects.forEach { id, project in
      if project.deleted == nil, project.workspace != nil { elsewhere.insert(project.name) }
      guard project.deleted == nil, project.workspace == nil,
        !moments.contains(project.modified), let end = domain.projects.resolve(id),
        let target = domain.projects[end]
      else { return }
      let client = project.client.flatMap { domain.clients.read($0) { $0.name } }
      let isKnown = projects[project.name]?.contains { $0.id == end && $0.client == client }
      guard isKnown != true else { return }
      projects[project.name, default: []].append(
        Known(
          id: end, client: client, present: project.client.flatMap(domain.presentName(of:)),
          project: target))
    }
    // No row can name a project whose client was deleted. So such a project counts only if there is
    // no other project with its name.
    projects = projects.mapValues { known in
      let named = known.filter { $0.client == nil || $0.present != nil }
      return named.isEmpty ? known : named
    }
    domain.clients.forEach { id, client in
      guard client.deleted == nil, client.mergedInto != nil, client.workspace == nil else { return }
      mergedClients[client.name] = domain.presentName(of: id)
    }
    domain.users.forEach { _, user in
      if user.deleted == nil, let rate = user.rate { userRates[user.name] = rate }
    }
  }

  /// Sets values of a row that its file lacks.
  ///
  /// - A row without a client gets the client of its project if only one project has the name.
  /// - If the file has no billability or no rates, the row gets them from the project, as a new
  ///   entry of `track start` does.
  /// - If the client of the row was merged, the row gets the name by which the project refers to
  ///   its client, so that the import does not create a second project for the same client.
  func complete(_ row: inout ImportedRow, of scope: ImportScope) {
    let known = row.project.flatMap { projects[$0] } ?? []
    if let client = row.client {
      let present = mergedClients[client] ?? client
      if !known.contains(where: { $0.client == client }),
        let other = known.first(where: { $0.present == present })
      {
        row.client = other.client
      }
    } else if let first = known.first, known.allSatisfy({ $0.id == first.id }) {
      row.client = first.client
    }
    guard !scope.hasRates else { return }
    let project = known.first { $0.client == row.client }?.project
    if let project, !scope.fields.contains(.billable) { row.isBillable = project.isBillable }
    if row.isBillable { row.rate = project?.rate ?? userRates[row.user] }
  }

  /// Returns a row with the name that its client has after all merges.
  func present(_ row: ImportedRow) -> ImportedRow {
    var row = row
    row.client = row.client.map { mergedClients[$0] ?? $0 }
    return row
  }

  /// Returns whether all projects with a name are in workspaces.
  func isElsewhere(_ name: Name) -> Bool { elsewhere.contains(name) && projects[name] == nil }

  /// Returns the client of the project of a row if that client was deleted.
  func deletedClient(of row: ImportedRow) -> Name? {
    guard let client = row.client, let known = row.project.flatMap({ projects[$0] }),
      known.contains(where: { $0.client == client && $0.present == nil })
    else { return nil }
    return client
  }

  /// Returns whether several projects have the name of a row's project, and an empty client in the
  /// file does not select the one without a client.
  func isAmbiguous(_ row: ImportedRow, of fields: Set<ImportField>) -> Bool {
    guard row.client == nil, let name = row.project, let known = projects[name],
      known.contains(where: { $0.id != known[0].id })
    else { return false }
    return !fields.contains(.client) || !known.contains { $0.client == nil }
  }
}

extension DomainState {
  /// Returns the name that a client has after all merges.
  fileprivate func presentName(of id: ClientID) -> Name? {
    clients.resolve(id).flatMap { clients.read($0) { $0.name } }
  }
}
