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

/// A process of the app, whose keys come line by line.
private final class PokeProcess {
  static let size = Screen.Size(columns: 80, rows: 24)

  /// The folder of the programs, beside this test.
  static var folder: URL {
    URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
  }

  private let process = Process()
  private let (input, output) = (Pipe(), Pipe())
  private var rest = Data()

  init(on store: String) throws {
    process.executableURL = Self.folder.appending(path: "poke")
    process.arguments = [store]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  func press(_ key: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data("\(key)\n".utf8))
  }

  /// Returns the next screen; `nil` at the end of the output.
  func screen() -> [String]? {
    while true {
      let lines = rest.split(separator: 0x0A, omittingEmptySubsequences: false)
      if lines.count > Self.size.rows {
        let shown = lines.prefix(Self.size.rows)
        rest = Data(rest.dropFirst(shown.reduce(0) { $0 + $1.count + 1 }))
        return shown.map { String(decoding: $0, as: UTF8.self) }
      }
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { return nil }
      rest += more
    }
  }

  func kill() {
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Ends the input, and returns the exit code.
  func end() throws -> Int32 {
    try input.fileHandleForWriting.close()
    while screen() != nil {}
    process.waitUntilExit()
    return process.terminationStatus
  }
}

@Suite(.timeLimit(.minutes(10))) struct PokeProcessTests {
  private static let keys = [
    "enter", "escape", "tab", "down", "up", "end", "home", "page-down", "text:f", "text:r",
    "text:w", "right", "left",
  ]

  /// Returns the screens after 0, 1, … keys, of a window whose process is not killed.
  private static func screens(after keys: [String]) async throws -> [[String]] {
    let window = try await TestWindow(size: PokeProcess.size)
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
        let process = try PokeProcess(on: path)
        var seen = 0
        for key in keys {
          // Some keys are pressed before the screens of those before are there.
          if Bool.random(using: &random) {
            #expect(process.screen() == expected[seen], "seed \(seed)")
            seen += 1
          }
          try process.press(key)
        }
        let sleep = UInt64.random(in: 0...30_000_000, using: &random)
        try await Task.sleep(nanoseconds: sleep)
        process.kill()
        while let screen = process.screen() {
          #expect(screen == expected[seen], "seed \(seed)")
          seen += 1
        }
        let next = try PokeProcess(on: path)
        let reopened = try #require(next.screen())
        // What was shown is there; keys after that may have been recorded before the end.
        #expect(
          expected[max(0, seen - 1)...].contains(reopened), "seed \(seed): \(keys), \(seen)")
        #expect(try next.end() == 0)
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
      let other = try PokeProcess(on: path)
      #expect(other.screen()?.first == "Welcome to Poke")
      #expect(store.state.creatures.count == 8)
      // The welcome ends for both.
      try other.press("enter")
      #expect(other.screen()?[1] == "›   #001 Aldrim")
      await wait(for: store) { $0.windows[window]?.stack.top == .list }
      try other.press("text:f")
      await wait(for: store) { $0.creatures[aldrim]?.isFavourite == true }
      #expect(other.screen()?[1] == "› ★ #001 Aldrim")
      // The other process shows what is recorded here, without a key.
      try await store.send(.item(aldrim, .favouriteRemoved))
      repeat { try other.press("") } while other.screen()?[1] == "› ★ #001 Aldrim"
      // Both load pages, each of which is in the list once.
      try other.press("text:r")
      await wait(for: store) { $0.creatures.count == 16 }
      try await store.send(.list(.moreWanted)).settled()
      #expect(store.state.creatures.count == 20)
      #expect(try other.end() == 0)
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
        ["python3", "-c", Self.user, PokeProcess.folder.appending(path: "poke").path, path]
        + ["Welcome", "\r", "8 creatures", "\u{1B}[B", "›", "f", "★", "\t", "Favourites", "q"]
      try process.run()
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
      let next = try PokeProcess(on: path)
      let reopened = try #require(next.screen())
      #expect(reopened.prefix(2) == ["Favourites", "› ★ #002 Bexil"])
      #expect(try next.end() == 0)
    }
  }
}
