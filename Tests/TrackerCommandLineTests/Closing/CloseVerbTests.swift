import Foundation
import RetraceSystem
import Testing
import ToolTestSupport

/// Closed periods on the command line: on 2 March 2026, in Berlin.
@Suite struct CloseVerbTests {
  private let me = ThisProcess.loginName

  /// Calls `body` with an entry in January, one over its end, and one in February.
  private func withEntries(_ body: (Desk) throws -> Void) throws {
    try withDesk { desk in
      try desk.fine("clients create ACME")
      try desk.fine("projects create site --client ACME")
      try desk.fine("add '2026-01-12 9:00 - 11:00' plan @site +deep")
      try desk.fine("add '2026-01-31 23:00 - 2026-02-01 1:00' night")
      try desk.fine("add '2026-02-10 9:00 - 10:00' talk --user ben")
      try body(desk)
    }
  }

  /// Returns what a command prints for programs.
  private func json(_ words: String, _ desk: Desk) throws -> Any {
    try ToolTestSupport.json(desk.fine("\(words) --json").joined())
  }

  @Test func `a closed period refuses every change, and says who closed it, when and why`() throws {
    try withEntries { desk in
      let line = try desk.fine("close 2026-01 --reason 'invoice 17'", "10:00").element(0)
      #expect(line == "closed  2026-01 for all")
      let file = desk.store + ".csv"
      try "a,b\n1/5/2026 9:00,5\n".write(toFile: file, atomically: true, encoding: .utf8)
      let importing =
        "import \(file) --column start=a --column duration=b --date-format 'M/d/yyyy H:mm' "
        + "--duration-unit minutes"
      for words in [
        "edit 0 --description work", "edit 0 --start 8:00", "delete 0", "tag 0 far",
        "untag 0 deep", "annotate 0 remark", "move 0 '2026-01-12 8:00'", "lengthen 0 5m",
        "shorten 0 5m",
        "split 0 '2026-01-12 10:00'", "edit 1 --start 22:30",
        "edit 0 --billable", "add '2026-01-13 9:00 - 10:00' late --user ben", importing,
        "add '2026-01-12 10:30 - 11:30' over --policy adjust",
      ] {
        let failure = try expectFailure(
          desk.command(words), exit: 1,
          mentions: [
            "The period 2026-01 for all is closed by ", "on 2026-03-02 10:00, because: invoice 17",
            "track reopen 0",
          ], environment: desk.environment)
        #expect(!failure.what.isEmpty)
      }
    }
  }

  @Test func `what is outside the period changes, and a reopened one, too`() throws {
    try withEntries { desk in
      try desk.fine("close 2026-01 --reason 'invoice 17'")
      try desk.fine("edit 1 --end 2:00")
      try desk.fine("edit 2 --description speech --user ben")
      try desk.fails("close 2026-01", "is already closed by ")
      try desk.fails("close 2026-03", "is not over", "2026-04-01 00:00")
      try desk.fails("close :all", exit: 64, "no end")
      try desk.fails("close @site", exit: 64, "no filter")
      try desk.fails("close 2026-01 --user ben --client ACME", exit: 64, "one of them")
      try desk.fails("close 2026-01 --client none", "no client none")
      try desk.fails("reopen 2026-02", "Nothing in this period is closed")
      for number in ["7", "99", "12345"] {
        try desk.fails("reopen \(number)", "There is no closed period \(number)", "track close")
      }
      try desk.fails("reopen 2026", "is not closed for all", "0, 2026-01 for all", "reopen 0")
      try desk.fails("reopen 2026-01 --user ben", "for the user ben", "reopen 0")
      #expect(
        try desk.fine("reopen 2026-01 --dry-run").element(0)
          == "would be reopened  2026-01 for all")
      #expect(
        try desk.fine("reopen 2026-01 --reason 'a line is missing'").element(0)
          == "reopened  2026-01 for all")
      try desk.fine("edit 0 --description work")
      let history = try desk.timeless("history").joined(separator: "\n")
      for words in ["closed", "reopened", "2026-01 for all", "invoice 17", "a line is missing"] {
        #expect(history.contains(words), "\(history)")
      }
    }
  }

  @Test func `undo of a closing reopens, and redo closes again`() throws {
    try withEntries { desk in
      try desk.fine("close 2026-01 --user '\(me)'")
      try desk.fails("delete 0", "for the user \(me)")
      for words in ["undo", "undo --json", "undo 2"] {
        try desk.fails(
          words, "would open a closed period again: 2026-01 for the user \(me)", "--yes")
      }
      try desk.fails("delete 0", "for the user \(me)")
      #expect(try desk.fine("undo --dry-run").joined().contains("(reopened)"))
      let undone = try desk.fine("undo --yes").joined(separator: "\n")
      #expect(undone.contains("2026-01 for the user \(me) (reopened)"), "\(undone)")
      #expect(try desk.fine("close") == ["No period is closed."])
      try desk.fine("redo")
      try desk.fails("delete 0", "for the user \(me)")
      // The undo of another change inside is refused, the undo of one outside is not.
      let changes = try #require(
        try ToolTestSupport.json(desk.timeless("history --json").joined()) as? [[String: Any]])
      let names = changes.filter { $0["restores"] is NSNull }
        .compactMap { ($0["change"] as? Int).map { "c\($0)" } }
      try #require(names.count == 6, "\(names)")
      try desk.fails("undo \(names[2])", "for the user \(me)", "track reopen 0")
      try desk.fine("undo \(names[4])")
    }
  }

  @Test func `a change beside a closed period is undone without a question`() throws {
    try withEntries { desk in
      try desk.fine("close 2026-01")
      try desk.fine("add 9:00 - 10:00 late")
      #expect(try desk.fine("undo").joined().contains("late"))
      try desk.fine("redo")
      try desk.fine("reopen 2026-01")
      try desk.fine("undo")
      // The redo of a reopening opens the period again.
      try desk.fails("redo", "would open a closed period again: 2026-01 for all", "--yes")
      try desk.fine("redo --yes")
      #expect(try desk.fine("close") == ["No period is closed."])
    }
  }

  @Test func `a client is closed, and the list says what is`() throws {
    try withEntries { desk in
      #expect(
        try desk.fine("close 2026-01 --client acme --dry-run").element(0)
          == "would be closed  2026-01 for the client ACME")
      try desk.fine("close 2026-01 --client acme --reason billed", "11:00")
      try desk.fine("close 2026-02-10 --user ben")
      try desk.fails("edit 0 --description x", "for the client ACME")
      try desk.fails("projects set site --client ''", "for the client ACME")
      try desk.fine("edit 1 --description late")
      try desk.fails("delete 2 --user ben", "The period 2026-02-10 for the user ben")
      let lines = try desk.fine("close")
      #expect(lines.count == 2 && lines[0].hasPrefix("0  2026-01     for the client ACME  "))
      #expect(lines[0].contains("2026-03-02 11:00") && lines[0].hasSuffix("billed"), "\(lines)")
      #expect(try desk.fine("close --user ben").count == 1)
      let list = try #require(try json("close", desk) as? [[String: Any]])
      #expect(list.map { $0["of"] as? String } == ["client", "user"])
      #expect(list.map { $0["name"] as? String } == ["ACME", "ben"])
      #expect(list.map { $0["start"] as? String }.first == "2025-12-31T23:00:00Z")
      #expect(list.map { $0["end"] as? String }.first == "2026-01-31T23:00:00Z")
      #expect(list.map { $0["closed"] as? String }.first == "2026-03-02T10:00:00.000000Z")
      let made = try #require(try json("reopen 1 --dry-run", desk) as? [String: Any])
      #expect(made["dryRun"] as? Bool == true && made["id"] as? Int == 1)
    }
  }

  @Test func `days begin as the preferences say, and stay so for a closed period`() throws {
    try withEntries { desk in
      try desk.fine("preferences --day-start 4:00 --zone UTC")
      try desk.fine("close 2026-01")
      let list = try #require(try json("close", desk) as? [[String: Any]])
      #expect(list.map { $0["end"] as? String } == ["2026-02-01T04:00:00Z"])
      try desk.fine("preferences --day-start 0:00 --zone Europe/Berlin")
      let kept = try #require(try json("close", desk) as? [[String: Any]])
      #expect(kept.map { $0["end"] as? String } == ["2026-02-01T04:00:00Z"])
      // The night ends at 1:00, so all of it is closed.
      try desk.fails("edit 1 --end 0:30", "2026-01-01 05:00 - 2026-02-01 05:00")
    }
  }

  @Test func `a period in which an entry runs is not closed`() throws {
    try withDesk { desk in
      try desk.fine("start long --at '2026-03-01 23:00'", "9:00")
      try desk.fails("close 2026-03-01", "runs #0", "Stop it first")
      try desk.fails("close 2026-03-01 --dry-run", "runs #0")
      try desk.fine("stop", "9:30")
      try desk.fine("close 2026-03-01")
      try desk.fails("edit 0 --end ''", at: "10:00", "2026-03-01 for all")
      try desk.fine("edit 0 --end 9:20")
    }
  }
}
