import Retrace
import TimeTracking

extension ProjectFormRoute {
  /// Creates a form that shows a project.
  init(_ user: UserID, _ id: ProjectID, _ project: Project, in domain: DomainState) {
    self.init(user: user)
    let seen = SeenProject(project, in: domain)
    self.project = id
    self.seen = seen
    name = TextDraft(seen.name.text)
    client = TextDraft(seen.clientText)
    rate = TextDraft(seen.rateText)
    estimate = TextDraft(seen.estimateText)
    color = TextDraft(seen.colorText)
  }

  /// Creates a form for a new project, with the color that the fewest projects have.
  ///
  /// - Complexity: O(projects).
  init(newFor user: UserID, in domain: DomainState) {
    self.init(user: user)
    let color = domain.suggestedColor(in: domain.users[user]?.workspace)
    self.color = TextDraft(Project.text(ofColor: color))
  }

  /// Returns the workspace of the project.
  func workspace(in domain: DomainState) -> WorkspaceID? {
    if let project { return domain.projects.read(project) { $0.workspace } ?? nil }
    return domain.users[user]?.workspace
  }

  /// Returns the currency of the rate; `nil` if none is set.
  func currency(in domain: DomainState) -> String? {
    guard let workspace = workspace(in: domain) else { return domain.currency(of: user) }
    return domain.workspaces.read(workspace) { $0.currency }
  }
}

extension SeenProject {
  /// Creates the values and texts of a project.
  init(_ project: Project, in domain: DomainState) {
    name = project.name
    client = project.client
    let known = project.client.flatMap { domain.clients.resolve($0) }
    clientText = known.flatMap { domain.clients.read($0) { $0.name.text } } ?? ""
    rate = project.rate
    rateText = project.rate.map { Amount.decimal($0) } ?? ""
    estimate = project.estimate
    estimateText = project.estimate?.clock ?? ""
    color = project.color
    colorText = Project.text(ofColor: project.color)
    isBillable = project.isBillable
  }

  /// Returns the names of the fields in which another value differs, with its texts.
  func changes(to other: SeenProject) -> [String] {
    var changes: [String] = []
    func add(_ name: String, _ text: String) {
      changes.append("\(name) \(text.isEmpty ? "none" : SafeText.line(text, bytesMax: 80))")
    }
    if !name.text.hasBytes(of: other.name.text) { add("name", other.name.text) }
    if client != other.client { add("client", other.clientText) }
    if rate != other.rate { add("rate", other.rateText) }
    if estimate != other.estimate { add("estimate", other.estimateText) }
    if color != other.color { add("color", other.colorText) }
    if isBillable != other.isBillable { add("billable", other.isBillable ? "yes" : "no") }
    return changes
  }
}
