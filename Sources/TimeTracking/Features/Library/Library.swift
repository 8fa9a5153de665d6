import RetraceArchitecture
import RetraceAvro
public import RetraceState

/// What time entries refer to.
public struct Library: RecordedState {
  /// The users.
  public var users: EntityTable<UserID, User> = EntityTable()
  /// The workspaces.
  public var workspaces: EntityTable<WorkspaceID, Workspace> = EntityTable()
  /// The projects.
  public var projects: EntityTable<ProjectID, Project> = EntityTable()
  /// The tags.
  public var tags: EntityTable<TagID, Tag> = EntityTable()

  /// Makes an empty library.
  public init() {}
}

extension Library {
  /// Carries an action out, or changes nothing and answers why not.
  ///
  /// - Complexity: O(entities of the kind), for the uniqueness of names.
  mutating func perform(_ action: LibraryAction) -> Refusal? {
    switch action {
    case .userCreated(let name):
      // lint:allow logs of this tracker were folded so; the next one decides at the edge
      if let refusal = Self.refusal(ofName: name, in: users, { $0.name == name }) { return refusal }
      users.insert(User(name: name))
    case .workspaceCreated(let name):
      // lint:allow logs of this tracker were folded so; the next one decides at the edge
      if let refusal = Self.refusal(ofName: name, in: workspaces, { $0.name == name }) {
        return refusal
      }
      workspaces.insert(Workspace(name: name))
    case .projectCreated(let name, let workspace):
      if let workspace, !workspaces.contains(workspace) { return .unknownWorkspace }
      let refusal = Self.refusal(ofName: name, in: projects) {
        // lint:allow logs of this tracker were folded so; the next one decides at the edge
        $0.name == name && $0.workspace == workspace
      }
      if let refusal { return refusal }
      projects.insert(Project(name: name, workspace: workspace))
    case .tagCreated(let name, let workspace):
      if let workspace, !workspaces.contains(workspace) { return .unknownWorkspace }
      let refusal = Self.refusal(ofName: name, in: tags) {
        // lint:allow logs of this tracker were folded so; the next one decides at the edge
        $0.name == name && $0.workspace == workspace
      }
      if let refusal { return refusal }
      tags.insert(Tag(name: name, workspace: workspace))
    }
    return nil
  }

  private static func refusal<ID, Entity>(
    ofName name: String, in table: EntityTable<ID, Entity>, _ isSame: (Entity) -> Bool
  ) -> Refusal? {
    if trimmed(name[...]).isEmpty { return .nameEmpty }
    return table.firstID(where: isSame) == nil ? nil : .nameTaken
  }
}

extension Library {
  /// Finds a user by name, byte for byte or else without regard to case.
  ///
  /// - Complexity: O(users).
  public func user(named name: String) -> UserID? { users.firstID(named: name, \.name) }

  /// Finds a project by name, byte for byte or else without regard to case.
  ///
  /// - Complexity: O(projects).
  public func project(named name: String) -> ProjectID? { projects.firstID(named: name, \.name) }

  /// Finds a tag by name, byte for byte or else without regard to case.
  ///
  /// - Complexity: O(tags).
  public func tag(named name: String) -> TagID? { tags.firstID(named: name, \.name) }
}

extension EntityTable {
  /// The lowest id whose entity passes a test.
  func firstID(where isMatch: (Entity) -> Bool) -> ID? {
    var found: ID?
    forEach { id, entity in
      if found == nil && isMatch(entity) { found = id }
    }
    return found
  }

  // lint:allow logs of this tracker were folded so; the next one decides at the edge
  /// The lowest id of that very name, else the lowest of that name in another case.
  func firstID(named name: String, _ nameOf: (Entity) -> String) -> ID? {
    if let exact = firstID(where: { nameOf($0) == name }) { return exact }
    let folded = name.lowercased()
    return firstID { nameOf($0).lowercased() == folded }
  }
}
