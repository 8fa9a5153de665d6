/// A yearly rule in the form that POSIX defines for `TZ`, such as `CET-1CEST,M3.5.0,M10.5.0/3`.
///
/// The last line of a tz file is such a rule, for the time after the last transition.
struct PosixRule: Hashable, Sendable {
  /// The offset in standard time, in seconds east of Greenwich.
  var standardOffset: Int32
  /// Daylight saving time, if there is any.
  var daylight: Daylight?

  /// The period and the offset of daylight saving time.
  struct Daylight: Hashable, Sendable {
    /// The offset in seconds east of Greenwich.
    var offset: Int32
    var begin: Change
    var end: Change
  }

  /// A yearly change of the offset, in the local time before the change.
  struct Change: Hashable, Sendable {
    var day: Day
    /// The seconds after midnight; negative for before midnight.
    var second: Int
  }

  /// A day of each year.
  enum Day: Hashable, Sendable {
    /// A day from 1 to 365; 29 February is never counted.
    case julian(Int)
    /// A day from 0 to 365; 29 February is counted in leap years.
    case ordinal(Int)
    /// The n-th weekday (0 is Sunday) of a month; week 5 means the last.
    case weekday(month: Int, week: Int, weekday: Int)
  }

  /// Returns the period of a constant offset around a second since 1970.
  ///
  /// Daylight saving time may begin or end in the year before or after the one that the rule is
  /// about, so the periods of the neighbouring years are joined where they touch or overlap.
  func span(at second: Int64) -> ZoneSpan {
    guard let daylight else { return ZoneSpan(start: .min, end: .max, offset: standardOffset) }
    let year = LocalTime(secondsSince1970: second).date.year
    var period = daylightPeriod(of: year - 2, daylight)
    var lastEnd = Int64.min
    for next in year - 1...year + 3 {
      let following = daylightPeriod(of: next, daylight)
      if following.lowerBound <= period.upperBound {
        period = period.lowerBound..<max(period.upperBound, following.upperBound)
        continue
      }
      if second < period.upperBound { break }
      lastEnd = period.upperBound
      period = following
    }
    if second < period.lowerBound {
      return ZoneSpan(start: lastEnd, end: period.lowerBound, offset: standardOffset)
    }
    return ZoneSpan(
      start: period.lowerBound, end: period.upperBound, offset: daylight.offset)
  }

  /// Returns the period of daylight saving time that begins in a year, in seconds since 1970.
  private func daylightPeriod(of year: Int, _ daylight: Daylight) -> Range<Int64> {
    let begin = daylight.begin.localSeconds(in: year) - Int64(standardOffset)
    let end = daylight.end.localSeconds(in: year) - Int64(daylight.offset)
    if begin < end { return begin..<end }
    // In the south, or all year.
    let next = daylight.end.localSeconds(in: year + 1) - Int64(daylight.offset)
    return begin..<max(begin, next)
  }
}

extension PosixRule.Change {
  /// Returns the local time of the change in a year, in seconds since 1970.
  func localSeconds(in year: Int) -> Int64 { Int64(day(in: year)) * 86_400 + Int64(second) }

  /// Returns the day of the change in a year, in days since 1970.
  private func day(in year: Int) -> Int {
    let first = CivilDate.firstDay(of: year, month: 1)
    switch day {
    case .julian(let number):
      return first + number - (CivilDate.isLeap(year) && number >= 60 ? 0 : 1)
    case .ordinal(let number):
      return first + number
    case .weekday(let month, let week, let weekday):
      let start = CivilDate.firstDay(of: year, month: month)
      let shift = CivilDate.floorMod(weekday - CivilDate.floorMod(start + 4, 7), 7)
      var day = shift + (week - 1) * 7
      if day >= CivilDate.days(inMonth: month, of: year) { day -= 7 }
      return start + day
    }
  }
}

extension CivilDate {
  /// Returns the first day of a month, in days since 1970.
  static func firstDay(of year: Int, month: Int) -> Int {
    var date = CivilDate(daysSince1970: 0)
    date.year = year
    date.month = month
    return date.daysSince1970
  }
}
