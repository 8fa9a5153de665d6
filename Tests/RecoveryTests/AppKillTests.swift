import Foundation
import RetraceTesting
import Testing
import ToolTestSupport

/// The app is killed at random moments of scripted sessions; what it acknowledged is there again,
/// and it reopens at the same place.
@Suite(.serialized) struct AppKillTests {
  private static let clock = "2026-03-02T09:00:00Z"

  private func arguments(_ store: String) -> [String] {
    ["app", "--store", store, "--now", Self.clock, "--size", "72x20"]
  }

  /// What the app shows and where it is.
  private struct Place: Equatable {
    var screen: [String]
    var route: String
  }

  /// Returns a random session of texts, movements and confirmations.
  private func script(_ random: inout SeededGenerator, lines: Int) -> [String] {
    let words = ["review", "émile", "写作", "👩🏽‍🚀 orbit", "naïve plan", "a", "call #4", "x y z"]
    let keys = [
      "left", "right", "backspace", "tab", "up", "down", "enter", "escape", "home", "end",
      "escape", "ctrl-y", "ctrl-g",
    ]
    // On the timer: a new entry, stopping, deleting, what the screen offers and says about undo and
    // redo; left and right close and open groups.
    let letters = ["text:n", "text:n", "text:s", "text:d", "text:d", "text:z", "text:Z"]
    // Two similar entries, whose group is opened and closed, deleted and taken back.
    var script = ["text:anna", "enter", "text:n", "text:mail", "enter", "text:s"]
    script += ["down", "enter", "text:s", "down", "right", "text:d", "text:z", "down", "left"]
    script.append("text:d")
    while script.count < lines {
      switch Int.random(in: 0..<10, using: &random) {
      case 0...3: script.append("text:" + (words.randomElement(using: &random) ?? "a"))
      case 4...6: script.append((keys.randomElement(using: &random) ?? "left"))
      default: script.append((letters.randomElement(using: &random) ?? "text:n"))
      }
    }
    return script
  }

  /// Asks a running app for its screen.
  private func ask(_ app: RunningTool) throws -> [String] {
    app.send("screen")
    var lines: [String] = []
    while let line = app.readLine() {
      if line.hasPrefix("ok ") { return lines }
      lines.append(line)
    }
    throw ToolError.noAnswer("screen")
  }

  private func route(_ store: String) throws -> String {
    let result = try run("replay", ["route", "--store", store, "--json"])
    let json = try result.json()
    let stack = try JSONSerialization.data(
      withJSONObject: json["stack"] ?? [], options: [.sortedKeys])
    return "\(json["path"] ?? "") \(String(decoding: stack, as: UTF8.self))"
  }

  /// Runs a script undisturbed and returns the place after each line.
  private func reference(_ script: [String], in folder: String) throws -> [Place] {
    let store = "\(folder)/reference"
    var places: [Place] = []
    let app = try RunningTool("track", arguments(store))
    places.append(Place(screen: try ask(app), route: ""))
    for line in script {
      app.send(line)
      guard app.readLine()?.hasPrefix("ok ") == true else { throw ToolError.noAnswer(line) }
      let screen = try ask(app)
      places.append(Place(screen: screen, route: try route(store)))
    }
    #expect(app.finish().status == 0)
    return places
  }

  @Test
  func `a killed app reopens after its last acknowledged line or after the next one [L8] [H8]`()
    throws
  {
    let cycles = cycles(50)
    try withSeed("AppKillTests") { random in
      try withTemporaryDirectory { folder in
        let script = script(&random, lines: 54)
        let places = try reference(script, in: folder)
        for cycle in 0..<cycles {
          let store = "\(folder)/store-\(cycle)"
          let app = try RunningTool("track", arguments(store))
          let target = Int.random(in: 0..<script.count - 1, using: &random)
          let delay = UInt32.random(in: 0..<2_000, using: &random)
          var acknowledged = 0
          var last = "none"
          for line in script.prefix(target) {
            app.send(line)
            guard let answer = app.readLine(), answer.hasPrefix("ok ") else { break }
            acknowledged += 1
            last = answer
          }
          #expect(acknowledged == target)
          // One line is in flight when the signal comes.
          app.send(script[target])
          usleep(delay)
          #expect(app.kill(), "the app ended by itself after \(acknowledged) lines")
          print("app cycle \(cycle): killed after \(acknowledged) lines, last ack \(last)")
          try check(
            store, acknowledged: acknowledged, ack: last, places: places, script: script)
        }
      }
    }
  }

  private func check(
    _ store: String, acknowledged: Int, ack: String, places: [Place], script: [String]
  ) throws {
    let again = try RunningTool("track", arguments(store))
    let screen = try ask(again)
    #expect(again.finish().status == 0)
    let candidates = [places[acknowledged], places[min(acknowledged + 1, places.count - 1)]]
    #expect(
      candidates.contains { $0.screen == screen },
      "screen after \(acknowledged) lines: \(screen)")
    if acknowledged > 0 {
      let route = try route(store)
      #expect(candidates.contains { $0.route == route && $0.screen == screen }, "\(route)")
    }
    let verified = try run("replay", ["verify", "--store", store, "--json"])
    #expect(verified.status == 0, "\(verified.errors)")
    if let number = Int(ack.dropFirst(3)) {
      let records = try #require(try verified.json()["records"] as? Int)
      #expect(records >= number)
    }
  }
}
