import ExampleTestSupport
import Foundation
import Retrace
import RetraceReplay
import RetraceStorage
import RetraceTesting
import Testing

@testable import CoachTimer

/// What the log of a store has.
private struct RecordedCoach {
  static let size = Screen.Size(columns: 80, rows: 24)

  /// The screen after each record.
  var screens: [[String]] = []
  /// The state after the last record.
  var state: CoachState
  /// Whether effects were in flight then.
  var isWorking: Bool

  /// Reads the log.
  init(at path: String) throws {
    let storage = try LogStorage.open(at: path, access: .read)
    defer { storage.close() }
    var replayer = try Replayer<CoachApp>(storage)
    repeat {
      let screen = CoachApp.screen(
        of: SceneID(value: 0), in: replayer.state, at: try replayer.moment(), size: Self.size)
      screens.append(Self.untimed(PlainRenderer(size: Self.size).lines(of: screen)))
    } while try replayer.stepForward()
    state = replayer.state
    isWorking = !replayer.effectsInFlight.isEmpty
  }

  /// Returns a screen without the times of its stopwatch, which go on between two screens.
  static func untimed(_ screen: [String]) -> [String] {
    var lines = screen
    lines[2].replace(#/\d+:\d\d\.\d/#, with: "0:00.0")
    return lines
  }

  /// Returns whether screens were shown after one record or another, in their order.
  func have(_ shown: [[String]]) -> Bool {
    var rest = screens[...]
    return shown.allSatisfy { screen in
      guard let index = rest.firstIndex(of: Self.untimed(screen)) else { return false }
      rest = rest[index...]
      return true
    }
  }
}

@Suite(.timeLimit(.minutes(10))) struct CoachProcessTests {
  private static let keys = [
    "enter", "escape", "up", "down", "backspace", "text: ", "text:4", "text:c", "text:d", "text:e",
    "text:l", "text:m", "text:o", "text:s", "text:x",
  ]

  /// Returns random keys, half of the time after those that begin a session.
  private static func keys(_ random: inout SeededGenerator) -> [String] {
    let begin = Bool.random(using: &random) ? ["enter", "enter", "text: ", "text:l"] : []
    return begin
      + (0..<Int.random(in: 1...15, using: &random)).map { _ in
        keys.randomElement(using: &random) ?? "enter"
      }
  }

  @Test func `a session that is killed reopens with its route, screen and state [X1]`()
    async throws
  {
    let server = try PageServer()
    var (shownCount, equalCount) = (0, 0)
    for seed in 0..<UInt64(repetitions(100)) {
      var random = SeededGenerator(seed: seed)
      let keys = Self.keys(&random)
      let folder = try TemporaryFolder()
      let store = folder.place.appending(path: "store").path
      let app = LineApp(
        "coach-timer", [folder.place.path, server.address.absoluteString],
        rows: RecordedCoach.size.rows)
      let shown = try await app.screensUntilKilled(pressing: keys, using: &random)
      shownCount += shown.count
      // A process that is killed early may have made no store.
      let killed = try? RecordedCoach(at: store)
      #expect(shown.isEmpty || killed != nil, "seed \(seed)")
      // No screen has a key for the tabulator.
      let reopened = RecordedCoach.untimed(try app.lastScreen(pressing: ["tab"]))
      let after = try RecordedCoach(at: store)
      #expect(reopened == after.screens.last, "seed \(seed): \(keys)")
      guard let killed else { continue }
      #expect(killed.have(shown), "seed \(seed): \(keys)")
      #expect(after.screens.starts(with: killed.screens), "seed \(seed): \(keys)")
      #expect(after.state.stack == killed.state.stack, "seed \(seed): \(keys)")
      #expect(after.state.sessions == killed.state.sessions, "seed \(seed): \(keys)")
      // Effects that the kill cut off answer in the next process, which also loads users if there
      // are none.
      if killed.isWorking || killed.state.users.list.isEmpty { continue }
      equalCount += 1
      #expect(after.state == killed.state, "seed \(seed): \(keys)")
      #expect(reopened == killed.screens.last, "seed \(seed): \(keys)")
    }
    #expect(shownCount > 0 && equalCount > 0)
  }
}
