public import RetraceArchitecture
import RetraceAvro
import RetraceState

/// The decisions and rules of workspaces.
public enum Workspaces: EntityRules {
  /// The ids.
  public typealias ID = WorkspaceID
  /// The changes.
  public typealias Changes = WorkspaceChanges
  /// The commands.
  public typealias Command = EntityCommand<WorkspaceID, WorkspaceChanges>
  /// The refusals.
  public typealias Refusal = EntityRefusal

  /// Checks a workspace that is created or changed.
  public static func check(
    _ entity: Workspace, since before: Workspace?, _ id: WorkspaceID?,
    in editor: borrowing EntityEditor<DomainEdit>
  ) throws(EntityRefusal) {
    try checkName(of: entity, id, in: editor)
    guard isCurrency(entity.currency) else { throw .invalid(field: "currency") }
    if let rate = entity.rate, rate < 0 { throw .invalid(field: "rate") }
  }

  /// Returns whether a text has the form of an ISO 4217 code: three capital letters.
  static func isCurrency(_ text: String) -> Bool {
    text.utf8.count == 3 && text.utf8.allSatisfy { (0x41...0x5a).contains($0) }
  }

  /// Refuses a change of the currency if entries of the workspace have rates.
  public static func checkCurrency(
    of entity: Workspace, since before: Workspace, _ id: WorkspaceID,
    in editor: borrowing EntityEditor<DomainEdit>
  ) throws(EntityRefusal) {
    let state = editor.state
    try state.checkCurrency(from: before.currency, to: entity.currency) { entry in
      (entry.workspace ?? state.users.read(entry.user) { $0.workspace } ?? nil) == id
    }
  }

  /// Refuses to delete a workspace that a client, project, tag or user refers to.
  public static func checkUnused(
    _ id: WorkspaceID, in editor: borrowing EntityEditor<DomainEdit>
  ) throws(EntityRefusal) {
    try requireUnused(editor.state.clients) { $0.workspace == id }
    try requireUnused(editor.state.projects) { $0.workspace == id }
    try requireUnused(editor.state.tags) { $0.workspace == id }
    try requireUnused(editor.state.users) { $0.workspace == id }
  }

  private static func requireUnused<ID, Entity: TrackedEntity>(
    _ table: EntityTable<ID, Entity>, _ refers: (Entity) -> Bool
  ) throws(EntityRefusal) {
    var found: ID?
    table.forEach { id, entity in
      if found == nil, entity.deleted == nil, refers(entity) { found = id }
    }
    if let found { throw .inUse(type: ID.recordedName, id: found.value) }
  }
}
