import CivilTime
import RetraceState
import Testing
import ToolTestSupport

/// Local times that clocks skip or repeat, and the days on which they do.
@Suite(.enabled(if: ZoneFiles.exist))
struct LocalTimeResolutionTests {
  private func local(_ text: String) throws -> LocalTime {
    try DateFormat("yyyy-MM-dd HH:mm:ss").parse(text)
  }

  @Test(
    arguments: [
      (
        "Europe/Berlin", "2026-03-29 02:30:00", "2026-03-29 01:00:00", "2026-03-29 01:59:59",
        "2026-03-29 03:00:00", "clocks go forward from 02:00 to 03:00"
      ),
      (
        "Pacific/Apia", "2011-12-30 12:00:00", "2011-12-30 10:00:00", "2011-12-29 23:59:59",
        "2011-12-31 00:00:00",
        "clocks go forward from 2011-12-30 00:00 to 2011-12-31 00:00"
      ),
      // Amsterdam's gap of 28 seconds: searching in steps of 15 minutes missed it.
      (
        "Europe/Amsterdam", "1937-07-01 00:00:27", "1937-06-30 22:40:28", "1937-06-30 23:59:59",
        "1937-07-01 00:00:28", "clocks go forward from 00:00 to 00:00:28"
      ),
      // The gap lies across midnight.
      (
        "America/Toronto", "1919-03-31 00:10:00", "1919-03-31 04:30:00", "1919-03-30 23:29:59",
        "1919-03-31 00:30:00", "clocks go forward from 1919-03-30 23:30 to 1919-03-31 00:30"
      ),
    ])
  func `A skipped local time has two nearest`(
    zone: String, text: String, change: String, before: String, after: String, reason: String
  ) throws {
    let rules = try ZoneFiles.load(zone)
    guard case .skipped(let found) = rules.resolve(try local(text)) else {
      Issue.record("\(text) is not skipped in \(zone)")
      return
    }
    #expect(found.moment == (try ZoneFiles.moment(change)))
    #expect(found.localBefore.description == before && found.localAfter.description == after)
    #expect(rules.local(at: found.lastMomentBefore) == found.localBefore)
    #expect(rules.local(at: found.moment) == found.localAfter)
    #expect(found.description == reason && found.isForward)
    // An offset makes no local time of it.
    #expect(
      rules.resolve(try local(text), offsetSeconds: found.offsetBefore) == .skipped(by: found))
  }

  @Test
  func `An offset chooses one of two moments, and no other offset does`() throws {
    let rules = try ZoneFiles.load("Europe/Berlin")
    let time = try local("2026-10-25 02:30:00")
    let earlier = try ZoneFiles.moment("2026-10-25 00:30:00")
    let later = try ZoneFiles.moment("2026-10-25 01:30:00")
    guard case .ambiguous(earlier, later, let change) = rules.resolve(time) else {
      Issue.record("\(rules.resolve(time))")
      return
    }
    #expect(change.description == "clocks go back from 03:00 to 02:00" && !change.isForward)
    #expect(change.offsetBefore == 7_200 && change.offsetAfter == 3_600)
    #expect(
      rules.resolve(time, offsetSeconds: 7_200) == .existing(earlier, offsetSeconds: 7_200))
    #expect(rules.resolve(time, offsetSeconds: 3_600) == .existing(later, offsetSeconds: 3_600))
    #expect(rules.resolve(time, offsetSeconds: 0) == rules.resolve(time))
  }

  @Test(
    arguments: [
      (
        "Europe/Berlin", "2026-03-29", 82_800,
        "2026-03-29 has 23 hours: clocks go forward from 02:00 to 03:00"
      ),
      (
        "Europe/Berlin", "2026-10-25", 90_000,
        "2026-10-25 has 25 hours: clocks go back from 03:00 to 02:00"
      ),
      ("Europe/Berlin", "2026-10-26", 86_400, nil),
      (
        "Pacific/Apia", "2011-12-30", 0,
        "2011-12-30 is skipped: "
          + "clocks go forward from 2011-12-30 00:00 to 2011-12-31 00:00"
      ),
      ("Pacific/Apia", "2011-12-29", 86_400, nil), ("Pacific/Apia", "2011-12-31", 86_400, nil),
      (
        "Europe/Amsterdam", "1937-07-01", 86_372,
        "1937-07-01 has 23 hours 59 minutes 32 seconds: clocks go forward from 00:00 to 00:00:28"
      ),
      (
        "Australia/Lord_Howe", "2026-04-05", 88_200,
        "2026-04-05 has 24 hours 30 minutes: clocks go back from 02:00 to 01:30"
      ),
      // The gap takes half an hour from either day.
      (
        "America/Toronto", "1919-03-30", 84_600,
        "1919-03-30 has 23 hours 30 minutes: "
          + "clocks go forward from 1919-03-30 23:30 to 1919-03-31 00:30"
      ),
      (
        "America/Toronto", "1919-03-31", 84_600,
        "1919-03-31 has 23 hours 30 minutes: "
          + "clocks go forward from 1919-03-30 23:30 to 1919-03-31 00:30"
      ),
      // Clocks went back from 00:01 to 23:01; the repeated hour belongs to the day that had begun.
      ("America/St_Johns", "2006-10-28", 86_400, nil),
      (
        "America/St_Johns", "2006-10-29", 90_000,
        "2006-10-29 has 25 hours: "
          + "clocks go back from 2006-10-29 00:01 to 2006-10-28 23:01"
      ),
      (
        "Pacific/Kwajalein", "1993-08-21", 0,
        "1993-08-21 is skipped: "
          + "clocks go forward from 1993-08-21 00:00 to 1993-08-22 00:00"
      ),
    ] as [(String, String, Int64, String?)])
  func `A day explains its length`(zone: String, date: String, seconds: Int64, reason: String?)
    throws
  {
    let rules = try ZoneFiles.load(zone)
    let day = rules.day(try DateFormat("yyyy-MM-dd").parse(date).date)
    #expect(day.lengthSeconds == seconds)
    #expect(day.explanation == reason)
  }

  /// Clocks go from 02:00 to 03:00, and back from 03:00 to 02:00.
  @Test(
    arguments: [
      ("2026-03-28", 4, 23), ("2026-03-29", 4, 24), ("2026-03-28", 2, 24), ("2026-03-29", 2, 23),
      ("2026-10-24", 4, 25), ("2026-10-25", 4, 24), ("2026-10-24", 3, 25), ("2026-10-25", 3, 24),
      ("2026-10-24", 2, 24), ("2026-10-25", 2, 25),
    ])
  func `A day that begins later has the change before its end`(
    date: String, dayStart: Int, hours: Int64
  ) throws {
    let day = try ZoneFiles.load("Europe/Berlin").day(
      DateFormat("yyyy-MM-dd").parse(date).date, startingAt: dayStart * 3_600)
    #expect(day.lengthSeconds == hours * 3_600)
    #expect((day.explanation == nil) == (hours == 24), "\(day)")
    #expect(day.explanation?.hasPrefix("\(date) has \(hours) hours: clocks go ") ?? true)
  }

  @Test
  func `Weeks and months are the moments of their days`() throws {
    let berlin = try ZoneFiles.load("Europe/Berlin")
    let date = try #require(CivilDate(year: 2026, month: 3, day: 25))
    let week = date.week(startingOn: 1)
    #expect(week.lowerBound.description == "2026-03-23")
    #expect(week.upperBound.description == "2026-03-30")
    #expect(date.week(startingOn: 0).lowerBound.description == "2026-03-22")
    #expect(date.week(startingOn: 3) == date..<date.adding(days: 7))
    for (dates, start, end) in [
      (week, "2026-03-22 23:00:00", "2026-03-29 22:00:00"),
      (date.monthDates, "2026-02-28 23:00:00", "2026-03-31 22:00:00"),
    ] {
      let moments = berlin.moments(of: dates)
      #expect(moments.lowerBound == (try ZoneFiles.moment(start)))
      #expect(moments.upperBound == (try ZoneFiles.moment(end)))
    }
    // Samoa's last week of 2011 has six days.
    let apia = try ZoneFiles.load("Pacific/Apia")
    let last = try #require(CivilDate(year: 2011, month: 12, day: 31))
    let range = apia.moments(of: last.week(startingOn: 1))
    #expect(range.upperBound.elapsed(since: range.lowerBound) == .seconds(6 * 86_400))
  }

  @Test
  func `Times at the ends of the calendar and of moments do not trap`() throws {
    let berlin = try ZoneFiles.load("Europe/Berlin")
    let rule = try #require(ZoneRules(posixRule: "NZST-12NZDT,M9.5.0,M4.1.0/3"))
    for rules in [berlin, rule, .utc] {
      for year in [-999_999, -292_278, 0, 292_278, 999_999] {
        let date = try #require(CivilDate(year: year, month: 12, day: 31))
        let time = try #require(LocalTime(date: date, hour: 23, minute: 59))
        #expect(rules.resolve(time).moments.count == 1)
        #expect(rules.day(date).changes.isEmpty)
      }
      for value in [Int64.min, Int64.max] {
        let moment = Moment(microseconds: value)
        #expect(rules.local(at: moment).date.year.magnitude > 290_000)
        _ = rules.change(after: moment)
      }
    }
  }

  @Test func `An offset is marked where the local time is shown twice`() throws {
    let rules = try ZoneFiles.load("Europe/Berlin")
    func mark(_ text: String) throws -> String {
      rules.offsetMark(at: try #require(Moment(timestamp: text)))
    }
    #expect(try mark("2026-10-24T23:59:59Z") == "")
    #expect(try mark("2026-10-25T00:00:00Z") == " +02:00")
    #expect(try mark("2026-10-25T00:59:59Z") == " +02:00")
    #expect(try mark("2026-10-25T01:00:00Z") == " +01:00")
    #expect(try mark("2026-10-25T01:59:59Z") == " +01:00")
    #expect(try mark("2026-10-25T02:00:00Z") == "")
    #expect(try mark("2026-03-29T01:00:00Z") == "")
    let start = try #require(Moment(timestamp: "2026-10-25T01:50:00Z"))
    let marks = rules.offsetMarks(from: start, to: start.adding(.seconds(1_200)))
    #expect(marks == (" +01:00", ""))
    for text in ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"] { #expect(try mark(text) == "") }
  }
}
