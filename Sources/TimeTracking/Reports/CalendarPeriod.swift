public import CivilTime
public import RetraceAvro
public import RetraceState

/// A period of a calendar.
public enum CalendarPeriod: Recordable, Hashable, CaseIterable {
  /// A day.
  case day
  /// A week, from the first weekday of the calendar.
  case week
  /// A month.
  case month
  /// A year.
  case year

  /// The word for the period.
  package var word: String {
    switch self {
    case .day: "day"
    case .week: "week"
    case .month: "month"
    case .year: "year"
    }
  }

  /// Creates the period of a word; `nil` for another word.
  package init?(word: String) {
    guard let found = Self.allCases.first(where: { $0.word == word }) else { return nil }
    self = found
  }

  /// The number of periods beyond which one is too far from the present: 10,000 years.
  fileprivate var numberMax: Int64 {
    switch self {
    case .day: 3_652_425
    case .week: 521_775
    case .month: 120_000
    case .year: 10_000
    }
  }
}

extension ReportCalendar {
  /// Returns the days of a period.
  ///
  /// - Parameters:
  ///   - period: The period.
  ///   - number: 0 for the present one, -1 for the one before it, and so on; clamped to 10,000
  ///     years.
  ///   - moment: The present.
  /// - Complexity: O(log transitions of the zone).
  public func dates(
    of period: CalendarPeriod, number: Int64 = 0, at moment: Moment
  ) -> Range<CivilDate> {
    let today = day(at: moment)
    let number = Int(min(period.numberMax, max(-period.numberMax, number)))
    switch period {
    case .day:
      let date = today.adding(days: number)
      return date..<date.adding(days: 1)
    case .week:
      let week = today.week(startingOn: firstWeekday)
      return week.lowerBound.adding(days: 7 * number)..<week.upperBound.adding(days: 7 * number)
    case .month: return today.month(plus: number).monthDates
    case .year: return today.year(plus: number)..<today.year(plus: number + 1)
    }
  }

  /// Returns days as they are shown: a month by its name, else the first and the last day.
  package func text(of dates: Range<CivilDate>) -> String {
    let last = dates.upperBound.adding(days: -1)
    if dates.lowerBound == last { return style.withWeekday(last) }
    if dates == last.monthDates { return last.monthText }
    return "\(style.withWeekday(dates.lowerBound)) - \(style.withWeekday(last))"
  }
}

extension CivilDate {
  /// Returns the first day of the month some months later.
  fileprivate func month(plus months: Int) -> CivilDate {
    let number = year * 12 + month - 1 + months
    let year = number >= 0 ? number / 12 : -((11 - number) / 12)
    return CivilDate(year: year, month: number - year * 12 + 1, day: 1) ?? self
  }

  /// Returns the first day of the year some years later.
  fileprivate func year(plus years: Int) -> CivilDate {
    CivilDate(year: year + years, month: 1, day: 1) ?? self
  }
}
