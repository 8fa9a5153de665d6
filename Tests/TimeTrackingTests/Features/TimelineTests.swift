import CivilTime
import RetraceArchitecture
import RetraceState
import Testing
import TimeTracking
import ToolTestSupport

/// A state that is changed by actions, for tests.
struct Tracked {
  var state = AppState()
  var moment = Moment(microseconds: 1_000_000_000)
  let ann = UserID(value: 0)
  let bob = UserID(value: 1)

  /// Two users, a project and two tags.
  init() {
    send(.library(.userCreated(name: "Ann")))
    send(.library(.userCreated(name: "Bob")))
    send(.library(.workspaceCreated(name: "Home")))
    send(.library(.projectCreated(name: "Retrace", workspace: WorkspaceID(value: 0))))
    send(.library(.tagCreated(name: "deep", workspace: nil)))
    send(.library(.tagCreated(name: "late", workspace: nil)))
  }

  mutating func send(_ action: AppAction) {
    _ = AppReducer().reduce(&state, action, at: moment)
  }

  /// Sends a timeline action so many seconds later and answers why it was refused.
  @discardableResult
  mutating func send(_ action: TimelineAction, after seconds: Int64 = 0) -> Refusal? {
    moment = moment.adding(.seconds(seconds))
    let expected = state.refusal(of: action, at: moment)
    let before = state
    send(.timeline(action))
    #expect(state.lastOutcome.refusal == expected)
    if expected != nil {
      #expect(state.timeline == before.timeline && state.library == before.library)
    }
    return expected
  }

  mutating func start(_ user: UserID, _ description: String = "", start: Moment? = nil) {
    send(
      .timeline(
        .started(EntryDetails(description: description), user: user, zone: .utc, start: start)))
  }

  func entry(_ number: Int64) -> TimeEntry? { state.timeline.entries[TimeEntryID(value: number)] }
}

@Suite
struct TimelineTests {
  @Test
  func `Starting stops the running entry of the same user at the same instant`() throws {
    var tracked = Tracked()
    tracked.start(tracked.ann, "one")
    tracked.start(tracked.bob, "other")
    tracked.moment = tracked.moment.adding(.seconds(90))
    tracked.start(tracked.ann, "two")
    let one = try #require(tracked.entry(0))
    let two = try #require(tracked.entry(2))
    #expect(one.duration == .seconds(90))
    #expect(one.end == two.start)
    #expect(two.isRunning)
    #expect(try #require(tracked.entry(1)).isRunning)
    #expect(tracked.state.timeline.running.count == 2)
    #expect(tracked.state.runningEntry(of: tracked.ann)?.id == TimeEntryID(value: 2))
  }

  @Test
  func `A given start stops the running entry there, before its own start at once`() throws {
    var tracked = Tracked()
    let begin = tracked.moment
    tracked.start(tracked.ann)
    tracked.moment = begin.adding(.seconds(100))
    tracked.start(tracked.ann, start: begin.adding(.seconds(40)))
    #expect(tracked.entry(0)?.duration == .seconds(40))
    tracked.start(tracked.ann, start: begin)
    #expect(tracked.entry(1)?.duration == .zero)
    #expect(tracked.entry(2)?.start == begin)
  }

  @Test
  func `A moment that jumps back counts as no time`() {
    var tracked = Tracked()
    tracked.start(tracked.ann)
    #expect(tracked.send(.stopped(user: tracked.ann), after: -50) == nil)
    #expect(tracked.entry(0)?.duration == .zero)
  }

  @Test
  func `A stop with nothing running is refused`() {
    var tracked = Tracked()
    #expect(tracked.send(.stopped(user: tracked.ann)) == .nothingRunning)
    tracked.start(tracked.ann)
    #expect(tracked.send(.stopped(user: tracked.ann), after: 5) == nil)
    #expect(tracked.send(.stopped(user: tracked.ann)) == .nothingRunning)
    #expect(tracked.state.lastOutcome == .refused(.nothingRunning))
    #expect(tracked.state.timeline.running.isEmpty)
  }

  @Test
  func `Continuing copies what the entry is about, for whoever continues`() throws {
    var tracked = Tracked()
    let details = EntryDetails(
      description: "write", project: ProjectID(value: 0),
      tags: [TagID(value: 1), TagID(value: 0), TagID(value: 1)], isBillable: true)
    tracked.send(.started(details, user: tracked.ann, zone: .utc, start: nil))
    let zone = RecordedZone(id: "Europe/Berlin", offsetSeconds: 3_600)
    tracked.send(
      .continued(TimeEntryID(value: 0), user: tracked.bob, zone: zone), after: 10)
    let copy = try #require(tracked.entry(1))
    #expect(copy.user == tracked.bob && copy.isRunning && copy.recordedZone == zone)
    #expect(copy.details == tracked.entry(0)?.details)
    #expect(copy.tags == [TagID(value: 0), TagID(value: 1)])
    #expect(copy.workspace == WorkspaceID(value: 0))
    #expect(tracked.entry(0)?.isRunning == true)
  }

  static func closed(
    _ user: UserID, duration: Int64 = 60, project: ProjectID? = nil, tags: [TagID] = []
  ) -> TimelineAction {
    .created(
      ClosedEntry(
        user: user, details: EntryDetails(description: "", project: project, tags: tags),
        start: Moment(microseconds: 0), duration: .seconds(duration), zone: .utc))
  }

  @Test(arguments: [
    (closed(UserID(value: 9)), Refusal.unknownUser),
    (closed(UserID(value: 0), duration: -1), .negativeDuration),
    (closed(UserID(value: 0), project: ProjectID(value: 7)), .unknownProject),
    (closed(UserID(value: 0), tags: [TagID(value: 7)]), .unknownTag),
    (.stopped(user: UserID(value: -1)), .unknownUser),
    (.continued(TimeEntryID(value: 3), user: UserID(value: 0), zone: .utc), .unknownEntry),
    (.continued(TimeEntryID(value: 0), user: UserID(value: 8), zone: .utc), .unknownUser),
    (.deleted(TimeEntryID(value: 77)), .unknownEntry),
    (.edited(TimeEntryID(value: 77), []), .unknownEntry),
    (.edited(TimeEntryID(value: 0), [.duration(.seconds(-1))]), .negativeDuration),
    (.edited(TimeEntryID(value: 0), [.billable(true), .tags([TagID(value: 5)])]), .unknownTag),
    (.edited(TimeEntryID(value: 0), [.project(ProjectID(value: 5))]), .unknownProject),
    (.edited(TimeEntryID(value: 0), [.duration(nil)]), .alreadyRunning),
  ])
  func `A request that cannot be met changes nothing and says why`(
    action: TimelineAction, refusal: Refusal
  ) {
    var tracked = Tracked()
    #expect(tracked.send(Self.closed(tracked.ann)) == nil)
    tracked.start(tracked.ann)
    #expect(tracked.send(action) == refusal)
    #expect(!refusal.description.isEmpty)
  }

  @Test
  func `An edit changes the fields given, and keeps who runs in step`() throws {
    var tracked = Tracked()
    tracked.send(Self.closed(tracked.ann))
    let id = TimeEntryID(value: 0)
    let zone = RecordedZone(id: "Asia/Kolkata", offsetSeconds: 19_800)
    let start = Moment(microseconds: 7_000_000)
    tracked.send(
      .edited(
        id,
        [
          .description("x"), .project(ProjectID(value: 0)), .tags([TagID(value: 0)]),
          .start(start, zone), .duration(.seconds(5)), .billable(true),
        ]))
    var entry = try #require(tracked.entry(0))
    #expect(entry.description == "x" && entry.project == ProjectID(value: 0) && entry.isBillable)
    #expect(entry.start == start && entry.recordedZone == zone && entry.duration == .seconds(5))
    #expect(entry.sortKey == 7_000_000 && entry.workspace == WorkspaceID(value: 0))
    // Without a duration it runs; with one it has stopped.
    #expect(tracked.send(.edited(id, [.duration(nil), .project(nil)])) == nil)
    #expect(tracked.state.timeline.running == [tracked.ann: id])
    entry = try #require(tracked.entry(0))
    #expect(entry.project == nil && entry.workspace == nil)
    #expect(tracked.send(.edited(id, [.duration(.seconds(1))])) == nil)
    #expect(tracked.state.timeline.running == [:])
  }

  @Test
  func `Deleting the running entry leaves nothing running, ids are not given again`() {
    var tracked = Tracked()
    tracked.start(tracked.ann)
    #expect(tracked.send(.deleted(TimeEntryID(value: 0))) == nil)
    #expect(tracked.state.timeline.running == [:])
    #expect(tracked.entry(0) == nil)
    tracked.start(tracked.ann)
    #expect(tracked.state.timeline.running[tracked.ann] == TimeEntryID(value: 1))
  }

  @Test
  func `Names in the library are not empty and unique in their workspace`() {
    var tracked = Tracked()
    func refusal(_ action: LibraryAction) -> Refusal? {
      let expected = tracked.state.refusal(of: action)
      tracked.send(.library(action))
      #expect(tracked.state.lastOutcome.refusal == expected)
      return expected
    }
    let home = WorkspaceID(value: 0)
    #expect(refusal(.userCreated(name: "Ann")) == .nameTaken)
    #expect(refusal(.userCreated(name: " ")) == .nameEmpty)
    #expect(refusal(.userCreated(name: "ann")) == nil)
    #expect(refusal(.workspaceCreated(name: "Home")) == .nameTaken)
    #expect(refusal(.projectCreated(name: "Retrace", workspace: home)) == .nameTaken)
    #expect(refusal(.projectCreated(name: "Retrace", workspace: nil)) == nil)
    #expect(
      refusal(.projectCreated(name: "x", workspace: WorkspaceID(value: 4))) == .unknownWorkspace)
    #expect(refusal(.tagCreated(name: "deep", workspace: home)) == nil)
    #expect(refusal(.tagCreated(name: "deep", workspace: nil)) == .nameTaken)
    #expect(tracked.state.library.user(named: "ANN") == tracked.ann)
    #expect(tracked.state.library.user(named: "ann") == UserID(value: 2))
  }

  @Test
  func `Queries see days by the clock of a zone, and the latest starts`() throws {
    var tracked = Tracked()
    let zone = ZoneRules(id: "Etc/GMT-2", offsetSeconds: 7_200)
    let midnight = try ZoneFiles.moment("2026-11-20 22:00:00")
    for seconds in [-1, 0, 40_000, 86_399, 86_400] as [Int64] {
      let user = seconds == 40_000 ? tracked.bob : tracked.ann
      tracked.send(
        .created(
          ClosedEntry(
            user: user, details: EntryDetails(description: "\(seconds)"),
            start: midnight.adding(.seconds(seconds)), duration: .seconds(10), zone: .utc)))
    }
    let date = try #require(CivilDate(year: 2026, month: 11, day: 21))
    #expect(
      tracked.state.entries(on: date, in: zone).map(\.entry.description) == ["0", "40000", "86399"])
    #expect(
      tracked.state.entries(on: date, in: zone, of: tracked.bob).map(\.entry.description)
        == ["40000"])
    let recent = tracked.state.recentEntries(of: tracked.ann, limit: 3)
    #expect(recent.map(\.entry.description) == ["86400", "86399", "0"])
    #expect(
      tracked.state.totals == Totals(entries: 5, running: 0, seconds: 50, users: 2, projects: 0))
  }
}

extension TimelineTests {
  @Test func `a zone is recorded with its offset at the moment`() throws {
    let rules = try ZoneFiles.load("Europe/Berlin")
    for (time, seconds) in [("2026-07-01 12:00:00", 7_200), ("2026-12-01 12:00:00", 3_600)] {
      let zone = rules.recorded(at: try ZoneFiles.moment(time))
      #expect(zone == RecordedZone(id: "Europe/Berlin", offsetSeconds: Int32(seconds)))
    }
  }

  @Test(.enabled(if: ZoneFiles.exist))
  func `A day that clocks skip has no entries, and none of the day before`() throws {
    var tracked = Tracked()
    let apia = try ZoneFiles.load("Pacific/Apia")
    // Samoa went from the end of the 29th to the 31st at 10:00 UTC.
    for start in ["2011-12-30 00:30:00", "2011-12-30 09:59:59", "2011-12-30 10:00:00"] {
      tracked.send(
        .created(
          ClosedEntry(
            user: tracked.ann, details: EntryDetails(description: start),
            start: try ZoneFiles.moment(start), duration: .seconds(1), zone: .utc)))
    }
    func entries(_ day: Int) throws -> [String] {
      let date = try #require(CivilDate(year: 2011, month: 12, day: day))
      return tracked.state.entries(on: date, in: apia).map(\.entry.description)
    }
    #expect(try entries(29) == ["2011-12-30 00:30:00", "2011-12-30 09:59:59"])
    #expect(try entries(30) == [])
    #expect(try entries(31) == ["2011-12-30 10:00:00"])
  }
}
