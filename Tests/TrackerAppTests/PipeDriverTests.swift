import RetraceScreen
import RetraceArchitecture
import RetraceAvro
import RetraceRecording
import RetraceState
import Testing
import TimeTracking
import TrackerApp
import TrackerFeatures

/// The app on a pipe: keys as lines, and answers.
@Suite struct PipeDriverTests {
  @Test func `each line is answered with the sequence of its last record`() throws {
    try TrackerFixture.with { fixture in
      try fixture.app { driver, pipe in
        // Record 1 opens the session, record 2 the scene, and record 3 says how it is seen.
        let answers = try pipe.replies("text:änna", "backspace", "enter", "text:n", "text:work")
        // A new user takes a command, its fact, and the opening of the timer.
        #expect(answers == [["ok 4"], ["ok 5"], ["ok 8"], ["ok 9"], ["ok 10"]])
        #expect(driver.tracker.domain.users[UserID(value: 0)]?.name == Name("änn"))
      }
      #expect(try fixture.batches() == [1, 2, 1, 1, 2, 1, 1, 1, 1])
    }
  }

  @Test func `a text is typed as a whole, whatever its graphemes`() throws {
    try TrackerFixture.with { fixture in
      try fixture.app { driver, pipe in
        let before = driver.tracker.store.sequence
        // A combining mark right after the colon is text, not a part of the colon.
        let answers = try pipe.replies(
          "text:👩🏽‍🚀e\u{301}", "text:x", "text:\u{301}", "backspace")
        #expect(answers == (before + 1...before + 4).map { ["ok \($0)"] })
        guard case .users(let route)? = driver.tracker.store.state.scenes[driver.scene]?.stack.top
        else {
          Issue.record("it is on another screen")
          return
        }
        #expect(route.name.text == "👩🏽‍🚀e\u{301}")
      }
    }
  }

  @Test func `a paste of many characters is one action`() throws {
    try TrackerFixture.with { fixture in
      try fixture.app { driver, pipe in
        let before = driver.tracker.store.sequence
        let text = String(repeating: "写 ab", count: 2_000)
        let answers = try pipe.replies("paste:" + text, "paste:?\\n\\tq")
        #expect(answers == [["ok \(before + 1)"], ["ok \(before + 2)"]])
        guard case .users(let route)? = driver.tracker.store.state.scenes[driver.scene]?.stack.top
        else {
          Issue.record("it is on another screen")
          return
        }
        #expect(route.name.text == text + "?  q")
      }
    }
  }

  @Test func `a key without a meaning is answered, and the screen says so`() throws {
    try TrackerFixture.with { fixture in
      try fixture.app { driver, pipe in
        let answers = try pipe.replies("up", "ctrl-x", "enter")
        #expect(answers == [["ok 4"], ["ok 5"], ["ok 6"]])
        let screen = try pipe.answer("screen").lines
        #expect(screen.contains { $0.contains("Type a name, or select a user") })
        #expect(driver.tracker.domain == DomainState())
      }
    }
  }

  @Test func `a line uses the mouse in a cell`() throws {
    try TrackerFixture.with { fixture in
      try fixture.app { driver, pipe in
        for line in ["text:anna", "enter"] { _ = try pipe.answer(line) }
        let before = driver.tracker.store.sequence
        // The first key of the last row makes a new entry.
        let answers = try pipe.replies("press-left 19 0", "release-left 19 0", "scroll-up 3 10")
        #expect(answers == Array(repeating: ["ok \(before + 1)"], count: 3))
        let scene = try #require(driver.tracker.store.state.scenes[driver.scene])
        #expect(scene.stack.top.path == "timer/0/start")
        for line in ["press-left 19", "press-left 19 -1", "press-left 19 0 1", "press 19 0"] {
          #expect(try pipe.answer(line).lines.first?.hasPrefix("error ") == true)
        }
      }
    }
  }

  @Test func `a key that leaves is answered with the sequence as it is`() throws {
    try TrackerFixture.with { fixture in
      try fixture.app { _, pipe in
        let (left, again) = try (pipe.answer("ctrl-c"), pipe.answer("ctrl-d"))
        #expect(left == .left(sequence: 3))
        #expect(again.lines == ["ok 3"])
      }
      #expect(try fixture.batches() == [1, 2, 1])
    }
  }

  @Test(
    arguments: [
      "", "text:", "Enter", "enter ", "ctrl-", "ctrl-ab", "f0", "txt:a", "TEXT:a", "\u{1b}[A",
    ])
  func `an unknown key is an error and writes nothing`(line: String) throws {
    try TrackerFixture.with { fixture in
      try fixture.app { driver, pipe in
        let before = driver.tracker.store.sequence
        let answer = try pipe.answer(line)
        #expect(answer.lines.count == 1)
        #expect(answer.lines.first?.hasPrefix("error ") == true)
        // The text that was sent is printed without control characters.
        #expect(answer.lines.first?.contains("\u{1b}") == false)
        #expect(answer.json["error"] != nil && answer.json["sequence"] == nil)
        #expect(driver.tracker.store.sequence == before)
      }
    }
  }

  @Test func `screen answers the lines of the screen and then ok`() throws {
    try TrackerFixture.with { fixture in
      try fixture.app { driver, pipe in
        _ = try pipe.answer("text:anna")
        let answer = try pipe.answer("screen").lines
        #expect(answer.last == "ok \(driver.tracker.store.sequence)")
        #expect(answer.count > 2)
        #expect(answer.dropLast().contains { $0.contains("anna") })
        let again = try pipe.answer("screen")
        #expect(again.lines == answer)
        #expect(again.json["screen"] == .array(answer.dropLast().map { .string($0) }))
        #expect(again.json["sequence"] == .integer(Int64(driver.tracker.store.sequence)))
        // The list of keys lies over the screen and goes away again.
        _ = try pipe.answer("escape")
        let plain = try pipe.answer("screen").lines.dropLast()
        _ = try pipe.answer("?")
        let help = try pipe.answer("screen").lines.dropLast()
        _ = try pipe.answer("?")
        let after = try pipe.answer("screen").lines.dropLast()
        #expect(help != plain)
        #expect(after == plain)
      }
    }
  }

  @Test func `a refused command is answered, and asks on the screen`() throws {
    try TrackerFixture.with { fixture in
      try fixture.app { _, pipe in
        for line in ["text:anna", "enter", "text:n", "text:first", "enter"] {
          _ = try pipe.answer(line)
        }
      }
      try fixture.app(hour: 13) { driver, pipe in
        // More than twelve hours.
        let answer = try pipe.answer("text:s").lines
        #expect(answer == ["ok \(driver.tracker.store.sequence)"])
        let screen = try pipe.answer("screen").lines
        #expect(screen.contains { $0.contains("more than 12 hours") })
        #expect(driver.tracker.domain.entries == ["first runs"])
        _ = try pipe.answer("ctrl-o")
        #expect(driver.tracker.domain.entries == ["first 13:00:00"])
      }
    }
  }
}
