import CivilTime
import RetraceArchitecture
import RetraceAvro
import RetraceScreen
import RetraceState
import RetraceTesting
import Testing
import TimeTracking
import TrackerFeatures

/// The lists of projects, clients, tags, tasks and goals.
@Suite struct ListsTests {
  /// The names in the shown rows, without details.
  private static func names(_ tracking: Tracking) -> [String] {
    tracking.lines.filter { $0.hasPrefix("  ") || $0.hasPrefix("› ") }.compactMap { line in
      line.split(separator: " ").first { !["›", "+", "●"].contains($0) }.map(String.init)
    }
  }

  private static func tracking(_ projects: [String]) throws -> Tracking {
    var tracking = try Tracking()
    for name in projects {
      try tracking.perform(.project(.create(Project(name: Name(name)))))
    }
    return tracking
  }

  private static func add(
    _ tracking: inout Tracking, project: Int64, tags: [TagID] = []
  ) throws {
    var draft = TimeEntryDraft(user: .id(tracking.user), description: "work", zone: .utc)
    draft.project = .id(ProjectID(value: project))
    draft.tags = tags.map { .id($0) }
    let start = tracking.now.adding(.seconds(-3_600))
    try tracking.perform(
      .entry(.add(draft, start: start, end: tracking.now, policy: .allow)))
  }

  // MARK: The list

  @Test func `projects are listed by name, searched by words of their names and clients`() throws {
    var tracking = try Self.tracking(["Web", "shop", "mail server", "Archive"])
    try tracking.perform(.client(.create(Client(name: Name("Big Bank")))))
    var project = Project(name: Name("audit"))
    project.client = ClientID(value: 0)
    try tracking.perform(.project(.create(project)))
    try tracking.press("text:p")
    #expect(tracking.stack?.routes.map(\.path) == ["timer/0", "lists/0/projects"])
    #expect(Self.names(tracking) == ["Archive", "audit", "mail", "shop", "Web"])
    try tracking.press("text:/", "text:SERV mai")
    #expect(Self.names(tracking) == ["mail"])
    try tracking.press("ctrl-u", "text:bank", "enter")
    #expect(Self.names(tracking) == ["audit"])
    #expect(tracking.lists?.selection == 4)
    // Escape goes back step by step, to the timer at last.
    try tracking.press("escape")
    #expect(Self.names(tracking).count == 5)
    try tracking.press("escape")
    #expect(tracking.timer != nil)
  }

  @Test func `an archived project is listed on request, and is taken back`() throws {
    var tracking = try Self.tracking(["a", "b"])
    try tracking.press("text:p", "down", "text:a")
    #expect(tracking.domain.projects[ProjectID(value: 0)]?.isArchived == true)
    #expect(Self.names(tracking) == ["b"] && tracking.lists?.selection == 1)
    try tracking.press("text:A", "home")
    #expect(tracking.text.contains("archived"))
    try tracking.press("text:a")
    #expect(tracking.domain.projects[ProjectID(value: 0)]?.isArchived == false)
    #expect(!tracking.text.contains("archived"))
    // z takes it back like any other change.
    try tracking.press("text:z")
    #expect(tracking.restores == [.undo])
  }

  @Test func `each kind has its list, and a key without a selection says why it does nothing`()
    throws
  {
    var tracking = try Self.tracking(["a"])
    try tracking.press("text:p")
    for kind in ["projects", "clients", "tags", "tasks", "goals", "projects"] {
      #expect(tracking.stack?.top.path == "lists/0/\(kind)")
      try tracking.press("text:d")
      let text = kind == "projects" ? "Select one of the list first" : "There are none here."
      #expect(tracking.text.contains(text), "\(kind)")
      try tracking.press("right")
    }
    try tracking.press("left", "backtab")
    #expect(tracking.stack?.top.path == "lists/0/goals")
    #expect(tracking.commands.count == 2)
  }

  @Test func `a list that another process changes is shown with the change`() throws {
    var tracking = try Self.tracking(["a", "b"])
    try tracking.press("text:p", "down")
    try tracking.perform(.project(.create(Project(name: Name("aa")))))
    #expect(Self.names(tracking) == ["a", "aa", "b"])
    #expect(tracking.lines == tracking.freshLines)
    try tracking.perform(.project(.delete(ProjectID(value: 0), reason: nil)))
    // The selected one is gone, so the key means none.
    try tracking.press("text:a")
    #expect(tracking.text.contains("Select one of the list first"))
  }

  @Test func `10,000 projects are listed, paged and searched`() throws {
    var tracking = try Tracking()
    var state = tracking.store.state
    for number in 10_000..<20_000 {
      state.domain.projects.insert(Project(name: Name("project \(number)")))
    }
    tracking.store = TestStore(state: state, clock: tracking.store.clock)
    try tracking.press("text:p", "end")
    #expect(tracking.text.contains("› ● project 19999"))
    #expect(tracking.lines.count { $0.contains("● project") } == 21)
    try tracking.press("page-up", "home", "page-down")
    #expect(tracking.lines == tracking.freshLines)
    try tracking.press("text:/", "text:15432", "enter")
    #expect(tracking.lists?.selection == 5_432)
  }

  // MARK: Merging and deleting

  @Test func `a merge asks first, and says what is lost, as the command line does [M11]`() throws {
    var tracking = try Self.tracking(["web", "website"])
    var changes = ProjectChanges()
    changes.rate = Change(from: nil, to: 8_500)
    try tracking.perform(.project(.change(ProjectID(value: 0), changes, reason: nil)))
    try tracking.press("text:p", "down", "text:m")
    #expect(tracking.text.contains("Merge web: select the one that stays, and press m."))
    try tracking.press("text:m")
    #expect(tracking.text.contains("That one is marked. Select another one"))
    try tracking.press("down", "text:m")
    let count = tracking.commands.count
    #expect(tracking.text.contains("! Merge web into website?"))
    #expect(tracking.text.contains("website does not take over: rate 85.00 of web"))
    // Another key takes the question back.
    try tracking.press("up", "down", "text:m", "enter")
    #expect(
      Array(tracking.commands[count...])
        == [.project(.merge(ProjectID(value: 0), into: ProjectID(value: 1), reason: nil))])
    #expect(Self.names(tracking) == ["website"])
    #expect(tracking.lists?.marked == [] && tracking.lists?.selection == 1)
  }

  @Test func `several are merged at once, and a refusal is shown with its reason`() throws {
    var tracking = try Tracking()
    for name in ["a", "b", "c"] { try tracking.perform(.tag(.create(Tag(name: Name(name))))) }
    try tracking.press("text:p", "tab", "tab", "down", "text: ", "down", "text: ", "down", "text:m")
    #expect(tracking.text.contains("! Merge a, b into c?"))
    try tracking.press("enter")
    #expect(Self.names(tracking) == ["c"])
    for name in ["x", "y"] {
      let client = Client(name: Name(name))
      try tracking.perform(.client(.create(client)))
      var project = Project(name: Name("p"))
      project.client = ClientID(value: name == "x" ? 0 : 1)
      try tracking.perform(.project(.create(project)))
    }
    try tracking.press("backtab", "down", "text:m", "down", "text:m", "enter")
    #expect(tracking.text.contains("! Both clients have a project of one name: p."))
    #expect(Array(Self.names(tracking).prefix(2)) == ["x", "y"])
  }

  @Test func `one without entries is deleted at once, another one after a question`() throws {
    var tracking = try Self.tracking(["a", "b", "c"])
    try Self.add(&tracking, project: 1)
    try tracking.press("text:p", "down", "text:d")
    #expect(Self.names(tracking) == ["b", "c"] && tracking.lists?.selection == 1)
    try tracking.press("text:d")
    #expect(tracking.text.contains("! 1 entry is of the project b. Delete it?"))
    try tracking.press("escape")
    #expect(Self.names(tracking) == ["b", "c"] && tracking.lists?.question == nil)
    try tracking.press("delete", "enter")
    #expect(Self.names(tracking) == ["c"] && tracking.lists?.selection == 2)
    #expect(tracking.domain.projects[ProjectID(value: 1)]?.deleted != nil)
  }

  // MARK: Names

  @Test func `a new tag, client, task and goal get the typed name`() throws {
    var tracking = try Self.tracking(["web"])
    try tracking.press("text:p", "tab", "text:n", "text: Big  Bank ", "enter")
    #expect(tracking.commands.last == .client(.create(Client(name: Name("Big Bank")))))
    try tracking.press("tab", "text:n", "text:focus", "enter")
    #expect(tracking.commands.last == .tag(.create(Tag(name: Name("focus")))))
    try tracking.press("tab", "text:n", "text:design", "enter")
    #expect(tracking.text.contains("! A task belongs to a project. Type PROJECT/TASK."))
    try tracking.press("ctrl-u", "text:shop/design", "enter")
    #expect(tracking.text.contains("! There is no project shop."))
    try tracking.press("ctrl-u", "text:web/design", "enter")
    let task = ProjectTask(name: Name("design"), project: ProjectID(value: 0))
    #expect(tracking.commands.last == .task(.create(task)))
    // The new one is selected, and the next task is offered for its project.
    #expect(tracking.lines.contains { $0.hasPrefix("› design") })
    try tracking.press("text:n")
    #expect(tracking.lists?.naming?.name.text == "web/")
    try tracking.press("escape", "tab", "text:n", "text:mail at most 1h each day", "enter")
    var goal = Goal(name: Name("mail"), user: tracking.user, target: .seconds(3_600))
    (goal.period, goal.isLimit) = (.day, true)
    #expect(tracking.commands.last == .goal(.create(goal)))
    try tracking.press("text:n", "text:good week", "enter")
    #expect(tracking.text.contains("! A goal has a name and a target."))
    for (name, period) in [("one", "per week"), ("two", "a week"), ("three", "week")] {
      try tracking.press("ctrl-u", "text:\(name) 32h \(period)", "enter")
      goal = Goal(name: Name(name), user: tracking.user, target: .seconds(32 * 3_600))
      goal.period = .week
      #expect(tracking.commands.last == .goal(.create(goal)))
      try tracking.press("text:n")
    }
  }

  @Test func `what was made is selected, so that the next key edits it`() throws {
    var tracking = try Self.tracking(["web"])
    try tracking.press("text:p", "text:n", "text:audit", "enter", "text:e")
    #expect(tracking.stack?.top.path == "lists/0/projects/1")
    try tracking.press("escape", "tab", "text:n", "text:Bank", "enter")
    #expect(tracking.lines.contains("› Bank"))
    // A refused name selects nothing.
    try tracking.press("up", "text:n", "text:Bank", "enter")
    #expect(tracking.lists?.naming?.name.text == "Bank" && tracking.replayedLines == tracking.lines)
    try tracking.press("escape", "enter")
    #expect(tracking.lists?.naming?.name.text == "Bank")
  }

  @Test func `a goal is of a project and a tag, in the words of an entry`() throws {
    var tracking = try Self.tracking(["web", "big shop"])
    try tracking.perform(.tag(.create(Tag(name: Name("deep")))))
    try tracking.press("text:p", "backtab", "text:n")
    try tracking.press("text:Site #deep 12h each week @web", "enter")
    var goal = Goal(name: Name("Site"), user: tracking.user, target: .seconds(43_200))
    (goal.period, goal.project, goal.tag) = (.week, ProjectID(value: 0), TagID(value: 0))
    #expect(tracking.commands.last == .goal(.create(goal)))
    let count = tracking.commands.count
    for (text, problem) in [
      ("@shop 1h x", "There is no project shop."), ("x 1h #a", "There is no tag a."),
      ("x 1h #deep #a", "A goal is of one tag at most."),
      ("x 1h @web @a", "There are two projects"),
    ] {
      try tracking.press("text:n", "text:\(text)", "enter")
      #expect(tracking.text.contains("! \(problem)"), "\(tracking.text)")
      try tracking.press("escape")
    }
    #expect(tracking.commands.count == count)
    try tracking.press("down", "enter")
    #expect(tracking.lists?.naming?.name.text == "Site 12:00 each week @web #deep")
    try tracking.press("enter", "enter", "ctrl-u", "text:Site 12h @\"big shop\"", "enter")
    var changes = GoalChanges()
    changes.project = Change(from: ProjectID(value: 0), to: ProjectID(value: 1))
    changes.tag = Change(from: TagID(value: 0), to: nil)
    #expect(tracking.commands.count == count + 1)
    #expect(tracking.commands.last == .goal(.change(GoalID(value: 0), changes, reason: nil)))
    try tracking.press("enter")
    #expect(tracking.lists?.naming?.name.text == "Site 12:00 each week @\"big shop\"")
  }

  @Test func `q goes back from the lists, and is text in a field`() throws {
    var tracking = try Self.tracking(["web"])
    try tracking.press("text:p", "text:/", "text:q")
    #expect(tracking.lists?.search.text == "q")
    try tracking.press("escape", "tab", "text:n", "text:q", "escape", "text:q")
    #expect(tracking.timer != nil && tracking.restores.isEmpty)
  }

  @Test func `a name is changed from the one that the user saw, else refused`() throws {
    var tracking = try Tracking()
    try tracking.perform(.tag(.create(Tag(name: Name("mtg")))))
    try tracking.press("text:p", "tab", "tab", "down", "enter", "enter")
    #expect(tracking.commands.count == 2 && tracking.lists?.naming == nil)
    try tracking.press("enter", "ctrl-u", "text:meeting")
    var changes = TagChanges()
    changes.name = Change(from: Name("mtg"), to: Name("call"))
    try tracking.perform(.tag(.change(TagID(value: 0), changes, reason: nil)))
    try tracking.press("enter")
    #expect(tracking.text.contains("! Changed elsewhere since you saw it: name."))
    #expect(tracking.domain.tags[TagID(value: 0)]?.name == Name("call"))
    // The draft is kept.
    #expect(tracking.lists?.naming?.name.text == "meeting")
  }

  @Test func `the target of a goal is edited with its name, each only if it was changed`() throws {
    var tracking = try Tracking()
    try tracking.press("text:p", "backtab", "text:n", "text:mail 1h each day", "enter", "down")
    let count = tracking.commands.count
    try tracking.press("enter")
    #expect(tracking.lists?.naming?.name.text == "mail 1:00 each day")
    try tracking.press("enter")
    #expect(tracking.commands.count == count && tracking.lists?.naming == nil)
    try tracking.press("enter", "ctrl-u", "text:mail at most 1h30 each week")
    // Another process renames it meanwhile, which the change of the target leaves as it is.
    var renaming = GoalChanges()
    renaming.name = Change(from: Name("mail"), to: Name("post"))
    let id = GoalID(value: 0)
    try tracking.perform(.goal(.change(id, renaming, reason: nil)))
    try tracking.press("enter")
    let goal = try #require(tracking.domain.goals[id])
    #expect(goal.name == Name("post") && goal.target == .seconds(5_400))
    #expect(goal.period == .week && goal.isLimit)
    try tracking.press("enter", "ctrl-u", "text:post", "enter")
    #expect(tracking.text.contains("! A goal has a name and a target."))
    try tracking.press("ctrl-u", "text:post 10:00:30 month", "enter", "enter")
    #expect(tracking.lists?.naming?.name.text == "post 10:00:30 each month")
  }

  @Test func `a goal is listed with its progress in the present period`() throws {
    var tracking = try Self.tracking(["web"])
    try tracking.perform(
      .goal(.create(Goal(name: Name("mail"), user: tracking.user, target: .seconds(7_200)))))
    try Self.add(&tracking, project: 0)
    try tracking.press("text:p", "backtab")
    #expect(tracking.text.contains("1:00 spent, 50%  target 2:00  each day"))
    let draft = TimeEntryDraft(user: .id(tracking.user), description: "x", zone: .utc)
    try tracking.perform(.entry(.start(draft, at: nil, policy: .refuse)))
    tracking.wait(.seconds(1_859))
    #expect(tracking.text.contains("1:30 spent, 75%"))
    tracking.wait(.seconds(1))
    try tracking.press("down")
    tracking.wait(.seconds(1_800))
    #expect(tracking.text.contains("2:01 spent, 100%") && tracking.lines == tracking.freshLines)
  }

  @Test func `a search, a name, marks and a question survive a restart [N2]`() throws {
    var tracking = try Self.tracking(["a", "b"])
    try tracking.press("text:p", "text:/", "text:a", "enter", "text: ")
    for keys in [["text:n"], ["escape", "down", "text:d"]] {
      for key in keys { try tracking.press(key) }
      let scene = try #require(tracking.store.state.scenes[tracking.scene])
      let bytes = scene.encoded()
      var reader = AvroReader(bytes.span)
      #expect(try Scene(decoding: &reader) == scene)
    }
  }

  @Test func `a click chooses a list and a row, and the wheel moves the selection`() throws {
    var tracking = try Self.tracking(["a", "b"])
    try tracking.press("text:p")
    let row = try #require(tracking.lines.firstIndex { $0.hasPrefix("  ● a") })
    try tracking.use(.pressed(.left), row: row + 1, column: 5)
    #expect(tracking.lists?.selection == 1)
    try tracking.use(.scrolled(.up), row: row, column: 5)
    #expect(tracking.lists?.selection == 0)
    let line = tracking.lines[0]
    let tags = try #require(line.firstRange(of: "Tags"))
    try tracking.use(
      .pressed(.left), row: 0, column: line.distance(from: line.startIndex, to: tags.lowerBound))
    #expect(tracking.stack?.top.path == "lists/0/tags")
  }
}
