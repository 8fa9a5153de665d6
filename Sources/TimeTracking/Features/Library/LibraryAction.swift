public import RetraceAvro

/// Users, workspaces, projects and tags were added.
public enum LibraryAction: Recordable, Equatable {
  /// A user was added.
  case userCreated(name: String)
  /// A workspace was added.
  case workspaceCreated(name: String)
  /// A project was added, perhaps to a workspace.
  case projectCreated(name: String, workspace: WorkspaceID?)
  /// A tag was added, perhaps to a workspace.
  case tagCreated(name: String, workspace: WorkspaceID?)
}
