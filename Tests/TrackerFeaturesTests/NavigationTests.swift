import RetraceArchitecture
import RetraceAvro
import RetraceScreen
import RetraceState
import RetraceTesting
import Testing
import TimeTracking
import TrackerFeatures

/// Where scenes are, and how they come back.
@Suite struct NavigationTests {
  @Test func `screens are pushed and popped, and the root stays [N3]`() throws {
    var tracking = try Tracking()
    try tracking.press("text:n", "text:abc")
    #expect(tracking.stack?.routes.map(\.path) == ["timer/0", "timer/0/start"])
    try tracking.press("escape")
    #expect(tracking.stack?.routes.map(\.path) == ["timer/0"])
    try tracking.press("escape")
    #expect(tracking.stack?.routes.map(\.path) == ["timer/0"])
    try tracking.press("text:u")
    #expect(tracking.stack?.routes.map(\.path) == ["timer/0", "users"])
    try tracking.press("text:q", "escape")
    #expect(tracking.stack?.routes.map(\.path) == ["timer/0"])
  }

  @Test func `an action for a screen that was left is recorded as missing`() throws {
    var tracking = try Tracking()
    try tracking.press("text:n")
    let id = try #require(tracking.stack?.topID)
    try tracking.press("escape")
    try tracking.send(
      .scene(tracking.scene, .screen(id, .entryEditor(.focused(.end)))))
    #expect(
      tracking.store.state.scenes[tracking.scene]?.missing
        == MissingTarget(type: TrackerRoute.recordedName, id: id.value))
  }

  @Test(
    arguments: [
      "users", "timer/7", "timer/7/start", "timer/7/edit/3", "lists/7/projects", "lists/7/clients",
      "lists/7/tags", "lists/7/tasks", "lists/7/goals", "lists/7/projects/new",
      "lists/7/projects/3", "timer/7/settings", "welcome", "login", "signUp", "passwordReset",
    ])
  func `a path is read back [N1]`(path: String) throws {
    #expect(TrackerRoute(path: path)?.path == path)
  }

  @Test(
    arguments: [
      "", "login/1", "timer", "timer/x", "timer/07", "timer/7/edit", "timer/7/stop", "users/1",
      "lists", "lists/7", "lists/7/users", "lists/7/tags/new", "lists/7/projects/03",
      "lists/7/projects/new/1",
    ])
  func `other texts are no paths`(path: String) {
    #expect(TrackerRoute(path: path) == nil)
  }

  @Test func `a path is opened with the screens below it, filled from the entry`() throws {
    var tracking = try Tracking()
    try tracking.press("text:n", "text:task", "enter")
    let action = try TimeTracker.opening(
      "timer/0/edit/0", in: tracking.scene, of: tracking.store.state)
    try tracking.send(action)
    #expect(tracking.stack?.routes.map(\.path) == ["timer/0", "timer/0/edit/0"])
    #expect(tracking.form?.description.text == "task")
    let count = tracking.commands.count
    try tracking.press("enter")
    #expect(tracking.commands.count == count)
  }

  @Test(arguments: [
    ("timer/1", LinkProblem.noUser(UserID(value: 1))),
    ("timer/1/start", .noUser(UserID(value: 1))),
    ("timer/0/edit/7", .nothingThere),
    ("nowhere", .malformed(.unknownComponent("nowhere", index: 0))),
    ("", .malformed(.missingComponent(index: 0))),
    ("timer", .malformed(.missingComponent(index: 1))),
    ("timer/x", .malformed(.invalidComponent("x", index: 1))),
    ("timer/0/stop", .malformed(.unknownComponent("stop", index: 2))),
    ("timer/0/edit", .malformed(.missingComponent(index: 3))),
    ("timer/0?a=b", .malformed(.unknownItem("a"))),
    ("timer/%zz", .malformed(.invalidEscape(offset: 6))),
  ])
  func `a link without a screen is an error that says where [N6] [N10]`(
    link: String, problem: LinkProblem
  ) throws {
    let tracking = try Tracking()
    let error = #expect(throws: LinkProblem.self) {
      try TimeTracker.opening(link, in: tracking.scene, of: tracking.store.state)
    }
    #expect(error == problem && error?.description.last == ".")
  }

  @Test func `a draft, a selection and a question survive a restart [N2]`() throws {
    var tracking = try Tracking()
    try tracking.press("text:n", "text:a", "enter")
    tracking.wait(.seconds(3_600))
    try tracking.press("text:n", "text:half typed", "tab", "tab", "tab", "text:8:00", "enter")
    let scene = try #require(tracking.store.state.scenes[tracking.scene])
    let bytes = scene.encoded()
    var reader = AvroReader(bytes.span)
    let read = try Scene(decoding: &reader)
    #expect(read == scene)
    guard case .entryEditor(let form) = read.stack.top else { return #expect(Bool(false)) }
    #expect(form.description.text == "half typed")
    #expect(form.field == .start)
    #expect(read.question != nil)
    try tracking.press("escape", "escape", "down")
    tracking.wait(.seconds(60))
    try tracking.press("text:s", "down")
    #expect(tracking.timer?.selection == TimeEntryID(value: 0))
  }

  @Test func `scenes get ids of their own, and opening one twice changes nothing`() throws {
    var tracking = try Tracking()
    try tracking.send(.opened(SceneID(value: 3)))
    #expect(tracking.store.state.nextScene == SceneID(value: 4))
    #expect(TimeTracker.scenes(in: tracking.store.state) == [0, 3].map { SceneID(value: $0) })
    let before = tracking.store.state
    try tracking.send(.opened(tracking.scene))
    #expect(tracking.store.state == before)
  }

  @Test func `two scenes show the same domain, each at its own place`() throws {
    var tracking = try Tracking()
    try tracking.send(.opened(SceneID(value: 1)))
    try tracking.press("text:n", "text:x")
    tracking.scene = SceneID(value: 1)
    try tracking.press("down", "enter")
    #expect(tracking.timer?.user == tracking.user)
    #expect(tracking.form == nil)
  }

  // MARK: Keys

  @Test func `the list of keys is shown over the screen, with every bound key`() throws {
    var tracking = try Tracking()
    tracking.size = Screen.Size(columns: 80, rows: 80)
    try tracking.press("text:?")
    for text in ["Timer", "Start or add an entry.", "Undo the deletion", "Everywhere"] {
      #expect(tracking.text.contains(text), "\(text)")
    }
    try tracking.press("escape")
    #expect(tracking.lines.first?.hasPrefix("Timer of anna  ") == true)
  }

  @Test func `a message goes on in another line, and what has no room is cut with a mark`()
    throws
  {
    var tracking = try Tracking()
    tracking.size = Screen.Size(columns: 60, rows: 24)
    try tracking.press("text:n", "tab", "tab", "tab", "text:soon", "enter")
    let message = try #require(tracking.lines.firstIndex { $0.hasPrefix("! ") })
    #expect(tracking.lines[message + 1].hasPrefix("  "))
    let whole = tracking.lines[message...].dropLast().joined(separator: " ")
    #expect(whole.hasSuffix(".") && !whole.contains("…"))
    tracking.size = Screen.Size(columns: 60, rows: 7)
    #expect(tracking.lines.count == 7)
    #expect(tracking.lines.contains { $0.hasPrefix("! ") && $0.hasSuffix("…") })
    tracking.size = Screen.Size(columns: 40, rows: 120)
    try tracking.press("escape", "text:?")
    #expect(tracking.lines.contains { $0.hasSuffix("here.") })
    // In columns, the keys have brief words, none of which is cut.
    tracking.size = Screen.Size(columns: 40, rows: 18)
    #expect(!tracking.lines.contains { $0.contains("…") })
    #expect(tracking.lines.allSatisfy { TextWidth.of($0) <= 40 })
  }

  @Test func `a question mark is text once something is typed`() throws {
    var tracking = try Tracking()
    try tracking.press("text:n", "text:why", "text:?")
    #expect(tracking.form?.description.text == "why?")
  }

  @Test func `q leaves where no text is typed`() throws {
    var tracking = try Tracking()
    try tracking.press("text:q")
    #expect(tracking.restores == [.leave])
    try tracking.press("text:n", "text:q", "escape", "text:u", "text:q")
    #expect(tracking.restores == [.leave])
    #expect(tracking.text.contains("Name: q"))
  }

  @Test func `ctrl-c and ctrl-d leave from every screen`() throws {
    var tracking = try Tracking(user: nil)
    try tracking.press("ctrl-c", "text:anna", "enter", "ctrl-d", "text:n", "ctrl-c", "tab")
    #expect(tracking.restores == [.leave, .leave, .leave])
  }

  @Test(arguments: [0, 1, 2, 5, 10, 24], [0, 1, 8, 20, 80])
  func `every screen fits into every size`(rows: Int, columns: Int) throws {
    var tracking = try Tracking(user: nil)
    tracking.size = Screen.Size(columns: columns, rows: rows)
    func check() {
      #expect(tracking.lines.count == rows)
      if let cursor = tracking.frame?.screen.cursor {
        #expect(cursor.row < rows && cursor.column < columns)
      }
    }
    check()
    for key in [
      "text:anna", "enter", "text:n", "text:a long description of what is done @x", "tab",
      "enter", "text:s", "down", "text:d", "text:?", "escape", "page-up", "page-down", "up",
    ] {
      try tracking.press(key)
      check()
    }
  }
}
