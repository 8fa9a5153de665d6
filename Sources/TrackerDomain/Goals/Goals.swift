public import RetraceArchitecture
import RetraceAvro
import RetraceState

/// The decisions and rules of goals.
public enum Goals: RecordModule {
  /// The ids.
  public typealias ID = GoalID
  /// The changes.
  public typealias Changes = GoalChanges
  /// The commands.
  public typealias Command = RecordCommand<GoalID, GoalChanges>
  /// The refusals.
  public typealias Refusal = RecordRefusal

  /// Checks a goal that is created or changed.
  public static func check(
    _ entity: inout Goal, _ id: GoalID?, in editor: borrowing EntityEditor<DomainEdit>
  ) throws(RecordRefusal) {
    try checkName(of: entity, id, in: editor)
    _ = try Users.live(entity.user, in: editor)
    if let project = entity.project { _ = try Projects.live(project, in: editor) }
    if let tag = entity.tag { _ = try Tags.live(tag, in: editor) }
    guard entity.target > .zero else { throw .invalid(field: "target") }
  }

  /// Returns whether the name is not taken.
  public static func allows(_ id: GoalID, in state: borrowing DomainState) -> Bool {
    hasFreeName(id, in: state)
  }

  /// Returns the names that are empty or taken twice.
  public static func violations(of state: borrowing DomainState) -> [Violation] {
    nameViolations(of: state, "goal")
  }
}
