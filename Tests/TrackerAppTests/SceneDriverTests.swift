import CivilTime
import RetraceScreen
import RetraceState
import RetraceArchitecture
import RetraceLog
import RetraceReplay
import RetraceStorage
import Testing
import TimeTracking

@testable import TrackerApp

@Suite struct SceneDriverTests {
  @Test func `the first attachment opens a scene, the next one finds it as it was left`() throws {
    try TrackerFixture.with { fixture in
      let left = try fixture.app { driver, pipe in
        #expect(driver.scene == SceneID(value: 0))
        for line in ["text:anna", "enter", "text:n", "text:draft", "left"] {
          _ = try pipe.answer(line)
        }
        return try (driver.tracker.state.scenes, pipe.answer("screen").lines.dropLast())
      }
      #expect(left.0[SceneID(value: 0)]?.backStack.top.path == "timer/0/start")
      try fixture.app { driver, pipe in
        #expect(driver.scene == SceneID(value: 0))
        #expect(driver.tracker.state.scenes == left.0)
        let screen = try pipe.answer("screen").lines.dropLast()
        #expect(screen == left.1)
      }
      // The second session had nothing to say, so that the log does not know of it.
      let storage = try LogStorage.open(at: fixture.store, access: .read)
      defer { storage.close() }
      let sessions = try SessionSummary.all(in: storage)
      #expect(sessions.count == 1)
      #expect(sessions.first?.opened.scene == SceneID(value: 0))
    }
  }

  @Test func `another zone of the machine is told to the scene, once`() throws {
    try TrackerFixture.with { fixture in
      let zone = ZoneRules(id: "Etc/GMT-2", offsetSeconds: 7_200)
      try fixture.app { _, _ in }
      for _ in 0..<2 {
        try fixture.app(zone: zone) { driver, _ in
          #expect(
            driver.tracker.state.scenes[driver.scene]?.zone
              == RecordedZone(id: "Etc/GMT-2", offsetSeconds: 7_200))
        }
      }
      // Two sessions of three records: the third had nothing to tell.
      #expect(try fixture.batches().count == 6)
    }
  }

  @Test func `keys pressed together are one batch, each on what those before it led to`() throws {
    try TrackerFixture.with { fixture in
      try fixture.app { driver, _ in
        let keys: [Key] = [.text("anna"), .enter, .text("n"), .text("work"), .enter]
        try driver.press(keys)
        let state = driver.tracker.state
        let user = try #require(state.library.user(named: "anna"))
        let entry = try #require(
          state.timeline.running[user].flatMap { state.timeline.entries[$0] })
        #expect(entry.description == "work")
        #expect(entry.start == TrackerFixture.noon)
        #expect(state.scenes[driver.scene]?.backStack.top.path == "timer/0")
      }
      #expect(try fixture.batches().dropLast() == [1, 1, 11])
    }
  }
}
