import CivilTime
import RetraceArchitecture
import RetraceScreen
import RetraceState
import RetraceTesting
import Testing
import TimeTracking
import ToolTestSupport
import TrackerFeatures

/// The screen of the calendar: its days, and what keys do in it.
@Suite struct CalendarScreenTests {
  /// The start of the day of the tests, which begin at 9:00.
  static let midnight = Tracking.morning.adding(.seconds(-32_400))

  static func route(of tracking: Tracking) throws -> CalendarRoute {
    guard case .calendar(let route)? = tracking.stack?.top else { throw NoCalendar() }
    return route
  }

  private struct NoCalendar: Error {}

  /// Returns a moment of the day of the tests.
  static func time(_ hour: Int64, _ minute: Int64 = 0) -> Moment {
    midnight.adding(.seconds(hour * 3_600 + minute * 60))
  }

  @discardableResult
  static func add(
    _ text: String, _ start: Moment, _ end: Moment, _ tracking: inout Tracking
  ) throws -> TimeEntryID {
    let draft = TimeEntryDraft(user: .id(tracking.user), description: text, zone: .utc)
    let refusal = try tracking.perform(
      .entry(.add(draft, start: start, end: end, policy: .allow)))
    #expect(refusal == nil)
    return TimeEntryID(value: Int64(tracking.entries.count) - 1)
  }

  /// Opens the calendar at 18:00 of a day with three entries, the first of which begins the day
  /// before.
  static func calendar() throws -> Tracking {
    var tracking = try Tracking()
    tracking.wait(.seconds(9 * 3_600))
    try add("night", time(-2), time(1), &tracking)
    try add("mail", time(9), time(10, 30), &tracking)
    try add("plan", time(13), time(14), &tracking)
    try tracking.press("text:c")
    return tracking
  }

  private static func times(_ id: Int64, _ tracking: Tracking) -> [Moment?]? {
    tracking.entry(id).map { [$0.start, $0.end] }
  }

  // MARK: Days

  @Test func `a day has its entries and their sum, clipped to it [M13]`() throws {
    var tracking = try Self.calendar()
    #expect(tracking.lines[0].hasPrefix("Calendar of anna"))
    #expect(tracking.lines[0].hasSuffix("3:30:00"))
    #expect(tracking.lines[1] == "Today, Mon 2026-11-23")
    #expect(tracking.lines.contains { $0.contains("09:00") && $0.contains("mail") })
    #expect(tracking.replayedLines == tracking.lines)
    try tracking.press("left")
    #expect(tracking.lines[0].hasSuffix("2:00:00"))
    #expect(tracking.lines[1] == "Yesterday, Sun 2026-11-22")
    #expect(tracking.text.contains("night") && !tracking.text.contains("mail"))
    try tracking.press("text:w")
    #expect(tracking.lines[0].hasSuffix("2:00:00"))
    #expect(tracking.lines[1] == "Mon 2026-11-16 - Sun 2026-11-22")
    try tracking.press("right")
    #expect(tracking.lines[0].hasSuffix("3:30:00"))
    #expect(tracking.lines[1] == "Mon 2026-11-23 - Sun 2026-11-29")
    try tracking.press("text:w", "text:[")
    #expect(tracking.lines[1] == "Mon 2026-11-16")
    try tracking.press("text:g", "text:2026-12-2", "text:4", "enter")
    #expect(tracking.lines[1] == "Thu 2026-12-24")
    try tracking.press("text:g", "text:nonsense", "enter")
    #expect(tracking.notice == .obstacle(.unreadableDay))
    #expect(try Self.route(of: tracking).typed?.text == "nonsense")
    try tracking.press("escape", "text:t")
    #expect(tracking.lines[1] == "Today, Mon 2026-11-23")
    try tracking.press("escape")
    #expect(tracking.timer != nil)
  }

  @Test func `items are selected by tab, and the cursor goes by half hours`() throws {
    var tracking = try Self.calendar()
    try tracking.press("backtab")
    let plan = SelectedCalendarItem.entry(TimeEntryID(value: 2))
    #expect(try Self.route(of: tracking).place.item == plan)
    #expect(tracking.lines.contains { $0.contains("›plan") })
    try tracking.press("tab")
    #expect(try Self.route(of: tracking).place.item == .entry(TimeEntryID(value: 0)))
    try tracking.press("tab", "escape")
    #expect(try Self.route(of: tracking).place.item == nil)
    #expect(try Self.route(of: tracking).place.minute == 540)
    try tracking.press("up")
    #expect(try Self.route(of: tracking).place.minute == 510)
    #expect(tracking.text.contains("08:30›"))
    try tracking.press("end")
    #expect(tracking.text.contains("23:30›"))
    try tracking.press("page-up", "home", "down", "text:i", "text:i")
    #expect(tracking.text.contains("00:30›"))
    #expect(tracking.replayedLines == tracking.lines)
    try tracking.press("left", "left", "tab")
    #expect(tracking.notice == .obstacle(.noEntries))
  }

  @Test func `links name the day and the view, and malformed ones say where [N1] [N10]`() throws {
    for text in [
      "timer/0/calendar", "timer/0/calendar?day=2026-11-30&view=week",
      "timer/0/calendar?day=0001-01-01",
    ] {
      #expect(try TrackerRoute(DeepLink(parsing: text)).link.text() == text)
    }
    for (text, error) in [
      ("day=2026-02-30", DeepLinkError.invalidItem("day", value: "2026-02-30")),
      ("day=2026-2-3", .invalidItem("day", value: "2026-2-3")),
      ("day=10000-01-01", .invalidItem("day", value: "10000-01-01")),
      ("view=month", .invalidItem("view", value: "month")), ("color=red", .unknownItem("color")),
    ] {
      #expect(throws: error) { try TrackerRoute(DeepLink(parsing: "timer/0/calendar?\(text)")) }
    }
    var tracking = try Self.calendar()
    try tracking.send(
      TimeTracker.opening(
        "timer/0/calendar?day=2026-11-22", in: tracking.scene, of: tracking.store.state))
    #expect(tracking.text.contains("night"))
    #expect(tracking.stack?.entries.count == 2)
  }

  @Test(.enabled(if: ZoneFiles.exist))
  func `days of 23 and 25 hours have the hours of their clocks [M13]`() throws {
    var tracking = try Tracking()
    tracking.size = Screen.Size(columns: 80, rows: 40)
    tracking.rules = try ZoneFiles.load("Europe/Berlin")
    let calendar = ReportCalendar(tracking.rules)
    func labels() -> [String] {
      tracking.lines.compactMap { line in
        line.firstMatch(of: /^(\d\d:\d\d)/).map { String($0.1) }
      }
    }
    for (text, count, hours) in [
      ("2026-03-29", 23, "has 23 hours"), ("2026-10-25", 25, "has 25 hours"),
      ("2026-11-20", 24, "Fri"),
    ] {
      try tracking.send(
        TimeTracker.opening(
          "timer/0/calendar?day=\(text)", in: tracking.scene, of: tracking.store.state))
      try tracking.press("home", "text:i", "text:o", "text:o", "text:o", "text:o")
      let shown = labels().filter { $0.hasSuffix(":00") }
      #expect(shown.count == count)
      #expect(tracking.lines[1].contains(hours))
      #expect(shown.filter { $0 == "02:00" }.count == count - 23)
    }
    // An entry over the repeated hour lasts an hour longer than its clocks say.
    let date = try DateFormat("yyyy-MM-dd").parse("2026-10-25").date
    let start = calendar.start(of: date).adding(.seconds(3_600))
    try Self.add("night", start, start.adding(.seconds(3 * 3_600)), &tracking)
    try tracking.send(
      TimeTracker.opening(
        "timer/0/calendar?day=2026-10-25&view=week", in: tracking.scene,
        of: tracking.store.state))
    #expect(tracking.lines[0].hasSuffix("3:00:00"))
    #expect(labels().filter { $0 == "02:00" }.count == 2)
    // The end moves by instants over the change of the clocks.
    try tracking.press("tab", "alt-down", "enter")
    #expect(Self.times(0, tracking) == [300, 11_100].map { start.adding(.seconds($0)) })
  }

  // MARK: Editing

  @Test func `a new entry is begun at the cursor, and saved or discarded [M13]`() throws {
    var tracking = try Self.calendar()
    try tracking.press("tab", "tab", "escape", "down", "down", "down", "down", "enter")
    let draft = try #require(try Self.route(of: tracking).draft)
    #expect(draft.entry == nil)
    #expect(draft.end?.elapsed(since: draft.start) == .seconds(1_800))
    #expect(tracking.text.contains("new entry") && tracking.entries.count == 3)
    try tracking.press("alt-down", "text:+", "text:<")
    #expect(tracking.entries.count == 3)
    #expect(tracking.replayedLines == tracking.lines)
    let moved = try #require(try Self.route(of: tracking).draft)
    #expect(moved.start == draft.start)
    #expect(moved.end == draft.end?.adding(.seconds(600)))
    try tracking.press("escape")
    #expect(try Self.route(of: tracking).draft == nil && tracking.entries.count == 3)
    try tracking.press("enter", "enter")
    #expect(tracking.entries.count == 4)
    #expect(tracking.entry(3)?.start == draft.start && tracking.entry(3)?.end == draft.end)
    #expect(try Self.route(of: tracking).draft == nil)
    // The time is taken by now.
    try tracking.press("enter")
    #expect(tracking.notice == .obstacle(.timeIsTaken))
  }

  @Test func `an entry is moved and resized, and the domain changed once [M13] [a5]`() throws {
    var tracking = try Self.calendar()
    try tracking.press("tab", "tab", "tab")
    #expect(try Self.route(of: tracking).place.item == .entry(TimeEntryID(value: 2)))
    let commands = tracking.commands.count
    try tracking.press("alt-up", "alt-up", "text:K", "text:-", "shift-down", "shift-down")
    #expect(tracking.commands.count == commands)
    #expect(tracking.text.contains("* plan"))
    let draft = try #require(try Self.route(of: tracking).draft)
    #expect(draft.start == Self.time(12, 45) && draft.end == Self.time(13, 50))
    for key in ["left", "tab", "up", "text:t", "text:n", "text:["] {
      try tracking.press(key)
      #expect(tracking.notice == .obstacle(.changeNotSaved))
    }
    // Leaving keeps the times, and a key brings them back.
    try tracking.press("text:q")
    #expect(tracking.timer != nil)
    try tracking.press("text:c", "ctrl-y")
    #expect(try Self.route(of: tracking).draft == draft)
    try tracking.press("text:m", "down", "enter")
    #expect(tracking.commands.count == commands + 1)
    #expect(Self.times(2, tracking) == [Self.time(12, 45), Self.time(13, 50)])
    #expect(try Self.route(of: tracking).draft == nil)
    try tracking.press("tab", "text:x")
    #expect(tracking.notice == .obstacle(.nothingToSave))
  }

  @Test func `a key moves an entry by days, and the view follows it [M13]`() throws {
    var tracking = try Self.calendar()
    try tracking.press("backtab", "alt-left")
    #expect(tracking.lines[1].hasPrefix("Yesterday, Sun 2026-11-22"))
    #expect(tracking.text.contains("* plan") && tracking.replayedLines == tracking.lines)
    try tracking.press("escape")
    #expect(tracking.lines[1] == "Today, Mon 2026-11-23")
    try tracking.press("text:H", "text:H", "alt-right", "alt-down", "enter")
    #expect(Self.times(2, tracking) == [Self.time(-11, 5), Self.time(-10, 5)])
    #expect(tracking.lines[1] == "Yesterday, Sun 2026-11-22")
    #expect(try Self.route(of: tracking).place.item == .entry(TimeEntryID(value: 2)))
    // In the week, the next week is shown; leaving keeps the times with their day.
    try tracking.press("text:w", "text:L")
    #expect(tracking.lines[1].hasPrefix("Mon 2026-11-23 - Sun 2026-11-29"))
    try tracking.press("text:q", "text:c", "ctrl-y")
    #expect(tracking.lines[1].hasPrefix("Mon 2026-11-23 - Sun 2026-11-29"))
    try tracking.press("enter", "text:w")
    #expect(Self.times(2, tracking) == [Self.time(13, 5), Self.time(14, 5)])
    // A new entry moves, too, and one that runs does not.
    try tracking.press("escape", "end", "enter", "alt-left", "alt-left")
    #expect(tracking.lines[1].hasPrefix("Sat 2026-11-21"))
    try tracking.press("enter")
    #expect(Self.times(3, tracking) == [Self.time(-25, 30), Self.time(-24)])
    let draft = TimeEntryDraft(user: .id(tracking.user), description: "runs", zone: .utc)
    try tracking.perform(.entry(.start(draft, at: Self.time(17), policy: .allow)))
    try tracking.press("text:t", "backtab", "alt-left")
    #expect(tracking.notice == .obstacle(.entryRuns))
  }

  @Test func `what another process changed meanwhile is refused, and the draft kept`() throws {
    var tracking = try Self.calendar()
    try tracking.press("backtab", "alt-up")
    var correction = TimeEntryCorrection()
    correction.changes.start = Change(from: Self.time(13), to: Self.time(13, 10))
    try tracking.perform(
      .entry(.correct(TimeEntryID(value: 2), correction, policy: .refuse, reason: nil)))
    try tracking.press("enter")
    #expect(Self.times(2, tracking) == [Self.time(13, 10), Self.time(14)])
    #expect(try Self.route(of: tracking).draft?.start == Self.time(12, 55))
    if case .refused? = tracking.notice {} else { Issue.record("\(tracking.text)") }
  }

  @Test func `a refused move is asked about, and is over once it is allowed`() throws {
    var tracking = try Self.calendar()
    try tracking.press("tab", "tab")
    for _ in 0..<31 { try tracking.press("text:+") }
    try tracking.press("enter")
    #expect(tracking.question != nil)
    #expect(try Self.route(of: tracking).draft != nil)
    try tracking.press("ctrl-o")
    #expect(Self.times(1, tracking) == [Self.time(9), Self.time(13, 5)])
    try tracking.press("tab")
    #expect(try Self.route(of: tracking).place.item != .entry(TimeEntryID(value: 1)))
    #expect(tracking.notice == nil)
  }

  @Test func `only the start of a running entry moves, and stop saves it [M13]`() throws {
    var tracking = try Self.calendar()
    let draft = TimeEntryDraft(user: .id(tracking.user), description: "runs", zone: .utc)
    try tracking.perform(.entry(.start(draft, at: Self.time(17), policy: .allow)))
    try tracking.press("backtab")
    #expect(tracking.text.contains("› ● runs") || tracking.text.contains("›● runs"))
    #expect(try Self.route(of: tracking).place.item == .entry(TimeEntryID(value: 3)))
    try tracking.press("text:+")
    #expect(tracking.notice == .obstacle(.entryRuns))
    try tracking.press("text:d")
    #expect(tracking.notice == .obstacle(.notOfItem))
    try tracking.press("alt-down", "text:>", "text:<", "alt-down")
    #expect(try Self.route(of: tracking).draft?.start == Self.time(17, 10))
    tracking.wait(.seconds(60))
    try tracking.press("text:s")
    #expect(Self.times(3, tracking) == [Self.time(17, 10), Self.time(18, 1)])
    #expect(try Self.route(of: tracking).draft == nil)
  }

  @Test func `the menu edits, continues and deletes, and a deletion is taken back [M13]`() throws {
    var tracking = try Self.calendar()
    try tracking.press("tab", "tab", "enter")
    for label in ["Edit", "Save", "Discard", "Continue", "Delete"] {
      #expect(tracking.text.contains(label))
    }
    #expect(tracking.replayedLines == tracking.lines)
    try tracking.press("escape")
    #expect(!tracking.text.contains("Discard "))
    // The moved times are in the form, and nothing is saved yet.
    try tracking.press("text:+", "text:m", "enter")
    let form = try #require(tracking.form)
    #expect(form.entry == TimeEntryID(value: 1) && form.end.text == "2026-11-23 10:35:00")
    try tracking.press("enter")
    #expect(Self.times(1, tracking) == [Self.time(9), Self.time(10, 35)])
    try tracking.press("text:c")
    #expect(tracking.domain.runningEntry(of: tracking.user)?.entry.description == "mail")
    try tracking.press("text:d")
    #expect(tracking.entry(1)?.deleted != nil)
    #expect(tracking.text.contains("Deleted. z takes it back"))
    try tracking.press("text:z")
    #expect(tracking.restores == [.takeBack([TimeEntryID(value: 1)])])
    tracking.wait(.seconds(6))
    try tracking.press("text:z")
    #expect(tracking.restores.last == .undo)
    try tracking.press("text:e")
    #expect(tracking.notice == .obstacle(.noItemSelected))
  }
}
