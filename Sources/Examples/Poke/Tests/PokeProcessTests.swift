import ExampleTestSupport
import Foundation
import Poke
import PokeDomain
import PokeInjection
import PokeModels
import PokeServices
import Retrace
import RetraceRecording
import RetraceTesting
import Testing

/// Returns the program of the app on a store.
private func poke(on store: String) -> LineApp {
  LineApp("poke", [store], rows: Screen.Size.lines.rows)
}

extension Screen.Size {
  /// The size of the screens that are printed as lines.
  fileprivate static let lines = Screen.Size(columns: 80, rows: 24)
}

@Suite(.timeLimit(.minutes(10))) struct PokeProcessTests {
  private static let keys = [
    "enter", "escape", "tab", "down", "up", "end", "home", "page-down", "text:f", "text:r",
    "text:w", "right", "left",
  ]

  /// Returns the screens after 0, 1, … keys, of a window whose process is not killed.
  private static func screens(after keys: [String]) async throws -> [[String]] {
    let window = try await TestWindow(size: .lines)
    var screens = [try window.allLines]
    for key in keys {
      try await window.press(key)
      screens.append(try window.allLines)
    }
    return screens
  }

  @Test func `a session that is killed reopens at the same place [X2]`() async throws {
    for seed in 0..<UInt64(repetitions(100)) {
      var random = SeededGenerator(seed: seed)
      let keys = (0..<Int.random(in: 1...12, using: &random)).map { _ in
        Self.keys.randomElement(using: &random) ?? "enter"
      }
      let expected = try await Self.screens(after: keys)
      try await withFolder { path in
        let app = poke(on: path)
        let shown = try await app.screensUntilKilled(pressing: keys, using: &random)
        #expect(shown.elementsEqual(expected.prefix(shown.count)), "seed \(seed)")
        // What was shown is there; keys after that may have been recorded before the end.
        let reopened = try app.lastScreen(pressing: [""])
        let possible = expected[max(0, shown.count - 1)...]
        #expect(possible.contains(reopened), "seed \(seed): \(keys), \(shown.count)")
      }
    }
  }

  @Test func `two stores share one truth: each follows what the other records [X2]`()
    async throws
  {
    try await withFolder { path in
      let store = try Store<PokeApp>.openBlocking(
        at: path, configuration: StoreConfiguration(),
        environment: PokeEnvironment(bundle: .bundled(), server: .failing("no")))
      let (window, aldrim) = (SceneID(value: 0), CreatureID(value: 0))
      #expect(try store.attach(to: window))
      try await store.send([.windowOpened(window), .list(.appeared)]).settled()
      // The other process takes another window, and has the page that this one loaded.
      let other = try poke(on: path).start()
      #expect(other.screen()?.first == "Welcome to Poke")
      #expect(store.state.creatures.count == 8)
      // The welcome ends for both.
      other.press("enter")
      #expect(other.screen()?[1] == "›   #001 Aldrim")
      await wait(for: store) { $0.windows[window]?.stack.top == .list }
      other.press("text:f")
      await wait(for: store) { $0.creatures[aldrim]?.isFavourite == true }
      #expect(other.screen()?[1] == "› ★ #001 Aldrim")
      // The other process shows what is recorded here, without a key.
      try await store.send(.item(aldrim, .favouriteRemoved))
      repeat { other.press("") } while other.screen()?[1] == "› ★ #001 Aldrim"
      // Both load pages, each of which is in the list once.
      other.press("text:r")
      await wait(for: store) { $0.creatures.count == 16 }
      try await store.send(.list(.moreWanted)).settled()
      #expect(store.state.creatures.count == 20)
      #expect(other.end() == 0)
      #expect(store.state.windows.count == 2)
      try await store.close()
    }
  }

  /// A user at a terminal: presses a key once a text is shown, for each pair of arguments.
  private static let user = """
    import os, pty, re, sys
    child, terminal = pty.fork()
    if child == 0:
        os.environ["TERM"] = "xterm-256color"
        os.execv(sys.argv[1], sys.argv[1:3])
    shown = b""
    for text, key in zip(sys.argv[3::2], sys.argv[4::2]):
        while text.encode() not in shown:
            shown += os.read(terminal, 65536)
        shown = b""
        os.write(terminal, key.encode())
    try:
        while os.read(terminal, 65536): pass
    except OSError: pass
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    """

  @Test func `the app runs on a terminal, and is left with a key`() async throws {
    try await withFolder { path in
      let process = Process()
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments =
        ["python3", "-c", Self.user, LineApp.path(of: "poke"), path]
        + ["Welcome", "\r", "8 creatures", "\u{1B}[B", "›", "f", "★", "\t", "Favourites", "q"]
      try process.run()
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
      let reopened = try poke(on: path).lastScreen(pressing: [""])
      #expect(reopened.prefix(2) == ["Favourites", "› ★ #002 Bexil"])
    }
  }
}
