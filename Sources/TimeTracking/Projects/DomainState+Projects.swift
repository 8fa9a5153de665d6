import RetraceState

extension DomainState {
  /// Returns the project of a name in a workspace, of any client, after all merges.
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

  /// Returns the projects that a text names, after all merges: those of that name, or else those of
  /// the text after the first slash whose client is the text before it.
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

  /// Returns the project of a text for an entry: the one of a workspace, or else of any other one,
  /// or else a new one.
  ///
  /// - Parameters:
  ///   - text: A name, or that of a client, a slash and the name.
  ///   - workspace: The workspace.
  ///   - elsewhere: Whether projects of other workspaces are meant, too.
  /// - Complexity: O(projects).
  /// - Throws: The projects among which the text does not choose; a client without such a project.
  public func project(
    for text: String, in workspace: WorkspaceID?, orElsewhere elsewhere: Bool
  ) throws(ProjectNameError) -> Reference<ProjectID> {
    let found = projects(named: text)
    let own = found.filter { projects[$0]?.workspace == workspace }
    let meant = own.isEmpty && elsewhere ? found : own
    guard meant.count < 2 else {
      let names = meant.compactMap { projects[$0].map(qualifiedName) }
      let areDistinct = Set(names.map(Name.init)).count == names.count
      throw .ambiguous(text, names: names, areDistinct: areDistinct)
    }
    if let known = meant.first { return .id(known) }
    if found.isEmpty, let parts = ClientAndProject(text, in: self) {
      var client: Name?
      clients.forEach { _, other in
        if other.deleted == nil, other.name == parts.client { client = other.name }
      }
      if let client { throw .unknown(parts.project, of: client) }
    }
    return .name(Name(text))
  }

  /// Returns the name of a project after that of its client and a slash.
  public func qualifiedName(of project: Project) -> String {
    "\(clientName(of: project).text)/\(project.name.text)"
  }

  /// Returns the name of the client of a project; the empty name if it has none.
  private func clientName(of project: Project) -> Name {
    project.client.flatMap { clients.resolve($0) }.flatMap { clients.read($0) { $0.name } }
      ?? Name("")
  }

  /// Returns the project and the task that a text names: a known project, or else that of the text
  /// before the first slash, with the task of the text after it.
  ///
  /// - Returns: `nil` if there is no such project; the task need not exist.
  /// - Complexity: O(projects).
  func project(in text: String) -> (project: String, task: String?)? {
    if !projects(named: text).isEmpty { return (text, nil) }
    let slash = UInt8(ascii: "/")
    var project = Substring(text).utf8
    // The name of the project may follow that of its client.
    while let index = project.lastIndex(of: slash) {
      project = project[..<index]
      let task = String(Substring(text.utf8[text.utf8.index(after: index)...]))
      let name = String(Substring(project))
      if !Name(task).isEmpty, !projects(named: name).isEmpty { return (name, task) }
    }
    return nil
  }
}

/// Why a text names no project of an entry, and no new one either.
public enum ProjectNameError: Error, Hashable, Sendable {
  /// Several projects have the name. Their names follow those of their clients, which tell them
  /// apart unless the projects are of several workspaces.
  case ambiguous(String, names: [String], areDistinct: Bool)
  /// The client that the text names has no such project. A new project of that whole name is not
  /// meant, because its time would count for no client.
  case unknown(Name, of: Name)
}

/// The name of a client and that of a project, with a slash between them.
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
