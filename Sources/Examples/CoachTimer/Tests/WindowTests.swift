import ExampleTestSupport
import Foundation
import Retrace
import RetraceReplay
import RetraceStorage
import RetraceTerminal
import RetraceTesting
import Testing

@testable import CoachTimer

@Suite struct WindowTests {
  private let folder: TemporaryFolder
  private let clock = VirtualClock(at: Moment(microseconds: 1_000_000))

  init() throws { folder = try TemporaryFolder() }

  /// Presses keys as the app does, and returns the lines of the last screen.
  @discardableResult
  private func press(
    _ names: String, in program: TerminalProgram<CoachApp>
  ) async throws -> [String] {
    for name in names.split(separator: " ") {
      clock.advance(by: .milliseconds(1))
      try program.press(try #require(Key(name: String(name))))
      let store = program.store
      while !store.effectsInFlight.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
    }
    return try #require(try program.frame()).screen.canvas.lines
  }

  private func program(on store: Store<CoachApp>) throws -> TerminalProgram<CoachApp> {
    var program = try TerminalProgram(store)
    program.size = Screen.Size(columns: 60, rows: 9)
    return program
  }

  private var configuration: StoreConfiguration {
    StoreConfiguration(clock: { [clock] in clock.moment })
  }

  @Test func `keys lead through the screens [X1]`() async throws {
    let server = try PageServer()
    let store = try Store<CoachApp>.inMemory(
      configuration: configuration, environment: folder.environment(server: server.address))
    let program = try program(on: store)
    #expect(
      try await press("m", in: program) == [
        "Users", "", "› Ms Ada Okafor", "  Mr Béla Tóth", "  Mei Lindqvist", "", "", "",
        "enter: session  l: leaderboard  m: more  x: purge",
      ])
    #expect(try await press("down enter", in: program).first == "Mr Béla Tóth")
    #expect(try await press("enter space", in: program)[2].hasPrefix("0:00.0"))
    // The lap that was not taken yet is no lap to save.
    #expect(try await press("s", in: program)[7] == SessionRefusal.noLaps.text)
    #expect(try await press("l l s", in: program)[7] == "The session of Mr Béla Tóth is saved.")
    #expect(try await press("enter", in: program)[7] == "")
    try await press("d escape l", in: program)
    #expect(try await press("enter", in: program).first == "Laps of Mr Béla Tóth")
  }

  @Test(arguments: [(20, 5), (40, 12), (80, 24), (200, 60)])
  func `each screen has its title and a hint at each size`(columns: Int, rows: Int) throws {
    var store = TestStore<CoachApp>()
    let user = UserID(value: 0)
    let routes = [CoachRoute.users, .session(user), .chart(SessionID(value: 0)), .leaderboard]
    for (route, title) in zip(routes, ["Users", "Session", "Laps of", "Leaderboard"]) {
      store.send(.window(.opened(route))) { $0.window.stack.push(route) }
      let size = Screen.Size(columns: columns, rows: rows)
      let frame = CoachFrame(
        of: SceneID(value: 0), in: store.state, at: store.clock.moment, size: size)
      let lines = frame.screen.canvas.lines
      // The hint is in the last line; lines without text at the end are left out.
      #expect(lines.count == rows && lines.first?.hasPrefix(title) == true, "\(lines)")
    }
  }

  @Test func `no key is bound twice`() {
    #expect(CoachFrame.allKeys.flatMap(\.conflicts).isEmpty)
  }

  @Test func `a recorded session replays to the same state and decisions [X1]`() async throws {
    let server = try PageServer()
    let path = folder.place.appending(path: "store").path
    let recorded = try await {
      let store = try await Store<CoachApp>.open(
        at: path, configuration: configuration,
        environment: folder.environment(server: server.address))
      let keys = "m m x m enter backspace enter space l l space s escape l enter"
      try await press(keys, in: program(on: store))
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
