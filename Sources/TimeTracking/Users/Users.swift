public import RetraceArchitecture
import RetraceAvro
import RetraceState

/// The decisions and rules of users.
public enum Users: EntityRules {
  /// The ids.
  public typealias ID = UserID
  /// The changes.
  public typealias Changes = UserChanges
  /// The commands.
  public typealias Command = EntityCommand<UserID, UserChanges>
  /// The refusals.
  public typealias Refusal = EntityRefusal

  /// Checks a user that is created or changed.
  public static func check(
    _ entity: User, since before: User?, _ id: UserID?,
    in editor: borrowing EntityEditor<DomainEdit>
  ) throws(EntityRefusal) {
    try checkName(of: entity, id, in: editor)
    if let email = entity.email, email.utf8.count > Name.bytesMax { throw .invalid(field: "email") }
    try Workspaces.requireLive(entity.workspace, unless: before?.workspace, in: editor)
    if let rate = entity.rate, rate < 0 { throw .invalid(field: "rate") }
  }

  /// Refuses a change of the workspace that would put rates of the user's entries into another
  /// currency.
  public static func checkCurrency(
    of entity: User, since before: User, _ id: UserID,
    in editor: borrowing EntityEditor<DomainEdit>
  ) throws(EntityRefusal) {
    let state = editor.state
    let preferred = state.preferences(of: id)?.set.currency
    func currency(_ workspace: WorkspaceID?) -> String? {
      workspace.flatMap { state.workspaces.read($0) { $0.currency } } ?? preferred
    }
    try state.checkCurrency(from: currency(before.workspace), to: currency(entity.workspace)) {
      $0.user == id && $0.workspace == nil
    }
  }

  /// Refuses to delete a user with a running entry.
  public static func checkUnused(
    _ id: UserID, in editor: borrowing EntityEditor<DomainEdit>
  ) throws(EntityRefusal) {
    if let (entry, _) = editor.state.runningEntry(of: id) {
      throw .inUse(type: TimeEntryID.recordedName, id: entry.value)
    }
  }
}
