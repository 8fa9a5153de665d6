public import CivilTime
public import RetraceState

/// The ended entries of a user by the days of a calendar.
///
/// It reads a day when the day is asked for, and keeps it. ``follow(_:)`` takes it to another
/// state and forgets only the days that differ there. So a list that is painted again reads
/// nothing, and the next older day reads only the entries that end on it.
///
/// The running entry is on no day.
public struct EntryDays: Sendable {
  /// The number of kept entries beyond which ``follow(_:)`` forgets days that were not asked for; a
  /// day counts as one more.
  private static var keptMax: Int { 4_096 }
  /// The number of changed entries beyond which ``follow(_:)`` forgets all days.
  private static var changesMax: Int { 512 }

  /// The calendar.
  public let calendar: ReportCalendar
  private(set) var reader: EndedEntryReader
  /// The kept days by their numbers.
  private var days: [Int: EntryDay] = [:]
  /// The numbers of the days that were asked for since the last call of ``follow(_:)``.
  private var asked: Set<Int> = []
  /// The numbers of the kept days that were found before moments.
  private var found: [Moment: Int] = [:]

  /// Creates a value that keeps no day.
  ///
  /// - Parameters:
  ///   - user: The user.
  ///   - calendar: The calendar.
  ///   - domain: The state with the entries.
  ///   - condition: The condition that the entries match; `nil` for all entries. The times of days
  ///     are then those of the entries that match.
  public init(
    of user: UserID, in calendar: ReportCalendar, _ domain: DomainState,
    where condition: EntryCondition? = nil
  ) {
    self.calendar = calendar
    reader = EndedEntryReader(domain, user, where: condition)
  }

  /// The user.
  public var user: UserID { reader.user }

  /// The condition that the entries match; `nil` for all entries.
  public var condition: EntryCondition? { reader.condition }

  /// Returns the sum of the entries with the latest ends.
  ///
  /// - Parameter visits: The number of entries of all users after which the search for them stops.
  /// - Complexity: As `EntityTable.search`.
  public func sum(visits: Int) -> EntrySum { reader.sum(visits: visits) }

  // MARK: Days

  /// Returns a day.
  ///
  /// - Complexity: O(1) if the day is kept. Else O(*n* log *n*) for the *n* entries of all users
  ///   that end on it or, unless the next day is kept, within 999 hours after it.
  public mutating func day(_ date: CivilDate) -> EntryDay {
    if let day = kept(date.daysSince1970) { return day }
    let range = calendar.range(of: date)
    return read(date, range, crossing: entries(crossing: range.upperBound))
  }

  /// Returns the sum of the times of days.
  ///
  /// - Complexity: As ``day(_:)`` for each day; the next one is kept, but for the last day.
  public mutating func time(of dates: Range<CivilDate>) -> ElapsedTime {
    var sum = ElapsedTime.zero
    var date = dates.upperBound
    while date > dates.lowerBound {
      date = date.adding(days: -1)
      sum = sum.adding(day(date).time)
    }
    return sum
  }

  /// Returns the latest day on which an entry began before a moment.
  ///
  /// - Parameters:
  ///   - moment: The start of a day, or the moment from which a search goes on.
  ///   - visits: The number of entries after which the search stops, but not before it can go on
  ///     from an earlier moment. The visited ones are subtracted.
  /// - Complexity: O(1) if the result is kept. Else as `EntityTable.search`, and as ``day(_:)`` for
  ///   the result and each later day on which an entry ended and none began.
  public mutating func day(
    before moment: Moment, visits: inout Int
  ) -> BoundedSearch<EntryDay> {
    if let number = found[moment], let day = kept(number) { return .found(day) }
    var limit = moment
    var crossing = entries(crossing: limit)
    while true {
      // No entry ends between the found end, or the rest of the search, and the limit. So an entry
      // that began after that crosses the limit.
      var latest = crossing.map { $0.entry.start }.max()
      switch reader.latestEnd(before: limit, visits: &visits) {
      case .found(let end): latest = max(latest ?? end, end)
      case .none: break
      case .stopped(let rest):
        guard let start = latest, start >= rest else { return .stopped(rest) }
      }
      guard let latest else { return .none }
      let day = day(at: latest, before: limit, crossing)
      // The calendar has no day for a moment beyond its years.
      guard day.range.lowerBound < limit else { return .none }
      if day.entries.contains(where: { $0.entry.start < limit }) {
        found[moment] = day.date.daysSince1970
        return .found(day)
      }
      (limit, crossing) = (day.range.lowerBound, day.carried)
      if visits <= 0 { return .stopped(limit) }
    }
  }

  /// Returns the earliest day on which an entry began at or after a moment.
  ///
  /// - Parameters:
  ///   - moment: The start of a day.
  ///   - rest: The moment from which a search goes on; `nil` for a new one.
  ///   - visits: The number of entries after which the search stops, but not before it can go on
  ///     from a later moment. The visited ones are subtracted.
  /// - Complexity: As `EntityTable.search`, and as ``day(_:)`` for two days.
  public mutating func day(
    from moment: Moment, rest: Moment? = nil, visits: inout Int
  ) -> BoundedSearch<EntryDay> {
    switch reader.firstStart(from: moment, rest: rest ?? moment, visits: &visits) {
    case .none: return .none
    case .stopped(let rest): return .stopped(rest)
    case .found(let start):
      let day = day(calendar.day(at: start))
      // An entry that began earlier and ended later is carried into the day.
      let earlier = day.carried.map { $0.entry.start }.filter { $0 >= moment }.min()
      return .found(earlier.map { self.day(calendar.day(at: $0)) } ?? day)
    }
  }

  // MARK: Kept days

  /// Takes the value to another state.
  ///
  /// If it keeps more than 4,096 entries, it forgets the days that were not asked for since the
  /// call before.
  ///
  /// - Complexity: O(kept days), and O(leaves of the table of entries that differ) with the kept
  ///   days for each changed entry of the user.
  public mutating func follow(_ domain: DomainState) {
    let kept = days.values.reduce(0) { $0 + 1 + $1.entries.count + $1.carried.count }
    if kept > Self.keptMax {
      days = days.filter { asked.contains($0.key) }
      found = found.filter { days[$0.value] != nil }
    }
    asked = []
    let older = reader.domain
    reader = EndedEntryReader(domain, user, where: condition)
    forgetDifferences(from: older)
  }

  /// Forgets the days that differ from those of another state.
  private mutating func forgetDifferences(from older: DomainState) {
    // The words of a condition are looked for in names.
    guard reader.domain.importRuns == older.importRuns,
      condition == nil || reader.domain.hasNames(of: older)
    else {
      (days, found) = ([:], [:])
      return
    }
    var changed: [(start: Moment, end: Moment)] = []
    reader.domain.timeEntries.forEachDifference(from: older.timeEntries) { _, before, after in
      for entry in [before, after] {
        guard let entry, entry.user == user, let end = entry.end else { continue }
        changed.append((entry.start, end))
      }
      return changed.count <= Self.changesMax
    }
    guard !changed.isEmpty else { return }
    found = [:]
    if changed.count > Self.changesMax { return days = [:] }
    days = days.filter { _, day in
      !changed.contains { $0.start < day.range.upperBound && $0.end >= day.range.lowerBound }
    }
  }

  /// Returns a kept day, which is then asked for.
  private mutating func kept(_ number: Int) -> EntryDay? {
    guard let day = days[number] else { return nil }
    asked.insert(number)
    return day
  }

  /// Reads a day, and keeps it.
  ///
  /// - Parameter crossing: The entries that cross the end of the day.
  private mutating func read(
    _ date: CivilDate, _ range: Range<Moment>, crossing: [IdentifiedEntry]
  ) -> EntryDay {
    let day = EntryDay(date, range, reader.entries(endingIn: range) + crossing)
    days[date.daysSince1970] = day
    asked.insert(date.daysSince1970)
    return day
  }

  /// Returns the day of a moment before a limit.
  ///
  /// - Parameters:
  ///   - moment: The moment. No entry that began after its day ended before the limit.
  ///   - limit: The limit.
  ///   - crossing: The entries that cross the limit.
  private mutating func day(
    at moment: Moment, before limit: Moment, _ crossing: [IdentifiedEntry]
  ) -> EntryDay {
    let date = calendar.day(at: moment)
    if let day = kept(date.daysSince1970) { return day }
    let range = calendar.range(of: date)
    // The limit may be within the day if it is the rest of a search.
    guard range.upperBound <= limit else { return day(date) }
    return read(date, range, crossing: crossing)
  }

  /// Returns the entries that began before a moment and did not end before it.
  private func entries(crossing moment: Moment) -> [IdentifiedEntry] {
    let day = days[calendar.day(at: moment).daysSince1970]
    guard let day, day.range.lowerBound == moment else { return reader.entries(crossing: moment) }
    return day.carried
  }
}
