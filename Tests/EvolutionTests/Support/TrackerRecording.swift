import CivilTime
import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceRecording
import RetraceScreen
import RetraceState
import Testing
import TimeTracking
import TrackerFeatures

/// How the log of the tracker was made: commands of every entity, refusals, scenes, an import,
/// undo and redo, of two users, in sessions that end in every way, and keys that do nothing.
struct TrackerRecording {
  private let store: Store<TimeTracker>
  private let now: @Sendable () -> Moment
  /// The scene in which keys are pressed.
  private var scene = SceneID(value: 0)
  /// The rules of the zone of shown and typed times.
  private var rules = ZoneRules.utc

  private static let berlin = RecordedZone(id: "Europe/Berlin", offsetSeconds: 3_600)
  private static let anna = UserID(value: 0)

  static func write(to log: GoldenLog) throws {
    try log.write { path, configuration in
      var configuration = configuration
      configuration.hashInterval = 16
      func session(_ login: String = "anna", _ body: (TrackerRecording) throws -> Void) throws {
        var configuration = configuration
        configuration.origin.login = login
        let store = try Store<TimeTracker>.openBlocking(at: path, configuration: configuration)
        try body(TrackerRecording(store: store, now: configuration.clock))
      }
      try session {
        try $0.recordFirstKeys()
        try $0.recordEntities()
        try $0.store.closeBlocking()
      }
      try session {
        try $0.recordEntries()
        try $0.store.closeBlocking(after: 15)
      }
      try session {
        try $0.recordImportThatStops()
        $0.store.abandon()
      }
      try session("bob") {
        try $0.recordImport()
        try $0.store.closeBlocking()
      }
      try session {
        try $0.recordRestores()
        try $0.store.closeBlocking()
      }
      try session {
        try $0.recordRules()
        try $0.store.closeBlocking()
      }
      // It never ends.
      try session {
        try $0.recordScenes()
        try $0.recordObstacles()
        try $0.recordForm()
        $0.store.abandon()
      }
    }
  }

  private func perform(
    _ command: DomainCommand, from origin: RecordedCommand.Origin = .commandLine,
    key: String? = nil
  ) throws {
    try store.performBlocking(command, from: origin, key: key)
  }

  /// Performs a command of a scene, which has to be refused.
  private func refuse(_ command: DomainCommand) throws {
    #expect(throws: CommandError<TimeTracker>.self) { try perform(command, from: .scene) }
  }

  private func recordEntities() throws {
    try perform(.user(.create(User(name: Name("Anna")))), key: "first")
    try perform(.user(.create(User(name: Name("Bob")))))
    var user = UserChanges()
    user.email = Change(from: nil, to: "anna@example.org")
    try perform(.user(.change(Self.anna, user, reason: nil)))
    try refuse(.user(.create(User(name: Name(" ANNA ")))))

    let home = WorkspaceID(value: 0)
    try perform(.workspace(.create(Workspace(name: Name("Home")))))
    try perform(.workspace(.create(Workspace(name: Name("Spare")))))
    var workspace = WorkspaceChanges()
    workspace.currency = Change(from: "EUR", to: "CHF")
    try perform(.workspace(.change(home, workspace, reason: "moved")))
    try perform(.workspace(.delete(WorkspaceID(value: 1), reason: nil)))

    try perform(.client(.create(Client(name: Name("Ada"), workspace: home))))
    try perform(.client(.create(Client(name: Name("Ada Ltd"), workspace: home))))
    try perform(.client(.merge(ClientID(value: 1), into: ClientID(value: 0), reason: "same")))
    try refuse(.workspace(.delete(home, reason: nil)))

    let retrace = ProjectID(value: 0)
    var project = Project(name: Name("Retrace"), workspace: home, client: ClientID(value: 1))
    project.rate = 12_050
    project.estimate = .seconds(360_000)
    project.isBillable = true
    try refuse(.project(.create(Project(name: Name("Retrace"), client: ClientID(value: 9)))))
    project.client = ClientID(value: 0)
    try perform(.project(.create(project)))
    project.name = Name("Re-trace")
    try perform(.project(.create(project)))
    try perform(.project(.create(Project(name: Name("Garden")))))
    try perform(.project(.create(Project(name: Name("Nothing")))))
    try refuse(.project(.merge(ProjectID(value: 2), into: retrace, reason: nil)))
    try perform(.project(.merge(ProjectID(value: 1), into: retrace, reason: nil)))
    try perform(.project(.delete(ProjectID(value: 3), reason: "by mistake")))
    var changes = ProjectChanges()
    changes.color = Change(from: project.color, to: 0x2d_a608)
    changes.isBillable = Change(from: true, to: true)
    try perform(.project(.change(retrace, changes, reason: nil)))

    try perform(.task(.create(ProjectTask(name: Name("Design"), project: retrace))))
    try perform(.task(.create(ProjectTask(name: Name("Draw"), project: retrace))))
    try perform(.task(.merge(TaskID(value: 1), into: TaskID(value: 0), reason: nil)))
    try perform(.tag(.create(Tag(name: Name("deep"), workspace: home))))
    try perform(.tag(.create(Tag(name: Name("Tief"), workspace: home))))
    try perform(.tag(.merge(TagID(value: 1), into: TagID(value: 0), reason: nil)))

    var preferences = PreferenceSet(user: Self.anna)
    preferences.zone = "Europe/Berlin"
    try perform(.preferences(.create(preferences)))
    var preference = PreferenceSetChanges()
    preference.firstWeekday = Change(from: 1, to: 0)
    try perform(.preferences(.change(PreferenceSetID(value: 0), preference, reason: nil)))
    var goal = Goal(name: Name("Write"), user: Self.anna, target: .seconds(7_200))
    goal.period = .week
    goal.project = retrace
    try perform(.goal(.create(goal)))
    try perform(.source(.create(ExternalSource(name: Name("toggl")))))
    try perform(.project(.link(retrace, ExternalID(source: SourceID(value: 0), id: "77"))))
    var favorite = Favorite(name: Name("mail"), user: Self.anna)
    favorite.description = "read the mail"
    favorite.project = ProjectID(value: 2)
    try perform(.favorite(.create(favorite)))
    try perform(.favorite(.delete(FavoriteID(value: 0), reason: nil)))
    favorite.name = Name("letters")
    try perform(.favorite(.create(favorite)))
  }

  private func recordEntries() throws {
    var draft = TimeEntryDraft(
      user: .id(Self.anna), description: "Prüfung 👩🏽‍🚀", zone: Self.berlin)
    draft.project = .name(Name("retrace"))
    draft.workspace = WorkspaceID(value: 0)
    draft.task = .name(Name("Design"))
    draft.tags = [.name(Name("deep")), .name(Name("new"))]
    draft.annotations = ["see the mail"]
    try perform(.entry(.start(draft, at: nil, policy: .refuse)))
    let start = now().adding(.seconds(-7_200))
    var other = TimeEntryDraft(user: .name(Name("bob")), description: "weed", zone: .utc)
    other.project = .name(Name("Garden"))
    try perform(.entry(.add(other, start: start, end: now(), policy: .refuse)))
    try perform(.entry(.stop(Self.anna, at: nil, policy: .refuse)))
    try refuse(.entry(.stop(Self.anna, at: nil, policy: .refuse)))
    try refuse(
      .entry(.add(other, start: start, end: start.adding(.seconds(60)), policy: .refuse)))
    // It takes time of the one before.
    try perform(
      .entry(
        .add(
          other, start: start.adding(.seconds(600)), end: start.adding(.seconds(1_200)),
          policy: .adjust)))
    try perform(
      .entry(
        .add(
          other, start: start.adding(.seconds(600)), end: start.adding(.seconds(1_200)),
          policy: .allow)))
    try perform(
      .entry(.resume(TimeEntryID(value: 0), at: nil, zone: Self.berlin, policy: .refuse)))
    var correction = TimeEntryCorrection()
    correction.changes.description = Change(from: "weed", to: "weed and mow")
    correction.project = Name("Lawn")
    correction.addedTags = [Name("outside")]
    try perform(
      .entry(.correct(TimeEntryID(value: 1), correction, policy: .adjust, reason: "more exact")))
    // Another field of the same entry was seen before that.
    correction = TimeEntryCorrection()
    correction.changes.description = Change(from: "weed", to: "nothing")
    try refuse(
      .entry(.correct(TimeEntryID(value: 1), correction, policy: .refuse, reason: nil)))
    correction = TimeEntryCorrection()
    correction.changes.annotations = Change(from: [], to: ["by hand"])
    try perform(
      .entry(
        .several([
          .correct(TimeEntryID(value: 1), correction, policy: .refuse, reason: nil),
          .delete(TimeEntryID(value: 2), reason: "twice"),
        ])))
  }

  // MARK: Import

  private static let file = Digest([UInt8](repeating: 7, count: 32).span) ?? .zero

  private func rows(_ range: Range<Int>) -> ImportedRows {
    ImportedRows(
      from: Int64(range.lowerBound),
      range.map { number in
        let start = Moment(microseconds: 1_760_000_000_000_000 + Int64(number) * 900_000_000)
        var row = ImportedRow(
          id: "row \(number)", user: Name(number % 3 == 0 ? "Cid" : "anna"),
          description: "imported \(number)", start: start, end: start.adding(.seconds(1_200)),
          zone: Self.berlin)
        row.client = Name("Import Ltd")
        row.project = Name("old \(number % 2)")
        row.task = number % 4 == 0 ? Name("task") : nil
        row.tags = [Name("imported")]
        return row
      })
  }

  private func recordImportThatStops() throws {
    let first = ImportRunID(value: 0)
    try perform(
      .importRun(.begin(source: Name("harvest"), file: "other.csv", digest: .zero)),
      from: .importing)
    try perform(.importRun(.rows(first, rows(0..<2))), from: .importing)
    try perform(.importRun(.cancel(first)), from: .importing)
    try perform(
      .importRun(.begin(source: Name("Harvest"), file: "rows.csv", digest: Self.file)),
      from: .importing)
    try perform(.importRun(.rows(ImportRunID(value: 1), rows(0..<10))), from: .importing)
  }

  private func recordImport() throws {
    let run = ImportRunID(value: 1)
    try perform(
      .importRun(.begin(source: Name("harvest"), file: "rows.csv", digest: Self.file)),
      from: .importing)
    try perform(.importRun(.rows(run, rows(10..<20))), from: .importing)
    try perform(.importRun(.finish(run)), from: .importing)
    // Bob changes what Anna will undo.
    var correction = TimeEntryCorrection()
    correction.changes.description = Change(from: "weed and mow", to: "mow")
    try perform(
      .entry(.correct(TimeEntryID(value: 1), correction, policy: .refuse, reason: nil)))
  }

  private func recordRestores() throws {
    for _ in 0..<3 { try store.undoBlocking() }
    for _ in 0..<2 { try store.redoBlocking() }
    try perform(.user(.create(User(name: Name("Dora")))), from: .program)
    try store.undoBlocking()
    // The undo of a creation leaves what an entry refers to.
    let created = try store.performBlocking(.project(.create(Project(name: Name("Pier")))))
    var draft = TimeEntryDraft(user: .id(Self.anna), description: "fish", zone: .utc)
    draft.project = .name(Name("Pier"))
    let start = now().adding(.seconds(-172_800))
    try perform(
      .entry(.add(draft, start: start, end: start.adding(.seconds(600)), policy: .refuse)))
    try store.undoBlocking(created.receipt.sequences.lowerBound)
  }

  // MARK: Rules

  /// Commands that the rules from ``RuleSet/second`` on refuse, and some that follow these rules.
  private func recordRules() throws {
    func last<ID, Entity>(_ table: EntityTable<ID, Entity>) -> ID {
      ID(value: table.nextID.value - 1)
    }
    var projects: [ProjectID] = []
    var clients: [ClientID] = []
    for name in ["North", "Nord"] {
      try perform(.client(.create(Client(name: Name(name)))))
      clients.append(last(store.state.domain.clients))
      try perform(.project(.create(Project(name: Name("sea"), client: clients.last))))
      projects.append(last(store.state.domain.projects))
    }
    let merge = DomainCommand.client(.merge(clients[0], into: clients[1], reason: "same"))
    try refuse(merge)
    var name = ProjectChanges()
    name.name = Change(from: Name("sea"), to: Name("ocean"))
    try perform(.project(.change(projects[0], name, reason: nil)))
    try perform(merge)
    name.name = Change(from: Name("ocean"), to: Name("sea"))
    try refuse(.project(.change(projects[0], name, reason: nil)))

    let home = WorkspaceID(value: 0)
    let start = now().adding(.seconds(-86_400))
    var entries: [TimeEntryID] = []
    for number in 0..<3 {
      var draft = TimeEntryDraft(user: .id(Self.anna), description: "sail", zone: .utc)
      if number == 0 {
        draft.workspace = home
        draft.project = .id(ProjectID(value: 0))
      }
      let begin = start.adding(.seconds(Int64(number) * 3_600))
      try perform(
        .entry(.add(draft, start: begin, end: begin.adding(.seconds(1_800)), policy: .refuse)))
      entries.append(last(store.state.domain.timeEntries))
    }
    var currency = WorkspaceChanges()
    currency.currency = Change(from: "CHF", to: "SEK")
    try refuse(.workspace(.change(home, currency, reason: nil)))
    try perform(
      .workspace(.change(home, currency, changesCurrency: true, reason: nil)))
    try refuse(.entry(try correct(entries[1]) { $0.rate = 500 }))
    try refuse(.entry(try correct(entries[0]) { $0.workspace = nil }))
    try refuse(.entry(.join(entries[0], entries[1], policy: .refuse, reason: nil)))
    try perform(.entry(.join(entries[1], entries[2], policy: .refuse, reason: nil)))
    try refuse(
      .entry(
        .several([
          try correct(entries[0], .adjust) { $0.end = start.adding(.seconds(5_400)) },
          try correct(entries[1], .adjust) { $0.end = start.adding(.seconds(9_900)) },
        ])))
    try recordRunningLimits()
    try recordClosings(entries[0])
  }

  private func correct(
    _ entry: TimeEntryID, _ policy: Policy = .refuse, _ edit: (inout TimeEntry) -> Void
  ) throws -> TimeEntryCommand {
    let before = try #require(store.state.domain.timeEntries[entry])
    var after = before
    edit(&after)
    var correction = TimeEntryCorrection()
    correction.changes = TimeEntryChanges(from: before, to: after)
    return .correct(entry, correction, policy: policy, reason: nil)
  }

  private func recordRunningLimits() throws {
    // An entry that would run since more than 12 hours ago, and a part of it as long.
    let running = try #require(store.state.domain.runningEntry(of: Self.anna)?.id)
    let early = try correct(running) { $0.start = now().adding(.seconds(-50_000)) }
    try refuse(.entry(early))
    try perform(.entry(early.with(.allow)))
    try refuse(.entry(.split(running, at: now().adding(.seconds(-1_000)), reason: nil)))
    let draft = TimeEntryDraft(user: .id(Self.anna), description: "call", zone: .utc)
    let begin = now().adding(.seconds(-1_000))
    try refuse(
      .entry(.add(draft, start: begin, end: begin.adding(.seconds(60)), policy: .adjust)))
  }

  /// Closes the time of an entry, which then cannot be changed until the period is reopened.
  private func recordClosings(_ id: TimeEntryID) throws {
    let entry = try #require(store.state.domain.timeEntries[id])
    let end = try #require(entry.end)
    let closing = Closing(.all, from: entry.start, to: end, login: "anna", reason: "invoiced")
    let first = ClosingID(value: 0)
    try perform(.closing(.close(closing)))
    try refuse(.closing(.close(closing)))
    try refuse(.entry(try correct(id) { $0.description = "row" }))
    try refuse(.entry(.delete(id, reason: nil)))
    try perform(.closing(.reopen(first, reason: "a wrong text")))
    try refuse(.closing(.reopen(first, reason: nil)))
    try perform(.entry(try correct(id) { $0.description = "row" }))
    var preference = PreferenceSetChanges()
    preference.currency = Change(from: nil, to: "EUR")
    preference.dateFormat = Change(from: .yearMonthDay, to: .dayMonthYearStops)
    preference.durationFormat = Change(from: .improved, to: .decimal)
    preference.is24Hours = Change(from: true, to: false)
    preference.asksAfter = Change(from: nil, to: .seconds(36_000))
    preference.groupsSimilar = Change(from: true, to: false)
    preference.isManual = Change(from: false, to: true)
    try perform(.preferences(.change(PreferenceSetID(value: 0), preference, reason: nil)))
  }

  // MARK: Scenes

  /// Presses keys as a driver does.
  private func press(_ names: String...) throws {
    for name in names {
      let key = try #require(Key(name: name))
      let frame = try #require(
        SceneFrame(
          of: scene, in: store.state, at: now(), by: rules,
          size: Screen.Size(columns: 80, rows: 24)))
      let meaning = frame.interpret(key, at: now())
      switch meaning {
      case .intents(let intents):
        guard let refusal = try store.carryOutBlocking(intents) else { continue }
        try store.sendBlocking([TimeTracker.answer(to: refusal, of: intents, in: scene)])
      case .undo, .redo, .takeBack:
        let isRedo = meaning == .redo
        let performed = try isRedo ? store.redoBlocking() : store.undoBlocking()
        try store.sendBlocking([
          TimeTracker.answer(toRestore: performed?.facts, isRedo: isRedo, in: scene)
        ])
      case .restore, .leave, .lookBack, .copy, .write, .calendars, .secret: return
      }
    }
  }

  private func recordScenes() throws {
    try store.sendBlocking([.opened(scene)])
    #expect(try store.attach(to: scene))
    try press("up", "down", "escape", "text:Ev", "backspace", "text:va", "left")
    // The second enter makes the user.
    try press("right", "enter", "enter")
    try press("text:?", "text:?", "text:n", "text:tea", "tab", "text:gar", "right", "enter")
    try press("ctrl-x")
    // An entry that begins before the running one: refused, shown, and adjusted.
    try press("text:n", "text:coffee", "tab", "tab", "tab", "text:2026-01-01 00:00", "enter")
    try press("ctrl-x", "text:s", "down", "text:e", "text: with milk", "enter", "text:d")
    try press("text:z", "text:Z", "text:z", "home", "text:u", "down", "enter")
    let other = SceneID(value: 1)
    try store.sendBlocking([.opened(other), .scene(other, .helpToggled)])
    let path = try TimeTracker.opening("timer/0/edit/0", in: other, of: store.state)
    try store.sendBlocking([path])
    // The timer is left while the form has no longer a place there.
    try store.sendBlocking([.scene(scene, .popped(RouteID(value: 77)))])
  }

  // MARK: Obstacles

  /// The recording of keys in a second scene, with the clocks of a zone that change.
  private var second: TrackerRecording {
    var second = self
    second.scene = SceneID(value: 2)
    second.rules = ZoneRules(posixRule: "CET-1CEST,M3.5.0,M10.5.0/3") ?? .utc
    return second
  }

  /// Presses keys in a store without users.
  private func recordFirstKeys() throws {
    try store.sendBlocking([.opened(second.scene)])
    try second.press("enter", "down")
  }

  /// Presses keys that do nothing, for the reasons that a user meets.
  private func recordObstacles() throws {
    var second = second
    try second.press("text:Fay", "enter", "enter")
    try second.press("text:s", "text:e", "down", "page-down", "page-up")
    for name in ["Cy", "Di"] {
      try perform(.client(.create(Client(name: Name(name)))))
      let client = ClientID(value: store.state.domain.clients.nextID.value - 1)
      try perform(.project(.create(Project(name: Name("web"), client: client))))
    }
    try second.press("text:n")
    try second.tryTexts([
      "8:30 - 8:30 swim", "9.30 swim", "9:00 pm swim", "2025-02-30 9:00 swim",
      "@Retrace @Garden swim",
    ])
    // Within a word, nothing is suggested, so tab leaves the field.
    try second.press("text:swim @Retrace", "left", "tab")
    try second.tryTexts(["web", "Cy/zoo", "/web", "Eve/web", "Garden"])
    try second.press("tab", "tab")
    try second.tryTexts([
      "soon", "9", "2025-02-30 9:00", "25:00", "yesterday", "2025-03-30 2:30",
      "2025-10-26 2:30", "2025-12-31 9:00 CEST", String(repeating: "1", count: 201),
      "9999 years ago",
    ])
    try second.press("tab")
    try second.tryTexts(["1h", "9:00"])
    // The missing start got the focus.
    try second.press("down", "ctrl-u", "tab")
    try second.tryTexts(["later", "150000", "1h90", "1d", "-1:00", "1000h"])
    try second.press("text:2:00", "up", "text:9:00", "up", "text:8:00", "enter", "up", "up")
    // Nothing is in the way of an entry of the future. An entry that runs for days is.
    try second.press("ctrl-u", "text:2027-01-01 8:00", "down", "ctrl-u", "down", "ctrl-u")
    try second.press("enter", "enter", "ctrl-u", "text:2025-12-30 8:00", "enter")
    try second.press("ctrl-o", "text:n", "text:2025-12-31 8:00 - 8:30 dive", "enter", "enter")
    try second.press("escape", "escape", "text:e", "ctrl-r", "tab", "tab", "tab", "ctrl-u")
    try second.press("enter")
    second.rules = .utc
    try second.press("enter")
    // A form from before forms kept what they were made from.
    let running = try #require(store.state.domain.user(named: Name("Fay")))
    var form = EntryEditorRoute(user: running)
    form.entry = store.state.domain.runningEntry(of: running)?.id
    try store.sendBlocking([.scene(second.scene, .pushed(.entryEditor(form)))])
    try second.press("enter")
  }

  /// Uses the suggestions, the questions and the times of the form, and the form of a group.
  private func recordForm() throws {
    let second = second
    try perform(.project(.create(Project(name: Name("Club")))))
    let club = ProjectID(value: store.state.domain.projects.nextID.value - 1)
    try perform(.task(.create(ProjectTask(name: Name("laps"), project: club))))
    try second.press("escape", "escape", "escape")
    for times in ["7:00 - 7:10", "7:20 - 7:30"] {
      try second.press("text:n", "text:\(times) row #lake", "enter", "enter")
    }
    try second.press("text:n", "text:row", "down", "enter", "escape", "text:n")
    try second.press("text:swim @club/la", "right", "escape")
    try second.press("text:n", "text:2025-12-30 8:00 - 8:10 far", "enter")
    try second.press("text:n", "backtab", "backtab", "text:130", "alt-up", "ctrl-s", "ctrl-u")
    try second.press("up", "text:1h", "enter", "ctrl-u", "text:6:00", "up", "text:8:00", "enter")
    try second.press("down", "enter", "up", "ctrl-u", "text:2025-10-01 8:00", "enter")
    try second.press("ctrl-u", "text:soon", "alt-up", "escape")
    let group = [Int64](0...1).map { store.state.domain.timeEntries.nextID.value - 3 + $0 }
    var form = EntryEditorRoute(user: try #require(store.state.domain.user(named: Name("Fay"))))
    (form.entry, form.others) = (
      TimeEntryID(value: group[1]), [TimeEntryID(value: group[0])]
    )
    try store.sendBlocking([.scene(second.scene, .pushed(.entryEditor(form)))])
    try second.press("ctrl-r", "backtab", "backtab", "text:1", "escape")
  }

  /// Types each text into the focused field, presses enter, and removes the text.
  private func tryTexts(_ texts: [String]) throws {
    for text in texts { try press("text:\(text)", "enter", "ctrl-u") }
  }
}
