public import RetraceArchitecture
import RetraceAvro
import RetraceState

/// The decisions and rules of tags.
public enum Tags: EntityRules {
  /// The ids.
  public typealias ID = TagID
  /// The changes.
  public typealias Changes = TagChanges
  /// The commands.
  public typealias Command = EntityCommand<TagID, TagChanges>
  /// The refusals.
  public typealias Refusal = EntityRefusal

  /// Checks a tag that is created or changed.
  public static func check(
    _ entity: Tag, since before: Tag?, _ id: TagID?,
    in editor: borrowing EntityEditor<DomainEdit>
  ) throws(EntityRefusal) {
    try checkName(of: entity, id, in: editor)
    try Workspaces.requireLive(entity.workspace, unless: before?.workspace, in: editor)
  }
}
