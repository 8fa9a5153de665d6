public import CivilTime
import RetraceArchitecture
import RetraceState

extension AppState {
  /// The running entry of a user.
  ///
  /// - Complexity: O(1).
  public func runningEntry(of user: UserID) -> (id: TimeEntryID, entry: TimeEntry)? {
    guard let id = timeline.running[user], let entry = timeline.entries[id] else { return nil }
    return (id, entry)
  }

  /// The entries with the latest starts, the latest first; of equal starts the higher id.
  ///
  /// - Parameters:
  ///   - user: Whose entries; `nil` for everybody's.
  ///   - limit: How many at most.
  /// - Complexity: O(entries that start about when those of the answer do), see
  ///   `EntityTable.highest(_:where:)`; O(entries) where there are fewer than `limit`.
  public func recentEntries(
    of user: UserID?, limit: Int
  ) -> [(id: TimeEntryID, entry: TimeEntry)] {
    timeline.entries.highest(limit) { user == nil || $0.user == user }
      .map { (id: $0.id, entry: $0.entity) }
  }

  /// The entries that begin on a day of a zone, the earliest first.
  ///
  /// - Parameters:
  ///   - date: The day.
  ///   - rules: The zone by whose clocks the day is meant.
  ///   - user: Whose entries; `nil` for everybody's.
  /// - Complexity: O(entries of the leaves whose starts meet the day).
  public func entries(
    on date: CivilDate, in rules: ZoneRules, of user: UserID? = nil
  ) -> [(id: TimeEntryID, entry: TimeEntry)] {
    let start = rules.startOfDay(date).microseconds
    let next = CivilDate(daysSince1970: date.daysSince1970 + 1)
    let end = rules.startOfDay(next).microseconds
    guard start < end else { return [] }
    var found: [(id: TimeEntryID, entry: TimeEntry)] = []
    timeline.entries.forEach(inSortKeys: start...(end - 1)) { id, entry in
      if user == nil || entry.user == user { found.append((id, entry)) }
    }
    return found.sorted { ($0.entry.start, $0.id) < ($1.entry.start, $1.id) }
  }
}
