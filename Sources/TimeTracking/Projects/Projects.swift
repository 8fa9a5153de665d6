public import RetraceArchitecture
import RetraceAvro
import RetraceState

/// The decisions and rules of projects.
public enum Projects: RecordModule {
  /// The ids.
  public typealias ID = ProjectID
  /// The changes.
  public typealias Changes = ProjectChanges
  /// The commands.
  public typealias Command = RecordCommand<ProjectID, ProjectChanges>
  /// The refusals.
  public typealias Refusal = RecordRefusal

  /// Checks a project that is created or changed.
  public static func check(
    _ entity: Project, since before: Project?, _ id: ProjectID?,
    in editor: borrowing EntityEditor<DomainEdit>
  ) throws(RecordRefusal) {
    try checkName(of: entity, id, in: editor)
    try Workspaces.requireLive(entity.workspace, unless: before?.workspace, in: editor)
    if let client = entity.client,
      client != before?.client || entity.workspace != before?.workspace
    {
      let client = try Clients.live(client, in: editor)
      guard client.workspace == entity.workspace else { throw .invalid(field: "client") }
    }
    guard (0...0xff_ffff).contains(entity.color) else { throw .invalid(field: "color") }
    if let estimate = entity.estimate, estimate < .zero { throw .invalid(field: "estimate") }
    if let rate = entity.rate, rate < 0 { throw .invalid(field: "rate") }
  }
}
