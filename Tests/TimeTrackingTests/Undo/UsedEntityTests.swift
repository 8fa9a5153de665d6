import RetraceArchitecture
import RetraceHashing
import RetraceLog
import RetraceRecording
import RetraceState
import RetraceSystem
import Testing
import TimeTracking

/// Undo of the creation of entities to which others refer.
@Suite struct UsedEntityTests {
  private typealias Domain = Store<DomainApp>
  private let web = ProjectID(value: 0)
  private let first = TimeEntryID(value: 0)

  private func makeStore() throws -> Domain {
    let clock = Lock<Int64>(World.begin.microseconds)
    var configuration = StoreConfiguration()
    configuration.origin.login = "anna"
    configuration.clock = {
      clock.withLock { now in
        now += 1_000_000
        return Moment(microseconds: now)
      }
    }
    return try Domain.inMemory(configuration: configuration)
  }

  /// Performs a command, and returns the sequence of its record.
  @discardableResult
  private func perform(_ command: DomainCommand, on store: Domain) throws -> UInt64 {
    try store.performBlocking(command).receipt.sequences.lowerBound
  }

  private func draft(_ project: String? = nil, tag: String? = nil) -> TimeEntryDraft {
    var draft = TimeEntryDraft(user: .name(Name("anna")), description: "x", zone: .utc)
    draft.project = project.map { .name(Name($0)) }
    draft.tags = tag.map { [.name(Name($0))] } ?? []
    return draft
  }

  /// Adds an entry of an hour, some hours before the first moment.
  private func add(
    _ hours: Double, _ project: String? = nil, tag: String? = nil, on store: Domain
  ) throws -> UInt64 {
    try perform(
      .entry(
        .add(
          draft(project, tag: tag), start: World.at(-hours), end: World.at(1 - hours),
          policy: .refuse)), on: store)
  }

  private func correct(
    _ id: TimeEntryID, on store: Domain, _ change: (inout TimeEntry) -> Void
  ) throws -> UInt64 {
    let before = try #require(store.state.timeEntries[id])
    var after = before
    change(&after)
    var correction = TimeEntryCorrection()
    correction.changes = TimeEntryChanges(from: before, to: after)
    return try perform(
      .entry(.correct(id, correction, policy: .refuse, reason: nil)), on: store)
  }

  private func left(by performed: Performed<DomainApp>?) throws -> [UnrestoredField] {
    try #require(performed?.facts.first?.restoredEdits).unrestored
  }

  @Test func `the undo of a creation leaves what others use, until they are undone`() throws {
    let store = try makeStore()
    let added = try add(9, "Web", tag: "x", on: store)
    _ = try add(8, "web", tag: "X", on: store)
    try perform(.preferences(.create(PreferenceSet(user: UserID(value: 0)))), on: store)
    let (user, tag) = (UserID(value: 0), TagID(value: 0))
    #expect(
      try Set(left(by: store.undoBlocking(added)))
        == [UnrestoredField(user), UnrestoredField(web), UnrestoredField(tag)])
    #expect(store.state.timeEntries.live(first) == nil && store.state.users.live(user) != nil)
    #expect(store.state.projects.live(web) != nil && store.state.tags.live(tag) != nil)
    #expect(try store.statusBlocking(ofChange: added) == .undoneInPart)
    // Taking does not delete them either.
    #expect(
      try Set(left(by: store.undoBlocking(added, taking: true)))
        == [UnrestoredField(user), UnrestoredField(web), UnrestoredField(tag)])
    #expect(
      store.state.uses(of: UnrestoredField(user)).map { "\($0.count) \($0.type)" }
        == ["1 PreferenceSetID", "1 TimeEntryID"])
    while try store.undoBlocking() != nil {}
    #expect(store.state.live == [])
    try store.closeBlocking()
  }

  @Test func `no entry runs again for a deleted user`() throws {
    let store = try makeStore()
    let user = UserID(value: 0)
    try perform(.entry(.start(draft(), at: nil, policy: .refuse)), on: store)
    let stopped = try perform(.entry(.stop(user, at: nil, policy: .refuse)), on: store)
    try perform(.user(.delete(user, reason: nil)), on: store)
    #expect(throws: CommandError<DomainApp>.self) {
      try correct(first, on: store) { $0.end = nil }
    }
    let last = store.sequence
    let tried = try store.restoreBlocking(
      .change(stopped, isRedo: false, taking: false), closing: false, recordsVoid: false)
    #expect(tried?.rest == [UnrestoredField(first, "end")] && store.sequence == last)
    #expect(try left(by: store.undoBlocking(stopped)) == [UnrestoredField(first, "end")])
    #expect(store.state.runningEntry(of: user) == nil && store.state.users.live(user) == nil)
    // Undone first is the deletion, and then the stop.
    while try store.undoBlocking() != nil {}
    #expect(store.state.live == [])
    #expect(DomainEntities.violations(of: store.state).isEmpty)
    try store.closeBlocking()
  }
}
