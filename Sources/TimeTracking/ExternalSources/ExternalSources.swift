public import RetraceArchitecture
import RetraceAvro
import RetraceState

/// The decisions and rules of sources.
public enum ExternalSources: EntityRules {
  /// The ids.
  public typealias ID = SourceID
  /// The changes.
  public typealias Changes = ExternalSourceChanges
  /// The commands.
  public typealias Command = EntityCommand<SourceID, ExternalSourceChanges>
  /// The refusals.
  public typealias Refusal = EntityRefusal

  /// Checks a source that is created or changed.
  public static func check(
    _ entity: ExternalSource, since before: ExternalSource?, _ id: SourceID?,
    in editor: borrowing EntityEditor<DomainEdit>
  ) throws(EntityRefusal) {
    try checkName(of: entity, id, in: editor)
  }
}
