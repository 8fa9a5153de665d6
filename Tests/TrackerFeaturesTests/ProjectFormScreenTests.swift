import RetraceArchitecture
import RetraceAvro
import RetraceScreen
import RetraceState
import RetraceTesting
import Testing
import TimeTracking
import TrackerFeatures

/// The form of a project.
@Suite struct ProjectFormScreenTests {
  private static func tracking() throws -> Tracking {
    var tracking = try Tracking()
    try tracking.perform(.client(.create(Client(name: Name("ACME")))))
    var project = Project(name: Name("website"), client: ClientID(value: 0))
    project.rate = 8_500
    project.isBillable = true
    try tracking.perform(.project(.create(project)))
    return tracking
  }

  private static let id = ProjectID(value: 0)

  // MARK: A new project

  @Test func `a new project has the typed values, and is billable with a rate [M11]`() throws {
    var tracking = try Self.tracking()
    try tracking.press("text:p", "text:n", "text:shop", "tab", "text:acme", "tab", "text:95,5")
    try tracking.press("tab", "text:40h", "tab", "ctrl-u", "text:#0A0b0C", "enter")
    var project = Project(name: Name("shop"), client: ClientID(value: 0))
    (project.rate, project.estimate) = (9_550, .seconds(144_000))
    (project.color, project.isBillable) = (0x0A_0B_0C, true)
    #expect(tracking.commands.last == .project(.create(project)))
    #expect(tracking.stack?.routes.map(\.path) == ["timer/0", "lists/0/projects"])
    #expect(tracking.text.contains("shop"))
  }

  @Test func `a taken name is said while it is typed, and refused with the reason [M11]`() throws {
    var tracking = try Self.tracking()
    // A project without a client may have the name.
    try tracking.press("text:p", "text:n", "text:WEBSITE")
    #expect(!tracking.text.contains("is taken"))
    try tracking.press("tab", "text:ACME", "backtab")
    #expect(tracking.text.contains("! The name WEBSITE is taken."))
    try tracking.press("enter")
    #expect(tracking.notice == .refused(.project(.nameTaken(Name("WEBSITE")))))
    #expect(tracking.text.contains("! The name WEBSITE is taken. Choose another one."))
    #expect(tracking.projectForm?.name.text == "WEBSITE")
    try tracking.press("text:2", "enter")
    #expect(tracking.domain.projects.count == 2)
  }

  @Test func `the color is one that few projects have, and ctrl-n offers all 14 [M11]`() throws {
    var tracking = try Self.tracking()
    try tracking.press("text:p", "text:n", "text:x", "backtab", "backtab")
    // The website has the first color.
    #expect(tracking.projectForm?.color.text == "violet")
    var colors: Set<String> = []
    for _ in 0..<14 {
      try tracking.press("ctrl-n")
      colors.insert(try #require(tracking.projectForm?.color.text))
      #expect(tracking.text.contains("[●]"))
    }
    #expect(colors.count == 14 && tracking.projectForm?.color.text == "violet")
    // A text that is typed at the end of a color replaces the color.
    try tracking.press("text:r", "text:ed")
    #expect(tracking.projectForm?.color.text == "red" && !tracking.text.contains("is no color"))
    try tracking.press("home", "text:x")
    #expect(tracking.text.contains("! xred is no color."))
    try tracking.press("enter")
    #expect(tracking.domain.projects.count == 1)
    try tracking.press("ctrl-e", "ctrl-u", "enter")
    #expect(tracking.domain.projects[ProjectID(value: 1)]?.color == Project.colors[1])
  }

  @Test func `known clients are suggested, and a new one is made on request [M11]`() throws {
    var tracking = try Self.tracking()
    try tracking.perform(.workspace(.create(Workspace(name: Name("studio")))))
    let other = Client(name: Name("acme abroad"), workspace: WorkspaceID(value: 0))
    try tracking.perform(.client(.create(other)))
    try tracking.press("text:p", "text:n", "text:x", "tab", "text:ac")
    // The client of another workspace is not one for this project.
    #expect(tracking.text.contains("→ ACME") && !tracking.text.contains("abroad"))
    try tracking.press("enter")
    #expect(tracking.text.contains("! There is no client ac. Press enter again to make it."))
    try tracking.press("right")
    #expect(tracking.projectForm?.client.text == "ACME" && tracking.domain.clients.count == 2)
    try tracking.press("ctrl-u", "text:Big Bank", "right")
    #expect(tracking.commands.last == .client(.create(Client(name: Name("Big Bank")))))
    try tracking.press("enter")
    #expect(tracking.domain.projects[ProjectID(value: 1)]?.client == ClientID(value: 2))
  }

  @Test func `a second enter makes a typed client that there is not`() throws {
    var tracking = try Self.tracking()
    try tracking.press("text:p", "text:n", "text:x", "tab", "text:Big Bank", "backtab", "enter")
    #expect(tracking.notice == .obstacle(.clientIsUnknown(Name("Big Bank"))))
    // Another text is asked about again.
    try tracking.press("tab", "text:s", "enter")
    #expect(tracking.domain.clients.count == 1)
    try tracking.press("enter")
    #expect(tracking.commands.last == .client(.create(Client(name: Name("Big Banks")))))
    #expect(tracking.text.contains("Big Banks is a client now. Press enter to save the project."))
    #expect(tracking.replayedLines == tracking.lines)
    try tracking.press("enter")
    #expect(tracking.domain.projects[ProjectID(value: 1)]?.client == ClientID(value: 1))
  }

  @Test func `another rate is said not to reach recorded entries`() throws {
    var tracking = try Self.tracking()
    let note = "note: recorded entries keep their rate."
    try tracking.press("text:p", "down", "enter", "tab", "tab")
    #expect(!tracking.text.contains(note))
    try tracking.press("ctrl-u", "text:90")
    #expect(tracking.text.contains(note))
    try tracking.press("text:x")
    #expect(!tracking.text.contains(note))
    try tracking.press("ctrl-u", "text:85")
    #expect(!tracking.text.contains(note))
    try tracking.press("escape", "text:n", "tab", "tab", "text:90")
    #expect(!tracking.text.contains(note))
  }

  @Test func `a project is made in the workspace of its user, billable at its rate [M11]`() throws {
    var tracking = try Tracking()
    var workspace = Workspace(name: Name("studio"))
    (workspace.currency, workspace.rate) = ("USD", 9_000)
    try tracking.perform(.workspace(.create(workspace)))
    var changes = UserChanges()
    changes.workspace = Change(from: nil, to: WorkspaceID(value: 0))
    try tracking.perform(.user(.change(tracking.user, changes, reason: nil)))
    try tracking.press("text:p", "text:n", "text:x", "tab", "tab", "text:EUR 5")
    #expect(tracking.text.contains("! That is EUR, and this rate is one in USD."))
    try tracking.press("enter")
    #expect(tracking.domain.projects.isEmpty)
    try tracking.press("ctrl-u", "enter")
    let project = tracking.domain.projects[Self.id]
    #expect(project?.workspace == WorkspaceID(value: 0) && project?.isBillable == true)
    #expect(tracking.text.contains("workspace studio"))
  }

  // MARK: A known project

  @Test func `saving writes only what the user changed`() throws {
    var tracking = try Self.tracking()
    try tracking.press("text:p", "down", "enter", "enter")
    #expect(tracking.commands.count == 3 && tracking.lists != nil)
    try tracking.press("enter", "tab", "tab", "tab", "text:10h")
    // Another process changes another field meanwhile.
    var changes = ProjectChanges()
    changes.name = Change(from: Name("website"), to: Name("page"))
    try tracking.perform(.project(.change(Self.id, changes, reason: nil)))
    #expect(tracking.text.contains("Changed elsewhere: name page."))
    try tracking.press("enter")
    var own = ProjectChanges()
    own.estimate = Change(from: nil, to: .seconds(36_000))
    #expect(tracking.commands.last == .project(.change(Self.id, own, reason: nil)))
    let project = tracking.domain.projects[Self.id]
    #expect(project?.name == Name("page") && project?.estimate == .seconds(36_000))
    #expect(project?.rate == 8_500)
  }

  @Test func `a field that was changed elsewhere is refused until ctrl-r took it over`() throws {
    var tracking = try Self.tracking()
    try tracking.press("text:p", "down", "enter", "tab", "tab", "ctrl-u", "text:90")
    var changes = ProjectChanges()
    changes.rate = Change(from: 8_500, to: 8_000)
    changes.color = Change(from: Project.colors[0], to: Project.colors[3])
    try tracking.perform(.project(.change(Self.id, changes, reason: nil)))
    try tracking.press("enter")
    #expect(tracking.text.contains("! Changed elsewhere since you saw it: rate."))
    try tracking.press("ctrl-r")
    #expect(tracking.projectForm?.rate.text == "90")
    #expect(tracking.projectForm?.color.text == "orange")
    try tracking.press("enter")
    #expect(tracking.domain.projects[Self.id]?.rate == 9_000)
    #expect(tracking.domain.projects[Self.id]?.color == Project.colors[3])
  }

  @Test func `the first rate makes a project billable, unless the user says otherwise`() throws {
    for (keys, isBillable) in [([], true), (["tab", "tab", "tab", "text: "], false)]
      as [([String], Bool)]
    {
      var tracking = try Tracking()
      try tracking.perform(.project(.create(Project(name: Name("x")))))
      try tracking.press("text:p", "down", "enter", "tab", "tab", "text:85")
      for key in keys { try tracking.press(key) }
      try tracking.press("enter")
      #expect(tracking.domain.projects[Self.id]?.rate == 8_500)
      #expect(tracking.domain.projects[Self.id]?.isBillable == isBillable)
    }
  }

  @Test func `a path opens the form with the list below it, and a draft survives a restart [N1]`()
    throws
  {
    var tracking = try Self.tracking()
    let action = try TimeTracker.opening(
      "lists/0/projects/0", in: tracking.scene, of: tracking.store.state)
    try tracking.send(action)
    #expect(
      tracking.stack?.routes.map(\.path) == ["timer/0", "lists/0/projects", "lists/0/projects/0"])
    #expect(tracking.projectForm?.rate.text == "85.00")
    try tracking.press("text: half", "tab")
    let scene = try #require(tracking.store.state.scenes[tracking.scene])
    let bytes = scene.encoded()
    var reader = AvroReader(bytes.span)
    #expect(try Scene(decoding: &reader) == scene)
    for path in ["lists/0/projects/1", "lists/1/projects/0", "lists/1/tags"] {
      #expect(throws: LinkProblem.self) {
        try TimeTracker.opening(path, in: tracking.scene, of: tracking.store.state)
      }
    }
  }
}
