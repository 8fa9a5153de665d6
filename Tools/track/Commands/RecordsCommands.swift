import RetraceArchitecture
import RetraceCommandLine
import RetraceFilter
import RetraceState
import RetraceToolSupport
import TimeTracking

/// Lists and changes projects.
struct ProjectsCommand: TrackCommand {
  static let name = "projects"
  private static let fields = [
    RecordOptions.clientOption, RecordOptions.colorOption, RecordOptions.rateOption,
    RecordOptions.estimateOption, RecordOptions.billableOption, RecordOptions.notBillableOption,
  ]
  static let syntax = RecordOptions.syntax(
    name, .project, "List projects, or create, change, merge, archive and delete them.",
    """
      track projects
      track projects create "big project" --client ACME --rate 85
      track projects set thesis --color teal --estimate 120h
      track projects merge thesys thesis
    """, fields + [RecordOptions.workspaceOption],
    more: """
       Of projects of one name, CLIENT/PROJECT names one, and /PROJECT the one without a client. \
      Two projects that both have a task of one name are merged only after one of these is renamed.

      With an estimate, the time that all entries of the project have taken is listed, too.

      A new entry is billable if its project is, or with --billable. A project is billable with \
      --billable, if it gets a rate, or if `create` puts it into a workspace that has a rate, \
      unless --not-billable is given, too. A billable entry takes the rate of its project, of its \
      user or of its workspace, the first that is set, and keeps it when that changes; \
      `track edit ID --rate project` takes the present one.
      """)

  let options: RecordOptions

  init(_ arguments: CommandArguments) { options = RecordOptions(arguments: arguments) }

  func perform() throws(ToolFailure) { try options.perform(Self.kind(options)) }

  /// The projects that options are about.
  static func kind(_ options: RecordOptions) -> RecordKind<ProjectID, ProjectChanges> {
    RecordKind(
      noun: "project", table: { $0.projects }, command: DomainCommand.project,
      make: { (name, domain) throws(ToolFailure) in
        var project = Project(name: name, workspace: try options.workspace(in: domain) ?? nil)
        // As one that gets a rate of its own.
        project.isBillable = project.workspace.flatMap { domain.workspaces[$0]?.rate } != nil
        return project
      },
      place: { (domain) throws(ToolFailure) in
        let workspace = try options.workspace(in: domain)
        return { entity in
          entity.mergedInto == nil && (workspace.map { entity.workspace == $0 } ?? true)
        }
      },
      placeOption: options.given([RecordOptions.workspaceOption]).first?.name,
      given: options.given(fields),
      set: { (project, domain) throws(ToolFailure) in
        if let client = try options.client(of: project, in: domain) { project.client = client }
        if let color = try options.color() { project.color = color }
        if let rate = try options.rate() {
          // A project that gets a rate of its own is billable unless an option says otherwise.
          if project.rate == nil && rate != nil { project.isBillable = true }
          project.rate = rate
        }
        if let estimate = try options.estimate() { project.estimate = estimate }
        if let isBillable = try options.isBillable() { project.isBillable = isBillable }
      },
      details: { project, domain, _ in domain.details(of: project) },
      duration: RecordOptions.estimateOption.name,
      others: { text, domain in domain.projects(named: text) },
      qualifiedName: { project, domain in domain.qualifiedName(of: project) },
      needed: { (change, domain) throws(ToolFailure) in
        guard options.arguments.has(RecordOptions.clientOption) else { return nil }
        switch change {
        case .create(let name):
          let workspace = try options.workspace(in: domain) ?? nil
          return options.newClient(
            of: Project(name: Name(name), workspace: workspace), in: domain)
        case .set(let name):
          let id = try Self.kind(options).id(of: name, in: domain)
          return domain.projects[id].flatMap { options.newClient(of: $0, in: domain) }
        default: return nil
        }
      },
      owners: { entry, aliases in aliases.project(entry.project).map { [$0] } ?? [] },
      target: { $1.projects.target(of: $0) },
      remarks: { id, before, project, domain in
        domain.billingRemark(of: project, id, since: before).map { [$0] } ?? []
      },
      check: { (project, id, domain) throws(ToolFailure) in
        try domain.checkClient(of: project, id)
      },
      checkMerge: { (project, other, domain) throws(ToolFailure) in
        try domain.checkTasks(of: project, into: other)
      })
  }
}

extension DomainState {
  /// Returns what a list says of a project besides its name.
  fileprivate func details(of project: Project) -> [RecordDetail] {
    var details: [RecordDetail] = []
    if let client = project.client.flatMap({ clients.resolve($0) }),
      let name = clients.read(client, { $0.name.text })
    {
      details.append(RecordDetail("client", name))
    }
    if let name = name(of: project.workspace) {
      details.append(RecordDetail("workspace", name))
    }
    if let rate = project.rate { details.append(RecordDetail("rate", Amount.decimal(rate))) }
    if project.isBillable { details.append(RecordDetail("billable", "yes")) }
    if let estimate = project.estimate {
      details.append(RecordDetail(estimate: estimate))
    }
    // A project has the first color unless another one was set.
    let color = RecordOptions.text(ofColor: project.color)
    details.append(
      RecordDetail("color", color, isListed: project.color != Project.colors.first))
    return details
  }

  /// Returns the note to print about the billing of a project that was made or changed.
  fileprivate func billingRemark(
    of project: Project, _ id: ProjectID, since before: Project?
  ) -> String? {
    guard project.isBillable else { return nil }
    guard let before else {
      guard project.rate == nil, let place = project.workspace.flatMap({ workspaces[$0] }) else {
        return nil
      }
      guard place.rate != nil else { return nil }
      return "new entries are billable, at the rate of the workspace \(place.name.text)"
    }
    let isNews = !before.isBillable || before.rate != project.rate
    return isNews ? unbilledRemark(of: id) : nil
  }

  /// Returns how many entries of a project are not billable, and how to bill them; `nil` for none.
  ///
  /// - Complexity: O(entries).
  fileprivate func unbilledRemark(of project: ProjectID) -> String? {
    var count = 0
    var visible = VisibleEntries(self)
    var aliases = AliasResolver(self)
    timeEntries.forEach { _, entry in
      if !entry.isBillable, visible.contains(entry), aliases.project(entry.project) == project {
        count += 1
      }
    }
    guard count > 0, let name = shownName(of: project, longNames(ofAll: [project])) else {
      return nil
    }
    let filter = commandWord("\(FilterTerm.project(name))")
    return "\(count) earlier \(count == 1 ? "entry is" : "entries are") not billable; "
      + "`track edit --filter \(filter) --billable` bills \(count == 1 ? "it" : "them")"
  }

  /// What is said of a rate of a user or of a workspace that may have no effect yet.
  fileprivate static let rateRemark =
    "it is the rate of billable entries; `track projects set NAME --billable` makes the new ones "
    + "of a project billable"

  /// Refuses the name and the client of a project if another one has them by a merge, because
  /// nothing would tell the two apart.
  fileprivate func checkClient(of project: Project, _ id: ProjectID?) throws(ToolFailure) {
    let before = id.flatMap { projects[$0] }
    guard let client = project.client.flatMap({ clients.resolve($0) }),
      before?.name != project.name || before?.client != project.client
    else { return }
    var own = [NamedProject(name: project.name)]
    // A project that was merged gives its name to this one.
    projects.forEach { alias, entity in
      if entity.deleted == nil, entity.mergedInto != nil, projects.resolve(alias) == id {
        own.append(NamedProject(name: entity.name, isAlias: true))
      }
    }
    let others = namedProjects(of: client).filter { $0.id != id }
    let taken = own.first { project in others.contains { $0.isMistaken(for: project) } }
    if let taken { throw .taken(taken.name) }
  }

  /// Returns the names of the projects of a client, also of those that were merged into them.
  private func namedProjects(of client: ClientID) -> [NamedProject] {
    var found: [NamedProject] = []
    projects.forEach { id, project in
      guard project.deleted == nil, let end = projects.resolve(id),
        projects[end]?.client.flatMap({ clients.resolve($0) }) == client
      else { return }
      found.append(NamedProject(name: project.name, id: end, isAlias: id != end))
    }
    return found
  }

  /// Refuses to merge a project into another one if both have a task of one name, because nothing
  /// would tell these tasks apart.
  fileprivate func checkTasks(of project: ProjectID, into other: ProjectID) throws(ToolFailure) {
    guard project != other, let name = projects[project].map({ qualifiedName(of: $0) }) else {
      return
    }
    var (own, others, names): ([Name], Set<Name>, Set<Name>) = ([], [], [])
    tasks.forEach { _, task in
      guard task.deleted == nil, task.mergedInto == nil else { return }
      names.insert(task.name)
      switch projects.resolve(task.project) {
      case project: own.append(task.name)
      case other: others.insert(task.name)
      default: break
      }
    }
    let shared = own.filter(others.contains)
    guard !shared.isEmpty else { return }
    let commands = shared.map { task in
      let words = [task.text, task.free(among: &names), "--project", name].map(commandWord)
      return "`track tasks rename \(words.joined(separator: " "))`"
    }
    throw ToolFailure(
      what: "Nothing was changed.",
      why: "Both projects have a task of one name: "
        + shared.map(\.text).joined(separator: ", ") + ".",
      advice: "Give one of them another name first: \(commands.joined(separator: ", ")).",
      exitCode: ToolExit.refused)
  }

  /// Refuses the name of a task if another one of the project has it by a merge of projects.
  fileprivate func checkName(of task: ProjectTask, _ id: TaskID?) throws(ToolFailure) {
    guard id.flatMap({ tasks[$0] })?.name != task.name else { return }
    var isTaken = false
    tasks.forEach { other, rival in
      if other != id, rival.deleted == nil, rival.name == task.name,
        projects.resolve(rival.project) == projects.resolve(task.project)
      {
        isTaken = true
      }
    }
    if isTaken { throw .taken(task.name) }
  }
}

/// A name of a project: its own, or that of one that was merged into it.
private struct NamedProject {
  var name: Name
  /// The project after all merges.
  var id: ProjectID?
  var isAlias = false

  /// Returns whether both names are one, and it is the own name of a project: nothing else names
  /// that one.
  func isMistaken(for other: NamedProject) -> Bool {
    name == other.name && (id == nil || id != other.id) && !(isAlias && other.isAlias)
  }
}

extension Name {
  /// Returns the name with the first number after it that makes it a new one, which is added.
  fileprivate func free(among names: inout Set<Name>) -> String {
    let number = (2...).first { !names.contains(Name("\(text) \($0)")) } ?? 2
    names.insert(Name("\(text) \(number)"))
    return "\(text) \(number)"
  }
}

extension ToolFailure {
  /// Returns the refusal of a name that another entity of the same place has.
  fileprivate static func taken(_ name: Name) -> ToolFailure {
    ToolFailure(
      what: "Nothing was changed.", why: "The name \(name.text) is taken.",
      advice: "Choose another one.", exitCode: ToolExit.refused)
  }
}

/// Lists and changes clients.
struct ClientsCommand: TrackCommand {
  static let name = "clients"
  static let syntax = RecordOptions.syntax(
    name, .client, "List clients, or create, rename, merge, archive and delete them.",
    """
      track clients
      track clients create "Big Bank"
      track clients rename ACME "ACME Ltd."
    """, [RecordOptions.workspaceOption],
    more: """
       Two clients that both have a project of one name are merged only after those projects. The \
      name of a project that was merged counts, too.
      """)

  let options: RecordOptions

  init(_ arguments: CommandArguments) { options = RecordOptions(arguments: arguments) }

  func perform() throws(ToolFailure) { try options.perform(Self.kind(options)) }

  /// The clients that options are about.
  static func kind(_ options: RecordOptions) -> RecordKind<ClientID, ClientChanges> {
    RecordKind(
      noun: "client", table: { $0.clients }, command: DomainCommand.client,
      make: { (name, domain) throws(ToolFailure) in
        Client(name: name, workspace: try options.workspace(in: domain) ?? nil)
      },
      place: { (domain) throws(ToolFailure) in
        let workspace = try options.workspace(in: domain)
        return { entity in
          entity.mergedInto == nil && (workspace.map { entity.workspace == $0 } ?? true)
        }
      },
      placeOption: options.given([RecordOptions.workspaceOption]).first?.name,
      given: [], set: { _, _ in },
      details: { client, domain, _ in
        domain.name(of: client.workspace).map { [RecordDetail("workspace", $0)] } ?? []
      },
      owners: { entry, aliases in aliases.client(of: entry.project).map { [$0] } ?? [] },
      target: { $1.clients.target(of: $0) },
      checkMerge: { (client, other, domain) throws(ToolFailure) in
        try domain.checkMerge(of: client, into: other)
      })
  }
}

extension DomainState {
  /// Refuses to merge a client into another one if both have a project of one name, because nothing
  /// would tell these projects apart.
  fileprivate func checkMerge(
    of client: ClientID, into other: ClientID
  ) throws(ToolFailure) {
    guard client != other else { return }
    let (own, others) = (namedProjects(of: client), namedProjects(of: other))
    let pairs = own.compactMap { project in
      others.first { $0.isMistaken(for: project) }.map { (project, $0) }
    }
    guard !pairs.isEmpty, let target = clients[other]?.name.text else { return }
    var names: Set<Name> = []
    projects.forEach { names.insert($1.name) }
    func word(_ named: NamedProject) -> String {
      commandWord(named.id.flatMap { projects[$0] }.map { qualifiedName(of: $0) } ?? "")
    }
    let commands = pairs.flatMap { own, kept in
      let free = commandWord(own.name.free(among: &names))
      let workspace = own.id.flatMap { projects[$0]?.workspace }
      let place = name(of: workspace).map { " --workspace \(commandWord($0))" } ?? ""
      // The name of a project that was merged stays.
      let steps =
        own.isAlias || kept.isAlias
        ? ["rename \(word(own.isAlias ? kept : own)) \(free)"]
        : [
          "rename \(word(own)) \(free)", "set \(free) --client \(commandWord(target))",
          "merge \(free) \(word(kept))",
        ]
      return steps.map { "`track projects \($0)\(place)`" }
    }
    throw ToolFailure(
      what: "Nothing was changed.",
      why: "Both clients have a project of one name: "
        + pairs.map(\.0.name.text).joined(separator: ", ") + ".",
      advice: "Merge or rename these projects first: \(commands.joined(separator: ", ")).",
      exitCode: ToolExit.refused)
  }
}

/// Lists and changes the tasks of projects.
struct TasksCommand: TrackCommand {
  static let name = "tasks"
  private static let fields = [RecordOptions.estimateOption]
  static let syntax = RecordOptions.syntax(
    name, .task, "List the tasks of projects, or create, change, merge, archive and delete them.",
    """
      track tasks --project thesis
      track tasks create writing --project thesis --estimate 40h
      track tasks archive writing --project thesis
    """, [RecordOptions.projectOption] + fields)

  let options: RecordOptions

  init(_ arguments: CommandArguments) { options = RecordOptions(arguments: arguments) }

  func perform() throws(ToolFailure) { try options.perform(Self.kind(options)) }

  /// The tasks that options are about.
  static func kind(_ options: RecordOptions) -> RecordKind<TaskID, ProjectTaskChanges> {
    @Sendable func project(_ domain: DomainState) throws(ToolFailure) -> ProjectID? {
      guard let name = options.arguments[RecordOptions.projectOption] else { return nil }
      return try ProjectsCommand.kind(options).id(of: name, in: domain)
    }
    return RecordKind(
      noun: "task", table: { $0.tasks }, command: DomainCommand.task,
      make: { (name, domain) throws(ToolFailure) in
        guard let project = try project(domain) else {
          throw .usage(
            "A task belongs to a project.", advice: "Name the project with --project.")
        }
        return ProjectTask(name: name, project: project)
      },
      place: { (domain) throws(ToolFailure) in
        let project = try project(domain)
        return { task in
          guard task.mergedInto == nil else { return false }
          return project.map { domain.projects.resolve(task.project) == $0 } ?? true
        }
      },
      placeOption: options.given([RecordOptions.projectOption]).first?.name,
      choosingOption: RecordOptions.projectOption,
      given: options.given(fields),
      set: { (task, _) throws(ToolFailure) in
        if let estimate = try options.estimate() { task.estimate = estimate }
      },
      details: { task, domain, longNames in
        var details: [RecordDetail] = []
        if let project = domain.projects.resolve(task.project),
          let name = domain.projects.read(project, { $0.name.text })
        {
          let shown = domain.shownName(of: project, longNames) ?? name
          details.append(RecordDetail("project", name, shown: "project \(shown)"))
        }
        if let estimate = task.estimate {
          details.append(RecordDetail(estimate: estimate))
        }
        return details
      }, project: { $0.project }, duration: RecordOptions.estimateOption.name,
      owners: { entry, aliases in aliases.task(entry.task).map { [$0] } ?? [] },
      target: { $1.tasks.target(of: $0) },
      check: { (task, id, domain) throws(ToolFailure) in
        try domain.checkName(of: task, id)
      })
  }
}

/// Lists and changes tags.
struct TagsCommand: TrackCommand {
  static let name = "tags"
  static let syntax = RecordOptions.syntax(
    name, .tag, "List tags, or create, rename, merge, archive and delete them.",
    """
      track tags
      track tags rename metting meeting
      track tags merge mtg meeting
    """, [RecordOptions.workspaceOption])

  let options: RecordOptions

  init(_ arguments: CommandArguments) { options = RecordOptions(arguments: arguments) }

  func perform() throws(ToolFailure) { try options.perform(Self.kind(options)) }

  /// The tags that options are about.
  static func kind(_ options: RecordOptions) -> RecordKind<TagID, TagChanges> {
    RecordKind(
      noun: "tag", table: { $0.tags }, command: DomainCommand.tag,
      make: { (name, domain) throws(ToolFailure) in
        Tag(name: name, workspace: try options.workspace(in: domain) ?? nil)
      },
      place: { (domain) throws(ToolFailure) in
        let workspace = try options.workspace(in: domain)
        return { entity in
          entity.mergedInto == nil && (workspace.map { entity.workspace == $0 } ?? true)
        }
      },
      placeOption: options.given([RecordOptions.workspaceOption]).first?.name,
      given: [], set: { _, _ in },
      details: { tag, domain, _ in
        domain.name(of: tag.workspace).map { [RecordDetail("workspace", $0)] } ?? []
      }, owners: { entry, aliases in aliases.tags(entry.tags) }, target: { $1.tags.target(of: $0) })
  }
}

/// Lists and changes users.
struct UsersCommand: TrackCommand {
  static let name = "users"
  static let workspaceOption = CommandOption(
    "workspace", value: "name", kind: .tracker(.workspace),
    "The workspace of new entries; an empty name for none.")
  private static let fields = [workspaceOption, RecordOptions.rateOption]
  static let syntax = CommandSyntax(
    "track \(name)",
    summary: "List users, or create, rename, change, archive and delete them.",
    discussion: """
      Without words they are listed. A user who is archived keeps the entries and is not offered \
      any more. One who has entries is deleted only with --yes. The command line is that of the \
      login name, or of the user of `track config`: set that after a rename. New entries are in \
      the workspace of their user, and rates without a workspace are in its currency; if entries \
      have such rates, only --yes changes the currency of these. The rate of \
      a user is that of billable entries of projects without a rate: see `track help projects`.

      EXAMPLES
        track users
        track users rename jon john
        track users delete jhon
        track users set anna --workspace studio --rate 90
      """,
    operands: RecordOptions.operandsWithoutMerge(.user),
    options: TrackerOptions.ofAnyUser + RecordOptions.all
      + fields)

  let options: RecordOptions

  init(_ arguments: CommandArguments) { options = RecordOptions(arguments: arguments) }

  func perform() throws(ToolFailure) {
    let options = options
    try options.perform(
      RecordKind<UserID, UserChanges>(
        noun: "user", table: { $0.users }, command: DomainCommand.user,
        make: { name, _ in User(name: name) }, place: { _ in { _ in true } }, canMerge: false,
        given: options.given(Self.fields),
        set: { (user, domain) throws(ToolFailure) in
          if let workspace = try options.workspace(in: domain) { user.workspace = workspace }
          if let rate = try options.rate() { user.rate = rate }
        },
        details: { user, domain, _ in
          var details: [RecordDetail] = []
          if let name = domain.name(of: user.workspace) {
            details.append(RecordDetail("workspace", name))
          }
          if let rate = user.rate { details.append(RecordDetail("rate", Amount.decimal(rate))) }
          return details
        }, owners: { entry, _ in [entry.user] },
        remarks: { _, before, user, _ in
          user.rate != nil && user.rate != before?.rate ? [DomainState.rateRemark] : []
        },
        check: { (user, id, domain) throws(ToolFailure) in
          guard let id, let before = domain.users[id],
            !options.arguments.has(RecordOptions.yesOption)
          else { return }
          try domain.checkCurrency(
            from: domain.currency(of: before.workspace), to: domain.currency(of: user.workspace)
          ) { $0.user == id && $0.workspace == nil }
        }))
  }
}

/// Lists and changes workspaces.
struct WorkspacesCommand: TrackCommand {
  static let name = "workspaces"
  private static let fields = [RecordOptions.currencyOption, RecordOptions.rateOption]
  static let syntax = CommandSyntax(
    "track \(name)",
    summary: "List workspaces, or create, change, archive and delete them.",
    discussion: """
      A workspace has clients, projects and tags of its own, and the currency of their rates. \
      `track users set NAME --workspace WORKSPACE` makes it the one of a user's new entries, and \
      its currency that of the user's entries without a workspace. Its rate is that of billable \
      entries if neither their project nor their user has one, and a new project in it is then \
      billable. Without words, workspaces are listed. A workspace that is in use cannot be \
      deleted, and none can be merged. If entries have rates, only --yes changes their currency.

      EXAMPLES
        track workspaces
        track workspaces create studio --currency USD --rate 90
        track projects create website --workspace studio
      """,
    operands: RecordOptions.operandsWithoutMerge(.workspace),
    options: TrackerOptions.ofAnyUser + RecordOptions.all
      + fields)

  let options: RecordOptions

  init(_ arguments: CommandArguments) { options = RecordOptions(arguments: arguments) }

  func perform() throws(ToolFailure) { try options.perform(Self.kind(options)) }

  /// The workspaces.
  static func kind(_ options: RecordOptions) -> RecordKind<WorkspaceID, WorkspaceChanges> {
    RecordKind(
      noun: "workspace", table: { $0.workspaces }, command: DomainCommand.workspace,
      make: { name, _ in Workspace(name: name) },
      place: { _ in { _ in true } }, canMerge: false, given: options.given(fields),
      set: { (workspace, _) throws(ToolFailure) in
        if let code = options.arguments[RecordOptions.currencyOption] { workspace.currency = code }
        if let rate = try options.rate() { workspace.rate = rate }
      },
      details: { workspace, _, _ in
        var details = [RecordDetail("currency", workspace.currency)]
        if let rate = workspace.rate { details.append(RecordDetail("rate", Amount.decimal(rate))) }
        return details
      },
      remarks: { id, before, workspace, domain in
        guard workspace.rate != nil, workspace.rate != before?.rate else { return [] }
        var isBilled = true
        domain.projects.forEach { _, project in
          if project.workspace == id, project.deleted == nil, !project.isBillable {
            isBilled = false
          }
        }
        return isBilled ? [] : [DomainState.rateRemark]
      },
      check: { (workspace, id, domain) throws(ToolFailure) in
        guard let id, let before = domain.workspaces[id],
          !options.arguments.has(RecordOptions.yesOption)
        else { return }
        try domain.checkCurrency(from: before.currency, to: workspace.currency) { entry in
          (entry.workspace ?? domain.users.read(entry.user) { $0.workspace } ?? nil) == id
        }
      })
  }
}

extension DomainState {
  fileprivate func currency(of workspace: WorkspaceID?) -> String? {
    workspace.flatMap { workspaces.read($0) { $0.currency } }
  }

  /// Refuses to give the rates of entries another currency, because the numbers stay.
  ///
  /// - Parameters:
  ///   - old: The currency of the entries; with none, the rates only get one.
  ///   - new: The currency that they would have.
  ///   - isOf: Returns whether an entry is concerned.
  /// - Complexity: O(entries) if the currency changes.
  fileprivate func checkCurrency(
    from old: String?, to new: String?, of isOf: (TimeEntry) -> Bool
  ) throws(ToolFailure) {
    guard let old, old != new else { return }
    var count = 0
    var visible = VisibleEntries(self)
    timeEntries.forEach { _, entry in
      if entry.rate != nil, isOf(entry), visible.contains(entry) { count += 1 }
    }
    guard count > 0 else { return }
    throw ToolFailure(
      what: "Nothing was changed.",
      why: "\(count == 1 ? "1 entry has" : "\(count) entries have") a rate in \(old), and would "
        + "have the same number \(new.map { "in \($0)" } ?? "without a currency").",
      advice: "Repeat the command with --yes to change it all the same. "
        + "For entries in another currency, create another workspace: "
        + "`track workspaces create NAME --currency CODE`.", exitCode: ToolExit.refused)
  }
}
