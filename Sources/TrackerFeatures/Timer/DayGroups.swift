import Retrace
import TimeTracking

/// The groups of the similar entries of days, kept from frame to frame.
struct DayGroups: Sendable {
  private struct Kept: Sendable {
    let entries: [IdentifiedEntry]
    let groups: [EntryGroup]
  }

  private var domain: DomainState
  /// The groups that were asked for since the last call of ``follow(_:)``, by the numbers of their
  /// days.
  private var asked: [Int: Kept] = [:]
  /// The groups that were asked for before that.
  private var earlier: [Int: Kept] = [:]

  /// Creates a value that keeps nothing.
  ///
  /// - Parameter domain: The state with the names.
  init(_ domain: DomainState) { self.domain = domain }

  /// Returns the groups of a day.
  ///
  /// - Complexity: O(1) if they are kept, else as `EntryDay.groups(_:)`.
  mutating func groups(of day: EntryDay) -> [EntryGroup] {
    let number = day.date.daysSince1970
    // Kept entries share the array of the day, so they are not compared one by one.
    if let kept = asked[number] ?? earlier[number], kept.entries == day.entries {
      asked[number] = kept
      return kept.groups
    }
    var aliases = AliasResolver(domain)
    let groups = day.groups(&aliases)
    asked[number] = Kept(entries: day.entries, groups: groups)
    return groups
  }

  /// Takes the value to another state, and forgets what was not asked for since the call before.
  ///
  /// - Complexity: O(kept days) if no project, task or tag has changed.
  mutating func follow(_ domain: DomainState) {
    let older = self.domain
    self.domain = domain
    let areSame =
      older.projects == domain.projects && older.tasks == domain.tasks && older.tags == domain.tags
    earlier = areSame ? asked : [:]
    asked = [:]
  }
}
