import RetraceState

/// A suggestion for a field of the project form.
public enum ProjectFormSuggestion: Hashable, Sendable {
  /// A workspace.
  case workspace(WorkspaceID)
  /// A client, or none.
  case client(ClientID?)
  /// A new client.
  case createClient(Name)
}

extension DomainState {
  /// Returns the workspaces whose name contains every word of a text; an empty text matches all.
  ///
  /// - Parameter text: The typed text.
  /// - Returns: Equal names first, then names with that prefix, then the others by name.
  /// - Complexity: O(workspaces).
  public func workspaceSuggestions(for text: String) -> [ProjectFormSuggestion] {
    var ranking = NameRanking<ProjectFormSuggestion>(Name(text))
    let query = WordQuery(text)
    workspaces.forEach { id, workspace in
      guard workspace.deleted == nil, !workspace.isArchived, query.matches([workspace.name.key])
      else { return }
      ranking.add(
        .workspace(id), id: id.value, name: workspace.name)
    }
    return ranking.best(.max)
  }

  /// Returns the choice of no client, the clients of a workspace whose name contains every word of
  /// a text, and the creation of a client unless one has an equal name.
  ///
  /// - Parameters:
  ///   - text: The typed text.
  ///   - workspace: The workspace of the project.
  /// - Complexity: O(clients).
  public func clientSuggestions(
    for text: String, in workspace: WorkspaceID?
  ) -> [ProjectFormSuggestion] {
    let (name, query) = (Name(text), WordQuery(text))
    var ranking = NameRanking<ProjectFormSuggestion>(name)
    clients.forEach { id, client in
      guard client.deleted == nil, client.workspace == workspace, let end = clients.resolve(id),
        let target = clients[end], !target.isArchived,
        query.matches([client.name.key, target.name.key])
      else { return }
      ranking.add(
        .client(end), id: end.value, name: target.name, foundBy: client.name)
    }
    var suggestions = [.client(nil)] + ranking.best(.max)
    let isNew = clients.rival(of: Client(name: name, workspace: workspace)) == nil
    if isNew, !name.isEmpty, name.text.utf8.count <= Name.bytesMax {
      suggestions.append(.createClient(name))
    }
    return suggestions
  }

  /// Returns the first of ``Project/colors`` that the fewest active projects of a workspace have.
  ///
  /// - Complexity: O(projects).
  public func suggestedColor(in workspace: WorkspaceID?) -> Int32 {
    var counts: [Int32: Int] = [:]
    projects.forEach { _, project in
      if project.isOffered, project.workspace == workspace {
        counts[project.color, default: 0] += 1
      }
    }
    let least = Project.colors.map { counts[$0] ?? 0 }.min() ?? 0
    return Project.colors.first { counts[$0] ?? 0 == least } ?? 0
  }
}
