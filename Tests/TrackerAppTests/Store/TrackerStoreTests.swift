import CivilTime
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
import ToolTestSupport
import TrackerFeatures

@testable import TrackerApp

/// The tracker on a real store: one command a session, and imports.
@Suite struct TrackerStoreTests {
  /// 2026-03-02 09:00 UTC.
  private static let begin = Moment(microseconds: 1_772_442_000_000_000)

  private func withStore<R>(_ body: (String) throws -> R) throws -> R {
    let folder = try FileSystem.makeTemporaryDirectory("retrace-tracker")
    defer { try? FileSystem.removeTree(folder) }
    return try body(folder + "/store")
  }

  private func open(_ path: String, hour: Double = 0) throws -> TrackerStore {
    try TrackerStore.open(
      at: path, zone: .utc, login: "anna",
      now: Self.begin.adding(.seconds(Int64(hour * 3_600))))
  }

  private func draft(_ description: String) -> TimeEntryDraft {
    var draft = TimeEntryDraft(user: .name(Name("anna")), description: description, zone: .utc)
    draft.project = .name(Name("acme"))
    return draft
  }

  private func refusal(
    _ body: () throws(CommandError<TimeTracker>) -> Void
  ) throws -> DomainRefusal? {
    do throws(CommandError<TimeTracker>) {
      try body()
      return nil
    } catch {
      guard case .refused(let refusal, _) = error else { throw error }
      return refusal
    }
  }

  @Test(arguments: [RecordedCommand.Origin.scene, .commandLine])
  func `merges that leave two entities of one name are refused, whoever asks`(
    origin: RecordedCommand.Origin
  ) throws {
    try withStore { path in
      let tracker = try open(path)
      func perform(_ command: DomainCommand) throws(CommandError<TimeTracker>) {
        try tracker.store.performBlocking(command, from: origin)
      }
      let (clients, projects) = ([0, 1].map(ClientID.init), [0, 1].map(ProjectID.init))
      for (index, name) in ["ada", "ada ltd"].enumerated() {
        try perform(.client(.create(Client(name: Name(name)))))
        try perform(.project(.create(Project(name: Name("web"), client: clients[index]))))
      }
      let merge = DomainCommand.client(.merge(clients[0], into: clients[1], reason: nil))
      #expect(
        try refusal { () throws(CommandError<TimeTracker>) in try perform(merge) }
          == .client(.shareNames(type: ProjectID.recordedName, names: [Name("web")])))
      for project in projects {
        let task = ProjectTask(name: Name("code"), project: project)
        try perform(.task(.create(task)))
      }
      var moved = ProjectChanges()
      (moved.name, moved.client) = (
        Change(from: Name("web"), to: Name("site")), Change(from: clients[0], to: clients[1])
      )
      try perform(.project(.change(projects[0], moved, reason: nil)))
      #expect(
        try refusal { () throws(CommandError<TimeTracker>) in
          try perform(.project(.merge(projects[0], into: projects[1], reason: nil)))
        } == .project(.shareNames(type: TaskID.recordedName, names: [Name("code")])))
      try perform(merge)
      #expect(tracker.domain.clients.resolve(clients[0]) == clients[1])
      try tracker.close()
    }
  }

  @Test func `entries start and stop at whole seconds, the clock notwithstanding`() throws {
    try withStore { path in
      func open(_ milliseconds: Int64) throws -> TrackerStore {
        try TrackerStore.open(
          at: path, zone: .utc, login: "anna",
          now: Self.begin.adding(ElapsedTime(microseconds: milliseconds * 1_000)))
      }
      func start(_ description: String, _ milliseconds: Int64) throws -> EntryChanges {
        try open(milliseconds).perform(
          .start(draft(description), at: nil, policy: .refuse), closing: true)
      }
      _ = try start("first", 314)
      let first = TimeEntryID(value: 0)
      let user = UserID(value: 0)
      let stopped = try open(600_314).perform(.stop(user, at: nil, policy: .refuse), closing: true)
      #expect(stopped.state.timeEntries[first]?.start == Self.begin)
      #expect(stopped.state.timeEntries[first]?.end == Self.begin.adding(.seconds(600)))
      let resumed = try open(600_700).perform(
        .resume(first, at: nil, zone: draft("").zone, policy: .refuse), closing: true)
      let second = try #require(resumed.inserted.last)
      #expect(resumed.state.timeEntries[second]?.start == Self.begin.adding(.seconds(600)))
      // In the second in which another entry begins, the moment of the decision is left.
      let third = try start("third", 601_000)
      #expect(third.stopped == [second])
      let fourth = try start("fourth", 601_500)
      #expect(fourth.stopped == third.inserted)
      #expect(
        fourth.inserted.last.flatMap { fourth.state.timeEntries[$0]?.start }
          == Self.begin.adding(ElapsedTime(microseconds: 601_500_000)))
    }
  }

  @Test func `each command is one commit of a session that it ends`() throws {
    try withStore { path in
      let started = try open(path).perform(
        .start(draft("first"), at: nil, policy: .refuse), closing: true)
      #expect(started.inserted == [TimeEntryID(value: 0)] && started.stopped.isEmpty)
      let next = try open(path, hour: 1).perform(
        .start(draft("second"), at: nil, policy: .refuse), closing: true)
      #expect(next.inserted == [TimeEntryID(value: 1)] && next.stopped == [TimeEntryID(value: 0)])
      let stopped = try open(path, hour: 2).perform(
        .stop(UserID(value: 0), at: nil, policy: .refuse), closing: true)
      #expect(stopped.inserted == [] && stopped.stopped == [TimeEntryID(value: 1)])
      #expect(stopped.state.projects.count == 1 && stopped.state.users.count == 1)
      let storage = try LogStorage.open(at: path, access: .read)
      defer { storage.close() }
      // Opened, the command, its facts and closed: user, project and entry; then two and one.
      #expect(try storage.head().sequence == 6 + 5 + 4)
      let verification = try Verifier<TimeTracker>.verify(storage, decidingCommands: true)
      #expect(verification.decisions?.decided == 3)
      #expect(verification.decisions?.firstDivergence == nil)
    }
  }

  @Test func `the history leads to the state, whatever another process does meanwhile`() throws {
    try TrackerFixture.with { fixture in
      func change(_ words: String...) -> Int32? {
        let words = ["projects", "--store", fixture.store] + words
        return (try? RunningTool("track", words))?.finish().status
      }
      #expect(change("create", "one") == 0)
      let read = try TrackerStore.readHistory(at: fixture.store) {
        (domain, _, forEachChange) throws(StoreError) in
        #expect(change("rename", "one", "two") == 0)
        var count = 0
        try forEachChange { _ in
          count += 1
          return true
        }
        return (domain.projects[ProjectID(value: 0)]?.name.text, count)
      }
      #expect(read == ("one", 1))
    }
  }

  @Test func `a refused command writes nothing, and a preview neither`() throws {
    try withStore { path in
      _ = try open(path).perform(.start(draft("first"), at: nil, policy: .refuse), closing: true)
      let size = try LogStorage.open(at: path, access: .read)
      let before = try size.head().sequence
      size.close()
      let store = try open(path, hour: 1)
      let earlier = Self.begin.adding(.seconds(-3_600))
      let start = TimeEntryCommand.start(draft("earlier"), at: earlier, policy: .refuse)
      #expect(
        try refusal { () throws(CommandError<TimeTracker>) in
          _ = try store.perform(start, closing: true)
        }
          == .entry(.overlaps([TimeEntryID(value: 0)])))
      let again = try open(path, hour: 1)
      let plan = again.plan([start])
      #expect(plan.refusal == .entry(.overlaps([TimeEntryID(value: 0)])))
      #expect(plan.otherPolicy == .adjust)
      let changes = try #require(plan.with(.adjust).changes.first)
      #expect(changes.inserted.count == 1 && changes.changed.count + changes.stopped.count == 1)
      try again.store.closeBlocking()
      let storage = try LogStorage.open(at: path, access: .read)
      #expect(try storage.head().sequence == before)
      storage.close()
      let state = try TrackerStore.read(at: path) { state, _ in state.domain.timeEntries.count }
      #expect(state == 1)
    }
  }

  // MARK: Imports

  private func row(_ number: Int, id: String?) -> ImportedRow {
    let start = Self.begin.adding(.seconds(Int64(number) * 60))
    var row = ImportedRow(
      id: id, user: Name("anna"), description: "row \(number)", start: start,
      end: start.adding(.seconds(60)), zone: .utc)
    row.project = Name("p\(number % 7)")
    return row
  }

  private static func digest(_ byte: UInt8) -> Digest {
    Digest([UInt8](repeating: byte, count: 32).span) ?? .zero
  }

  private func visible(_ domain: DomainState) -> Int {
    var count = 0
    domain.timeEntries.forEach { _, entry in count += domain.isVisible(entry) ? 1 : 0 }
    return count
  }

  /// Imports rows; stops without finishing after some, if that is said.
  private func importRows(
    _ rows: [ImportedRow], into store: TrackerStore, source: String = "toggl", digest: UInt8 = 1,
    stoppingAfter count: Int? = nil
  ) throws -> RowCounts {
    var run = try ImportSession(into: store, source: source, digest: Self.digest(digest))
    for row in rows.prefix(count ?? rows.count) { try run.add(row) }
    let counts = run.counts
    if count == nil { _ = try run.finish() }
    return counts
  }

  @Test(arguments: [true, false])
  func `an interrupted import is completed by the next run, each row once`(hasIDs: Bool) throws {
    try withStore { path in
      let rows = (0..<2_500).map { row($0, id: hasIDs ? "\($0)" : nil) }
      let first = try open(path)
      _ = try importRows(rows, into: first, stoppingAfter: 2_200)
      #expect(visible(first.domain) == 0)
      try first.store.closeBlocking()
      let second = try open(path)
      let summary = try importRows(rows, into: second)
      // Two whole batches were committed.
      #expect(summary.resumed == 2_000 && summary.created == 500)
      #expect(visible(second.domain) == 2_500 && second.domain.importRuns.count == 1)
      #expect(second.domain.projects.count == 7)
      try second.store.closeBlocking()
    }
  }

  @Test func `ids are compared within a source, and an undone import can be imported again`()
    throws
  {
    try withStore { path in
      let store = try open(path)
      let rows = (0..<20).map { row($0, id: "\($0)") }
      #expect(try importRows(rows, into: store).created == 20)
      let again = try importRows(rows, into: store, digest: 2)
      #expect(again.known == 20 && again.created == 0 && store.domain.importRuns.count == 1)
      #expect(try importRows(rows, into: store, source: "harvest", digest: 3).created == 20)
      #expect(visible(store.domain) == 40)
      try store.store.undoBlocking()
      #expect(visible(store.domain) == 20)
      #expect(try importRows(rows, into: store, source: "harvest", digest: 4).created == 20)
      #expect(visible(store.domain) == 40)
      // A deleted entry stays deleted.
      try store.store.performBlocking(.entry(.delete(TimeEntryID(value: 3), reason: nil)))
      let last = try importRows(rows, into: store, digest: 5)
      #expect(last.known == 19 && last.deleted == 1)
      #expect(visible(store.domain) == 39)
      try store.store.closeBlocking()
    }
  }
}
