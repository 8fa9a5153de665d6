public import RetraceArchitecture
import RetraceAvro
import RetraceState

/// The decisions and rules of clients.
public enum Clients: RecordModule {
  /// The ids.
  public typealias ID = ClientID
  /// The changes.
  public typealias Changes = ClientChanges
  /// The commands.
  public typealias Command = RecordCommand<ClientID, ClientChanges>
  /// The refusals.
  public typealias Refusal = RecordRefusal

  /// Checks a client that is created or changed.
  public static func check(
    _ entity: Client, since before: Client?, _ id: ClientID?,
    in editor: borrowing EntityEditor<DomainEdit>
  ) throws(RecordRefusal) {
    try checkName(of: entity, id, in: editor)
    try Workspaces.requireLive(entity.workspace, unless: before?.workspace, in: editor)
  }

  /// Makes a client an alias of another of the same place.
  public static func merge(
    _ id: ClientID, into other: ClientID, in editor: inout EntityEditor<DomainEdit>
  ) throws(RecordRefusal) { try alias(id, of: other, in: &editor) }

  /// Returns whether the name is not taken, and merges have an end.
  public static func allows(_ id: ClientID, in state: borrowing DomainState) -> Bool {
    isSound(id, in: state)
  }

  /// Returns the names that are empty or taken twice, and merges in a cycle.
  public static func violations(of state: borrowing DomainState) -> [Violation] {
    violationsWithMerges(of: state, "client")
  }
}
