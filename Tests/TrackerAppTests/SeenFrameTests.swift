import CivilTime
import RetraceArchitecture
import RetraceRecording
import RetraceScreen
import RetraceState
import RetraceStorage
import RetraceToolSupport
import Testing
import TimeTracking
import ToolTestSupport
import TrackerApp
import TrackerFeatures

/// The size, the zone and the focus of the terminal are recorded with the next action.
@Suite struct SeenFrameTests {
  private static func seen(_ driver: SceneDriver) -> SeenFrame? {
    driver.tracker.store.state.scenes[driver.scene]?.seen
  }

  @Test func `what is seen is recorded with the next action, and never alone`() throws {
    try TrackerFixture.with { fixture in
      let tokyo = ZoneRules(id: "Asia/Tokyo", offsetSeconds: 32_400)
      try fixture.open(zone: tokyo) { tracker in
        var driver = try SceneDriver.attach(to: tracker, size: Screen.Size(columns: 72, rows: 20))
        var expected = SeenFrame(size: driver.size, zone: "Asia/Tokyo")
        #expect(Self.seen(driver) == expected)
        // A dragged corner, a glance elsewhere and a rest on the shell append nothing.
        let before = tracker.store.sequence
        for columns in [60, 50, 40] {
          driver.size.columns = columns
          try driver.perform([.unfocused, .mouse(Mouse(.moved, row: 1, column: 1)), .focused])
          driver.suspended()
          driver.resumed()
          #expect(driver.frame()?.screen.canvas.size.columns == columns)
        }
        #expect(tracker.store.sequence == before && Self.seen(driver) == expected)
        // The next key has a record before it, in its batch; the one after it has none.
        try driver.press([.text("a"), .text("n")])
        #expect(tracker.store.sequence == before + 3)
        expected.columns = 40
        expected.suspended = TrackerFixture.morning
        expected.resumed = TrackerFixture.morning
        #expect(Self.seen(driver) == expected)
        // A size that came back before a key is no change.
        driver.size.rows = 5
        driver.size.rows = 20
        try driver.perform([.unfocused, .mouse(Mouse(.scrolled(.down), row: 2, column: 3))])
        #expect(tracker.store.sequence == before + 3)
        try driver.perform([.key(.text("n")), .focused])
        expected.isFocused = false
        #expect(tracker.store.sequence == before + 5 && Self.seen(driver) == expected)
      }
      // The session; the scene, and how it is seen; two keys; the key without the focus; the end.
      #expect(try fixture.batches() == [1, 2, 2, 1, 2, 1])
    }
  }

  @Test func `a command, an undo and a refused paste record it, too, and a message stays`() throws {
    try TrackerFixture.with { fixture in
      try fixture.app { driver, pipe in
        var driver = driver
        try driver.press([.text("anna"), .enter, .text("n"), .text("a"), .enter])
        func rows(_ rows: Int, _ body: () throws -> Void) rethrows -> Int {
          let before = driver.tracker.store.sequence
          driver.size.rows = rows
          try body()
          #expect(Self.seen(driver)?.rows == Int32(rows))
          return Int(driver.tracker.store.sequence - before)
        }
        // The command of the key comes right after it.
        #expect(rows(10) { _ = try? driver.press([.text("s")]) } == 3)
        #expect(rows(11) { _ = try? driver.press([.text("z")]) } == 4)
        let notice = driver.tracker.store.state.scenes[driver.scene]?.notice
        guard case .undone? = notice else { return #expect(Bool(false), "\(notice as Any)") }
        #expect(rows(12) { _ = try? driver.perform([.pasteRefused(limitBytes: 9)]) } == 2)
        #expect(rows(13) { try? driver.record(TerminalFeatures()) } == 2)
        let kept = driver.tracker.store.state.scenes[driver.scene]?.notice
        guard case .unavailable? = kept else { return #expect(Bool(false), "\(kept as Any)") }
      }
      // The next session sees it in another size, and says so with its first key.
      try fixture.app { driver, _ in
        #expect(Self.seen(driver)?.rows == 13)
        try driver.press([.text("down")])
        #expect(Self.seen(driver)?.rows == 20)
      }
    }
  }

  @Test func `a replay without options shows what was seen, and says which zone is missing`() throws
  {
    try TrackerFixture.with { fixture in
      var shown: [String] = []
      try fixture.open(zone: ZoneRules(id: "JST-9", offsetSeconds: 32_400)) { tracker in
        let driver = try SceneDriver.attach(to: tracker, size: Screen.Size(columns: 66, rows: 15))
        try driver.press([.text("anna"), .enter, .text("n"), .text("a"), .enter])
        shown = try PipeDriver(driver).answer("screen").lines.dropLast()
      }
      #expect(shown.contains { $0.contains("18:00") }, "\(shown)")
      let command = ["replay", "screen", "--store", fixture.store]
      let lines = try expectFine(command).split(separator: "\n").map(String.init)
      #expect(lines == shown.filter { !$0.isEmpty })
      let low = try expectFine(command + ["--size", "66x4"]).split(separator: "\n")
      #expect(low.count < lines.count)
      try fixture.open(zone: ZoneRules(id: "No/Such_Zone", offsetSeconds: 32_400)) { tracker in
        let driver = try SceneDriver.attach(to: tracker, size: Screen.Size(columns: 66, rows: 15))
        try driver.press([.text("down")])
      }
      let result = try ToolRunner.process.run("replay", Array(command.dropFirst()))
      #expect(result.status == 0 && result.output.contains("18:00"))
      #expect(result.errors.hasPrefix("note: this system has no zone \"No/Such_Zone\""))
    }
  }
}
