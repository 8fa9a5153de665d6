import ExampleTestSupport
import Foundation
import Retrace
import RetraceRecording
import RetraceTesting
import Testing
import ToolTestSupport

@testable import Starter

/// An app of this package, whose program can record a log.
enum RecordedApp: CaseIterable {
  case counter, form, starter, coachTimer, poke

  /// The replay tool, with the words that choose it.
  var tool: [String] {
    switch self {
    case .counter: [LineApp.path(of: "counter-replay")]
    case .form: [LineApp.path(of: "contacts")]
    case .starter: [LineApp.path(of: "Starter"), "replay"]
    case .coachTimer: [LineApp.path(of: "coach-timer-replay")]
    case .poke: [LineApp.path(of: "poke-replay")]
    }
  }

  /// Records in a folder, and returns the path of the store.
  func record(in folder: TemporaryDirectory) async throws -> String {
    let store = folder.file("store")
    switch self {
    case .counter:
      try run("counter", [store] + Self.counterWords)
    case .form:
      let words = "add name=Ada email=ada@example.org save add save name=é dismiss delete=0"
      try run("contacts", ["record", store] + words.split(separator: " ").map(String.init))
    case .starter:
      try await recordStarter(in: store)
    case .coachTimer:
      let server = try PageServer()
      let app = LineApp("coach-timer", [folder.path, server.address.absoluteString], rows: 24)
      try app.lastScreen(pressing: Self.coachKeys)
    case .poke:
      try LineApp("poke", [store], rows: 16).lastScreen(pressing: Self.pokeKeys)
    }
    return store
  }

  /// Counters, some of which do not exist, and facts.
  private static let counterWords = [
    "add", "apples", "add", "né", "count", "0", "42", "count", "7", "1", "favourite", "1", "fact",
    "0", "open", "1", "close", "count", "1", "-9223372036854775808", "fact", "1", "dismiss",
  ]

  /// Pages of users, a session that is saved and another that is discarded, a lap that is refused
  /// while the stopwatch stands still, a save without a lap, a chart, an export and a purge.
  private static let coachKeys = [
    "text:m", "text:m", "enter", "backspace", "enter", "text: ", "text:l", "text: ", "text:l",
    "text:s", "enter", "text:s", "text: ", "text:l", "text:l", "text:d", "escape", "text:l",
    "text:o", "enter", "escape", "text:e", "escape", "text:x",
  ]

  /// Pages, details, and favourites that are added and removed.
  private static let pokeKeys = [
    "enter", "text:f", "down", "enter", "text:f", "text:f", "escape", "end", "down", "text:s",
    "text:r", "text:s", "text:w", "enter", "tab", "text:f",
  ]

  private func run(_ program: String, _ arguments: [String]) throws {
    let result = try RunningTool(LineApp.path(of: program), arguments).finish()
    try #require(result.status == 0, "\(result.errors)")
  }

  /// Items that are added, renamed and finished, one of which is then put away, and refusals.
  private func recordStarter(in path: String) async throws {
    let clock = VirtualClock()
    var configuration = StoreConfiguration(clock: { clock.moment })
    configuration.effectClock = clock
    let store = try await Store<StarterApp>.open(
      at: path, configuration: configuration, environment: StarterEnvironment())
    let (tea, rice) = (ItemID(number: 0), ItemID(number: 1))
    for name in ["tea", "rice"] { try await store.perform(.item(.add(name: name))) }
    for command in [ItemCommand.add(name: ""), .putAway(tea)] {
      await #expect(throws: CommandError<StarterApp>.self) {
        try await store.perform(.item(command), from: .scene)
      }
    }
    try await store.perform(.item(.rename(rice, to: "ré")))
    try await store.send([.opened(rice), .closed])
    let finished = try await store.perform(.item(.finish(tea)))
    await clock.whenSleeping(1)
    clock.advance(by: .seconds(5))
    try await finished.receipt.settled()
    #expect(store.state.domain.items[tea] == nil)
    // This effect is in flight when the log ends.
    try await store.perform(.item(.finish(rice)))
    try await store.close()
  }
}
