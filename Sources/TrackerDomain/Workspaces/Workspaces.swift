public import RetraceArchitecture
import RetraceAvro
import RetraceState

/// The decisions and rules of workspaces.
public enum Workspaces: RecordModule {
  /// The ids.
  public typealias ID = WorkspaceID
  /// The changes.
  public typealias Changes = WorkspaceChanges
  /// The commands.
  public typealias Command = RecordCommand<WorkspaceID, WorkspaceChanges>
  /// The refusals.
  public typealias Refusal = RecordRefusal

  /// Checks a workspace that is created or changed.
  public static func check(
    _ entity: Workspace, since before: Workspace?, _ id: WorkspaceID?,
    in editor: borrowing EntityEditor<DomainEdit>
  ) throws(RecordRefusal) {
    try checkName(of: entity, id, in: editor)
    let isCode =
      entity.currency.utf8.count == 3
      && entity.currency.utf8.allSatisfy { (0x41...0x5a).contains($0) }
    guard isCode else { throw .invalid(field: "currency") }
    if let rate = entity.rate, rate < 0 { throw .invalid(field: "rate") }
  }

  /// Refuses to delete a workspace with projects.
  public static func checkUnused(
    _ id: WorkspaceID, in editor: borrowing EntityEditor<DomainEdit>
  ) throws(RecordRefusal) {
    var user: ProjectID?
    editor.state.projects.forEach { project, entity in
      if entity.workspace == id, entity.deleted == nil { user = user ?? project }
    }
    if let user { throw .inUse(type: ProjectID.recordedName, id: user.value) }
  }

  /// Returns whether the name is not taken.
  public static func allows(_ id: WorkspaceID, in state: borrowing DomainState) -> Bool {
    hasFreeName(id, in: state)
  }

  /// Returns the names that are empty or taken twice.
  public static func violations(of state: borrowing DomainState) -> [Violation] {
    nameViolations(of: state, "workspace")
  }
}
