import Testing
import ToolTestSupport

/// A deletion that is undone, and one whose undo expires after the program has ended.
@Suite struct UndoTests {
  private func inFlight(_ store: String) throws -> [[String: Any]] {
    let state = try object(expectFine(["replay", "state", "--store", store, "--json"]))
    return try #require(state["effectsInFlight"] as? [[String: Any]])
  }

  private func deleted(_ store: String) throws -> PipedApp {
    let app = try PipedApp(store)
    for key in ["text:anna", "enter", "text:n", "text:work", "enter", "text:s", "down", "text:d"] {
      try app.press(key)
    }
    #expect(try app.screen().contains { $0.hasPrefix("Deleted; z takes it back: work") })
    return app
  }

  @Test func `a deletion is taken back by a key, and nothing is left in flight`() throws {
    try withTemporaryDirectory { folder in
      let app = try deleted("\(folder)/s")
      try app.press("text:z")
      #expect(try app.screen().contains { $0.contains("work") && !$0.contains("Deleted") })
      app.end()
      #expect(try inFlight("\(folder)/s").isEmpty)
    }
  }

  @Test func `the next program that writes ends an undo that has expired`() throws {
    try withTemporaryDirectory { folder in
      let store = "\(folder)/s"
      try deleted(store).end()
      let left = try inFlight(store)
      #expect(left.map { $0["due"] as? String } == ["2026-03-02T09:00:10Z"])
      #expect(left.first?["cancellations"] as? [String] == ["undo-deletion-0"])
      _ = try expectFine([
        "track", "start", "next", "--store", store, "--now", "2026-03-02T09:01:00Z",
      ])
      #expect(try inFlight(store).isEmpty)
      let ends = try objects(
        expectFine(["audit", "list", "--store", store, "--json", "--kind", "effectFinished"]))
      #expect(ends.map { ($0["payload"] as? [String: Any])?["outcome"] as? String } == ["replaced"])
      _ = try expectFine(["replay", "verify", "--store", store])
    }
  }
}
