import Foundation
import Retrace
import RetraceTesting
import Testing

@testable import CoachTimer

@Suite struct SessionTests {
  private static let user = UserID(value: 0)
  private static let id = SessionID(value: 0)

  /// Returns a store with one user.
  private static func store() throws -> TestStore<CoachApp> {
    try TestStore<CoachApp>.given([.scene(.users(.fetchResponse([.ada])))])
  }

  /// Carries out a command whose facts another test compares.
  private static func carryOut(
    _ command: SessionCommand, on store: inout TestStore<CoachApp>
  ) throws {
    let facts = store.when(command).facts
    var state = store.state
    for fact in facts { _ = CoachApp.reducer.reduce(&state, fact, at: store.clock.moment) }
    try store.perform(command, facts: facts) { $0 = state }
  }

  /// Returns a store in which a session was begun and started, with laps of these seconds.
  private static func running(laps: [Int64] = []) throws -> TestStore<CoachApp> {
    var store = try store()
    for command in [SessionCommand.begin(user, distance: 100), .start(id)] {
      try carryOut(command, on: &store)
    }
    for seconds in laps {
      store.clock.advance(by: .seconds(seconds))
      try store.perform(.lap(id), facts: [.fact(.session(id, .lapped(.seconds(seconds))))]) {
        $0.sessions.list.modify(id) { $0.laps.append(.seconds(seconds)) }
      }
    }
    return store
  }

  @Test func `the stopwatch counts while it runs, and a lap is the time since the last [X1]`()
    throws
  {
    var store = try Self.running(laps: [10, 12])
    store.clock.advance(by: .seconds(3))
    let stopped = SessionFact.stopped(counted: .seconds(25))
    try store.perform(.stop(Self.id), facts: [.fact(.session(Self.id, stopped))]) {
      $0.sessions.list.modify(Self.id) {
        $0.watch.counted = .seconds(25)
        $0.watch.since = nil
      }
    }
    store.clock.advance(by: .seconds(100))
    let session = try #require(store.state.sessions.list[Self.id])
    #expect(session.watch.elapsed(at: store.clock.moment) == .seconds(25))
    #expect(session.lap(at: store.clock.moment) == .seconds(3))
  }

  @Test func `a saved session is closed, and a discarded one is gone`() throws {
    var store = try Self.running(laps: [10])
    let moment = store.clock.moment
    let saved = SessionFact.saved(counted: .seconds(10))
    try store.perform(.save(Self.id), facts: [.fact(.session(Self.id, saved))]) {
      $0.sessions.list.modify(Self.id) {
        $0.watch.counted = .seconds(10)
        $0.watch.since = nil
        $0.saved = moment
      }
      $0.sessions.current = nil
      $0.window.notice = .saved(name: "Ms Ada Okafor")
    }
    let command = SessionCommand.begin(Self.user, distance: 200)
    let facts = store.when(command).facts
    try store.perform(command, facts: facts) {
      guard case .fact(.begun(let session))? = facts.first else { return }
      $0.sessions.current = $0.sessions.list.insert(session)
      $0.window.notice = nil
    }
    let open = SessionID(value: 1)
    let session = try #require(store.state.sessions.list[open])
    try store.perform(.discard(open), facts: [.fact(.discarded(open, session))]) {
      $0.sessions.list.remove(open)
      $0.sessions.current = nil
    }
  }

  @Test func `a command that makes no sense is refused`() throws {
    let empty = try Self.store()
    try empty.when(.begin(UserID(value: 7), distance: 100)).then(refused: .noUser)
    for distance in [Int64.min, 0, 100_001] {
      try empty.when(.begin(Self.user, distance: distance))
        .then(refused: .wrongDistance(limit: 100_000))
    }
    try empty.when(.lap(Self.id)).then(refused: .notOpen)
    var store = try Self.running()
    try store.when(.begin(Self.user, distance: 1))
      .then(refused: .anotherIsOpen(name: "Ms Ada Okafor"))
    try store.when(.start(Self.id)).then(refused: .isRunning)
    try store.when(.lap(Self.id)).then(refused: .noTime)
    try store.when(.save(Self.id)).then(refused: .noLaps)
    try Self.carryOut(.stop(Self.id), on: &store)
    try store.when(.lap(Self.id)).then(refused: .isStopped)
    try store.when(.stop(Self.id)).then(refused: .isStopped)
    var full = try Self.running(laps: Array(repeating: 1, count: 500))
    full.clock.advance(by: .seconds(1))
    try full.when(.lap(Self.id)).then(refused: .tooManyLaps(limit: 500))
    try full.send(.window(.told(.refused(.noLaps)))) { $0.window.notice = .refused(.noLaps) }
  }

  @Test func `an exported file has the id and the moment of each saved session [X1]`() async throws
  {
    let folder = try TemporaryFolder()
    var store = try Self.running(laps: [10, 14])
    try Self.carryOut(.save(Self.id), on: &store)
    try store.send(
      .window(.exportTapped),
      effect: EffectOf<WindowReducer>.run(ExportSessions(csv: store.state.sessions.csv))
        .map(CaseEmbedding<CoachSceneAction.Parts._window>())
        .map(CaseEmbedding<CoachAction.Parts._scene>())
    ) { $0.window.notice = nil }
    let file = folder.place.appending(path: "sessions.csv")
    try await store.run("ExportSessions", in: folder.environment()) {
      $0.window.notice = .exported(to: file.path)
    }
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(
      text == "id;saved;user;name;metres;peak_speed;laps\r\n"
        + "0;1970-01-01T00:00:25Z;0;Ms Ada Okafor;100;10.000;2\r\n")
  }

  @Test func `a name with signs of CSV is quoted`() throws {
    var state = SessionsState()
    state.list.insert(
      Session(
        user: Self.user, name: "A \"B\"; C", distance: 1, laps: [.seconds(1)],
        watch: Stopwatch(since: nil), saved: Moment(microseconds: 0)))
    #expect(state.csv.contains(";0;\"A \"\"B\"\"; C\";1;"))
  }

  @Test func `activities are noted in a file`() async throws {
    let folder = try TemporaryFolder()
    let environment = folder.environment()
    var store = try Self.running(laps: [10])
    try await store.run("PersistUsers", in: environment) { $0.users.isPersisting = false }
    while !store.leavesInFlight.isEmpty { try await store.run("NoteActivity", in: environment) }
    let text = try String(
      contentsOf: folder.place.appending(path: "activity.txt"), encoding: .utf8)
    #expect(
      text == """
        1970-01-01T00:00:01Z 1 users came from the server
        1970-01-01T00:00:01Z Ms Ada Okafor: laps of 100 m
        1970-01-01T00:00:11Z Ms Ada Okafor: lap in 0:10.0

        """)
  }
}
