import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceRecording
import RetraceReplay
import RetraceState
import RetraceStorage
import RetraceSystem
import Testing
import TimeTracking

/// Every field of every entity, through commands, the log and the next opening.
@Suite struct EntityRoundTripTests {
  /// A store, and the entity of each kind that has all fields.
  private struct Desk {
    let store: Store<DomainApp>
    let workspace = WorkspaceID(value: 0)
    let user = UserID(value: 0)
    let source = SourceID(value: 0)
    let client = ClientID(value: 0)
    let project = ProjectID(value: 0)
    let task = TaskID(value: 0)
    let tag = TagID(value: 0)

    func perform(_ commands: DomainCommand...) throws {
      for command in commands { try store.performBlocking(command) }
    }

    func link<ID, Changes: EntityChanges>(_ id: ID, _ text: String) -> EntityCommand<ID, Changes> {
      .link(id, ExternalID(source: source, id: text))
    }

    /// Creates places and people.
    func createPlaces() throws {
      var office = Workspace(name: Name("office"))
      (office.currency, office.rate, office.isArchived) = ("USD", 1_000, true)
      var anna = User(name: Name("anna"), workspace: workspace)
      (anna.email, anna.rate, anna.isArchived) = ("anna@example.org", 2_000, true)
      anna.confirmed = World.at(1)
      try perform(
        .source(.create(ExternalSource(name: Name("toggl")))), .source(link(source, "s")),
        .workspace(.create(office)), .workspace(link(workspace, "w")), .user(.create(anna)),
        .user(link(user, "u")))
    }

    /// Creates what time is spent on; the second of each is what the first is merged into.
    func createWork() throws {
      var acme = Client(name: Name("acme"), workspace: workspace)
      acme.isArchived = true
      try perform(
        .client(.create(acme)), .client(.create(Client(name: Name("apex"), workspace: workspace))),
        .client(link(client, "c")))
      var site = Project(name: Name("site"), workspace: workspace, client: client)
      (site.color, site.rate, site.estimate) = (0x12_3456, 3_000, .seconds(60))
      (site.isBillable, site.isArchived) = (true, true)
      let other = Project(name: Name("shop"), workspace: workspace, client: client)
      try perform(
        .project(.create(site)), .project(.create(other)), .project(link(project, "p")))
      var design = ProjectTask(name: Name("design"), project: project)
      (design.estimate, design.isArchived) = (.seconds(30), true)
      try perform(
        .task(.create(design)), .task(.create(ProjectTask(name: Name("test"), project: project))),
        .task(link(task, "t")))
      var focus = Tag(name: Name("focus"), workspace: workspace)
      focus.isArchived = true
      try perform(
        .tag(.create(focus)), .tag(.create(Tag(name: Name("deep"), workspace: workspace))),
        .tag(link(tag, "g")))
    }

    /// Creates what users set.
    func createSettings() throws {
      var set = PreferenceSet(user: user)
      (set.firstWeekday, set.dayStart, set.policy) = (0, .seconds(3_600), .adjust)
      (set.zone, set.currency) = ("Asia/Tokyo", "CHF")
      (set.dateFormat, set.durationFormat, set.is24Hours) = (.dayMonthYearStops, .decimal, false)
      set.asksAfter = .seconds(36_000)
      (set.groupsSimilar, set.isManual) = (false, true)
      var goal = Goal(name: Name("less"), user: user, target: .seconds(9))
      (goal.period, goal.isLimit, goal.isArchived) = (.month, true, true)
      (goal.project, goal.tag) = (project, tag)
      var favorite = Favorite(name: Name("mail"), user: user)
      (favorite.description, favorite.project, favorite.task) = ("read", project, task)
      (favorite.tags, favorite.isBillable) = ([tag], true)
      try perform(
        .preferences(.create(set)), .preferences(link(PreferenceSetID(value: 0), "f")),
        .goal(.create(goal)), .goal(link(GoalID(value: 0), "l")), .favorite(.create(favorite)),
        .favorite(link(FavoriteID(value: 0), "v")))
    }

    /// Records an entry, and imports another one.
    func createEntries() throws {
      var draft = TimeEntryDraft(
        user: .id(user), description: "work",
        zone: RecordedZone(id: "Asia/Tokyo", offsetSeconds: 32_400))
      (draft.workspace, draft.project, draft.task) = (workspace, .id(project), .id(task))
      (draft.tags, draft.isBillable, draft.annotations) = ([.id(tag)], true, ["a remark"])
      var row = ImportedRow(
        id: "1", user: Name("ben"), description: "", start: World.at(0), end: World.at(1),
        zone: .utc)
      row.rate = 7
      let (run, bytes) = (ImportRunID(value: 0), [UInt8](repeating: 7, count: 32))
      let digest = Digest(bytes.span) ?? .zero
      try perform(
        .entry(.add(draft, start: World.at(1), end: World.at(2), policy: .allow)),
        .importRun(.begin(source: Name("toggl"), file: "a.csv", digest: digest)),
        .importRun(.rows(run, ImportedRows(from: 0, [row]))), .importRun(.finish(run)))
    }

    /// Closes a period, and reopens it.
    func closePeriods() throws {
      let closing = Closing(
        .user(user), from: World.at(3), to: World.at(4), login: "anna", reason: "billed")
      try perform(
        .closing(.close(closing)), .closing(.reopen(ClosingID(value: 0), reason: "wrong")))
    }

    /// Merges the first of two into the second one, and deletes entities that nothing needs.
    func mergeAndDelete() throws {
      try perform(
        .task(.merge(task, into: TaskID(value: 1), reason: nil)),
        .project(.merge(project, into: ProjectID(value: 1), reason: nil)),
        .client(.merge(client, into: ClientID(value: 1), reason: nil)),
        .tag(.merge(tag, into: TagID(value: 1), reason: nil)), .task(.delete(task, reason: "x")),
        .project(.delete(project, reason: "x")), .client(.delete(client, reason: "x")),
        .tag(.delete(tag, reason: "x")), .user(.delete(user, reason: "x")),
        .goal(.delete(GoalID(value: 0), reason: "x")),
        .favorite(.delete(FavoriteID(value: 0), reason: "x")),
        .preferences(.delete(PreferenceSetID(value: 0), reason: "x")),
        .source(.delete(source, reason: "x")),
        .entry(.delete(TimeEntryID(value: 0), reason: "x")))
    }
  }

  /// Returns the fields that no entity of a table has set.
  private func unset<ID, Entity>(_ table: EntityTable<ID, Entity>, _ plain: Entity) -> Set<String> {
    func fields(_ entity: Entity) -> [String: String] {
      var fields: [String: String] = [:]
      for child in Mirror(reflecting: entity).children {
        fields[child.label ?? "?"] = "\(child.value)"
      }
      return fields
    }
    let defaults = fields(plain)
    var unset = Set(defaults.keys)
    table.forEach { _, entity in
      for (name, value) in fields(entity) where value != defaults[name] { unset.remove(name) }
    }
    return unset
  }

  /// Expects that entities have every field, so that a new field cannot be left out here.
  private func expectAllFields(of state: DomainState) throws {
    let (nobody, nothing) = (UserID(value: -1), ProjectID(value: -1))
    #expect(unset(state.clients, Client(name: Name(""))) == [])
    #expect(unset(state.projects, Project(name: Name(""))) == [])
    #expect(unset(state.tasks, ProjectTask(name: Name(""), project: nothing)) == [])
    #expect(unset(state.tags, Tag(name: Name(""))) == [])
    #expect(unset(state.users, User(name: Name(""))) == [])
    #expect(unset(state.preferenceSets, PreferenceSet(user: nobody)) == [])
    #expect(unset(state.goals, Goal(name: Name(""), user: nobody, target: .zero)) == [])
    #expect(unset(state.favorites, Favorite(name: Name(""), user: nobody)) == [])
    #expect(unset(state.externalSources, ExternalSource(name: Name(""))) == [])
    // A workspace in use is not deleted, nor is an import that is finished, which has no ids.
    #expect(unset(state.workspaces, Workspace(name: Name(""))) == ["deleted"])
    let run = ImportRun(source: SourceID(value: -1), file: "", digest: .zero)
    let (moment, none) = (Moment(microseconds: 0), "")
    // No command links a closing to another system.
    let closing = Closing(.all, from: moment, to: moment, login: none)
    #expect(unset(state.closings, closing) == ["externalIDs"])
    #expect(unset(state.importRuns, run) == ["externalIDs", "deleted"])
    var entry = try ReportDesk.sampleEntry()
    (entry.user, entry.modified, entry.end) = (nobody, Moment(microseconds: 0), nil)
    #expect(unset(state.timeEntries, entry) == [])
  }

  @Test func `all entities keep all fields in the log, and when it is opened again [M1]`() throws {
    let folder = try FileSystem.makeTemporaryDirectory("retrace-fields")
    defer { try? FileSystem.removeTree(folder) }
    let path = folder + "/store"
    var configuration = StoreConfiguration()
    configuration.clock = { World.at(9) }
    let store = try Store<DomainApp>.openBlocking(at: path, configuration: configuration)
    let desk = Desk(store: store)
    try desk.createPlaces()
    try desk.createWork()
    try desk.createSettings()
    try desk.createEntries()
    try desk.closePeriods()
    let created = store.state
    #expect(created.projects[desk.project]?.client == desk.client)
    #expect(created.timeEntries[TimeEntryID(value: 0)]?.task == desk.task)
    try desk.mergeAndDelete()
    let state = store.state
    try expectAllFields(of: state)
    try store.closeBlocking()
    let reopened = try Store<DomainApp>.openBlocking(at: path, configuration: configuration)
    #expect(reopened.state == state)
    try reopened.closeBlocking()
    // Without a snapshot, from the facts alone.
    let storage = try LogStorage.open(at: path, access: .read)
    defer { storage.close() }
    var replayer = try Replayer<DomainApp>(storage)
    while try replayer.stepForward() {}
    #expect(replayer.state == state)
  }
}
