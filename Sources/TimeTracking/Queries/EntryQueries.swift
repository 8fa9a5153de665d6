public import RetraceArchitecture

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
  ///   - moment: Where to look first; the answer does not depend on it.
  /// - Complexity: O(entries whose starts lie near or after `moment`), and O(entries) where those
  ///   are fewer than `limit`.
  public func recentEntries(
    of user: UserID?, limit: Int, near moment: Moment
  ) -> [(id: TimeEntryID, entry: TimeEntry)] {
    guard limit > 0 else { return [] }
    for days in [1, 8, 64] as [Int64] {
      let from = moment.adding(ElapsedTime(microseconds: -days * 86_400_000_000))
      let found = entries(of: user, from: from, limit: limit)
      if found.count == limit { return found }
    }
    return entries(of: user, from: Moment(microseconds: Int64.min), limit: limit)
  }

  private func entries(
    of user: UserID?, from start: Moment, limit: Int
  ) -> [(id: TimeEntryID, entry: TimeEntry)] {
    var found: [(id: TimeEntryID, entry: TimeEntry)] = []
    timeline.entries.forEach(inZones: start.microseconds...Int64.max) { id, entry in
      guard user == nil || entry.user == user else { return }
      found.append((id, entry))
      // Sorting now and then keeps the list short and the whole linear.
      if found.count >= limit * 2 + 64 { found.keepLatest(limit) }
    }
    found.keepLatest(limit)
    return found
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
    timeline.entries.forEach(inZones: start...(end - 1)) { id, entry in
      if user == nil || entry.user == user { found.append((id, entry)) }
    }
    return found.sorted { ($0.entry.start, $0.id) < ($1.entry.start, $1.id) }
  }
}

extension [(id: TimeEntryID, entry: TimeEntry)] {
  /// Sorts by start, the latest first, and keeps so many.
  fileprivate mutating func keepLatest(_ limit: Int) {
    sort { ($0.entry.start, $0.id) > ($1.entry.start, $1.id) }
    if count > limit { removeLast(count - limit) }
  }
}
