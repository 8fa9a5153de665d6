import CivilTime
import RetraceState
import Testing
import TimeTracking

/// The styles of dates, clock times and durations that a user prefers.
@Suite struct TimeStyleTests {
  @Test func `preferences have the styles of users without preferences [M15]`() {
    let set = PreferenceSet(user: UserID(value: 0))
    #expect(set.dateFormat == .yearMonthDay && set.durationFormat == .improved && set.is24Hours)
    #expect(TimeStyle(set) == TimeStyle())
    #expect(ReportCalendar(.utc, set) == ReportCalendar(.utc))
  }

  @Test(
    arguments: [
      (.yearMonthDay, "YYYY-MM-DD", "2026-03-04", "03-04"),
      (.monthDayYearSlashes, "MM/DD/YYYY", "03/04/2026", "03/04"),
      (.dayMonthYearHyphens, "DD-MM-YYYY", "04-03-2026", "04-03"),
      (.monthDayYearHyphens, "MM-DD-YYYY", "03-04-2026", "03-04"),
      (.dayMonthYearSlashes, "DD/MM/YYYY", "04/03/2026", "04/03"),
      (.dayMonthYearStops, "DD.MM.YYYY", "04.03.2026", "04.03."),
    ] as [(DateStyle, String, String, String)])
  func `a date is written in each style [M15]`(
    dates: DateStyle, pattern: String, date: String, short: String
  ) throws {
    let day = try #require(CivilDate(year: 2026, month: 3, day: 4))
    var set = PreferenceSet(user: UserID(value: 0))
    set.dateFormat = dates
    let style = ReportCalendar(.utc, set).style
    #expect(dates.pattern == pattern && style.text(day) == date)
    #expect(style.withWeekday(day) == "Wed \(date)")
    #expect(style.withWeekdayAndDay(day) == "Wed \(short)")
    // It is read as it is written.
    let calendar = ReportCalendar(.utc, set)
    let noon = calendar.start(of: day).adding(.seconds(43_200))
    #expect(try calendar.range(of: date, at: noon).days == day..<day.adding(days: 1))
    let text = "\(date) 9:30 - 10:30"
    #expect(try calendar.range(of: text, at: noon).start == noon.adding(.seconds(-9_000)))
  }

  @Test func `styles of dates are told apart [M15]`() throws {
    let day = try #require(CivilDate(year: 2026, month: 3, day: 4))
    #expect(DateStyle.allCases.count == 6)
    #expect(Set(DateStyle.allCases.map { $0.text(day) }).count == 6)
    #expect(Set(DateStyle.allCases.map(\.pattern)).count == 6)
  }

  @Test(
    arguments: [
      (0, 0, 5, "00:00:05", "12:00:05 AM"), (0, 59, 0, "00:59:00", "12:59:00 AM"),
      (1, 0, 0, "01:00:00", "01:00:00 AM"), (11, 59, 59, "11:59:59", "11:59:59 AM"),
      (12, 0, 0, "12:00:00", "12:00:00 PM"), (13, 5, 0, "13:05:00", "01:05:00 PM"),
      (23, 59, 59, "23:59:59", "11:59:59 PM"),
    ] as [(Int, Int, Int, String, String)])
  func `a time of day is written with 24 and with 12 hours [M15]`(
    hour: Int, minute: Int, second: Int, long: String, short: String
  ) throws {
    let day = try #require(CivilDate(year: 2026, month: 3, day: 4))
    let local = try #require(LocalTime(date: day, hour: hour, minute: minute, second: second))
    let (day24, day12) = (TimeStyle(), TimeStyle(is24Hours: false))
    #expect(day24.clockWithSeconds(local) == long && day12.clockWithSeconds(local) == short)
    #expect(day24.clock(local) == String(long.prefix(5)))
    #expect(day12.clock(local) == String(short.prefix(5) + short.suffix(3)))
  }

  @Test(
    arguments: [
      (.classic, "47:06 min"), (.improved, "0:47:06"), (.decimal, "0.79 h"),
    ] as [(RecordedDurationStyle, String)])
  func `a duration is written in each style [M15]`(
    durations: RecordedDurationStyle, text: String
  ) {
    var set = PreferenceSet(user: UserID(value: 0))
    set.durationFormat = durations
    #expect(TimeStyle(set).text(.seconds(2_826)) == text)
  }
}
