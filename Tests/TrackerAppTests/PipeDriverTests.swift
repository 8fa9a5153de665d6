import RetraceArchitecture
import RetraceRecording
import Testing
import TimeTracking

@testable import TrackerApp

@Suite struct PipeDriverTests {
  @Test func `each line is one batch, answered with the sequence of its last action`() throws {
    try TrackerFixture.with { fixture in
      try fixture.app { _, pipe in
        // Record 1 opens the session, record 2 the scene.
        let answers = try pipe.replies("text:änna", "backspace", "enter", "text:n")
        #expect(answers == [["ok 6"], ["ok 7"], ["ok 8"], ["ok 9"]])
      }
      // Session and scene, four graphemes, three keys, and the end of the session.
      #expect(try fixture.batches() == [1, 1, 4, 1, 1, 1, 1])
    }
  }

  @Test func `one grapheme is one action however many scalars it has`() throws {
    try TrackerFixture.with { fixture in
      try fixture.app { driver, pipe in
        let before = driver.tracker.store.sequence
        // A combining mark right behind the colon is text, not a part of the colon.
        let answers = try pipe.replies("text:👩🏽‍🚀e\u{301}", "text:x", "text:\u{301}")
        #expect(answers == [["ok \(before + 2)"], ["ok \(before + 3)"], ["ok \(before + 4)"]])
      }
    }
  }

  @Test func `a line that makes no action is answered with the sequence as it is`() throws {
    try TrackerFixture.with { fixture in
      try fixture.app { _, pipe in
        let answers = try pipe.replies("up", "text:", "escape")
        #expect(answers == [["ok 2"], ["ok 2"], ["ok 2"]])
      }
      #expect(try fixture.batches() == [1, 1, 1])
    }
  }

  @Test(arguments: ["", "Enter", "enter ", "ctrl-", "ctrl-1", "f1", "txt:a", "TEXT:a", "\u{1b}[A"])
  func `an unknown key is an error and writes nothing`(line: String) throws {
    try TrackerFixture.with { fixture in
      try fixture.app { driver, pipe in
        let before = driver.tracker.store.sequence
        let answer = try pipe.answer(line).lines
        #expect(answer.count == 1)
        #expect(answer.first?.hasPrefix("error ") == true)
        // What was sent comes back harmless for a terminal.
        #expect(answer.first?.contains("\u{1b}") == false)
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
        let again = try pipe.answer("screen").lines
        #expect(again == answer)
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
}
