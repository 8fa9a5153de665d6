import Foundation
import RetraceArchitecture
import RetraceLog
import RetraceRecording
import RetraceReplay
import RetraceScreen
import RetraceState
import RetraceStorage
import RetraceTesting
import Testing
import TimeTracking
import ToolTestSupport
import TrackerFeatures

@testable import RetracePlayer
@testable import TrackerApp

/// The rail of the app: its past, in which nothing is written.
@Suite struct RailTests {
  /// A text that could move the cursor, forge a line or reorder a row.
  private static let hostile = "clear \u{1B}[2J \u{202E}gnp.exe \u{9B}31m"

  /// Calls `body` in an app in which entries were started and one was typed.
  private func withApp(
    _ body: (TrackerFixture, SceneDriver, PipeDriver) throws -> Void
  ) throws {
    try TrackerFixture.with { fixture in
      try fixture.app { driver, pipe in
        _ = try pipe.replies("text:anna", "enter", "text:n")
        for letter in ["r", "e", "a", "d"] { _ = try pipe.answer("text:\(letter)") }
        _ = try pipe.replies(
          "enter", "text:n", "text:mail", "enter", "text:n", "text:draft", "left")
        try body(fixture, driver, pipe)
      }
    }
  }

  private func log(_ fixture: TrackerFixture) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: fixture.store + "/data.mdb"))
  }

  private func screen(_ pipe: PipeDriver) throws -> [String] {
    try Array(pipe.answer("screen").lines.dropLast())
  }

  @Test func `the rail shows earlier screens, writes nothing, and returns to now`() throws {
    try withApp { fixture, driver, pipe in
      let now = try screen(pipe)
      let (last, bytes) = (driver.tracker.store.sequence, try log(fixture))
      #expect(try pipe.answer("ctrl-t").lines == ["ok \(last)"])
      var shown = try screen(pipe)
      #expect(
        shown.first == "Looking back: now, record \(last) of \(last), nothing is written")
      #expect(shown.contains { $0.contains("since the window was opened") })
      _ = try pipe.answer("left")
      shown = try screen(pipe)
      #expect(
        shown.first
          == "Looking back: 2026-03-02 09:00:00, record \(last - 1) of \(last), nothing is written")
      #expect(shown.contains { $0.contains("what changed") })
      #expect(shown.contains { $0.contains("entry editor description") })
      _ = try pipe.answer("home")
      #expect(try screen(pipe).contains { $0.contains("This window was not open yet.") })
      _ = try pipe.answer("escape")
      #expect(try screen(pipe) == now)
      #expect(driver.tracker.store.sequence == last)
      #expect(try log(fixture) == bytes)
      // The draft goes on where its cursor was.
      #expect(try pipe.answer("text:!").lines == ["ok \(last + 1)"])
      #expect(try screen(pipe).contains { $0.contains("draf!t") })
    }
  }

  @Test(arguments: ["escape", "enter", "text:q", "ctrl-t", "ctrl-c"])
  func `each key that ends the rail returns to now`(key: String) throws {
    try withApp { _, driver, pipe in
      let (now, last) = (try screen(pipe), driver.tracker.store.sequence)
      #expect(
        try pipe.replies("ctrl-t", "left", key) == [["ok \(last)"], ["ok \(last)"], ["ok \(last)"]])
      #expect(try screen(pipe) == now)
    }
  }

  @Test func `the rail opens over the list of keys, which is there again after it`() throws {
    try withApp { _, driver, pipe in
      _ = try pipe.replies("escape", "text:?")
      let (keys, last) = (try screen(pipe), driver.tracker.store.sequence)
      #expect(keys.contains { $0.contains("Look back") || $0.contains("look back") })
      #expect(try pipe.answer("ctrl-t").lines == ["ok \(last)"])
      #expect(try screen(pipe).first?.hasPrefix("Looking back: now") == true)
      _ = try pipe.answer("escape")
      #expect(try screen(pipe) == keys)
    }
  }

  @Test func `each step shows the screen that a replay shows, cell for cell`() throws {
    try withApp { _, driver, _ in
      let store = driver.tracker.store
      var view = AppView(driver)
      _ = try view.perform([.key(.ctrl("t"))])
      view.finishWork()
      _ = try view.perform([.key(.home)])
      var replayer = try Replayer<TimeTracker>(store.storage)
      var (compared, texts, differing) = (0, Set<String>(), Set<UInt64>())
      let player = try Player<TimeTracker>(
        store.storage, zone: .utc, rail: PlayerState.Rail(scene: driver.scene.value, session: 1))
      let room = PlayerLayout(player.state, size: driver.size).picture
      for sequence in 2...store.sequence {
        _ = try view.perform([.key(.right)])
        let screen = view.screen()
        let shown = try #require(screen)
        try replayer.seek(to: try replayer.batchEnd(atOrBefore: sequence))
        guard replayer.state.scenes[driver.scene] != nil else { continue }
        let size = Screen.Size(columns: room.columns, rows: room.rows)
        let expected = TimeTracker.screen(
          of: driver.scene, in: replayer.state, at: try replayer.moment(), size: size, zone: .utc)
        let banner = shown.canvas.text(ofRow: 0)
        #expect(banner.contains("record \(sequence) of "), "\(banner)")
        for row in 0..<room.rows {
          texts.insert(expected.canvas.text(ofRow: row))
          for column in 0..<room.columns {
            let own = expected.canvas[row: row, column: column]
            let cell = shown.canvas[row: row + room.row, column: column + room.column]
            var style = own.style
            if let cursor = expected.cursor, (cursor.row, cursor.column) == (row, column) {
              style.attributes.formUnion(.reversed)
            }
            let isSame =
              shown.canvas.text(of: cell) == expected.canvas.text(of: own) && cell.style == style
            if isSame { compared += 1 } else { differing.insert(sequence) }
          }
        }
      }
      #expect(differing == [])
      #expect(compared > 10_000 && texts.count > 20)
    }
  }

  @Test func `a long session of random keys in the rail writes nothing`() throws {
    let keys = [
      "left", "right", "up", "down", "page-up", "page-down", "home", "end", "tab", "backtab",
      "text:a", "text:n", "text:N", "text:[", "text:]", "text:+", "text:-", "text:x", "delete",
    ]
    let typed = [
      ["text:g", "text:5", "enter"], ["text:g", "text:9:00", "enter"], ["text:?", "escape"],
      ["text:/", "text:mail", "enter"], ["text:g", "text:soon", "enter", "escape"],
      ["text:f", "ctrl-u", "text:kind:command", "enter"], ["text:f", "ctrl-u", "enter"],
    ]
    var random = withSeed { $0 }
    try withApp { fixture, driver, pipe in
      let (last, bytes, now) = (driver.tracker.store.sequence, try log(fixture), try screen(pipe))
      _ = try pipe.answer("ctrl-t")
      for _ in 0..<300 {
        let some =
          Int.random(in: 0..<4, using: &random) == 0 ? typed.randomElement(using: &random) : nil
        for key in some ?? [keys.randomElement(using: &random) ?? "left"] {
          #expect(try pipe.answer(key).lines == ["ok \(last)"])
        }
        #expect(try screen(pipe).first?.contains("nothing is written") == true)
      }
      for _ in 0..<3 { _ = try pipe.answer("ctrl-t") }
      if try screen(pipe) != now { _ = try pipe.answer("escape") }
      #expect(try screen(pipe) == now)
      #expect(driver.tracker.store.sequence == last)
      #expect(try log(fixture) == bytes)
    }
  }

  @Test func `what is recorded elsewhere meanwhile is shown in the rail`() throws {
    try withApp { _, driver, pipe in
      let store = driver.tracker.store
      let last = store.sequence
      _ = try pipe.replies("ctrl-t", "text:a")
      let draft = TimeEntryDraft(
        user: .id(UserID(value: 0)), description: Self.hostile, zone: .utc)
      _ = try store.performBlocking(
        .entry(
          .add(
            draft, start: TrackerFixture.morning.adding(.seconds(-7_200)),
            end: TrackerFixture.morning.adding(.seconds(-3_600)), policy: .refuse)),
        from: .commandLine)
      #expect(store.sequence > last)
      // The last record stays selected.
      let shown = try screen(pipe)
      #expect(
        shown.first
          == "Looking back: now, record \(store.sequence) of \(store.sequence), nothing is written")
      #expect(shown.contains { $0.contains("gnp.exe") })
      for line in shown { #expect(SafeText.line(line, bytesMax: .max) == line) }
      _ = try pipe.answer("left")
      #expect(try screen(pipe).first?.contains("record \(store.sequence - 1) of") == true)
      _ = try pipe.answer("escape")
      #expect(try screen(pipe).first?.hasPrefix("Looking back") == false)
    }
  }

  @Test func `up and down lead from change to change, and a key shows all sessions`() throws {
    try withApp { fixture, driver, pipe in
      _ = try pipe.answer("ctrl-t")
      func place() throws -> String { try screen(pipe).first ?? "" }
      _ = try pipe.answer("up")
      // The two entries and the user.
      #expect(try screen(pipe).contains { $0.contains("mail") })
      let second = try place()
      _ = try pipe.answer("up")
      let first = try place()
      _ = try pipe.answer("up")
      let user = try place()
      #expect(Set([first, second, user]).count == 3)
      _ = try pipe.answer("up")
      #expect(try screen(pipe).contains { $0.contains("There is no earlier change.") })
      _ = try pipe.replies("down")
      #expect(try place() == first)
      _ = try pipe.replies("down")
      #expect(try place() == second)
      _ = try pipe.replies("down")
      #expect(try screen(pipe).contains { $0.contains("There is no later change.") })
    }
  }

  @Test func `another session of the window begins a list of its own`() throws {
    try TrackerFixture.with { fixture in
      try fixture.app { _, pipe in _ = try pipe.replies("text:anna", "enter") }
      try fixture.app(hour: 1) { driver, pipe in
        _ = try pipe.replies("text:n", "ctrl-t", "home")
        let opened = try screen(pipe)
        _ = try pipe.replies("text:a", "home")
        let first = try screen(pipe)
        #expect(!opened[0].contains("record 1 of") && first[0].contains("record 1 of"))
        #expect(first.contains { $0.contains("all records") })
        _ = try pipe.replies("text:a", "end", "text:g", "text:2", "enter")
        #expect(try screen(pipe)[0].contains("record 2 of"))
        _ = try pipe.replies("text:a")
        #expect(try screen(pipe).contains { $0.contains("since the window was opened") })
      }
    }
  }

  @Test func `the terminal may change its size and its focus meanwhile`() throws {
    try withApp { _, driver, _ in
      let last = driver.tracker.store.sequence
      var view = AppView(driver)
      _ = try view.perform([.key(.ctrl("t")), .key(.left)])
      for (columns, rows) in [(20, 5), (40, 12), (66, 16), (120, 40), (1, 1), (80, 24)] {
        view.size = Screen.Size(columns: columns, rows: rows)
        let (screen, size) = (view.screen(), view.size)
        #expect(screen?.canvas.size == size)
        _ = try view.perform([.unfocused, .key(.left), .focused, .key(.right)])
        try view.record(TerminalFeatures())
        try view.askAboutSleep()
      }
      var isOpen = view.isLookingBack
      #expect(driver.tracker.store.sequence == last && isOpen)
      // What the terminal can do is recorded when the rail is closed.
      _ = try view.perform([.key(.escape)])
      isOpen = view.isLookingBack
      #expect(!isOpen && driver.tracker.store.sequence > last)
      // Inputs after the key that closes the rail are performed in the scene.
      let before = driver.tracker.store.sequence
      _ = view.screen()
      let pressed = try view.perform([
        .key(.ctrl("t")), .key(.left), .key(.escape), .key(.text("x")), .key(.ctrl("t")),
      ])
      isOpen = view.isLookingBack
      #expect(isOpen && pressed.sequence == driver.tracker.store.sequence)
      #expect(driver.tracker.store.sequence > before)
    }
  }

  @Test func `the pictures of the rail are those of the documentation`() throws {
    let size = Screen.Size(columns: 96, rows: 26)
    try TrackerFixture.with { fixture in
      try fixture.app { driver, _ in
        var driver = driver
        driver.size = size
        try driver.press([.text("anna"), .enter])
        for text in ["read papers", "mail", "write the report"] {
          try driver.press([.text("n"), .text(text), .enter])
        }
        try driver.press([.down, .text("e"), .text(" again")])
        var view = AppView(driver)
        // The list is read beside the inputs, so a key before its end would find fewer rows.
        for key in [Key.ctrl("t"), .up] {
          _ = try view.perform([.key(key)])
          view.finishWork()
          _ = view.screen()
        }
        let last = view.screen()
        let screen = try #require(last)
        try expectPicture("rail", of: screen, size: size, title: "Looking back")
      }
    }
  }
}
