import Foundation
import Testing
import ToolTestSupport

/// The option `--tz`: the zone in which times are read and reports are cut.
@Suite struct ZoneOptionTests {
  private static let tokyo = ["--tz", "Asia/Tokyo"]

  private func withStore(_ body: ([String]) throws -> Void) throws {
    try withTemporaryDirectory { folder in
      try body(["--store", "\(folder)/s", "--user", "anna", "--now", "2026-03-02T20:00:00Z"])
    }
  }

  private func range(_ output: String) throws -> [String?] {
    let range = try #require(try object(output)["range"] as? [String: Any])
    return ["start", "end", "zone"].map { range[$0] as? String }
  }

  @Test func `times are read in the zone, and the entry records it`() throws {
    try withStore { (store) throws in
      let added = try object(
        expectFine(
          ["track", "add", "2026-03-02", "9:00", "-", "10:30", "a", "--json"] + Self.tokyo + store))
      let entry = try #require(added["entry"] as? [String: Any])
      #expect(entry["start"] as? String == "2026-03-02T00:00:00Z")
      #expect(entry["end"] as? String == "2026-03-02T01:30:00Z")
      #expect(entry["zone"] as? String == "Asia/Tokyo")
      #expect(entry["utcOffset"] as? Int == 9 * 3_600)
      let edited = try object(
        expectFine(["track", "edit", "--end", "11:00", "--json"] + Self.tokyo + store))
      let after = try #require(edited["entry"] as? [String: Any])
      #expect(after["end"] as? String == "2026-03-02T02:00:00Z")
      // A dry run reads the same times, also before there is a store.
      #expect(
        try expectFine(["track", "start", "4:30", "b", "--dry-run"] + Self.tokyo + store)
          .contains("2026-03-03 04:30:00 - running  +09:00"))
    }
  }

  @Test func `each end is echoed with its offset if clocks changed in between`() throws {
    try withStore { (store) throws in
      let berlin = ["--tz", "Europe/Berlin"]
      let words = ["track", "add", "2025-10-26 1:30", "-", "2025-10-26 4:00", "night"]
      #expect(
        try expectFine(words + berlin + store)
          .contains("2025-10-26 01:30:00 +02:00 - 04:00:00 +01:00  3:30:00  night"))
      let end = ["track", "edit", "--end", "2025-10-26 5:00"]
      #expect(
        try expectFine(end + berlin + store).contains("01:30:00 +02:00 - 05:00:00 +01:00  4:30:00"))
    }
  }

  @Test func `reports are cut and shown in the zone`() throws {
    try withStore { (store) throws in
      try expectFine(["track", "add", "10:00", "-", "16:00", "a"] + store)
      // In Tokyo it is the morning of the next day.
      let today = ["track", "day", "--json"]
      #expect(
        try range(expectFine(today + store))
          == ["2026-03-02T00:00:00Z", "2026-03-03T00:00:00Z", "UTC"])
      let tokyo = try expectFine(today + Self.tokyo + store)
      #expect(try range(tokyo) == ["2026-03-02T15:00:00Z", "2026-03-03T15:00:00Z", "Asia/Tokyo"])
      let total = try #require(try object(tokyo)["total"] as? [String: Any])
      #expect(total["seconds"] as? Int == 3_600)
      #expect(
        try expectFine(["track", "log", "yesterday"] + Self.tokyo + store)
          .contains("19:00 - 2026-03-03 01:00"))
      #expect(
        try expectFine(["track", "report", "2026-03-03"] + Self.tokyo + store)
          .contains("Asia/Tokyo"))
      try expectFine(["track", "add", "18:00", "-", "19:00", "b"] + store)
      #expect(
        try expectFine(["track", "gaps"] + Self.tokyo + store).contains("01:00 - 03:00"))
    }
  }

  @Test func `--tz has precedence over TZ, and an unknown zone is an error with a suggestion`()
    throws
  {
    try withTemporaryDirectory { (folder) throws in
      let store = ["RETRACE_STORE": "\(folder)/s"]
      let day = ["track", "day"]
      let lima = store.merging(["TZ": "America/Lima"]) { $1 }
      #expect(
        try range(expectFine(day + ["--json"] + Self.tokyo, environment: lima)).last
          == "Asia/Tokyo")
      for words in [["day"], ["log", ":week"], ["start", "9:00", "x"], ["gaps"], ["report"]] {
        try expectFailure(
          ["track"] + words + ["--tz", "Asia/Tokio", "--now", "2026-03-02T20:00:00Z"], exit: 64,
          mentions: ["--tz Asia/Tokio", "Did you mean Asia/Tokyo?"], environment: store)
      }
      try expectFailure(
        day + ["--tz", "berlin"], exit: 64, mentions: ["Did you mean Europe/Berlin?"],
        environment: store)
      try expectFailure(
        day + ["--tz", "/etc/passwd"], exit: 64, mentions: ["Europe/Berlin"],
        environment: store)
      try expectFailure(day + ["--tz", ""], exit: 64, mentions: ["--tz"], environment: store)
      #expect(!FileManager.default.fileExists(atPath: "\(folder)/s"))
    }
  }
}
