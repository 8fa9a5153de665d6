import CivilTime
import Foundation
import RetraceState
import RetraceTesting
import Testing
import ToolTestSupport

/// Entries that lie across a change of the clocks, or are moved across one: what is printed, what
/// the app shows, and what it saves.
@Suite struct ClockChangeTests {
  private static let berlin = ["TZ": "Europe/Berlin"]

  /// Runs `track` in the zone of Berlin on a store of its own.
  private struct Desk {
    let store: [String]

    @discardableResult
    func track(_ words: String...) throws -> String {
      let result = try run(
        "track", words + store + ["--user", "anna"], environment: ClockChangeTests.berlin)
      #expect(result.status == 0, "\(words): \(result.errors)")
      return result.output
    }

    /// Presses keys in the app, and returns what it shows.
    func app(_ keys: String..., size: String = "100x40") throws -> [String] {
      let app = try RunningTool(
        "track", ["app", "--size", size] + store, environment: ClockChangeTests.berlin)
      for key in keys + ["screen"] { app.send(key) }
      return app.finish().output.lines.filter { !$0.hasPrefix("ok ") }
    }

    /// What a field of the form shows.
    func field(_ name: String, in screen: [String]) -> String? {
      screen.first { $0.dropFirst(2).hasPrefix(name + " ") }
        .map { $0.dropFirst(14).trimmingCharacters(in: .whitespaces) }
    }

    /// All changes for programs, or as text.
    func history(_ options: String...) throws -> String {
      try expectFine(
        ["track", "history"] + options + store.prefix(2), environment: ClockChangeTests.berlin)
    }

    func entries() throws -> [[String: Any]] {
      try #require(
        JSONSerialization.jsonObject(with: Data(track("log", ":all", "--json").utf8))
          as? [[String: Any]])
    }
  }

  private func withDesk(_ body: (Desk) throws -> Void) throws {
    try withTemporaryDirectory { folder in
      let now = ["--now", "2026-11-26T12:00:00Z"]
      try body(Desk(store: ["--store", "\(folder)/s"] + now))
    }
  }

  @Test func `a local time that clocks show twice has its offset`() throws {
    try withDesk { desk in
      let added = try desk.track("add", "2026-10-25T00:30:00Z", "-", "2026-10-25T00:45:00Z", "a")
      #expect(added.contains("02:30:00 +02:00 - 02:45:00 +02:00"))
      try desk.track("add", "2026-10-25T01:30:00Z", "-", "2026-10-25T01:45:00Z", "b")
      try desk.track("add", "2026-10-25T01:50:00Z", "-", "2026-10-25T02:30:00Z", "c")
      let log = try desk.track("log", ":all")
      for offset in ["+02:00", "+01:00"] {
        #expect(log.contains("02:30 \(offset) - 02:45 \(offset)"))
      }
      #expect(log.contains("02:50 +01:00 - 03:30  "))
      try desk.track("edit", "1", "--start", "2026-10-25T01:31:00Z")
      let history = try desk.history()
      #expect(history.contains("start 2026-10-25 02:30 +01:00 -> 2026-10-25 02:31 +01:00"))
      let screen = try desk.app("text:anna", "enter")
      #expect(screen.contains { $0.contains("02:30 +02:00-02:45 +02:00") })
      try desk.track("start", "2026-10-25T00:30:00Z", "d", "--policy", "allow")
      #expect(try desk.track("status", "--format", "{start}") == "02:30 +02:00\n")
    }
  }

  @Test func `the ends of a range have their offsets where clocks change`() throws {
    try withDesk { desk in
      try desk.track("add", "2026-10-25 2:10+02:00 - 2:20+02:00", "a")
      let report = try desk.track("report", "2026-10-25 2:00+02:00 - 2:00+01:00")
      #expect(report.contains("02:00 +02:00 - Sun 2026-10-25 02:00 +01:00"), "\(report)")
      #expect(try !desk.track("report", "2026-10-24 2:00 - 3:00").contains("+02:00"))
    }
  }

  @Test func `the app shows each end of an entry by the clocks at that end`() throws {
    try withDesk { desk in
      try desk.track("add", "2026-10-24 22:00", "-", "2026-10-25 06:00", "night")
      let screen = try desk.app("text:anna", "enter", "down", "text:e")
      #expect(desk.field("Start", in: screen) == "2026-10-24 22:00:00")
      #expect(desk.field("End", in: screen) == "2026-10-25 06:00:00")
    }
  }

  @Test func `an entry that was moved across a change is edited by the clocks of its new day`()
    throws
  {
    try withDesk { desk in
      try desk.track("add", "2026-10-20 9:00", "-", "10:00", "s")
      #expect(
        try desk.track("move", "0", "2026-11-20 9:00")
          .hasPrefix("changed  #0  2026-11-20 09:00:00 - 10:00:00 +01:00  1:00:00  s"))
      #expect(try desk.entries().element(0)["utcOffset"] as? Int == 3_600)
      _ = try desk.app(
        "text:anna", "enter", "down", "text:e", "tab", "tab", "tab", "tab", "ctrl-u", "text:10:30",
        "enter")
      #expect(try desk.entries().element(0)["end"] as? String == "2026-11-20T09:30:00Z")
      // A start beyond the change, by the form.
      _ = try desk.app(
        "down", "text:e", "tab", "tab", "tab", "ctrl-u", "text:2026-10-20 9:00", "tab", "ctrl-u",
        "text:2026-10-20 10:00", "enter")
      #expect(try desk.entries().element(0)["start"] as? String == "2026-10-20T07:00:00Z")
      #expect(
        try desk.track("edit", "0", "--description", "t")
          .hasPrefix("changed  #0  2026-10-20 09:00:00 - 10:00:00 +02:00"))
      #expect(
        try desk.track("edit", "0", "2026-11-20 8:00", "-", "9:00")
          .contains("08:00:00 - 09:00:00 +01:00"))
    }
  }

  @Test func `the second part of a split begins with the offset of its start`() throws {
    try withDesk { desk in
      try desk.track("add", "2026-10-24 22:00", "-", "2026-10-25 06:00", "night")
      let lines = try desk.track("split", "0", "2026-10-25 04:00").lines
      #expect(lines.last == "added    #1  2026-10-25 04:00:00 - 06:00:00 +01:00  2:00:00  night")
      #expect(try desk.entries().map { $0["utcOffset"] as? Int } == [7_200, 3_600])
    }
  }

  @Test func `ends with different offsets are listed with them`() throws {
    try withDesk { desk in
      try desk.track("add", "2026-10-25T00:00:00Z", "-", "2026-10-25T00:40:00Z", "a")
      try desk.track("add", "2026-10-25T01:10:00Z", "-", "2026-10-25T01:20:00Z", "b")
      try desk.track("add", "2026-10-25T01:30:00Z", "-", "2026-10-25T01:40:00Z", "d")
      #expect(try desk.track("gaps", "2026-10-25").contains("02:40 +02:00 - 02:10 +01:00  0:30"))
      try desk.track("add", "2026-10-25T00:40:00Z", "-", "2026-10-25T01:10:00Z", "c")
      #expect(
        try desk.track("log", "2026-10-25").contains("#3  02:40 +02:00 - 02:10 +01:00  0:30"))
      #expect(try desk.history().contains("02:40 +02:00 - 02:10 +01:00  c"))
      #expect(
        try desk.app("text:anna", "enter")
          .contains { $0.hasPrefix("  c ") && $0.contains("  02:40 +02:00-02:10 +01:00  ") })
    }
  }

  @Test(arguments: ["", "America/New_York", "Australia/Lord_Howe"])
  func `the app and the log show the same times, and the form changes none`(zone: String) throws {
    try withDesk { desk in
      try withSeed { random in
        let first = try ZoneFiles.moment("2026-09-28 00:00:00").microseconds / 1_000_000
        func text(_ second: Int64) -> String { Moment(microseconds: second * 1_000_000).timestamp }
        for number in 0..<6 {
          let (start, moved) = (
            first + Int64.random(in: 0..<4_800_000, using: &random),
            first + Int64.random(in: 0..<4_800_000, using: &random)
          )
          let end = start + Int64.random(in: 60..<40_000, using: &random)
          try desk.track("add", text(start), "-", text(end), "e\(number)", "--policy", "allow")
          if number > 1 { try desk.track("move", "\(number)", text(moved), "--policy", "allow") }
        }
        try desk.track("preferences", "--zone", zone)
        var shown: [String: String] = [:]
        let app = try desk.app("text:anna", "enter", "home")
        for line in app where line.hasPrefix("  e") {
          let parts = line.split(separator: "  ").map { $0.trimmingCharacters(in: .whitespaces) }
          shown[parts[0]] = parts[1]
        }
        var listed: [String: String] = [:]
        for line in try desk.track("log", ":all").lines where line.hasPrefix("  #") {
          let parts = line.split(separator: "  ").map { $0.trimmingCharacters(in: .whitespaces) }
          listed[parts[3]] = parts[1].replacing(/\ - (\d{4}-\d\d-\d\d )?/, with: "-")
        }
        #expect(listed.count == 6 && shown == listed)
        let before = try desk.history("--json")
        for _ in 0..<6 { _ = try desk.app("down", "text:e", "enter") }
        #expect(try desk.history("--json") == before)
      }
    }
  }

  @Test func `a reading in the future is not offered at the change of the clocks`() throws {
    try withDesk { desk in
      func track(_ words: String, at now: String) throws -> ToolResult {
        try run(
          "track",
          words.split(separator: " ").map(String.init) + desk.store.prefix(2)
            + ["--user", "anna", "--now", now],
          environment: Self.berlin)
      }
      // Clocks show 02:50 for the first time.
      let night = "2026-10-25T00:50:00Z"
      #expect(try track("start --at 1:00 a", at: night).status == 0)
      let switched = try track("switch 2:10 b", at: night)
      #expect(switched.status == 0, "\(switched.errors)")
      #expect(try track("stop 2:20", at: night).status == 0)
      let entries = try desk.track("log", ":all")
      #expect(entries.contains("01:00 - 02:10 +02:00"), "\(entries)")
      #expect(entries.contains("02:10 +02:00 - 02:20 +02:00"), "\(entries)")
      let later = try track("start 2:30 c", at: "2026-10-25T01:50:00Z")
      #expect(later.status == 64 && later.errors.contains("twice"), "\(later.errors)")
    }
  }
}
