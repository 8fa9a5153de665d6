import RetraceState

/// A name of a project: its own, or the name of a project that was merged into it.
public struct NamedProject: Hashable, Sendable {
  /// The name.
  public var name: Name
  /// The project after all merges; `nil` for one that does not exist yet.
  public var id: ProjectID?
  /// Whether it is the name of a project that was merged.
  public var isAlias = false

  init(name: Name, id: ProjectID? = nil, isAlias: Bool = false) {
    self.name = name
    self.id = id
    self.isAlias = isAlias
  }

  /// Returns whether two projects could not be told apart: both names are equal, and at least one
  /// of them is a project's own name.
  func isMistaken(for other: NamedProject) -> Bool {
    name == other.name && (id == nil || id != other.id) && !(isAlias && other.isAlias)
  }
}

extension DomainState {
  /// Returns the pairs of projects that could not be told apart if two clients were merged.
  ///
  /// - Complexity: O(projects), and O(projects of one client) for each of the other.
  public func sharedProjects(
    of client: ClientID, and other: ClientID
  ) -> [(own: NamedProject, other: NamedProject)] {
    guard client != other else { return [] }
    let others = namedProjects(of: other)
    return namedProjects(of: client).compactMap { project in
      others.first { $0.isMistaken(for: project) }.map { (project, $0) }
    }
  }

  /// Returns the names of the tasks that two projects both have.
  ///
  /// - Complexity: O(tasks).
  public func sharedTasks(of project: ProjectID, and other: ProjectID) -> [Name] {
    guard project != other else { return [] }
    var (own, others): ([Name], Set<Name>) = ([], [])
    tasks.forEach { _, task in
      guard task.deleted == nil, task.mergedInto == nil else { return }
      switch projects.resolve(task.project) {
      case project: own.append(task.name)
      case other: others.insert(task.name)
      default: break
      }
    }
    return own.filter(others.contains)
  }

  /// Returns the names of the projects of a client, and of the projects that were merged into them.
  func namedProjects(of client: ClientID) -> [NamedProject] {
    var found: [NamedProject] = []
    projects.forEach { id, project in
      guard project.deleted == nil, let end = projects.resolve(id),
        projects[end]?.client.flatMap({ clients.resolve($0) }) == client
      else { return }
      found.append(NamedProject(name: project.name, id: end, isAlias: id != end))
    }
    return found
  }
}
