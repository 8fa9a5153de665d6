import RetraceState

extension DomainState {
  /// Returns long names for projects that share their name with others.
  ///
  /// A long name is `client/project` if the clients differ. A deleted project gets a mark if
  /// another project would still have the same long name.
  ///
  /// A project has no long name if its name is unique, or if it has no client and is not deleted.
  ///
  /// - Parameter shown: The projects, after all merges. They are compared with each other and with
  ///   all live ones.
  /// - Complexity: O(projects); O(1) if there is only one.
  package func longNames(of shown: Set<ProjectID>) -> [ProjectID: String] {
    guard projects.count > 1, !shown.isEmpty, hasSharedName(shown) else { return [:] }
    let wanted = Set(shown.compactMap { projects.read($0) { $0.name } })
    var known: [Name: [(id: ProjectID, project: Project)]] = [:]
    projects.forEach { id, project in
      guard project.isInUse || shown.contains(id), wanted.contains(project.name) else { return }
      known[project.name, default: []].append((id, project))
    }
    var names: [ProjectID: String] = [:]
    for same in known.values where same.count > 1 {
      var long: [ProjectID: String] = [:]
      for (id, project) in same where project.client.flatMap(clients.resolve) != nil {
        long[id] = qualifiedName(of: project)
      }
      // If all projects have the same client, its name distinguishes nothing.
      if Set(same.map { long[$0.id] }).count < 2 { long = [:] }
      for (id, name) in long { names[id] = name }
      var groups: [String?: [(id: ProjectID, project: Project)]] = [:]
      for one in same { groups[long[one.id], default: []].append(one) }
      for alike in groups.values where alike.count > 1 {
        let gone = alike.filter { $0.project.deleted != nil }
        for (id, project) in gone {
          names[id] = Self.deletedName(
            long[id] ?? project.name.text, id: gone.count > 1 ? id.value : nil)
        }
      }
    }
    return names
  }

  /// Returns whether several projects, shown or live, have the same name.
  ///
  /// Most stores have no such projects. This check lets a short command skip the generic
  /// collections above, whose types the runtime would have to instantiate first.
  private func hasSharedName(_ shown: Set<ProjectID>) -> Bool {
    var keys: [String] = []
    projects.forEach { id, project in
      if project.isInUse || shown.contains(id) { keys.append(project.name.key) }
    }
    keys.sort()
    return keys.indices.dropFirst().contains { keys[$0] == keys[$0 - 1] }
  }

  /// Returns the long names of projects, after all merges.
  ///
  /// - Complexity: O(projects), or O(1) with a single project or an empty array.
  package func longNames(ofAll shown: [ProjectID]) -> [ProjectID: String] {
    if projects.count < 2 || shown.isEmpty { return [:] }
    if shown.count == 1, !sharesName(projects.mergeTarget(of: shown[0])) { return [:] }
    return longNames(of: Set(shown.map { projects.mergeTarget(of: $0) }))
  }

  /// Returns whether another live project has the name of a project.
  private func sharesName(_ shown: ProjectID) -> Bool {
    guard let name = projects.read(shown, { $0.name }) else { return false }
    var isShared = false
    projects.forEach { id, project in
      if project.isInUse, id != shown, project.name == name { isShared = true }
    }
    return isShared
  }

  /// Returns the long name of a project after all merges, or else its own name; `nil` if there is
  /// no such project.
  package func shownName(of project: ProjectID, _ longNames: [ProjectID: String]) -> String? {
    let id = projects.mergeTarget(of: project)
    return longNames[id] ?? projects.read(id) { $0.name.text }
  }

  /// Returns a name that marks a deleted entity, with its id if that is given.
  package static func deletedName(_ name: String, id: Int64?) -> String {
    "\(name) (deleted\(id.map { ", \($0)" } ?? ""))"
  }
}

extension Project {
  /// Whether the project is neither deleted nor merged into another one.
  fileprivate var isInUse: Bool { deleted == nil && mergedInto == nil }
}
