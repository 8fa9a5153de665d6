import CivilTime
import RetraceArchitecture
import RetraceAvro
import RetraceScreen
import RetraceState
import Testing
import TimeTracking
import ToolTestSupport

@Suite
struct SceneTests {
  @Test
  func `A first day: a new user starts, stops, continues, edits and deletes by keys`() throws {
    var app = try Pressed()
    #expect(app.path == "welcome")
    app.press("Ann", "enter")
    #expect(app.path == "timer/0")
    app.press("n")
    #expect(app.path == "timer/0/start")
    app.press("write tests @Retrace #deep", "enter")
    #expect(app.path == "timer/0")
    #expect(app.text.contains("Running 0:00:00  write tests @Retrace #deep  since 09:30"))
    app.wait(3_725)
    #expect(app.text.contains("Running 1:02:05"))
    app.press("s")
    #expect(app.text.contains("Nothing is running."))
    #expect(app.text.contains("2026-11-21 09:30  write tests @Retrace #deep"))
    app.press("down", "enter")
    #expect(app.entry(1)?.details == app.entry(0)?.details)
    #expect(app.state.timeline.running.count == 1)
    app.press("e")
    #expect(app.path == "timer/0/edit/0")
    #expect(app.draft?.project.text == "Retrace" && app.draft?.tags.text == "deep")
    #expect(app.draft?.start.text == "2026-11-21 09:30:00" && app.draft?.duration.text == "1:02:05")
    app.press("ctrl-u", "rest", "tab", "tab", "tab", "tab", "ctrl-u", "90", "tab", " ", "enter")
    #expect(app.path == "timer/0")
    let edited = try #require(app.entry(0))
    #expect(edited.description == "rest" && edited.duration == .seconds(5_400))
    #expect(edited.isBillable && edited.project == ProjectID(value: 0))
    #expect(edited.start == app.entry(0)?.start)
    app.press("d")
    #expect(app.entry(0) == nil && app.entry(1)?.isRunning == true)
    #expect(app.state.totals.entries == 1)
  }

  @Test
  func `Every keystroke is one action that carries no more than the key`() throws {
    var app = try Pressed()
    app.press("Ann", "enter", "n")
    let before = app.sent.count
    app.press("héllo🔥", "backspace", "left", "delete", "home", "end")
    #expect(app.sent.count == before + 6 + 5)
    for action in app.sent.dropFirst(before) { #expect(action.encoded().count <= 12) }
    #expect(app.draft?.description.text == "héll" && app.draft?.description.cursor == 4)
  }

  @Test
  func `The cursor stands by cells, also after wide text`() throws {
    var app = try Pressed()
    app.press("Ann", "enter", "n", "日本x")
    let cursor = try #require(app.screen.cursor)
    #expect(cursor == Screen.Cursor(row: 2, column: 14 + 5))
    app.press("left", "left")
    #expect(app.screen.cursor == Screen.Cursor(row: 2, column: 14 + 2))
    app.press("tab")
    #expect(app.screen.cursor == Screen.Cursor(row: 3, column: 14))
  }

  @Test
  func `A start and a duration are read where the draft is`() throws {
    let rules = ZoneRules(id: "Etc/GMT-2", offsetSeconds: 7_200)
    var app = try Pressed(rules)
    app.press("Ann", "enter", "n", "a", "tab", "tab", "tab", "09:15", "tab", "1:30", "enter")
    let entry = try #require(app.entry(0))
    #expect(entry.start == (try ZoneFiles.moment("2026-11-21 07:15:00")))
    #expect(entry.duration == .seconds(5_400))
    #expect(entry.recordedZone == RecordedZone(id: "Etc/GMT-2", offsetSeconds: 7_200))
    #expect(app.text.contains("2026-11-21 09:15  a"))
    // A duration alone ends now; a start alone runs since then.
    app.press("n", "b", "tab", "tab", "tab", "tab", "30", "enter")
    #expect(app.entry(1)?.end == app.moment)
    app.press("n", "c", "tab", "tab", "tab", "2026-11-20 23:00", "enter")
    #expect(app.entry(2)?.start == (try ZoneFiles.moment("2026-11-20 21:00:00")))
    #expect(app.entry(2)?.isRunning == true)
  }

  @Test(arguments: [
    (["tab", "tab", "tab", "25:00"], Refusal.unreadableStart),
    (["tab", "tab", "tab", "tab", "x"], .unreadableDuration),
    (["tab", "tab", "tab", "tab", "-5"], .negativeDuration),
  ])
  func `A draft that cannot be read stays and says why`(keys: [String], refusal: Refusal) throws {
    var app = try Pressed()
    app.press("Ann", "enter", "n", "a @P #t")
    for key in keys { app.press(key) }
    let before = app.state
    app.press("enter")
    #expect(app.path == "timer/0/start")
    #expect(app.shown?.problem == refusal)
    #expect(app.text.contains("! \(refusal)"))
    #expect(app.state.library == before.library && app.state.timeline == before.timeline)
    app.press("backspace")
    #expect(app.shown?.problem == nil)
    app.press("escape")
    #expect(app.path == "timer/0")
  }

  @Test
  func `An edit that is saved untouched changes nothing`() throws {
    var app = try Pressed()
    app.press("Ann", "enter", "n", "a", "enter")
    app.moment = Moment(microseconds: app.moment.microseconds + 1_234_567)
    app.press("s", "down")
    let before = try #require(app.entry(0))
    app.keymap = Keymap(rules: ZoneRules(id: "Asia/Kolkata", offsetSeconds: 19_800))
    app.press("e", "enter")
    #expect(app.path == "timer/0")
    #expect(app.entry(0) == before)
    #expect(before.duration?.microseconds == 1_234_567)
  }

  @Test
  func `A name before the cursor is completed without regard to case`() throws {
    var app = try Pressed()
    app.press("Ann", "enter")
    app.send(.library(.projectCreated(name: "Retrace", workspace: nil)))
    app.send(.library(.tagCreated(name: "deep", workspace: nil)))
    app.press("n", "a @re")
    #expect(app.text.contains("    Retrace"))
    app.press("right", " ", "#d", "right", "enter")
    let entry = try #require(app.entry(0))
    #expect(entry.description == "a")
    #expect(entry.project == ProjectID(value: 0) && entry.tags == [TagID(value: 0)])
    #expect(app.state.library.projects.count == 1 && app.state.library.tags.count == 1)
  }

  @Test
  func `Users are picked from the list or found by name`() throws {
    var app = try Pressed()
    for name in ["Cid", "Ann", "Bob"] { app.send(.library(.userCreated(name: name))) }
    app.press("down", "down")
    #expect(app.text.contains("> Bob"))
    app.press("enter")
    #expect(app.path == "timer/2")
    app.press("u", "up")
    #expect(app.text.contains("> Cid"))
    app.press("escape", "ann", "enter")
    #expect(app.path == "timer/1")
    #expect(app.state.library.users.count == 3)
    app.press("u", "enter")
    #expect(app.shown?.problem == .nameEmpty)
    #expect(app.path == "welcome")
  }

  @Test
  func `A list scrolls with its selection and fits the screen`() throws {
    var app = try Pressed()
    app.press("Ann", "enter")
    app.size = Screen.Size(columns: 40, rows: 12)
    for number in 0..<20 {
      app.send(
        .timeline(
          .created(
            ClosedEntry(
              user: UserID(value: 0), details: EntryDetails(description: "entry \(number)"),
              start: app.moment.adding(.seconds(Int64(-number))), duration: .seconds(1),
              zone: .utc))))
    }
    for row in 0..<20 {
      app.press("down")
      #expect(app.screen.lines.count == 12)
      #expect(app.screen.lines.contains { $0.text.contains("> ") || $0.text.hasPrefix(">") })
      #expect(app.text.contains("entry \(row) "))
    }
    app.press("page-up")
    #expect(app.screen.lines.contains { $0.text.hasPrefix(">") && $0.text.contains("entry 13 ") })
    app.press("page-up", "page-up", "page-up")
    #expect(app.screen.lines.contains { $0.text.hasPrefix(">") && $0.text.contains("entry 0 ") })
    app.size = Screen.Size(columns: 10, rows: 1)
    #expect(app.screen.lines.count == 1)
    app.size = Screen.Size(columns: 0, rows: 0)
    #expect(app.screen.lines.isEmpty && app.screen.cursor == nil)
  }

  @Test
  func `A question mark lists the keys of each screen, and types itself into a text`() throws {
    var app = try Pressed()
    app.press("?")
    #expect(app.text.contains("type the name of a user"))
    app.press("x")
    #expect(app.shown?.isHelpShown == true)
    app.press("escape", "A?", "enter")
    #expect(app.state.library.users[UserID(value: 0)]?.name == "A?")
    app.press("?")
    #expect(app.text.contains("stop the running entry"))
    app.press("?", "n", "?")
    #expect(app.text.contains("leave without saving"))
    app.press("enter", "why?")
    #expect(app.draft?.description.text == "why?")
  }

  @Test
  func `Text of several graphemes means what they mean one after another`() throws {
    var app = try Pressed()
    app.press("Ann", "enter", "nwrite")
    #expect(app.draft?.description.text == "write")
    // Characters that would break a line are not taken.
    app.press("a\nb\r\nc\u{1b}d\u{2028}e\t")
    #expect(app.draft?.description.text == "writeabcde")
    app.press("enter", "suAnn")
    #expect(app.path == "welcome" && app.state.timeline.running.isEmpty)
  }

  @Test
  func `A path is parsed to the route with a fresh draft`() throws {
    var app = try Pressed()
    app.press("Ann", "enter", "n", "text", "tab", "p", "enter", "e", "x")
    let routes = try #require(app.shown).backStack.routes
    #expect(routes.map(\.path) == ["timer/0", "timer/0/edit/0"])
    for route in routes + [
      .welcome(WelcomeState()), .startEdit(StartEditDraft(user: UserID(value: 7))),
    ] {
      #expect(Route(path: route.path) == route.fresh)
      #expect(route.fresh.path == route.path)
    }
    for path in [
      "", "/", "welcome/", "timer", "timer/", "timer/x", "timer/+1", "timer/01", "timer/0/edit",
      "timer/0/edit/x", "timer/0/start/", "timer/0/stop", "Welcome", "timer/99999999999999999999",
    ] {
      #expect(Route(path: path) == nil, "\(path)")
    }
  }

  @Test
  func `Opening a path builds the stack that leads there, or refuses`() throws {
    var app = try Pressed()
    app.press("Ann", "enter", "n", "a", "enter")
    func open(_ path: String) { app.send(.scene(app.scene, .pathOpened(path))) }
    open("timer/0/edit/0")
    #expect(app.shown?.backStack.routes.map(\.path) == ["timer/0", "timer/0/edit/0"])
    #expect(app.draft?.description.text == "a")
    open("timer/0/start")
    #expect(app.path == "timer/0/start")
    for (path, refusal) in [
      ("timer/5", Refusal.unknownUser), ("timer/5/start", .unknownUser),
      ("timer/0/edit/9", .unknownEntry), ("nowhere", .unknownPath),
    ] {
      open(path)
      #expect(app.path == "timer/0/start")
      #expect(app.shown?.problem == refusal)
    }
    open("welcome")
    #expect(app.shown?.backStack.routes.count == 1)
  }

  @Test
  func `An action of another screen, or of no scene, changes nothing and is recorded`() throws {
    var app = try Pressed()
    app.send(.scene(app.scene, .timer(.stopped)))
    #expect(app.shown?.problem == .wrongScreen)
    #expect(app.path == "welcome")
    app.send(.scene(SceneID(value: 4), .helpToggled))
    #expect(app.state.lastOutcome == .refused(.unknownScene))
    #expect(app.state.missing == MissingTarget(type: "Scene", id: 4))
    #expect(
      app.keymap.actions(
        for: .enter, in: SceneID(value: 4), state: app.state, at: app.moment, size: app.size) == [])
  }

  @Test
  func `A second scene has its own place, the outcome of a stop is seen where it was asked`() throws
  {
    var app = try Pressed()
    app.press("Ann", "enter")
    app.send(.sceneOpened(.utc))
    #expect(TimeTrackerApp.scenes(in: app.state).map(\.value) == [0, 1])
    #expect(TimeTrackerApp.backStack(of: SceneID(value: 1), in: app.state)?.top.path == "welcome")
    app.press("s")
    #expect(app.shown?.problem == .nothingRunning)
    #expect(app.state.scenes[SceneID(value: 1)]?.problem == nil)
    #expect(app.state.lastOutcome == .refused(.nothingRunning))
  }
}
