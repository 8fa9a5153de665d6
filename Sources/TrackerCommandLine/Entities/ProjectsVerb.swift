import Retrace
import RetraceCommandLine
import RetraceFilter
import RetraceToolSupport
import TimeTracking
import TrackerFeatures

/// Lists and changes projects.
struct ProjectsVerb: EntityVerb {
  static let name = "projects"
  static let fields = [
    EntityVerbOptions.clientOption, EntityVerbOptions.colorOption, EntityVerbOptions.rateOption,
    EntityVerbOptions.estimateOption, EntityVerbOptions.billableOption,
    EntityVerbOptions.notBillableOption,
  ]
  static let syntax = EntityVerbOptions.syntax(
    name, .project, "List projects, or create, change, merge, archive and delete them.",
    """
      track projects
      track projects create "big project" --client ACME --rate 85
      track projects set thesis --color teal --estimate 120h
      track projects merge thesys thesis
    """, fields + [EntityVerbOptions.workspaceOption],
    more: """
       Among projects of the same name, CLIENT/PROJECT is the one of a client, and /PROJECT the \
      one without a client. Two projects with tasks of the same name are merged only after one of \
      these tasks is renamed.

      With an estimate, the time that all entries of the project have taken is listed, too.

      A new entry is billable if its project is, or with --billable. A project is billable with \
      --billable, if it gets a rate, or if `create` puts it into a workspace that has a rate, \
      unless --not-billable is given, too. A billable entry takes the rate of its project, of its \
      user or of its workspace, the first that is set, and keeps it when that changes; \
      `track edit ID --rate project` takes the present one.
      """)

  static let noun = "project"
  static let durationOption: CommandOption? = EntityVerbOptions.estimateOption
  static let placeOption: CommandOption? = EntityVerbOptions.workspaceOption

  let options: EntityVerbOptions

  init(_ options: EntityVerbOptions) { self.options = options }

  func table(in domain: DomainState) -> EntityTable<ProjectID, Project> { domain.projects }

  func domainCommand(_ command: EntityCommand<ProjectID, ProjectChanges>) -> DomainCommand {
    .project(command)
  }

  func entity(named name: Name, in domain: DomainState) throws(ToolFailure) -> Project {
    Project.new(named: name, in: try options.workspace(in: domain) ?? nil, of: domain)
  }

  func setFields(of project: inout Project, in domain: DomainState) throws(ToolFailure) {
    if let client = try options.client(of: project, in: domain) { project.client = client }
    if let color = try options.color() { project.color = color }
    let currency = try options.currency(of: project.workspace, in: domain)
    if let rate = try options.rate(in: currency) { project.setRate(rate) }
    if let estimate = try options.estimate() { project.estimate = estimate }
    if let isBillable = try options.isBillable() { project.isBillable = isBillable }
  }

  func details(
    of project: Project, in domain: DomainState, _ longNames: [ProjectID: String]
  ) -> [EntityDetail] { domain.details(of: project) }

  func place(in domain: DomainState) throws(ToolFailure) -> (Project) -> Bool {
    try isInWorkspace({ $0.workspace }, in: domain)
  }

  func others(named text: String, in domain: DomainState) -> [ProjectID] {
    domain.projects(named: text)
  }

  func qualifiedName(of project: Project, in domain: DomainState) -> String? {
    domain.qualifiedName(of: project)
  }

  func owners(of entry: TimeEntry, _ aliases: inout AliasResolver) -> [ProjectID] {
    aliases.project(entry.project).map { [$0] } ?? []
  }

  func target(of id: ProjectID, in domain: DomainState) -> ProjectID? {
    domain.projects.target(of: id)
  }

  func needed(
    for operation: EntityOperation, in domain: DomainState
  ) throws(ToolFailure) -> DomainCommand? {
    guard options.arguments.has(EntityVerbOptions.clientOption) else { return nil }
    switch operation {
    case .create(let name):
      let workspace = try options.workspace(in: domain) ?? nil
      return options.newClient(of: Project(name: Name(name), workspace: workspace), in: domain)
    case .set(let name):
      let id = try id(of: name, in: domain)
      return domain.projects[id].flatMap { options.newClient(of: $0, in: domain) }
    default: return nil
    }
  }

  func remarks(
    on id: ProjectID, from before: Project?, to after: Project, in domain: DomainState
  ) -> [String] {
    let own = (try? options.context.defaultUserName()).flatMap { domain.user(named: $0) }
    let remarks = domain.billingRemarks(of: after, id, since: before, for: own)
    guard before == nil else { return remarks }
    return (wholeNameRemark(of: after).map { [$0] } ?? []) + remarks
  }

  /// Returns the note on a new project whose name looks like CLIENT/PROJECT; `nil` for other names.
  private func wholeNameRemark(of project: Project) -> String? {
    let parts = project.name.text.split(separator: "/", maxSplits: 1).map { Name(String($0)) }
    guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else { return nil }
    let (client, name) = (commandWord(parts[0].text), commandWord(parts[1].text))
    return "\(project.name.text) is the whole name of the project; `track projects create \(name) "
      + "--client \(client)` creates \(parts[1].text) of the client \(parts[0].text)"
  }

  func adviceOnMerge(
    of id: ProjectID, into other: ProjectID, in domain: DomainState
  ) -> String? { domain.advice(onTasksOf: id, and: other) }
}

extension DomainState {
  /// The most users for whose entries a note is printed.
  private static var notedUsersMax: Int { 3 }

  /// Returns the notes to print about the billing of a new or changed project.
  ///
  /// - Parameters:
  ///   - project: The project.
  ///   - id: Its id.
  ///   - before: The project before; `nil` for a new one.
  ///   - own: The user of the command line.
  fileprivate func billingRemarks(
    of project: Project, _ id: ProjectID, since before: Project?, for own: UserID?
  ) -> [String] {
    guard project.isBillable else { return [] }
    guard let before else {
      guard project.rate == nil, let place = project.workspace.flatMap({ workspaces[$0] }) else {
        return []
      }
      guard place.rate != nil else { return [] }
      return ["new entries are billable, at the rate of the workspace \(place.name.text)"]
    }
    let isNewRate = before.rate != project.rate
    guard !before.isBillable || isNewRate,
      let name = shownName(of: id, longNames(ofAll: [id]))
    else { return [] }
    let term = "\(FilterTerm.project(name))"
    var remarks = self.remarks(on: id, for: own, where: { !$0.isBillable }) { count, of, user in
      "\(count) earlier \(count == 1 ? "entry" : "entries")\(of) "
        + "\(count == 1 ? "is" : "are") not billable; `track edit\(user) --filter "
        + "\(commandWord(term)) --billable` bills \(count == 1 ? "it" : "them")"
    }
    guard isNewRate, project.rate != nil else { return remarks }
    let filter = commandWord("\(term) billable:yes rate:none")
    remarks += self.remarks(on: id, for: own, where: { $0.isBillable && $0.rate == nil }) {
      count, of, user in
      "\(count) earlier billable \(count == 1 ? "entry" : "entries")\(of) "
        + "\(count == 1 ? "has" : "have") no rate; `track edit\(user) --filter \(filter) "
        + "--rate \(EditVerb.presentRate)` gives \(count == 1 ? "it" : "them") this one"
    }
    return remarks
  }

  /// Returns a note for each user with certain visible entries of a project.
  ///
  /// - Parameters:
  ///   - project: The project.
  ///   - own: The user whose entries a command changes without an option.
  ///   - isMeant: Returns whether an entry is one of those to note.
  ///   - text: Returns the note, given the number of entries, the words that name another user
  ///     than `own`, and the option for that user.
  /// - Complexity: O(entries).
  private func remarks(
    on project: ProjectID, for own: UserID?, where isMeant: (TimeEntry) -> Bool,
    _ text: (_ count: Int, _ of: String, _ user: String) -> String
  ) -> [String] {
    var counts: [UserID: Int] = [:]
    var visible = VisibleEntries(self)
    var aliases = AliasResolver(self)
    timeEntries.forEach { _, entry in
      if isMeant(entry), visible.contains(entry), aliases.project(entry.project) == project {
        counts[entry.user, default: 0] += 1
      }
    }
    let sorted = counts.sorted { ($0.key == own ? 0 : 1, $0.key) < ($1.key == own ? 0 : 1, $1.key) }
    return sorted.prefix(Self.notedUsersMax).map { user, count in
      let name = user == own ? nil : users.read(user) { $0.name.text }
      return text(
        count, name.map { " of \($0)" } ?? "",
        name.map { " --user \(commandWord($0))" } ?? "")
    }
  }

  /// The note about a rate of a user or of a workspace that may have no effect yet.
  static let rateRemark =
    "it is the rate of billable entries; `track projects set NAME --billable` makes the new ones "
    + "of a project billable"
}
