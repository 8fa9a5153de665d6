import Foundation
import Testing
import ToolTestSupport

/// Files of klog and of Watson are imported, each entry once.
@Suite struct ImportProgramTests {
  private struct Attempt {
    let folder: String
    let format: String

    func run(_ text: String, _ more: [String] = []) throws -> [String: Any] {
      try object(expectFine(command(text, more + ["--json"])))
    }

    func command(_ text: String, _ more: [String] = []) throws -> [String] {
      try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/f"))
      return ["track", "import", "\(folder)/f", "--format", format, "--store", "\(folder)/s"]
        + more
    }

    func entries() throws -> [[String: Any]] {
      let log = ["track", "log", ":all", "--json", "--store", "\(folder)/s"]
      return try json(expectFine(log)) as? [[String: Any]] ?? []
    }
  }

  private func with(_ format: String, _ body: (Attempt) throws -> Void) throws {
    try withTemporaryDirectory { folder in
      try body(Attempt(folder: folder, format: format))
    }
  }

  @Test func `a file of another program needs its format, and a file has to exist`() throws {
    try withTemporaryDirectory { folder in
      let store = ["--store", "\(folder)/s"]
      try expectFine(["track", "add", "2026-03-02", "8:00 - 9:00", "a"] + store)
      let texts = [
        "timewarrior": #"[{"start":"20260302T080000Z","end":"20260302T090000Z"}]"#,
        "klog": "2026-03-02\n    8:00 - 9:00 a\n",
        "watson": #"[[1519853930, 1519853940, "p", "id", [], 1519853940]]"#,
        "track": try expectFine(["track", "log", ":all", "--json"] + store),
      ]
      let columns = ["--column", "start=a", "--column", "duration=b"]
      for (format, text) in texts {
        try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/f"))
        for more in [[], columns] {
          try expectFailure(
            ["track", "import", "\(folder)/f"] + store + more, exit: 64,
            mentions: ["is no CSV.", "Try --format \(format)."])
        }
        let piped = try shell("track import - <\"$1\"", ["\(folder)/f"])
        #expect(piped.errors.contains("Try --format \(format)."), "\(piped.errors)")
      }
      try expectFailure(
        ["track", "import", "\(folder)/none"] + store, exit: 64, mentions: ["no such file"])
      try Data("a,b\n2026-03-02,5\n".utf8).write(to: URL(fileURLWithPath: "\(folder)/f"))
      try expectFailure(
        ["track", "import", "\(folder)/f"] + store + columns, exit: 1,
        mentions: ["line 2, column b: not a duration such as 1:30"])
    }
  }

  @Test func `an entry that runs in the file is not missing`() throws {
    let texts = [
      "timewarrior": (
        #"[{"start":"20260302T080000Z","end":"20260302T090000Z"}]"#,
        #"[{"start":"20260302T100000Z","end":"20260302T110000Z"},{"start":"20260302T080000Z"}]"#
      ),
      "klog": (
        "2026-03-02\n    8:00 - 9:00 a\n", "2026-03-02\n    10:00 - 11:00 b\n    8:00 - ?\n"
      ),
    ]
    for (format, (before, after)) in texts {
      try with(format) { attempt in
        _ = try attempt.run(before, ["--zone", "UTC"])
        for more in [["--dry-run"], []] {
          let answer = try attempt.run(after, ["--zone", "UTC", "--update"] + more)
          #expect(answer["missing"] as? [Int] == [] && answer["created"] as? Int == 1)
          #expect(answer["running"] as? Int == 1)
        }
      }
    }
    try with("track") { attempt in
      let store = ["--store", "\(attempt.folder)/from"]
      try expectFine(["track", "add", "2026-03-02", "8:00 - 9:00", "a", "--user", "ann"] + store)
      try expectFine(["track", "start", "b", "--user", "ann"] + store)
      try expectFine(["track", "stop", "--user", "ann"] + store)
      let list = ["track", "log", ":all", "--json"] + store
      let more = ["--source", "s", "--update"]
      _ = try attempt.run(expectFine(list), more)
      try expectFine(["track", "undo"] + store)
      let answer = try attempt.run(expectFine(list), more)
      #expect(answer["missing"] as? [Int] == [] && answer["running"] as? Int == 1)
    }
  }

  @Test func `entries are missing but near the days of rows that were rejected`() throws {
    func day(_ day: Int, _ lines: String) -> String { "2026-03-0\(day)\n    \(lines)\n\n" }
    let days = (1...9).map { day($0, "8:00 - 9:00 a\n    10:00 - 11:00 b") }
    try with("klog") { attempt in
      _ = try attempt.run(days.joined(), ["--zone", "UTC"])
      // Each day loses a row, and the break of the fifth is rejected, as no entry is longer.
      let file =
        (1...9).map { day($0, $0 == 5 ? "-1h break" : "8:00 - 9:00 a") }.joined()
      for more in [["--dry-run"], []] {
        let answer = try attempt.run(file, ["--zone", "UTC", "--update"] + more)
        #expect(answer["missing"] as? [Int] == [1, 3, 5, 13, 15, 17])
      }
      // The day of a record is not known without its date.
      let answer = try attempt.run(file + "2026\n", ["--zone", "UTC", "--update"])
      #expect(answer["missing"] == nil && answer["rejectedCount"] as? Int == 2)
    }
    try with("timewarrior") { attempt in
      func file(_ days: [(Int, String)]) -> String {
        let intervals = days.map { #"{"start":"2026030\#($0)T080000Z","end":"\#($1)"}"# }
        return "[\(intervals.joined(separator: ","))]"
      }
      let all = (1...9).map { ($0, "2026030\($0)T090000Z") }
      _ = try attempt.run(file(all))
      let some = [all[0], (5, "today"), all[8]]
      #expect(
        try attempt.run(file(some), ["--update"])["missing"] as? [Int] == [1, 2, 6, 7])
    }
  }

  @Test func `a file of klog is imported whenever it has grown`() throws {
    let text = """
      2018-03-24
      First day at my new job #work
          8:30 - 17:00
          -45m Lunch break
          1h Reading
          -99h off

      2018-03-25 (8h!)
          9:00 - ?

      """
    try with("klog") { attempt in
      let zone = ["--zone", "Europe/Berlin"]
      let lines = [
        "created         2", "skipped         0",
        "running         1, left out until they have ended", "overlaps        0",
        "zero durations  0", "rejected        1",
        "  line 6: the entries of its record are shorter than this duration below zero: -99h off",
      ]
      let preview = try expectFine(attempt.command(text, zone + ["--dry-run"])).lines
      #expect(preview.dropFirst() == (lines[0...2] + lines[4...]))
      try expectFailure(
        attempt.command(text, zone + ["--strict"]), exit: 1, mentions: ["line 6", "below zero"])
      #expect(try expectFine(attempt.command(text, zone)).lines == lines)
      let entries = try attempt.entries()
      #expect(
        entries.map { $0["description"] as? String } == ["First day at my new job", "Reading"])
      #expect(
        entries.map { $0["start"] as? String } == ["2018-03-24T07:30:00Z", "2018-03-24T15:15:00Z"])
      #expect(entries.allSatisfy { $0["tags"] as? [String] == ["work"] })
      // A range that was open, and one that was corrected.
      let grown = text.replacing("?", with: "12:00").replacing("17:00", with: "17:30")
      let answer = try attempt.run(grown, zone)
      #expect(answer["created"] as? Int == 1 && answer["running"] as? Int == 0)
      let rows = try #require(answer["differing"] as? [[String: Any]])
      #expect(
        rows.map { ($0["command"] as? [String])?.dropFirst(2).first } == ["--end", "--start"])
      // The entries of another user are others.
      let other = grown + "\n"
      #expect(try attempt.run(other, zone + ["--user", "bob"])["created"] as? Int == 3)
      try expectFailure(attempt.command("a,b\n1,2\n"), exit: 1, mentions: ["line 1: no date such"])
      try expectFailure(
        attempt.command(text, ["--column", "start=a"]), exit: 64, mentions: ["--column is for CSV"])
      let file = URL(fileURLWithPath: "\(attempt.folder)/f")
      let command = try attempt.command("")
      try Data([0x32, 0xFF]).write(to: file)
      try expectFailure(command, exit: 1, mentions: ["no file of klog: it is not UTF-8"])
    }
  }

  @Test func `an update of klog takes over changed deductions`() throws {
    func text(_ deduction: String) -> String {
      "2018-03-24\n    8:30 - 17:00 work\n\(deduction)"
    }
    try with("klog") { attempt throws in
      func annotations(_ deduction: String) throws -> [String]? {
        _ = try attempt.run(text(deduction), ["--update", "--zone", "UTC"])
        return try attempt.entries().first?["annotations"] as? [String]
      }
      #expect(try annotations("    -45m Lunch\n") == ["Taken off the end in klog: -45m Lunch"])
      #expect(try annotations("    -30m Lunch\n") == ["Taken off the end in klog: -30m Lunch"])
      #expect(try annotations("") == [])
      #expect(try attempt.entries().first?["seconds"] as? Int == 30_600)
    }
  }

  @Test func `frames of Watson are imported, each once`() throws {
    // Watson 2.1.0 wrote this.
    let text = """
      [
       [
        1794902400,
        1794907800,
        "web site",
        "bd2941289b494ce9affb07839e660ba5",
        [
         "deep",
         "a b, [\\"c"
        ],
        1795700283
       ],
       [
        1794988800,
        1794992400,
        "thesis",
        "d375074a087c44b6995d84b7a5c499c4",
        [],
        1795700283
       ]
      ]
      """
    try with("watson") { attempt in
      #expect(try attempt.run(text)["created"] as? Int == 2)
      let entries = try attempt.entries()
      #expect(entries.map { $0["project"] as? String } == ["web site", "thesis"])
      #expect(entries.map { $0["tags"] as? [String] } == [["deep", "a b, [\"c"], []])
      #expect(entries.map { $0["seconds"] as? Int } == [5_400, 3_600])
      #expect(entries.first?["start"] as? String == "2026-11-17T08:00:00Z")
      // An edited frame, and invalid ones, whose lines are reported.
      let edited = text.replacing("1794992400", with: "1794996000")
      let answer = try attempt.run(edited)
      #expect(answer["skipped"] as? Int == 1 && answer["differingCount"] as? Int == 1)
      let wrong = edited.replacing("1794988800", with: "1794999999")
      #expect(
        try expectFine(attempt.command(wrong)).contains(
          "  line 13, column stop: the duration is negative: 1794996000\n"))
      try expectFailure(
        attempt.command(text.replacing("17949", with: "1.5")),
        exit: 1, mentions: ["of seconds since 1970"])
      try expectFailure(attempt.command("[[1,2]]"), exit: 1, mentions: ["element 1 is no frame"])
      try expectFailure(attempt.command("{}"), exit: 1, mentions: ["no list of frames"])
    }
  }

  /// Two frames of Watson that begin at 1:00 and 3:00.
  private static func frames(minutes: Int, _ project: String = "a", other: Int = 60) -> String {
    """
    [[\(3_600),\(3_600 + minutes * 60),"\(project)","x",["t"],0],
    [\(10_800),\(10_800 + other * 60),"b","y",[],0]]

    """
  }

  @Test func `rows that were corrected update the entries that track has not edited`() throws {
    try with("watson") { attempt in
      func entries() throws -> [String] {
        try attempt.entries().map { entry in
          "\(entry["project"] ?? "") \(entry["seconds"] ?? 0)"
        }
      }
      func track(_ words: String...) throws {
        try expectFine(["track"] + words + ["--store", "\(attempt.folder)/s"])
      }
      func edit(_ id: Int, _ time: String) -> String {
        "  track edit \(id) --end 1970-01-01T\(time):00+00:00"
      }
      let update = ["--update", "--tz", "UTC"]
      #expect(try attempt.run(Self.frames(minutes: 60), update)["created"] as? Int == 2)
      let corrected = Self.frames(minutes: 90, "new")
      let lines = [
        "created         0", "skipped         1", "updated         1, by:",
        edit(0, "02:30") + " --project new --policy allow",
      ]
      let preview = try expectFine(attempt.command(corrected, update + ["--dry-run"])).lines
      #expect(preview.dropFirst().prefix(4) == lines[...])
      #expect(try entries() == ["a 3600", "b 3600"])
      let answer = try attempt.run(corrected, update)
      #expect(answer["differingCount"] as? Int == 0)
      #expect((answer["updated"] as? [[String: Any]])?.map { $0["entry"] as? Int } == [0])
      #expect(try entries() == ["new 5400", "b 3600"])
      // An update is no edit in track, and an edit stays.
      try track("edit", "1", "--end", "1970-01-01T03:30:00Z")
      let again = Self.frames(minutes: 95, "new", other: 61)
      let told = try expectFine(attempt.command(again, update)).lines
      #expect(
        told.dropFirst(2).prefix(4) == [
          "updated         1, which `track undo` takes back, by:",
          edit(0, "02:35") + " --policy allow",
          "differing       1, the entry keeps its values; the file has:",
          edit(1, "04:01") + " --policy allow  # changed since its import",
        ])
      #expect(try entries() == ["new 5700", "b 1800"])
      // What was undone is not done again.
      try track("undo")
      #expect(try entries() == ["new 5400", "b 1800"])
      #expect(try (attempt.run(again, update)["updated"] as? [Any])?.count == 0)
      try track("undo")
      try track("undo")
      #expect(try entries() == ["a 3600", "b 3600"])
      try track("undo")
      #expect(try entries().isEmpty)
    }
  }
}
