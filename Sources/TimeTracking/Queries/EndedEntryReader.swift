public import RetraceState

/// The result of a search that ends early after a number of entries.
public enum BoundedSearch<Result: Equatable & Sendable>: Equatable, Sendable {
  /// The nearest one.
  case found(Result)
  /// There is none.
  case none
  /// The search ended early; it can go on from a moment.
  case stopped(Moment)
}

/// The number and the time of entries.
public struct EntrySum: Hashable, Sendable {
  /// The number of entries.
  public internal(set) var count = 0
  /// Their time, in whole seconds; overlapping entries count in full.
  public internal(set) var time = ElapsedTime.zero
  /// The moment at which the entries that are counted begin to end; `nil` if all are counted.
  public internal(set) var since: Moment?

  init(since: Moment?) { self.since = since }
}

/// A reader of the visible ended entries of a user in the table of all entries.
///
/// The table finds entries by their ends. So an entry belongs to the time in which it ended, and
/// crosses each earlier moment down to its start.
struct EndedEntryReader: Sendable {
  let user: UserID
  let domain: DomainState
  /// The condition that read entries match; `nil` for all entries.
  let condition: EntryCondition?

  init(_ domain: DomainState, _ user: UserID, where condition: EntryCondition? = nil) {
    (self.user, self.domain, self.condition) = (user, domain, condition)
  }

  /// Returns the entries that end in a range.
  ///
  /// - Complexity: O(entries of all users that end in the range).
  func entries(endingIn range: Range<Moment>) -> [IdentifiedEntry] {
    guard !range.isEmpty else { return [] }
    return entries(endingIn: range.lowerBound...range.upperBound.previous) { _ in true }
  }

  /// Returns the entries that began before a moment and did not end before it.
  ///
  /// - Complexity: O(entries of all users that end within 999 hours after the moment).
  func entries(crossing moment: Moment) -> [IdentifiedEntry] {
    entries(endingIn: moment...moment.adding(TimeEntry.durationMax)) { $0.start < moment }
  }

  /// Returns the latest end before a moment.
  ///
  /// - Parameters:
  ///   - moment: The moment.
  ///   - visits: The number of entries after which the search stops, from which the visited ones
  ///     are subtracted. The search goes on at least to entries that end before those next to the
  ///     moment.
  /// - Returns: If the search stopped, a moment at which or after which no entry ends, up to
  ///   `moment`.
  /// - Complexity: As `EntityTable.search`.
  func latestEnd(before moment: Moment, visits: inout Int) -> BoundedSearch<Moment> {
    let found = search(.descending, from: moment.previous, &visits) { _ in true }
    if let end = found.entities.first?.entity.end { return .found(end) }
    return found.rest.map { .stopped(Moment(microseconds: $0).next) } ?? .none
  }

  /// Returns the start of the entry that ends first of those that began at or after a moment.
  ///
  /// - Parameters:
  ///   - moment: The moment.
  ///   - rest: The moment from which the search goes on.
  ///   - visits: As for ``latestEnd(before:visits:)``.
  /// - Complexity: As `EntityTable.search`.
  func firstStart(
    from moment: Moment, rest: Moment, visits: inout Int
  ) -> BoundedSearch<Moment> {
    let found = search(.ascending, from: rest, &visits) { $0.start >= moment }
    if let start = found.entities.first?.entity.start { return .found(start) }
    return found.rest.map { .stopped(Moment(microseconds: $0)) } ?? .none
  }

  /// Returns the sum of the entries with the latest ends.
  ///
  /// - Parameter visits: As for ``latestEnd(before:visits:)``.
  /// - Complexity: As `EntityTable.search`.
  func sum(visits: Int) -> EntrySum {
    var visible = VisibleEntries(domain)
    var matcher = EntryConditionMatcher(condition, in: domain)
    var found: [(end: Int64, time: ElapsedTime)] = []
    let rest = domain.timeEntries.search(.descending, limit: 1, visits: visits) { id, entry in
      if entry.user == user, entry.end != nil, visible.contains(entry),
        matcher.matches(entry, id)
      {
        found.append((entry.sortKey, entry.elapsed(at: entry.start)))
      }
      return false
    }
    .rest
    var sum = EntrySum(since: rest.map { Moment(microseconds: $0).next })
    // At and before the rest, the search has met some entries and not others.
    for entry in found where rest.map({ entry.end > $0 }) ?? true {
      sum.count += 1
      sum.time = sum.time.adding(entry.time)
    }
    return sum
  }

  private func entries(
    endingIn range: ClosedRange<Moment>, where isWanted: (TimeEntry) -> Bool
  ) -> [IdentifiedEntry] {
    var entries: [IdentifiedEntry] = []
    var visible = VisibleEntries(domain)
    var matcher = EntryConditionMatcher(condition, in: domain)
    let ends = range.lowerBound.microseconds...range.upperBound.microseconds
    domain.timeEntries.forEach(inSortKeys: ends) { id, entry in
      guard entry.user == user, entry.end != nil, isWanted(entry), visible.contains(entry),
        matcher.matches(entry, id)
      else { return }
      entries.append(IdentifiedEntry(id: id, entry: entry))
    }
    return entries
  }

  /// Returns the first entry in an order of ends.
  private func search(
    _ order: SortKeyOrder, from moment: Moment, _ visits: inout Int,
    where isWanted: (TimeEntry) -> Bool
  ) -> TableSearchResult<TimeEntryID, TimeEntry> {
    var visible = VisibleEntries(domain)
    var matcher = EntryConditionMatcher(condition, in: domain)
    var visited = 0
    let found = domain.timeEntries.search(
      order, from: moment.microseconds, limit: 1, visits: max(0, visits)
    ) { id, entry in
      visited += 1
      return entry.user == user && entry.end != nil && isWanted(entry) && visible.contains(entry)
        && matcher.matches(entry, id)
    }
    visits -= visited
    return found
  }
}

extension Moment {
  /// The moment a microsecond earlier.
  var previous: Moment { adding(ElapsedTime(microseconds: -1)) }
  /// The moment a microsecond later.
  var next: Moment { adding(ElapsedTime(microseconds: 1)) }
}
