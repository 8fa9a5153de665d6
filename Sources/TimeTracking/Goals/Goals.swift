public import RetraceArchitecture
import RetraceAvro
import RetraceState

/// The decisions and rules of goals.
public enum Goals: EntityRules {
  /// The ids.
  public typealias ID = GoalID
  /// The changes.
  public typealias Changes = GoalChanges
  /// The commands.
  public typealias Command = EntityCommand<GoalID, GoalChanges>
  /// The refusals.
  public typealias Refusal = EntityRefusal

  /// Checks a goal that is created or changed.
  public static func check(
    _ entity: Goal, since before: Goal?, _ id: GoalID?,
    in editor: borrowing EntityEditor<DomainEdit>
  ) throws(EntityRefusal) {
    try checkName(of: entity, id, in: editor)
    try Users.requireLive(entity.user, unless: before?.user, in: editor)
    try Projects.requireLive(entity.project, unless: before?.project, in: editor)
    try Tags.requireLive(entity.tag, unless: before?.tag, in: editor)
    guard entity.target > .zero else { throw .invalid(field: "target") }
  }
}
