import Testing
import ToolTestSupport

/// What was done on a screen is undone and redone, by this program and by the next one.
@Suite struct ScreenUndoTests {
  private func deleted(_ store: String) throws -> PipedApp {
    let app = try PipedApp(store)
    for key in ["text:anna", "enter", "text:n", "text:work", "enter", "text:s", "down", "text:d"] {
      try app.press(key)
    }
    #expect(try app.screen().contains("Deleted. z takes it back (5 s)."))
    #expect(try !app.screen().contains { $0.contains("work") })
    return app
  }

  @Test func `a deletion is taken back by a key, and made again by another`() throws {
    try withTemporaryDirectory { folder in
      let app = try deleted("\(folder)/s")
      try app.press("text:z")
      #expect(try app.screen().contains { $0.contains("work") })
      let entry = "#0 2026-03-02 09:00 - 09:00 work"
      #expect(try app.screen().contains("Undone. Z redoes it. Now: \(entry)."))
      try app.press("text:Z")
      #expect(try !app.screen().contains { $0.hasPrefix("  work ") })
      #expect(try app.screen().contains("Redone. z undoes it. Now deleted: \(entry)."))
      app.end()
    }
  }

  @Test func `what was undone before another change is brought back`() throws {
    try withTemporaryDirectory { folder in
      let app = try deleted("\(folder)/s")
      try app.press("text:z")
      try app.press("text:z")
      try app.press("text:z")
      for key in ["text:n", "text:other", "enter", "text:s"] { try app.press(key) }
      #expect(try !app.screen().contains { $0.contains("work") })
      let entry = "#0 2026-03-02 09:00"
      for shown in [
        "Redone. z undoes it. Now: \(entry) - running work.",
        "Redone. z undoes it. Now: \(entry) - 09:00 work.",
        "Redone. z undoes it. Now deleted: \(entry) - 09:00 work.",
        "! There is nothing to redo.",
      ] {
        try app.press("text:Z")
        #expect(try app.screen().contains(shown), "\(shown)")
      }
      app.end()
    }
  }

  @Test func `the next program takes a deletion back, not what was done after it [M6]`() throws {
    try withTemporaryDirectory { folder in
      let store = "\(folder)/s"
      try deleted(store).end()
      try expectFine([
        "track", "start", "next", "--user", "anna", "--store", store, "--now",
        "2026-03-02T09:00:01Z",
      ])
      let app = try PipedApp(store, clock: "09:00:02.5")
      #expect(try app.screen().contains("Deleted. z takes it back (3 s)."))
      try app.press("text:z")
      // What is back is selected again.
      #expect(try app.screen().contains { $0.hasPrefix("› work ") })
      #expect(try app.screen().contains { $0.hasPrefix("Running 0:00:01  next") })
      app.end()
      try expectFine(["replay", "verify", "--decide", "--store", store])
    }
  }

  @Test func `the next program undoes what was done, the newest change first`() throws {
    try withTemporaryDirectory { folder in
      let store = "\(folder)/s"
      try deleted(store).end()
      try expectFine(["track", "start", "next", "--user", "bo", "--store", store])
      // The offer to take the deletion back, which z prefers, has ended.
      let app = try PipedApp(store, clock: "09:00:05")
      func log() throws -> String { try expectFine(["track", "log", "--store", store]) }
      #expect(try log().contains("  next\n"))
      for (key, shown) in [("z", "no entries yet"), ("z", "  work\n"), ("Z", "no entries yet")] {
        try app.press("text:\(key)")
        let entries = shown == "no entries yet" ? 0 : 1
        #expect(try log().entryLines.count == entries && log().contains(shown))
      }
      app.end()
      try expectFine(["replay", "verify", "--decide", "--store", store])
    }
  }
}
