import Foundation
import RetraceSystem
import Testing
import ToolTestSupport

/// What an import says about the zone, the users and the rows of a file.
@Suite struct ImportOptionTests {
  /// Writes a file beside the store of a desk, and returns its path.
  private func write(_ text: String, to name: String = "f.csv", _ desk: Desk) throws -> String {
    let path = "\(desk.store)-\(name)"
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  /// Returns what a command prints for programs.
  private func json(_ words: String, _ desk: Desk) throws -> [String: Any] {
    try object(desk.fine("\(words) --json").joined())
  }

  private let toggl = """
    User,Client,Project,Description,Billable,Start date,Start time,End date,End time,Duration,Tags
    Franz,,SEO,Konzept,No,2026-02-27,08:41:00,2026-02-27,08:59:00,00:18:00,

    """

  @Test func `times are read in the zone in which they are shown, and the output names it`() throws
  {
    for (zone, options, expected) in [
      ("", "", "2026-02-27T07:41:00Z Europe/Berlin"),
      ("America/New_York", "", "2026-02-27T13:41:00Z America/New_York"),
      ("America/New_York", "--zone Asia/Tokyo", "2026-02-26T23:41:00Z Asia/Tokyo"),
      ("America/New_York", "--tz UTC", "2026-02-27T08:41:00Z UTC"),
    ] {
      try withDesk { desk in
        let file = try write(toggl, desk)
        if !zone.isEmpty { try desk.fine("preferences --zone \(zone)") }
        let planned = try json("import \(file) --dry-run \(options)", desk)
        let done = try json("import \(file) \(options)", desk)
        let log = try ToolTestSupport.json(desk.fine("log :all --json").joined())
        let entry = try #require((log as? [[String: Any]])?.first)
        let read = "\(entry["start"] ?? "") \(done["zone"] ?? "")"
        #expect(read == expected, "\(zone) \(options)")
        #expect(planned["zone"] as? String == done["zone"] as? String)
        #expect(entry["zone"] as? String == done["zone"] as? String)
        if options.isEmpty, !zone.isEmpty {
          #expect(try desk.fine("log :all").contains { $0.contains("08:41 - 08:59") })
        }
        let lines = try desk.fine("import \(file) \(options)")
        #expect(lines.contains("zone            \(done["zone"] ?? "")"), "\(lines)")
      }
    }
  }

  @Test func `the user of the option gets all rows of a file with users`() throws {
    try withDesk { desk in
      let file = try write(toggl, desk)
      let note =
        "the file names the users of its rows, and --user makes all of them entries of one user"
      for words in ["import \(file) --user anna --dry-run", "import \(file) --user anna"] {
        #expect(try json(words, desk)["notes"] as? [String] == [note], "\(words)")
      }
      #expect(try desk.fine("users") == ["anna"])
      let again = try json("import \(file) --user anna", desk)
      #expect(again["created"] as? Int == 0 && again["skipped"] as? Int == 1)
      // The rows would be new ones of another user.
      try desk.fails("import \(file)", "imported", "track undo")
    }
  }

  @Test func `entries of another user than that of the command line are told`() throws {
    let me = ThisProcess.loginName
    try withDesk { desk in
      try desk.fine("add 2026-02-20 9:00 - 10:00 email")
      let file = try write(toggl, desk)
      let start = "the file names Franz as the user, and this command line is for \(me): "
      let end =
        "all rows entries of \(me); `track config set user Franz` changes the user of the "
        + "command line"
      #expect(
        try json("import \(file) --dry-run", desk)["notes"] as? [String]
          == [start + "--user \(me) makes " + end])
      #expect(
        try json("import \(file)", desk)["notes"] as? [String]
          == [start + "`track undo` and --user \(me) make " + end])
      #expect(try json("import \(file)", desk)["notes"] == nil)
      try desk.fails(
        "edit --filter @SEO --tag x --yes", "No entry of \(me) matches the filter",
        "1 entry of Franz does", "--user Franz", "track config set user Franz")
      try desk.fine("edit --filter @SEO --tag x --yes --user Franz")
      try desk.fails("edit --filter '@SEO #y' --yes", "no tag y")
      try desk.fails("edit --filter 'nothing' --tag x --yes", "No entry matches the filter.")
      try desk.fine("undo")
      try desk.fine("undo")
      try desk.fine("import \(file) --user \(me)")
      try desk.fine("edit --filter @SEO --tag x --yes")
    }
  }

  @Test func `a row that begins as an older entry is told as a probable correction`() throws {
    try withDesk { desk in
      let me = ThisProcess.loginName
      let text =
        toggl + "Franz,,SEO,Review,No,2026-02-27,10:00:00,2026-02-27,10:40:00,00:40:00,\n"
      let file = try write(text, to: "a.csv", desk)
      try desk.fine("import \(file) --user \(me)")
      try desk.fine("add 2026-02-27 10:30 - 11:00 talk --policy allow")
      let corrected = try write(
        text.replacing("Konzept", with: "Konzept 2")
          + "Franz,,SEO,Mail,No,2026-02-27,10:50:00,2026-02-27,11:10:00,00:20:00,\n", to: "b.csv",
        desk)
      let lines = try desk.fine("import \(corrected) --user \(me)")
      let index = try #require(lines.firstIndex(of: "overlaps        2"), "\(lines)")
      #expect(
        lines[(index + 1)...].prefix(2) == [
          "  #3 \"Konzept 2\" (2026-02-27 08:41 - 08:59) and #0 \"Konzept\" "
            + "(2026-02-27 08:41 - 08:59)",
          "  #4 \"Mail\" (2026-02-27 10:50 - 11:10) and #2 \"talk\" "
            + "(2026-02-27 10:30 - 11:00)",
        ])
      #expect(
        lines.last
          == "note            1 entry begins as an older one of its user, and may be its "
          + "correction: `track delete 0` deletes the older one, `track undo` takes the import "
          + "back")
      try desk.fine("undo")
      let told = try json("import \(corrected) --user \(me)", desk)
      let listed = try #require(told["overlapping"] as? [[String: Any]])
      #expect(listed.map { $0["entry"] as? Int } == [5, 6])
      #expect(listed.map { $0["other"] as? Int } == [0, 2])
      #expect(listed.map { $0["sameStart"] as? Bool } == [true, false])
      try desk.fine("delete 0")
      #expect(try json("import \(corrected) --user \(me)", desk)["created"] as? Int == 0)
      #expect(try json("import \(file) --user \(me)", desk)["created"] as? Int == 0)
    }
  }

  @Test func `a file without users is imported for each user`() throws {
    try withDesk { desk in
      let intervals = #"[{"id":1,"start":"20260301T080000Z","end":"20260301T090000Z"}]"#
      let rows = "s,d\n2026-02-27 08:00,5\n"
      let columns = "--column start=s --column duration=d --duration-unit minutes"
      for (text, options) in [(intervals, ""), (rows, columns)] {
        let file = try write(text, to: options.isEmpty ? "f.json" : "f.csv", desk)
        for user in ["", "--user anna", "--user ben"] {
          #expect(try json("import \(file) \(options) \(user)", desk)["created"] as? Int == 1)
        }
        for user in ["", "--user anna"] {
          let again = try json("import \(file) \(options) \(user)", desk)
          #expect(again["created"] as? Int == 0 && again["skipped"] as? Int == 1)
        }
      }
      #expect(try desk.fine("log :all --totals").element(0) == "entries   6, 0 running")
    }
  }

  @Test func `rows without values are skipped and counted`() throws {
    try withDesk { desk in
      let commas = ",,,,,,,,,,"
      let file = try write("\(toggl)\(commas)\n\(commas)\n ,\"\",,,,,,,,,\n", desk)
      let done = try json("import \(file) --strict", desk)
      #expect(done["created"] as? Int == 1 && done["rejectedCount"] as? Int == 0, "\(done)")
      let notes = try #require(done["notes"] as? [String])
      #expect(notes.last == "3 rows have no values, and were skipped", "\(notes)")
      let one = try write("s,e\n2026-02-27 08:00,2026-02-27 09:00\n,\n", to: "g.csv", desk)
      let lines = try desk.fine("import \(one) --column start=s --column end=e")
      #expect(lines.last == "note            1 row has no values, and was skipped", "\(lines)")
    }
  }

  @Test func `an export without intervals creates nothing`() throws {
    try withDesk { desk in
      for text in ["[\n]\n", "[]", " [ ] "] {
        let file = try write(text, to: "f.json", desk)
        for words in ["import \(file)", "import \(file) --dry-run"] {
          let done = try json(words, desk)
          #expect(done["created"] as? Int == 0 && done["skipped"] as? Int == 0, "\(words)")
        }
      }
    }
  }

  @Test func `a file of track names the option that it needs`() throws {
    try withDesk { desk in
      try desk.fine("add 8:00 - 9:00 a")
      for output in ["--json", "--csv"] {
        let text = try desk.fine("log :all \(output)").joined(separator: "\n") + "\n"
        let file = try write(text, to: "log\(output)", desk)
        try desk.fails("import \(file)", exit: 64, "other store of track", "--source laptop")
        let done = try json("import \(file) --source laptop --dry-run", desk)
        #expect(done["created"] as? Int == 1)
      }
    }
  }
}
