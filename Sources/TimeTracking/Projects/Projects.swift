public import RetraceArchitecture
import RetraceAvro
import RetraceState

/// The decisions and rules of projects.
public enum Projects: EntityRules {
  /// The ids.
  public typealias ID = ProjectID
  /// The changes.
  public typealias Changes = ProjectChanges
  /// The commands.
  public typealias Command = EntityCommand<ProjectID, ProjectChanges>
  /// The refusals.
  public typealias Refusal = EntityRefusal

  /// Checks a project that is created or changed.
  public static func check(
    _ entity: Project, since before: Project?, _ id: ProjectID?,
    in editor: borrowing EntityEditor<DomainEdit>
  ) throws(EntityRefusal) {
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

  /// Refuses the name of a project if another project of the client has the name by a merge.
  public static func checkDistinct(
    _ entity: Project, since before: Project?, _ id: ProjectID?,
    in editor: borrowing EntityEditor<DomainEdit>
  ) throws(EntityRefusal) {
    guard before?.name != entity.name || before?.client != entity.client,
      let client = entity.client.flatMap({ editor.state.clients.resolve($0) })
    else { return }
    var own = [NamedProject(name: entity.name)]
    // The names of projects that were merged into this one are its names, too.
    let projects = editor.state.projects
    projects.forEach { alias, other in
      if other.deleted == nil, other.mergedInto != nil, projects.resolve(alias) == id {
        own.append(NamedProject(name: other.name, isAlias: true))
      }
    }
    let others = editor.state.namedProjects(of: client).filter { $0.id != id }
    let taken = own.first { project in others.contains { $0.isMistaken(for: project) } }
    if let taken { throw .nameTaken(taken.name) }
  }

  /// Refuses to merge two projects that both have a task of one name.
  public static func checkParts(
    of id: ProjectID, and other: ProjectID, in editor: borrowing EntityEditor<DomainEdit>
  ) throws(EntityRefusal) {
    try refuseShared(
      editor.state.sharedTasks(of: id, and: other), type: TaskID.recordedName)
  }
}
