import RetraceArchitecture
import RetraceAvro
import RetraceState
import Testing
import TimeTracking

/// Closed periods: what can be closed, and what is refused afterwards.
@Suite struct ClosingTests {
  private let anna = UserID(value: 0)
  private let ben = UserID(value: 1)

  /// Returns a world with two users at hour 100, and an entry of each from hour 9 to 12.
  private func makeWorld() throws -> World {
    var world = World()
    _ = try world.addUser()
    _ = try world.addUser("ben")
    world.wait(hours: 100)
    try world.add("write", anna, 9, 12)
    try world.add("read", ben, 9, 12)
    return world
  }

  private func closing(_ start: Double, _ end: Double) -> DomainCommand {
    closing(.all, start, end)
  }

  private func closing(_ scope: ClosingScope, _ start: Double, _ end: Double) -> DomainCommand {
    .closing(
      .close(
        Closing(scope, from: World.at(start), to: World.at(end), login: "ann", reason: "billed")))
  }

  private func correction(
    of id: TimeEntryID, in world: World, _ change: (inout TimeEntry) -> Void
  ) throws -> DomainCommand {
    let before = try #require(world.state.timeEntries[id])
    var (after, correction) = (before, TimeEntryCorrection())
    change(&after)
    correction.changes = TimeEntryChanges(from: before, to: after)
    return .entry(.correct(id, correction, policy: .allow, reason: nil))
  }

  /// Expects that a command is refused because a period is closed.
  private func expectClosed(
    _ command: DomainCommand, in world: World, location: SourceLocation = #_sourceLocation
  ) {
    var copy = world
    do throws(DomainRefusal) {
      try copy.perform(command)
      Issue.record("was accepted: \(command)", sourceLocation: location)
    } catch {
      guard case .closing(.closed(_, let closing, entry: _)) = error else {
        Issue.record("\(error)", sourceLocation: location)
        return
      }
      #expect(closing.login == "ann" && closing.reason == "billed", sourceLocation: location)
      #expect(closing.closed == world.now, sourceLocation: location)
    }
  }

  @Test func `only a period is closed that is over and in which nothing runs, once`() throws {
    var world = try makeWorld()
    #expect(throws: DomainRefusal.closing(.invalid(field: "end"))) {
      try world.perform(closing(9, 9))
    }
    #expect(throws: DomainRefusal.closing(.notOver(World.at(101)))) {
      try world.perform(closing(0, 101))
    }
    let running = try world.start("now", anna, at: World.at(95))
    #expect(throws: DomainRefusal.closing(.running([running]))) {
      try world.perform(closing(90, 100))
    }
    #expect(throws: DomainRefusal.closing(.running([running]))) {
      try world.perform(closing(.user(anna), 90, 100))
    }
    // It does not run in the period of another user, nor in an earlier one.
    try world.perform(closing(.user(ben), 90, 100))
    try world.perform(closing(0, 95))
    do throws(DomainRefusal) {
      try world.perform(closing(8, 95))
      Issue.record("closed twice")
    } catch {
      guard case .closing(.alreadyClosed(let id, _)) = error else { throw error }
      #expect(id == ClosingID(value: 1))
    }
    let unknown = EntityRefusal.unknown(type: ClientID.recordedName, id: 7)
    #expect(throws: DomainRefusal.closing(.entity(unknown))) {
      try world.perform(closing(.client(ClientID(value: 7)), 0, 1))
    }
  }

  @Test func `time inside is fixed, and time outside is not`() throws {
    var world = try makeWorld()
    let crossing = try world.add("night", anna, 22, 26)
    try world.perform(closing(0, 24))
    let refused = try [
      correction(of: TimeEntryID(value: 0), in: world) { $0.end = World.at(13) },
      correction(of: TimeEntryID(value: 0), in: world) {
        ($0.start, $0.end) = (World.at(30), World.at(31))
      },
      correction(of: crossing, in: world) { $0.start = World.at(21) },
      correction(of: crossing, in: world) { $0.end = World.at(23) },
      correction(of: crossing, in: world) { $0.end = nil },
    ]
    for command in refused { expectClosed(command, in: world) }
    let commands: [TimeEntryCommand] = [
      .delete(crossing, reason: nil), .split(crossing, at: World.at(23), reason: nil),
      .add(
        TimeEntryDraft(user: .id(ben), zone: .utc), start: World.at(23), end: World.at(25),
        policy: .allow),
      // It would take time of the entry of hour 9.
      .add(
        TimeEntryDraft(user: .id(anna), zone: .utc), start: World.at(11), end: World.at(20),
        policy: .adjust),
      .start(TimeEntryDraft(user: .id(ben), zone: .utc), at: World.at(23), policy: .allow),
      .join(TimeEntryID(value: 0), crossing, policy: .allow, reason: nil),
    ]
    for command in commands { expectClosed(.entry(command), in: world) }
    try world.perform(correction(of: crossing, in: world) { $0.end = World.at(27) })
    try world.perform(.entry(.split(crossing, at: World.at(24), reason: nil)))
    try world.perform(.entry(.delete(world.lastEntry, reason: nil)))
    try world.add("after", ben, 24, 25)
    try world.start("now", anna)
    #expect(DomainEntities.violations(of: world.state).isEmpty)
  }

  @Test func `no other field changes of an entry that touches the period`() throws {
    var world = try makeWorld()
    let crossing = try world.add("night", anna, 22, 26) { draft in
      (draft.project, draft.isBillable) = (.name(Name("site")), true)
    }
    let empty = try world.add("call", ben, 24, 24)
    try world.perform(.task(.create(ProjectTask(name: Name("t"), project: ProjectID(value: 0)))))
    try world.perform(.tag(.create(Tag(name: Name("g")))))
    try world.perform(closing(0, 24))
    let edits: [(inout TimeEntry) -> Void] = [
      { $0.description = "day" }, { $0.project = nil }, { $0.task = TaskID(value: 0) },
      { $0.tags = [TagID(value: 0)] }, { $0.isBillable = false }, { $0.rate = 100 },
      { $0.annotations = ["a"] }, { $0.user = UserID(value: 1) },
      { $0.zone = RecordedZone(id: "Asia/Tokyo", offsetSeconds: 32_400) },
    ]
    for edit in edits {
      expectClosed(try correction(of: crossing, in: world, edit), in: world)
    }
    // The other entry begins with the end of the period, so it has no part in it.
    try world.perform(correction(of: empty, in: world) { $0.description = "mail" })
    let reopening = DomainCommand.closing(.reopen(ClosingID(value: 0), reason: "wrong"))
    try world.perform(reopening)
    try world.perform(correction(of: crossing, in: world, edits[0]))
    #expect(throws: DomainRefusal.closing(.unknown(ClosingID(value: 0)))) {
      try world.perform(reopening)
    }
  }

  @Test func `a closing of a user or a client is about their entries only`() throws {
    var world = try makeWorld()
    for name in ["acme", "apex"] { try world.perform(.client(.create(Client(name: Name(name))))) }
    let (acme, apex) = (ClientID(value: 0), ClientID(value: 1))
    for (name, client) in [("site", acme), ("shop", apex), ("own", nil)] {
      try world.perform(.project(.create(Project(name: Name(name), client: client))))
    }
    let entry = try world.add("for acme", anna, 13, 14) { $0.project = .id(ProjectID(value: 0)) }
    let other = try world.add("for apex", anna, 15, 16) { $0.project = .id(ProjectID(value: 1)) }
    try world.perform(closing(.user(ben), 0, 24))
    expectClosed(.entry(.delete(TimeEntryID(value: 1), reason: nil)), in: world)
    expectClosed(
      try correction(of: TimeEntryID(value: 0), in: world) { $0.user = UserID(value: 1) },
      in: world)
    try world.perform(.closing(.reopen(ClosingID(value: 0), reason: nil)))

    try world.perform(closing(.client(acme), 0, 24))
    expectClosed(.entry(.delete(entry, reason: nil)), in: world)
    // Nothing gets into the period of a client or out of it by its project or a merge.
    let moves: [(Int64, ClientID?)] = [(0, apex), (1, acme), (0, nil)]
    for (number, client) in moves {
      var changes = ProjectChanges()
      changes.client = Change(from: number == 0 ? acme : apex, to: client)
      expectClosed(
        .project(.change(ProjectID(value: number), changes, reason: nil)), in: world)
    }
    expectClosed(.client(.merge(apex, into: acme, reason: nil)), in: world)
    expectClosed(.client(.merge(acme, into: apex, reason: nil)), in: world)
    expectClosed(
      try correction(of: other, in: world) { $0.project = ProjectID(value: 0) }, in: world)
    try world.perform(correction(of: other, in: world) { $0.project = nil })
    // Names and rates may change, and the entry keeps its rate.
    var changes = ProjectChanges()
    changes.name = Change(from: Name("site"), to: Name("page"))
    changes.rate = Change(from: nil, to: 9_000)
    try world.perform(.project(.change(ProjectID(value: 0), changes, reason: nil)))
    try world.perform(.project(.delete(ProjectID(value: 0), reason: nil)))
    try world.perform(.client(.delete(acme, reason: nil)))
    expectClosed(.entry(.delete(entry, reason: nil)), in: world)
  }

  @Test(arguments: [ClosingScope.all, .user(UserID(value: 0))])
  func `the client to whom closed entries are billed stays`(scope: ClosingScope) throws {
    var world = try makeWorld()
    for name in ["acme", "apex"] { try world.perform(.client(.create(Client(name: Name(name))))) }
    let (acme, apex) = (ClientID(value: 0), ClientID(value: 1))
    for (name, client) in [("site", acme), ("own", nil), ("free", nil)] {
      try world.perform(.project(.create(Project(name: Name(name), client: client))))
    }
    for number in [0, 1] as [Int64] {
      try world.add("paid", anna, 13 + Double(number), 14 + Double(number)) { draft in
        draft.project = .id(ProjectID(value: number))
      }
    }
    try world.perform(closing(scope, 0, 24))
    func move(_ project: Int64, _ old: ClientID?, _ new: ClientID?) -> DomainCommand {
      var changes = ProjectChanges()
      changes.client = Change(from: old, to: new)
      return .project(.change(ProjectID(value: project), changes, reason: nil))
    }
    expectClosed(move(0, acme, apex), in: world)
    expectClosed(move(0, acme, nil), in: world)
    expectClosed(move(1, nil, apex), in: world)
    expectClosed(.client(.merge(acme, into: apex, reason: nil)), in: world)
    // A project or a client without closed entries moves.
    try world.perform(move(2, nil, apex))
    try world.perform(.client(.merge(apex, into: acme, reason: nil)))
    try world.perform(.closing(.reopen(ClosingID(value: 0), reason: nil)))
    try world.perform(move(0, acme, nil))
  }

  @Test func `no running entry gets into the closed period of a client`() throws {
    var world = World()
    _ = try world.addUser()
    let acme = ClientID(value: 0)
    try world.perform(.client(.create(Client(name: Name("acme")))))
    try world.perform(.project(.create(Project(name: Name("own"), client: nil))))
    world.wait(hours: 20)
    try world.start("own work", anna) { $0.project = .id(ProjectID(value: 0)) }
    world.wait(hours: 80)
    try world.perform(closing(.client(acme), 0, 24))
    var changes = ProjectChanges()
    changes.client = Change(from: nil, to: acme)
    expectClosed(.project(.change(ProjectID(value: 0), changes, reason: nil)), in: world)
    #expect(DomainEntities.violations(of: world.state).isEmpty)
  }

  @Test func `the currency of closed entries stays`() throws {
    var world = try makeWorld()
    for currency in ["EUR", "USD"] {
      var workspace = Workspace(name: Name(currency))
      workspace.currency = currency
      try world.perform(.workspace(.create(workspace)))
    }
    var project = Project(name: Name("site"), workspace: WorkspaceID(value: 0))
    project.rate = 9_000
    try world.perform(.project(.create(project)))
    try world.add("in a workspace", anna, 13, 14) { draft in
      (draft.project, draft.isBillable) = (.id(ProjectID(value: 0)), true)
    }
    try world.perform(closing(0, 24))
    var changes = WorkspaceChanges()
    changes.currency = Change(from: "EUR", to: "CHF")
    expectClosed(
      .workspace(
        .change(WorkspaceID(value: 0), changes, changesCurrency: true, reason: nil)),
      in: world)
    // No closed entry has a rate in it.
    changes.currency = Change(from: "USD", to: "CHF")
    try world.perform(
      .workspace(
        .change(WorkspaceID(value: 1), changes, changesCurrency: true, reason: nil)))
  }

  @Test func `closed rates without a currency may get one by a preference, and keep it`() throws {
    var world = try makeWorld()
    try world.add("paid", anna, 13, 14) { $0.isBillable = true }
    try world.perform(
      correction(of: world.lastEntry, in: world) { entry in entry.rate = 9_000 })
    try world.perform(closing(0, 24))
    var preferences = PreferenceSet(user: anna)
    preferences.currency = "EUR"
    try world.perform(.preferences(.create(preferences)))
    var changes = PreferenceSetChanges()
    changes.currency = Change(from: "EUR", to: "USD")
    let id = PreferenceSetID(value: 0)
    let change = DomainCommand.preferences(
      .change(id, changes, changesCurrency: true, reason: nil))
    expectClosed(change, in: world)
    expectClosed(.preferences(.delete(id, reason: nil)), in: world)
    // In another workspace, the amounts would be in its currency.
    var workspace = Workspace(name: Name("w"))
    workspace.currency = "USD"
    try world.perform(.workspace(.create(workspace)))
    var moved = UserChanges()
    moved.workspace = Change(from: nil, to: WorkspaceID(value: 0))
    expectClosed(.user(.change(anna, moved, changesCurrency: true, reason: nil)), in: world)
  }

  @Test func `the end of an import with rows inside is refused, and so is its undo`() throws {
    func rows(_ hours: [Double]) -> ImportedRows {
      ImportedRows(
        from: 0,
        hours.map { hour in
          ImportedRow(
            user: Name("anna"), description: "row", start: World.at(hour),
            end: World.at(hour + 1), zone: .utc)
        })
    }
    func begin(_ byte: UInt8) -> DomainCommand {
      let digest = Digest([UInt8](repeating: byte, count: 32).span) ?? .zero
      return .importRun(.begin(source: Name("file"), file: "\(byte).csv", digest: digest))
    }
    var world = try makeWorld()
    try world.perform(begin(1))
    let run = ImportRunID(value: 0)
    try world.perform(.importRun(.rows(run, rows([30, 31]))))
    try world.perform(closing(24, 48))
    expectClosed(.importRun(.finish(run)), in: world)
    try world.perform(.importRun(.cancel(run)))
    try world.perform(begin(2))
    let second = ImportRunID(value: 1)
    // Rows count from the end of the import on, which is refused as long as the period is closed.
    var inside = world
    try inside.perform(.importRun(.rows(second, rows([50, 40]))))
    expectClosed(.importRun(.finish(second)), in: inside)
    try world.perform(.importRun(.rows(second, rows([50, 60]))))
    try world.perform(.importRun(.finish(second)))
    try world.perform(closing(48, 72))
    var undo = world
    undo.state.importRuns.modify(second) { $0.isActive = false }
    let edits = [
      DomainEdit.importRun(.changed(second, ImportRunChanges(from: world.run(1), to: undo.run(1))))
    ]
    let links = RestoreLinks(target: 1, isRedo: false, nextUndo: nil, nextRedo: nil)
    expectClosed(
      .restore(
        Restore(links: links, expectedCount: world.state.undoableFacts, edits: edits)),
      in: world)
  }

  @Test func `a row is known to be in a closed period if the end of its import is refused`() throws
  {
    var world = try makeWorld()
    for name in ["acme", "ada", "zed"] {
      try world.perform(.client(.create(Client(name: Name(name)))))
    }
    let acme = ClientID(value: 0)
    try world.perform(.client(.merge(ClientID(value: 1), into: acme, reason: nil)))
    try world.perform(.project(.create(Project(name: Name("web"), client: acme))))
    // A project of acme, and one without a client, were merged into others, which zed has now.
    for (name, target, client) in [
      ("old", "site", acme), ("side", "place", nil),
    ] as [(String, String, ClientID?)] {
      let id = world.state.projects.nextID
      let other = ProjectID(value: id.value + 1)
      for name in [name, target] {
        try world.perform(.project(.create(Project(name: Name(name), client: client))))
      }
      try world.perform(.project(.merge(id, into: other, reason: nil)))
      var changes = ProjectChanges()
      changes.client = Change(from: client, to: ClientID(value: 2))
      try world.perform(.project(.change(other, changes, reason: nil)))
    }
    var refusedCount = 0
    let scopes: [ClosingScope] = [.all, .user(anna), .client(acme), .client(ClientID(value: 2))]
    for scope in scopes {
      var world = world
      try world.perform(closing(scope, 30, 40))
      for (start, end) in [(20.0, 30.0), (29, 31), (30, 30), (35, 36), (40, 40), (20, 60)] {
        for (user, client, project) in [
          ("anna", "acme", "web"), ("ben", "ada", "web"), ("anna", "zed", "web"),
          ("new", "new", "web"), ("ben", nil, nil), ("ben", "acme", "old"), ("ben", nil, "side"),
        ] as [(String, String?, String?)] {
          var row = ImportedRow(
            user: Name(user), description: "row", start: World.at(start), end: World.at(end),
            zone: .utc)
          row.client = client.map { Name($0) }
          row.project = project.map { Name($0) }
          var copy = world
          let run = ImportRunID(value: 0)
          try copy.perform(
            .importRun(.begin(source: Name("file"), file: "a.csv", digest: .zero)))
          try copy.perform(.importRun(.rows(run, ImportedRows(from: 0, [row]))))
          var isRefused = false
          do throws(DomainRefusal) {
            try copy.perform(.importRun(.finish(run)))
          } catch {
            isRefused = true
          }
          refusedCount += isRefused ? 1 : 0
          let found = world.state.closing(touchedBy: row)
          #expect((found != nil) == isRefused, "\(scope) \(start) \(end) \(user) \(client ?? "")")
          #expect(found == nil || found?.closing.scope == scope)
        }
      }
    }
    // All of four times, and those of anna, of acme with ada, and of zed.
    #expect(refusedCount == 4 * (7 + 2 + 2 + 3))
  }
}

extension World {
  fileprivate func run(_ id: Int64) -> ImportRun {
    state.importRuns[ImportRunID(value: id)]
      ?? ImportRun(source: SourceID(value: 0), file: "", digest: .zero)
  }
}
