public import CivilTime
public import RetraceState

/// The calendar of reports: days of a time zone that begin at a time of day, and weeks and months
/// of them.
///
/// A day begins at the first instant at which the local time is the start of days or, where clocks
/// skip that time, later. It ends where the next day begins. So a day may have 23 or 25 hours, and
/// a skipped day is empty. Each instant is in one day.
public struct ReportCalendar: Hashable, Sendable {
  /// The rules of the zone.
  public var rules: ZoneRules
  /// The first day of a week: 0 is Sunday, 6 is Saturday.
  public var firstWeekday: Int
  /// The start of a day, as the time since midnight on the clock, in whole seconds below 24 hours.
  public var dayStart: ElapsedTime
  /// The style in which its days, and times and durations within them, are shown.
  public var style: TimeStyle

  /// Creates a calendar.
  public init(
    _ rules: ZoneRules, firstWeekday: Int = 1, dayStart: ElapsedTime = .zero,
    style: TimeStyle = TimeStyle()
  ) {
    self.rules = rules
    self.firstWeekday = firstWeekday
    self.dayStart = dayStart
    self.style = style
  }

  /// Creates the calendar of a user's preferences.
  ///
  /// - Parameters:
  ///   - rules: The rules of the zone of the preferences, or of the machine.
  ///   - preferences: The preferences.
  public init(_ rules: ZoneRules, _ preferences: PreferenceSet) {
    self.init(
      rules, firstWeekday: Int(preferences.firstWeekday), dayStart: preferences.dayStart,
      style: TimeStyle(preferences))
  }

  /// Returns the first instant of a day.
  ///
  /// - Complexity: O(log transitions of the zone).
  public func start(of date: CivilDate) -> Moment {
    rules.firstMoment(notBefore: LocalTime(second: secondsOfDayStart, ofDay: date.daysSince1970))
  }

  /// Returns the day of an instant.
  ///
  /// - Complexity: O(log transitions of the zone).
  public func day(at moment: Moment) -> CivilDate {
    // `Moment` has a larger range than `CivilDate`, whose years are enough for a report.
    let limit: Int64 = 100_000 * 366 * 86_400 * 1_000_000
    let clamped = Moment(microseconds: min(limit, max(-limit, moment.microseconds)))
    let seconds = rules.local(at: clamped).secondsSince1970 - Int64(secondsOfDayStart)
    var day = LocalTime(secondsSince1970: seconds).date
    while start(of: day) > clamped { day = day.adding(days: -1) }
    while start(of: day.adding(days: 1)) <= clamped { day = day.adding(days: 1) }
    return day
  }

  /// Returns the time of some days.
  public func range(of days: Range<CivilDate>) -> Range<Moment> {
    let start = start(of: days.lowerBound)
    return start..<max(start, self.start(of: days.upperBound))
  }

  /// Returns the time of a day.
  public func range(of day: CivilDate) -> Range<Moment> { range(of: day..<day.adding(days: 1)) }

  /// Returns a day with its length, and the changes of the clocks that explain it.
  ///
  /// - Complexity: O(log transitions of the zone).
  package func zoneDay(_ date: CivilDate) -> ZoneDay {
    rules.day(date, startingAt: secondsOfDayStart)
  }

  /// Returns the time of a named range of days.
  ///
  /// - Parameters:
  ///   - shortcut: The name.
  ///   - moment: An instant of today.
  public func range(of shortcut: RangeShortcut, at moment: Moment) -> Range<Moment> {
    let (period, number): (CalendarPeriod, Int64) =
      switch shortcut {
      case .today: (.day, 0)
      case .yesterday: (.day, -1)
      case .thisWeek: (.week, 0)
      case .lastWeek: (.week, -1)
      case .thisMonth: (.month, 0)
      case .lastMonth: (.month, -1)
      case .thisYear: (.year, 0)
      case .lastYear: (.year, -1)
      }
    return range(of: dates(of: period, number: number, at: moment))
  }

  /// Parses a range that a user typed; the days are set if the range consists of whole days.
  ///
  /// Days in the text are days of the calendar, which may begin later than midnight.
  ///
  /// - Parameters:
  ///   - text: The text, in the grammar of `RangeExpression`.
  ///   - moment: The present.
  /// - Throws: `ExpressionError` if the text is not one range.
  package func range(
    of text: String, at moment: Moment
  ) throws(ExpressionError) -> (start: Moment, end: Moment?, days: Range<CivilDate>?) {
    try range(of: text, in: expressionContext(at: moment))
  }

  /// Parses a range that a user typed, in a context of this calendar.
  ///
  /// - Throws: `ExpressionError` if the text is not one range.
  func range(
    of text: String, in context: ExpressionContext
  ) throws(ExpressionError) -> (start: Moment, end: Moment?, days: Range<CivilDate>?) {
    let range = try RangeExpression(text, in: context)
    return (range.start.moment, range.end?.moment, days(of: range))
  }

  /// Returns the context in which expressions are parsed.
  ///
  /// - Parameters:
  ///   - moment: The present.
  ///   - earliest: The start of the entry whose end is typed, if any.
  package func expressionContext(
    at moment: Moment, after earliest: Moment? = nil
  ) -> ExpressionContext {
    ExpressionContext(
      zone: rules, now: moment, firstWeekday: firstWeekday, dayStart: dayStart, after: earliest
    ).reading(style.dates.typedForm)
  }

  /// Returns the days of a range; `nil` if it does not begin and end where days do.
  private func days(of range: RangeExpression) -> Range<CivilDate>? {
    guard let end = range.end else { return nil }
    let (first, last) = (day(at: range.start.moment), day(at: end.moment))
    guard first < last, start(of: first) == range.start.moment, start(of: last) == end.moment
    else { return nil }
    return first..<last
  }

  private var secondsOfDayStart: Int { Int(min(86_399, max(0, dayStart.seconds))) }
}

/// A named range of days relative to today.
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
