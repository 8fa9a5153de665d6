import RetraceArchitecture
import RetraceState
import Testing
import TimeTracking

/// The rules that commands ask for: the same command is decided as before without them.
@Suite struct RuleSetTests {
  private func client(_ name: String, in world: inout World) throws -> ClientID {
    try world.perform(.client(.create(Client(name: Name(name)))))
    return ClientID(value: world.state.clients.nextID.value - 1)
  }

  private func project(
    _ name: String, of client: ClientID?, in world: inout World
  ) throws -> ProjectID {
    try world.perform(.project(.create(Project(name: Name(name), client: client))))
    return ProjectID(value: world.state.projects.nextID.value - 1)
  }

  private func merge(_ id: ClientID, _ other: ClientID, _ rules: RuleSet) -> DomainCommand {
    .client(.merge(id, into: other, rules: rules, reason: nil))
  }

  private func merge(_ id: ProjectID, _ other: ProjectID, _ rules: RuleSet) -> DomainCommand {
    .project(.merge(id, into: other, rules: rules, reason: nil))
  }

  /// Expects that a command is refused under the second rules, and accepted under the first.
  private func expect(
    _ refusal: DomainRefusal, of command: (RuleSet) -> DomainCommand, in world: World,
    location: SourceLocation = #_sourceLocation
  ) {
    var (asked, old) = (world, world)
    #expect(throws: refusal, sourceLocation: location) { try asked.perform(command(.second)) }
    #expect(throws: Never.self, sourceLocation: location) { try old.perform(command(.first)) }
  }

  private func shares(_ names: String...) -> EntityRefusal {
    .shareNames(type: ProjectID.recordedName, names: names.map { Name($0) })
  }

  @Test func `clients that both have a project of one name are not merged`() throws {
    var world = World()
    let (ada, bob) = (try client("ada", in: &world), try client("bob", in: &world))
    let own = try project("web", of: ada, in: &world)
    _ = try project("Web", of: bob, in: &world)
    _ = try project("shop", of: bob, in: &world)
    expect(.client(shares("web")), of: { merge(ada, bob, $0) }, in: world)
    var changes = ProjectChanges()
    changes.name = Change(from: Name("web"), to: Name("web 2"))
    try world.perform(.project(.change(own, changes, rules: .second, reason: nil)))
    try world.perform(merge(ada, bob, .second))
    #expect(world.state.clients.resolve(ada) == bob)
  }

  @Test func `the name of a merged project counts where clients are merged`() throws {
    var world = World()
    let (ada, bob) = (try client("ada", in: &world), try client("bob", in: &world))
    let (site, pages) = (
      try project("site", of: ada, in: &world), try project("pages", of: ada, in: &world)
    )
    try world.perform(merge(site, pages, .second))
    var other = world
    _ = try project("Site", of: bob, in: &world)
    expect(.client(shares("site")), of: { merge(ada, bob, $0) }, in: world)
    expect(.client(shares("Site")), of: { merge(bob, ada, $0) }, in: world)
    // Two names of merged projects are taken for neither.
    let (first, second) = (
      try project("SITE", of: bob, in: &other), try project("new", of: bob, in: &other)
    )
    try other.perform(merge(first, second, .second))
    try other.perform(merge(ada, bob, .second))
  }

  @Test func `a client merges into one that was merged by the projects of the last one`() throws {
    var world = World()
    let ids = try ["a", "b", "c"].map { try client($0, in: &world) }
    _ = try project("web", of: ids[0], in: &world)
    _ = try project("web", of: ids[2], in: &world)
    try world.perform(merge(ids[1], ids[2], .second))
    expect(.client(shares("web")), of: { merge(ids[0], ids[1], $0) }, in: world)
  }

  @Test func `projects that both have a task of one name are not merged`() throws {
    var world = World()
    let (app, other) = (
      try project("app", of: nil, in: &world), try project("other", of: nil, in: &world)
    )
    for (name, project) in [("code", app), ("test", app), ("Code", other), ("ship", other)] {
      try world.perform(.task(.create(ProjectTask(name: Name(name), project: project))))
    }
    let refusal = EntityRefusal.shareNames(type: TaskID.recordedName, names: [Name("code")])
    expect(.project(refusal), of: { merge(app, other, $0) }, in: world)
    // A task that was merged or deleted gives no name.
    var merged = world
    try merged.perform(.task(.merge(TaskID(value: 0), into: TaskID(value: 1), reason: nil)))
    try merged.perform(merge(app, other, .second))
    try world.perform(.task(.delete(TaskID(value: 2), reason: nil)))
    try world.perform(merge(app, other, .second))
  }

  @Test func `a project does not get a name that another one of its client has by a merge`() throws
  {
    var world = World()
    let (ada, bob) = (try client("ada", in: &world), try client("bob", in: &world))
    _ = try project("web", of: ada, in: &world)
    let moved = try project("web", of: nil, in: &world)
    let renamed = try project("blog", of: bob, in: &world)
    try world.perform(merge(ada, bob, .second))
    let taken = DomainRefusal.project(.nameTaken(Name("web")))
    expect(
      taken,
      of: { .project(.create(Project(name: Name("web"), client: bob), rules: $0)) }, in: world)
    var changes = ProjectChanges()
    changes.client = Change(from: nil, to: bob)
    expect(taken, of: { .project(.change(moved, changes, rules: $0, reason: nil)) }, in: world)
    changes = ProjectChanges()
    changes.name = Change(from: Name("blog"), to: Name("web"))
    expect(taken, of: { .project(.change(renamed, changes, rules: $0, reason: nil)) }, in: world)
    // Other fields of projects with a rival stay free.
    try world.perform(.project(.change(renamed, changes, rules: .first, reason: nil)))
    changes = ProjectChanges()
    changes.isArchived = Change(from: false, to: true)
    try world.perform(.project(.change(renamed, changes, rules: .second, reason: nil)))
  }
}

// MARK: Rates and currencies

extension RuleSetTests {
  /// A world with two workspaces, the first of which a user with a rate is in.
  private func studio() throws -> (World, user: UserID, [WorkspaceID]) {
    var world = World()
    let user = try world.addUser()
    for (name, currency) in [("studio", "EUR"), ("lab", "USD")] {
      var workspace = Workspace(name: Name(name))
      workspace.currency = currency
      try world.perform(.workspace(.create(workspace)))
    }
    var changes = UserChanges()
    changes.workspace = Change(from: nil, to: WorkspaceID(value: 0))
    changes.rate = Change(from: nil, to: 9_000)
    try world.perform(.user(.change(user, changes, rules: .second, reason: nil)))
    return (world, user, [WorkspaceID(value: 0), WorkspaceID(value: 1)])
  }

  @Test func `entries get another currency only if the command says so`() throws {
    var (world, user, workspaces) = try studio()
    var currency = WorkspaceChanges()
    currency.currency = Change(from: "EUR", to: "CHF")
    var free = world
    try free.perform(.workspace(.change(workspaces[0], currency, rules: .second, reason: nil)))
    _ = try world.add("billed", user, -2, -1) { $0.isBillable = true }
    _ = try world.add("unbilled", user, -4, -3)
    expect(
      .workspace(.changesCurrency(entries: 1, from: "EUR", to: "CHF")),
      of: { .workspace(.change(workspaces[0], currency, rules: $0, reason: nil)) }, in: world)
    // The entries are in the workspace themselves, not by their user.
    var moved = UserChanges()
    moved.workspace = Change(from: workspaces[0], to: workspaces[1])
    try world.perform(.user(.change(user, moved, rules: .second, reason: nil)))
    try world.perform(
      .workspace(
        .change(
          workspaces[0], currency, rules: .second, changesCurrency: true, reason: nil)))
    #expect(world.state.workspaces[workspaces[0]]?.currency == "CHF")
  }

  @Test func `entries without a workspace keep the currency of their user`() throws {
    var (world, user, workspaces) = try studio()
    var correction = TimeEntryCorrection()
    correction.changes.workspace = Change(from: workspaces[0], to: nil)
    for hours in [-2.0, -4] {
      let entry = try world.add("billed", user, hours, hours + 1) { $0.isBillable = true }
      try world.perform(
        .entry(.correct(entry, correction, policy: .refuse, rules: .second, reason: nil)))
    }
    for other in [workspaces[1], nil] as [WorkspaceID?] {
      var moved = UserChanges()
      moved.workspace = Change(from: workspaces[0], to: other)
      expect(
        .user(
          .changesCurrency(entries: 2, from: "EUR", to: other == nil ? nil : "USD")),
        of: { .user(.change(user, moved, rules: $0, reason: nil)) }, in: world)
      var confirmed = world
      try confirmed.perform(
        .user(.change(user, moved, rules: .second, changesCurrency: true, reason: nil)))
    }
  }

  @Test func `an entry that is not billable gets no rate`() throws {
    var (world, user, _) = try studio()
    let entry = try world.add("work", user, -2, -1)
    func correct(
      _ edit: (inout TimeEntryChanges) -> Void, _ rules: RuleSet
    ) -> DomainCommand {
      var correction = TimeEntryCorrection()
      edit(&correction.changes)
      return .entry(.correct(entry, correction, policy: .refuse, rules: rules, reason: nil))
    }
    expect(
      .entry(.notBillable), of: { correct({ $0.rate = Change(from: nil, to: 500) }, $0) },
      in: world)
    try world.perform(
      correct(
        {
          $0.rate = Change(from: nil, to: 500)
          $0.isBillable = Change(from: false, to: true)
        }, .second))
    // The billability and the rate go together.
    try world.perform(correct({ $0.isBillable = Change(from: true, to: false) }, .second))
    #expect(world.state.timeEntries[entry]?.rate == nil)
  }
}

// MARK: Entries

extension RuleSetTests {
  @Test func `a refused move names what is in another workspace`() throws {
    var (world, user, workspaces) = try studio()
    let tagged = try world.add("tagged", user, -2, -1) { $0.tags = [.name(Name("t"))] }
    let planned = try world.add("planned", user, -4, -3) { $0.project = .name(Name("p")) }
    for (entry, field, type) in [
      (tagged, "tags", TagID.recordedName), (planned, "project", ProjectID.recordedName),
    ] {
      var correction = TimeEntryCorrection()
      correction.changes.workspace = Change(from: workspaces[0], to: workspaces[1])
      for (rules, refusal) in [
        (RuleSet.first, EntityRefusal.invalid(field: field)),
        (.second, .inOtherWorkspace(type: type, id: 0)),
      ] {
        #expect(throws: DomainRefusal.entry(.entity(refusal))) {
          try world.perform(
            .entry(.correct(entry, correction, policy: .refuse, rules: rules, reason: nil)))
        }
      }
    }
  }

  @Test func `a refused join names the obstacle`() throws {
    var (world, user, workspaces) = try studio()
    let bob = try world.addUser("bob")
    let drafts: [(TimeEntryDraft) -> TimeEntryDraft] = [
      { $0 },
      {
        var draft = $0; draft.user = .id(bob); return draft
      },
      {
        var draft = $0; draft.project = .name(Name("other")); return draft
      },
      {
        var draft = $0; draft.task = .name(Name("test")); return draft
      },
      {
        var draft = $0; draft.isBillable = true; return draft
      },
    ]
    var ids: [TimeEntryID] = []
    for (number, make) in drafts.enumerated() {
      var draft = TimeEntryDraft(user: .id(user), description: "x", zone: .utc)
      draft.project = .name(Name("web"))
      draft.task = .name(Name("code"))
      draft.workspace = workspaces[0]
      let start = World.at(Double(number) - 20)
      try world.perform(
        .entry(.add(make(draft), start: start, end: start.adding(.hours(0.5)), policy: .refuse)))
      ids.append(world.lastEntry)
    }
    for (index, obstacle) in [(1, JoinObstacle.user), (2, .project), (3, .task), (4, .billable)] {
      for (rules, refusal) in [
        (RuleSet.first, TimeEntryRefusal.cannotJoin),
        (.second, .apart(ids[0], ids[index], obstacle)),
      ] {
        #expect(throws: DomainRefusal.entry(refusal)) {
          try world.perform(
            .entry(.join(ids[0], ids[index], policy: .allow, rules: rules, reason: nil)))
        }
      }
    }
    #expect(throws: DomainRefusal.entry(.cannotJoin)) {
      try world.perform(
        .entry(.join(ids[0], ids[0], policy: .allow, rules: .second, reason: nil)))
    }
  }

  @Test func `among several corrections, none takes the time that another one gives`() throws {
    var world = World()
    let anna = try world.addUser()
    let ids = try [(-6.0, -5.0), (-4, -3), (-2, -1)].map { try world.add("x", anna, $0.0, $0.1) }
    func ends(
      _ moves: [(entry: Int, from: Double, to: Double)], _ rules: RuleSet,
      _ policy: Policy = .adjust
    ) -> DomainCommand {
      .entry(
        .several(
          moves.map { move in
            var correction = TimeEntryCorrection()
            correction.changes.end = Change(from: World.at(move.from), to: World.at(move.to))
            return .correct(
              ids[move.entry], correction, policy: policy, rules: rules, reason: nil)
          }))
    }
    // The start of the second entry is taken, whose end then moves.
    expect(
      .entry(.takenByOthers([ids[1]])),
      of: { ends([(0, -5, -3.5), (1, -3, -2.5)], $0) }, in: world)
    // The second entry moves first, and nothing is left of it.
    expect(
      .entry(.takenByOthers([ids[1]])),
      of: { ends([(1, -3, -2.5), (0, -5, -2.2)], $0) }, in: world)
    // The second entry is gone when its correction comes; the old rules do not say why.
    for (rules, refusal) in [
      (
        RuleSet.first,
        TimeEntryRefusal.entity(
          .unknown(type: TimeEntryID.recordedName, id: ids[1].value))
      ), (.second, .takenByOthers([ids[1]])),
    ] {
      var copy = world
      #expect(throws: DomainRefusal.entry(refusal)) {
        try copy.perform(ends([(0, -5, -2.2), (1, -3, -2.5)], rules))
      }
    }
    // Entries that are not corrected may be adjusted, and those that overlap are allowed.
    try world.perform(ends([(0, -5, -3.5), (2, -1, -0.5)], .second))
    #expect(world.entries == ["x -6.0--3.5", "x -3.5--3.0", "x -2.0--0.5"])
    try world.perform(ends([(0, -3.5, -3.2), (1, -3, -1.5)], .second, .allow))
  }
}
