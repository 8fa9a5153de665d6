import Foundation
import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceRecording
import RetraceState
import Testing
import TimeTracking
import ToolTestSupport
import TrackerFeatures

/// How the log of commands that newer rules refuse was made: merges that leave two entities of one
/// name, rates of entries that are not billable, corrections that take time of one another, and
/// what the verbs of the command line do beside them.
///
/// The command line refused some of these commands when the log was written, so they are performed
/// on the store itself. Its deciders accepted them. Here they ask for the rules of that time.
struct RivalRecording {
  private let store: Store<TimeTracker>
  private let now: @Sendable () -> Moment

  private static let anna = UserID(value: 0)
  private static let bob = UserID(value: 1)
  private static let zone = RecordedZone(id: "Europe/Berlin", offsetSeconds: 3_600)

  static func write(to log: GoldenLog) throws {
    try log.write { path, configuration in
      var configuration = configuration
      configuration.hashInterval = 16
      func session(_ login: String = "anna", _ body: (RivalRecording) throws -> Void) throws {
        var configuration = configuration
        configuration.origin.login = login
        let store = try Store<TimeTracker>.openBlocking(at: path, configuration: configuration)
        try body(RivalRecording(store: store, now: configuration.clock))
        try store.closeBlocking()
      }
      try session { try $0.recordClients() }
      try session { try $0.recordProjects() }
      try session("bob") { try $0.recordEntries() }
      try session { try $0.recordCurrencies() }
      try session { try $0.recordRestores() }
      try recordVerbs(in: path)
      // Repeats the merges after the verbs.
      try session("bob") { try $0.recordRestores() }
    }
  }

  private func perform(
    _ command: DomainCommand, from origin: RecordedCommand.Origin = .commandLine
  ) throws {
    try store.performBlocking(command, from: origin)
  }

  /// Performs a command of a scene, which has to be refused.
  private func refuse(_ command: DomainCommand) throws {
    #expect(throws: CommandError<TimeTracker>.self) { try perform(command, from: .scene) }
  }

  // MARK: Names

  private func client(_ name: String, in workspace: WorkspaceID? = nil) throws {
    try perform(.client(.create(Client(name: Name(name), workspace: workspace))))
  }

  private func project(_ name: String, of client: Int64?, rate: Int64? = nil) throws {
    var project = Project(name: Name(name), client: client.map { ClientID(value: $0) })
    project.rate = rate
    project.isBillable = rate != nil
    try perform(.project(.create(project, rules: .first)))
  }

  private func change(
    _ project: Int64, _ edit: (inout Project) -> Void
  ) throws -> DomainCommand {
    let id = ProjectID(value: project)
    let before = try #require(store.state.domain.projects[id])
    var after = before
    edit(&after)
    return .project(
      .change(id, ProjectChanges(from: before, to: after), rules: .first, reason: nil))
  }

  private func merge(project: Int64, into other: Int64) -> DomainCommand {
    .project(
      .merge(
        ProjectID(value: project), into: ProjectID(value: other), rules: .first, reason: "twice"))
  }

  private func merge(client: Int64, into other: Int64) -> DomainCommand {
    .client(
      .merge(
        ClientID(value: client), into: ClientID(value: other), rules: .first, reason: "one firm"))
  }

  /// Clients that both have a project of one name become one, in every way in which the names of
  /// two projects can be one.
  private func recordClients() throws {
    try perform(.user(.create(User(name: Name("Anna")))))
    try perform(.user(.create(User(name: Name("Bob")))))
    try client("Ada")  // 0
    try client("Ada Ltd")  // 1
    try project("web", of: 0)  // 0
    try project("web", of: 1, rate: 9_000)  // 1
    try project("shop", of: 1)  // 2
    try perform(merge(client: 1, into: 0))

    // A merged project and another one swap their names.
    try client("Bell")  // 2
    try client("Bell GmbH")  // 3
    try project("Site", of: 2)  // 3
    try project("pages", of: 2)  // 4
    try perform(merge(project: 3, into: 4))
    try project("site", of: 3)  // 5
    try perform(merge(client: 3, into: 2))
    try client("Bell AG")  // 4
    try project("SITE", of: 4)  // 6
    try project("pages", of: 4)  // 7
    try perform(merge(project: 7, into: 6))
    try perform(merge(client: 4, into: 3))

    // A client is merged with one that has itself been merged; nothing is merged twice.
    try client("Ada Inc")  // 5
    try project("shop", of: 5)  // 8
    try perform(merge(client: 5, into: 1))
    try refuse(merge(client: 5, into: 0))
    try refuse(merge(client: 0, into: 0))
    try perform(.workspace(.create(Workspace(name: Name("Studio")))))
    try client("Ada", in: WorkspaceID(value: 0))  // 6
    try refuse(merge(client: 6, into: 0))
  }

  /// Projects that both have a task of one name become one; projects come to clients that have one
  /// of the name by a merge.
  private func recordProjects() throws {
    for (name, project) in [("Design", 0), ("Code", 0), ("Design", 8), ("Review", 8)] {
      try perform(
        .task(.create(ProjectTask(name: Name(name), project: ProjectID(value: Int64(project))))))
    }
    // Both belong to one client only by merges, which this decision does not follow.
    try refuse(merge(project: 8, into: 0))
    try project("app", of: 2)  // 9
    try project("App", of: nil)  // 10
    try project("application", of: 2)  // 11
    for (name, project) in [("Code", 9), ("Test", 9), ("code", 11), ("TEST", 11), ("Ship", 11)] {
      try perform(
        .task(.create(ProjectTask(name: Name(name), project: ProjectID(value: Int64(project))))))
    }
    try perform(merge(project: 11, into: 9))
    // Two tasks of one name keep it, but no other one gets it.
    var task = ProjectTaskChanges()
    task.estimate = Change(from: nil, to: .seconds(7_200))
    try perform(.task(.change(TaskID(value: 6), task, reason: nil)))
    task = ProjectTaskChanges()
    task.name = Change(from: Name("Ship"), to: Name("Code"))
    try refuse(.task(.change(TaskID(value: 8), task, reason: nil)))
    try refuse(.task(.create(ProjectTask(name: Name("Test"), project: ProjectID(value: 11)))))
    // A task moves to a project that has one of its name by the merge.
    task = ProjectTaskChanges()
    task.project = Change(from: ProjectID(value: 0), to: ProjectID(value: 9))
    try refuse(.task(.change(TaskID(value: 1), task, reason: nil)))
    task.name = Change(from: Name("Code"), to: Name("Write"))
    try perform(.task(.change(TaskID(value: 1), task, reason: nil)))

    // To a client with a project of the name: refused. To one that has it by a merge: accepted.
    try refuse(try change(10) { $0.client = ClientID(value: 2) })
    try project("web", of: nil)  // 12
    try refuse(try change(12) { $0.client = ClientID(value: 0) })
    try perform(try change(12) { $0.client = ClientID(value: 5) })
    try project("shop", of: nil)  // 13
    try perform(try change(13) { $0.client = ClientID(value: 0) })
    try project("blog", of: 0)  // 14
    try perform(try change(14) { $0.name = Name("shop 2") })
    try refuse(try change(14) { $0.name = Name("web") })
    try refuse(
      .project(.create(Project(name: Name("site"), client: ClientID(value: 2)), rules: .first)))
    try perform(
      .project(.create(Project(name: Name("pages"), client: ClientID(value: 3)), rules: .first)))
    // The other fields of projects with a rival change as before.
    try perform(try change(5) { $0.isArchived = true })
    try perform(try change(15) { $0.color = 0x2d_a608 })
  }

  // MARK: Entries

  private func draft(_ description: String, _ project: Int64? = nil) -> TimeEntryDraft {
    var draft = TimeEntryDraft(user: .id(Self.anna), description: description, zone: Self.zone)
    draft.project = project.map { .id(ProjectID(value: $0)) }
    return draft
  }

  /// The moment of a minute of the day before the log begins.
  private func time(_ minute: Int64) -> Moment {
    Moment(microseconds: (1_767_139_200 + minute * 60) * 1_000_000)
  }

  private func add(
    _ draft: TimeEntryDraft, _ start: Int64, _ end: Int64, _ policy: Policy = .refuse
  ) -> DomainCommand {
    .entry(.add(draft, start: time(start), end: time(end), policy: policy))
  }

  private func join(_ one: Int64, _ other: Int64, _ policy: Policy = .refuse) -> DomainCommand {
    .entry(
      .join(
        TimeEntryID(value: one), TimeEntryID(value: other), policy: policy, rules: .first,
        reason: "one"))
  }

  private func correction(
    of entry: Int64, _ policy: Policy = .refuse, _ edit: (inout TimeEntry) -> Void
  ) throws -> TimeEntryCommand {
    let id = TimeEntryID(value: entry)
    let before = try #require(store.state.domain.timeEntries[id])
    var after = before
    edit(&after)
    var correction = TimeEntryCorrection()
    correction.changes = TimeEntryChanges(from: before, to: after)
    return .correct(id, correction, policy: policy, rules: .first, reason: "as noted")
  }

  private func recordEntries() throws {
    try recordJoins()
    try recordMoves()
    try recordSeveral()
  }

  /// Joins of entries that are alike, and refused ones of entries that are billed unalike.
  private func recordJoins() throws {
    try perform(add(draft("plan", 1), 0, 60))  // 0, billable
    try perform(add(draft("plan more", 1), 60, 90))  // 1, billable
    try perform(add(draft("mail"), 120, 150))  // 2
    try perform(add(draft("call", 0), 180, 240))  // 3
    var billed = draft("call on", 0)
    billed.isBillable = true
    try perform(add(billed, 240, 300))  // 4, without a rate
    try perform(join(0, 1))
    try refuse(join(0, 0))
    try refuse(join(3, 4))
    try refuse(join(0, 3))
    try refuse(join(0, 1))
    try perform(join(2, 3, .adjust))
    try perform(add(draft("late", 1), 300, 320))  // 5, billable
    try perform(.entry(try correction(of: 5) { $0.rate = 4_500 }))
    try refuse(join(0, 5, .allow))
    try perform(add(draft("between"), 330, 340))  // 6
    try perform(add(draft("after"), 350, 360))  // 7
    try perform(add(draft("end"), 370, 380))  // 8
    try refuse(join(6, 8))
    try perform(join(6, 8, .adjust))
    var bobs = TimeEntryDraft(user: .id(Self.bob), description: "own", zone: .utc)
    bobs.tags = [.name(Name("deep"))]
    try perform(add(bobs, 0, 30))  // 9
    try refuse(join(6, 9, .allow))
    try perform(.entry(.split(TimeEntryID(value: 9), at: time(10), reason: nil)))  // 10
    try perform(join(10, 9))
  }

  /// Entries move to other times, other workspaces and other projects.
  private func recordMoves() throws {
    let studio = WorkspaceID(value: 0)
    try refuse(.entry(try correction(of: 0) { $0.workspace = studio }))
    try refuse(.entry(try correction(of: 9) { $0.workspace = studio }))
    try perform(
      .entry(
        try correction(of: 9) {
          $0.workspace = studio
          $0.tags = []
        }))
    try perform(.entry(try correction(of: 0) { $0.project = ProjectID(value: 11) }))
    // Neither is billable.
    try perform(.entry(try correction(of: 2) { $0.rate = 1_000 }))
    try perform(.entry(try correction(of: 6) { $0.rate = 0 }))
    try refuse(.entry(try correction(of: 6) { $0.rate = -1 }))
    try refuse(
      .entry(
        try correction(of: 6) {
          $0.start = time(200)
          $0.end = time(310)
        }))
    try perform(
      .entry(
        try correction(of: 6, .adjust) {
          $0.start = time(200)
          $0.end = time(310)
        }))
    try perform(
      .entry(
        try correction(of: 6, .allow) {
          $0.start = time(-3_000)
          $0.end = time(-2_000)
        }))
    // An entry that began long ago runs; stopping it now would make it too long.
    try perform(.entry(.start(draft("forgotten", 9), at: time(400), policy: .refuse)))
    try refuse(.entry(.stop(Self.anna, at: nil, policy: .refuse)))
    try perform(.entry(.stop(Self.anna, at: time(460), policy: .adjust)))
  }

  /// Several commands as one change, one of which takes time of another.
  private func recordSeveral() throws {
    for start in stride(from: Int64(500), to: 800, by: 100) {
      try perform(add(draft("part \(start)", 9), start, start + 60))
    }
    var ids: [Int64] = []
    store.state.domain.timeEntries.forEach { id, _ in ids.append(id.value) }
    ids = ids.suffix(3)
    func ending(_ index: Int, _ policy: Policy, at end: Int64) throws -> TimeEntryCommand {
      try correction(of: ids[index], policy) { $0.end = time(end) }
    }
    // The first one takes the start of the second one, whose end then moves.
    try perform(
      .entry(.several([try ending(0, .adjust, at: 620), try ending(1, .adjust, at: 680)])))
    // It takes all of the second one, and the start of the third one.
    try perform(
      .entry(
        .several([
          try ending(0, .adjust, at: 720), try ending(2, .adjust, at: 800),
          .delete(TimeEntryID(value: 9), reason: "twice"),
        ])))
    try refuse(
      .entry(.several([try ending(2, .refuse, at: 790), try ending(0, .refuse, at: 730)])))
    try perform(.entry(.several([try ending(2, .allow, at: 790), try ending(0, .allow, at: 730)])))
    // Nothing is left of an entry that a later one of the commands corrects.
    try refuse(
      .entry(.several([try ending(0, .adjust, at: 800), try ending(2, .adjust, at: 810)])))
  }

  // MARK: Currencies

  /// The currency of entries with rates changes when their workspace gets another, and with the
  /// workspace of their user.
  private func recordCurrencies() throws {
    let studio = WorkspaceID(value: 0)
    var workspace = WorkspaceChanges()
    workspace.rate = Change(from: nil, to: 7_000)
    try perform(.workspace(.change(studio, workspace, reason: nil)))
    var billed = draft("in the studio")
    billed.workspace = studio
    billed.isBillable = true
    try perform(add(billed, 900, 960))
    workspace = WorkspaceChanges()
    workspace.currency = Change(from: "EUR", to: "USD")
    try perform(.workspace(.change(studio, workspace, rules: .first, reason: "moved")))
    var user = UserChanges()
    user.workspace = Change(from: nil, to: studio)
    try perform(.user(.change(Self.anna, user, rules: .first, reason: nil)))
    user.workspace = Change(from: studio, to: nil)
    try perform(.user(.change(Self.anna, user, rules: .first, reason: nil)))
    try refuse(.workspace(.delete(studio, reason: nil)))
    // A project, a client and a user that have entries are deleted.
    try perform(.project(.delete(ProjectID(value: 9), reason: "done")))
    try perform(.client(.delete(ClientID(value: 3), reason: nil)))
    try perform(.user(.delete(Self.bob, reason: nil)))
  }

  private func recordRestores() throws {
    for _ in 0..<12 { _ = try? store.undoBlocking() }
    for _ in 0..<7 { _ = try? store.redoBlocking() }
  }
}

// MARK: Verbs

extension RivalRecording {
  /// The verbs, each at a time of 5 January 2026 in Berlin.
  ///
  /// Those after `!` are refused, and so leave no record.
  private static let verbs = """
    08:00 clients create Nora
    08:00 clients create Nord
    08:01 projects create north --client Nora --rate 80
    08:01 projects create north --client Nord
    08:02 ! clients merge Nord Nora
    08:03 projects rename Nord/north south
    08:03 clients merge Nord Nora
    08:04 ! projects rename south north
    08:05 tasks create plan --project north
    08:05 projects create east --client Nora
    08:05 tasks create plan --project east
    08:06 ! projects merge east north
    08:07 tasks rename plan sketch --project east
    08:07 projects merge east north
    08:07 ! projects merge south north
    08:08 ! tasks rename sketch plan --project north
    08:10 workspaces create lab --currency USD --rate 50
    08:11 users set anna --workspace lab --rate 70
    08:20 start 8:00 write @north +focus --note draft
    09:00 switch 8:50 review @north --task plan
    09:30 pause
    09:40 resume
    10:00 stop
    10:10 add 10:00 - 10:05 call --workspace lab --billable
    10:20 add 10:05 - 10:10 call again
    10:30 ! join 0 -1
    10:30 ! join -2 -1 --policy adjust
    10:31 edit -1 --billable
    10:31 join -2 -1 --policy adjust
    10:32 edit -1 --rate 45.50
    10:33 ! edit -1 --workspace "" --rate "" --not-billable --end 9:59
    10:34 ! workspaces set lab --currency EUR
    10:35 workspaces set lab --currency EUR --yes
    10:36 ! users set anna --workspace ""
    10:37 users set anna --workspace "" --yes
    10:40 move -1 7:00
    10:41 lengthen -1 5m --reason "the phone says so"
    10:42 shorten -1 2m
    10:43 split -1
    10:44 ! move -1 8:10
    10:45 move -1 8:10 --policy adjust
    10:46 tag -1 call --reason label
    10:47 untag -1 call
    10:48 annotate -1 "by hand"
    10:50 edit -1 -2 --description both --yes
    10:51 ! edit -1 -2 --start 8:12 --end 8:20 --policy adjust
    10:52 edit -1 -2 --start 8:12 --end 8:20 --policy allow
    10:53 delete -1 --reason twice
    10:54 undo
    10:55 undo 3
    10:56 redo 2
    10:57 import times.klg --format klog --zone Europe/Berlin
    10:58 undo
    10:59 redo
    11:00 goals create deep --target 20h --project north
    11:01 preferences --policy adjust --week-start sunday
    11:02 continue 0
    11:03 cancel
    11:04 undo 2
    11:05 ! projects delete north
    11:06 projects delete north --yes
    11:07 undo
    """

  private static let file = """
    2026-01-02
    Trip with #focus
        8:00 - 9:30 pack
        10:00 - 11:00 drive

    2026-01-03
        1h wait
        -10m break

    """

  /// Runs the verbs on a store.
  private static func recordVerbs(in store: String) throws {
    let folder = String(store[..<(store.lastIndex(of: "/") ?? store.endIndex)])
    try file.write(toFile: "\(folder)/times.klg", atomically: true, encoding: .utf8)
    for line in verbs.split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 2).map(String.init)
      let isRefused = parts[1] == "!"
      let words = isRefused ? parts[2] : parts[1...].joined(separator: " ")
      let hour = (Int(parts[0].prefix(2)) ?? 0) - 1
      let clock = "2026-01-05T\(hour < 10 ? "0" : "")\(hour)\(parts[0].dropFirst(2)):00Z"
      // An import takes the real clock, and none of the options for it.
      let now = words.hasPrefix("import") ? "" : "--now \(clock)"
      let result = try shell(
        "cd \"$1\"; set -- \"$2\"; track \(words) --store \"$1\" --user anna \(now)",
        [folder, store], environment: ["TZ": "Europe/Berlin"])
      let isAsExpected = isRefused ? result.status == 1 : result.status == 0
      try #require(isAsExpected, "\(line): \(result.output) \(result.errors)")
    }
  }
}
