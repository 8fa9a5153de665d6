import Foundation
import Testing
import ToolTestSupport

/// What `track` takes from its process: the login name, the bytes of arguments and `TZDIR`.
@Suite struct TrackerProcessTests {
  private static let morning = ["--now", "2026-03-02T09:00:00Z"]
  private static let later = ["--now", "2026-03-02T10:30:00Z"]

  private func log(_ store: String) throws -> [[String: Any]] {
    let output = try expectFine(["track", "log", "--json", "--store", store] + Self.later)
    return try #require(try json(output) as? [[String: Any]])
  }

  @Test func `the user is the login name unless another is named`() throws {
    try withTemporaryDirectory { folder in
      let store = ["--store", "\(folder)/s"]
      let login = try shell("id -un").output.trimmingCharacters(in: .whitespacesAndNewlines)
      try expectFine(["track", "start", "mine"] + store)
      try expectFine(["track", "start", "hers", "--user", "anna"] + store)
      let mine = try object(expectFine(["track", "status", "--json"] + store))
      #expect(mine["user"] as? String == login)
      #expect((mine["running"] as? [String: Any])?["description"] as? String == "mine")
      let hers = try object(expectFine(["track", "status", "--json", "--user", "anna"] + store))
      #expect((hers["running"] as? [String: Any])?["description"] as? String == "hers")
      try expectFine(["track", "stop", "--user", "anna"] + store)
      #expect(try expectFine(["track", "status", "--user", "anna"] + store).contains("anna"))
      // The other's entry still runs.
      let after = try object(expectFine(["track", "status", "--json"] + store))
      #expect(after["running"] is [String: Any])
      let listed = try expectFine(["track", "log", "--user", "anna"] + store)
      #expect(listed.contains("hers") && !listed.contains("mine"))
      try expectFailure(["track", "log", "--user", "nobody"] + store, exit: 1)
      #expect(try expectFine(["track", "log", "--limit", "0"] + store) == "")
      let app = try PipedApp("\(folder)/s")
      try app.press("text:zoe")
      // A new name beside other users is confirmed.
      try app.press("enter")
      try app.press("enter")
      app.end()
      #expect(
        try expectFine(["track", "log", "--user", "zoe"] + store) == "zoe has no entries yet.\n")
      try expectFailure(["track", "start", "x", "--user", ""] + store, exit: 64)
    }
  }

  @Test func `an argument that is not UTF-8 is refused, not replaced`() throws {
    try withTemporaryDirectory { folder in
      let result = try shell(#"track start $'caf\xe9' --store "$1""#, ["\(folder)/s"])
      #expect(result.status == 64)
      #expect(result.errors.contains("An argument is not UTF-8."))
      // The replacement character itself can be given.
      try expectFine(["track", "start", "caf\u{FFFD}", "--store", "\(folder)/s"])
      #expect(try log("\(folder)/s").map { $0["description"] as? String } == ["caf\u{FFFD}"])
    }
  }

  @Test func `zones are looked up in TZDIR if it is set`() throws {
    try withTemporaryDirectory { folder in
      let store = "\(folder)/s"
      let start = ["track", "start", "a", "--store", store] + Self.morning
      let zone = ["TZ": "Own/Zone", "TZDIR": folder]
      try expectFailure(start, exit: 64, mentions: ["Own/Zone", folder], environment: zone)
      try FileManager.default.createDirectory(
        atPath: "\(folder)/Own", withIntermediateDirectories: true)
      let kolkata = try Data(contentsOf: URL(fileURLWithPath: "/usr/share/zoneinfo/Asia/Kolkata"))
      try kolkata.write(to: URL(fileURLWithPath: "\(folder)/Own/Zone"))
      try expectFine(start, environment: zone)
      let entry = try #require(try log(store).first)
      #expect(entry["zone"] as? String == "Own/Zone")
      #expect(entry["utcOffset"] as? Int == 19_800)
    }
  }
}
