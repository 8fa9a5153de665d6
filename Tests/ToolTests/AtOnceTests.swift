import Foundation
import Testing
import ToolTestSupport

/// Commands and apps that are started at the same moment.
@Suite struct AtOnceTests {
  /// Starts tools at once and returns their results.
  private func atOnce(_ commands: [[String]]) throws -> [ToolResult] {
    try commands.map { try RunningTool($0[0], Array($0.dropFirst())) }.map { $0.finish() }
  }

  private func entries(_ store: String) throws -> [[String: Any]] {
    let output = try expectFine(["track", "log", "--limit", "100000", "--json", "--store", store])
    let value = try JSONSerialization.jsonObject(with: Data(output.utf8))
    return try #require(value as? [[String: Any]])
  }

  @Test func `starts at once leave one running entry, and every entry once`() throws {
    try withTemporaryDirectory { folder in
      for round in 0..<cycles(20) {
        // Half of the rounds make the store, too.
        let store = "\(folder)/store-\(round / 2)"
        let before = round % 2 == 0 ? 0 : try entries(store).count
        let results = try atOnce(
          (0..<8).map {
            ["track", "start", "task \(round).\($0)", "--user", "anna", "--store", store]
          })
        for result in results { #expect(result.status == 0, "\(result.errors)") }
        let entries = try entries(store)
        #expect(entries.count == before + 8)
        #expect(entries.filter { $0["running"] as? Bool == true }.count == 1)
        #expect(Set(entries.compactMap { $0["description"] as? String }).count == entries.count)
        #expect(Set(entries.compactMap { $0["user"] as? String }) == ["anna"])
        try expectFine(["replay", "verify", "--store", store])
      }
    }
  }

  @Test func `of concurrent stops one succeeds, and the others report that nothing is running`()
    throws
  {
    try withTemporaryDirectory { folder in
      let store = "\(folder)/store"
      for round in 1...cycles(30) {
        try expectFine(["track", "start", "a", "--user", "anna", "--store", store])
        let results = try atOnce(
          (0..<6).map { _ in ["track", "stop", "--user", "anna", "--store", store] })
        #expect(results.map(\.status).sorted() == [0, 1, 1, 1, 1, 1])
        let entries = try entries(store)
        #expect(entries.count == round)
        #expect(!entries.contains { $0["running"] as? Bool == true })
      }
    }
  }

  @Test func `imports of one file at once leave every row once`() throws {
    try withTemporaryDirectory { folder in
      let store = "\(folder)/store"
      let rows = 4_000
      let text = (0..<rows).map { "r\($0),p\($0 % 3),1/\($0 % 28 + 1)/2025,\($0 % 50)\n" }.joined()
      try Data(("id,person,day,minutes\n" + text).utf8)
        .write(to: URL(fileURLWithPath: "\(folder)/rows.csv"))
      let words = [
        "track", "import", "\(folder)/rows.csv", "--column", "id=id", "--column", "user=person",
        "--column", "start=day", "--column", "duration=minutes", "--date-format", "M/d/yyyy",
        "--duration-unit", "minutes", "--source", "s", "--store", store,
      ]
      // A second import of a file is refused during the first, or finds nothing new after it.
      let results = try atOnce([words, words, words])
      #expect(results.contains { $0.status == 0 })
      for result in results { #expect([0, 1].contains(result.status), "\(result.errors)") }
      let entries = try entries(store)
      #expect(entries.count == rows)
      let ids = Set(
        entries.compactMap { ($0["externalIDs"] as? [[String: String]])?.first?["id"] })
      #expect(ids == Set((0..<rows).map { "r\($0)" }))
      #expect(Set(entries.compactMap { $0["user"] as? String }) == ["p0", "p1", "p2"])
      try expectFine(["replay", "verify", "--store", store])
    }
  }

  @Test func `apps at once show a scene each, and a scene is free when its app has gone`() throws {
    try withTemporaryDirectory { folder in
      let store = "\(folder)/store"
      let apps = try (0..<4).map { _ in try PipedApp(store) }
      for (index, app) in apps.enumerated() { try app.press("text:name \(index)") }
      let screens = try apps.map { try $0.screen() }
      for (index, screen) in screens.enumerated() {
        #expect(screen.filter { $0.hasPrefix("Name:") } == ["Name: name \(index)"], "\(screen)")
      }
      // Two end, one of them killed. The next apps show what they showed, the lowest scene first.
      #expect(apps[1].process.kill())
      apps[2].end()
      let next = try (0..<3).map { _ in
        let app = try PipedApp(store)
        return (app, try app.screen())
      }
      #expect(Set(next.prefix(2).map(\.1)) == [screens[1], screens[2]])
      // Every scene is taken, so the third has one of its own.
      #expect(!screens.contains(next[2].1))
      for app in [apps[0], apps[3]] + next.map(\.0) { app.end() }
      try expectFine(["replay", "verify", "--store", store])
    }
  }
}
