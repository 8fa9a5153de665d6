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
}
