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

  /// Files of each format, with an entry from 8:00 to 9:00.
  private static let texts = [
    "timewarrior": #"[{"start":"20260302T080000Z","end":"20260302T090000Z"}]"#,
    "timewarrior ": "inc 20260302T080000Z - 20260302T090000Z # a\n",
    "klog": "\n2026-03-02\n    8:00 - 9:00 a\n",
    "watson": #"[[1772438400, 1772442000, "p", "id"]]"#,
  ]

  @Test func `a format is recognized by the content, also in a pipe`() throws {
    try withTemporaryDirectory { folder in
      let store = ["--store", "\(folder)/s", "--tz", "UTC"]
      try expectFine(["track", "add", "2026-03-02", "8:00 - 9:00", "a"] + store)
      var texts = Self.texts
      texts["track"] = try expectFine(["track", "log", ":all", "--json"] + store)
      for (number, (format, text)) in texts.enumerated() {
        let file = "\(folder)/f"
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        let more = ["--store", "\(folder)/\(number)", "--tz", "UTC"]
        let source = format == "track" ? ["--source", "other"] : []
        let words = ["track", "import", file, "--dry-run"] + source + more
        #expect(try expectFine(words).contains("created         1\n"), "\(format)")
        let piped = try shell(
          "track import - --dry-run \((source + more).joined(separator: " ")) <\(file)", [])
        #expect(piped.output.contains("created         1\n"), "\(format): \(piped.errors)")
        let name = format.trimmingCharacters(in: .whitespaces)
        let columns = ["--column", "start=a", "--column", "duration=b"]
        try expectFailure(
          words + columns, exit: 64, mentions: ["is no CSV. Its format is \(name)."])
        for other in ["timewarrior", "klog", "watson", "track"] where other != name {
          let source = other == "track" ? ["--source", "other"] : []
          try expectFailure(
            ["track", "import", file, "--format", other] + source + more, exit: 64,
            mentions: ["Its format is \(name).", "Leave out --format \(other)"])
        }
      }
    }
  }

  @Test func `a file of an unknown format is refused with the names of the formats`() throws {
    try withTemporaryDirectory { folder in
      let store = ["--store", "\(folder)/s"]
      try expectFailure(
        ["track", "import", "\(folder)/none"] + store, exit: 64, mentions: ["no such file"])
      for text in ["", "\n", "hello\n", "{\"a\":1}", "incident\n", "2026-03-02 x\n"] {
        try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/f"))
        try expectFailure(
          ["track", "import", "\(folder)/f"] + store, exit: 64,
          mentions: [
            "is not known", "no export of timewarrior, no file of klog, no list of frames",
          ])
      }
      try Data("a,b\n2026-03-02,5\n".utf8).write(to: URL(fileURLWithPath: "\(folder)/f"))
      try expectFailure(
        ["track", "import", "\(folder)/f", "--column", "start=a", "--column", "duration=b"] + store,
        exit: 1, mentions: ["line 2, column b: not a duration such as 1:30"])
    }
  }

  @Test func `a directory of timewarrior is read as timewarrior reads it`() throws {
    try withTemporaryDirectory { folder in
      let data = "\(folder)/timewarrior/data"
      try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
      func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: "\(data)/\(name)"))
      }
      // The file of the first month has no line end. Timewarrior 1.4.3 exports what is expected.
      try write(
        #"""
        inc 20260302T080000Z - 20260302T090000Z # "7-zip" "a b" plain "say \"hi\"" "x/y"
        inc 20260303T080000Z - 20260303T080000Z # 2026-03-01 7-zip "#" # "note \"x\" \/ y \u00e9"
        inc 20260304T080000Z - 20260304T090000Z # # "only"
        inc 20260305T080000Z - 20260305T083000Z
        """#, to: "2026-03.data")
      try write(
        """
        inc 20260406T080000Z - 20260406T083000Z # aa+bb 3+4 5:30 10h a-b "7-q"
        inc 20260407T080000Z - 20260407T083000Z # t # bare words
        inc 20260408T080000Z # t

        """, to: "2026-04.data")
      try write("txn:\n  type: interval\n", to: "undo.data")
      // Timewarrior reads no files of other names.
      for name in ["copy.data", "2026-3.data", "2026-03.data.bak"] {
        try write("inc 20260302T080000Z - 20260302T100000Z # copy\n", to: name)
      }
      try write(#"{"t":{"count":1}}"#, to: "tags.data")
      let store = ["--store", "\(folder)/s", "--tz", "UTC"]
      let import_ = ["track", "import", "\(folder)/timewarrior", "--json"] + store
      let answer = try object(expectFine(import_))
      #expect(answer["created"] as? Int == 6 && answer["running"] as? Int == 1)
      #expect(answer["rejectedCount"] as? Int == 0)
      let list = try json(expectFine(["track", "log", ":all", "--json"] + store))
      let entries = try #require(list as? [[String: Any]])
      #expect(
        entries.map { Set($0["tags"] as? [String] ?? []) } == [
          ["7-zip", "a b", "plain", "say \"hi\"", "x/y"], ["-03-01", "-zip", "2026", "7"], [], [],
          ["+4", "10h", "3", "5:30", "7-q", "a-b", "aa+bb"], ["t"],
        ])
      #expect(
        entries.map { $0["description"] as? String } == [
          "", "# note \"x\" / y é", "only", "", "", "bare words",
        ])
      // The export has the same ids.
      let export = """
        [{"id":1,"start":"20260303T080000Z","end":"20260303T080000Z",\
        "tags":["-03-01","-zip","2026","7"],"annotation":"# note \\"x\\" \\/ y é"},
        {"start":"20260407T080000Z","end":"20260407T083000Z","tags":["t"],\
        "annotation":"bare words"}]
        """
      try Data(export.utf8).write(to: URL(fileURLWithPath: "\(folder)/e.json"))
      let again = try object(
        expectFine(["track", "import", "\(folder)/e.json", "--json"] + store))
      #expect(again["skipped"] as? Int == 2 && again["differingCount"] as? Int == 0)
      let direct = try object(expectFine(["track", "import", data, "--json"] + store))
      #expect(direct["skipped"] as? Int == 6 && direct["created"] as? Int == 0)
      try write(
        "inc today\n# a comment\n\ninc 20260409T080000Z - 20260409T090000Z # x\n",
        to: "2026-05.data")
      let wrong = try object(expectFine(import_))
      #expect(wrong["created"] as? Int == 1 && wrong["rejectedCount"] as? Int == 2)
      try FileManager.default.createDirectory(
        atPath: "\(folder)/empty", withIntermediateDirectories: true)
      try expectFailure(
        ["track", "import", "\(folder)/empty"] + store, exit: 64, mentions: ["directory"])
    }
  }

  @Test func `of a directory of timewarrior, a file that is wrong is named`() throws {
    try withTemporaryDirectory { folder in
      let data = "\(folder)/t/data"
      try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
      func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: "\(data)/\(name)"))
      }
      let interval = "inc 20260302T080000Z - 20260302T090000Z"
      try write(Array("bad\n\(interval)".utf8), to: "2026-01.data")
      try write([], to: "2026-02.data")
      try write(Array("\(interval) # t\nworse\n".utf8), to: "2026-03.data")
      let command = ["track", "import", "\(folder)/t", "--store", "\(folder)/s"]
      let lines = try expectFine(command + ["--dry-run"]).lines
      #expect(
        lines.filter { $0.contains("no interval") }.map { $0.prefix(28) } == [
          "  data/2026-01.data, line 1:", "  data/2026-03.data, line 2:",
        ])
      try expectFailure(
        command + ["--strict"], exit: 1, mentions: ["the first is data/2026-01.data, line 1: "])
      let rejected = try object(expectFine(command + ["--json"]))["rejected"] as? [[String: Any]]
      #expect(rejected?.map { $0["file"] as? String }.last == "data/2026-03.data")
      #expect(rejected?.map { $0["line"] as? Int } == [1, 2])
      for (bytes, encoding) in [
        (Array("\(interval) # ".utf8) + [0xe4], "WINDOWS-1252"),
        ([0xff, 0xfe] + interval.utf8.flatMap { [$0, 0] }, "UTF-16"),
      ] as [([UInt8], String)] {
        try write(bytes, to: "2026-04.data")
        try expectFailure(
          command, exit: 1,
          mentions: [
            "data/2026-04.data: It seems to be in ",
            "iconv -f \(encoding) -t UTF-8 \(folder)/t/data/2026-04.data > utf8.data",
          ])
      }
      try FileManager.default.removeItem(atPath: "\(data)/2026-04.data")
      try FileManager.default.createSymbolicLink(
        atPath: "\(data)/2026-04.data", withDestinationPath: "none")
      try expectFailure(
        command, exit: 64, mentions: ["data/2026-04.data: There is no such file", "move it"])
    }
  }

  @Test func `tags name projects, those that are given or the first`() throws {
    let text = """
      [{"start":"20260302T080000Z","end":"20260302T090000Z","tags":["acme","beta","mail"]},
      {"start":"20260302T100000Z","end":"20260302T110000Z","tags":["call","Beta"]},
      {"start":"20260302T120000Z","end":"20260302T130000Z","tags":["other"]},
      {"start":"20260302T140000Z","end":"20260302T150000Z"}]
      """
    func projects(_ more: [String], _ again: [String]) throws -> [String] {
      var found: [String] = []
      try with("timewarrior") { attempt in
        _ = try attempt.run(text, more)
        let answer = try attempt.run(text, again)
        #expect(answer["skipped"] as? Int == 4)
        found = try attempt.entries().map { entry in
          let tags = (entry["tags"] as? [String] ?? []).sorted()
          return ([entry["project"] as? String ?? "-"] + tags).joined(separator: " ")
        }
      }
      return found
    }
    let named = ["--tag-as-project", "beta", "--tag-as-project", "acme"]
    #expect(try projects(named, named) == ["beta acme mail", "beta call", "- other", "-"])
    let first = ["--tag-as-project", "beta", "--tag-as-project", ":first"]
    #expect(try projects(first, first) == ["beta acme mail", "beta call", "other", "-"])
    try with("timewarrior") { attempt in
      // An interval that was imported with other tags gets the project by an update.
      _ = try attempt.run(text)
      let answer = try attempt.run(text, named + ["--update"])
      #expect((answer["updated"] as? [Any])?.count == 2 && answer["created"] as? Int == 0)
      for wrong in [":last", " "] {
        try expectFailure(
          attempt.command(text, ["--tag-as-project", wrong]), exit: 64, mentions: [":first"])
      }
    }
  }

  @Test func `an interval of more than 999 hours is left out, and its time is printed`() throws {
    let long = #"{"id":1,"start":"20260101T080000Z","end":"20260306T080000Z"}"#
    let fine = #"{"id":2,"start":"20260401T080000Z","end":"20260512T230000Z"}"#
    try with("timewarrior") { attempt in
      let lines = try expectFine(attempt.command("[\(long),\(fine)]")).lines
      #expect(lines.contains("created         1"))
      #expect(
        lines.contains("time left out   1536:00:00, in the total of the file and in no entry"))
      #expect(try attempt.run("[\(fine),\(long)]")["secondsLeftOut"] as? Int == 1_536 * 3_600)
    }
  }

  @Test func `the durations of a day of klog are a set`() throws {
    func day(_ lines: String...) -> String {
      "2026-03-02\n" + lines.map { "    \($0)\n" }.joined()
    }
    try with("klog") { attempt throws in
      func created(_ text: String, _ more: [String] = []) throws -> Int? {
        try attempt.run(text, ["--zone", "UTC"] + more)["created"] as? Int
      }
      func minutes() throws -> Int {
        try attempt.entries().reduce(0) { $0 + ($1["seconds"] as? Int ?? 0) } / 60
      }
      #expect(try created(day("30m first", "45m second")) == 2)
      // Another one on top, the other order, and an equal one.
      let grown = day("15m new", "30m first", "45m second")
      #expect(try created(grown) == 1)
      #expect(try created(grown) == 0)
      #expect(try created(day("45m second", "15m new", "30m first")) == 0)
      #expect(try minutes() == 90)
      #expect(try created(day("30m first", "15m new", "30m first", "45m second")) == 1)
      #expect(try minutes() == 120)
      // The same with ranges that begin together.
      let (a, b, empty) = ("8:00 - 9:00 a", "8:00 - 10:00 b", "8:00 - 8:00 c")
      #expect(try created(day(a, b)) == 2)
      #expect(try created(day(empty, b, a)) == 1)
      #expect(try minutes() == 120 + 180)
    }
  }

  @Test func `a file of klog that was renamed creates nothing`() throws {
    let text = "2026-03-02 (8h!)\nDay of #beta\n    8:00 - 9:00 a\n    30m b\n    45m c #x\n"
    try with("klog") { attempt in
      _ = try attempt.run(text, ["--zone", "UTC"])
      let notes = try attempt.entries().map { ($0["annotations"] as? [String] ?? []).first }
      #expect(notes == ["Day of #beta", "Day of #beta", "Day of #beta"])
      let other = "\(attempt.folder)/other.klg"
      let grown = text.replacing("45m", with: "10m new\n    45m") + "\n2026-03-03\n    1h d\n"
      for (file, created) in [(text, 0), (grown, 2), (grown.replacing("\n", with: "\r\n"), 0)] {
        try Data(file.utf8).write(to: URL(fileURLWithPath: other))
        let answer = try object(
          expectFine(
            ["track", "import", other, "--json", "--zone", "UTC", "--store", "\(attempt.folder)/s"])
        )
        #expect(answer["created"] as? Int == created)
      }
      #expect(try attempt.entries().count == 5)
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
        "time left out   -99:00:00, in the total of the file and in no entry",
        "zone            Europe/Berlin",
        "note            1 record has a target such as (8h!), which is left out; `track goals` "
          + "sets targets",
      ]
      let preview = try expectFine(attempt.command(text, zone + ["--dry-run"])).lines
      #expect(preview.dropFirst() == lines[...])
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
      try expectFailure(command, exit: 1, mentions: ["in Windows-1252 or Latin-1, not in UTF-8"])
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
        attempt.command(
          text.replacing("1794902400", with: "true").replacing("1794988800", with: "-1e99")),
        exit: 1, mentions: ["of seconds since 1970"])
      // Watson cuts fractions, and reads frames without tags.
      let few = #"[[1772442000.9,1772445600,"p","a"],[1772442000,1772445600.5,"p","b",null]]"#
      #expect(try attempt.run(few)["created"] as? Int == 2)
      #expect(try attempt.entries().prefix(2).map { $0["seconds"] as? Int } == [3_600, 3_600])
      #expect(try attempt.entries().prefix(2).allSatisfy { $0["tags"] as? [String] == [] })
      try expectFailure(attempt.command("[[1,2]]"), exit: 1, mentions: ["element 1 is no frame"])
      try expectFailure(attempt.command("{}"), exit: 1, mentions: ["no list of frames"])
    }
  }

  @Test func `frames of Watson are known by the beginnings of their ids in its CSV`() throws {
    let (id, other) = ("30469a41c88347088d38a9bce6494b37", "30469a4e0e2da2b4386c4c5226e5b200")
    let frame = #"[1772442000,1772445600,"p","\#(id)",["a","b"],0]"#
    let frames = "[\(frame)]"
    let more = "[\(frame),[1772452800,1772456400,\"p\",\"\(other)\"]]"
    // Two ids begin with the same seven digits.
    let csv = """
      id,start,stop,project,tags
      30469a4,2026-03-02 09:00:00,2026-03-02 10:00:00,p,"a, b"
      30469a4,2026-03-02 12:00:00,2026-03-02 13:00:00,p,

      """
    let columns = ["id=id", "start=start", "end=stop", "project=project", "tags=tags"]
      .flatMap { ["--column", $0] }
    for isFirst in [true, false] {
      try withTemporaryDirectory { folder in
        func run(_ text: String, _ options: [String]) throws -> [Int?] {
          try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/f"))
          let answer = try object(
            expectFine(
              ["track", "import", "\(folder)/f", "--store", "\(folder)/s", "--json"]
                + ["--zone", "UTC"] + options))
          return ["created", "skipped", "differingCount", "clashing"].map { answer[$0] as? Int }
        }
        let source = columns + ["--source", "watson"]
        let rows = csv.split(separator: "\n").map { "\($0)\n" }
        let later = csv.replacing("10:00:00", with: "10:30:00")
        let files: [(String, [String])] =
          isFirst
          ? [(frames, []), (csv, source), (later, source)]
          : [(rows[0] + rows[1], source), (more, []), (csv, source)]
        let counts = try files.map { text, options in try run(text, options) }
        let last: [Int?] = isFirst ? [0, 1, 1, 0] : [0, 2, 0, 0]
        #expect(counts == [[1, 0, 0, 0], [1, 1, 0, 0], last])
      }
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
