import CivilTime
import RetraceArchitecture
import RetraceScreen
import RetraceState
import RetraceTesting
import Testing
import ToolTestSupport
import TimeTracking
import TrackerFeatures

/// The form for an entry that exists.
@Suite struct EditingTests {
  /// A scene with one ended entry, which took an hour and ended an hour ago, and is selected.
  private static func tracking(
    _ description: String = "task", tags: [String] = [], project: String? = nil
  ) throws -> Tracking {
    var tracking = try Tracking()
    var draft = TimeEntryDraft(
      user: .id(tracking.user), description: description, zone: .utc)
    draft.tags = tags.map { .name(Name($0)) }
    draft.project = project.map { .name(Name($0)) }
    let start = tracking.now.adding(.seconds(-7_200))
    try tracking.perform(
      .entry(.add(draft, start: start, end: start.adding(.seconds(3_600)), policy: .refuse)))
    try tracking.press("down")
    return tracking
  }

  /// The changed fields of the last command.
  private static func fields(_ tracking: Tracking) -> [String]? {
    guard case .entry(.correct(_, let correction, _, _, _))? = tracking.commands.last else {
      return nil
    }
    return correction.changes.changedFields
  }

  @Test(arguments: ["fix #1234 for @bob", "a  b", " blank ", "a, b", "#", "@ #", "", "e\u{301}"])
  func `saving an edit in which nothing was typed sends nothing`(text: String) throws {
    var tracking = try Self.tracking(text, tags: ["a,b", "say \"x\""], project: "lead")
    let before = tracking.domain
    let count = tracking.commands.count
    try tracking.press("text:e", "enter")
    #expect(tracking.commands.count == count)
    #expect(tracking.domain == before)
    #expect(tracking.timer != nil)
  }

  // The entry is from 23:00 to 2:00; it is 9:00.
  @Test(arguments: [
    (3, "0:30", -510, -420), (3, "22:00", -660, -420), (4, "1:00", -600, -480),
    (4, "23:30", -600, -570),
  ])
  func `a time of day is on the day on which the entry has it`(
    tabs: Int, text: String, start: Int64, end: Int64
  ) throws {
    var tracking = try Tracking()
    let draft = TimeEntryDraft(user: .id(tracking.user), description: "night", zone: .utc)
    try tracking.perform(
      .entry(
        .add(
          draft, start: tracking.now.adding(.seconds(-36_000)),
          end: tracking.now.adding(.seconds(-25_200)), policy: .refuse)))
    try tracking.press("down", "text:e")
    for _ in 0..<tabs { try tracking.press("tab") }
    try tracking.press("ctrl-u", "text:\(text)", "enter")
    #expect(tracking.timer != nil, "\(tracking.text)")
    #expect(tracking.entry(0)?.start == tracking.now.adding(.seconds(start * 60)))
    #expect(tracking.entry(0)?.end == tracking.now.adding(.seconds(end * 60)))
  }

  @Test func `a form that was opened before an id of another system can be saved [M21]`() throws {
    var tracking = try Self.tracking("design", project: "acme")
    try tracking.perform(.source(.create(ExternalSource(name: Name("toggl")))))
    let (acme, toggl) = (ProjectID(value: 0), SourceID(value: 0))
    try tracking.press("text:e", "text: v2")
    for id in ["1", "77"] {
      let link = DomainCommand.project(.link(acme, ExternalID(source: toggl, id: id)))
      #expect(try tracking.perform(link) == nil)
    }
    try tracking.press("enter")
    #expect(tracking.timer != nil && tracking.entry(0)?.description == "design v2")
    #expect(tracking.entry(0)?.project == acme)
    // The form of a new entry whose project is already typed can be saved, too.
    try tracking.press("text:n", "text:next", "tab", "text:acme")
    let link = DomainCommand.project(.link(acme, ExternalID(source: toggl, id: "78")))
    #expect(try tracking.perform(link) == nil)
    try tracking.press("enter")
    #expect(tracking.entry(1)?.project == acme)
  }

  @Test func `the cursor is seen after control characters`() throws {
    var tracking = try Self.tracking(String(repeating: "\n", count: 20))
    tracking.size.columns = 40
    try tracking.press("text:e", "text:end")
    let cursor = try #require(tracking.frame?.screen.cursor)
    #expect(cursor.row == 2 && cursor.column < 40)
    let line = tracking.lines[2]
    #expect(line.hasPrefix("› Description …") && line.hasSuffix("end"))
    #expect(TextWidth.of(line) == cursor.column)
  }

  @Test func `a text survives an edit of another field`() throws {
    var tracking = try Self.tracking("fix #1234 for @bob", tags: ["a,b"], project: "lead")
    try tracking.press("text:e", "backtab", "text: ", "enter")
    #expect(Self.fields(tracking) == ["isBillable"])
    #expect(tracking.entry(0)?.description == "fix #1234 for @bob")
    #expect(tracking.entry(0)?.tags == [TagID(value: 0)])
    #expect(tracking.domain.tags.count == 1)
  }

  @Test func `a typed character after a word with @ keeps the word`() throws {
    var tracking = try Self.tracking("at @office")
    try tracking.press("text:e", "text:!", "enter", "enter")
    #expect(tracking.entry(0)?.description == "at @office!")
    #expect(tracking.entry(0)?.project == nil)
  }

  @Test func `tags with commas are edited one by one`() throws {
    var tracking = try Self.tracking(tags: ["a,b", "say \"x\"", "c"])
    try tracking.press("text:e", "tab", "tab")
    #expect(tracking.form?.tags.text == "\"a,b\", \"say \"\"x\"\"\", c")
    try tracking.press("text:, d", "enter", "enter")
    #expect(tracking.entry(0)?.tags == (0..<4).map { TagID(value: $0) })
    #expect(tracking.domain.tags[TagID(value: 3)]?.name.text == "d")
  }

  @Test(arguments: ["\"a", "a\"", "\"", "\"\"", "\"a\" b", "a,\"", "\",b"])
  func `a tag with quotes survives an edit of the tags`(name: String) throws {
    var tracking = try Self.tracking(tags: [name])
    try tracking.press("text:e", "tab", "tab", "text:, d", "enter", "enter")
    #expect(tracking.entry(0)?.tags == [TagID(value: 0), TagID(value: 1)])
    #expect(tracking.domain.tags[TagID(value: 0)]?.name.text == name)
  }

  @Test func `saving an edit keeps a stop that was made meanwhile`() throws {
    var tracking = try Tracking()
    try tracking.press("text:n", "text:task", "enter", "text:e")
    tracking.wait(.seconds(3_600))
    tracking.paint()
    try tracking.perform(.entry(.stop(tracking.user, at: nil, policy: .refuse)))
    try tracking.press("text: v2", "enter")
    #expect(Self.fields(tracking) == ["description"])
    #expect(tracking.entry(0)?.description == "task v2")
    #expect(tracking.entry(0)?.duration == .seconds(3_600))
  }

  @Test func `saving an edit keeps a project that was changed meanwhile`() throws {
    var tracking = try Self.tracking(project: "acme")
    try tracking.press("text:e")
    tracking.paint()
    var correction = TimeEntryCorrection()
    correction.changes.project = Change(from: ProjectID(value: 0), to: ProjectID(value: 0))
    correction.project = Name("beta")
    try tracking.perform(
      .entry(.correct(TimeEntryID(value: 0), correction, policy: .refuse, reason: nil)))
    try tracking.press("text:2", "enter")
    #expect(Self.fields(tracking) == ["description"])
    #expect(tracking.entry(0)?.project == ProjectID(value: 1))
    #expect(tracking.entry(0)?.description == "task2")
  }

  @Test func `two edits of one field conflict, and the form names the field`() throws {
    var tracking = try Self.tracking()
    try tracking.press("text:e", "text: mine")
    var correction = TimeEntryCorrection()
    correction.changes.description = Change(from: "task", to: "task of another")
    try tracking.perform(
      .entry(.correct(TimeEntryID(value: 0), correction, policy: .refuse, reason: nil)))
    let remark = "Changed elsewhere: description \"task of another\". ctrl-r takes it over, except"
    #expect(tracking.lines.contains(remark) && tracking.lines.contains("  where you typed."))
    try tracking.press("enter")
    #expect(tracking.entry(0)?.description == "task of another")
    #expect(
      tracking.notice == .refused(.entry(.entity(.changedMeanwhile(["description"])))))
    #expect(tracking.text.contains("! Changed elsewhere since you saw it: description."))
    #expect(tracking.form?.description.text == "task mine")
    // The user has seen what it is now, and saves the own text over it.
    try tracking.press("ctrl-r")
    #expect(tracking.form?.description.text == "task mine")
    try tracking.press("enter")
    #expect(tracking.entry(0)?.description == "task mine")
  }

  @Test func `the form of an entry that another window deletes says so`() throws {
    var tracking = try Self.tracking()
    try tracking.press("text:e", "text: mine")
    try tracking.perform(.entry(.delete(TimeEntryID(value: 0), reason: nil)))
    #expect(tracking.lines.contains { $0.hasPrefix("Deleted elsewhere. After escape, z undoes") })
  }

  @Test func `a narrow form shows the hours of times, without today's day and this year`() throws {
    var tracking = try Tracking()
    tracking.size = Screen.Size(columns: 40, rows: 12)
    try tracking.press("text:n", "tab", "tab", "tab", "text:yesterday 12:00", "tab", "text:8:30")
    #expect(tracking.lines[5].hasSuffix(" = 11-22 12:00"), "\(tracking.text)")
    #expect(tracking.lines[6].hasSuffix("= 08:30"), "\(tracking.text)")
    try tracking.press("ctrl-u", "tab", "text:1h")
    #expect(tracking.lines[6] == "  End         2026-11-22 13:00")
  }

  @Test func `a field with a text does not send to a key that it would insert`() throws {
    var tracking = try Tracking()
    try tracking.press("text:n", "ctrl-x")
    #expect(tracking.text.contains("! ctrl-x does nothing here. Press ? for the keys."))
    try tracking.press("text:a", "ctrl-x")
    #expect(tracking.text.contains("! ctrl-x does nothing here. In an empty field, ? shows the"))
    try tracking.press("escape", "text:u", "text:a", "ctrl-x")
    #expect(tracking.text.contains("! ctrl-x does nothing here. In an empty field, ? shows the"))
  }

  @Test func `the hints name the key of the field billable`() throws {
    var tracking = try Self.tracking()
    try tracking.press("text:e", "backtab")
    #expect(tracking.lines.last?.hasPrefix("enter: save  space: billable  ") == true)
    // The list of keys is in words that fit.
    tracking.size = Screen.Size(columns: 40, rows: 12)
    try tracking.press("text:?")
    let row = tracking.lines.first { $0.hasPrefix("space ") }
    #expect(row?.contains(" billable") == true, "\(tracking.text)")
    #expect(!tracking.text.contains("…"))
  }

  @Test func `ctrl-r takes over what was changed elsewhere where nothing was typed`() throws {
    var tracking = try Self.tracking()
    try tracking.press("text:e", "text: mine")
    var correction = TimeEntryCorrection()
    correction.project = Name("beta")
    correction.changes.isBillable = Change(from: false, to: true)
    try tracking.perform(
      .entry(.correct(TimeEntryID(value: 0), correction, policy: .refuse, reason: nil)))
    #expect(tracking.text.contains("Changed elsewhere: project beta; billable yes. ctrl-r"))
    try tracking.press("ctrl-r")
    #expect(tracking.form?.project.text == "beta")
    #expect(tracking.text.contains("Billable    [x] yes"))
    #expect(tracking.form?.description.text == "task mine")
    try tracking.press("ctrl-r")
    #expect(tracking.notice == .obstacle(.unchangedElsewhere))
    try tracking.press("enter")
    #expect(Self.fields(tracking) == ["description"])
  }

  // MARK: Times

  @Test func `a start of the day moves the entry on its own day`() throws {
    var tracking = try Self.tracking()
    tracking.wait(.seconds(3 * 86_400))
    try tracking.press("text:e", "tab", "tab", "tab", "ctrl-u", "text:6:30", "enter")
    #expect(tracking.entry(0)?.localStart.description == "2026-11-23 06:30:00")
    #expect(tracking.entry(0)?.localEnd?.description == "2026-11-23 08:00:00")
    #expect(Self.fields(tracking) == ["start"])
  }

  @Test func `an end and a duration are edited, each from the other values`() throws {
    var tracking = try Self.tracking()
    try tracking.press("text:e", "tab", "tab", "tab", "tab", "ctrl-u", "text:7:30", "enter")
    #expect(tracking.entry(0)?.duration == .seconds(1_800))
    #expect(Self.fields(tracking) == ["end"])
    try tracking.press("text:e", "backtab", "backtab", "ctrl-u", "text:0:45", "enter")
    #expect(tracking.entry(0)?.duration == .seconds(2_700))
    #expect(Self.fields(tracking) == ["end"])
  }

  @Test func `an entry of another zone is shown and edited by the clocks of the frame`() throws {
    var tracking = try Tracking()
    let zone = RecordedZone(id: "America/New_York", offsetSeconds: -5 * 3_600)
    let draft = TimeEntryDraft(user: .id(tracking.user), description: "there", zone: zone)
    let start = tracking.now.adding(.seconds(-7_200))
    try tracking.perform(
      .entry(.add(draft, start: start, end: start.adding(.seconds(60)), policy: .refuse)))
    try tracking.press("down", "text:e")
    #expect(tracking.form?.start.text == "2026-11-23 07:00:00")
    try tracking.press("tab", "tab", "tab", "ctrl-u", "text:6:00", "enter")
    #expect(tracking.entry(0)?.start == tracking.now.adding(.seconds(-3 * 3_600)))
    #expect(tracking.entry(0)?.zone == zone)
  }

  @Test func `times that other clocks showed are not read before they are shown again`() throws {
    var tracking = try Self.tracking()
    try tracking.press("text:e")
    tracking.rules = try ZoneFiles.load("Europe/Berlin")
    try tracking.press("enter")
    #expect(tracking.form == nil && tracking.commands.count == 2)
    tracking.rules = .utc
    try tracking.press("text:e", "tab", "tab", "tab", "tab", "ctrl-u", "text:9:30")
    tracking.rules = try ZoneFiles.load("Europe/Berlin")
    try tracking.press("enter")
    #expect(tracking.text.contains("The form shows the times of another zone. ctrl-r shows"))
    try tracking.press("ctrl-r")
    #expect(tracking.form?.start.text == "2026-11-23 08:00:00")
    try tracking.press("enter")
    #expect(tracking.entry(0)?.duration == .seconds(5_400))
  }

  @Test func `a name that is typed into the description of an entry is said to be text`() throws {
    var tracking = try Self.tracking()
    try tracking.press("text:e", "text: @web")
    let note = "stays text, unless right takes it over with the cursor behind it"
    #expect(tracking.text.contains("note: @web \(note)"))
    try tracking.press("backspace", "backspace", "backspace", "backspace", "text:#new")
    #expect(tracking.text.contains("note: #new \(note)"))
    try tracking.press("enter", "enter", "text:e")
    #expect(tracking.entry(0)?.description == "task #new")
    #expect(tracking.form != nil && !tracking.text.contains("note: "))
  }

  @Test func `a name that would stay text is asked about once, and right takes it over`() throws {
    for (name, what) in [("@web", "the project"), ("#deep", "a tag"), ("+deep", "a tag")] {
      var tracking = try Self.tracking("see #4")
      try tracking.perform(.project(.create(Project(name: Name("web")))))
      try tracking.perform(.tag(.create(Tag(name: Name("deep")))))
      try tracking.press("text:e", "text: \(name) now", "tab", "enter")
      let sign = name.first == "@" ? "@" : "#"
      #expect(
        tracking.text.contains("? \(sign)\(name.dropFirst()) stays text. Press right behind it"))
      #expect(tracking.text.contains("to make it \(what), enter again"))
      // The cursor is at the end of the name.
      #expect(tracking.form?.field == .description && tracking.commands.count == 4)
      try tracking.press("right", "enter")
      #expect(tracking.timer != nil && tracking.entry(0)?.description == "see #4 now")
      #expect((tracking.entry(0)?.project != nil) == (sign == "@"))
      #expect((tracking.entry(0)?.tags.count == 1) == (sign == "#"))
      // What was recorded is not asked about.
      try tracking.press("text:e", "text:!", "enter")
      #expect(tracking.timer != nil && tracking.entry(0)?.description == "see #4 now!")
    }
  }

  // MARK: Billable

  @Test func `another project decides whether an entry is billable, unless the user does`() throws {
    func edited(_ keys: String..., of description: String = "task") throws -> Tracking {
      var tracking = try Self.tracking(description)
      var app = Project(name: Name("App"))
      (app.isBillable, app.rate) = (true, 8_500)
      try tracking.perform(.project(.create(app)))
      try tracking.press("text:e", "tab")
      for key in keys { try tracking.press(key) }
      return tracking
    }
    var tracking = try edited("text:App")
    #expect(tracking.lines.contains("  Billable    [x] as the project is"))
    try tracking.press("enter")
    #expect(tracking.entry(0)?.isBillable == true && tracking.entry(0)?.rate == 8_500)
    #expect(Self.fields(tracking) == ["project", "isBillable"])
    // Without the project it is as before.
    try tracking.press("text:e", "tab", "ctrl-u")
    #expect(tracking.lines.contains("  Billable    [ ] as the project is"))
    try tracking.press("enter")
    #expect(tracking.entry(0)?.isBillable == false && tracking.entry(0)?.project == nil)
    // The user says otherwise.
    tracking = try edited("text:App", "backtab", "backtab", "text: ")
    #expect(tracking.lines.contains("› Billable    [ ] no"))
    try tracking.press("enter")
    #expect(tracking.entry(0)?.isBillable == false && tracking.entry(0)?.project != nil)
    // An entry that is not as its project keeps that.
    try tracking.press("text:e", "tab", "ctrl-u")
    #expect(tracking.lines.contains("  Billable    [ ] no"))
    try tracking.press("text:new", "enter", "enter")
    #expect(tracking.entry(0)?.isBillable == false)
    #expect(tracking.replayedLines == tracking.lines)
  }

  @Test func `a new entry shows whether it will be billable as its project is`() throws {
    var tracking = try Tracking()
    var app = Project(name: Name("App"))
    app.isBillable = true
    try tracking.perform(.project(.create(app)))
    try tracking.press("text:n", "text:work @App")
    #expect(tracking.lines.contains("  Billable    [x] as the project is"))
    try tracking.press("right", "backtab")
    #expect(tracking.lines.contains("› Billable    [x] as the project is"))
    try tracking.press("text: ")
    #expect(tracking.lines.contains("› Billable    [ ] no") && tracking.form?.isBillable == false)
    try tracking.press("enter")
    #expect(tracking.entry(0)?.isBillable == false && tracking.entry(0)?.project != nil)
  }

  @Test func `an empty duration shows the time from the start to the end`() throws {
    var tracking = try Tracking()
    try tracking.press("text:n", "tab", "tab", "tab", "text:8:00")
    #expect(tracking.lines.contains("  Duration    running"))
    try tracking.press("tab", "text:8:45")
    #expect(tracking.lines.contains("  Duration    0:45:00"))
  }

  @Test func `an emptied end or duration follows from the other times`() throws {
    // The first tabs go to the end, the others to the duration.
    for (tabs, text) in [(4, "End         2026-11-23 08:00"), (5, "1:00:00")] {
      var tracking = try Self.tracking()
      let before = tracking.entry(0)
      try tracking.press("text:e")
      for _ in 0..<tabs { try tracking.press("tab") }
      try tracking.press("ctrl-u")
      #expect(tracking.text.contains(text) && !tracking.text.contains("running"))
      try tracking.press("enter")
      #expect(tracking.timer != nil && tracking.entry(0) == before)
      // With another start, the end or the duration follows from it.
      try tracking.press("text:e", "tab", "tab", "tab", "ctrl-u", "text:6:30")
      for _ in 3..<tabs { try tracking.press("tab") }
      try tracking.press("ctrl-u", "enter")
      #expect(tracking.entry(0)?.start == tracking.now.adding(.seconds(-9_000)))
      #expect(tracking.entry(0)?.duration == .seconds(tabs == 4 ? 3_600 : 5_400))
    }
  }

  @Test func `an emptied end and an emptied duration let the entry run again`() throws {
    var tracking = try Self.tracking()
    try tracking.press("text:e", "tab", "tab", "tab", "tab", "ctrl-u", "tab", "ctrl-u")
    #expect(tracking.lines.filter { $0.hasSuffix("running") }.count == 2)
    try tracking.press("enter")
    #expect(tracking.entry(0)?.isRunning == true)
  }

  /// Returns a row of the form: a label, a text, and what will take its place in its own column.
  private static func row(_ text: String) -> String {
    let parts = "  \(text)".split(separator: " → ").map(String.init)
    return parts.count == 1 ? parts[0] : TextWidth.padded(parts[0], to: 38) + " → " + parts[1]
  }

  // The entry is from 7:00 to 8:00.
  @Test(arguments: [
    ([(3, "6:30")], ["Duration    1:00:00 → 1:30:00"]),
    ([(4, "8:45")], ["Duration    1:00:00 → 1:45:00"]),
    ([(5, "0:30")], ["End         2026-11-23 08:00:00 → 2026-11-23 07:30:00"]),
    // The duration of the form is as long as the entry was.
    ([(3, "6:30"), (4, "")], ["End         2026-11-23 07:30"]),
    (
      [(4, "9:00"), (5, "0:30")], ["Start       2026-11-23 07:00:00 → 2026-11-23 08:30:00"]
    ),
    ([(3, "soon")], ["Duration    1:00:00"]), ([(3, "8:30")], ["Duration    1:00:00"]),
    ([(5, "1:00:00")], ["End         2026-11-23 08:00:00"]),
  ])
  func `a form shows the times that saving takes`(
    edits: [(Int, String)], lines: [String]
  ) throws {
    var tracking = try Self.tracking()
    try tracking.press("text:e")
    for (tabs, text) in edits {
      for _ in 0..<tabs { try tracking.press("tab") }
      try tracking.press("ctrl-u")
      if !text.isEmpty { try tracking.press("text:\(text)") }
      for _ in 0..<tabs { try tracking.press("backtab") }
    }
    #expect(lines.allSatisfy { tracking.lines.contains(Self.row($0)) }, "\(tracking.text)")
    #expect(tracking.replayedLines == tracking.lines)
  }

  @Test func `a form shows the times that saving takes by its clocks, also in a replay`() throws {
    var tracking = try Tracking()
    tracking.rules = try ZoneFiles.load("Europe/Berlin")
    let zone = RecordedZone(id: "Europe/Berlin", offsetSeconds: 3_600)
    let draft = TimeEntryDraft(user: .id(tracking.user), description: "task", zone: zone)
    let start = tracking.now.adding(.seconds(-7_200))
    try tracking.perform(
      .entry(.add(draft, start: start, end: start.adding(.seconds(240)), policy: .refuse)))
    try tracking.press("down", "text:e", "tab", "tab", "tab", "ctrl-u", "text:3:00")
    let line = Self.row("Duration    0:04:00 → 5:04:00")
    #expect(tracking.lines.contains(line))
    #expect(tracking.replayedLines.contains(line))
    // Clocks that the form was not made with show nothing.
    tracking.rules = .utc
    #expect(tracking.lines.contains("  Duration    0:04:00"))
  }

  @Test func `a project is removed by an empty text`() throws {
    var tracking = try Self.tracking(project: "acme")
    try tracking.press("text:e", "tab", "ctrl-u", "enter")
    #expect(tracking.entry(0)?.project == nil)
    #expect(Self.fields(tracking) == ["project"])
  }

  // MARK: What the log has

  @Test func `all that is done on a screen is in facts with the entry's id`() throws {
    var tracking = try Self.tracking("first")
    let id = TimeEntryID(value: 0)
    func facts(_ keys: String...) throws -> [DomainFact] {
      let before = tracking.facts.count
      for key in keys { try tracking.press(key) }
      return Array(tracking.facts[before...])
    }
    func ids(_ facts: [DomainFact]) -> [TimeEntryID] {
      facts.flatMap(\.undoableEdits).compactMap { edit in
        if case .entry(let edit) = edit { edit.id } else { nil }
      }
    }
    #expect(ids(try facts("text:e", "text:!", "enter")) == [id])
    #expect(ids(try facts("enter")) == [TimeEntryID(value: 1)])
    tracking.wait(.seconds(60))
    #expect(ids(try facts("text:s")) == [TimeEntryID(value: 1)])
    #expect(ids(try facts("down", "right", "down", "down", "text:d")) == [id])
    #expect(ids(try facts("text:n", "text:new", "enter")) == [TimeEntryID(value: 2)])
  }
}
