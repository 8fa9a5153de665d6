import CivilTime
import RetraceState
import RetraceTesting
import Testing
import ToolTestSupport

@Suite(.enabled(if: ZoneFiles.exist))
struct RangeExpressionTests {
  /// Returns a range as `11-23 09:00 - 11-23 10:30` of 2026 in Berlin.
  private static func short(_ range: RangeExpression) -> String {
    func short(_ time: TimeExpression) -> String {
      String(time.description.dropLast(7).trimmingPrefix("2026-"))
    }
    return range.end.map { "\(short(range.start)) - \(short($0))" } ?? "\(short(range.start)) -"
  }

  @Test(arguments: [
    ("9:00-10:30", "11-23 09:00 - 11-23 10:30"), ("9:00 - 10:30", "11-23 09:00 - 11-23 10:30"),
    ("9:00 TO 10:30", "11-23 09:00 - 11-23 10:30"),
    ("9:00 until 10:30", "11-23 09:00 - 11-23 10:30"),
    ("saturday until sunday", "11-21 00:00 - 11-23 00:00"),
    ("9am-5pm", "11-23 09:00 - 11-23 17:00"),
    ("from 9:00 to 10:30", "11-23 09:00 - 11-23 10:30"),
    ("09:00-05:00", "11-23 09:00 - 11-24 05:00"),
    ("2026-11-21 09:00-10:30", "11-21 09:00 - 11-21 10:30"),
    ("yesterday 22:00 - 1:00", "11-22 22:00 - 11-23 01:00"),
    ("yesterday 22:00-1:00", "11-22 22:00 - 11-23 01:00"),
    ("yesterday 22:00 - yesterday 23:00", "11-22 22:00 - 11-22 23:00"),
    ("22:00 - 24:00", "11-23 22:00 - 11-24 00:00"),
    ("22:00 - midnight", "11-23 22:00 - 11-24 00:00"),
    ("2h ago - 1h ago", "11-23 14:39:01 - 11-23 15:39:01"),
    ("-30m - now", "11-23 16:09:01 - 11-23 16:39:01"),
    ("-30m-now", "11-23 16:09:01 - 11-23 16:39:01"),
    ("9:00 for 1h30", "11-23 09:00 - 11-23 10:30"),
    ("from yesterday 9:00 for 90m", "11-22 09:00 - 11-22 10:30"),
    ("from 9:00", "11-23 09:00 -"), ("from monday", "11-23 00:00 -"),
    ("from :lastweek", "11-16 00:00 -"), ("from 2026-11", "11-01 00:00 -"),
    ("from 2075", "2075-01-01 00:00 -"),
    ("today", "11-23 00:00 - 11-24 00:00"), ("yesterday", "11-22 00:00 - 11-23 00:00"),
    ("monday", "11-23 00:00 - 11-24 00:00"), ("sunday", "11-22 00:00 - 11-23 00:00"),
    ("2026-11-21", "11-21 00:00 - 11-22 00:00"), ("2026-11", "11-01 00:00 - 12-01 00:00"),
    ("2026-Q4", "10-01 00:00 - 2027-01-01 00:00"), ("2026-q1", "01-01 00:00 - 04-01 00:00"),
    ("2026", "01-01 00:00 - 2027-01-01 00:00"), ("2026-W47", "11-16 00:00 - 11-23 00:00"),
    ("2026-W53", "12-28 00:00 - 2027-01-04 00:00"), ("2026-w01", "2025-12-29 00:00 - 01-05 00:00"),
    ("2026-11-01 - 2026-11-07", "11-01 00:00 - 11-08 00:00"),
    ("2026-11-01-2026-11-07", "11-01 00:00 - 11-08 00:00"),
    ("week 47", "11-16 00:00 - 11-23 00:00"), ("Week 48", "11-23 00:00 - 11-30 00:00"),
    ("week 49", "2025-12-01 00:00 - 2025-12-08 00:00"),
    ("week 53", "2020-12-28 00:00 - 2021-01-04 00:00"), ("month 11", "11-01 00:00 - 12-01 00:00"),
    ("month 12", "2025-12-01 00:00 - 01-01 00:00"), ("21.11.", "11-21 00:00 - 11-22 00:00"),
    ("13.10.2026 - 31.10.2026", "10-13 00:00 - 11-01 00:00"),
    // The order of day and month is that of the other date.
    ("1.10.2026 - 31.10.2026", "10-01 00:00 - 11-01 00:00"),
    ("01.10. - 31.10.", "10-01 00:00 - 11-01 00:00"),
    ("13/10/2026 - 1/11/2026", "10-13 00:00 - 11-02 00:00"),
    ("10/1/2026 - 10/31/2026", "10-01 00:00 - 11-01 00:00"),
    ("1.10.2026 9:00 - 31.10.2026 10:00", "10-01 09:00 - 10-31 10:00"),
    ("24 oct", "10-24 00:00 - 10-25 00:00"), ("24 Oct 2025", "2025-10-24 00:00 - 2025-10-25 00:00"),
    ("24 december", "2025-12-24 00:00 - 2025-12-25 00:00"),
    ("1 nov - 7 nov", "11-01 00:00 - 11-08 00:00"),
    ("last monday", "11-16 00:00 - 11-17 00:00"), ("last sunday", "11-22 00:00 - 11-23 00:00"),
    (":monday", "11-23 00:00 - 11-24 00:00"), (":sunday", "11-22 00:00 - 11-23 00:00"),
    ("last 24 hours", "11-22 16:39:01 - 11-23 16:39:01"),
    ("last 30 minutes", "11-23 16:09:01 - 11-23 16:39:01"),
    ("sow - eow", "11-23 00:00 - 11-30 00:00"), ("som - eom", "11-01 00:00 - 12-01 00:00"),
    ("soq - eoq", "10-01 00:00 - 2027-01-01 00:00"), ("soy - now", "01-01 00:00 - 11-23 16:39:01"),
    ("2026-W46 - 2026-W47", "11-09 00:00 - 11-23 00:00"),
    ("2026-10 to 2026-11", "10-01 00:00 - 12-01 00:00"),
    ("tuesday - friday", "11-17 00:00 - 11-21 00:00"),
    ("monday-friday", "11-23 00:00 - 11-28 00:00"),
    ("friday 22:00 - saturday 2:00", "11-20 22:00 - 11-21 02:00"),
    ("yesterday - today", "11-22 00:00 - 11-24 00:00"),
    ("yesterday - now", "11-22 00:00 - 11-23 16:39:01"),
    ("yesterday - 10:30", "11-22 00:00 - 11-22 10:30"),
    (":day", "11-23 00:00 - 11-24 00:00"), (":today", "11-23 00:00 - 11-24 00:00"),
    (":yesterday", "11-22 00:00 - 11-23 00:00"), (":week", "11-23 00:00 - 11-30 00:00"),
    (":lastweek", "11-16 00:00 - 11-23 00:00"), (":month", "11-01 00:00 - 12-01 00:00"),
    (":LastMonth", "10-01 00:00 - 11-01 00:00"), (":quarter", "10-01 00:00 - 2027-01-01 00:00"),
    (":lastquarter", "07-01 00:00 - 10-01 00:00"), (":year", "01-01 00:00 - 2027-01-01 00:00"),
    (":lastyear", "2025-01-01 00:00 - 01-01 00:00"),
    ("last week", "11-16 00:00 - 11-23 00:00"), ("This  Week", "11-23 00:00 - 11-30 00:00"),
    ("last month", "10-01 00:00 - 11-01 00:00"), ("this month", "11-01 00:00 - 12-01 00:00"),
    ("last year", "2025-01-01 00:00 - 01-01 00:00"), ("from last week", "11-16 00:00 -"),
    ("last 7 days", "11-17 00:00 - 11-24 00:00"), ("last 1 days", "11-23 00:00 - 11-24 00:00"),
    ("last 1 day", "11-23 00:00 - 11-24 00:00"), ("last 2 weeks", "11-10 00:00 - 11-24 00:00"),
    ("last 3 months", "08-24 00:00 - 11-24 00:00"), ("Last 1 Month", "10-24 00:00 - 11-24 00:00"),
    ("week", "11-23 00:00 - 11-30 00:00"), ("lastweek", "11-16 00:00 - 11-23 00:00"),
    ("month", "11-01 00:00 - 12-01 00:00"), ("LastMonth", "10-01 00:00 - 11-01 00:00"),
    ("quarter", "10-01 00:00 - 2027-01-01 00:00"), ("year", "01-01 00:00 - 2027-01-01 00:00"),
    ("lastquarter", "07-01 00:00 - 10-01 00:00"), ("lastyear", "2025-01-01 00:00 - 01-01 00:00"),
    ("march", "03-01 00:00 - 04-01 00:00"), ("november", "11-01 00:00 - 12-01 00:00"),
    ("December", "2025-12-01 00:00 - 01-01 00:00"), ("dec", "2025-12-01 00:00 - 01-01 00:00"),
    ("march 2025", "2025-03-01 00:00 - 2025-04-01 00:00"),
    ("sept 2011", "2011-09-01 00:00 - 2011-10-01 00:00"),
    ("march - may", "03-01 00:00 - 06-01 00:00"), ("march - march", "03-01 00:00 - 04-01 00:00"),
    ("december to february", "2025-12-01 00:00 - 03-01 00:00"),
    ("2026-03-05 - march", "03-05 00:00 - 04-01 00:00"),
    ("nov 2025 - today", "2025-11-01 00:00 - 11-24 00:00"),
    ("from march", "03-01 00:00 -"), ("since monday", "11-23 00:00 -"),
    ("since march 2025", "2025-03-01 00:00 -"), ("since last week", "11-16 00:00 -"),
    ("last week - yesterday", "11-16 00:00 - 11-23 00:00"),
    ("at 9:00 - 10:00", "11-23 09:00 - 11-23 10:00"),
  ])
  func `A range is read`(text: String, expected: String) throws {
    #expect(Self.short(try RangeExpression(text, in: Contexts.berlin())) == expected)
  }

  @Test(arguments: 0..<7)
  func `A week with a number begins on the first weekday and has the Thursday of the ISO week`(
    first: Int
  ) throws {
    let berlin = try Contexts.berlin()
    let context = ExpressionContext(zone: berlin.zone, now: berlin.now, firstWeekday: first)
    for (text, thursday) in [
      ("2026-W44", "2026-10-29"), ("week 44", "2026-10-29"), ("2026-W01", "2026-01-01"),
      ("2026-W53", "2026-12-31"), ("2025-W01", "2025-01-02"), ("week 53", "2020-12-31"),
      ("2026-W44 - 2026-W44", "2026-10-29"),
    ] {
      let range = try RangeExpression(text, in: context)
      let start = range.start.local.date
      let end = try #require(range.end?.local.date)
      #expect(start.weekday == first && start.adding(days: 7) == end, "\(text)")
      #expect("\(start)" <= thursday && thursday < "\(end)", "\(text): \(start)")
    }
    #expect(throws: ExpressionError.self) { try RangeExpression("2025-W53", in: context) }
    #expect(throws: ExpressionError.self) { try RangeExpression("2026-W00", in: context) }
  }

  @Test
  func `The reading says that the end is on the next day, and which days weekdays are`() throws {
    let context = try Contexts.berlin()
    #expect(
      try RangeExpression("22:00 - 1:00", in: context).note == "the end is on the next day")
    #expect(try RangeExpression("9:00 - 10:00", in: context).note == nil)
    #expect(
      try RangeExpression("tue - fri", in: context).note
        == "Tuesday is 2026-11-17; Friday is 2026-11-20")
    #expect(
      try RangeExpression("9:00-10:30", in: context).description
        == "2026-11-23 09:00 +01:00 - 2026-11-23 10:30 +01:00")
    #expect(
      try RangeExpression("from 9:00", in: context).description == "from 2026-11-23 09:00 +01:00")
  }

  @Test(
    arguments: [
      ("", .empty), ("x", .unreadable("x", .range)),
      (":fortnight", .unreadable(":fortnight", .range)),
      ("last x", .unreadable("last x", .range)),
      ("last 0 days", .unreadable("last 0 days", .range)),
      ("last 0 months", .unreadable("last 0 months", .range)),
      ("last 65535 months", .yearOutOfRange), ("last 65535 weeks", .yearOutOfRange),
      ("march 23", .unreadable("march 23", .range)), ("mar 9:00", .unreadable("mar 9:00", .range)),
      ("ma", .unreadable("ma", .range)), ("marc", .unreadable("marc", .range)),
      ("march 9999", .unreadable("march 9999", .range)), ("weeks", .unreadable("weeks", .range)),
      ("march for 2h", .timeMissing("march")), ("since", .unreadable("since", .range)),
      (
        "9:00 -10:30",
        .ambiguous("9:00 -10:30", instead: ["9:00 - 10:30", "9:00 -10:30 for 1h"])
      ),
      ("9:00", .rangeMissing("9:00")), ("now", .rangeMissing("now")),
      ("10min ago", .rangeMissing("10min ago")), ("1h30", .unreadable("1h30", .range)),
      ("monday for 2h", .timeMissing("monday")),
      ("9:00 - 10:00 - 11:00", .unreadable("9:00 - 10:00 - 11:00", .range)),
      ("9:00 for 1h for 2h", .unreadable("9:00 for 1h for 2h", .range)),
      ("9:00 for 15", .ambiguous("15", instead: ["15m", "15h"])),
      ("9:00 - 10:00 to 11:00", .unreadable("10:00 to 11:00", .range)),
      ("9:00-05:00-now", .unreadable("9:00-05:00-now", .range)),
      ("9-17:30", .ambiguous("9", instead: ["9:00", "21:00"])),
      ("9 - 17:30", .ambiguous("9", instead: ["9:00", "21:00"])),
      ("11/12/2026", .ambiguous("11/12/2026", instead: ["2026-11-12", "2026-12-11"])),
      ("2026-13", .noSuchPeriod("2026-13", .month)),
      ("2026-Q5", .noSuchPeriod("2026-Q5", .quarter)),
      ("2026-W00", .noSuchPeriod("2026-W00", .week)),
      ("2025-W53", .noSuchPeriod("2025-W53", .week)), ("week 54", .noSuchPeriod("54", .week)),
      ("11-12", .ambiguous("11-12", instead: ["11:00 - 12:00", "2026-11-12"])),
      ("9-30", .ambiguous("9-30", instead: ["2026-09-30"])),
      ("2026-328", .unreadable("2026-328", .range)),
      ("25-26", .unreadable("25-26", .range)),
      ("last 0 hours", .unreadable("last 0 hours", .range)),
      ("30 february", .noSuchDay("30 february")), (":moon", .unreadable(":moon", .range)),
      ("1.10.2026 - 2.10.2026", .ambiguous("1.10.2026", instead: ["2026-01-10", "2026-10-01"])),
      ("2026-02-29", .noSuchDay("2026-02-29")), ("2200", .yearOutOfRange),
      // 2026 could be 20:26.
      ("2030 - 2130", .ambiguous("2030", instead: ["20:30", "2030-01"])),
      ("from 2026", .ambiguous("2026", instead: ["20:26", "2026-01"])),
      // The end of a range or an offset.
      (
        "2026-11-21T09:30-05:00",
        .ambiguous("2026-11-21T09:30-05:00", instead: ["2026-11-21T09:30 - 05:00"])
      ),
    ] as [(String, ExpressionError)])
  func `A text that is not one range is refused`(text: String, error: ExpressionError) throws {
    let context = try Contexts.berlin()
    #expect(throws: error) { try RangeExpression(text, in: context) }
  }

  @Test(arguments: [
    "9:00 - 9:00", "9:00 for 0m", "now - 1h ago", "today - yesterday", "2026-11-21 - 2026-11-20",
    "2026-11-21 9:00 - 2026-11-21 8:00",
  ])
  func `An end that is not later is refused`(text: String) throws {
    let context = try Contexts.berlin()
    #expect {
      try RangeExpression(text, in: context)
    } throws: {
      if case .endNotLater? = $0 as? ExpressionError { true } else { false }
    }
  }

  @Test
  func `Last week ends where this week begins on every day, also on Sundays`() throws {
    for first in 0...6 {
      for day in 15...28 {
        let context = try Contexts.at("2026-11-\(day) 11:00:00", firstWeekday: first)
        let last = try RangeExpression(":lastweek", in: context)
        let week = try RangeExpression(":week", in: context)
        #expect(last.end == week.start)
        #expect(week.start.local.date.weekday == first && last.start.local.date.weekday == first)
        #expect(week.start.moment <= context.now)
        #expect(try #require(week.end).moment > context.now)
        for range in [last, week] {
          let end = try #require(range.end)
          #expect(end.local.date.daysSince1970 - range.start.local.date.daysSince1970 == 7)
        }
      }
    }
    // Sunday 2026-11-22: with weeks from Monday, last week is that from the 9th to the 15th.
    let sunday = try Contexts.at("2026-11-22 11:00:00")
    #expect(
      Self.short(try RangeExpression(":lastweek", in: sunday)) == "11-09 00:00 - 11-16 00:00")
  }

  @Test(
    arguments: [
      ("Europe/Berlin", "2026-03-29", 82_800), ("Europe/Berlin", "2026-10-25", 90_000),
      ("Australia/Lord_Howe", "2026-10-04", 84_600), ("Pacific/Apia", "2011-12-30", 0),
      ("Pacific/Apia", "2011-12-29", 86_400), ("America/Sao_Paulo", "2018-11-04", 82_800),
      ("America/Havana", "2026-11-01", 90_000), ("Europe/Berlin", "2026-03", 2_674_800),
      ("Europe/Berlin", "2026-W13", 601_200),
    ] as [(String, String, Int64)])
  func `A range of days is as long as its days`(zone: String, text: String, seconds: Int64) throws {
    let range = try RangeExpression(text, in: Contexts.at("2026-11-23 12:00:00", zone))
    let end = try #require(range.end)
    #expect(end.moment.elapsed(since: range.start.moment) == .seconds(seconds))
    #expect((range.note == "clocks skipped this day") == (seconds == 0))
  }

  @Test
  func `An end in the repeated hour is the one after the start`() throws {
    // Berlin, 2026-10-25: from 02:50 to 02:10 are twenty minutes.
    let context = try Contexts.at("2026-10-25 10:00:00")
    let range = try RangeExpression("02:50 CEST - 02:10", in: context)
    #expect(try #require(range.end).moment.elapsed(since: range.start.moment) == .seconds(1_200))
    #expect(range.note == nil)
    let dated = try RangeExpression("02:50+02:00 - 2026-10-25 02:10", in: context)
    #expect(dated == range)
    let hour = try RangeExpression("02:30 CEST - 02:30", in: context)
    #expect(try #require(hour.end).moment.elapsed(since: hour.start.moment) == .seconds(3_600))
    #expect(throws: ExpressionError.self) { try RangeExpression("1:00 - 2:30", in: context) }
    #expect(throws: ExpressionError.self) { try RangeExpression("2:30 - 4:00", in: context) }
    let next = try RangeExpression("02:50 CET - 02:10", in: context)
    #expect(next.end?.description == "2026-10-26 02:10 +01:00")
    // Later on the clock, but not later: not the next day either.
    let first = try TimeExpression("02:55 CEST", in: context)
    let second = try TimeExpression("02:50 CET", in: context)
    for text in ["02:50 CET - 02:55 CEST", "02:50+01:00 - 02:55+02:00"] {
      #expect(throws: ExpressionError.endNotLater(start: second, end: first)) {
        try RangeExpression(text, in: context)
      }
    }
    // Clocks skipped the end, so it is not on the next day.
    let spring = try Contexts.at("2026-03-29 10:00:00")
    #expect {
      try RangeExpression("1:00 - 2:30", in: spring)
    } throws: {
      if case .skipped? = $0 as? ExpressionError { true } else { false }
    }
    #expect(
      try RangeExpression("4:00 - 2:30", in: spring).end?.description
        == "2026-03-30 02:30 +02:00")
  }

  @Test
  func `A length is added to the instant`() throws {
    let context = try Contexts.at("2026-10-25 10:00:00")
    #expect(
      try RangeExpression("0:30 for 4h", in: context).end?.description == "2026-10-25 03:30 +01:00")
  }

  @Test
  func `Days, weeks, months and quarters follow each other without gaps in every zone`() throws {
    try withSeed { random in
      for _ in 0..<repetitions(2_000) {
        let context = try Contexts.random(using: &random)
        let day = context.zone.local(at: context.now).date.daysSince1970
        let dates = (0...2).map { CivilDate(daysSince1970: day + $0).description }
        for (first, second) in [
          (dates[0], dates[1]), (dates[1], dates[2]), (":yesterday", ":day"),
          (":lastweek", ":week"), (":lastmonth", ":month"), (":lastquarter", ":quarter"),
          (":lastyear", ":year"),
        ] {
          let earlier = try RangeExpression(first, in: context)
          let later = try RangeExpression(second, in: context)
          #expect(earlier.end == later.start, "\(first), \(context)")
          let end = try #require(later.end)
          #expect(later.start.moment <= end.moment)
          if second.hasPrefix(":") {
            #expect(later.start.moment <= context.now && context.now < end.moment, "\(second)")
          }
          if later.start != end {
            let echo = try RangeExpression(later.description, in: context)
            #expect(echo.start == later.start && echo.end == later.end, "\(later)")
          }
        }
      }
    }
  }
}
