import CivilTime
import Foundation
import RetraceState
import RetraceTesting
import Testing
import ToolTestSupport
import TimeTracking

/// Days, weeks and months of reports, in time zones.
@Suite struct ReportCalendarTests {
  private static func day(_ year: Int, _ month: Int, _ day: Int) -> CivilDate {
    CivilDate(year: year, month: month, day: day) ?? CivilDate(daysSince1970: 0)
  }

  private func length(_ range: Range<Moment>) -> Int64 {
    range.upperBound.elapsed(since: range.lowerBound).seconds
  }

  @Test(.enabled(if: ZoneFiles.exist))
  func `days have 23 and 25 hours, and skipped days are empty [M14]`() throws {
    let berlin = ReportCalendar(try ZoneFiles.load("Europe/Berlin"))
    #expect(length(berlin.range(of: Self.day(2026, 3, 29))) == 23 * 3_600)
    #expect(length(berlin.range(of: Self.day(2026, 10, 25))) == 25 * 3_600)
    let early = ReportCalendar(berlin.rules, dayStart: .seconds(9_000))
    // 02:30 does not exist on that day, so it begins at 03:00, and 23.5 hours are left of it.
    #expect(length(early.range(of: Self.day(2026, 3, 28))) == 23 * 3_600 + 1_800)
    #expect(length(early.range(of: Self.day(2026, 3, 29))) == 23 * 3_600 + 1_800)
    let apia = ReportCalendar(try ZoneFiles.load("Pacific/Apia"))
    #expect(apia.range(of: Self.day(2011, 12, 30)).isEmpty)
    let after = apia.start(of: Self.day(2011, 12, 31))
    #expect(apia.day(at: after) == Self.day(2011, 12, 31))
    #expect(
      apia.day(at: Moment(microseconds: after.microseconds - 1)) == Self.day(2011, 12, 29))
    let amsterdam = ReportCalendar(try ZoneFiles.load("Europe/Amsterdam"))
    #expect(length(amsterdam.range(of: Self.day(1937, 7, 1))) > 23 * 3_600)
  }

  @Test(.enabled(if: ZoneFiles.exist))
  func `an entry is cut where days begin, through a night of 23 hours [M14]`() throws {
    var desk = try ReportDesk()
    let rules = try ZoneFiles.load("Europe/Berlin")
    let start = try ZoneFiles.moment("2026-03-28 22:00:00")
    desk.now = try ZoneFiles.moment("2026-04-02 00:00:00")
    try desk.entry(from: start, to: try ZoneFiles.moment("2026-03-29 23:30:00"))
    let range = start..<desk.now
    func days(_ dayStart: ElapsedTime) -> Report {
      desk.report(range) {
        $0.grouping = [.day]
        $0.calendar = ReportCalendar(rules, dayStart: dayStart)
      }
    }
    let report = days(.zero)
    let keys = [Self.day(2026, 3, 28), Self.day(2026, 3, 29), Self.day(2026, 3, 30)]
    #expect(report.keys == keys.map { .day($0) })
    #expect(report.times == [minutes(60), minutes(23 * 60), minutes(90)])
    #expect(report.groups.allSatisfy { $0.figures.entries == 1 } && report.total.entries == 1)
    // A day that begins at 04:00 takes the night with it.
    let late = days(.seconds(4 * 3_600))
    #expect(late.times == [minutes(4 * 60), minutes(21 * 60 + 30)])
  }

  @Test func `shortcuts follow the first weekday and the start of the day [M14]`() {
    // 2026-03-02 is a Monday.
    let monday = ReportCalendar(.utc)
    let sunday = ReportCalendar(.utc, firstWeekday: 0, dayStart: .seconds(6 * 3_600))
    let noon = time(2 * minutesOfDay + 720)
    let night = time(2 * minutesOfDay + 60)
    func range(_ first: CivilDate, _ end: CivilDate, _ calendar: ReportCalendar) -> Range<Moment> {
      calendar.start(of: first)..<calendar.start(of: end)
    }
    let rows: [(RangeShortcut, CivilDate, CivilDate)] = [
      (.today, Self.day(2026, 3, 4), Self.day(2026, 3, 5)),
      (.yesterday, Self.day(2026, 3, 3), Self.day(2026, 3, 4)),
      (.thisWeek, Self.day(2026, 3, 2), Self.day(2026, 3, 9)),
      (.lastWeek, Self.day(2026, 2, 23), Self.day(2026, 3, 2)),
      (.thisMonth, Self.day(2026, 3, 1), Self.day(2026, 4, 1)),
      (.lastMonth, Self.day(2026, 2, 1), Self.day(2026, 3, 1)),
      (.thisYear, Self.day(2026, 1, 1), Self.day(2027, 1, 1)),
      (.lastYear, Self.day(2025, 1, 1), Self.day(2026, 1, 1)),
    ]
    #expect(rows.map(\.0) == RangeShortcut.allCases)
    for (shortcut, first, end) in rows {
      #expect(monday.range(of: shortcut, at: noon) == range(first, end, monday), "\(shortcut)")
    }
    #expect(
      sunday.range(of: .thisWeek, at: noon)
        == range(Self.day(2026, 3, 1), Self.day(2026, 3, 8), sunday))
    #expect(
      sunday.range(of: .today, at: night)
        == range(Self.day(2026, 3, 3), Self.day(2026, 3, 4), sunday))
    let january = Moment(microseconds: 1_767_225_600_000_000)
    #expect(
      monday.range(of: .lastMonth, at: january)
        == range(Self.day(2025, 12, 1), Self.day(2026, 1, 1), monday))
    var preferences = PreferenceSet(user: UserID(value: 0))
    (preferences.firstWeekday, preferences.dayStart) = (0, .seconds(6 * 3_600))
    #expect(ReportCalendar(.utc, preferences) == sunday)
  }

  @Test func `weeks and months hold their days, whatever the first weekday [M14]`() throws {
    var desk = try ReportDesk()
    desk.now = time(100_000)
    for day in Int64(-3)..<12 {
      try desk.entry(from: time(day * minutesOfDay + 60), to: time(day * minutesOfDay + 61))
    }
    let range = time(-10 * minutesOfDay)..<time(20 * minutesOfDay)
    let weeks = desk.report(range) { $0.grouping = [.week] }
    #expect(
      weeks.keys
        == [Self.day(2026, 2, 23), Self.day(2026, 3, 2), Self.day(2026, 3, 9)].map { .week($0) })
    #expect(weeks.times == [minutes(3), minutes(7), minutes(5)])
    let months = desk.report(range) { $0.grouping = [.month, .day] }
    #expect(months.keys == [.month(Self.day(2026, 2, 1)), .month(Self.day(2026, 3, 1))])
    #expect(months.groups.map(\.groups.count) == [2, 13])
  }

  // MARK: Properties

  /// The ids of all zones, or of a sample.
  private func zones(_ random: inout SeededGenerator) throws -> [String] {
    let folder = "/usr/share/zoneinfo"
    var ids: [String] = []
    for case let path as String in FileManager.default.enumerator(atPath: folder) ?? .init() {
      if path.hasPrefix("posix/") || path.hasPrefix("right/") { continue }
      if (try? ZoneFiles.load(path)) != nil { ids.append(path) }
    }
    ids.sort()
    let sample = ["Pacific/Apia", "Europe/Amsterdam", "Australia/Lord_Howe", "America/St_Johns"]
    let few = sample + (0..<8).compactMap { _ in ids.randomElement(using: &random) }
    return repetitions(ids.count, few: 0) == 0 ? few : ids
  }

  @Test(.enabled(if: ZoneFiles.exist))
  func `the totals of days are the clipped sum of the range, in every zone [M14]`() throws {
    try withSeed { random in
      let zones = try zones(&random)
      #expect(!zones.isEmpty)
      for zone in zones {
        let rules = try ZoneFiles.load(zone)
        for _ in 0..<2 {
          var desk = try ReportDesk()
          // Around a random instant from 1850 to 2100, and around a change of the clocks.
          let middle = Int64.random(in: -3_786_912_000...4_102_444_800, using: &random)
          let center = Moment(microseconds: change(of: rules, after: middle) * 1_000_000)
          let span = center.adding(.seconds(-9 * 86_400))..<center.adding(.seconds(9 * 86_400))
          try RandomEntries(users: [desk.ann, desk.bob], projects: [nil], tags: [])
            .insert(60, between: span, into: &desk.state, &random)
          desk.now = center
          let range =
            center.adding(
              .seconds(-5 * 86_400 - 1_234))..<center.adding(
              .seconds(6 * 86_400 + 77))
          let query = ReportQuery(
            range,
            in: ReportCalendar(
              rules, firstWeekday: Int.random(in: 0...6, using: &random),
              dayStart: [.zero, .seconds(4 * 3_600), .seconds(84_600)].randomElement(
                using: &random) ?? .zero))
          expectDayTotals(of: desk.state, query, at: desk.now, "\(zone) \(middle)")
        }
      }
    }
  }

  @Test(.enabled(if: ZoneFiles.exist))
  func `each instant is in the one day that the calendar says [M14]`() throws {
    try withSeed { random in
      for zone in try zones(&random) {
        let rules = try ZoneFiles.load(zone)
        for _ in 0..<20 {
          let dayStart = [ElapsedTime.zero, .seconds(3 * 3_600)].randomElement(using: &random)
          let calendar = ReportCalendar(rules, dayStart: dayStart ?? .zero)
          let middle = Int64.random(in: -3_786_912_000...4_102_444_800, using: &random)
          let offset = Int64.random(in: -9_000...9_000, using: &random)
          let near = change(of: rules, after: middle) + offset
          let moment = Moment(microseconds: near * 1_000_000)
          let day = calendar.day(at: moment)
          #expect(calendar.range(of: day).contains(moment), "\(zone) \(near)")
          // The clocks say so too, but for a night in which they show midnight twice.
          let local = rules.local(at: moment).secondsSince1970 - calendar.dayStart.seconds
          let shown = LocalTime(secondsSince1970: local).date.daysSince1970
          #expect((0...1).contains(day.daysSince1970 - shown), "\(zone) \(near)")
        }
      }
    }
  }

  /// Returns the first change of the offset in a year after a second, or that second.
  private func change(of rules: ZoneRules, after second: Int64) -> Int64 {
    func offset(_ second: Int64) -> Int32 {
      rules.offset(at: Moment(microseconds: second * 1_000_000))
    }
    var day = second
    while day < second + 366 * 86_400 {
      guard offset(day) != offset(day + 86_400) else {
        day += 86_400
        continue
      }
      var (low, high) = (day, day + 86_400)
      while high - low > 1 {
        let middle = (low + high) / 2
        if offset(middle) == offset(day) { low = middle } else { high = middle }
      }
      return high
    }
    return second
  }
}
