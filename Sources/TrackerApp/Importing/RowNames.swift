import Retrace
import TimeTracking
import TrackerFormats

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

  /// Gives a row the names as entities or earlier rows write them.
  mutating func resolve(_ row: inout ImportedRow) {
    if let name = users.form(of: row.user) { row.user = name }
    if let name = row.client.flatMap({ clients.form(of: $0) }) { row.client = name }
    if let name = row.project.flatMap({ projects.form(of: $0) }) { row.project = name }
    if let name = row.task.flatMap({ tasks.form(of: $0) }) { row.task = name }
    for index in row.tags.indices {
      if let name = tags.form(of: row.tags[index]) { row.tags[index] = name }
    }
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

  /// Returns the known name that another one means, if it is written in another form; a new one
  /// becomes known.
  mutating func form(of name: Name) -> Name? {
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

/// The projects without a workspace, by which rows get what their files do not say.
struct RowProjects {
  private struct Known {
    var id: ProjectID
    /// The name of its client, and the one that it has after all merges.
    var client: Name?
    var present: Name?
    var project: Project
  }

  private var projects: [Name: [Known]] = [:]
  /// The names of the projects of workspaces.
  private var elsewhere: Set<Name> = []
  private var userRates: [Name: Int64] = [:]
  /// The present names of clients that were merged.
  private var mergedClients: [Name: Name] = [:]

  /// Reads the projects and the clients.
  ///
  /// - Parameters:
  ///   - domain: The entities.
  ///   - moments: The moments of the batches of an interrupted import, whose projects are left out.
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
    // No row can name a project whose client was deleted, so others of its name come first.
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

  /// Completes a row.
  ///
  /// Without a client, it gets the client of the only project with its name. If its file does not
  /// give billability or rates, the row gets them from the project, as a new entry of `track start`
  /// does.
  ///
  /// A row of clients that were merged gets the client by which the project is found, so that there
  /// is no second project of its name and client.
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

  /// Returns whether only projects of workspaces have a name.
  func isElsewhere(_ name: Name) -> Bool { elsewhere.contains(name) && projects[name] == nil }

  /// Returns the client of the project of a row if it was deleted.
  func deletedClient(of row: ImportedRow) -> Name? {
    guard let client = row.client, let known = row.project.flatMap({ projects[$0] }),
      known.contains(where: { $0.client == client && $0.present == nil })
    else { return nil }
    return client
  }

  /// Returns whether several projects have the name of a row's project, and the file does not say
  /// that the one without a client is meant.
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
