import RetraceArchitecture
import RetraceAvro
public import RetraceState

/// Somebody whose time is tracked.
public struct User: TableEntity, Hashable {
  /// The name, unique among users.
  public var name: String

  /// Makes a user.
  public init(name: String) { self.name = name }
}

/// A group of projects and tags.
public struct Workspace: TableEntity, Hashable {
  /// The name, unique among workspaces.
  public var name: String

  /// Makes a workspace.
  public init(name: String) { self.name = name }
}

/// What time is spent on.
public struct Project: TableEntity, Hashable {
  /// The name, unique in its workspace.
  public var name: String
  /// The workspace, if the project belongs to one.
  public var workspace: WorkspaceID?

  /// Makes a project.
  public init(name: String, workspace: WorkspaceID? = nil) {
    self.name = name
    self.workspace = workspace
  }
}

/// A label of time entries.
public struct Tag: TableEntity, Hashable {
  /// The name, unique in its workspace.
  public var name: String
  /// The workspace, if the tag belongs to one.
  public var workspace: WorkspaceID?

  /// Makes a tag.
  public init(name: String, workspace: WorkspaceID? = nil) {
    self.name = name
    self.workspace = workspace
  }
}
