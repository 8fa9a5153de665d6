import CivilTime
import RetraceArchitecture
import RetraceScreen
import RetraceState
import RetraceTesting
import Testing
import TimeTracking
import ToolTestSupport
import TrackerFeatures

/// The list of the ended entries, by days.
@Suite struct LogTests {
  /// Adds random entries of the last days, after a time has passed.
  private static func tracking(
    days: Int64, entries: Int, after later: ElapsedTime = .zero, _ random: inout SeededGenerator
  ) throws -> Tracking {
    var tracking = try Tracking()
    tracking.wait(.microseconds(later.microseconds))
    for number in 0..<entries {
      let second = Int64.random(in: 3_600...days * 86_400, using: &random)
      let start = tracking.now.adding(.seconds(-second))
      let length = Int64.random(in: 0...min(second, 40_000), using: &random)
      let draft = TimeEntryDraft(
        user: .id(tracking.user), description: "task \(number)", zone: .utc)
      try tracking.perform(
        .entry(
          .add(draft, start: start, end: start.adding(.seconds(length)), policy: .allow)))
    }
    return tracking
  }

  /// The days and the times of the headings on the screen.
  private static func headings(on lines: [String]) -> [String: String] {
    var found: [String: String] = [:]
    for line in lines {
      guard let date = line.firstMatch(of: /\d{4}-\d\d-\d\d/), !line.contains("task") else {
        continue
      }
      found["\(date.0)"] = line.split(separator: " ").last.map { String($0) }
    }
    return found
  }

  /// The days are of the month before: one of them has 25 or 23 hours.
  @Test(.enabled(if: ZoneFiles.exist), arguments: ["2026-11-23 09:00:00", "2027-04-02 22:30:00"])
  func `the heading of a day has the time of its report [M8]`(now: String) throws {
    try withSeed { random in
      let rules = try ZoneFiles.load("Europe/Berlin")
      for dayStart in [ElapsedTime.zero, .seconds(4 * 3_600)] {
        let later = try ZoneFiles.moment(now).elapsed(since: Tracking.morning)
        var tracking = try Self.tracking(days: 30, entries: 60, after: later, &random)
        tracking.rules = rules
        var preferences = PreferenceSet(user: tracking.user)
        preferences.dayStart = dayStart
        try tracking.perform(.preferences(.create(preferences)))
        let draft = TimeEntryDraft(user: .id(tracking.user), description: "runs", zone: .utc)
        let start = tracking.now.adding(.seconds(-11 * 3_600))
        try tracking.perform(.entry(.start(draft, at: start, policy: .allow)))
        var shown: [String: String] = [:]
        while tracking.notice == nil {
          shown.merge(Self.headings(on: tracking.lines)) { $1 }
          try tracking.press("page-down")
        }
        let calendar = ReportCalendar(rules, dayStart: dayStart)
        #expect(shown.count > 20)
        for (text, time) in shown {
          let date = try DateFormat("yyyy-MM-dd").parse(text).date
          let query = ReportQuery(calendar.range(of: date), in: calendar)
          let report = tracking.domain.report(query, at: tracking.now)
          let seconds = report.total.exact.time.seconds
          #expect(
            time == "\(seconds / 3_600):\(padded(Int(seconds / 60 % 60), to: 2)):"
              + padded(Int(seconds % 60), to: 2), "\(text)")
        }
      }
    }
  }

  @Test func `each entry is reached by pages and by arrows, whatever the size [M8]`() throws {
    try withSeed { random in
      for _ in 0..<repetitions(60, few: 6) {
        let days = Int64.random(in: 1...40, using: &random)
        let count = Int.random(in: 1...50, using: &random)
        var tracking = try Self.tracking(days: days, entries: count, &random)
        tracking.size = Screen.Size(
          columns: 60, rows: Int.random(in: 4...24, using: &random))
        func tasks() -> [String] {
          tracking.lines.compactMap { $0.firstMatch(of: /task \d+/).map { "\($0.0)" } }
        }
        var down: [String] = []
        while tracking.notice == nil {
          down += tasks()
          try tracking.press("page-down")
        }
        #expect(Set(down).count == count && down.count == count)
        var up: Set<String> = []
        for _ in 0...count where tracking.timer?.top != nil {
          up.formUnion(tasks())
          try tracking.press("page-up")
        }
        up.formUnion(tasks())
        #expect(up.count == count && tracking.timer?.top == nil)
        // The selected entry is always on the screen.
        var walked: [String] = []
        for key in ["down", "up"] {
          for _ in 0..<count {
            try tracking.press(key)
            let row = try #require(tracking.lines.first { $0.hasPrefix("› ") })
            walked += row.firstMatch(of: /task \d+/).map { ["\($0.0)"] } ?? []
          }
        }
        #expect(walked == down + down.dropLast().reversed() + [down[0]])
        // The end is the last page, as full as it can be: the heading of a day may not fit.
        func blanks() -> Int { tracking.lines.count { $0.isEmpty } }
        try tracking.press("home")
        let blanksMax = blanks() + 1
        try tracking.press("end")
        #expect(blanks() <= blanksMax)
        #expect(tasks() == Array(down.suffix(tasks().count)))
        #expect(tracking.timer?.selection == nil)
        let top = tracking.timer?.top
        try tracking.press("page-down")
        #expect(tracking.notice == .obstacle(.noOlderEntries) && tracking.timer?.top == top)
        #expect((top == nil) == (tasks().count == count))
      }
    }
  }

  @Test func `the name of a project has its color`() throws {
    var tracking = try Tracking()
    var project = Project(name: Name("web"))
    project.color = 0xd9_2b2b
    try tracking.perform(.project(.create(project)))
    var draft = TimeEntryDraft(user: .id(tracking.user), description: "design", zone: .utc)
    draft.project = .name(Name("web"))
    let start = tracking.now.adding(.seconds(-3_600))
    try tracking.perform(.entry(.add(draft, start: start, end: tracking.now, policy: .refuse)))
    let canvas = try #require(tracking.frame).screen.canvas
    let row = try #require(canvas.lines.firstIndex { $0.hasPrefix("  design @web  ") })
    #expect(canvas[row: row, column: 10].style.foreground == Color(rgb: 0xd9_2b2b))
    #expect(canvas[row: row, column: 2].style == .plain)
  }

  @Test func `dates, times of day and durations are those that the user prefers [M15]`() throws {
    var tracking = try Tracking()
    for days in [Int64(3), 1] {
      let draft = TimeEntryDraft(user: .id(tracking.user), description: "tea", zone: .utc)
      let start = tracking.now.adding(.seconds(-days * 86_400 + 14_400))
      let end = start.adding(.seconds(2_826))
      try tracking.perform(.entry(.add(draft, start: start, end: end, policy: .refuse)))
    }
    let draft = TimeEntryDraft(user: .id(tracking.user), description: "runs", zone: .utc)
    let start = tracking.now.adding(.seconds(-7_200))
    try tracking.perform(.entry(.start(draft, at: start, policy: .refuse)))
    func rows(_ tracking: Tracking) -> [String] {
      tracking.lines.dropFirst().filter { $0.contains("tea") || $0.contains("0") }.map {
        $0.split(separator: " ").joined(separator: " ")
      }
    }
    #expect(
      rows(tracking) == [
        "Running 2:00:00 runs since 07:00", "Yesterday, Sun 2026-11-22 0:47:06",
        "tea 13:00-13:47 0:47:06", "Fri 2026-11-20 0:47:06", "tea 13:00-13:47 0:47:06",
      ])
    var preferences = PreferenceSet(user: tracking.user)
    preferences.dateFormat = .monthDayYearSlashes
    preferences.durationFormat = .decimal
    preferences.is24Hours = false
    try tracking.perform(.preferences(.create(preferences)))
    #expect(
      rows(tracking) == [
        "Running 2.00 h runs since 07:00 AM", "Yesterday, Sun 11/22/2026 0.79 h",
        "tea 01:00 PM-01:47 PM 0.79 h", "Fri 11/20/2026 0.79 h", "tea 01:00 PM-01:47 PM 0.79 h",
      ])
    #expect(tracking.replayedLines == tracking.lines)
    // The narrow writing of a day has no year.
    tracking.size = Screen.Size(columns: 22, rows: 24)
    #expect(tracking.lines.contains { $0.hasPrefix("  Fri 11/20 ") }, "\(tracking.lines)")
    // Below no heading, an entry has its day.
    tracking.size = Screen.Size(columns: 40, rows: 5)
    #expect(tracking.replayedLines == tracking.lines)
  }
}
