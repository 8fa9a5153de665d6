public import RetraceAvro
import RetraceState

extension DomainState {
  /// Returns the project with a name in a workspace, of any client, after all merges.
  ///
  /// - Complexity: O(projects).
  public func project(named name: Name, in workspace: WorkspaceID?) -> ProjectID? {
    var found: ProjectID?
    projects.forEach { id, project in
      if found == nil, project.deleted == nil, project.name == name,
        project.workspace == workspace
      {
        found = projects.resolve(id)
      }
    }
    return found
  }

  /// Returns the projects that a text names, after all merges.
  ///
  /// The text is a name or, if no project has that name, `client/project`.
  ///
  /// - Complexity: O(projects).
  public func projects(named text: String) -> [ProjectID] {
    let (name, parts) = (Name(text, in: projects), ClientAndProject(text, in: self))
    var (whole, ofClient): ([ProjectID], [ProjectID]) = ([], [])
    projects.forEach { id, project in
      guard project.deleted == nil else { return }
      if project.name == name {
        if let id = projects.resolve(id), !whole.contains(id) { whole.append(id) }
      } else if let parts, project.name == parts.project, let id = projects.resolve(id),
        projects[id].map(clientName) == parts.client, !ofClient.contains(id)
      {
        ofClient.append(id)
      }
    }
    return whole.isEmpty ? ofClient : whole
  }

  /// Returns the project that a text names for an entry, or else the name of a new project.
  ///
  /// - Parameters:
  ///   - text: A name, or `client/project`.
  ///   - workspace: The workspace that is searched first.
  ///   - elsewhere: Whether other workspaces are searched if that one has no such project.
  /// - Complexity: O(projects).
  /// - Throws: ``ProjectNameError`` if several projects match, or if the client has no such
  ///   project.
  public func project(
    for text: String, in workspace: WorkspaceID?, orElsewhere elsewhere: Bool
  ) throws(ProjectNameError) -> Reference<ProjectID> {
    let found = projects(named: text)
    let own = found.filter { projects[$0]?.workspace == workspace }
    let meant = own.isEmpty && elsewhere ? found : own
    guard meant.count < 2 else { throw .ambiguous(text, meant) }
    if let known = meant.first { return .id(known) }
    // A leading slash means a project without a client. It cannot begin the name of a new project.
    let rest = String(text.dropFirst())
    if text.hasPrefix("/"), !projects(named: rest).isEmpty { throw .ofClientsOnly(rest) }
    if found.isEmpty, let parts = ClientAndProject(text, in: self) {
      var client: Name?
      clients.forEach { _, other in
        if other.deleted == nil, other.name == parts.client { client = other.name }
      }
      if let client { throw .unknown(parts.project, of: client) }
    }
    return .name(Name(text))
  }

  /// Returns the project that a user typed for an entry, as ``project(for:in:orElsewhere:)`` does.
  ///
  /// A new project cannot have a name like `client/project`, because its time would count for no
  /// client.
  ///
  /// - Complexity: O(projects).
  /// - Throws: ``ProjectNameError``, also for such a name.
  public func project(
    typed text: String, in workspace: WorkspaceID?, orElsewhere elsewhere: Bool
  ) throws(ProjectNameError) -> Reference<ProjectID> {
    let found = try project(for: text, in: workspace, orElsewhere: elsewhere)
    guard case .name(let name) = found, let parts = ClientAndProject(name.text, in: self),
      !parts.client.isEmpty, !parts.project.isEmpty
    else { return found }
    throw .unknownClient(parts.client, project: parts.project, of: name)
  }

  /// Returns `client/project`.
  public func qualifiedName(of project: Project) -> String {
    "\(clientName(of: project).text)/\(project.name.text)"
  }

  /// Returns the `client/project` names of projects, and whether they differ, which those of
  /// different workspaces may not.
  public func qualifiedNames(of ids: [ProjectID]) -> (names: [String], areDistinct: Bool) {
    let names = ids.compactMap { projects[$0].map(qualifiedName) }
    return (names, Set(names.map(Name.init)).count == names.count)
  }

  /// Returns the name of the client of a project, or the empty name without a client.
  private func clientName(of project: Project) -> Name {
    project.client.flatMap { clients.resolve($0) }.flatMap { clients.read($0) { $0.name } }
      ?? Name("")
  }

  /// Returns the project and the task that a text names.
  ///
  /// If the whole text names no project, the longest part before a slash that names one is the
  /// project, and the rest is the task.
  ///
  /// - Returns: `nil` if there is no such project; the task need not exist.
  /// - Complexity: O(projects).
  func project(in text: String) -> (project: String, task: String?)? {
    if !projects(named: text).isEmpty { return (text, nil) }
    let slash = UInt8(ascii: "/")
    var project = Substring(text).utf8
    // The project may be given as `client/project`.
    while let index = project.lastIndex(of: slash) {
      project = project[..<index]
      let task = String(Substring(text.utf8[text.utf8.index(after: index)...]))
      let name = String(Substring(project))
      if !Name(task).isEmpty, !projects(named: name).isEmpty { return (name, task) }
    }
    return nil
  }
}

/// The reason why a text names neither a project nor a new one.
public enum ProjectNameError: Error, Recordable, Hashable {
  /// Several projects match the text.
  case ambiguous(String, [ProjectID])
  /// The client has no such project. A new project with the whole text as its name would belong to
  /// no client, so none is created.
  case unknown(Name, of: Name)
  /// All projects with the name have a client, but the text asks for a project without a client.
  case ofClientsOnly(String)
  /// Neither a project with the whole name nor the client before its slash exists.
  case unknownClient(Name, project: Name, of: Name)
}

/// The names of a client and a project, separated by a slash.
private struct ClientAndProject {
  var client: Name
  var project: Name

  /// Reads a text; `nil` if it has no slash.
  init?(_ text: String, in state: DomainState) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    client = Name(String(parts[0]), in: state.clients)
    project = Name(String(parts[1]), in: state.projects)
  }
}
