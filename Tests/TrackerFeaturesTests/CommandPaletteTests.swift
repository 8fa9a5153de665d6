import CivilTime
import RetraceArchitecture
import RetraceAvro
import RetraceScreen
import RetraceState
import RetraceTesting
import Testing
import TimeTracking
import TrackerFeatures

/// The command palette.
@Suite struct CommandPaletteTests {
  private static func tracking() throws -> Tracking {
    var tracking = try Tracking()
    for (number, text) in ["write report", "mail"].enumerated() {
      let end = tracking.now.adding(.seconds(Int64(number) * -3_600 - 3_600))
      var draft = TimeEntryDraft(user: .id(tracking.user), description: text, zone: .utc)
      draft.project = .name(Name("Acme"))
      draft.tags = [.name(Name("deep work"))]
      try tracking.perform(
        .entry(.add(draft, start: end.adding(.seconds(-600)), end: end, policy: .refuse)))
    }
    return tracking
  }

  private static func palette(_ tracking: Tracking) -> CommandPalette? {
    tracking.store.state.scenes[tracking.scene]?.palette
  }

  /// The rows of the list in the box.
  private static func rows(_ tracking: Tracking) -> [String] {
    let inner = tracking.lines.compactMap { line -> Substring? in
      guard let first = line.firstIndex(of: "│"), let last = line.lastIndex(of: "│"),
        first < last
      else { return nil }
      return line[line.index(after: first)..<last]
    }
    return inner.dropFirst().filter { !$0.contains("──") }
      .map { $0.split(separator: " ").joined(separator: " ") }.filter { !$0.isEmpty }
  }

  @Test func `the palette offers what the keys of the screen do, with reasons`() throws {
    var tracking = try Self.tracking()
    try tracking.press("text::")
    #expect(Self.palette(tracking) == CommandPalette())
    try tracking.press("text:running")
    let rows = Self.rows(tracking)
    #expect(rows.contains { $0.contains("Stop the running entry. (Nothing is running.") })
    // The words are looked for in what an action does, not in the reason against it.
    #expect(rows.allSatisfy { $0.lowercased().contains("running") })
    try tracking.press("ctrl-u", "text:stop", "enter")
    #expect(tracking.notice == .obstacle(.nothingRuns) && Self.palette(tracking) == nil)
    // Enter does exactly what the key does.
    for (words, key) in [
      ("start or add", "text:n"), ("report of the week", "text:r"),
      ("projects clients tags", "text:p"), ("another user", "text:u"),
    ] {
      var other = tracking
      try other.press(key)
      try tracking.press("ctrl-p", "text:\(words)", "enter")
      #expect(tracking.stack?.routes == other.stack?.routes, "\(words)")
      tracking = try Self.tracking()
    }
    try tracking.press("ctrl-p", "text:undo the deletion", "enter")
    #expect(tracking.restores == [.undo])
  }

  @Test func `a title that begins with the words is first, then words that begin`() throws {
    var tracking = try Self.tracking()
    try tracking.press("text::", "text:sho")
    let rows = Self.rows(tracking)
    #expect(rows.first?.contains("Show ") == true)
    try tracking.press("ctrl-u", "text:nothing at all matches this")
    #expect(Self.rows(tracking).contains { $0.contains("Nothing matches.") })
    try tracking.press("enter")
    #expect(tracking.notice == .obstacle(.noneSelected) && Self.palette(tracking) != nil)
  }

  @Test func `it goes to screens, to the entries of a name, and starts an earlier entry`() throws {
    var tracking = try Self.tracking()
    try tracking.perform(.user(.create(User(name: Name("ben")))))
    try tracking.press("text::", "text:go to the tags", "enter")
    #expect(tracking.lists?.kind == .tags)
    try tracking.press("text::", "text:deep work", "down", "down", "down")
    let title = "List the entries of the tag deep work."
    while !tracking.lines.contains(where: { $0.contains("› \(title)") }) {
      let selected = Self.palette(tracking)?.selected
      try tracking.press("up")
      if Self.palette(tracking)?.selected == selected { break }
    }
    try tracking.press("enter")
    #expect(tracking.timer?.filter.text == "#\"deep work\"")
    #expect(tracking.text.contains("= 2 entries"))
    try tracking.press("text::", "text:start mail", "enter")
    let running = try #require(tracking.domain.runningEntry(of: tracking.user))
    #expect(running.entry.description == "mail")
    try tracking.press("text::", "text:switch ben", "enter")
    #expect(tracking.timer?.user == UserID(value: 1))
  }

  @Test func `it starts and stops an entry in the words of the command line`() throws {
    var tracking = try Self.tracking()
    func running() -> TimeEntry? { tracking.domain.runningEntry(of: tracking.user)?.entry }
    try tracking.press("text::", "text:start call the bank @acme #deep work", "enter")
    #expect(tracking.form?.description.text == "call the bank @acme #deep work")
    #expect(running() == nil, "the tag deep is new, so the form asks")
    try tracking.press("ctrl-g", "text:H")
    #expect(tracking.stack?.top.path == "history/0")
    try tracking.press("ctrl-p", "text:start call the bank @acme #\"deep work\"")
    #expect(Self.rows(tracking).contains { $0.contains("as a new entry") })
    try tracking.press("enter")
    #expect(running()?.description == "call the bank")
    #expect(running()?.project == ProjectID(value: 0) && running()?.tags == [TagID(value: 0)])
    #expect(tracking.stack?.top.path == "history/0" && Self.palette(tracking) == nil)
    tracking.wait(.seconds(60))
    try tracking.press("ctrl-p", "text:stop", "enter")
    #expect(running() == nil && tracking.entries.count == 3)
    // Times are read as in the form, and what cannot be read is said in it.
    try tracking.press("ctrl-p", "text:start 6:00 - 6:30 read", "enter")
    #expect(tracking.entries.last?.description == "read" && running() == nil)
    try tracking.press("ctrl-p", "text:start read @acme @other", "enter")
    #expect(tracking.form != nil && tracking.notice != nil && tracking.entries.count == 4)
  }

  @Test func `in a form, ctrl-p opens it and a colon is text; it is restored`() throws {
    var tracking = try Self.tracking()
    try tracking.press("text:n", "text::")
    #expect(tracking.form?.description.text == ":" && Self.palette(tracking) == nil)
    try tracking.press("ctrl-p", "text:leave", "down")
    let scene = try #require(tracking.store.state.scenes[tracking.scene])
    #expect(scene.palette?.text.text == "leave" && scene.palette?.selected == 1)
    var reader = AvroReader(scene.encoded().span)
    #expect(try Scene(decoding: &reader) == scene)
    #expect(tracking.lines == tracking.freshLines)
    try tracking.press("escape")
    #expect(Self.palette(tracking) == nil && tracking.form?.description.text == ":")
    // What was typed into the form is kept when the palette leads away.
    try tracking.press("ctrl-p", "text:go to the report", "enter")
    #expect(tracking.stack?.top.path == "timer/0/reports")
    #expect(tracking.store.state.scenes[tracking.scene]?.drafts.count == 1)
  }

  @Test func `a click does an action, and one beside the box closes it`() throws {
    var tracking = try Self.tracking()
    try tracking.press("text::", "text:go to the report")
    let row = try #require(tracking.lines.firstIndex { $0.contains("› Go to the report") })
    try tracking.use(.scrolled(.down), row: row, column: 10)
    try tracking.use(.pressed(.left), row: row, column: 10)
    #expect(tracking.stack?.top.path == "timer/0/reports" && Self.palette(tracking) == nil)
    try tracking.press("text::")
    try tracking.use(.pressed(.left), row: 20, column: 0)
    #expect(Self.palette(tracking) == nil)
  }
}
