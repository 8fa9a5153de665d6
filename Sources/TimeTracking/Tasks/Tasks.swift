public import RetraceArchitecture
import RetraceAvro
import RetraceState

/// The decisions and rules of tasks.
public enum Tasks: EntityRules {
  /// The ids.
  public typealias ID = TaskID
  /// The changes.
  public typealias Changes = ProjectTaskChanges
  /// The commands.
  public typealias Command = EntityCommand<TaskID, ProjectTaskChanges>
  /// The refusals.
  public typealias Refusal = EntityRefusal

  /// Returns a task in the project that its project was merged into.
  public static func withResolvedScope(
    _ task: ProjectTask, in state: borrowing DomainState
  ) -> ProjectTask {
    var task = task
    task.project = state.projects.resolve(task.project) ?? task.project
    return task
  }

  /// Checks a task that is created or changed.
  public static func check(
    _ entity: ProjectTask, since before: ProjectTask?, _ id: TaskID?,
    in editor: borrowing EntityEditor<DomainEdit>
  ) throws(EntityRefusal) {
    // A merge of projects can leave two tasks with the same name, so only a new name is checked.
    if entity.name != before?.name || entity.project != before?.project {
      try checkName(of: entity, id, in: editor)
    }
    try Projects.requireLive(entity.project, unless: before?.project, in: editor)
    if let estimate = entity.estimate, estimate < .zero { throw .invalid(field: "estimate") }
  }
}
