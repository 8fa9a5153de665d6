import Foundation
import Testing
import ToolTestSupport

/// The filters of records in `replay` and `audit`.
@Suite struct RecordFilterTests {
  /// Returns the sequences of the records that a filter selects, in both tools.
  private func found(_ filter: String, in desk: Desk) throws -> [Int] {
    let options = ["--store", desk.store, "--filter", filter, "--json"]
    let lines = try expectFine(["replay", "show"] + options).lines
    #expect(try expectFine(["audit", "list"] + options).lines == lines)
    return try lines.map { try #require((json($0) as? [String: Any])?["sequence"] as? Int) }
  }

  @Test func `a filter selects records with and, or, not, ranges and texts`() throws {
    try withDesk { desk in
      // 1 opened, 2 command, 3 user, 4 project, 5 entry, 6 closed.
      try desk.fine("add 8:00 - 9:00 'Review of A' @web", "10:00")
      // 7 opened, 8 command, 9 entry, 10 closed.
      try desk.fine("start write", "11:00")
      for (filter, sequences) in [
        ("kind:command", [2, 8]), ("kind:command or kind:sessionClosed", [2, 6, 8, 10]),
        ("mentions:TimeEntry=1", [9]), ("mentions:Project=0 kind:action", [4, 5]),
        ("not kind:action sequence<=4", [1, 2]), ("sequence:2..4", [2, 3, 4]),
        ("sequence:9..", [9, 10]), ("session>1 !(kind:action || kind:command)", [7, 10]),
        ("review", [2, 5]), ("\"of a\" kind:action", [5]), ("SESSIONOPENED", [1, 7]),
        ("action:fact.edited.entry", [5, 9]), ("action:fact", [3, 4, 5, 9]),
        ("time:2026-03-02 kind:command", [2, 8]), ("time<2026-03-02", []),
        ("time:2026-03-02T09:30:00Z.. kind:command", [8]),
        ("2026-03-01..2026-03-02 write kind:command", [8]),
        ("time<=2026-03-02T09:00:00Z kind:command", [2]), ("time>2026-03-02", []),
        ("key:none-such", []),
        // A time of the zone, which is UTC here.
        ("time:\"2026-03-02 9:30\".. kind:command", [8]),
        ("time:2026-03-02..\"2026-03-02 9:30\" kind:command", [2]),
        ("time>=2026-03 kind:command", [2, 8]), ("time<2001-01-01", []),
      ] {
        #expect(try found(filter, in: desk) == sequences, "\(filter)")
      }
      let last = try expectFine(
        ["replay", "show", "--store", desk.store, "--filter", "kind:command", "--last", "1"])
      #expect(last.lines.count == 1 && last.hasPrefix("8 "))
    }
  }

  @Test func `days of a filter are those of the reader's zone`() throws {
    try withDesk { desk in
      // It is 1:00 on the next day in Auckland.
      try desk.fine("start write", "13:00")
      func count(_ filter: String, zone: String) throws -> Int {
        let words = ["replay", "show", "--store", desk.store, "--filter", filter, "--each"]
        return try expectFine(words, environment: ["TZ": zone]).lines.count
      }
      for (day, zone) in [("2026-03-02", "UTC"), ("2026-03-03", "Pacific/Auckland")] {
        #expect(try count("time:\(day) kind:command", zone: zone) == 1)
        #expect(try count("time<\(day)", zone: zone) == 0)
      }
    }
  }

  @Test func `a wrong filter says what is wrong and which keys there are`() throws {
    try withDesk { desk in
      try desk.fine("start write", "11:00")
      for (filter, mention) in [
        ("", "empty"), ("(write", "parenthesis"), ("@web", "no projects"), ("foo:1", "foo"),
        ("kind:x", "sessionOpened"), ("kind>command", "kind"), ("session:one", "number"),
        ("sequence:5..2", "ends before"), ("time:soon", "`soon` is not a time"),
        ("mentions:Nothing=1", "Nothing"),
        ("action:nothing", "nothing"), ("key:none", "one value"),
      ] {
        try expectFailure(
          ["audit", "list", "--store", desk.store, "--filter", filter], exit: 64,
          mentions: [mention])
      }
    }
  }
}
