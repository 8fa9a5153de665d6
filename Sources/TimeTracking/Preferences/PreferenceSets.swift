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
    if let currency = entity.currency, !Workspaces.isCurrency(currency) {
      throw .invalid(field: "currency")
    }
    let isInDay = entity.dayStart >= .zero && entity.dayStart < .seconds(86_400)
    guard isInDay else { throw .invalid(field: "dayStart") }
    if let time = entity.asksAfter, time <= .zero || time > TimeEntry.durationMax {
      throw .invalid(field: "asksAfter")
    }
    if let other = editor.state.preferences(of: entity.user), other.id != id {
      throw .inUse(type: PreferenceSetID.recordedName, id: other.id.value)
    }
  }

  /// Refuses a change of the currency if entries of the user have rates in it.
  public static func checkCurrency(
    of entity: PreferenceSet, since before: PreferenceSet, _ id: PreferenceSetID,
    in editor: borrowing EntityEditor<DomainEdit>
  ) throws(EntityRefusal) {
    let state = editor.state
    // The currency of a workspace comes first.
    if state.users.read(before.user, { $0.workspace != nil }) ?? false { return }
    let new = entity.user == before.user ? entity.currency : nil
    try state.checkCurrency(from: before.currency, to: new) {
      $0.user == before.user && $0.workspace == nil
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
