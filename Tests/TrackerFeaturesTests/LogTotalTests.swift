import CivilTime
import RetraceArchitecture
import RetraceScreen
import RetraceState
import RetraceTesting
import Testing
import TimeTracking
import ToolTestSupport
import TrackerFeatures

/// The totals of today and of the week beside the title of the timer.
@Suite struct LogTotalTests {
  /// A moment in Berlin, which changed its clocks on that day or in its week.
  struct Now: Sendable {
    var date: String
    var hour: Int
  }

  /// Days of 24, of 23 and of 25 hours, and days of weeks that have one of these.
  static let nows = [
    Now(date: "2026-11-25", hour: 9), Now(date: "2027-03-28", hour: 1),
    Now(date: "2027-03-28", hour: 23), Now(date: "2027-03-27", hour: 12),
    Now(date: "2027-10-31", hour: 2), Now(date: "2027-10-31", hour: 23),
    Now(date: "2027-10-26", hour: 5),
  ]

  private static func clock(_ time: ElapsedTime) -> String {
    let (minutes, seconds) = (time.seconds / 60, time.seconds % 60)
    return "\(minutes / 60):\(padded(Int(minutes % 60), to: 2)):\(padded(Int(seconds), to: 2))"
  }

  /// The text of the totals that the reports of today and of the week have.
  private static func reported(_ tracking: Tracking, in calendar: ReportCalendar) -> String {
    let times = [RangeShortcut.today, .thisWeek].map { shortcut in
      let range = calendar.range(of: shortcut, at: tracking.now)
      let report = tracking.domain.report(ReportQuery(range, in: calendar), at: tracking.now)
      return clock(report.total.exact.time)
    }
    return "Today \(times[0])  Week \(times[1])"
  }

  @Test(.enabled(if: ZoneFiles.exist), arguments: LogTotalTests.nows)
  func `the totals are those of the reports, also on days of 23 and 25 hours [M8]`(now: Now) throws
  {
    let rules = try ZoneFiles.load("Europe/Berlin")
    try withSeed { random in
      for dayStart in [ElapsedTime.zero, .seconds(4 * 3_600)] {
        var tracking = try Tracking()
        tracking.rules = rules
        var preferences = PreferenceSet(user: tracking.user)
        preferences.dayStart = dayStart
        preferences.firstWeekday = Int32.random(in: 0...6, using: &random)
        try tracking.perform(.preferences(.create(preferences)))
        let date = try DateFormat("yyyy-MM-dd").parse(now.date).date
        let moment = ReportCalendar(rules, dayStart: .seconds(Int64(now.hour) * 3_600)).start(
          of: date)
        tracking.wait(.microseconds(moment.microseconds - tracking.now.microseconds))
        for _ in 0..<60 {
          let start = tracking.now.adding(
            .seconds(-Int64.random(in: 0..<12 * 86_400, using: &random)))
          let end = start.adding(
            ElapsedTime(microseconds: Int64.random(in: 0..<40_000_000_000, using: &random)))
          let draft = TimeEntryDraft(user: .id(tracking.user), description: "x", zone: .utc)
          try tracking.perform(
            .entry(.add(draft, start: start, end: min(end, tracking.now), policy: .allow)))
        }
        let calendar = ReportCalendar(
          rules, firstWeekday: Int(preferences.firstWeekday), dayStart: dayStart)
        #expect(tracking.lines[0].hasSuffix("  " + Self.reported(tracking, in: calendar)))
        // The running entry counts until now, and each part on its day.
        let draft = TimeEntryDraft(user: .id(tracking.user), description: "runs", zone: .utc)
        let start = tracking.now.adding(.seconds(-Int64.random(in: 0..<43_000, using: &random)))
        try tracking.perform(.entry(.start(draft, at: start, policy: .allow)))
        for _ in 0..<4 {
          #expect(tracking.lines[0].hasSuffix("  " + Self.reported(tracking, in: calendar)))
          tracking.wait(.milliseconds(Int64.random(in: 0..<9_000_000, using: &random)))
        }
      }
    }
  }

  @Test func `a narrow screen has the total of today, and a narrower one no title`() throws {
    var tracking = try Tracking()
    try tracking.press("text:n", "text:mail", "enter")
    tracking.wait(.seconds(90))
    var first: [String] = []
    for columns in [80, 40, 20] {
      tracking.size.columns = columns
      first.append(tracking.lines[0])
      #expect(TextWidth.of(first.last ?? "") == columns)
    }
    #expect(
      first[0].hasPrefix("Timer of anna  ") && first[0].hasSuffix("  Today 0:01:30  Week 0:01:30"))
    #expect(first[1].hasPrefix("Timer of anna  ") && first[1].hasSuffix("  Today 0:01:30"))
    #expect(first[2] == "       Today 0:01:30")
  }
}
