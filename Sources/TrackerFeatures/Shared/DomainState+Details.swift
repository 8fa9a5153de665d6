import Retrace
package import TimeTracking

/// The details of entities in lists.
extension DomainState {
  /// Returns the details of a client.
  package func details(of client: Client) -> [EntityDetail] { place(client.workspace) }

  /// Returns the details of a tag.
  package func details(of tag: Tag) -> [EntityDetail] { place(tag.workspace) }

  /// Returns the details of a project.
  package func details(of project: Project) -> [EntityDetail] {
    var details: [EntityDetail] = []
    if let client = project.client.flatMap({ clients.resolve($0) }),
      let name = clients.read(client, { $0.name.text })
    {
      details.append(EntityDetail("client", name))
    }
    details += place(project.workspace)
    if let rate = project.rate { details.append(EntityDetail("rate", Amount.decimal(rate))) }
    if project.isBillable { details.append(EntityDetail("billable", "yes")) }
    if let estimate = project.estimate { details.append(EntityDetail(estimate: estimate)) }
    // A project has the first color unless another one was set.
    let color = Project.text(ofColor: project.color)
    details.append(
      EntityDetail("color", color, isListed: project.color != Project.colors.first))
    return details
  }

  /// Returns the details of a task.
  ///
  /// - Parameters:
  ///   - task: The task.
  ///   - longNames: The long names of projects that share their names.
  package func details(of task: ProjectTask, _ longNames: [ProjectID: String]) -> [EntityDetail] {
    var details: [EntityDetail] = []
    if let project = projects.resolve(task.project) { details += named(project, longNames) }
    if let estimate = task.estimate { details.append(EntityDetail(estimate: estimate)) }
    return details
  }

  /// Returns the details of a goal.
  ///
  /// - Parameters:
  ///   - goal: The goal.
  ///   - longNames: The long names of projects that share their names.
  package func details(of goal: Goal, _ longNames: [ProjectID: String]) -> [EntityDetail] {
    var details = [EntityDetail("target", goal.target.hoursAndMinutes)]
    let each = (goal.isLimit ? "at most each " : "each ") + "\(goal.period)"
    details.append(EntityDetail("each", "\(goal.period)", shown: each))
    if goal.isLimit { details.append(EntityDetail("limit", "yes", shown: "")) }
    if let project = goal.project { details += named(project, longNames) }
    if let name = goal.tag.flatMap({ tags.read($0) { $0.name.text } }) {
      details.append(EntityDetail("tag", name))
    }
    return details
  }

  /// Returns the name of a workspace, if there is one.
  package func name(of id: WorkspaceID?) -> String? {
    id.flatMap { workspaces.read($0) { $0.name.text } }
  }

  private func place(_ workspace: WorkspaceID?) -> [EntityDetail] {
    name(of: workspace).map { [EntityDetail("workspace", $0)] } ?? []
  }

  private func named(_ project: ProjectID, _ longNames: [ProjectID: String]) -> [EntityDetail] {
    guard let name = projects.read(project, { $0.name.text }) else { return [] }
    let shown = shownName(of: project, longNames) ?? name
    return [EntityDetail("project", name, shown: "project \(shown)")]
  }
}

extension EntityDetail {
  /// Returns the details that an entity loses when it is merged into another: a rate, an estimate,
  /// or that new entries are billable.
  ///
  /// - Parameters:
  ///   - details: The details of the entity.
  ///   - kept: The details of the other one.
  package static func lost(of details: [EntityDetail], to kept: [EntityDetail]) -> [EntityDetail] {
    details.filter { detail in
      ["rate", "billable", "estimate"].contains { detail.has(name: $0) }
        && !kept.contains { $0.has(name: detail.name) && $0.value.hasBytes(of: detail.value) }
    }
  }

  /// Returns the note that a merge loses the detail.
  ///
  /// - Parameters:
  ///   - name: The name of the entity.
  ///   - other: The name of the one that stays.
  package func lossNote(of name: String, to other: String) -> String {
    "\(other) does not take over: \(self.name) \(value) of \(name)"
  }

  private func has(name other: String) -> Bool { name.hasBytes(of: other) }
}
