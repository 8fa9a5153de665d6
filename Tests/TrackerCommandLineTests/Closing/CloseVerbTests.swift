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
        importing + " --dry-run",
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

  @Test func `an import with a row in a closed period names the row, and what is in the log`()
    throws
  {
    try withEntries { desk in
      try desk.fine("close 2026-01")
      let file = desk.store + ".csv"
      let text = "a,b,c\n2/5/2026 9:00,5,out\n1/5/2026 9:00,5,in it\n"
      try text.write(toFile: file, atomically: true, encoding: .utf8)
      let words =
        "import \(file) --column start=a --column duration=b --column description=c "
        + "--date-format 'M/d/yyyy H:mm' --duration-unit minutes --source old"
      let failure = try expectFailure(
        desk.command(words), exit: 1,
        mentions: ["\"in it\" (2026-01-05 09:00 - 09:05). Nothing was written.", "reopen 0"],
        environment: desk.environment)
      #expect(failure.what.hasSuffix("was not imported."))
      // No part of the import is in the log.
      try desk.fails("import --cancel --source old", "no unfinished import")
      try desk.fine("reopen 2026-01 --reason 'a line is missing'")
      try desk.fine(words)
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
      for words in ["undo", "undo 2"] {
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

  @Test(arguments: ["", "--user '\(ThisProcess.loginName)'"])
  func `closed entries stay with the client to whom they are billed`(scope: String) throws {
    try withEntries { desk in
      try desk.fine("clients create Neu")
      try desk.fine("projects create other --client Neu")
      try desk.fine("close 2026-01 \(scope)")
      for words in [
        "projects set site --client Neu", "projects set site --client ''", "clients merge ACME Neu",
        "projects set site --client Neu --dry-run",
      ] { try desk.fails(words, "The period 2026-01 for ", "a part of #0", "track reopen 0") }
      // Names and rates change, and so does a client without closed entries.
      try desk.fine("projects rename site page")
      try desk.fine("projects set page --rate 90")
      try desk.fine("projects set other --client ''")
      try desk.fine("clients merge Neu ACME")
      #expect(try desk.fine("report 2026-01 --by client").contains { $0.hasPrefix("ACME  ") })
    }
  }

  @Test func `a refusal names the times that an entry would have inside the period`() throws {
    try withDesk { desk in
      try desk.fine("add '2026-02-01 0:00 - 2:00' x")
      try desk.fine("start run --at '2026-03-02 9:00'", "9:30")
      try desk.fine("close 2026-01")
      for (words, times) in [
        ("move 0 1m earlier", "#0 \"x\" (2026-01-31 23:59 - 2026-02-01 01:59)"),
        ("edit 0 --start '2026-01-31 22:00'", "#0 \"x\" (2026-01-31 22:00 - 2026-02-01 02:00)"),
        (
          "edit 1 --start '2026-01-31 22:00' --policy allow",
          "#1 \"run\" (2026-01-31 22:00, which runs)"
        ),
      ] {
        let result = try desk.run(words)
        #expect(result.errors.contains("It would have a part of \(times)."), "\(result.errors)")
      }
      // An entry that is inside is named with the times that it has.
      try desk.fine("reopen 0")
      try desk.fine("edit 0 --start '2026-01-31 22:00'")
      try desk.fine("close 2026-01")
      try desk.fails(
        "move 0 1h later", "It has a part of #0 \"x\" (2026-01-31 22:00 - 2026-02-01 02:00).")
    }
  }

  @Test func `a period is closed by the user of the settings`() throws {
    try withEntries { desk in
      try withTemporaryDirectory { folder in
        let variables = ["XDG_CONFIG_HOME": folder]
        func run(_ words: String) throws -> String {
          let result = try desk.run(words, environment: variables)
          #expect(result.status == 0, "\(result.errors)")
          return result.output
        }
        let set = try ToolRunner.process.run(
          "track", ["config", "set", "user", "Mia Berger"], variables, "")
        #expect(set.status == 0, "\(set.errors)")
        _ = try run("close 2026-01")
        #expect(try run("close").contains("  by Mia Berger"))
        _ = try run("reopen 2026-01")
        #expect(try desk.fine("close 2026-01").count == 1)
        #expect(try desk.fine("close").element(0).contains("  by \(me)"))
      }
    }
  }

  @Test func `a preview of an undo names whose period is closed`() throws {
    try withEntries { desk in
      try desk.fine("edit 0 --description work")
      try desk.fine("close 2026-01 --client ACME")
      let changes = try #require(
        try ToolTestSupport.json(desk.timeless("history --json").joined()) as? [[String: Any]])
      let edit = try #require(changes.dropLast().last?["change"] as? Int)
      for words in ["undo c\(edit)", "undo c\(edit) --dry-run"] {
        try desk.fails(words, "The period 2026-01 for the client ACME is closed")
      }
    }
  }

  @Test func `a preference that moves days says that closed periods stay`() throws {
    try withEntries { desk in
      let note = "closed periods keep theirs"
      #expect(try !desk.run("preferences --zone UTC").errors.contains(note))
      try desk.fine("close 2026-01")
      for (words, isNoted) in [
        ("--zone America/New_York", true), ("--zone America/New_York", false),
        ("--day-start 4:00", true), ("--week-start sunday", false), ("--policy adjust", false),
      ] {
        let result = try desk.run("preferences \(words)")
        #expect(result.errors.contains(note) == isNoted, "\(words): \(result.errors)")
      }
    }
  }

  @Test func `days begin as the preferences say, and stay so for a closed period`() throws {
    try withEntries { desk in
      try desk.fine("preferences --day-start 4:00 --zone UTC")
      try desk.fine("close 2026-01")
      let list = try #require(try json("close", desk) as? [[String: Any]])
      #expect(list.map { $0["end"] as? String } == ["2026-02-01T04:00:00Z"])
      #expect(try desk.run("preferences --day-start 0:00 --zone Europe/Berlin").status == 0)
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
