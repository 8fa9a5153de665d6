import CivilTime
import RetraceArchitecture
import RetraceScreen
import RetraceState
import RetraceTesting
import Testing
import ToolTestSupport
import TimeTracking
import TrackerFeatures

/// The form for a new entry.
@Suite struct NewEntryTests {
  /// 2026-10-25 02:30:00 UTC, which is 03:30 in Berlin, 90 minutes after clocks went back.
  private static let afterChange = Moment(microseconds: 1_792_895_400_000_000)

  @Test func `an entry with all fields is added, in order of the fields [M5]`() throws {
    var tracking = try Tracking()
    try tracking.press(
      "text:n", "text:design", "tab", "text:acme", "tab", "text:a, \"b, c\"", "tab",
      "text:7:00", "tab", "text:8:30", "tab", "tab", "text: ", "enter", "enter")
    let entry = try #require(tracking.entry(0))
    #expect(entry.description == "design")
    #expect(entry.start == tracking.now.adding(.seconds(-7_200)))
    #expect(entry.duration == .seconds(5_400))
    #expect(entry.isBillable)
    #expect(entry.project.flatMap { tracking.domain.projects[$0]?.name.text } == "acme")
    #expect(entry.tags.compactMap { tracking.domain.tags[$0]?.name.text } == ["a", "b, c"])
    #expect(tracking.timer != nil)
  }

  // The clock shows 9:00.
  @Test(arguments: [
    ("7:00 - 8:30 design  it @acme", -7_200, 5_400, "design  it"),
    ("from 7:00 to 8:30 design", -7_200, 5_400, "design"),
    (" 7:00 for 1h  design", -7_200, 3_600, "design"), ("7:00 - 8:30", -7_200, 5_400, ""),
    ("8:30 design", -1_800, nil, "design"), ("at 8:30 1:1 with Bob", -1_800, nil, "1:1 with Bob"),
    ("10 minutes ago design", -600, nil, "design"), ("1:1 with Bob", 0, nil, "1:1 with Bob"),
    ("\\7:00 - 8:30 design", 0, nil, "7:00 - 8:30 design"), ("design 7:00", 0, nil, "design 7:00"),
    ("10 - 20 people", 0, nil, "10 - 20 people"), ("2026 plans", 0, nil, "2026 plans"),
  ])
  func `a description that begins with times has them as those of the entry`(
    text: String, start: Int64, duration: Int64?, description: String
  ) throws {
    var tracking = try Tracking()
    try tracking.press("text:n", "text:\(text)")
    #expect(tracking.text.contains("in the description") == (start != 0))
    // A replay has no zone rules.
    #expect(tracking.replayedLines == tracking.lines)
    try tracking.press("enter")
    // The project is new.
    if tracking.form?.asked != nil { try tracking.press("enter") }
    let entry = try #require(tracking.entry(0))
    #expect(entry.description == description)
    #expect(entry.start == tracking.now.adding(.seconds(start)))
    #expect(entry.duration == duration.map { .seconds($0) })
  }

  @Test func `times of a description that are wrong, or beside those of fields, are not taken`()
    throws
  {
    var tracking = try Tracking()
    try tracking.press("text:n", "text:8:30 - 8:30 design", "enter")
    #expect(tracking.entry(0) == nil && tracking.text.contains("type a backslash before it."))
    try tracking.press("tab", "tab", "tab", "text:8:00", "enter")
    #expect(tracking.entry(0)?.description == "8:30 - 8:30 design")
    #expect(tracking.entry(0)?.start == tracking.now.adding(.seconds(-3_600)))
  }

  @Test(arguments: ["9.30 design", "1730 design", "5-6 design", "yesterday 9 design", "at 9 x"])
  func `a description that begins with a time of several readings is not taken`(
    text: String
  ) throws {
    var tracking = try Tracking()
    try tracking.press("text:n", "text:\(text)", "enter")
    #expect(tracking.entry(0) == nil && tracking.text.contains("could be misread"))
    try tracking.press("ctrl-u", "text:\\\(text)", "enter")
    #expect(tracking.entry(0)?.description == text)
  }

  @Test func `the end of a new entry may be on the next day`() throws {
    var tracking = try Tracking()
    try tracking.press("text:n", "text:night", "tab", "tab", "tab", "text:yesterday 23:00", "tab")
    try tracking.press("text:1:30", "enter")
    #expect(tracking.entry(0)?.start == tracking.now.adding(.seconds(-10 * 3_600)))
    #expect(tracking.entry(0)?.duration == .seconds(9_000))
  }

  @Test func `a name that exists is its id, in other letters and blanks`() throws {
    var tracking = try Tracking()
    try tracking.perform(.project(.create(Project(name: Name("Acme Corp")))))
    try tracking.perform(.tag(.create(Tag(name: Name("dup")))))
    try tracking.press(
      "text:n", "tab", "text: acme  corp ", "tab", "text:DUP, dup , Dup", "enter")
    #expect(tracking.entry(0)?.project == ProjectID(value: 0))
    #expect(tracking.entry(0)?.tags == [TagID(value: 0)])
    #expect(tracking.domain.projects.count == 1)
    #expect(tracking.domain.tags.count == 1)
  }

  @Test func `names are found in either form of their letters`() throws {
    for (known, typed) in [("caf\u{E9}", "Cafe\u{301}"), ("cafe\u{301}", "Caf\u{E9}")] {
      var tracking = try Tracking()
      let project = Project(name: Name(known))
      try tracking.perform(.project(.create(project)))
      try tracking.perform(
        .task(.create(ProjectTask(name: Name(known), project: ProjectID(value: 0)))))
      try tracking.perform(.tag(.create(Tag(name: Name(known)))))
      try tracking.press(
        "text:n", "text:work @\(typed)/\(typed) #\(typed)", "tab", "tab", "text:\(typed)",
        "enter")
      #expect(tracking.entry(0)?.project == ProjectID(value: 0))
      #expect(tracking.entry(0)?.task == TaskID(value: 0))
      #expect(tracking.entry(0)?.tags == [TagID(value: 0)])
      #expect(tracking.domain.tasks.count == 1 && tracking.domain.tags.count == 1)
    }
  }

  @Test(arguments: [
    ("a  b", "a  b"), (" a, b ", "a, b"), ("#", "#"), ("@", "@"),
    ("mail@office.example C# +5", "mail@office.example C# +5"),
    ("fix \\#42 for \\@bob", "fix #42 for @bob"),
    ("\"fix #42 for @bob\" now", "fix #42 for @bob now"), ("a \"#1\"", "a #1"),
    ("say \"hello  world\" twice", "say \"hello  world\" twice"), ("5\" @", "5\" @"),
    ("\"@thesis\" \"#a b\"", "@thesis #a b"), ("\"\u{301}x #1\"", "\u{301}x #1"),
  ])
  func `a text without names stays as it was typed; a backslash and quotes escape signs`(
    text: String, description: String
  ) throws {
    var tracking = try Tracking()
    try tracking.press("text:n", "text:\(text)", "enter")
    #expect(tracking.entry(0)?.description == description)
    #expect(tracking.entry(0)?.project == nil)
    #expect(tracking.entry(0)?.tags == [])
  }

  @Test func `names in the text of a new entry are taken as on the command line`() throws {
    var tracking = try Tracking()
    try tracking.perform(.project(.create(Project(name: Name("Big App")))))
    try tracking.press(
      "text:n", "text:write  it @app +new #Old now", "tab", "tab", "text:old, more", "enter",
      "enter")
    let entry = try #require(tracking.entry(0))
    #expect(entry.description == "write  it now")
    #expect(entry.project.flatMap { tracking.domain.projects[$0]?.name.text } == "app")
    #expect(
      entry.tags.compactMap { tracking.domain.tags[$0]?.name.text } == ["new", "Old", "more"])
    try tracking.press("text:n", "text:a @\"big app\" @\"app\"", "enter")
    #expect(tracking.text.contains("There are two projects: big app and app."))
    try tracking.press("ctrl-u", "text:a @\"big app\" \"@Big App\" \"@app\" #\"old\"", "enter")
    #expect(tracking.entry(1)?.description == "a @Big App @app")
    #expect(tracking.entry(1)?.project == ProjectID(value: 0))
    let tags = tracking.entry(1)?.tags ?? []
    #expect(tags.compactMap { tracking.domain.tags[$0]?.name.text } == ["Old"])
  }

  @Test func `a project in the text and another one in its field are refused`() throws {
    var tracking = try Tracking()
    try tracking.press("text:n", "text:a @app", "escape", "tab", "text:other", "enter")
    #expect(tracking.text.contains("There are two projects: other and app. Clear one of them."))
    try tracking.press("ctrl-u", "text:APP", "enter", "enter")
    #expect(tracking.entry(0)?.description == "a")
    #expect(tracking.domain.projects.count == 1)
  }

  @Test func `one of two projects of a name is typed with its client`() throws {
    var tracking = try Tracking()
    for name in ["A", "B"] { try tracking.perform(.client(.create(Client(name: Name(name))))) }
    for client in 0...1 {
      let client = ClientID(value: Int64(client))
      try tracking.perform(.project(.create(Project(name: Name("web"), client: client))))
    }
    try tracking.press("text:n", "text:a @web")
    #expect(tracking.suggestions == ["› @A/web project", "@B/web project"])
    try tracking.press("enter")
    #expect(tracking.text.contains("Type one with its client: A/web, B/web."))
    try tracking.press("ctrl-u", "text:a @b/web")
    #expect(tracking.suggestions == ["› @B/web project"])
    try tracking.press("enter")
    #expect(tracking.entry(0)?.project == ProjectID(value: 1))
    try tracking.press("text:e", "tab", "ctrl-u", "text:a/web", "enter")
    #expect(tracking.entry(0)?.project == ProjectID(value: 0))
  }

  @Test func `signs in the text of an entry survive an edit`() throws {
    var tracking = try Tracking()
    try tracking.press("text:n", "text:fix \\#42", "enter")
    // Enter asks once about #1, which stays text.
    try tracking.press("text:e", "text: \\@bob #1", "enter", "enter")
    #expect(tracking.entry(0)?.description == "fix #42 \\@bob #1")
    #expect(tracking.entry(0)?.tags == [])
  }

  @Test func `right accepts the suggested project and tags, which leave the text`() throws {
    var tracking = try Tracking()
    try tracking.perform(.project(.create(Project(name: Name("Acme Corp")))))
    try tracking.perform(.tag(.create(Tag(name: Name("a,b")))))
    try tracking.press("text:n", "text:fix \\#42 @ac")
    #expect(tracking.suggestions == ["› @Acme Corp project", "@ac new project"])
    try tracking.press("right")
    #expect(tracking.form?.description.text == "fix \\#42 ")
    #expect(tracking.form?.project.text == "Acme Corp")
    try tracking.press("text:#a", "right", "text:+new", "right", "text:now", "enter", "enter")
    let entry = try #require(tracking.entry(0))
    #expect(entry.description == "fix #42 now")
    #expect(entry.project == ProjectID(value: 0))
    #expect(entry.tags.compactMap { tracking.domain.tags[$0]?.name.text } == ["a,b", "new"])
  }

  @Test func `digits in a field of times are a time of day`() throws {
    var tracking = try Tracking()
    try tracking.press("text:n", "text:a", "tab", "tab", "tab", "text:730", "tab", "text:0845")
    #expect(tracking.text.contains("Start       730                      = 2026-11-23 07:30"))
    #expect(tracking.text.contains("End         0845                     = 2026-11-23 08:45"))
    try tracking.press("enter")
    let entry = try #require(tracking.entry(0))
    #expect(entry.localStart.clock == "07:30" && entry.localEnd?.clock == "08:45")
    // In a description, a number is text.
    try tracking.press("text:n", "text:930 tons", "enter")
    #expect(tracking.entry(1)?.description == "930 tons")
    let link = try TrackerRoute(DeepLink(parsing: "timer/0/start?start=930"))
    guard case .entryEditor(let form) = link else { return #expect(Bool(false), "no form") }
    #expect(form.start.text == "930")
  }

  @Test func `tab takes the marked name over, and without one leaves the field`() throws {
    var tracking = try Tracking()
    try tracking.perform(.project(.create(Project(name: Name("Acme Corp")))))
    try tracking.press("text:n", "text:fix @ac")
    #expect(tracking.lines.last?.hasPrefix("right, tab: take over  down: choose") == true)
    try tracking.press("tab")
    #expect(tracking.form?.description.text == "fix " && tracking.form?.field == .description)
    #expect(tracking.form?.project.text == "Acme Corp")
    // A name in its own field, and one that would be new, too.
    try tracking.press("text:#new", "tab")
    #expect(tracking.form?.field == .description && tracking.form?.tags.text == "new")
    try tracking.press("tab", "ctrl-u", "text:ac", "tab")
    #expect(tracking.form?.field == .project && tracking.form?.project.text == "Acme Corp")
    // The list is closed, so tab leaves the field; and so it does from a whole name, although a
    // longer one is listed.
    try tracking.press("tab")
    #expect(tracking.form?.field == .tags)
    try tracking.perform(.project(.create(Project(name: Name("Acme Corp 2")))))
    try tracking.press("backtab", "ctrl-u", "text:acme corp")
    #expect(tracking.suggestions == ["@Acme Corp 2 project"])
    try tracking.press("tab")
    #expect(tracking.form?.field == .tags && tracking.form?.project.text == "acme corp")
    // Earlier entries are not marked.
    try tracking.press("ctrl-u", "enter", "text:n", "text:f")
    #expect(tracking.suggestions.count == 1)
    try tracking.press("tab")
    #expect(tracking.form?.field == .project && tracking.form?.description.text == "f")
    try tracking.press("backtab", "down", "tab")
    #expect(tracking.form?.field == .description && tracking.form?.description.text == "fix")
  }

  @Test func `a typed time has its day beside it, and one that cannot be saved says so`() throws {
    var tracking = try Tracking()
    try tracking.press("text:n", "tab", "tab", "tab", "text:yesterday 7am")
    #expect(tracking.text.contains("Start       yesterday 7am            = 2026-11-22 07:00"))
    try tracking.press("tab", "text:7:30")
    #expect(tracking.text.contains("End         7:30                     = 2026-11-22 07:30"))
    #expect(tracking.replayedLines == tracking.lines)
    try tracking.press("enter", "down", "text:e", "tab", "tab", "tab")
    #expect(!tracking.text.contains("= 2026"))
    try tracking.press("ctrl-u", "text:7:10")
    #expect(tracking.text.contains("Start       7:10                     = 2026-11-22 07:10"))
    try tracking.press("ctrl-u", "escape", "text:n", "text:25:00 design")
    #expect(tracking.text.contains("note: There is no time `25:00`. If it is text, type a back"))
    #expect(!tracking.text.contains("was read as text"))
  }

  @Test func `an end alone asks for a start or a duration`() throws {
    var tracking = try Tracking()
    try tracking.press("text:n", "tab", "tab", "tab", "tab", "text:8:00")
    #expect(tracking.text.contains("Start       type a start or a duration"))
  }

  @Test func `suggestions match every typed word, and ctrl-n chooses among them [M10]`() throws {
    var tracking = try Tracking()
    for name in ["Big Acme", "Acme Corp", "acme", "other"] {
      try tracking.perform(.project(.create(Project(name: Name(name)))))
    }
    try tracking.press("text:n", "text:@AC")
    let known = ["› @acme project", "@Acme Corp project", "@Big Acme project"]
    #expect(tracking.suggestions == known + ["@AC new project"])
    try tracking.press("text:me")
    #expect(tracking.suggestions == known)
    try tracking.press("ctrl-n", "ctrl-n", "right")
    #expect(tracking.form?.project.text == "Big Acme")
    #expect(tracking.form?.description.text == "")
    try tracking.press("tab", "ctrl-u", "text:corp ac", "right")
    #expect(tracking.form?.project.text == "Acme Corp")
    // The word before the cursor is meant, not one after it.
    try tracking.press("backtab", "text:a @ot b", "left", "left", "right")
    #expect(tracking.form?.description.text == "a b")
    #expect(tracking.form?.project.text == "other")
    try tracking.press("ctrl-n")
    #expect(tracking.notice == .unknownKey("ctrl-n"))
  }

  @Test func `names are suggested in either form of their letters`() throws {
    for (known, typed) in [("caf\u{E9}s", "Cafe\u{301}"), ("cafe\u{301}s", "Caf\u{E9}")] {
      var tracking = try Tracking()
      try tracking.perform(.tag(.create(Tag(name: Name("big \(known)")))))
      try tracking.press("text:n", "text:#\(typed)")
      #expect(tracking.suggestions == ["› #big \(known) tag", "#\(typed) new tag"])
      // The whole name is no new one.
      try tracking.perform(.tag(.create(Tag(name: Name(known)))))
      try tracking.press("text:s")
      #expect(tracking.suggestions == ["› #\(known) tag", "#big \(known) tag"])
    }
  }

  @Test func `right moves the cursor where there is nothing to accept`() throws {
    var tracking = try Tracking()
    try tracking.press("text:n", "text:ab", "left", "left", "right")
    #expect(tracking.form?.description.cursor == 1)
  }

  @Test func `names are completed in their own fields`() throws {
    var tracking = try Tracking()
    try tracking.perform(.project(.create(Project(name: Name("Acme Corp")))))
    try tracking.perform(.tag(.create(Tag(name: Name("billing")))))
    try tracking.press("text:n", "tab", "text:ac", "right", "tab", "text:x, bi", "right")
    #expect(tracking.form?.project.text == "Acme Corp")
    #expect(tracking.form?.tags.text == "x, billing")
  }

  @Test(arguments: [
    ("1.5", 5_400), ("1h30m", 5_400), ("90m", 5_400), ("1h", 3_600), ("1:30", 5_400),
  ])
  func `a duration is read as people write it`(text: String, seconds: Int) throws {
    var tracking = try Tracking()
    try tracking.press("text:n", "backtab", "backtab", "text:\(text)", "enter")
    #expect(tracking.entry(0)?.duration == .seconds(Int64(seconds)))
    #expect(tracking.entry(0)?.end == tracking.now)
  }

  @Test func `a duration without a start counts back on instants`() throws {
    var tracking = try Tracking()
    tracking.rules = try ZoneFiles.load("Europe/Berlin")
    tracking.store = .init(
      state: tracking.store.state, clock: VirtualClock(at: Self.afterChange))
    try tracking.press("text:n", "backtab", "backtab", "text:4:00", "enter")
    let entry = try #require(tracking.entry(0))
    #expect(entry.duration == .seconds(4 * 3_600))
    // 03:30 by winter time less 4 hours is 00:30 by summer time.
    #expect(entry.zone == RecordedZone(id: "Europe/Berlin", offsetSeconds: 7_200))
    #expect(entry.localStart.description == "2026-10-25 00:30:00")
  }

  @Test func `a start that clocks show twice is asked for, with both offsets`() throws {
    var tracking = try Tracking()
    tracking.rules = try ZoneFiles.load("Europe/Berlin")
    tracking.store = .init(
      state: tracking.store.state, clock: VirtualClock(at: Self.afterChange))
    try tracking.press("text:n", "tab", "tab", "tab", "text:2:30", "enter")
    #expect(tracking.entries.isEmpty)
    #expect(tracking.text.contains("Clocks showed 2026-10-25 02:30:00 twice."))
    try tracking.press("text: +01:00", "enter")
    #expect(tracking.entry(0)?.start == Self.afterChange.adding(.seconds(-3_600)))
    #expect(tracking.entry(0)?.zone.offsetSeconds == 3_600)
  }

  @Test(arguments: ["25:00", "1.5.5", "soon", "-1:00"])
  func `an unreadable field gets a message, and nothing is sent`(text: String) throws {
    var tracking = try Tracking()
    try tracking.press("text:n", "backtab", "backtab", "backtab", "text:\(text)", "enter")
    #expect(tracking.commands.count == 1)
    #expect(tracking.form != nil)
    guard case .obstacle = tracking.notice else { return #expect(Bool(false), "no notice") }
  }

  // MARK: Remarks

  @Test func `a new name is said before and after it is made, with a similar one`() throws {
    var tracking = try Tracking()
    try tracking.perform(.project(.create(Project(name: Name("Website")))))
    tracking.wait(.seconds(60))
    try tracking.press("text:n", "text:design @Websit #x")
    let note = "Websit is a new project, similar to Website"
    #expect(tracking.lines.contains("note: \(note)"), "\(tracking.text)")
    #expect(tracking.lines.contains("note: x is a new tag"))
    try tracking.press("enter", "enter")
    #expect(tracking.text.contains("Saved: \(note); x is a new tag."))
    #expect(tracking.replayedLines == tracking.lines)
    // At the same moment, the names are known to another entry.
    try tracking.press("text:n", "text:build @Websit #x", "enter")
    #expect(!tracking.text.contains("Saved:") && tracking.entry(1)?.description == "build")
    // In the form of an entry, too.
    try tracking.press("text:e", "tab", "ctrl-u", "text:Webside")
    #expect(tracking.lines.contains("note: Webside is a new project, similar to Website"))
    try tracking.press("enter", "enter")
    #expect(tracking.text.contains("Saved: Webside is a new project, similar to Website."))
    tracking.wait(.seconds(1))
    try tracking.press("text:n", "text:a @website #X")
    #expect(!tracking.text.contains("is a new"))
    try tracking.press("enter")
    #expect(tracking.lines[3] == "" && tracking.entry(2)?.project == ProjectID(value: 0))
  }

  @Test func `a new task is said, and one that its project has is not`() throws {
    var tracking = try Tracking()
    try tracking.perform(.project(.create(Project(name: Name("web")))))
    try tracking.perform(
      .task(.create(ProjectTask(name: Name("coding"), project: ProjectID(value: 0)))))
    tracking.wait(.seconds(1))
    try tracking.press("text:n", "text:a @web/Coding")
    #expect(!tracking.text.contains("note: "))
    try tracking.press("ctrl-u", "text:a @web/codng", "enter", "enter")
    #expect(tracking.text.contains("Saved: codng is a new task, similar to coding."))
  }

  @Test func `a time that was read as text is said in the form`() throws {
    var tracking = try Tracking()
    let note = "note: 15m was read as text; write a time before the description"
    try tracking.press("text:n", "text:15m quick")
    #expect(tracking.lines.contains(note))
    tracking.size.columns = 40
    #expect(tracking.text.contains("note: 15m was read as text; write a time\n  before"))
    tracking.size.columns = 80
    // After a time, it is what the entry is about.
    try tracking.press("tab", "tab", "tab", "text:8:00")
    #expect(!tracking.text.contains("note: "))
    try tracking.press("ctrl-u", "backtab", "backtab", "backtab", "ctrl-u")
    try tracking.press("text:8:00 - 8:30 15m quick")
    #expect(!tracking.text.contains("note: "))
    #expect(tracking.lines.contains("  Duration    0:30:00"))
    try tracking.press("enter")
    #expect(tracking.entry(0)?.description == "15m quick")
  }

  // MARK: Policy

  /// A scene at noon with "a" running since 9:00.
  private static func noon() throws -> Tracking {
    var tracking = try Tracking()
    try tracking.press("text:n", "text:a", "enter")
    tracking.wait(.seconds(3 * 3_600))
    return tracking
  }

  @Test func `a start before the running entry is refused, with what adjusting does`()
    throws
  {
    var tracking = try Self.noon()
    try tracking.press("text:n", "text:b", "tab", "tab", "tab", "text:8:00", "enter")
    #expect(tracking.entries.count == 1)
    #expect(tracking.entry(0)?.isRunning == true)
    #expect(tracking.text.contains("! It overlaps \"a\"."))
    #expect(tracking.text.contains("Adjusting: \"a\" is deleted."))
    // Another entry runs, so ctrl-o is no way out.
    let hints = "ctrl-x: adjust, delete  escape: back"
    #expect(tracking.lines.last == hints)
    // Enter, pressed twice by habit, deletes nothing.
    try tracking.press("enter")
    #expect(tracking.entry(0)?.isRunning == true && tracking.entries.count == 1)
    #expect(tracking.text.contains("! Adjusting deletes an entry. Press ctrl-x for that, or"))
    #expect(tracking.lines.last == hints)
    try tracking.press("escape")
    #expect(tracking.question == nil)
    #expect(tracking.form?.start.text == "8:00")
    try tracking.press("ctrl-u", "text:10:00", "enter")
    #expect(tracking.entry(0)?.duration == .seconds(3_600))
    #expect(tracking.entry(1)?.isRunning == true)
  }

  @Test func `a second enter adjusts, and leaves the form`() throws {
    var tracking = try Self.noon()
    try tracking.press(
      "text:n", "text:b", "tab", "tab", "tab", "text:8:00", "tab", "text:9:30", "enter")
    #expect(tracking.text.contains("Adjusting: \"a\" begins at 09:30."))
    #expect(tracking.lines.last == "enter: adjust  ctrl-o: record as it is  escape: back")
    try tracking.press("enter")
    #expect(tracking.entry(0)?.start == Tracking.morning.adding(.seconds(1_800)))
    #expect(tracking.entry(1)?.duration == .seconds(5_400))
    #expect(tracking.timer != nil)
    #expect(tracking.question == nil)
  }

  @Test func `a future start is refused, and recorded if the user says so`() throws {
    var tracking = try Self.noon()
    try tracking.press("text:n", "text:c", "tab", "tab", "tab", "text:12:30", "enter")
    #expect(tracking.entry(0)?.isRunning == true)
    #expect(tracking.entries.count == 1)
    #expect(tracking.text.contains("! It would begin or end in the future"))
    try tracking.press("enter")
    #expect(tracking.entries.count == 1)
    #expect(tracking.text.contains("No other entry can change that."))
    try tracking.press("ctrl-o")
    #expect(tracking.entry(1)?.start == tracking.now.adding(.seconds(1_800)))
  }

  @Test func `an overlap that is recorded with a future entry is said, too`() throws {
    var tracking = try Tracking()
    try tracking.press("text:n", "text:7:30 - 8:30 mail", "enter")
    try tracking.press("text:n", "text:8:00 - 9:30 plan", "enter")
    #expect(tracking.text.contains("! It would begin or end in the future, at 2026-11-23 09:30."))
    #expect(tracking.text.contains("! It overlaps \"mail\"."))
    try tracking.press("escape", "ctrl-u", "text:8:30 - 9:30 plan", "enter")
    #expect(tracking.question != nil && !tracking.text.contains("It overlaps"))
  }

  @Test func `an entry that cannot be recorded as it is says why`() throws {
    var tracking = try Tracking()
    try tracking.press("text:n", "text:a", "enter")
    try tracking.press("text:n", "text:b", "tab", "tab", "tab", "text:8:00", "enter")
    #expect(tracking.question != nil && tracking.text.contains("Adjusting: \"a\" is deleted."))
    #expect(tracking.lines.last == "ctrl-x: adjust, delete  escape: back")
    try tracking.press("ctrl-o")
    #expect(tracking.entries.map(\.description) == ["a"] && tracking.form != nil)
    #expect(tracking.question == nil)
    #expect(tracking.notice == .refused(.entry(.anotherRuns(TimeEntryID(value: 0)))))
    try tracking.press("enter", "ctrl-x")
    #expect(tracking.entries.map(\.description) == ["b"])
    #expect(tracking.timer != nil && tracking.question == nil)
  }

  @Test func `entries of one text are told apart by their times`() throws {
    var tracking = try Tracking()
    for start in ["7:00", "8:00"] {
      try tracking.press("text:n", "text:\(start) for 30min call", "enter")
    }
    try tracking.press("text:n", "text:6:30 - 8:45 long", "enter")
    let (first, second) = (
      "#0 \"call\" (2026-11-23 07:00 - 07:30)", "#1 \"call\" (2026-11-23 08:00 - 08:30)"
    )
    tracking.size.columns = 200
    #expect(tracking.lines.contains("! It overlaps \(first), \(second)."))
    for name in [first, second] {
      #expect(tracking.lines.contains("  Adjusting: \(name) is deleted."))
    }
    #expect(tracking.lines.contains("  Adjusting deletes 2 entries."))
    // A low screen has each change in one row.
    let size = tracking.size
    tracking.size = Screen.Size(columns: 40, rows: 12)
    #expect(tracking.lines.contains("  Adjusting deletes 2 entries."))
    for name in ["#0 \"call\" (2026-11-23 07:0…", "#1 \"call\" (2026-11-23 08:0…"] {
      #expect(tracking.lines.contains("  Adjusting: \(name)"))
    }
    #expect(tracking.lines.last == "ctrl-x: adjust, delete  escape: back  …")
    tracking.size = size
    try tracking.press("enter")
    #expect(tracking.text.contains("! Adjusting deletes 2 entries. Press ctrl-x for that"))
    #expect(tracking.entries.count == 2)
    try tracking.press("ctrl-x")
    #expect(tracking.entries.map(\.description) == ["long"] && tracking.timer != nil)
  }

  @Test func `a time in a refusal is what clocks show`() throws {
    var tracking = try Tracking()
    tracking.rules = try ZoneFiles.load("Europe/Berlin")
    try tracking.press("text:n", "tab", "tab", "tab", "text:23:00", "enter")
    #expect(tracking.text.contains("in the future, at 2026-11-23 23:00."))
    try tracking.press("escape", "ctrl-u", "text:9:00", "tab", "text:9:30", "enter")
    try tracking.press("down", "text:e")
    try tracking.press("tab", "tab", "tab", "tab", "ctrl-u", "text:23:05:10", "enter")
    #expect(tracking.text.contains("in the future, at 2026-11-23 23:05:10."))
  }

  @Test func `an entry inside another one splits it, as the preview says`() throws {
    var tracking = try Self.noon()
    try tracking.press("text:s", "text:n", "text:b", "tab", "tab", "tab", "text:10:00", "tab")
    try tracking.press("text:11:00", "enter")
    #expect(tracking.text.contains("Adjusting: \"a\" ends at 10:00."))
    #expect(tracking.text.contains("Adjusting: \"a\" goes on at 11:00."))
    try tracking.press("enter")
    #expect(tracking.entries.count == 3)
    #expect(tracking.entries.allSatisfy { $0.duration == .seconds(3_600) })
  }

  @Test func `any other key after a question goes to the form, and ends the question`() throws {
    var tracking = try Self.noon()
    try tracking.press("text:n", "tab", "tab", "tab", "text:8:00", "enter", "text:1")
    #expect(tracking.question == nil)
    #expect(tracking.form?.start.text == "8:001")
  }

  @Test func `the preferred policy of the user is taken`() throws {
    var tracking = try Self.noon()
    var set = PreferenceSet(user: tracking.user)
    set.policy = .adjust
    try tracking.perform(.preferences(.create(set)))
    try tracking.press("text:n", "tab", "tab", "tab", "text:8:00", "enter")
    #expect(tracking.question == nil)
    #expect(tracking.entry(0)?.deleted != nil)
  }
}
