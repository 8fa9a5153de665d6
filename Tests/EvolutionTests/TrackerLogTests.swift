import CivilTime
import Foundation
import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceRecording
import RetraceReplay
import RetraceSchema
import RetraceScreen
import RetraceState
import Testing
import TimeTracking
import TrackerFeatures

@testable import RetraceStorage

/// The logs of the tracker, with commands and from the time before commands.
@Suite struct TrackerLogTests {
  private let log = GoldenLog(name: "tracker-11")

  @Test func `the log of the tracker's commands is folded, verified and decided again`() throws {
    try log.reading { storage in
      let verification = try Verifier<TimeTracker>.verify(
        storage, checkingInvariants: .everyRecord, decidingCommands: true)
      #expect(verification.records == 434)
      // The type of the state has grown since, so its hashes belong to another type.
      #expect(verification.compared == 0 && verification.notComparable == 204)
      #expect(verification.comparedShort == 0)
      #expect(verification.firstDivergence == nil && verification.skipped.isEmpty)
      #expect(verification.firstViolations == nil)
      let decisions = try #require(verification.decisions)
      // The rows of an import are not in the log.
      #expect(decisions.decided == 111 && decisions.notComparable == 3)
      #expect(decisions.divergences == 0 && decisions.firstDivergence == nil)
    }
  }

  /// Logs from before entries were split and joined, from before several commands were one change,
  /// from before commands asked for rules, from before the time that an entry runs was limited,
  /// from before a command that adds an entry asked for rules, from before periods were closed,
  /// from before a key that does nothing had its reason as facts, and with one commit an input.
  @Test(
    arguments: [
      ("tracker-3", 226, 9, 69), ("tracker-4", 226, 9, 69), ("tracker-5", 227, 9, 69),
      ("tracker-7", 261, 10, 87), ("tracker-8", 264, 10, 90), ("tracker-9", 265, 60, 91),
      ("tracker-10", 277, 61, 99), ("tracker-12", 509, 261, 117),
    ] as [(String, UInt64, Int, Int)])
  func `a log from before there were all commands is decided again`(
    log: String, records: UInt64, hashes: Int, decided: Int
  ) throws {
    try GoldenLog(name: log).reading { storage in
      let verification = try Verifier<TimeTracker>.verify(
        storage, checkingInvariants: .everyRecord, decidingCommands: true)
      #expect(verification.records == records)
      // The type of the state has grown since, so its hashes belong to another type.
      #expect(verification.compared == 0 && verification.notComparable == hashes)
      #expect(verification.firstDivergence == nil && verification.skipped.isEmpty)
      #expect(verification.firstViolations == nil)
      let decisions = try #require(verification.decisions)
      #expect(decisions.decided == decided && decisions.notComparable == 3)
      #expect(decisions.divergences == 0 && decisions.firstDivergence == nil)
    }
  }

  @Test func `commands that newer rules refuse are decided again as they were`() throws {
    try GoldenLog(name: "tracker-6").reading { storage in
      let verification = try Verifier<TimeTracker>.verify(
        storage, checkingInvariants: .everyRecord, decidingCommands: true)
      #expect(verification.records == 528)
      #expect(verification.compared == 0 && verification.notComparable == 61)
      #expect(verification.firstDivergence == nil && verification.skipped.isEmpty)
      #expect(verification.firstViolations == nil)
      let decisions = try #require(verification.decisions)
      #expect(decisions.decided == 205 && decisions.notComparable == 1)
      #expect(decisions.divergences == 0 && decisions.firstDivergence == nil)
    }
  }

  @Test func `merges in that log leave projects and tasks of one name`() throws {
    try GoldenLog(name: "tracker-6").reading { storage in
      var (clients, projects, refusals): (Set<Name>, Set<Name>, [String: Int]) = ([], [], [:])
      var replayer = try Replayer<TimeTracker>(storage)
      try storage.withReadView { (view) throws(StoreError) in
        try view.forEachRecord(from: 1, through: view.head.sequence) { envelope, payload in
          guard envelope.kind == .command, let recorded = try? RecordedCommand(encoded: payload)
          else { return }
          let refusal = recorded.refusal.flatMap { try? DomainRefusal(encoded: $0.bytes.span) }
          guard let text = refusal.map({ "\($0)" }) else { return }
          // Such as `entry invalid`: the entity, and the case of the innermost refusal.
          let kind = text.components(separatedBy: "Refusal.").last ?? ""
          let words = [text, kind].map { $0.prefix { $0.isLetter } }
          refusals[words.joined(separator: " "), default: 0] += 1
        }
      }
      while try replayer.stepForward() {
        let domain = replayer.state.domain
        var (owners, ofProjects): ([Name: [ClientID]], [Name: [ProjectID]]) = ([:], [:])
        domain.projects.forEach { _, project in
          guard project.deleted == nil, project.mergedInto == nil,
            let client = project.client.flatMap({ domain.clients.resolve($0) })
          else { return }
          if owners[project.name]?.contains(client) == true { clients.insert(project.name) }
          owners[project.name, default: []].append(client)
        }
        domain.tasks.forEach { _, task in
          guard task.deleted == nil, let project = domain.projects.resolve(task.project) else {
            return
          }
          if ofProjects[task.name]?.contains(project) == true { projects.insert(task.name) }
          ofProjects[task.name, default: []].append(project)
        }
      }
      #expect(clients.map(\.text).sorted() == ["SITE", "pages", "shop", "web"])
      #expect(projects.map(\.text).sorted() == ["TEST", "code"])
      #expect(
        refusals == [
          "client cannotMerge": 3, "entry cannotJoin": 5, "entry invalid": 3, "entry overlaps": 3,
          "entry tooLong": 1, "entry unknown": 2, "project cannotMerge": 1, "project nameTaken": 4,
          "task nameTaken": 3, "workspace inUse": 1,
        ])
    }
  }

  @Test func `the log has every command, and every way in which a session ends`() throws {
    try log.reading { storage in
      var commands: Set<String> = []
      var origins: Set<RecordedCommand.Origin> = []
      var refusals = 0
      var values = RecordedValues<DomainCommand>()
      try storage.withReadView { (view) throws(StoreError) in
        try view.forEachRecord(from: 1, through: view.head.sequence) { envelope, payload in
          guard envelope.kind == .command,
            let recorded = try? RecordedCommand(encoded: payload),
            let command = values.value(of: recorded.command, in: view)
          else { return }
          commands.formUnion(Mirror(reflecting: command).children.compactMap(\.label))
          origins.insert(recorded.origin)
          if recorded.refusal != nil { refusals += 1 }
        }
      }
      #expect(
        commands == [
          "workspace", "client", "project", "task", "tag", "user", "preferences", "goal", "source",
          "importRun", "entry", "favorite", "closing", "restore",
        ])
      #expect(origins == [.commandLine, .scene, .importing, .undo, .program])
      #expect(refusals == 25)
      let sessions = try SessionSummary.all(in: storage)
      #expect(
        sessions.map(\.end)
          == [.closed, .signalled(15), .foundDead, .closed, .closed, .closed, nil])
      let logins = sessions.map { $0.opened.origin?.login }
      #expect(logins == ["anna", "anna", "anna", "bob", "anna", "anna", "anna"])
    }
  }

  @Test func `the state of the log is that of the recorded session`() throws {
    try log.reading { storage in
      var replayer = try Replayer<TimeTracker>(storage)
      try replayer.seek(to: replayer.last)
      let state = replayer.state
      var entries: [String] = []
      state.domain.timeEntries.forEach { _, entry in
        guard state.domain.isVisible(entry), entry.importRun == nil else { return }
        let labels = state.domain.labels(of: entry)
        let time = entry.duration?.clock ?? "runs"
        entries.append(
          "\(labels.user): \(entry.description) @\(labels.project ?? "") \(labels.tags) \(time)")
      }
      #expect(
        entries == [
          #"Anna: Prüfung 👩🏽‍🚀 @Retrace ["deep", "new"] 0:06:00"#,
          #"Bob: mow @Lawn ["outside"] 0:10:00"#, "Bob: weed @Garden [] 1:41:00",
          "Bob: weed @Garden [] 0:10:00", "Bob: weed @Garden [] 0:10:00",
          #"Anna: Prüfung 👩🏽‍🚀 @Retrace ["deep", "new"] runs"#,
          "Anna: fish @Pier [] 0:10:00", "Anna: row @Retrace [] 0:30:00",
          "Anna: sail @ [] 1:30:00", "Eva: coffee with milk @ [] 5:05:00",
          "Fay: swim @Retrace [] runs",
        ])
      #expect(state.domain.totals().entries == entries.count + 20)
      #expect(
        TimeTracker.scenes(in: state).map { TimeTracker.backStack(of: $0, in: state)?.top.path }
          == ["timer/0", "timer/0/edit/0", "timer/5/edit/34"])
      let screen = TimeTracker.screen(
        of: SceneID(value: 2), in: state, at: Moment(microseconds: 0),
        size: Screen.Size(columns: 80, rows: 24))
      #expect(
        screen.canvas.lines.contains("! The form is empty. Leave it, and open the entry again."))
    }
  }

  /// Calls `body` after each record at which the notice of a scene is another one.
  private func forEachNotice(
    in log: GoldenLog, _ body: (Notice, SceneID, TrackerState) throws -> Void
  ) throws {
    try log.reading { storage in
      var replayer = try Replayer<TimeTracker>(storage)
      var before: [SceneID: Notice] = [:]
      while try replayer.stepForward() {
        let notices = replayer.state.scenes.compactMapValues(\.notice)
        for (id, notice) in notices where before[id] != notice {
          try body(notice, id, replayer.state)
        }
        before = notices
      }
    }
  }

  @Test func `a key that does nothing has its reason as facts`() throws {
    var (obstacles, problems): (Set<String>, Set<String>) = ([], [])
    func name(_ value: some Any) -> String { String("\(value)".prefix { $0 != "(" }) }
    try forEachNotice(in: log) { notice, _, _ in
      switch notice {
      case .unavailable(let text): Issue.record("\(text)")
      case .obstacle(let obstacle):
        obstacles.insert(name(obstacle))
        switch obstacle {
        case .unreadableField(let problem), .unreadableBeginning(let problem):
          problems.insert(name(problem))
        default: break
        }
      default: break
      }
    }
    #expect(
      obstacles == [
        "nameMissing", "noUsers", "userIsNew", "nothingRuns", "nothingSelected", "noEntries",
        "noOlderEntries", "noNewerEntries", "cannotAdjust", "formEmpty", "unchangedElsewhere",
        "otherZone", "startMissing", "startAndDurationMissing", "timesDisagree",
        "unreadableField", "unreadableBeginning", "rangeEndsFirst", "beginningMisread", "project",
        "twoProjects", "projectInField",
      ])
    #expect(
      problems == [
        "textTooLong", "unreadable", "ambiguous", "noSuchDay", "noSuchTime", "over59", "notFixed",
        "timeMissing", "skipped", "repeated", "noSuchOffset", "yearOutOfRange", "negative",
        "durationTooLong",
      ])
  }

  @Test(arguments: ["tracker-7", "tracker-8", "tracker-9", "tracker-10"])
  func `a reason that an older build recorded as a text is shown`(log: String) throws {
    var texts: [String] = []
    try forEachNotice(in: GoldenLog(name: log)) { notice, scene, state in
      guard case .unavailable(let text) = notice else { return }
      texts.append(text)
      let screen = TimeTracker.screen(
        of: scene, in: state, at: Moment(microseconds: 0),
        size: Screen.Size(columns: 80, rows: 24))
      #expect(screen.canvas.lines.contains("! \(text)"))
    }
    #expect(texts == ["There is no user Eva. Press enter again to make one."])
  }

  @Test func `the tracker goes on with it`() throws {
    try log.withCopy { path in
      let first = try LogStorage.open(at: path, access: .read)
      let before = try first.head()
      first.close()
      var configuration = StoreConfiguration(
        clock: { Moment(microseconds: 1_800_000_000_000_000) })
      configuration.origin.login = "anna"
      let store = try Store<TimeTracker>.openBlocking(
        at: path, creating: false, configuration: configuration)
      // The same user undoes the last session's change in another session.
      let undone = try #require(try store.undoBlocking())
      #expect(!undone.facts.isEmpty)
      try store.closeBlocking()
      let storage = try LogStorage.open(at: path, access: .read)
      defer { storage.close() }
      let chain = try storage.withReadView { (view) throws(StoreError) in
        try view.chain(at: before.sequence)
      }
      #expect(chain == before.chain)
      #expect(try SessionSummary.all(in: storage).last?.end == .closed)
      let verification = try Verifier<TimeTracker>.verify(storage, decidingCommands: true)
      #expect(verification.firstDivergence == nil && verification.decisions?.divergences == 0)
    }
  }

  @Test(arguments: ["tracker-3", "tracker-6", "tracker-7"])
  func `changes and undos of older builds are undone and brought back by their sequences`(
    log: String
  ) throws {
    try GoldenLog(name: log).withMigratedCopy { path in
      var commands: [UInt64] = []
      let recorded = try LogStorage.open(at: path, access: .read)
      try recorded.withReadView { (view) throws(StoreError) in
        try view.forEachRecord(from: 1, through: view.head.sequence) { envelope, _ in
          if envelope.kind == .command { commands.append(envelope.sequence) }
        }
      }
      recorded.close()
      var configuration = StoreConfiguration(
        clock: { Moment(microseconds: 1_800_000_000_000_000) })
      configuration.origin.login = "anna"
      let store = try Store<TimeTracker>.openBlocking(
        at: path, creating: false, configuration: configuration)
      var (inEffect, undone): ([UInt64], [UInt64]) = ([], [])
      for command in commands {
        switch try store.statusBlocking(ofChange: command) {
        case .inEffect: inEffect.append(command)
        case .undone: undone.append(command)
        default: break
        }
      }
      #expect(inEffect.count > 20, "\(inEffect.count) in effect, \(undone.count) undone")
      for change in undone {
        #expect(try store.restoreBlocking(change) != nil)
        #expect(try store.statusBlocking(ofChange: change) == .inEffect)
      }
      for change in inEffect.suffix(5) {
        #expect(try store.undoBlocking(change) != nil)
        #expect(try store.statusBlocking(ofChange: change) != .inEffect)
        #expect(try store.restoreBlocking(change) != nil)
      }
      try store.closeBlocking()
      let storage = try LogStorage.open(at: path, access: .read)
      defer { storage.close() }
      let verification = try Verifier<TimeTracker>.verify(
        storage, checkingInvariants: .everyRecord, decidingCommands: true)
      #expect(verification.firstViolations == nil)
      #expect(verification.firstDivergence == nil && verification.decisions?.divergences == 0)
    }
  }

  @Test func `the first session after an upgrade saves a snapshot, for the next processes`() throws
  {
    try GoldenLog(name: "tracker-4").withMigratedCopy { path in
      for saved in [1, 1] {
        var configuration = StoreConfiguration(
          clock: { Moment(microseconds: 1_800_000_000_000_000) })
        configuration.origin.login = "anna"
        let store = try Store<TimeTracker>.openBlocking(
          at: path, creating: false, configuration: configuration)
        _ = try store.undoBlocking()
        try store.closeBlocking()
        let storage = try LogStorage.open(at: path, access: .read)
        defer { storage.close() }
        #expect(try storage.snapshots.pages()?.view.sequences().count == saved)
      }
    }
  }

  // MARK: Before commands

  /// Expects the refusal of a log that is not damaged, and cannot be folded by this build.
  private func expectRefusal(_ body: () throws(StoreError) -> Void) {
    do throws(StoreError) {
      try body()
      Issue.record("the log was folded")
    } catch {
      #expect(error.code == .incompatible)
      #expect(error.what == "The log cannot be folded by this build of track.")
      #expect(
        error.why
          == "Schema 1: impossible to read, even with an upcaster. "
          + "AppAction: `AppAction` was recorded, `TrackerAction` is read.")
      #expect(
        error.advice
          == "Use the build that recorded it. `audit` can read every record without folding.")
    }
  }

  @Test(arguments: GoldenLog.ofOldTracker)
  func `a log of the tracker before commands is refused, and nothing is written`(
    log: GoldenLog
  ) throws {
    try log.withCopy { path in
      let storage = try LogStorage.open(at: path, access: .read)
      expectRefusal { () throws(StoreError) in _ = try Replayer<TimeTracker>(storage) }
      expectRefusal { () throws(StoreError) in _ = try Verifier<TimeTracker>.verify(storage) }
      expectRefusal { () throws(StoreError) in
        try storage.withState(of: TimeTracker.self) { _, _ in }
      }
      let isOld = storage.version < LogFormat.version
      storage.close()
      #expect(try GoldenLog.digest(ofFile: path + "/data.mdb") == log.digest(of: "data.mdb"))
      let current = isOld ? path + "-2" : path
      if isOld {
        let old = try LogStorage.open(at: path, access: .read)
        _ = try old.migrate(to: current)
        old.close()
      }
      let content = try LogContent(at: current)
      let digest = try GoldenLog.digest(ofFile: current + "/data.mdb")
      for creating in [false, true] {
        expectRefusal { () throws(StoreError) in
          try Store<TimeTracker>.openBlocking(
            at: current, creating: creating, configuration: StoreConfiguration()
          ).closeBlocking()
        }
      }
      #expect(try LogContent(at: current) == content)
      #expect(try GoldenLog.digest(ofFile: current + "/data.mdb") == digest)
    }
  }

  @Test(arguments: GoldenLog.ofOldTracker)
  func `a log of the tracker before commands is verified and read without its code`(log: GoldenLog)
    throws
  {
    try log.reading { storage in
      var (actions, unread) = (0, 0)
      try storage.withReadView { (view) throws(StoreError) in
        try view.verify()
        let schema = try view.parsedSchema(1, of: 1)
        try view.forEachRecord(from: 1, through: view.head.sequence) {
          (envelope, payload) throws(StoreError) in
          guard envelope.kind == .action else { return }
          if (try? SchemaCodec(schema).decode(payload)) == nil { unread += 1 }
          actions += 1
        }
      }
      #expect(unread == 0)
      let sessions = try SessionSummary.all(in: storage)
      #expect(sessions.allSatisfy { $0.opened.app == "track" })
      #expect(actions == ["tracker-1": 16, "tracker-1-long": 440, "tracker-2": 6][log.name])
    }
  }
}
