import RetraceArchitecture
import RetraceState
import Testing
import TimeTracking

/// What the form of a project offers.
@Suite struct ProjectFormTests {
  @Test func `workspaces are offered by name, else all [M11]`() throws {
    var desk = try ReportDesk()
    let (work, home) = (try desk.workspace("Work"), try desk.workspace("Home work"))
    #expect(desk.state.workspaceSuggestions(for: "") == [.workspace(home), .workspace(work)])
    #expect(desk.state.workspaceSuggestions(for: "work") == [.workspace(work), .workspace(home)])
    #expect(desk.state.workspaceSuggestions(for: "HO wo") == [.workspace(home)])
    #expect(desk.state.workspaceSuggestions(for: "x").isEmpty)
  }

  @Test func `clients of the workspace follow no client, and a new one comes last [M11]`() throws {
    var desk = try ReportDesk()
    let home = try desk.workspace("Home")
    let (acme, apex) = (try desk.client("Acme", in: home), try desk.client("Apex", in: home))
    try desk.client("Elsewhere")
    func clients(_ text: String) -> [ProjectFormSuggestion] {
      desk.state.clientSuggestions(for: text, in: home)
    }
    #expect(clients("") == [.client(nil), .client(acme), .client(apex)])
    #expect(clients("ap") == [.client(nil), .client(apex), .createClient(Name("ap"))])
    #expect(clients(" ACME ") == [.client(nil), .client(acme)])
    #expect(clients("Elsewhere") == [.client(nil), .createClient(Name("Elsewhere"))])
    try desk.perform(.client(.merge(acme, into: apex, reason: nil)))
    #expect(clients("acme") == [.client(nil), .client(apex)])
  }

  @Test func `a project of an equal name, workspace and client is a duplicate [M11]`() throws {
    var desk = try ReportDesk()
    let home = try desk.workspace("Home")
    let client = try desk.client("Acme", in: home)
    let project = try desk.project("Web site", in: home, of: client)
    func duplicate(_ name: String, _ workspace: WorkspaceID?, _ client: ClientID?) -> ProjectID? {
      desk.state.projects.rival(
        of: Project(name: Name(name), workspace: workspace, client: client))
    }
    #expect(duplicate("  WEB   SITE ", home, client) == project)
    #expect(duplicate("Web site", home, nil) == nil && duplicate("Web site", nil, nil) == nil)
    #expect(throws: DomainRefusal.project(.nameTaken(Name("web site")))) {
      try desk.project("WEB SITE", in: home, of: client)
    }
  }

  @Test func `the colour that the fewest projects have is offered [M11]`() throws {
    var desk = try ReportDesk()
    let home = try desk.workspace("Home")
    var offered: [Int32] = []
    for number in 0..<(2 * Project.colors.count) {
      let color = desk.state.suggestedColor(in: home)
      offered.append(color)
      var project = Project(name: Name("P\(number)"), workspace: home)
      project.color = color
      try desk.perform(.project(.create(project)))
    }
    #expect(offered == Project.colors + Project.colors)
    #expect(desk.state.suggestedColor(in: nil) == Project.colors[0])
    let third = ProjectID(value: 2)
    try desk.perform(.project(.delete(third, reason: nil)))
    #expect(desk.state.suggestedColor(in: home) == Project.colors[2])
  }
}
