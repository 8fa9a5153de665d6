import CivilTime
import RetraceArchitecture
import RetraceAvro
import RetraceScreen
import RetraceState
import Testing
import TimeTracking
import TrackerFeatures

/// The screen of the running entry and the recent ones.
@Suite struct TimerTests {
  /// Adds ended entries, one each hour, the last of which ended an hour ago.
  private static func tracking(entries: Int) throws -> Tracking {
    var tracking = try Tracking()
    for number in 0..<entries {
      let start = tracking.now.adding(.seconds(Int64(number - entries) * 3_600 - 1_800))
      let draft = TimeEntryDraft(
        user: .id(tracking.user), description: "task \(number)", zone: .utc)
      try tracking.perform(
        .entry(.add(draft, start: start, end: start.adding(.seconds(1_800)), policy: .allow)))
    }
    return tracking
  }

  @Test(arguments: [60, 80])
  func `control characters in a description leave the duration in its column`(
    columns: Int
  ) throws {
    var tracking = try Tracking()
    tracking.size.columns = columns
    let texts = ["plain", "a\nb\u{1B}[2J", String(repeating: "\n", count: 40)]
    for (number, text) in texts.enumerated() {
      let start = tracking.now.adding(.seconds(Int64(number) * 1_800 - 7_200))
      let draft = TimeEntryDraft(user: .id(tracking.user), description: text, zone: .utc)
      try tracking.perform(
        .entry(.add(draft, start: start, end: start.adding(.seconds(1_800)), policy: .refuse)))
    }
    let rows = tracking.lines.map { SafeText.line($0) }.filter { $0.hasSuffix("0:30:00") }
    #expect(rows.count == 3)
    for row in rows {
      #expect(row.hasSuffix("   0:30:00") && TextWidth.of(row) == columns, "\(row)")
    }
    #expect(rows[0].contains(#"\u{A}\u{A}"#) && rows[0].contains("…"), "\(rows)")
    #expect(rows[1].contains(#"a\u{A}b\u{1B}[2J"#), "\(rows)")
    let long = String(repeating: "\n", count: 40)
    let draft = TimeEntryDraft(user: .id(tracking.user), description: long, zone: .utc)
    try tracking.perform(.entry(.start(draft, at: nil, policy: .refuse)))
    let running = SafeText.line(tracking.lines[2])
    #expect(running.hasSuffix("…  since 09:00") && TextWidth.of(running) <= columns, "\(running)")
  }

  @Test func `a new entry runs, its time passes, and it is stopped, by commands`() throws {
    var tracking = try Tracking()
    #expect(tracking.text.contains("Nothing is running."))
    #expect(tracking.text.contains("No entries. Press n to start one."))
    try tracking.press("text:n", "text:write report", "enter")
    #expect(tracking.entries.map(\.description) == ["write report"])
    tracking.wait(.seconds(90))
    #expect(tracking.text.contains("Running 0:01:30  write report  since 09:00"))
    #expect(tracking.text.contains("No earlier entries.") && !tracking.text.contains("No entries"))
    try tracking.press("text:s")
    #expect(tracking.entry(0)?.duration == .seconds(90))
    #expect(tracking.commands.last == .entry(.stop(tracking.user, at: nil, policy: .refuse)))
    #expect(tracking.lines.contains { $0.hasPrefix("  Today, Mon 2026-11-23  ") })
    #expect(tracking.lines.contains { $0.hasPrefix("  write report  ") })
    #expect(tracking.text.contains("  09:00-09:01   0:01:30"))
  }

  @Test func `keys start and stop entries at whole seconds`() throws {
    var tracking = try Tracking()
    let second = tracking.now
    tracking.wait(.milliseconds(314))
    try tracking.press("text:n", "text:write report", "enter")
    tracking.wait(.milliseconds(90_500))
    try tracking.press("text:s")
    #expect(tracking.entry(0)?.start == second)
    #expect(tracking.entry(0)?.end == second.adding(.seconds(90)))
    // A second start in one second begins after the first one, at the moment of the decision.
    tracking.wait(.seconds(1))
    try tracking.press("down", "enter")
    tracking.wait(.milliseconds(100))
    try tracking.press("down", "enter")
    #expect(tracking.entry(1)?.start == second.adding(.seconds(91)))
    #expect(tracking.entry(2)?.start == tracking.now && tracking.entry(1)?.end == tracking.now)
    // A duration before now, too.
    tracking.wait(.seconds(60))
    try tracking.press("text:s")
    tracking.wait(.seconds(60))
    try tracking.press("text:n", "backtab", "backtab", "text:10s", "enter")
    #expect(tracking.entry(3)?.end == tracking.now.wholeSecond)
  }

  @Test func `stopping while nothing runs says what to do, and leaves a trace`() throws {
    var tracking = try Tracking()
    try tracking.press("text:s")
    #expect(tracking.commands.count == 1)
    #expect(tracking.notice == .obstacle(.nothingRuns))
  }

  @Test func `an unknown key says so, and so does a pasted text`() throws {
    var tracking = try Self.tracking(entries: 1)
    try tracking.press("down", "ctrl-x")
    #expect(tracking.text.contains("! ctrl-x does nothing here."))
    try tracking.press("text:done")
    #expect(tracking.notice == .unknownKey("text:done"))
    for paste in ["paste:d", "paste:done\\nd\\n"] {
      try tracking.press(paste)
      #expect(tracking.text.contains("! paste does nothing here."))
    }
    try tracking.press("alt-d", "ctrl-shift-d", "f5")
    #expect(tracking.notice == .unknownKey("f5"))
    #expect(tracking.entries.count == 1)
    try tracking.press("text:?", "text: ")
    #expect(tracking.text.contains("! space does nothing here."))
  }

  @Test func `an entry of a merged project shows the project that it was merged into`() throws {
    var tracking = try Tracking()
    for name in ["old", "new", "newest"] {
      try tracking.perform(.project(.create(Project(name: Name(name)))))
    }
    let (old, new) = (ProjectID(value: 0), ProjectID(value: 1))
    try tracking.perform(.task(.create(ProjectTask(name: Name("draw"), project: old))))
    var draft = TimeEntryDraft(user: .id(tracking.user), description: "plan", zone: .utc)
    draft.project = .id(old)
    draft.task = .id(TaskID(value: 0))
    let start = tracking.now.adding(.seconds(-3_600))
    try tracking.perform(.entry(.add(draft, start: start, end: tracking.now, policy: .refuse)))
    try tracking.perform(.entry(.start(draft, at: nil, policy: .refuse)))
    tracking.wait(.seconds(60))
    #expect(tracking.text.contains("Running 0:01:00  plan @old/draw  since 09:00"))
    #expect(tracking.lines.contains { $0.hasPrefix("  plan @old/draw  ") })
    try tracking.perform(.project(.merge(old, into: new, reason: nil)))
    try tracking.perform(.project(.merge(new, into: ProjectID(value: 2), reason: nil)))
    #expect(tracking.text.contains("Running 0:01:00  plan @newest/draw  since 09:00"))
    #expect(tracking.lines.contains { $0.hasPrefix("  plan @newest/draw  ") })
    // A deleted project still says what the time was spent on.
    try tracking.press("text:s")
    try tracking.perform(.project(.delete(ProjectID(value: 2), reason: nil)))
    #expect(tracking.text.contains("plan @newest/draw"))
  }

  @Test func `continuing copies all fields, and ends the running entry`() throws {
    var tracking = try Tracking()
    var draft = TimeEntryDraft(user: .id(tracking.user), description: "design", zone: .utc)
    draft.project = .name(Name("acme"))
    draft.tags = [.name(Name("billing"))]
    draft.isBillable = true
    draft.annotations = ["see mail"]
    try tracking.perform(
      .entry(
        .add(
          draft, start: tracking.now.adding(.seconds(-7_200)),
          end: tracking.now.adding(.seconds(-3_600)), policy: .refuse)))
    try tracking.press("text:n", "text:other", "enter")
    tracking.wait(.seconds(60))
    try tracking.press("down", "enter")
    let (old, new) = (tracking.entry(0), tracking.entry(2))
    #expect(new?.isRunning == true)
    #expect(new?.start == tracking.now)
    #expect(new?.project == old?.project && old?.project != nil)
    #expect(new?.tags == old?.tags && old?.tags.count == 1)
    #expect(new?.isBillable == true)
    #expect(new?.annotations == ["see mail"])
    #expect(tracking.entry(1)?.duration == .seconds(60))
  }

  @Test func `deleting selects the next entry, and undo brings back the same entry`() throws {
    var tracking = try Self.tracking(entries: 3)
    let before = tracking.domain
    let count = tracking.facts.count
    try tracking.press("down", "text:d")
    #expect(tracking.entries.map(\.description) == ["task 0", "task 1"])
    #expect(tracking.timer?.selection == TimeEntryID(value: 1))
    #expect(tracking.text.contains("\nDeleted. z takes it back (5 s)."))
    try tracking.press("text:z")
    let takesBack = KeyMeaning.takeBack([TimeEntryID(value: 2)])
    #expect(tracking.restores == [takesBack])
    let undone = Array(tracking.facts[count...])
    try tracking.restore(undone)
    #expect(tracking.entry(2)?.deleted == nil)
    #expect(tracking.entries.count == 3)
    #expect(tracking.text.contains("\nUndone. Z redoes it. Now: #2 2026-11-23 "))
    #expect(tracking.text.contains(" task 2."))
    #expect(tracking.domain.timeEntries.count == before.timeEntries.count)
    try tracking.press("text:Z")
    #expect(tracking.restores == [takesBack, .redo])
    try tracking.restore([tracking.facts[tracking.facts.count - 1]], isRedo: true)
    #expect(tracking.entries.count == 2)
    #expect(tracking.text.contains("\nRedone. z undoes it. Now deleted: #2 "))
  }

  @Test func `a success has its color, and a key that does nothing is a warning`() throws {
    var tracking = try Self.tracking(entries: 1)
    func style(ofRowWith text: String) throws -> Style {
      let canvas = try #require(tracking.frame).screen.canvas
      let row = try #require(canvas.lines.firstIndex { $0.contains(text) })
      return canvas[row: row, column: 0].style
    }
    try tracking.press("down", "text:d")
    #expect(try style(ofRowWith: "Deleted. z takes it back (5 s).") == Style(foreground: .success))
    try tracking.press("f5")
    #expect(try style(ofRowWith: "! f5 does nothing here.") == .warning)
  }

  @Test func `an undo of another user's entry says whose it is`() throws {
    var tracking = try Self.tracking(entries: 1)
    try tracking.perform(.user(.create(User(name: Name("ben")))))
    let draft = TimeEntryDraft(user: .id(UserID(value: 1)), description: "mail", zone: .utc)
    let count = tracking.facts.count
    try tracking.perform(.entry(.start(draft, at: nil, policy: .refuse)))
    try tracking.restore(Array(tracking.facts[count...]))
    #expect(tracking.text.contains("\nUndone for ben. Z redoes it. Now deleted: #1 "))
    try tracking.send(.scene(tracking.scene, .userOpened(Name("ben"))))
    try tracking.restore([tracking.facts[tracking.facts.count - 1]], isRedo: true)
    #expect(tracking.text.contains("\nRedone. z undoes it. Now: #1 "))
  }

  @Test func `the timer of a user that is gone says how to leave it`() throws {
    var tracking = try Self.tracking(entries: 1)
    try tracking.perform(.user(.delete(tracking.user, reason: nil)))
    #expect(tracking.text.contains("There is no user anna any more. Press u to choose another"))
    #expect(tracking.lines.last?.contains("u: users") == true)
    #expect(tracking.lines.last?.contains("n: new") == false)
    try tracking.press("text:n")
    #expect(tracking.timer != nil && tracking.text.contains("n does nothing here."))
    try tracking.press("text:u")
    #expect(tracking.timer == nil)
  }

  @Test func `an undo without a change shows a message`() throws {
    var tracking = try Tracking()
    try tracking.send(
      TimeTracker.answer(toRestore: nil, isRedo: false, in: tracking.scene))
    #expect(tracking.text.contains("! There is nothing to undo."))
    try tracking.send(TimeTracker.answer(toRestore: nil, isRedo: true, in: tracking.scene))
    #expect(tracking.text.contains("! There is nothing to redo."))
  }

  @Test func `a notice ends with the next input or change, and no action says so`() throws {
    var tracking = try Tracking()
    let notice = "! ctrl-x does nothing here."
    try tracking.press("text:n", "text:work", "enter", "ctrl-x")
    #expect(tracking.text.contains(notice))
    tracking.wait(.seconds(60))
    // The key that ends it has its command only.
    let meaning = try #require(tracking.frame).interpret(.text("s"), at: tracking.now)
    let stop = TimeEntryCommand.stop(tracking.user, at: nil, policy: .refuse)
    #expect(meaning == .intents([.command(.entry(stop))]))
    try tracking.press("text:s")
    #expect(tracking.entry(0)?.isRunning == false && !tracking.text.contains(notice))
    try tracking.press("ctrl-x")
    #expect(tracking.text.contains(notice))
    try tracking.press("down")
    #expect(tracking.notice == nil && !tracking.text.contains(notice))
    // Another process changes something; what is refused changes nothing.
    try tracking.press("ctrl-x")
    for isRefused in [false, true] {
      if isRefused { try tracking.press("ctrl-x") }
      let refusal = try tracking.perform(.tag(.create(Tag(name: Name("new")))))
      #expect((refusal != nil) == isRefused)
      #expect(tracking.text.contains(notice) == isRefused)
    }
  }

  @Test func `a stop after more than 12 hours asks, and ctrl-o records it as it is`() throws {
    var tracking = try Tracking()
    try tracking.press("text:n", "text:forgotten", "enter")
    tracking.wait(.seconds(46 * 3_600))
    try tracking.press("text:s")
    #expect(tracking.entry(0)?.isRunning == true)
    #expect(tracking.text.contains("! An entry would take 46:00:00, more than 12 hours."))
    #expect(tracking.question != nil)
    try tracking.press("enter")
    #expect(tracking.entry(0)?.isRunning == true)
    try tracking.press("text:s", "ctrl-o")
    #expect(tracking.entry(0)?.duration == .seconds(46 * 3_600))
    #expect(tracking.question == nil)
  }

  @Test func `e edits the entry that was begun last, whatever was selected before`() throws {
    var tracking = try Self.tracking(entries: 2)
    try tracking.press("down", "text:n", "text:new", "enter")
    #expect(tracking.timer?.selection == nil)
    try tracking.press("text:e")
    #expect(tracking.form?.entry == TimeEntryID(value: 2))
    tracking.wait(.seconds(60))
    try tracking.press("escape", "down", "enter", "text:e")
    #expect(tracking.form?.entry == TimeEntryID(value: 3))
    // After a question, too, and not before it is answered.
    try tracking.press("escape", "down", "text:n", "text:8:55 late", "enter")
    #expect(tracking.question != nil && tracking.form?.entry == nil)
    try tracking.press("ctrl-x", "text:e")
    #expect(tracking.form?.entry == TimeEntryID(value: 4))
    // A form that is left keeps the selection.
    try tracking.press("escape", "down", "text:n", "escape")
    #expect(tracking.timer?.selection == TimeEntryID(value: 1))
  }

  @Test(arguments: [
    (40, "  task 0           07:30-08:00   0:30:00", "n: new  s: stop  e: edit  …  ?: keys"),
    (30, "  task 0       07:30   0:30:00", "n: new  s: stop  …  ?: keys"),
    (20, "  task 0     0:30:00", "n: new  …  ?: keys"),
  ])
  func `a narrow screen leaves out ends, then times, and has the durations`(
    columns: Int, row: String, hints: String
  ) throws {
    var tracking = try Self.tracking(entries: 1)
    try tracking.press("text:n", "text:a long description", "enter")
    tracking.size.columns = columns
    #expect(tracking.lines.contains(row), "\(tracking.text)")
    #expect(tracking.lines[2].hasPrefix("Running 0:00:00  a "), "\(tracking.text)")
    #expect(tracking.lines.last == hints)
  }

  @Test(arguments: [
    (46, ["11-23 07:30-08:00", "11-22 07:30-08:00", "2025-11-23 07:30"]),
    (40, ["11-23 07:30", "11-22 07:30", "2025-11-23"]), (30, ["07:30", "11-22", "2025"]),
  ])
  func `a low screen without headings has the day of another day, and the year of another year`(
    columns: Int, times: [String]
  ) throws {
    var tracking = try Tracking()
    for days in [0, 1, 365] {
      let start = tracking.now.adding(.seconds(Int64(days) * -86_400 - 5_400))
      let draft = TimeEntryDraft(
        user: .id(tracking.user), description: "a description of many words", zone: .utc)
      try tracking.perform(
        .entry(.add(draft, start: start, end: start.adding(.seconds(1_800)), policy: .refuse)))
    }
    tracking.size = Screen.Size(columns: columns, rows: 8)
    let shown = tracking.lines.filter { $0.hasPrefix("  a de") }.compactMap { line in
      line.split(separator: "  ").dropFirst().first.map(String.init)
    }
    #expect(shown == times, "\(tracking.text)")
    #expect(tracking.replayedLines == tracking.lines)
  }

  @Test func `the start of the running entry is below it if it does not fit beside it`() throws {
    var tracking = try Self.tracking(entries: 1)
    try tracking.press("text:n", "text:a long description of the work", "enter")
    tracking.size.columns = 40
    #expect(tracking.lines[2] == "Running 0:00:00  a long description of …")
    #expect(tracking.lines[3] == "  since 09:00")
    tracking.size.columns = 80
    #expect(tracking.lines[2].hasSuffix("  a long description of the work  since 09:00"))
    #expect(tracking.lines[3] == "")
    try tracking.press("text:n", "text:short", "enter")
    tracking.size.columns = 40
    #expect(tracking.lines[2] == "Running 0:00:00  short  since 09:00")
  }

  @Test func `space starts a blank entry, and tells if one runs`() throws {
    var tracking = try Self.tracking(entries: 1)
    // Where few hints have room, that of the filter comes first.
    #expect(tracking.lines.last?.contains("/: filter") == true, "\(tracking.text)")
    tracking.size.columns = 120
    #expect(tracking.lines.last?.contains("space: start blank") == true, "\(tracking.text)")
    try tracking.press("text: ")
    #expect(tracking.lines[2].hasPrefix("Running 0:00:00  (no description)"))
    #expect(tracking.lines.last?.contains("start blank") == false)
    try tracking.press("text: ")
    #expect(tracking.notice == .obstacle(.runsAlready))
    #expect(tracking.text.contains("An entry runs. Press n to start another one, or s to stop it."))
  }

  @Test func `a low screen has room for what to do about a refusal`() throws {
    var tracking = try Self.tracking(entries: 1)
    tracking.size = Screen.Size(columns: 40, rows: 12)
    let closing = Closing(
      .all, from: tracking.now.adding(.seconds(-86_400)), to: tracking.now, login: "anna",
      reason: "the invoice of this month is sent")
    try tracking.perform(.closing(.close(closing)))
    try tracking.press("down", "text:d")
    #expect(tracking.entries.count == 1)
    #expect(tracking.text.contains("reopen 0`."), "\(tracking.text)")
  }

  @Test func `enter continues only a selected entry, and its hint says so`() throws {
    var tracking = try Self.tracking(entries: 1)
    #expect(tracking.lines.last?.contains("enter: continue") == false)
    try tracking.press("enter")
    #expect(tracking.form?.entry == nil && tracking.form != nil)
    try tracking.press("escape", "text:j")
    #expect(tracking.lines.last?.hasPrefix("enter: continue  n: new") == true)
    try tracking.press("enter")
    #expect(tracking.entries.count == 2 && tracking.entries.last?.isRunning == true)
    try tracking.press("text:j", "text:k")
    #expect(tracking.timer?.selection == TimeEntryID(value: 0))
  }

  @Test func `the creation of the first user is not undone by a key`() throws {
    var tracking = try Tracking()
    #expect(tracking.lines.last?.contains("undo") == false)
    try tracking.press("text:z")
    #expect(tracking.restores == [] && tracking.notice == .nothingToUndo)
    try tracking.press("text:n", "text:a", "enter", "text:z")
    #expect(tracking.restores == [.undo])
  }

  @Test func `the list of keys is left by q, and says how to leave it`() throws {
    var tracking = try Tracking()
    try tracking.press("text:?", "page-down")
    #expect(tracking.text.contains("page-down does nothing here. Press escape to leave the list."))
    try tracking.press("text:q")
    #expect(tracking.lines[0].hasPrefix("Timer of anna  "))
  }

  // MARK: Pages

  @Test func `the row below the list names the keys that show more`() throws {
    var tracking = try Self.tracking(entries: 40)
    func row() -> String? { tracking.lines.first { $0.hasPrefix("  page-") } }
    #expect(row() == "  page-down shows older entries")
    try tracking.press("page-down")
    #expect(row() == "  page-up shows newer, page-down older")
    try tracking.press("page-down")
    #expect(row() == "  page-up shows newer entries")
    try tracking.press("page-up", "page-up")
    #expect(row() == "  page-down shows older entries")
    try tracking.press("page-up")
    #expect(tracking.notice == .obstacle(.noNewerEntries))
  }

  @Test func `all entries of any age are reached by paging and edited`() throws {
    var tracking = try Self.tracking(entries: 300)
    tracking.size = Screen.Size(columns: 80, rows: 20)
    var seen: [String] = []
    func texts() -> [String] {
      tracking.lines.compactMap { line in
        line.split(separator: " ").first { Int($0) != nil }.map { "task \($0)" }
      }
    }
    for _ in 0..<100 {
      seen += texts()
      try tracking.press("page-down")
      if tracking.notice != nil { break }
    }
    #expect(seen == (0..<300).reversed().map { "task \($0)" })
    try tracking.press("down", "text:e", "text: old", "enter")
    #expect(tracking.entries.filter { $0.description.hasSuffix(" old") }.count == 1)
    for _ in 0..<100 {
      try tracking.press("page-up")
      if tracking.notice != nil { break }
    }
    #expect(tracking.timer?.top == nil)
    #expect(texts().first == "task 299")
  }

  @Test func `the arrows walk through the whole list and back`() throws {
    var tracking = try Self.tracking(entries: 40)
    tracking.size = Screen.Size(columns: 80, rows: 12)
    for number in (0..<40).reversed() {
      try tracking.press("down")
      #expect(tracking.timer?.selection == TimeEntryID(value: Int64(number)))
      #expect(tracking.lines.contains { $0.hasPrefix("› ") && $0.contains("task \(number) ") })
    }
    try tracking.press("down")
    #expect(tracking.timer?.selection == TimeEntryID(value: 0))
    for number in 1..<40 {
      try tracking.press("up")
      #expect(tracking.timer?.selection == TimeEntryID(value: Int64(number)))
      #expect(tracking.lines.contains { $0.hasPrefix("› ") && $0.contains("task \(number) ") })
    }
  }

  @Test func `old entries of one user among many others are found, after a gap of years`() throws {
    var tracking = try Tracking()
    let old = tracking.now.adding(.seconds(-20 * 366 * 86_400))
    let mine = TimeEntryDraft(user: .id(tracking.user), description: "long ago", zone: .utc)
    try tracking.perform(
      .entry(.add(mine, start: old, end: old.adding(.seconds(60)), policy: .refuse)))
    try tracking.perform(.user(.create(User(name: Name("ben")))))
    for number in 1..<200 {
      let start = tracking.now.adding(.seconds(Int64(-number) * 86_400))
      let draft = TimeEntryDraft(
        user: .id(UserID(value: 1)), description: "of ben", zone: .utc)
      try tracking.perform(
        .entry(.add(draft, start: start, end: start.adding(.seconds(60)), policy: .refuse)))
    }
    #expect(tracking.text.contains("long ago"))
    #expect(!tracking.text.contains("of ben"))
  }

  @Test func `paging finds the next entry of one user behind thousands of another`() throws {
    var tracking = try Tracking()
    let old = tracking.now.adding(.seconds(-20 * 366 * 86_400))
    let mine = TimeEntryDraft(user: .id(tracking.user), description: "long ago", zone: .utc)
    try tracking.perform(
      .entry(.add(mine, start: old, end: old.adding(.seconds(60)), policy: .refuse)))
    let run = ImportRunID(value: 0)
    try tracking.perform(
      .importRun(.begin(source: Name("toggl"), file: "ben.csv", digest: .zero)))
    for batch in 0..<21 {
      let rows = (0..<1_000).map { number in
        let start = tracking.now.adding(.seconds(Int64(batch * 1_000 + number + 2) * -3_600))
        return ImportedRow(
          user: Name("ben"), description: "of ben", start: start, end: start.adding(.seconds(60)),
          zone: .utc)
      }
      try tracking.perform(
        .importRun(.rows(run, ImportedRows(from: Int64(batch * 1_000), rows))))
    }
    try tracking.perform(.importRun(.finish(run)))
    tracking.hashEntries()
    #expect(!tracking.text.contains("long ago"))
    #expect(tracking.text.contains("page-down shows older entries"))
    try tracking.press("page-down")
    #expect(tracking.text.contains("long ago"))
    try tracking.press("page-down")
    #expect(tracking.notice == .obstacle(.noOlderEntries))
    #expect(tracking.text.contains("long ago"))
    try tracking.press("home")
    #expect(!tracking.text.contains("long ago"))
    try tracking.press("end")
    #expect(tracking.text.contains("long ago"))
  }

  // MARK: Frames

  @Test func `a key means the row that was painted, whatever was added meanwhile`() throws {
    var tracking = try Self.tracking(entries: 3)
    try tracking.press("down")
    tracking.paint()
    let draft = TimeEntryDraft(user: .id(tracking.user), description: "newer", zone: .utc)
    try tracking.perform(
      .entry(
        .add(
          draft, start: tracking.now.adding(.seconds(-60)), end: tracking.now, policy: .refuse)))
    try tracking.press("text:d")
    #expect(tracking.entries.map(\.description) == ["task 0", "task 1", "newer"])
  }

  @Test func `an entry that was deleted elsewhere is refused, and the refusal is shown`() throws {
    var tracking = try Self.tracking(entries: 1)
    try tracking.press("down")
    tracking.paint()
    try tracking.perform(.entry(.delete(TimeEntryID(value: 0), reason: nil)))
    try tracking.press("enter")
    #expect(tracking.text.contains("! There is no time entry 0, or it was deleted."))
  }
}
