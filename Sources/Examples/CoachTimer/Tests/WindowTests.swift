import ExampleTestSupport
import Foundation
import Retrace
import RetraceRecording
import RetraceReplay
import RetraceStorage
import RetraceTesting
import Testing

@testable import CoachTimer

@Suite struct WindowTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Presses keys as the app does, and returns the lines of the last screen.
  @discardableResult
  private func press(
    _ names: String, in store: Store<CoachApp>,
    size: Screen.Size = Screen.Size(columns: 60, rows: 9)
  ) async throws -> [String] {
    for name in names.split(separator: " ") {
      let frame = CoachFrame(store.state, at: Self.moment, size: size)
      let key = try #require(Key(line: String(name)))
      let intents = try #require(try frame.keys.value(for: key, in: frame))
      if let refusal = try await store.carryOut(intents) {
        try await store.send(.window(.told(.refused(refusal))))
      }
      while !store.effectsInFlight.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
    }
    return CoachFrame(store.state, at: Self.moment, size: size).screen.canvas.lines
  }

  private static let moment = Moment(microseconds: 1_000_000)

  private func store(_ environment: CoachEnvironment) throws -> Store<CoachApp> {
    try Store<CoachApp>.inMemory(environment: environment)
  }

  @Test func `keys lead through the screens [X1]`() async throws {
    let server = try PageServer()
    let store = try store(folder.environment(server: server.address))
    #expect(
      try await press("m", in: store) == [
        "Users", "", "› Ms Ada Okafor", "  Mr Béla Tóth", "  Mei Lindqvist", "", "", "",
        "enter: session  l: leaderboard  m: more  x: purge",
      ])
    #expect(try await press("down enter", in: store).first == "Mr Béla Tóth")
    #expect(try await press("enter space", in: store)[2].hasPrefix("0:00.0"))
    // The lap that was not taken yet is no lap to save.
    #expect(try await press("s", in: store)[7] == SessionRefusal.noLaps.text)
    #expect(try await press("l l s", in: store)[7] == "The session of Mr Béla Tóth is saved.")
    #expect(try await press("enter", in: store)[7] == "")
    try await press("d escape l", in: store)
    #expect(try await press("enter", in: store).first == "Laps of Mr Béla Tóth")
  }

  @Test(arguments: [(20, 5), (40, 12), (80, 24), (200, 60)])
  func `each screen has its title and a hint at each size`(columns: Int, rows: Int) throws {
    var store = TestStore<CoachApp>()
    let user = UserID(value: 0)
    let routes = [CoachRoute.users, .session(user), .chart(SessionID(value: 0)), .leaderboard]
    for (route, title) in zip(routes, ["Users", "Session", "Laps of", "Leaderboard"]) {
      store.send(.window(.opened(route))) { $0.window.stack.push(route) }
      let size = Screen.Size(columns: columns, rows: rows)
      let lines = CoachFrame(store.state, at: Self.moment, size: size).screen.canvas.lines
      // The hint is in the last line; lines without text at the end are left out.
      #expect(lines.count == rows && lines.first?.hasPrefix(title) == true, "\(lines)")
    }
  }

  @Test(arguments: [("enter", Key.enter), ("space", .text(" ")), ("é", .text("é")), ("ab", nil)])
  func `a line of a pipe names a key`(line: String, key: Key?) {
    #expect(Key(line: line) == key)
  }

  @Test func `no key is bound twice`() {
    #expect(CoachFrame.allKeys.flatMap(\.conflicts).isEmpty)
  }

  @Test(arguments: [
    CoachRoute.users, .session(UserID(value: 3)), .chart(SessionID(value: 0)), .leaderboard,
  ])
  func `the path of a route leads back to it`(route: CoachRoute) {
    #expect(CoachRoute(path: route.path) == route)
  }

  @Test(arguments: ["", "users/", "users/01", "users/x", "sessions", "users/1/2", "leaderboard/1"])
  func `a path that no route has makes no route`(path: String) {
    #expect(CoachRoute(path: path) == nil)
  }

  @Test func `a recorded session replays to the same state and decisions [X1]`() async throws {
    let server = try PageServer()
    let path = folder.place.appending(path: "store").path
    let recorded = try await {
      let store = try await Store<CoachApp>.open(
        at: path, configuration: StoreConfiguration(),
        environment: folder.environment(server: server.address))
      try await press("m m x m enter backspace enter space l l space s escape l enter", in: store)
      try await store.close()
      return store.state
    }()
    let storage = try LogStorage.open(at: path, access: .read)
    defer { storage.close() }
    var replayer = try Replayer<CoachApp>(storage)
    try replayer.seek(to: replayer.last)
    #expect(replayer.state == recorded)
    let verification = try Verifier<CoachApp>.verify(
      storage, checkingInvariants: .everyRecord, decidingCommands: true)
    #expect(verification.firstDivergence == nil)
    #expect(verification.firstViolations?.violations == nil)
    #expect(verification.decisions?.decided == 6)
    #expect(verification.decisions?.divergences == 0)
  }
}
