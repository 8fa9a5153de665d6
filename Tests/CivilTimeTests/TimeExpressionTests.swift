import CivilTime
import RetraceState
import RetraceTesting
import Testing
import ToolTestSupport

/// Contexts for tests.
enum Contexts {
  /// Returns a context in a zone, at a time in UTC such as `2026-11-23 15:39:01`.
  static func at(_ now: String, _ zone: String = "Europe/Berlin", firstWeekday: Int = 1) throws
    -> ExpressionContext
  {
    ExpressionContext(
      zone: try ZoneFiles.load(zone), now: try ZoneFiles.moment(now), firstWeekday: firstWeekday)
  }

  /// Monday 2026-11-23 16:39:01 in Berlin.
  static func berlin() throws -> ExpressionContext { try at("2026-11-23 15:39:01") }

  static let zones = [
    "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "Pacific/Apia",
    "Europe/Dublin", "America/St_Johns", "Africa/Casablanca", "America/Sao_Paulo",
    "America/Havana", "Europe/Amsterdam",
  ]

  static func random(using random: inout SeededGenerator) throws -> ExpressionContext {
    // From 1901 to 2199.
    let second = Int64.random(in: -2_177_000_000...7_220_000_000, using: &random)
    return ExpressionContext(
      zone: try ZoneFiles.load(zones.randomElement(using: &random) ?? "UTC"),
      now: Moment(
        microseconds: second * 1_000_000 + Int64.random(in: 0..<1_000_000, using: &random)),
      firstWeekday: Int.random(in: 0...6, using: &random))
  }
}

@Suite(.enabled(if: ZoneFiles.exist))
struct TimeExpressionTests {
  @Test func `a time of day in the future is one of yesterday if it may be`() throws {
    let berlin = try Contexts.berlin()
    func context(_ earliest: String) throws -> ExpressionContext {
      ExpressionContext(
        zone: berlin.zone, now: berlin.now, firstWeekday: 1, after: try ZoneFiles.moment(earliest))
    }
    let night = try context("2026-11-22 21:00:00")
    for (text, read) in [
      ("23:00", "2026-11-22 23:00 +01:00"), ("22:00", "2026-11-23 22:00 +01:00"),
      ("16:00", "2026-11-23 16:00 +01:00"), ("today 23:00", "2026-11-23 23:00 +01:00"),
    ] {
      #expect(try TimeExpression(text, in: night).description == read)
    }
    let range = try RangeExpression("23:00 - 0:30", in: night)
    #expect(range.description == "2026-11-22 23:00 +01:00 - 2026-11-23 00:30 +01:00")
  }

  @Test func `a date in the form that a user chose has one reading`() throws {
    let berlin = try Contexts.berlin()
    let stops = NumericDateForm(separator: ".", isDayFirst: true)
    let slashes = NumericDateForm(separator: "/", isDayFirst: false)
    for (form, text, read) in [
      (stops, "02.03.2026 9:30", "2026-03-02 09:30 +01:00"),
      (stops, "2.3.26 9:30", "2026-03-02 09:30 +01:00"),
      (stops, "4.3. 9:30", "2026-03-04 09:30 +01:00"),
      (slashes, "03/02/2026 9:30", "2026-03-02 09:30 +01:00"),
      (slashes, "2026-03-02 9:30", "2026-03-02 09:30 +01:00"),
    ] {
      #expect(try TimeExpression(text, in: berlin.reading(form)).description == read)
    }
    // In other forms, and without a century, both are still possible.
    for (form, text) in [
      (stops, "02/03/2026 9:30"), (slashes, "4.3. 9:30"), (slashes, "03/02/26 9:30"),
    ] {
      #expect(throws: ExpressionError.self) {
        try TimeExpression(text, in: berlin.reading(form))
      }
    }
    #expect(throws: ExpressionError.noSuchDay("02/30/2026")) {
      try TimeExpression("02/30/2026 9:30", in: berlin.reading(slashes))
    }
    #expect(throws: ExpressionError.noSuchDay("03.13.2026")) {
      try TimeExpression("03.13.2026 9:30", in: berlin.reading(stops))
    }
  }

  @Test func `of two times that clocks show alike, one in the future is not meant for an entry`()
    throws
  {
    // Clocks in Berlin show 02:10 and 02:50 for the first time.
    let night = try Contexts.at("2026-10-25 00:50:00")
    let first = try TimeExpression("2:10", in: night.ofPast)
    #expect(first.description == "2026-10-25 02:10 +02:00")
    let range = try RangeExpression("2:10 for 10m", in: night.ofPast)
    #expect(range.start.moment == first.moment)
    for (text, now) in [
      ("2:10", "2026-10-25 01:20:00"), ("2:55", "2026-10-25 00:50:00"),
      ("2:10", "2026-10-24 12:00:00"),
    ] {
      let day = now.hasPrefix("2026-10-24") ? "2026-10-25 " : ""
      #expect(throws: ExpressionError.self, "\(text) at \(now)") {
        try TimeExpression(day + text, in: Contexts.at(now).ofPast)
      }
    }
    #expect(throws: ExpressionError.self) { try TimeExpression("2:10", in: night) }
  }

  @Test func `a day lasts until days begin, with and without its name`() throws {
    let context = ExpressionContext(
      zone: try Contexts.berlin().zone, now: try ZoneFiles.moment("2026-11-23 00:30:00"),
      firstWeekday: 1, dayStart: .seconds(4 * 3_600))
    for (text, read) in [
      ("yesterday 9:00", "2026-11-21 09:00 +01:00"), ("today 4:00", "2026-11-22 04:00 +01:00"),
      ("today 3:59", "2026-11-23 03:59 +01:00"), ("yesterday 1:00", "2026-11-22 01:00 +01:00"),
      ("sunday 9:00", "2026-11-22 09:00 +01:00"), ("monday 9:00", "2026-11-16 09:00 +01:00"),
      ("9:00", "2026-11-22 09:00 +01:00"), ("2026-11-23 9:00", "2026-11-23 09:00 +01:00"),
      ("1:00", "2026-11-23 01:00 +01:00"), ("4:00", "2026-11-22 04:00 +01:00"),
      ("3:59:59", "2026-11-23 03:59:59 +01:00"), ("saturday 3:00", "2026-11-22 03:00 +01:00"),
      ("2026-11-22 3:00", "2026-11-22 03:00 +01:00"), ("24:00", "2026-11-23 00:00 +01:00"),
      ("1d ago", "2026-11-22 01:30 +01:00"),
    ] {
      #expect(try TimeExpression(text, in: context).description == read, "\(text)")
    }
    for (text, read) in [
      ("yesterday", "2026-11-21 04:00 +01:00 - 2026-11-22 04:00 +01:00"),
      ("week", "2026-11-16 04:00 +01:00 - 2026-11-23 04:00 +01:00"),
      ("from monday", "from 2026-11-16 04:00 +01:00"),
      ("23:00 - 1:00", "2026-11-22 23:00 +01:00 - 2026-11-23 01:00 +01:00"),
    ] {
      #expect(try RangeExpression(text, in: context).description == read, "\(text)")
    }
    // A time of day alone is on the day that is given, whatever the present.
    let friday = context.on(try #require(CivilDate(year: 2026, month: 11, day: 20)))
    #expect(try TimeExpression("4:00", in: friday).description == "2026-11-20 04:00 +01:00")
    #expect(try TimeExpression("3:59", in: friday).description == "2026-11-21 03:59 +01:00")
    let range = try RangeExpression("yesterday 22:00 - today 9:00", in: context)
    #expect(range.description == "2026-11-21 22:00 +01:00 - 2026-11-22 09:00 +01:00")
  }

  @Test(arguments: [
    ("9:00", "2026-11-23 09:00 +01:00"), ("09:00", "2026-11-23 09:00 +01:00"),
    ("9am", "2026-11-23 09:00 +01:00"), ("9 AM", "2026-11-23 09:00 +01:00"),
    ("9:30pm", "2026-11-23 21:30 +01:00"), ("12am", "2026-11-23 00:00 +01:00"),
    ("12pm", "2026-11-23 12:00 +01:00"), ("12:05 am", "2026-11-23 00:05 +01:00"),
    ("9:30:15", "2026-11-23 09:30:15 +01:00"), ("9:30:15.25", "2026-11-23 09:30:15.25 +01:00"),
    ("noon", "2026-11-23 12:00 +01:00"), ("midnight", "2026-11-23 00:00 +01:00"),
    ("24:00", "2026-11-24 00:00 +01:00"), ("yesterday 24:00", "2026-11-23 00:00 +01:00"),
    // In the future, and still today.
    ("23:59", "2026-11-23 23:59 +01:00"), ("now", "2026-11-23 16:39:01 +01:00"),
    ("yesterday 17:30", "2026-11-22 17:30 +01:00"), ("Yesterday at 9am", "2026-11-22 09:00 +01:00"),
    ("tomorrow noon", "2026-11-24 12:00 +01:00"), ("today 9:00", "2026-11-23 09:00 +01:00"),
    ("monday 9am", "2026-11-23 09:00 +01:00"), ("monday 23:00", "2026-11-23 23:00 +01:00"),
    ("tue 9:00", "2026-11-17 09:00 +01:00"), ("SUNDAY 9:00", "2026-11-22 09:00 +01:00"),
    ("2026-11-21 09:30", "2026-11-21 09:30 +01:00"),
    ("2026-11-21T09:30", "2026-11-21 09:30 +01:00"),
    ("2026/11/21 9:30", "2026-11-21 09:30 +01:00"),
    ("25.11.2026 9:30", "2026-11-25 09:30 +01:00"), ("25.11. 9:30", "2025-11-25 09:30 +01:00"),
    ("21.11. 9:30", "2026-11-21 09:30 +01:00"), ("21/11/2026 9:30", "2026-11-21 09:30 +01:00"),
    ("11-11-2026 9:30", "2026-11-11 09:30 +01:00"), ("11.11. 9:30", "2026-11-11 09:30 +01:00"),
    ("29.2. 9:30", "2024-02-29 09:30 +01:00"), ("25.11.26 9:30", "2026-11-25 09:30 +01:00"),
    ("2026-07-21 09:30", "2026-07-21 09:30 +02:00"),
    ("2026-11-21T09:30:00Z", "2026-11-21 10:30 +01:00"),
    ("2026-11-21t09:30:00.5z", "2026-11-21 10:30:00.5 +01:00"),
    ("2026-11-21T09:30:00-05:00", "2026-11-21 15:30 +01:00"),
    ("2026-11-21 09:30 +0530", "2026-11-21 05:00 +01:00"),
    ("2026-11-21 09:30+05", "2026-11-21 05:30 +01:00"), ("9:30 UTC", "2026-11-23 10:30 +01:00"),
    ("10min ago", "2026-11-23 16:29:01 +01:00"), ("-30m", "2026-11-23 16:09:01 +01:00"),
    ("1h30 ago", "2026-11-23 15:09:01 +01:00"), ("1.5 ago", "2026-11-23 15:09:01 +01:00"),
    ("half an hour ago", "2026-11-23 16:09:01 +01:00"),
    ("An hour ago", "2026-11-23 15:39:01 +01:00"), ("a week ago", "2026-11-16 16:39:01 +01:00"),
    ("20261121T173000Z", "2026-11-21 18:30 +01:00"),
    ("20261121T173015", "2026-11-21 17:30:15 +01:00"),
    ("-1:30", "2026-11-23 15:09:01 +01:00"), ("90 seconds ago", "2026-11-23 16:37:31 +01:00"),
    ("1d ago", "2026-11-22 16:39:01 +01:00"), ("2 weeks ago", "2026-11-09 16:39:01 +01:00"),
    ("1mo ago", "2026-10-23 16:39:01 +02:00"), ("-1y", "2025-11-23 16:39:01 +01:00"),
    (" \t 9:00  ", "2026-11-23 09:00 +01:00"),
  ])
  func `A time is read`(text: String, expected: String) throws {
    #expect(try TimeExpression(text, in: Contexts.berlin()).description == expected)
  }

  /// The start of a day is in one day only, also where clocks change at that time.
  @Test func `the borders of a day are those of reports`() throws {
    for (zone, now, minutes) in [
      ("Europe/Berlin", "2026-11-23 03:00:00", 240), ("Europe/Berlin", "2026-10-25 00:30:00", 150),
      ("Europe/Berlin", "2026-03-29 01:00:00", 150), ("America/St_Johns", "2005-10-30 02:30:00", 0),
    ] as [(String, String, Int64)] {
      let present = try ZoneFiles.moment(now)
      for offset in [-3_600, -1, 0, 1, 600, 2_400, 3_600] as [Int64] {
        let context = ExpressionContext(
          zone: try ZoneFiles.load(zone), now: present.adding(.seconds(offset)), firstWeekday: 1,
          dayStart: .seconds(minutes * 60))
        let today = try RangeExpression("today", in: context)
        let end = try #require(today.end)
        #expect(today.start.moment <= context.now && context.now < end.moment, "\(zone) \(now)")
      }
    }
  }

  @Test
  func `Thirty minutes are not thirty months`() throws {
    let context = try Contexts.berlin()
    let minutes = try TimeExpression("30m ago", in: context)
    #expect(context.now.elapsed(since: minutes.moment) == .seconds(1_800))
    // Whole seconds, as entries have them.
    let later = ExpressionContext(
      zone: context.zone, now: context.now.adding(ElapsedTime(microseconds: 999_999)),
      firstWeekday: 1)
    #expect(try TimeExpression("30m ago", in: later) == minutes)
    #expect(try TimeExpression("now", in: later).description.contains("16:39:01 "))
    #expect(try TimeExpression("30mo ago", in: context).local.date.description == "2024-05-23")
  }

  @Test
  func `The reading names the day of a weekday and a shorter month`() throws {
    let context = try Contexts.berlin()
    #expect(try TimeExpression("mon 9:00", in: context).note == "Monday is 2026-11-23, today")
    #expect(try TimeExpression("tue 9:00", in: context).note == "Tuesday is 2026-11-17")
    #expect(try TimeExpression("9:00", in: context).note == nil)
    let last = try TimeExpression("1mo ago", in: Contexts.at("2026-03-31 10:00:00"))
    #expect(last.description == "2026-02-28 12:00 +01:00")
    #expect(last.note == "the month has 28 days")
  }

  @Test(
    arguments: [
      ("", .empty), ("-", .unreadable("-", .time)), ("x", .unreadable("x", .time)),
      ("9:0", .unreadable("9:0", .time)),
      ("11:", .unreadable("11:", .time)), (":20", .unreadable(":20", .time)),
      ("12x", .unreadable("12x", .time)), ("11:xx", .unreadable("11:xx", .time)),
      ("9:60", .noSuchTime("9:60")), ("25:00", .noSuchTime("25:00")),
      ("24:01", .noSuchTime("24:01")), ("24:00:00.5", .noSuchTime("24:00:00.5")),
      ("9:00 +27:00", .unreadable("9:00 +27:00", .time)),
      ("9:00 +02:60", .unreadable("9:00 +02:60", .time)), ("23:59:60", .noSuchTime("23:59:60")),
      ("13pm", .noSuchTime("13pm")), ("0am", .noSuchTime("0am")),
      ("yesterday", .timeMissing("yesterday")), ("Monday", .timeMissing("Monday")),
      ("2026-11-21", .timeMissing("2026-11-21")),
      ("2026-02-30 9:00", .noSuchDay("2026-02-30")), ("1899-12-31 9:00", .yearOutOfRange),
      ("2201-01-01 9:00", .yearOutOfRange), ("9999y ago", .yearOutOfRange),
      ("1000h ago", .durationTooLong), ("1h -1m ago", .unreadable("1h -1m", .duration)),
      ("yesterday17:30", .unreadable("yesterday17:30", .time)),
      ("2026-11-21 9:00 XYZ", .unreadable("2026-11-21 9:00 XYZ", .time)),
      ("9:00 +2", .unreadable("9:00 +2", .time)), ("9:00 9:00", .unreadable("9:00 9:00", .time)),
      // Two readings, or one that is easily mistaken. Toggl reads `2`, `1230`, `120a` and `1P`.
      ("9", .ambiguous("9", instead: ["9:00", "21:00"])),
      ("Yesterday 9", .ambiguous("Yesterday 9", instead: ["Yesterday 9:00", "Yesterday 21:00"])),
      ("12", .ambiguous("12", instead: ["12:00"])),
      ("26-11-20 9:00", .ambiguous("26-11-20", instead: ["2026-11-20", "2020-11-26"])),
      ("0", .ambiguous("0", instead: ["0:00"])),
      ("1230", .ambiguous("1230", instead: ["12:30"])),
      ("9.30", .ambiguous("9.30", instead: ["9:30", "21:30"])),
      ("120a", .unreadable("120a", .time)), ("1P", .unreadable("1P", .time)),
      ("10 ago", .ambiguous("10 ago", instead: ["10m ago", "10h ago"])),
      ("-30", .ambiguous("-30", instead: ["-30m", "-30h"])),
      ("20 minutes", .unreadable("20 minutes", .time)),
      ("at x", .unreadable("x", .time)), ("at at 9:00", .unreadable("at 9:00", .time)),
      ("11/12/2026 9:00", .ambiguous("11/12/2026", instead: ["2026-11-12", "2026-12-11"])),
      ("11.12. 9:00", .ambiguous("11.12.", instead: ["2026-11-12", "2025-12-11"])),
      ("21/11/26 9:00", .ambiguous("21/11/26", instead: ["2021-11-26", "2026-11-21"])),
      ("31.4. 9:00", .noSuchDay("31.4.")), ("25.11 9:00", .unreadable("25.11 9:00", .time)),
      ("11.12.26 9:00", .ambiguous("11.12.26", instead: ["2026-11-12", "2026-12-11"])),
      ("31/13/2026 9:00", .noSuchDay("31/13/2026")),
      ("9:00-05:00", .ambiguous("9:00-05:00", instead: ["9:00 -05:00", "9:00 - 05:00"])),
    ] as [(String, ExpressionError)])
  func `A text that is not one time is refused`(text: String, error: ExpressionError) throws {
    let context = try Contexts.berlin()
    #expect(throws: error) { try TimeExpression(text, in: context) }
  }

  @Test
  func `Digits are a time of day only where a text can be nothing else`() throws {
    let context = try Contexts.berlin()
    for (text, clock) in [
      ("930", "9:30"), ("0930", "9:30"), ("1745", "17:45"), ("000", "0:00"), ("2026", "20:26"),
      ("yesterday 930", "yesterday 9:30"), ("at 1745", "17:45"),
      ("2026-11-20 930", "2026-11-20 9:30"), ("20 nov 2026 930", "2026-11-20 9:30"),
    ] {
      let read = try TimeExpression(text, in: context, takesDigits: true)
      let expected = try TimeExpression(clock, in: context)
      #expect(read == expected, "\(text)")
      #expect(throws: ExpressionError.self) { try TimeExpression(text, in: context) }
    }
    for (text, error) in [
      ("9", ExpressionError.ambiguous("9", instead: ["9:00", "21:00"])),
      ("12", .ambiguous("12", instead: ["12:00"])), ("960", .noSuchTime("960")),
      ("2400", .noSuchTime("2400")), ("9.30", .ambiguous("9.30", instead: ["9:30", "21:30"])),
      ("20 nov 2026", .timeMissing("20 nov 2026")), ("17450", .unreadable("17450", .time)),
    ] {
      #expect(throws: error) { try TimeExpression(text, in: context, takesDigits: true) }
    }
    let range = try RangeExpression("930 - 1745", in: context, takesDigits: true)
    let expected = try RangeExpression("9:30 - 17:45", in: context)
    #expect(range == expected)
    let long = try RangeExpression("2026 for 1h", in: context, takesDigits: true)
    let hour = try RangeExpression("20:26 for 1h", in: context)
    #expect(long == hour)
    #expect(throws: ExpressionError.self) { try RangeExpression("930 - 1745", in: context) }
  }

  @Test
  func `A repeated time needs an offset, and the error lists both`() throws {
    let context = try Contexts.at("2026-10-25 10:00:00")
    let first = try TimeExpression("02:30 CEST", in: context)
    let second = try TimeExpression("02:30 cet", in: context)
    #expect(first.description == "2026-10-25 02:30 +02:00")
    #expect(second.description == "2026-10-25 02:30 +01:00")
    #expect(second.moment.elapsed(since: first.moment) == .seconds(3_600))
    #expect(try TimeExpression("02:30+02:00", in: context) == first)
    #expect(try TimeExpression("2026-10-25 02:30 +01:00", in: context) == second)
    #expect(throws: ExpressionError.repeated(first.local, first, second)) {
      try TimeExpression("2:30", in: context)
    }
    #expect(
      ExpressionError.repeated(first.local, first, second).description
        == "Clocks showed 2026-10-25 02:30:00 twice. "
        + "Write 2026-10-25 02:30 +02:00 or 2026-10-25 02:30 +01:00.")
  }

  @Test(arguments: [
    (
      "Europe/Berlin", "2026-03-29 02:30", "2026-03-29 01:59:59 +01:00", "2026-03-29 03:00 +02:00"
    ),
    (
      "Australia/Lord_Howe", "2026-10-04 02:15", "2026-10-04 01:59:59 +10:30",
      "2026-10-04 02:30 +11:00"
    ),
    (
      "Pacific/Apia", "2011-12-30 12:00", "2011-12-29 23:59:59 -10:00", "2011-12-31 00:00 +14:00"
    ),
    (
      "America/Sao_Paulo", "2018-11-04 00:00", "2018-11-03 23:59:59 -03:00",
      "2018-11-04 01:00 -02:00"
    ),
    (
      "Europe/Berlin", "2026-03-29 02:30 CEST", "2026-03-29 01:59:59 +01:00",
      "2026-03-29 03:00 +02:00"
    ),
  ])
  func `A skipped time is refused with the two nearest`(
    zone: String, text: String, before: String, after: String
  ) throws {
    let context = try Contexts.at("2026-11-23 12:00:00", zone)
    do {
      let time = try TimeExpression(text, in: context)
      Issue.record("\(text) was read as \(time)")
    } catch .skipped(let local, let earlier, let later) {
      #expect(text.hasPrefix("\(local.date) \(local.clock)"))
      #expect(earlier.description == before && later.description == after)
      #expect(later.moment.elapsed(since: earlier.moment) == .seconds(1))
      #expect(try TimeExpression(before, in: context) == earlier)
    } catch {
      Issue.record("\(error)")
    }
  }

  @Test
  func `The end of a day is where the next one begins, also if clocks skip midnight`() throws {
    let context = try Contexts.at("2018-11-03 12:00:00", "America/Sao_Paulo")
    #expect(try TimeExpression("24:00", in: context).description == "2018-11-04 01:00 -02:00")
  }

  @Test
  func `An abbreviation must fit the zone and the day`() throws {
    let context = try Contexts.berlin()
    #expect(try TimeExpression("9:00 CET", in: context).description == "2026-11-23 09:00 +01:00")
    let local = try TimeExpression("9:00", in: context).local
    for name in ["CEST", "EST"] {
      #expect(throws: ExpressionError.noSuchOffset(name, local, zone: "Europe/Berlin")) {
        try TimeExpression("9:00 \(name)", in: context)
      }
    }
    // India's and Ireland's IST.
    let kolkata = try Contexts.at("2026-07-01 12:00:00", "Asia/Kolkata")
    #expect(try TimeExpression("9:00 IST", in: kolkata).offsetSeconds == 19_800)
    let dublin = try Contexts.at("2026-07-01 12:00:00", "Europe/Dublin")
    #expect(try TimeExpression("9:00 IST", in: dublin).offsetSeconds == 3_600)
  }

  @Test
  func `A duration before now is counted in instants`() throws {
    // Berlin, 2026-10-25 03:30 CET: four hours ago clocks showed 00:30, not 23:30.
    let context = try Contexts.at("2026-10-25 02:30:00")
    #expect(context.zone.local(at: context.now).clock == "03:30")
    #expect(try TimeExpression("4:00 ago", in: context).description == "2026-10-25 00:30 +02:00")
    // A day is not 24 hours, but the same time on the clock.
    #expect(try TimeExpression("1d ago", in: context).description == "2026-10-24 03:30 +02:00")
    #expect(try TimeExpression("24h ago", in: context).description == "2026-10-24 04:30 +02:00")
  }

  @Test
  func `The echo of a time is read as the same moment in any zone`() throws {
    try withSeed { random in
      for _ in 0..<repetitions(5_000) {
        let context = try Contexts.random(using: &random)
        let other = try Contexts.random(using: &random)
        let now = try TimeExpression("now", in: context)
        #expect(now.moment == context.now)
        #expect(try TimeExpression(now.description, in: context) == now, "\(now)")
        #expect(try TimeExpression(now.description, in: other).moment == now.moment, "\(now)")
        let clock = "\(now.local.date) \(now.local.clock)"
        let minute = try? TimeExpression(clock, in: context)
        let moments = context.zone.moments(
          forLocal: LocalTime(secondsSince1970: now.local.secondsSince1970 / 60 * 60))
        if moments.count == 1 && now.local.secondsSince1970 >= 0 {
          #expect(minute?.moment == moments[0], "\(clock) in \(context.zone.id)")
        }
      }
    }
  }

  @Test
  func `Garbage neither traps nor is read without an echo`() throws {
    var read = 0
    try withSeed { random in
      for _ in 0..<repetitions(200_000) {
        let context = try Self.contexts.randomElement(using: &random)?() ?? Contexts.berlin()
        let text = Garbage.text(from: Garbage.times, using: &random)
        if let time = try? TimeExpression(text, in: context) {
          read += 1
          #expect(
            try TimeExpression(time.description, in: context).moment == time.moment, "\(text)")
        }
        if let range = try? RangeExpression(text, in: context) {
          read += 1
          let echo = try RangeExpression(range.description, in: context)
          #expect(echo.start == range.start && echo.end == range.end, "\(text)")
        }
      }
    }
    #expect(read > 100)
    let context = try Contexts.berlin()
    let long = String(repeating: "2026-", count: 1_000_000)
    #expect(throws: ExpressionError.textTooLong) { try TimeExpression(long, in: context) }
    #expect(throws: ExpressionError.textTooLong) { try RangeExpression(long, in: context) }
  }

  @Test
  func `A present out of all years is refused`() {
    for value in [Int64.min, Int64.max] {
      let context = ExpressionContext(
        zone: .utc, now: Moment(microseconds: value), firstWeekday: -1)
      for text in ["now", "9:00", "1d ago", "-30m", "9999y ago"] {
        #expect(throws: ExpressionError.yearOutOfRange) { try TimeExpression(text, in: context) }
      }
      #expect(throws: ExpressionError.yearOutOfRange) { try RangeExpression(":week", in: context) }
    }
  }

  @Test
  func `Errors say what was read and what is accepted`() {
    #expect(
      ExpressionError.unreadable("9h", .time).description
        == "`9h` is not a time such as 9:00, 9am, yesterday 17:30, 2026-11-21 09:30, 10min ago "
        + "or now.")
    #expect(
      ExpressionError.ambiguous("15", instead: ["15m", "15h"]).description
        == "`15` could be misread. Write `15m` or `15h`.")
    #expect(
      ExpressionError.timeMissing("monday").description
        == "`monday` is a day. Add a time, such as `monday 9:00`.")
  }

  private static let contexts: [@Sendable () throws -> ExpressionContext] = {
    let loaded = (try? Contexts.zones.map { try Contexts.at("2026-10-25 00:30:00", $0) }) ?? []
    return loaded.map { context in { context } }
  }()
}
