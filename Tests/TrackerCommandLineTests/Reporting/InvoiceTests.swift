import Foundation
import Testing
import ToolTestSupport

/// What an invoice needs of reports, rates and imports.
@Suite struct InvoiceTests {
  @Test func `a project that gets a rate says which earlier entries are not billable`() throws {
    try withDesk { desk in
      try desk.fine("add 8:00 - 9:00 a @thesis")
      try desk.fine("add 9:00 - 10:00 b @thesis")
      let told = try desk.fine("projects set thesis --client uni --rate 90")
      let words = "edit --filter @thesis --billable"
      #expect(
        told.last == "note      2 earlier entries are not billable; `track \(words)` bills them")
      try desk.fine("\(words) --yes")
      #expect(try desk.fine("projects set thesis --rate 95").count == 1)
      #expect(try desk.fine("report --by project").contains { $0.contains("180.00") })
      try desk.fine("add 10:00 - 10:30 c @q")
      let notes = try desk.fine("projects set q --billable --json")
      #expect(try notes.element(0).contains("1 earlier entry is not billable"), "\(notes)")
      try desk.fine("add 10:30 - 11:00 d @r")
      #expect(try desk.fine("projects set r --rate 9 --not-billable").count == 1)
    }
  }

  @Test func `a project that gets a rate says which billable entries have none`() throws {
    try withDesk { desk in
      try desk.fine("add 8:00 - 9:00 a @web --billable")
      try desk.fine("add 9:00 - 10:00 b @web --billable --user 'Mia B'")
      try desk.fine("add 10:00 - 11:00 c @web --billable --user 'Mia B'")
      let told = try desk.fine("projects set web --rate 50")
      let words = "--filter '@web billable:yes rate:none' --rate project"
      #expect(
        told.dropFirst() == [
          "note      1 earlier billable entry has no rate; `track edit \(words)` gives it this one",
          "note      2 earlier billable entries of Mia B have no rate; "
            + "`track edit --user 'Mia B' \(words)` gives them this one",
        ])
      try desk.fine("edit --user 'Mia B' \(words) --yes")
      // The entries of the other user keep the rate that they have.
      let note = try desk.fine("projects set web --rate 60").dropFirst()
      #expect(note == [told[1]], "\(note)")
      try desk.fine("edit \(words) --yes")
      #expect(
        try desk.fine("log --csv").dropFirst().map { $0.contains(",60.00,") }
          == [true, false, false])
      #expect(try desk.fine("projects set web --rate 70").count == 1)
    }
  }

  @Test func `a project in a workspace with a rate is billable; other rates get a note`() throws {
    try withDesk { desk in
      #expect(try desk.fine("workspaces create w --currency EUR --rate 100").count == 1)
      let made = try desk.fine("projects create p --workspace w")
      #expect(made.last == "note      new entries are billable, at the rate of the workspace w")
      #expect(
        try desk.fine("add 8:00 - 9:00 x @p").last?.hasSuffix("billable at EUR 100.00") == true)
      #expect(try desk.fine("workspaces set w --rate 90").count == 1)
      #expect(try desk.fine("projects create own --workspace w --rate 5").count == 1)
      try desk.fine("projects create free --workspace w --not-billable")
      #expect(try desk.fine("add 9:00 - 9:30 y @free").last?.hasSuffix("@free") == true)
      let note = "note      it is the rate of billable entries; "
      #expect(try desk.fine("workspaces set w --rate 80").last?.hasPrefix(note) == true)
      #expect(try desk.fine("users create ann --rate 50").last?.hasPrefix(note) == true)
      #expect(try desk.fine("users set ann --rate 60").last?.hasPrefix(note) == true)
      #expect(try desk.fine("users set ann --rate ''").count == 1)
      let used = try desk.fine("add 9:30 - 10:00 more @new --workspace w").last
      #expect(used?.hasSuffix("`track projects set new --billable` changes that") == true)
    }
  }

  @Test func `a break in the running entry leaves the rate of both parts`() throws {
    try withDesk { desk in
      try desk.fine("projects create web --rate 80")
      try desk.fine("start build @web", "8:00")
      try desk.fine("edit 0 --rate 120", "8:30")
      try desk.fine("pause 9:00 - 9:30", "9:30")
      try desk.fine("pause 9:45 - 10:00", "10:15")
      try desk.fine("stop", "11:00")
      #expect(
        try desk.entries() == [
          "07:00-08:00 build @web", "08:30-08:45 build @web", "09:00-10:00 build @web",
        ])
      #expect(try desk.fine("report --by project").contains { $0.contains("270.00") })
    }
  }

  @Test func `a merge says which rate is not taken over`() throws {
    try withDesk { desk in
      try desk.fine("projects create web --rate 80,0")
      try desk.fine("projects create site --estimate 5h")
      let lines = try desk.fine("projects merge web site")
      #expect(
        lines.dropFirst() == [
          "note      site does not take over: rate 80.00 of web",
          "note      site does not take over: billable yes of web",
        ])
    }
  }

  @Test func `a join that would change an amount is refused`() throws {
    try withDesk { desk in
      try desk.fine("projects create web --rate 80")
      try desk.fine("add 8:00 - 9:00 a @web")
      try desk.fine("add 9:00 - 10:00 b")
      try desk.fails("join 0 1", "#0 and #1 are billed differently", "track edit ID --billable")
      try desk.fine("edit 1 @web")
      try desk.fine("join 0 1")
      #expect(try desk.fine("report --by project").contains { $0.contains("160.00") })
      for (id, workspace, currency) in [(2, "east", "EUR"), (3, "west", "USD")] {
        try desk.fine("workspaces create \(workspace) --currency \(currency) --rate 50")
        let words = "x --workspace \(workspace) --billable"
        try desk.fine("add \(8 + id):00 - \(9 + id):00 \(words)", "13:00")
      }
      try desk.fails("join 2 3", "two workspaces", "--workspace NAME")
    }
  }

  @Test func `a line names no user if all other users are deleted`() throws {
    try withDesk { desk in
      try desk.fine("start first --user ada", "9:00")
      try desk.fine("undo", "9:05")
      let line = try desk.fine("start second --user ada", "9:10").element(0)
      #expect(line.hasSuffix("second"), "\(line)")
    }
  }

  @Test func `a report says how much billable time has no rate`() throws {
    try withDesk { desk in
      try desk.fails("report --round 25h", exit: 64, "more than 24 hours")
      let note = "2:00 of billable time have no rate; "
      try desk.fine("projects create web --billable")
      try desk.fine("add 8:00 - 10:00 design @web")
      #expect(
        try desk.fine("report today").last
          == note + "`track projects set web --rate AMOUNT` sets one, and says how to give it to "
          + "earlier entries.")
      try desk.fine("projects set web --rate 85.50")
      let filter = "date:2026-03-02 billable:yes rate:none"
      let told = note + "`track edit --filter '\(filter)' --rate project` sets it."
      for words in ["report today", "day", "week", "month", "report today --round 45m"] {
        #expect(try desk.fine(words).last == told, "\(words)")
      }
      #expect(
        try desk.fine("report :all @web --billable").last
          == told.replacing(filter, with: "@web billable:yes rate:none"))
      try desk.fine("edit --filter '\(filter)' --rate project --yes")
      let report = try desk.fine("report today")
      #expect(report.contains { $0.contains("171.00") })
      #expect(!report.joined().contains("no rate"))
    }
  }

  @Test func `a report says how to rate entries of others and without a project`() throws {
    try withDesk { desk in
      try desk.fine("add 8:00 - 9:00 x --billable --user mia")
      let note = "1:00 of billable time have no rate; "
      let filter = "--filter 'date:2026-03-02 billable:yes rate:none'"
      #expect(
        try desk.fine("report today").last
          == note + "`track edit --user mia \(filter) --rate AMOUNT` sets one.")
      try desk.fine("edit --user mia \(filter) --rate 40 --yes")
      #expect(try desk.fine("report today").contains { $0.contains("40.00") })
      try desk.fine("add yesterday 8:00 - 9:00 mail @p --billable --user mia")
      try desk.fine("add 9:00 - 10:00 call @q --billable")
      try desk.fine("projects set p --rate 5")
      #expect(
        try desk.fine("report :all").last
          == note.replacing("1:00", with: "2:00")
          + "`track projects set q --rate AMOUNT` sets one, and says how to give it to earlier "
          + "entries.")
      try desk.fine("projects set q --rate 6")
      #expect(
        try desk.fine("report :all --filter '@p or @q'").last
          == note.replacing("1:00", with: "2:00")
          + "`track edit --user NAME --filter '(@p or @q) billable:yes rate:none' --rate project` "
          + "sets it.")
    }
  }

  @Test func `the rate of entries is changed and removed`() throws {
    try withDesk { desk in
      func rates() throws -> [Int?] {
        let output = try expectFine(desk.command("log --json"), environment: desk.environment)
        let entries = try #require(try json(output) as? [[String: Any]])
        return entries.map { $0["rate"] as? Int }
      }
      try desk.fine("projects create web --rate 80")
      try desk.fine("projects create club")
      try desk.fine("add 8:00 - 9:00 a @web")
      try desk.fine("add 9:00 - 10:00 b @web")
      try desk.fine("add 10:00 - 11:00 c @club")
      try desk.fine("projects set web --rate 90")
      #expect(try rates() == [8_000, 8_000, nil])
      try desk.fine("edit 0 1 --rate 85.5")
      #expect(try rates() == [8_550, 8_550, nil])
      try desk.fine("edit 0 --rate project")
      try desk.fine("edit 1 --rate ''")
      #expect(try rates() == [9_000, nil, nil])
      try desk.fails("edit 0 --rate project", "these values already")
      try desk.fails("edit 0 2 --rate 85", "not billable", "--billable")
      try desk.fails("edit 0 --not-billable --rate 85", "not billable")
      try desk.fails("edit 0 --rate 8x", exit: 64, "8x", "project")
      try desk.fine("edit 2 --billable --rate 70")
      // The rate that is given, and not the one of the new project.
      try desk.fine("edit 0 @club --billable --rate 90")
      #expect(try rates() == [9_000, nil, 7_000])
      try desk.fails("edit 2 --rate project", "Neither the project")
      try desk.fine("edit 2 @web --rate project")
      #expect(try rates() == [9_000, nil, 9_000])
      try desk.fine("undo")
      #expect(try rates() == [9_000, nil, 7_000])
    }
  }

  @Test func `a client or a task without a project is not imported`() throws {
    try withDesk { desk in
      let file = desk.store + ".csv"
      try "s;e;c\n2026-03-02 08:00;2026-03-02 09:00;ACME\n"
        .write(toFile: file, atomically: true, encoding: .utf8)
      let words =
        "import \(file) --delimiter ; --column start=s --column end=e "
        + "--date-format 'yyyy-MM-dd HH:mm'"
      for field in ["client", "task"] {
        try desk.fails(
          "\(words) --column \(field)=c", exit: 64, "A \(field) belongs to a project",
          "--column project=HEADER")
      }
      #expect(!FileManager.default.fileExists(atPath: desk.store))
      try desk.fine("\(words) --column client=c --column project=c")
    }
  }

  @Test func `a report has a line for each description`() throws {
    try withDesk { desk in
      try desk.fine("add 8:00 - 9:00 design @web")
      try desk.fine("add 9:00 - 9:30 'the logo, again' @web")
      try desk.fine("add 9:30 - 9:45 @web")
      try desk.fine("add 10:00 - 11:30 design @web")
      let lines = try desk.fine("report today --by project,description")
      #expect(
        lines.dropFirst(3).dropLast() == [
          "web                 3:15   100%  ████████████████████████████████████████",
          "  design            2:30    77%  ██████████████████████████████▊",
          "  the logo, again   0:30    15%  ██████▏",
          "  (no description)  0:15     8%  ███▏",
        ])
      #expect(
        try desk.fine("report today --by description --csv") == [
          "description,entries,hours,seconds,billable_seconds,amount",
          "design,2,2.5000,9000,0,0.00", "\"the logo, again\",1,0.5000,1800,0,0.00",
          ",1,0.2500,900,0,0.00",
        ])
      let output = try expectFine(
        desk.command("report today --by description --json"), environment: desk.environment)
      let report = try #require(try json(output) as? [String: Any])
      let groups = try #require(report["groups"] as? [[String: Any]])
      #expect(groups.map { $0["by"] as? String } == ["description", "description", "description"])
      #expect(groups.map { $0["name"] as? String } == ["design", "the logo, again", nil])
      #expect(try desk.fine("day --by description").contains { $0.hasPrefix("design") })
    }
  }
}
