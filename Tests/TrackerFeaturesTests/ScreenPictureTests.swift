import Foundation
import RetraceArchitecture
import RetraceScreen
import RetraceState
import Testing
import TimeTracking
import ToolTestSupport
import TrackerFeatures

/// Every screen as text at four sizes, which are compared with the files in `Golden`.
@Suite struct ScreenPictureTests {
  private static let sizes = [(20, 5), (40, 12), (80, 24), (120, 40)].map {
    Screen.Size(columns: $0.0, rows: $0.1)
  }

  private static let golden = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Golden")

  /// Texts that could move the cursor, forge a line, reorder a row, or be too wide.
  private static let hostile = [
    "clear \u{1B}[2J\u{1B}]52;c;aGk=\u{7}", "bidi \u{202E}gnp.exe\u{2066} \u{200B}end",
    "line\nfeed\ttab\r\u{0}", "日本語の授業 한국어 👩‍👩‍👧 e\u{301}\u{301}", "long " + text(65_000),
    "C1 \u{9B}31m\u{9C} \u{FEFF}\u{E0041}",
  ]

  private static func text(_ bytes: Int) -> String {
    String(repeating: "0123456789", count: bytes / 10)
  }

  /// Expects the scene to look as its file says, and to show nothing that a terminal obeys.
  ///
  /// - Parameter listsColors: Whether the file lists the texts that have the color of a project.
  private static func expect(
    _ name: String, _ tracking: Tracking, listsColors: Bool = false,
    location: SourceLocation = #_sourceLocation
  ) throws {
    var (tracking, text) = (tracking, "")
    for size in sizes {
      tracking.size = size
      let screen = try #require(tracking.frame).screen
      #expect(screen.canvas.size == size, sourceLocation: location)
      #expect(tracking.replayedLines == tracking.lines, sourceLocation: location)
      for line in screen.canvas.lines {
        #expect(SafeText.line(line, bytesMax: .max) == line, sourceLocation: location)
        #expect(TextWidth.of(line) <= size.columns, sourceLocation: location)
      }
      text += "== \(size.columns)x\(size.rows)\n"
      text += PlainRenderer(size: size, showsCursor: true).text(of: screen)
      if listsColors { text += colors(in: screen.canvas) }
    }
    let file = golden.appendingPathComponent("\(name).txt")
    try expectGolden(text, in: file, location: location)
  }

  /// Returns the texts of exact colors, a line for each.
  private static func colors(in canvas: Canvas) -> String {
    var lines = ""
    for row in 0..<canvas.size.rows {
      var last: RGB?
      for column in 0..<canvas.size.columns {
        let cell = canvas[row: row, column: column]
        let color = cell.style.foreground.rgb
        if let color, color != last {
          lines += "\nrow \(row) \(color.red),\(color.green),\(color.blue) "
        }
        if color != nil { lines += canvas.text(of: cell) }
        last = color
      }
    }
    return lines.isEmpty ? "" : lines.dropFirst() + "\n"
  }

  /// Adds entries, one each hour, the last of which ended an hour ago.
  private static func tracking(_ texts: [String]) throws -> Tracking {
    var tracking = try Tracking()
    for (number, text) in texts.enumerated() {
      let start = tracking.now.adding(.seconds(Int64(number - texts.count) * 3_600 - 1_800))
      var draft = TimeEntryDraft(user: .id(tracking.user), description: text, zone: .utc)
      if number % 3 == 0 {
        draft.project = .name(Name("Thesis"))
        draft.tags = [.name(Name("deep work"))]
        draft.isBillable = number % 2 == 0
      }
      let end = start.adding(.seconds(Int64(number % 5 + 1) * 600))
      try tracking.perform(.entry(.add(draft, start: start, end: end, policy: .allow)))
    }
    tracking.wait(.seconds(120))
    return tracking
  }

  private static var tasks: [String] { (0..<50).map { "write part \($0) of the report" } }

  // MARK: Timer

  @Test func `the timer of a user without entries`() throws {
    try Self.expect("timer-empty", Tracking())
  }

  @Test func `the timer with more entries than rows, one of which is selected`() throws {
    var tracking = try Self.tracking(Self.tasks)
    try tracking.press("down", "down")
    try Self.expect("timer", tracking)
  }

  @Test func `the timer with a closed and an open group`() throws {
    let texts = (0..<40).map { ["mail", "plan the next week", "standup", "mail"][$0 % 4] }
    var tracking = try Self.tracking(texts)
    try tracking.press("down", "down", "right")
    try Self.expect("timer-groups", tracking)
  }

  @Test func `the timer after a deletion that can be taken back [M6]`() throws {
    var tracking = try Self.tracking(["call", "mail", "mail", "standup", "mail", "plan"])
    try tracking.press("down", "down", "text:d")
    tracking.wait(.milliseconds(1_300))
    try Self.expect("timer-offer", tracking)
  }

  @Test func `the timer with suggestions, and with none [M12]`() throws {
    let texts = (0..<30).map { ["mail", "plan the next week", "standup", "mail", "call"][$0 % 5] }
    var tracking = try Self.tracking(texts)
    try tracking.press("text:f")
    try Self.expect("timer-suggestions", tracking)
    tracking = try Self.tracking(Self.hostile)
    try tracking.press("text:f", "down")
    try Self.expect("timer-suggestions-hostile", tracking)
    tracking = try Tracking()
    try tracking.press("text:f")
    try Self.expect("timer-suggestions-empty", tracking)
  }

  @Test func `the timer with the colors of projects`() throws {
    var tracking = try Tracking()
    for (number, name) in ["website", "shop", "日本語", "black"].enumerated() {
      var project = Project(name: Name(name))
      project.color = [0x0b_83d9, 0x9e_5bd9, 0xd9_4182, 0][number]
      try tracking.perform(.project(.create(project)))
    }
    for number in 0..<8 {
      let start = tracking.now.adding(.seconds(Int64(number - 8) * 3_600))
      var draft = TimeEntryDraft(
        user: .id(tracking.user), description: ["design", "write"][number % 2], zone: .utc)
      draft.project = .id(ProjectID(value: Int64(number % 4)))
      draft.tags = [.name(Name("focus"))]
      let end = start.adding(.seconds(1_800))
      try tracking.perform(.entry(.add(draft, start: start, end: end, policy: .refuse)))
    }
    tracking.wait(.seconds(120))
    try tracking.press("down", "down")
    try Self.expect("timer-colors", tracking, listsColors: true)
  }

  @Test func `the oldest entries, which are of other years [M8]`() throws {
    var tracking = try Self.tracking(Array(Self.tasks.prefix(4)))
    for number in 0..<60 {
      let start = tracking.now.adding(.seconds(Int64(number / 3 - 900) * 86_400))
      let draft = TimeEntryDraft(
        user: .id(tracking.user), description: "chapter \(number / 6)", zone: .utc)
      let from = start.adding(.seconds(Int64(number % 3) * 7_200))
      try tracking.perform(
        .entry(.add(draft, start: from, end: from.adding(.seconds(3_000)), policy: .refuse)))
    }
    tracking.wait(.seconds(120))
    try tracking.press("end", "up")
    try Self.expect("timer-old", tracking)
  }

  @Test func `the timer with texts that could harm a terminal`() throws {
    var tracking = try Self.tracking(Self.hostile + Self.hostile.map { "  \($0)" })
    let draft = TimeEntryDraft(
      user: .id(tracking.user), description: Self.hostile.joined(), zone: .utc)
    try tracking.perform(.entry(.start(draft, at: nil, policy: .refuse)))
    tracking.wait(.seconds(3_723))
    try tracking.press("down", "down", "down")
    try Self.expect("timer-hostile", tracking)
  }

  @Test func `the timer of a planned entry`() throws {
    var tracking = try Self.tracking(["mail"])
    let draft = TimeEntryDraft(user: .id(tracking.user), description: "exam", zone: .utc)
    let start = tracking.now.adding(.seconds(86_400))
    try tracking.perform(.entry(.start(draft, at: start, policy: .allow)))
    try Self.expect("timer-planned", tracking)
  }

  @Test func `the timer with a filter, one that cannot be read, and one that matches nothing`()
    throws
  {
    var tracking = try Self.tracking(Self.tasks + Self.hostile)
    try tracking.press("text:/", "text:write part #\"deep work\"", "enter", "down")
    try Self.expect("timer-filter", tracking)
    try tracking.press("text:/", "ctrl-u", "text:@\u{202E}Thesiss (")
    try Self.expect("timer-filter-problem", tracking)
    try tracking.press("ctrl-u", "text:nothing like that")
    try Self.expect("timer-filter-empty", tracking)
  }

  // MARK: Palette and history

  @Test func `the command palette, empty and with words`() throws {
    var tracking = try Self.tracking(Self.tasks + Self.hostile)
    for name in Self.hostile.map({ String($0.prefix(300)) }) {
      try tracking.perform(.project(.create(Project(name: Name("report \(name)")))))
    }
    try tracking.press("text::", "down")
    try Self.expect("palette", tracking)
    try tracking.press("text:report", "down", "down")
    try Self.expect("palette-words", tracking)
    try tracking.press("text: \(Self.hostile[1])")
    try Self.expect("palette-empty", tracking)
  }

  @Test func `the history of changes, with one in full that is to be undone`() throws {
    var log = try HistoryScreenTests.PagedLog(40)
    for (number, text) in Self.hostile.enumerated() {
      log.changes[number].lines[0].text = String(text.prefix(2_000))
      log.changes[number].fields = [
        HistoryChange.Field(entity: "entry #3", name: "description", before: "mail", after: "post")
      ]
    }
    (log.changes[2].isUndone, log.changes[2].mark) = (true, "undone")
    log.changes[3].remark = "fixed clock, recorded at 2026-11-23T09:00:00Z"
    log.read()
    try log.press("down", "down")
    try Self.expectHistory("history", log)
    log.plan = [
      HistoryPage.Line("It opens a closed period again: 2026-10 for all.", isWarning: true),
      HistoryPage.Line("#3 keeps its description, because it was changed since.", isWarning: true),
    ]
    log.plan += Self.hostile.map { HistoryPage.Line("changed \($0)", isWarning: false) }
    try log.press("up", "enter", "text:z")
    try Self.expectHistory("history-question", log)
  }

  /// Expects the history to look as its file says at each size, for which a page is read.
  private static func expectHistory(_ name: String, _ log: HistoryScreenTests.PagedLog) throws {
    var (log, text) = (log, "")
    for size in sizes {
      log.tracking.size = size
      log.read()
      let screen = try #require(log.tracking.frame).screen
      for line in screen.canvas.lines {
        #expect(SafeText.line(line, bytesMax: .max) == line)
        #expect(TextWidth.of(line) <= size.columns)
      }
      text += "== \(size.columns)x\(size.rows)\n"
      text += PlainRenderer(size: size, showsCursor: true).text(of: screen)
    }
    try expectGolden(text, in: golden.appendingPathComponent("\(name).txt"))
  }

  // MARK: Form

  @Test func `the form of a new entry, with its suggestions and remarks`() throws {
    var tracking = try Self.tracking(Array(Self.tasks.prefix(4)))
    try tracking.press("text:n")
    try Self.expect("form-new", tracking)
    for name in ["Thesis defence", "Theater"] {
      try tracking.perform(.project(.create(Project(name: Name(name)))))
    }
    try tracking.press("text:8:00 - 8:30 read #new @the", "ctrl-n")
    try Self.expect("form-completion", tracking)
  }

  @Test func `the form of an entry, with times that follow and a change by another`() throws {
    var tracking = try Self.tracking(["mail", "plan"])
    try tracking.press("down", "text:e", "tab", "tab", "tab", "ctrl-u", "text:6:00")
    try Self.expect("form-edit", tracking)
    let id = try #require(tracking.form?.entry)
    var correction = TimeEntryCorrection()
    correction.changes.description = Change(from: "plan", to: "plan of another")
    try tracking.perform(.entry(.correct(id, correction, policy: .refuse, reason: nil)))
    try tracking.press("tab", "tab", "tab")
    try Self.expect("form-changed", tracking)
  }

  @Test func `the form of a new entry offers the draft that was kept last`() throws {
    var tracking = try Self.tracking(Array(Self.tasks.prefix(2)))
    try tracking.press("text:n", "text:\(Self.hostile[0]) design @Thesis", "escape")
    try Self.expect("timer-kept", tracking)
    tracking.wait(.seconds(7_500))
    try tracking.press("text:n")
    try Self.expect("form-draft", tracking)
  }

  @Test func `the form with earlier entries, one of which is chosen`() throws {
    var tracking = try Self.tracking(Array(Self.tasks.prefix(7)))
    try tracking.press("text:n", "text:write the", "down", "down")
    try Self.expect("form-list", tracking)
  }

  @Test func `the form of a group, with a name that is asked about`() throws {
    var tracking = try Self.tracking(["plan", "mail", "standup", "lunch", "mail", "call"])
    try tracking.press("down", "down", "text:e")
    try Self.expect("form-group", tracking)
    try tracking.press("tab", "ctrl-u", "text:Thesi", "escape", "enter")
    try Self.expect("form-question", tracking)
  }

  @Test func `the form with times that cannot be`() throws {
    var tracking = try Self.tracking(["mail", "plan"])
    try tracking.press("down", "text:e", "tab", "tab", "tab", "ctrl-u", "text:8:50")
    try tracking.press("backtab", "backtab", "backtab", "enter")
    try Self.expect("form-problem", tracking)
  }

  @Test func `the suggestions with texts that could harm a terminal`() throws {
    var tracking = try Self.tracking(Self.hostile.map { "work \($0)" })
    for text in Self.hostile {
      let name = Name("work \(text.prefix(400))")
      try tracking.perform(.project(.create(Project(name: name))))
      try tracking.perform(.tag(.create(Tag(name: name))))
    }
    try tracking.press("text:n", "text:work", "down")
    try Self.expect("form-list-hostile", tracking)
    try tracking.press("ctrl-u", "text:@work", "ctrl-n")
    try Self.expect("form-names-hostile", tracking)
    try tracking.press("right", "text:#work", "right")
    #expect(tracking.form?.tags.text.isEmpty == false)
  }

  @Test func `the form with texts that could harm a terminal`() throws {
    var tracking = try Tracking()
    try tracking.press("text:n")
    let form = try #require(tracking.stack?.topID)
    let texts = [Self.text(100_000)] + Self.hostile
    for (field, text) in zip(EditorField.allCases, texts) where field != .billable {
      let edit = TextReplacement(start: 0, end: 0, text: text, cursor: Int64(text.utf8.count))
      try tracking.send(
        .scene(tracking.scene, .screen(form, .entryEditor(.edited(field, edit)))))
    }
    try tracking.send(.scene(tracking.scene, .screen(form, .entryEditor(.focused(.tags)))))
    try Self.expect("form-hostile", tracking)
  }

  // MARK: Reports

  @Test func `a report with bars, and one with texts that could harm a terminal`() throws {
    var tracking = try Self.tracking(Self.tasks + Self.hostile)
    try tracking.press("text:r", "down")
    try Self.expect("report", tracking)
    try tracking.press("text:m", "text:g", "text:g", "text:g", "text:b")
    try Self.expect("report-hostile", tracking)
    try tracking.press("text:r", "text:" + Self.hostile[0] + "last month")
    try Self.expect("report-range", tracking)
    try tracking.press("escape", "text:/", "text:#deep and \(Self.hostile[1])")
    try Self.expect("report-filter", tracking)
    try tracking.press("ctrl-u", "text:#\"deep work\" and not 日本語", "enter", "text:s")
    try Self.expect("report-file", tracking)
    try tracking.press("escape", "text:?")
    try Self.expect("help-report", tracking)
  }

  // MARK: Users

  @Test func `the users, one of which is selected, and a name that is new`() throws {
    var tracking = try Tracking(user: nil)
    try Self.expect("users-empty", tracking)
    for name in ["Émile", "anna", "日本語"] + (10..<40).map({ "user \($0)" }) + Self.hostile {
      try tracking.perform(.user(.create(User(name: Name(name)))))
    }
    try tracking.press("down", "page-down")
    try Self.expect("users", tracking)
    try tracking.press("text:an\u{1B}nie " + Self.text(100_000))
    try Self.expect("users-new", tracking)
  }

  // MARK: Onboarding

  @Test func `the first screen, and the forms of an account [M16]`() throws {
    var tracking = try Tracking(user: nil)
    func show(_ route: TrackerRoute) throws {
      try tracking.send(.scene(tracking.scene, .wentTo([route])))
    }
    try show(.welcome(WelcomeRoute(name: Name("anna"))))
    try Self.expect("welcome", tracking)
    try show(.welcome(WelcomeRoute(name: Name(Self.hostile.joined()))))
    try Self.expect("welcome-hostile", tracking)
    try tracking.press("text:e", "text:ann@example.org")
    try Self.expect("login-local", tracking)
    var form = AccountRoute(.signUp, needsPassword: true)
    form.email = TextDraft(Self.hostile.joined())
    form.progress = .failed(.told(Self.hostile.joined()))
    try show(.account(form))
    try Self.expect("sign-up-hostile", tracking)
    form = AccountRoute(.login, needsPassword: true)
    form.email = TextDraft("ann@example.org")
    form.progress = .asking
    try show(.account(form))
    try Self.expect("login-asking", tracking)
    form.progress = .failed(.oneMoreTry)
    try show(.account(form))
    try Self.expect("login-failed", tracking)
    try tracking.press("ctrl-f")
    try Self.expect("password-reset", tracking)
  }

  // MARK: Lists

  /// Makes projects of two clients, one of them archived, with a tag, tasks and a goal.
  private static func lists(_ names: [String]) throws -> Tracking {
    var tracking = try Tracking()
    for name in ["ACME", "Big Bank"] + hostile {
      try tracking.perform(.client(.create(Client(name: Name(name)))))
    }
    for (number, name) in names.enumerated() {
      var project = Project(name: Name(name))
      project.client = number % 3 == 0 ? nil : ClientID(value: Int64(number % 3 - 1))
      project.color = Project.colors[number % Project.colors.count]
      if number % 2 == 0 { project.rate = Int64(number) * 1_000 + 50 }
      project.isBillable = number % 2 == 0
      project.isArchived = number == 4
      if number % 5 == 1 { project.estimate = .seconds(Int64(number) * 36_000) }
      try tracking.perform(.project(.create(project)))
      try tracking.perform(.tag(.create(Tag(name: Name(name)))))
      let task = ProjectTask(name: Name(name), project: ProjectID(value: Int64(number)))
      try tracking.perform(.task(.create(task)))
    }
    return tracking
  }

  @Test func `the list of projects, one of which is selected and two are marked`() throws {
    let names =
      ["website", "shop", "web", "mail", "old page", "thesis"] + (10..<40).map { "p\($0)" }
    var tracking = try Self.lists(names)
    try tracking.press("text:p", "text:A", "end", "text: ", "up", "text: ", "up")
    try Self.expect("lists", tracking)
    try tracking.press("text:m")
    try Self.expect("lists-merge", tracking)
    try tracking.press("escape", "escape", "text:/", "text:we", "down")
    try Self.expect("lists-search", tracking)
  }

  @Test func `the lists of names that could harm a terminal`() throws {
    var tracking = try Self.lists(Self.hostile.map { String($0.prefix(300)) })
    try tracking.press("text:p", "down", "text: ", "down", "text:m")
    try Self.expect("lists-hostile", tracking)
    try tracking.press("escape", "tab", "tab", "tab", "text:n")
    try tracking.press("text:a\u{1B}[2J\u{202E}" + Self.text(100_000))
    try Self.expect("lists-hostile-name", tracking)
  }

  @Test func `the goals with their progress`() throws {
    var tracking = try Self.tracking(Self.tasks)
    try tracking.press("text:p", "tab", "tab", "tab", "tab")
    try Self.expect("lists-goals-empty", tracking)
    for text in ["mail at most 1h each day", "a good week 32h", "month 100h month"] {
      try tracking.press("text:n", "text:\(text)", "enter")
    }
    try tracking.press("down")
    try Self.expect("lists-goals", tracking)
  }

  @Test func `the form of a project, with a taken name and a color`() throws {
    var tracking = try Self.lists(["website", "shop"])
    try tracking.press("text:p", "text:n", "text:Website", "tab", "text:b")
    try Self.expect("project-new", tracking)
    try tracking.press("escape", "down", "enter", "backtab", "backtab")
    try Self.expect("project-edit", tracking)
  }

  @Test func `the form of a project with texts that could harm a terminal`() throws {
    var tracking = try Tracking()
    try tracking.press("text:p", "text:n")
    let form = try #require(tracking.stack?.topID)
    for (field, text) in zip(ProjectField.allCases, [Self.text(100_000)] + Self.hostile)
    where field != .billable {
      let edit = TextReplacement(start: 0, end: 0, text: text, cursor: Int64(text.utf8.count))
      try tracking.send(
        .scene(tracking.scene, .screen(form, .projectForm(.edited(field, edit)))))
    }
    try tracking.send(.scene(tracking.scene, .screen(form, .projectForm(.focused(.client)))))
    try Self.expect("project-hostile", tracking)
  }

  // MARK: Settings

  @Test func `the settings, with a set value, an open list, a wrong text and a question`() throws {
    var tracking = try Self.tracking(["mail"])
    try tracking.perform(.workspace(.create(Workspace(name: Name(Self.hostile[0])))))
    try tracking.press("text:S", "tab", "down", "down", "down", "right", "enter", "down")
    try Self.expect("settings-choices", tracking)
    try tracking.press("enter")
    try Self.expect("settings", tracking)
    try tracking.press("tab", "enter", "text:1000h")
    try Self.expect("settings-problem", tracking)
    try tracking.press("escape", "end", "enter")
    try Self.expect("settings-question", tracking)
  }

  @Test func `the settings with texts that could harm a terminal`() throws {
    var tracking = try Tracking()
    for text in Self.hostile {
      try tracking.perform(
        .workspace(.create(Workspace(name: Name(String(text.prefix(300)))))))
    }
    try tracking.press("text:S", "down", "down", "enter", "down", "down")
    try Self.expect("settings-hostile", tracking)
    try tracking.press("escape", "up", "enter", "text:" + Self.hostile.joined(), "enter", "enter")
    try Self.expect("settings-hostile-text", tracking)
  }

  // MARK: Calendar

  @Test func `a day of the calendar, with events, a menu and times that are not saved`() throws {
    var tracking = try Self.tracking(["mail", "plan", "standup", "call"])
    let draft = TimeEntryDraft(user: .id(tracking.user), description: "design", zone: .utc)
    try tracking.perform(
      .entry(.start(draft, at: tracking.now.adding(.seconds(-1_500)), policy: .allow)))
    try Self.addEvents(["review", "breakfast"], &tracking)
    try tracking.press("text:c")
    try Self.expect("calendar", tracking)
    try tracking.press("tab", "tab", "text:m", "down")
    try Self.expect("calendar-menu", tracking)
    try tracking.press("escape", "escape", "home", "enter", "alt-down")
    try Self.expect("calendar-new", tracking)
  }

  @Test func `a week of the calendar, and one with texts that could harm a terminal`() throws {
    var tracking = try Self.tracking(Self.tasks)
    try Self.addEvents(Self.hostile, &tracking)
    try tracking.press("text:c", "text:w")
    try Self.expect("calendar-week", tracking)
    tracking = try Self.tracking(Self.hostile)
    try Self.addEvents(Self.hostile, &tracking)
    try tracking.press("text:c", "tab")
    try Self.expect("calendar-hostile", tracking)
    try tracking.press("text:g", "text:\u{1B}[2J\u{202E}" + Self.text(1_000))
    try Self.expect("calendar-day", tracking)
  }

  /// Adds events around the present, an hour apart, and one of the whole day.
  private static func addEvents(_ titles: [String], _ tracking: inout Tracking) throws {
    let day = tracking.now.adding(.seconds(-32_520))
    var events = titles.enumerated().map { number, title in
      let start = day.adding(.seconds(Int64(number) * 3_600 + 21_600))
      return SceneEvent(
        id: Int64(number), title: title, start: start, end: start.adding(.seconds(2_700)),
        isWholeDay: false)
    }
    events.append(
      SceneEvent(
        id: 99, title: titles[0], start: day, end: day.adding(.seconds(86_400)),
        isWholeDay: true))
    let changes = try #require(SceneEvents().changes(to: events, of: 0...0))
    try tracking.send(.scene(tracking.scene, .eventsRead(changes)))
  }

  // MARK: Over a screen

  @Test func `a refused entry, with what adjusting does`() throws {
    var tracking = try Self.tracking(["mail \u{1B}[2J", "plan", "a\nb"])
    try tracking.press("text:n", "text:6:00 - 8:45 long", "enter")
    #expect(tracking.question != nil)
    try Self.expect("question", tracking)
    try tracking.press("enter")
    try Self.expect("question-refused", tracking)
  }

  @Test(
    arguments: [
      ("forgotten", "design the start page"), ("forgotten-hostile", hostile.joined()),
    ])
  func `the questions about a running entry during which the machine slept`(
    name: String, description: String
  ) throws {
    var tracking = try Self.tracking(["mail", "plan"])
    let draft = TimeEntryDraft(user: .id(tracking.user), description: description, zone: .utc)
    try tracking.perform(.entry(.start(draft, at: nil, policy: .refuse)))
    let running = try #require(tracking.domain.runningEntry(of: tracking.user))
    let begin = tracking.now.adding(.seconds(600))
    let sleep = Forgotten.slept(running.id, from: begin, to: begin.adding(.seconds(4_500)))
    tracking.wait(.seconds(5_700))
    try tracking.send(.scene(tracking.scene, .forgot(sleep)))
    try Self.expect(name, tracking)
    let unseen = Forgotten.sleptFor(running.id, .seconds(4_500), until: tracking.now)
    try tracking.send(.scene(tracking.scene, .forgot(unseen)))
    try Self.expect("\(name)-unseen", tracking)
  }

  @Test func `the question whether the work goes on`() throws {
    var tracking = try Self.tracking(["mail", "plan"])
    var set = PreferenceSet(user: tracking.user)
    set.asksAfter = .seconds(36_000)
    try tracking.perform(.preferences(.create(set)))
    let draft = TimeEntryDraft(user: .id(tracking.user), description: "design", zone: .utc)
    try tracking.perform(.entry(.start(draft, at: nil, policy: .refuse)))
    tracking.wait(.seconds(36_001))
    try Self.expect("forgotten-long", tracking)
    try tracking.press("text:?")
    try Self.expect("help-forgotten", tracking)
  }

  @Test func `the lists of keys`() throws {
    var tracking = try Self.tracking(["mail"])
    try tracking.press("text:?")
    try Self.expect("help-timer", tracking)
    try tracking.press("text:?", "text:n", "text:?")
    try Self.expect("help-form", tracking)
    try tracking.press("escape", "escape", "text:p", "text:?")
    try Self.expect("help-lists", tracking)
    try tracking.press("text:?", "text:n", "text:?")
    try Self.expect("help-project", tracking)
    try tracking.press("escape", "escape", "escape", "text:S", "text:?")
    try Self.expect("help-settings", tracking)
    try tracking.press("escape", "escape", "escape", "text:c", "text:?")
    try Self.expect("help-calendar", tracking)
  }
}
