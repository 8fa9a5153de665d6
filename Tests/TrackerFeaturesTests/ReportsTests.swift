import CivilTime
import RetraceArchitecture
import RetraceScreen
import RetraceState
import RetraceTesting
import Testing
import TimeTracking
import ToolTestSupport
import TrackerFeatures

/// The screen of the reports.
@Suite struct ReportsTests {
  private static func report(of tracking: Tracking) throws -> ReportsRoute {
    guard case .reports(let route)? = tracking.stack?.top else { throw NoReport() }
    return route
  }

  private struct NoReport: Error {}

  private static func clock(_ time: ElapsedTime) -> String {
    let (minutes, seconds) = (time.seconds / 60, time.seconds % 60)
    return "\(minutes / 60):\(padded(Int(minutes % 60), to: 2)):\(padded(Int(seconds), to: 2))"
  }

  /// The columns of a row, which are two blanks or more apart.
  private static func columns(_ row: String) -> [String] {
    var columns: [String] = []
    for part in row.split(separator: "  ", omittingEmptySubsequences: true) {
      let text = part.drop { $0 == " " }
      if !text.isEmpty { columns.append(String(text)) }
    }
    return columns
  }

  private static func add(
    _ text: String, from start: Int64, to end: Int64, project: String? = nil,
    _ tracking: inout Tracking
  ) throws {
    var draft = TimeEntryDraft(user: .id(tracking.user), description: text, zone: .utc)
    draft.project = project.map { .name(Name($0)) }
    let refusal = try tracking.perform(
      .entry(
        .add(
          draft, start: tracking.now.adding(.seconds(start)),
          end: tracking.now.adding(.seconds(end)), policy: .allow)))
    #expect(refusal == nil)
  }

  /// The time and the names of the groups of a report of the domain, each above its next level.
  private static func rows(of groups: [ReportGroup], in domain: DomainState) -> [[String]] {
    groups.flatMap { group in
      [domain.names(of: group.key) + [clock(group.figures.exact.time)]]
        + rows(of: group.groups, in: domain)
    }
  }

  @Test func `a report has the groups of the week, and others by keys [M14]`() throws {
    var tracking = try Tracking()
    try Self.add("mail", from: -7_200, to: -3_600, project: "shop", &tracking)
    try Self.add("plan", from: -3_600, to: -1_800, project: "site", &tracking)
    try Self.add("plan", from: -8 * 86_400, to: -8 * 86_400 + 60, project: "shop", &tracking)
    let draft = TimeEntryDraft(user: .id(tracking.user), description: "mail", zone: .utc)
    try tracking.perform(.entry(.start(draft, at: tracking.now, policy: .allow)))
    tracking.wait(.seconds(900))
    try tracking.press("text:r")
    func rows() -> [[String]] {
      tracking.lines.map(Self.columns).filter { $0.contains { $0.hasSuffix("%") } }
    }
    #expect(tracking.lines[0].hasPrefix("Report of anna by project"))
    #expect(tracking.lines[0].hasSuffix("1:45:00"))
    #expect(tracking.lines[1] == "This week, Mon 2026-11-23 - Sun 2026-11-29")
    #expect(
      rows() == [
        ["› shop", "1:00:00", "57 %"], ["site", "0:30:00", "29 %"],
        ["(no project)", "0:15:00", "14 %"],
      ])
    #expect(tracking.lines.contains { Self.columns($0) == ["Total", "1:45:00"] })
    try tracking.press("text:g", "text:g", "text:g")
    #expect(
      rows() == [
        ["› shop", "1:00:00", "57 %"], ["mail", "1:00:00", "57 %"], ["site", "0:30:00", "29 %"],
        ["plan", "0:30:00", "29 %"], ["(no project)", "0:15:00", "14 %"],
        ["mail", "0:15:00", "14 %"],
      ])
    try tracking.press("text:G", "text:G", "text:G", "left")
    #expect(tracking.lines[1] == "Last week, Mon 2026-11-16 - Sun 2026-11-22")
    #expect(tracking.text.contains("No entries in this time."))
    try tracking.press("left")
    #expect(rows() == [["› shop", "0:01:00", "100 %"]])
    try tracking.press("text:a", "right")
    #expect(tracking.notice == .obstacle(.rangeIsAll))
    #expect(tracking.lines[1] == "All time" && tracking.lines[0].hasSuffix("1:46:00"))
    // The running entry counts until now.
    tracking.wait(.seconds(60))
    #expect(tracking.lines[0].hasSuffix("1:47:00"))
    try tracking.press("escape")
    #expect(tracking.timer != nil)
  }

  @Test func `a range is typed in words, and its text is in the state [M14]`() throws {
    var tracking = try Tracking()
    try Self.add("mail", from: -86_400 * 30, to: -86_400 * 30 + 3_600, &tracking)
    try tracking.press("text:r", "text:r", "text:2026-1")
    #expect(try Self.report(of: tracking).typed?.text == "2026-1")
    #expect(tracking.lines[1] == "Range: 2026-1")
    try tracking.press("text:0", "enter")
    #expect(tracking.lines[1] == "October 2026" && tracking.lines[0].hasSuffix("1:00:00"))
    #expect(tracking.replayedLines == tracking.lines)
    // A range of days moves by its length.
    try tracking.press("right")
    #expect(tracking.lines[1] == "Sun 2026-11-01 - Tue 2026-12-01")
    try tracking.press("text:r", "text:nonsense", "enter")
    #expect(tracking.notice == .obstacle(.unreadableRange))
    try tracking.press("ctrl-u", "text:9:00 - 10:00", "enter")
    #expect(tracking.notice == .obstacle(.rangeNotDays))
    #expect(try Self.report(of: tracking).typed?.text == "9:00 - 10:00")
    try tracking.press("escape")
    #expect(tracking.lines[1] == "Sun 2026-11-01 - Tue 2026-12-01")
    try tracking.press("text:r", "text:all", "enter")
    #expect(try Self.report(of: tracking).range == .all)
  }

  @Test func `what the shown lines lack to be their total is a line of its own`() throws {
    var tracking = try Tracking()
    var preferences = PreferenceSet(user: tracking.user)
    preferences.durationFormat = .decimal
    preferences.currency = "EUR"
    try tracking.perform(.preferences(.create(preferences)))
    for (number, name) in ["a", "b", "c"].enumerated() {
      var project = Project(name: Name(name))
      (project.isBillable, project.rate) = (true, 100)
      try tracking.perform(.project(.create(project)))
      let start = Int64(number - 10) * 600
      // 12 seconds are shown as 0.01 h, and cost a third of a cent; all three make 36 seconds.
      try Self.add("x", from: start, to: start + 12, project: name, &tracking)
    }
    try tracking.press("text:r")
    func rows() -> [[String]] { tracking.lines.map(Self.columns).filter { $0.count > 2 } }
    #expect(tracking.text.contains("The total is exact; (rounding) is the rest."))
    let rounding = tracking.lines.map(Self.columns).first { $0.first == "(rounding)" }
    #expect(
      rounding == ["(rounding)", "-0.02 h", "-0.02 h", "EUR 0.01"], "\(tracking.text)")
    #expect(rows().contains(["Total", "0.01 h", "0.01 h", "EUR 0.01"]))
    #expect(tracking.lines == tracking.freshLines && tracking.replayedLines == tracking.lines)
    try tracking.press("end", "text:c")
    #expect(tracking.restores == [.copy("(rounding)  -0.02 h  -0.02 h  EUR 0.01")])
    // Each level adds up; the lines of one project do.
    try tracking.press("text:g", "text:g", "text:g")
    #expect(tracking.lines.map(Self.columns).count { $0.first == "(rounding)" } == 1)
    // Times with seconds add up, and amounts do not.
    var changes = PreferenceSetChanges()
    changes.durationFormat = Change(from: .decimal, to: .improved)
    try tracking.perform(
      .preferences(.change(PreferenceSetID(value: 0), changes, reason: nil)))
    let rest = tracking.lines.map(Self.columns).first { $0.first == "(rounding)" }
    #expect(rest == ["(rounding)", "EUR 0.01"], "\(tracking.text)")
  }

  @Test func `a line leads to its entries, and escape back to it`() throws {
    var tracking = try Tracking()
    try tracking.perform(.project(.create(Project(name: Name("big site")))))
    try Self.add("mail", from: -7_200, to: -3_600, project: "shop", &tracking)
    try Self.add("plan", from: -3_600, to: -1_800, project: "big site", &tracking)
    try Self.add("mail", from: -1_800, to: -900, project: "big site", &tracking)
    try Self.add("mail", from: -1_000, to: -950, &tracking)
    try Self.add("old", from: -8 * 86_400, to: -8 * 86_400 + 60, project: "big site", &tracking)
    func shown() -> [String] {
      tracking.lines.filter { $0.contains("(no description)") || $0.contains(" @") }
        .map { Self.columns($0)[0] }
    }
    try tracking.press("text:r", "down", "enter")
    #expect(
      tracking.timer?.filter.text == "project:\"big site\" date:2026-11-23..2026-11-29")
    #expect(tracking.text.contains("2 entries, 0:45:00"), "\(tracking.text)")
    #expect(shown() == ["mail @big site", "plan @big site"])
    #expect(tracking.replayedLines == tracking.lines)
    // Escape leaves it, whatever is selected.
    try tracking.press("down", "escape")
    #expect(try Self.report(of: tracking).list.selected == 1)
    // Inner groups are within outer ones, and the filter of the report counts.
    try tracking.press("text:g", "text:g", "text:g", "text:/", "text:mail", "enter", "down")
    try tracking.press("down", "down", "enter")
    #expect(
      tracking.timer?.filter.text
        == "mail project:\"big site\" text:mail date:2026-11-23..2026-11-29")
    #expect(shown() == ["mail @big site"])
    try tracking.press("escape", "text:/", "ctrl-u", "enter", "end", "enter")
    #expect(
      tracking.timer?.filter.text == "project:none text:mail date:2026-11-23..2026-11-29")
    // The groups stay when the report is left and opened again.
    try tracking.press("escape", "escape", "text:r")
    #expect(try Self.report(of: tracking).grouping == [.project, .description])
    // A group of a day has its own range.
    try tracking.press("text:g", "text:g", "text:g", "enter")
    #expect(tracking.timer?.filter.text == "date:2026-11-23")
    try tracking.press("escape", "text:w", "left", "enter")
    #expect(tracking.notice == .obstacle(.noEntries))
  }

  @Test func `billable time has a column if there is some`() throws {
    var tracking = try Tracking()
    try Self.add("mail", from: -7_200, to: -3_600, &tracking)
    try tracking.press("text:r")
    #expect(!tracking.text.contains("Billable"))
    var project = Project(name: Name("shop"))
    project.isBillable = true
    try tracking.perform(.project(.create(project)))
    try Self.add("plan", from: -3_600, to: -1_800, project: "shop", &tracking)
    let rows = tracking.lines.map(Self.columns)
    #expect(rows.contains(["Time", "Billable", "Share"]), "\(tracking.text)")
    #expect(rows.contains(["› (no project)", "1:00:00", "67 %"]))
    #expect(rows.contains(["shop", "0:30:00", "0:30:00", "33 %"]))
    #expect(rows.contains(["Total", "1:30:00", "0:30:00"]))
  }

  @Test func `times are rounded as on the command line, and the next report is, too`() throws {
    var tracking = try Tracking()
    for (name, rate) in [("audit", Int64(8_500)), ("site", 10_000)] {
      var project = Project(name: Name(name))
      (project.isBillable, project.rate) = (true, rate)
      try tracking.perform(.project(.create(project)))
    }
    try Self.add("plan", from: -7_200, to: -6_700, project: "audit", &tracking)
    try Self.add("talk", from: -6_000, to: -5_500, project: "audit", &tracking)
    try Self.add("page", from: -4_000, to: -3_000, project: "site", &tracking)
    try Self.add("mail", from: -2_000, to: -1_940, &tracking)
    func rows() -> [[String]] { tracking.lines.map(Self.columns).filter { $0.count > 2 } }
    try tracking.press("text:r", "text:R")
    #expect(tracking.lines[1] == "Round to: 15m, 6m up, 15m up day; none")
    for wrong in ["15", "2 up", "0m", "25h", "15m up down", "up", "15m sideways"] {
      try tracking.press("ctrl-u", "text:\(wrong)", "enter")
      #expect(tracking.notice == .obstacle(.unreadableRounding), "\(wrong)")
    }
    try tracking.press("ctrl-u", "text:15m up", "enter")
    #expect(
      tracking.lines[1] == "This week, Mon 2026-11-23 - Sun 2026-11-29; rounded to 15m up")
    let byEntry = [
      ["Time", "Rounded", "Billable", "Share", "Amount"],
      ["› audit", "0:16:40", "0:30:00", "0:30:00", "49 %", "42.50"],
      ["site", "0:16:40", "0:30:00", "0:30:00", "49 %", "50.00"],
      ["(no project)", "0:01:00", "0:15:00", "3 %"],
      ["Total", "0:34:20", "1:15:00", "1:00:00", "92.50"],
    ]
    // The last row has the hints.
    #expect(Array(rows().dropLast()) == byEntry, "\(tracking.text)")
    #expect(tracking.lines == tracking.freshLines && tracking.replayedLines == tracking.lines)
    #expect(try Self.report(of: tracking).rounding == "15m up")
    // What is copied and saved is rounded, too.
    try tracking.press("end", "text:c")
    #expect(tracking.restores == [.copy("(no project)  0:01:00  0:15:00  3 %")])
    try tracking.press("text:s", "enter")
    guard case .write(let file)? = tracking.restores.last else {
      return #expect(Bool(false), "no file")
    }
    #expect(file.query.rounding == ReportRounding(.entry, to: .seconds(900), .up))
    try tracking.press("escape")
    // A line of two entries, each rounded down to nothing, is rounded as a whole.
    try tracking.press("text:R", "ctrl-u", "text:group 10m DOWN", "enter")
    #expect(tracking.notice == .obstacle(.unreadableRounding))
    try tracking.press("ctrl-u", "text:group 10m down", "enter")
    #expect(rows().contains(["› audit", "0:16:40", "0:10:00", "0:10:00", "49 %", "14.17"]))
    // The next report has the same rounding, until none is chosen.
    try tracking.press("escape", "text:r")
    #expect(tracking.lines[1].hasSuffix("; rounded to group 10m down"))
    try tracking.press("text:R", "ctrl-u", "enter")
    #expect(!tracking.text.contains("Rounded"))
    #expect(try Self.report(of: tracking).rounding == "")
  }

  @Test func `what rounded lines lack is a line of its own, and what runs is rounded`() throws {
    var tracking = try Tracking()
    var project = Project(name: Name("audit"))
    (project.isBillable, project.rate) = (true, 100)
    try tracking.perform(.project(.create(project)))
    for (text, start) in [("a", -600), ("b", -500), ("c", -400)] as [(String, Int64)] {
      try Self.add(text, from: start, to: start + 12, project: "audit", &tracking)
    }
    var draft = TimeEntryDraft(user: .id(tracking.user), description: "d", zone: .utc)
    draft.project = .name(Name("audit"))
    try tracking.perform(.entry(.start(draft, at: tracking.now, policy: .allow)))
    tracking.wait(.seconds(61))
    try tracking.press("text:r", "text:R", "text:1m up", "enter")
    func row(_ name: String) -> [String]? {
      tracking.lines.map(Self.columns).first { $0.first == name }
    }
    #expect(row("Total") == ["Total", "0:01:37", "0:05:00", "0:05:00", "0.08"])
    tracking.wait(.seconds(60))
    #expect(row("Total") == ["Total", "0:02:37", "0:06:00", "0:06:00", "0.10"])
    #expect(tracking.lines == tracking.freshLines)
    // By descriptions, an hour of 1.00 makes a minute 0.02: three of one, and one of three.
    try tracking.press("text:g", "text:g", "text:g", "text:g", "text:g")
    #expect(row("› d") == ["› d", "0:02:01", "0:03:00", "0:03:00", "77 %", "0.05"])
    #expect(row("(rounding)") == ["(rounding)", "-0.01"], "\(tracking.text)")
    #expect(tracking.text.contains("The total is exact; (rounding) is the rest."))
  }

  @Test func `the lines are selected by keys, clicks and the wheel`() throws {
    var tracking = try Tracking()
    for number in 0..<40 {
      try Self.add(
        "mail", from: -7_200, to: -3_600 - Int64(number), project: "p\(number + 10)", &tracking)
    }
    try tracking.press("text:r", "down", "down")
    func selected() -> String? {
      tracking.lines.first { $0.contains("›") }.map { Self.columns($0)[0] }
    }
    #expect(selected() == "› p12")
    try tracking.press("end")
    #expect(selected() == "› p49")
    try tracking.press("home")
    let row = try #require(tracking.lines.firstIndex { $0.contains("p13") })
    try tracking.use(.pressed(.left), row: row, column: 5)
    #expect(selected() == "› p13")
    try tracking.use(.scrolled(.down), row: row, column: 5)
    #expect(tracking.lines[row].contains("p16"))
    try tracking.press("page-down", "page-up", "text:b")
    #expect(tracking.text.contains("Mon 11-23"))
  }

  @Test func `links name the range and the groups, and malformed ones say where [N1] [N10]`() throws
  {
    for text in [
      "timer/0/reports", "timer/0/reports?period=month&number=-3&by=client&by=project",
      "timer/0/reports?first=20514&last=20520", "timer/0/reports?all=true&by=tag",
      "timer/0/reports?period=year", "timer/0/reports?filter=a&round=15m%20up",
    ] {
      let route = try TrackerRoute(DeepLink(parsing: text))
      #expect(route.link.text() == text)
    }
    for (text, error) in [
      ("period=age", DeepLinkError.invalidItem("period", value: "age")),
      ("by=project&by=project", .repeatedItem("by")), ("by=age", .invalidItem("by", value: "age")),
      ("first=5", .missingItem("last")), ("first=5&last=4", .invalidItem("last", value: "4")),
      ("number=x", .invalidItem("number", value: "x")), ("color=red", .unknownItem("color")),
      ("round=x", .invalidItem("round", value: "x")),
      ("round=none", .invalidItem("round", value: "none")),
    ] {
      #expect(throws: error) { try TrackerRoute(DeepLink(parsing: "timer/0/reports?\(text)")) }
    }
  }

  @Test(.enabled(if: ZoneFiles.exist))
  func `the figures are those of the report of the same range, zone and start of days [M14]`()
    throws
  {
    let zones = ["Europe/Berlin", "Australia/Lord_Howe", "Pacific/Apia"]
    try withSeed { random in
      for _ in 0..<repetitions(60, few: 6) {
        var tracking = try Tracking()
        tracking.size = Screen.Size(columns: 120, rows: 300)
        tracking.rules = try ZoneFiles.load(zones.randomElement(using: &random) ?? zones[0])
        // Clocks change in some of the days around the present.
        let start = ["2026-10-25", "2027-03-28", "2011-12-30", "2027-04-04"]
        let date = try DateFormat("yyyy-MM-dd").parse(start.randomElement(using: &random) ?? "")
          .date
        let noon = ReportCalendar(tracking.rules).start(of: date).adding(.seconds(43_200))
        tracking.wait(.microseconds(noon.microseconds - tracking.now.microseconds))
        var preferences = PreferenceSet(user: tracking.user)
        preferences.dayStart =
          [ElapsedTime.zero, .seconds(14_400)].randomElement(using: &random) ?? .zero
        preferences.firstWeekday = Int32.random(in: 0...6, using: &random)
        try tracking.perform(.preferences(.create(preferences)))
        for number in 0..<40 {
          let start = Int64.random(in: -40 * 86_400 ..< -10, using: &random)
          let end = min(0, start + Int64.random(in: 0..<90_000, using: &random))
          try Self.add("d\(number % 7)", from: start, to: end, project: "p\(number % 5)", &tracking)
        }
        let draft = TimeEntryDraft(user: .id(tracking.user), description: "runs", zone: .utc)
        try tracking.perform(.entry(.start(draft, at: tracking.now, policy: .allow)))
        try tracking.press("text:r")
        let calendar = ReportCalendar(
          tracking.rules, firstWeekday: Int(preferences.firstWeekday),
          dayStart: preferences.dayStart)
        for _ in 0..<12 {
          let keys = [
            "text:d", "text:w", "text:m", "text:y", "text:a", "left", "right", "text:g", "text:G",
          ]
          try tracking.press(keys.randomElement(using: &random) ?? "text:w")
          tracking.wait(.seconds(Int64.random(in: 0..<5_000, using: &random)))
          let route = try Self.report(of: tracking)
          var range = TimeEntry.moments.lowerBound..<TimeEntry.moments.upperBound
          switch route.range {
          case .period(let period, let number):
            range = calendar.range(of: calendar.dates(of: period, number: number, at: tracking.now))
          case .days, .all: break
          }
          var query = ReportQuery(range, in: calendar)
          query.grouping = route.grouping
          query.filter.users = [tracking.user]
          let report = tracking.domain.report(query, at: tracking.now)
          let lines = tracking.lines
          #expect(lines[0].hasSuffix("  \(Self.clock(report.total.exact.time))"))
          #expect(lines == tracking.freshLines)
          let shown = lines.map(Self.columns).filter { $0.last?.hasSuffix("%") == true }.map {
            $0[$0.count - 2]
          }
          let expected = Self.rows(of: report.groups, in: tracking.domain).compactMap(\.last)
          #expect(shown == expected)
        }
      }
    }
  }
}
