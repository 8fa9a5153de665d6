public import RetraceArchitecture
import RetraceAvro
import RetraceState

/// The decisions and rules of tags.
public enum Tags: RecordModule {
  /// The ids.
  public typealias ID = TagID
  /// The changes.
  public typealias Changes = TagChanges
  /// The commands.
  public typealias Command = RecordCommand<TagID, TagChanges>
  /// The refusals.
  public typealias Refusal = RecordRefusal

  /// Checks a tag that is created or changed.
  public static func check(
    _ entity: Tag, since before: Tag?, _ id: TagID?,
    in editor: borrowing EntityEditor<DomainEdit>
  ) throws(RecordRefusal) {
    try checkName(of: entity, id, in: editor)
    try Workspaces.requireLive(entity.workspace, unless: before?.workspace, in: editor)
  }

  /// Makes a tag an alias of another of the same place.
  public static func merge(
    _ id: TagID, into other: TagID, in editor: inout EntityEditor<DomainEdit>
  ) throws(RecordRefusal) { try alias(id, of: other, in: &editor) }

  /// Returns whether the name is not taken, and merges have an end.
  public static func allows(_ id: TagID, in state: borrowing DomainState) -> Bool {
    isSound(id, in: state)
  }

  /// Returns the names that are empty or taken twice, and merges in a cycle.
  public static func violations(of state: borrowing DomainState) -> [Violation] {
    violationsWithMerges(of: state, "tag")
  }
}
