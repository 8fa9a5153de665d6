public import RetraceArchitecture
import RetraceAvro
import RetraceState

/// The decisions and rules of preferences.
public enum PreferenceSets: EntityRules {
  /// The ids.
  public typealias ID = PreferenceSetID
  /// The changes.
  public typealias Changes = PreferenceSetChanges
  /// The commands.
  public typealias Command = EntityCommand<PreferenceSetID, PreferenceSetChanges>
  /// The refusals.
  public typealias Refusal = EntityRefusal

  /// Checks preferences that are created or changed.
  public static func check(
    _ entity: PreferenceSet, since before: PreferenceSet?, _ id: PreferenceSetID?,
    in editor: borrowing EntityEditor<DomainEdit>
  ) throws(EntityRefusal) {
    try Users.requireLive(entity.user, unless: before?.user, in: editor)
    guard (0...6).contains(entity.firstWeekday) else { throw .invalid(field: "firstWeekday") }
    if let zone = entity.zone, zone.utf8.count > Name.bytesMax { throw .invalid(field: "zone") }
    let isInDay = entity.dayStart >= .zero && entity.dayStart < .seconds(86_400)
    guard isInDay else { throw .invalid(field: "dayStart") }
    if let other = editor.state.preferences(of: entity.user), other.id != id {
      throw .inUse(type: PreferenceSetID.recordedName, id: other.id.value)
    }
  }

  /// Returns whether the user has no other preferences.
  public static func allows(_ id: PreferenceSetID, in state: borrowing DomainState) -> Bool {
    guard let user = state.preferenceSets.live(id)?.user else { return true }
    var count = 0
    state.preferenceSets.forEach { _, set in
      if set.deleted == nil, set.user == user { count += 1 }
    }
    return count == 1
  }
}
