public import RetraceArchitecture
import RetraceAvro
import RetraceState

/// The decisions and rules of clients.
public enum Clients: EntityRules {
  /// The ids.
  public typealias ID = ClientID
  /// The changes.
  public typealias Changes = ClientChanges
  /// The commands.
  public typealias Command = EntityCommand<ClientID, ClientChanges>
  /// The refusals.
  public typealias Refusal = EntityRefusal

  /// Checks a client that is created or changed.
  public static func check(
    _ entity: Client, since before: Client?, _ id: ClientID?,
    in editor: borrowing EntityEditor<DomainEdit>
  ) throws(EntityRefusal) {
    try checkName(of: entity, id, in: editor)
    try Workspaces.requireLive(entity.workspace, unless: before?.workspace, in: editor)
  }

  /// Refuses to merge two clients that both have a project of one name.
  public static func checkParts(
    of id: ClientID, and other: ClientID, in editor: borrowing EntityEditor<DomainEdit>
  ) throws(EntityRefusal) {
    let names = editor.state.sharedProjects(of: id, and: other).map { $0.own.name }
    try refuseShared(names, type: ProjectID.recordedName)
  }
}
