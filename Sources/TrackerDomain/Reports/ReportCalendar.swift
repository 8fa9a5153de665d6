public import CivilTime
public import RetraceState

/// The days, weeks and months of reports: those of a time zone, from a time of day on.
///
/// A day begins at the first instant at which the clocks of the zone show the time of day at which
/// days start, or, where clocks skip that, a later one; it ends where the next day begins. So a day
/// may have 23 or 25 hours, and a day that clocks skip is empty. Each instant is in one day.
public struct ReportCalendar: Hashable, Sendable {
  /// The rules of the zone.
  public var rules: ZoneRules
  /// The first day of a week: 0 is Sunday, 6 is Saturday.
  public var firstWeekday: Int
  /// When a day begins, as the time since midnight on the clock, in whole seconds below 24 hours.
  public var dayStart: ElapsedTime

  /// Makes a calendar.
  public init(_ rules: ZoneRules, firstWeekday: Int = 1, dayStart: ElapsedTime = .zero) {
    self.rules = rules
    self.firstWeekday = firstWeekday
    self.dayStart = dayStart
  }

  /// Makes the calendar that a user prefers.
  ///
  /// - Parameters:
  ///   - rules: The rules of the zone that the preferences name, or of that of the machine.
  ///   - preferences: The preferences.
  public init(_ rules: ZoneRules, _ preferences: PreferenceSet) {
    self.init(
      rules, firstWeekday: Int(preferences.firstWeekday), dayStart: preferences.dayStart)
  }

  /// Returns the first instant of a day.
  ///
  /// - Complexity: O(log transitions of the zone).
  public func start(of date: CivilDate) -> Moment {
    guard dayStart > .zero else { return rules.startOfDay(date) }
    let local = LocalTime(secondsSince1970: date.daysSince1970 * 86_400 + secondsOfDayStart)
    if let first = rules.moments(forLocal: local).first { return first }
    // Clocks skip the time: the search keeps `before` earlier and `start` later than it on the
    // clock. No zone is further than 26 hours from UTC.
    var before = local.secondsSince1970 - 93_600
    var start = local.secondsSince1970 + 93_600
    while start - before > 1 {
      let middle = before + (start - before) / 2
      if rules.local(at: moment(middle)) < local { before = middle } else { start = middle }
    }
    return moment(start)
  }

  /// Returns the day of an instant.
  ///
  /// - Complexity: O(log transitions of the zone).
  public func day(at moment: Moment) -> CivilDate {
    // `Moment` reaches further than the years of `CivilDate`; those are enough for a report.
    let limit: Int64 = 100_000 * 366 * 86_400 * 1_000_000
    let clamped = Moment(microseconds: min(limit, max(-limit, moment.microseconds)))
    let seconds = rules.local(at: clamped).secondsSince1970 - secondsOfDayStart
    var day = CivilDate(daysSince1970: LocalTime(secondsSince1970: seconds).date.daysSince1970)
    while start(of: day) > clamped { day = day.advanced(by: -1) }
    while start(of: day.advanced(by: 1)) <= clamped { day = day.advanced(by: 1) }
    return day
  }

  /// Returns the time from the start of a day to that of a later one, without the latter.
  public func range(from first: CivilDate, to end: CivilDate) -> Range<Moment> {
    let start = start(of: first)
    return start..<max(start, self.start(of: end))
  }

  /// Returns the time of a day.
  public func range(of day: CivilDate) -> Range<Moment> {
    range(from: day, to: day.advanced(by: 1))
  }

  /// Returns the first day of the week of a day.
  public func firstDay(ofWeekOf day: CivilDate) -> CivilDate {
    day.advanced(by: -CivilDate.floorMod(day.weekday - firstWeekday, 7))
  }

  /// Returns the time of a range of days by its name.
  ///
  /// - Parameters:
  ///   - shortcut: The name.
  ///   - moment: An instant of today.
  public func range(of shortcut: RangeShortcut, at moment: Moment) -> Range<Moment> {
    let today = day(at: moment)
    let week = firstDay(ofWeekOf: today)
    switch shortcut {
    case .today: return range(of: today)
    case .yesterday: return range(from: today.advanced(by: -1), to: today)
    case .thisWeek: return range(from: week, to: week.advanced(by: 7))
    case .lastWeek: return range(from: week.advanced(by: -7), to: week)
    case .thisMonth: return range(from: today.month(plus: 0), to: today.month(plus: 1))
    case .lastMonth: return range(from: today.month(plus: -1), to: today.month(plus: 0))
    case .thisYear: return range(from: today.year(plus: 0), to: today.year(plus: 1))
    case .lastYear: return range(from: today.year(plus: -1), to: today.year(plus: 0))
    }
  }

  private var secondsOfDayStart: Int { Int(min(86_399, max(0, dayStart.seconds))) }

  private func moment(_ second: Int) -> Moment {
    Moment(microseconds: Int64(second) * 1_000_000)
  }
}

/// A range of days that is named by its place relative to today.
public enum RangeShortcut: Hashable, Sendable, CaseIterable {
  case today
  case yesterday
  case thisWeek
  case lastWeek
  case thisMonth
  case lastMonth
  case thisYear
  case lastYear
}

extension CivilDate {
  /// Returns the date some days later.
  func advanced(by days: Int) -> CivilDate { CivilDate(daysSince1970: daysSince1970 + days) }

  /// Returns the first day of the month some months later.
  func month(plus months: Int) -> CivilDate {
    let count = year * 12 + month - 1 + months
    let month = CivilDate.floorMod(count, 12) + 1
    return CivilDate(year: CivilDate.floorDiv(count, 12), month: month, day: 1) ?? self
  }

  /// Returns the first day of the year some years later.
  func year(plus years: Int) -> CivilDate {
    CivilDate(year: year + years, month: 1, day: 1) ?? self
  }
}
