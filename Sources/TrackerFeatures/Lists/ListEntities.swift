import Retrace
import TimeTracking

/// The entities of a kind, and the commands about them.
struct ListEntities {
  let kind: ListKind
  let user: UserID
  let domain: DomainState

  /// Calls `body` with the id, the name and the project of each entity that can be listed.
  func forEach(_ body: (Int64, Name, _ isArchived: Bool, ProjectID?) -> Void) {
    switch kind {
    case .projects:
      domain.projects.forEach { id, one in
        if one.isListed { body(id.value, one.name, one.isArchived, nil) }
      }
    case .clients:
      domain.clients.forEach { id, one in
        if one.isListed { body(id.value, one.name, one.isArchived, nil) }
      }
    case .tags:
      domain.tags.forEach { id, one in
        if one.isListed { body(id.value, one.name, one.isArchived, nil) }
      }
    case .tasks:
      domain.tasks.forEach { id, one in
        if one.isListed { body(id.value, one.name, one.isArchived, one.project) }
      }
    case .goals:
      domain.goals.forEach { id, one in
        if one.deleted == nil, one.user == user {
          body(id.value, one.name, one.isArchived, one.project)
        }
      }
    }
  }

  /// Returns the name of the client of a project, or of the project of a task; empty without one.
  func place(of id: Int64) -> String {
    switch kind {
    case .projects:
      let client = domain.projects.read(ProjectID(value: id)) { $0.client } ?? nil
      return client.flatMap { domain.clients.resolve($0) }
        .flatMap { domain.clients.read($0) { $0.name.key } } ?? ""
    case .tasks:
      let project = domain.tasks.read(TaskID(value: id)) { $0.project }
      return project.flatMap { domain.projects.resolve($0) }
        .flatMap { domain.projects.read($0) { $0.name.key } } ?? ""
    case .clients, .tags, .goals: return ""
    }
  }

  /// Returns the name of an entity.
  func name(of id: Int64) -> Name? {
    switch kind {
    case .projects: domain.projects.live(ProjectID(value: id))?.name
    case .clients: domain.clients.live(ClientID(value: id))?.name
    case .tags: domain.tags.live(TagID(value: id))?.name
    case .tasks: domain.tasks.live(TaskID(value: id))?.name
    case .goals: domain.goals.live(GoalID(value: id))?.name
    }
  }

  /// Returns the details of an entity.
  func details(of id: Int64, _ longNames: [ProjectID: String]) -> [EntityDetail] {
    switch kind {
    case .projects: domain.projects[ProjectID(value: id)].map { domain.details(of: $0) } ?? []
    case .clients: domain.clients[ClientID(value: id)].map { domain.details(of: $0) } ?? []
    case .tags: domain.tags[TagID(value: id)].map { domain.details(of: $0) } ?? []
    case .tasks: domain.tasks[TaskID(value: id)].map { domain.details(of: $0, longNames) } ?? []
    case .goals: domain.goals[GoalID(value: id)].map { domain.details(of: $0, longNames) } ?? []
    }
  }

  /// Returns the number of entries that refer to an entity; 0 for a goal.
  ///
  /// - Complexity: O(entries).
  func entries(of id: Int64) -> Int {
    switch kind {
    case .projects:
      domain.visibleEntries { $1.project($0.project) == ProjectID(value: id) }
    case .clients:
      domain.visibleEntries { $1.client(of: $0.project) == ClientID(value: id) }
    case .tags:
      domain.visibleEntries { $1.tags($0.tags).contains(TagID(value: id)) }
    case .tasks:
      domain.visibleEntries { $1.task($0.task) == TaskID(value: id) }
    case .goals: 0
    }
  }

  // MARK: Commands

  /// Returns the command that archives an entity or takes it back; `nil` if there is none.
  func archiving(_ id: Int64, _ isArchived: Bool) -> DomainCommand? {
    switch kind {
    case .projects:
      changed(domain.projects, id) { $0.isArchived = isArchived }.map { .project($0) }
    case .clients: changed(domain.clients, id) { $0.isArchived = isArchived }.map { .client($0) }
    case .tags: changed(domain.tags, id) { $0.isArchived = isArchived }.map { .tag($0) }
    case .tasks: changed(domain.tasks, id) { $0.isArchived = isArchived }.map { .task($0) }
    case .goals: changed(domain.goals, id) { $0.isArchived = isArchived }.map { .goal($0) }
    }
  }

  /// Returns the command that renames an entity.
  ///
  /// - Parameters:
  ///   - id: The number of its id.
  ///   - seen: The name that the user saw.
  ///   - name: The new name.
  func renaming(_ id: Int64, from seen: Name, to name: Name) -> DomainCommand {
    let change = Change(from: seen, to: name)
    switch kind {
    case .projects:
      var changes = ProjectChanges()
      changes.name = change
      return .project(.change(ProjectID(value: id), changes, reason: nil))
    case .clients:
      var changes = ClientChanges()
      changes.name = change
      return .client(.change(ClientID(value: id), changes, reason: nil))
    case .tags:
      var changes = TagChanges()
      changes.name = change
      return .tag(.change(TagID(value: id), changes, reason: nil))
    case .tasks:
      var changes = ProjectTaskChanges()
      changes.name = change
      return .task(.change(TaskID(value: id), changes, reason: nil))
    case .goals:
      var changes = GoalChanges()
      changes.name = change
      return .goal(.change(GoalID(value: id), changes, reason: nil))
    }
  }

  /// Returns the command that deletes an entity.
  func deleting(_ id: Int64) -> DomainCommand {
    switch kind {
    case .projects: .project(.delete(ProjectID(value: id), reason: nil))
    case .clients: .client(.delete(ClientID(value: id), reason: nil))
    case .tags: .tag(.delete(TagID(value: id), reason: nil))
    case .tasks: .task(.delete(TaskID(value: id), reason: nil))
    case .goals: .goal(.delete(GoalID(value: id), reason: nil))
    }
  }

  /// Returns the command that merges an entity into another one; `nil` for goals.
  func merging(_ id: Int64, into other: Int64) -> DomainCommand? {
    switch kind {
    case .projects:
      .project(.merge(ProjectID(value: id), into: ProjectID(value: other), reason: nil))
    case .clients: .client(.merge(ClientID(value: id), into: ClientID(value: other), reason: nil))
    case .tags: .tag(.merge(TagID(value: id), into: TagID(value: other), reason: nil))
    case .tasks: .task(.merge(TaskID(value: id), into: TaskID(value: other), reason: nil))
    case .goals: nil
    }
  }

  private func changed<ID, Changes: EntityChanges>(
    _ table: EntityTable<ID, Changes.Entity>, _ id: Int64, _ edit: (inout Changes.Entity) -> Void
  ) -> EntityCommand<ID, Changes>? {
    let id = ID(value: id)
    guard let before = table[id] else { return nil }
    var after = before
    edit(&after)
    return .change(id, Changes(from: before, to: after), reason: nil)
  }
}

extension MergeableEntity {
  /// Whether it is neither deleted nor merged into another one.
  fileprivate var isListed: Bool { deleted == nil && mergedInto == nil }
}
