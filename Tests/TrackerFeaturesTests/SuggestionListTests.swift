import RetraceArchitecture
import RetraceAvro
import RetraceScreen
import RetraceState
import RetraceTesting
import Testing
import TimeTracking
import TrackerFeatures

/// The suggestions of the form.
@Suite struct SuggestionListTests {
  /// Adds ended entries, each a minute long, one an hour, the last of which ended an hour ago.
  private static func tracking(
    _ texts: [(description: String, project: String?, tags: [String])]
  ) throws -> Tracking {
    var tracking = try Tracking()
    for (number, text) in texts.enumerated() {
      var draft = TimeEntryDraft(
        user: .id(tracking.user), description: text.description, zone: .utc)
      draft.project = text.project.map { .name(Name($0)) }
      draft.tags = text.tags.map { .name(Name($0)) }
      let start = tracking.now.adding(.seconds(Int64(number - texts.count) * 3_600))
      try tracking.perform(
        .entry(.add(draft, start: start, end: start.adding(.seconds(60)), policy: .refuse)))
    }
    return tracking
  }

  private static func week() throws -> Tracking {
    try tracking([
      ("design the start page", "website", ["ui"]), ("design review", "shop", []),
      ("mail", nil, []), ("design the start page", "website", ["ui"]),
    ])
  }

  @Test func `earlier entries are offered once each, newest first, with their use [M10]`() throws {
    var tracking = try Self.week()
    try tracking.press("text:n", "text:desi")
    #expect(tracking.suggestions == ["design the start page @website #ui", "design review @shop"])
    #expect(tracking.text.contains("60 min ago") == false)
    #expect(tracking.lines.contains { $0.hasSuffix("  1 h ago, 2 times") })
    #expect(tracking.lines.contains { $0.hasSuffix("  3 h ago") })
    // Each word has to occur, in the text or in a name.
    try tracking.press("text: shop")
    #expect(tracking.suggestions == ["design review @shop"])
    try tracking.press("text: mail")
    #expect(tracking.suggestions == [])
    try tracking.press("ctrl-u")
    #expect(tracking.suggestions == [])
    #expect(tracking.replayedLines == tracking.lines)
  }

  @Test func `a project has its color in the list`() throws {
    var tracking = try Tracking()
    var project = Project(name: Name("web"))
    project.color = 0xd9_2b2b
    try tracking.perform(.project(.create(project)))
    var draft = TimeEntryDraft(user: .id(tracking.user), description: "mail", zone: .utc)
    draft.project = .id(ProjectID(value: 0))
    let start = tracking.now.adding(.seconds(-3_600))
    try tracking.perform(.entry(.add(draft, start: start, end: tracking.now, policy: .refuse)))
    try tracking.press("text:n", "text:ma")
    let canvas = try #require(tracking.frame).screen.canvas
    let row = try #require(canvas.lines.firstIndex { $0.hasPrefix("  mail @web") })
    #expect(canvas[row: row, column: 8].style.foreground == Color(rgb: 0xd9_2b2b))
    #expect(canvas[row: row, column: 3].style.foreground == .text)
  }

  @Test func `a task is said to be one, and is beside its project in the form`() throws {
    var tracking = try Self.week()
    try tracking.perform(
      .task(.create(ProjectTask(name: Name("layout"), project: ProjectID(value: 0)))))
    try tracking.press("text:n", "text:@layout")
    #expect(
      tracking.lines.contains { $0.contains("@website/layout  ") && $0.hasSuffix("  task") },
      "\(tracking.text)")
    try tracking.press("tab")
    #expect(tracking.lines.contains { $0.hasSuffix("website  / layout") }, "\(tracking.text)")
  }

  @Test func `enter saves what is typed, and takes over what was chosen with down [M10]`() throws {
    var tracking = try Self.week()
    try tracking.press("text:n", "text:desi", "enter")
    #expect(tracking.entry(4)?.description == "desi" && tracking.timer != nil)
    tracking.wait(.seconds(60))
    try tracking.press("text:n", "text:design", "down", "down")
    #expect(tracking.suggestions.last == "› design review @shop")
    try tracking.press("up", "enter")
    let form = try #require(tracking.form)
    #expect(form.description.text == "design the start page" && form.field == .description)
    #expect(form.project.text == "website" && form.tags.text == "ui")
    // The list stays closed until something is typed.
    #expect(tracking.suggestions == [])
    try tracking.press("enter")
    let entry = try #require(tracking.entry(5))
    #expect(entry.isRunning && entry.description == "design the start page")
    #expect(entry.project == tracking.entry(0)?.project && entry.tags == tracking.entry(0)?.tags)
  }

  @Test func `arrows walk through the list, then to the next field`() throws {
    var tracking = try Self.week()
    try tracking.press("text:n", "text:desi", "down", "down", "down")
    #expect(tracking.form?.field == .project && tracking.form?.choice == nil)
    try tracking.press("up", "down", "up")
    #expect(tracking.form?.choice == nil && tracking.form?.field == .description)
    try tracking.press("ctrl-n", "ctrl-n", "ctrl-n")
    #expect(tracking.form?.choice == 0)
    // Tab takes over what was chosen, and else goes on.
    try tracking.press("tab")
    #expect(tracking.form?.description.text == "design the start page")
    try tracking.press("ctrl-u", "text:desi", "tab")
    #expect(tracking.form?.field == .project && tracking.form?.description.text == "desi")
  }

  @Test func `right takes the first suggestion over, and escape closes the list`() throws {
    var tracking = try Self.week()
    try tracking.press("text:n", "text:desi", "escape")
    #expect(tracking.form != nil && tracking.suggestions == [])
    try tracking.press("text:g", "right")
    #expect(tracking.form?.description.text == "design the start page")
    try tracking.press("escape")
    #expect(tracking.form == nil)
  }

  @Test func `a click takes a suggestion over`() throws {
    var tracking = try Self.week()
    try tracking.press("text:n", "text:desi")
    let row = try #require(tracking.lines.firstIndex { $0.contains("design review") })
    try tracking.use(.pressed(.left), row: row, column: 10)
    #expect(tracking.form?.description.text == "design review")
    #expect(tracking.form?.project.text == "shop")
  }

  @Test func `the chosen suggestion is the same after a restart`() throws {
    var tracking = try Self.week()
    try tracking.press("text:n", "text:desi", "down", "down")
    let scene = try #require(tracking.store.state.scenes[tracking.scene])
    let bytes = scene.encoded()
    var reader = AvroReader(bytes.span)
    let read = try Scene(decoding: &reader)
    guard case .entryEditor(let form) = read.stack.top else { return #expect(Bool(false)) }
    #expect(form.choice == 1 && read == scene)
    #expect(tracking.freshLines == tracking.lines)
  }

  @Test func `times at the beginning stay, and are not searched for`() throws {
    var tracking = try Self.week()
    try tracking.press("text:n", "text:8:30 - 8:45 desi", "right")
    #expect(tracking.form?.description.text == "8:30 - 8:45 design the start page")
    try tracking.press("enter")
    #expect(tracking.entry(4)?.description == "design the start page")
    #expect(tracking.entry(4)?.duration == .seconds(900))
  }

  @Test(arguments: [
    "fix #42 for @bob", "+1 for it", "9:00 standup", "at 8:30 mail", "1:1 with Bob", "5 - 6 x",
    "@ home", "C# #", "yesterday 8:00 x", "plain",
  ])
  func `a description that is taken over is text, whatever signs it has`(text: String) throws {
    var tracking = try Self.tracking([(text, nil, [])])
    let letter = try #require(text.first { $0.isLetter || $0.isNumber })
    try tracking.press("text:n", "text:\(letter)", "right")
    #expect(tracking.suggestions == [])
    try tracking.press("enter")
    #expect(tracking.entry(1)?.description == text, "\(tracking.text)")
    #expect(tracking.entry(1)?.start == tracking.now)
    #expect(tracking.entry(1)?.tags == [] && tracking.entry(1)?.project == nil)
  }

  @Test func `the task and the billable mark of an entry are taken over`() throws {
    var tracking = try Tracking()
    try tracking.perform(.project(.create(Project(name: Name("web")))))
    let web = ProjectID(value: 0)
    try tracking.perform(.task(.create(ProjectTask(name: Name("coding"), project: web))))
    var draft = TimeEntryDraft(user: .id(tracking.user), description: "mail", zone: .utc)
    (draft.project, draft.task, draft.isBillable) = (.id(web), .id(TaskID(value: 0)), true)
    let start = tracking.now.adding(.seconds(-3_600))
    try tracking.perform(.entry(.add(draft, start: start, end: tracking.now, policy: .refuse)))
    try tracking.press("text:n", "text:ma", "right")
    #expect(tracking.text.contains("web  / coding"), "\(tracking.text)")
    try tracking.press("enter")
    #expect(tracking.entry(1)?.task == TaskID(value: 0) && tracking.entry(1)?.isBillable == true)
    // Another project has another task, or none.
    tracking.wait(.seconds(60))
    try tracking.press("text:n", "text:ma", "right", "tab", "ctrl-u", "enter")
    #expect(tracking.entry(2)?.task == nil && tracking.entry(2)?.project == nil)
    tracking.wait(.seconds(60))
    try tracking.press("text:n", "text:x @cod")
    #expect(tracking.suggestions.first == "› @web/coding task")
    try tracking.press("right", "enter")
    #expect(tracking.entry(3)?.task == TaskID(value: 0))
  }

  @Test func `tags are found after a plus sign, and their names have one blank behind them`() throws
  {
    var tracking = try Tracking()
    try tracking.perform(.tag(.create(Tag(name: Name("deep work")))))
    #expect(try Self.typed("text:n", &tracking).contains("@project, #tag or +tag"))
    try tracking.press("text:plan +dee")
    #expect(tracking.suggestions == ["› #deep work tag", "#dee new tag"])
    try tracking.press("tab", "text: the week", "enter")
    #expect(tracking.entry(0)?.description == "plan the week")
    #expect(tracking.entry(0)?.tags == [TagID(value: 0)])
  }

  private static func typed(_ key: String, _ tracking: inout Tracking) throws -> String {
    try tracking.press(key)
    return tracking.text
  }

  @Test func `several words after a sign name what is known, and nothing new`() throws {
    var tracking = try Tracking()
    try tracking.perform(.project(.create(Project(name: Name("Big Acme")))))
    try tracking.press("text:n", "text:met @big ac")
    #expect(tracking.suggestions == ["› @Big Acme project"])
    try tracking.press("text: today")
    #expect(tracking.suggestions == [])
  }

  @Test func `a paste of 8,000 graphemes is one action [M10]`() throws {
    var tracking = try Self.week()
    try tracking.press("text:n")
    let text = String(repeating: "👩‍👩‍👧 é x ", count: 1_334)
    let before = try #require(tracking.frame)
    guard case .intents(let intents) = before.interpret(.paste(text), at: tracking.now) else {
      return #expect(Bool(false))
    }
    #expect(text.count >= 8_000 && intents.count == 1)
    for case .scene(let action) in intents { try tracking.send(action) }
    #expect(tracking.form?.description.text == text)
    #expect(tracking.lines.count == 24 && tracking.suggestions == [])
  }

  @Test func `keys on a description read no entry again`() throws {
    var tracking = try Self.week()
    try tracking.press("text:n", "text:d", "text:e")
    // What another window writes is offered at the next key.
    let draft = TimeEntryDraft(user: .id(tracking.user), description: "deploy", zone: .utc)
    try tracking.perform(.entry(.start(draft, at: nil, policy: .refuse)))
    #expect(tracking.suggestions.first == "deploy")
    #expect(tracking.freshLines == tracking.lines)
  }
}
