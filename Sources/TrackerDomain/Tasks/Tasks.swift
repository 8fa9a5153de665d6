public import RetraceArchitecture
import RetraceAvro
import RetraceState

/// The decisions and rules of tasks.
public enum Tasks: RecordModule {
  /// The ids.
  public typealias ID = TaskID
  /// The changes.
  public typealias Changes = ProjectTaskChanges
  /// The commands.
  public typealias Command = RecordCommand<TaskID, ProjectTaskChanges>
  /// The refusals.
  public typealias Refusal = RecordRefusal

  /// Checks a task that is created or changed.
  public static func check(
    _ entity: ProjectTask, since before: ProjectTask?, _ id: TaskID?,
    in editor: borrowing EntityEditor<DomainEdit>
  ) throws(RecordRefusal) {
    try checkName(of: entity, id, in: editor)
    try Projects.requireLive(entity.project, unless: before?.project, in: editor)
    if let estimate = entity.estimate, estimate < .zero { throw .invalid(field: "estimate") }
  }

  /// Makes a task an alias of another of the same place.
  public static func merge(
    _ id: TaskID, into other: TaskID, in editor: inout EntityEditor<DomainEdit>
  ) throws(RecordRefusal) { try alias(id, of: other, in: &editor) }

  /// Returns whether the name is not taken, and merges have an end.
  public static func allows(_ id: TaskID, in state: borrowing DomainState) -> Bool {
    isSound(id, in: state)
  }

  /// Returns the names that are empty or taken twice, and merges in a cycle.
  public static func violations(of state: borrowing DomainState) -> [Violation] {
    violationsWithMerges(of: state, "task")
  }
}
