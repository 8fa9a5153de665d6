import Foundation
import Testing
import ToolTestSupport

/// Files of every kind are imported correctly, or refused before anything is written.
@Suite struct ImportFileTests {
  /// Imports bytes as a file.
  private struct Attempt {
    var folder: String
    var store: String { "\(folder)/s" }

    init(_ bytes: String, in folder: String) throws {
      self.folder = folder
      try Data(bytes.utf8).write(to: URL(fileURLWithPath: "\(folder)/f.csv"))
    }

    func command(
      _ columns: [String], format: String = "M/d/yyyy H:mm", unit: String = "minutes",
      file: String = "f.csv", _ more: [String] = []
    ) -> [String] {
      ["track", "import", "\(folder)/\(file)", "--store", store]
        + columns.flatMap { ["--column", $0] }
        + ["--date-format", format, "--duration-unit", unit] + more
    }

    /// Appends a blank line, which makes the file another one with the same rows.
    func changeFile() throws {
      let file = URL(fileURLWithPath: "\(folder)/f.csv")
      try (Data(contentsOf: file) + Data("\n".utf8)).write(to: file)
    }

    func run(
      _ columns: [String], format: String = "M/d/yyyy H:mm", unit: String = "minutes",
      _ more: [String] = []
    ) throws -> [String: Any] {
      try object(
        expectFine(command(columns, format: format, unit: unit, more + ["--json"])))
    }

    func entries() throws -> [[String: Any]] {
      let log = ["track", "log", "--json", "--limit", "1000", "--store", store]
      return try json(expectFine(log)) as? [[String: Any]] ?? []
    }

    func hasStore() -> Bool { FileManager.default.fileExists(atPath: store) }
  }

  private func with(_ bytes: String, _ body: (Attempt) throws -> Void) throws {
    try withTemporaryDirectory { folder in try body(Attempt(bytes, in: folder)) }
  }

  private static let plain = ["start=a", "duration=b", "description=c"]

  @Test func `a batch is acknowledged on a line of its own, with --json as an object`() throws {
    try with("a,b,c\n1/2/2020 1:00,5,x y\n") { attempt in
      let command = attempt.command(Self.plain, ["--acknowledge"])
      let words = try expectFine(command)
      #expect(words.hasPrefix("ok ") && words.contains("\ncreated         1\n"))
      try attempt.changeFile()
      let other = command + ["--json", "--user", "bob"]
      let lines = try expectFine(other).split(separator: "\n")
      try #require(lines.count == 2)
      #expect(try object(String(lines.element(0)))["ok"] as? Int ?? 0 > 0)
      #expect(try object(String(lines.element(1)))["created"] as? Int == 1)
    }
  }

  @Test(
    arguments: [
      "a,b,c\n1/2/2020 1:00,5,x y\n",
      "\u{FEFF}a,b,c\n1/2/2020 1:00,5,x y",
      "a,b,c\r\n1/2/2020 1:00,5,x y\r\n",
      "a,b,c\r1/2/2020 1:00,5,x y\r",
      "\u{FEFF}\"a\",\"b\",\"c\"\r\n\"1/2/2020 1:00\",\"5\",\"x y\"\r\n",
      "\n\na,b,c\n\n1/2/2020 1:00 , 5 ,\tx y\n\n",
    ])
  func `marks, line ends, quotes and blanks around values do not matter`(text: String) throws {
    try with(text) { attempt in
      let answer = try attempt.run(Self.plain)
      #expect(answer["created"] as? Int == 1)
      #expect((answer["rejected"] as? [Any])?.count == 0)
      let entry = try #require(try attempt.entries().first)
      #expect(entry["description"] as? String == "x y")
      #expect(entry["start"] as? String == "2020-01-02T01:00:00Z")
      #expect(entry["seconds"] as? Int == 300)
    }
  }

  @Test func `quoted values hold commas, quotes and line ends`() throws {
    try with("a,b,c\n1/2/2020 1:00,5,\"one, \"\"two\"\"\nthree\"\n1/2/2020 2:00,x,\"\n\"\n") {
      attempt in
      let answer = try attempt.run(Self.plain)
      #expect(try attempt.entries().first?["description"] as? String == "one, \"two\"\nthree")
      // The second row begins on line 4 of the file.
      let rejected = try #require((answer["rejected"] as? [[String: Any]])?.first)
      #expect(rejected["line"] as? Int == 4)
      #expect(rejected["column"] as? String == "b")
      #expect(rejected["value"] as? String == "x")
    }
  }

  @Test func `a field given twice joins its columns with a blank`() throws {
    try with("day,time,b,c,d\n1/2/2020,1:30,5,one,two\n1/3/2020,2:30,5,one,\n") { attempt in
      _ = try attempt.run([
        "start=day", "start=time", "duration=b", "description=c", "description=d",
      ])
      let entries = try attempt.entries()
      #expect(entries.map { $0["description"] as? String } == ["one two", "one"])
      #expect(try entries.element(0)["start"] as? String == "2020-01-02T01:30:00Z")
    }
  }

  @Test(
    arguments: [
      ("minutes", "90", 5_400), ("minutes", "1.5", 90), ("hours", "1.5", 5_400),
      ("hours", "0", 0), ("seconds", "61", 61), ("clock", "1:30", 5_400),
      ("clock", "1:30:15", 5_415), ("clock", "100:00:00", 360_000),
    ])
  func `durations are read in their unit`(unit: String, text: String, seconds: Int) throws {
    try with("a,b,c\n1/2/2020 1:00,\(text),x\n") { attempt in
      let answer = try attempt.run(Self.plain, unit: unit)
      #expect(answer["created"] as? Int == 1, "\(answer)")
      #expect(try attempt.entries().first?["seconds"] as? Int == seconds)
    }
  }

  @Test(
    arguments: [
      ("minutes", "1:30", "5"), ("clock", "90", "0:05"), ("hours", "-1", "1"),
      ("seconds", "", "5"),
    ])
  func `a duration in another unit is rejected`(unit: String, text: String, good: String) throws {
    try with("a,b,c\n1/2/2020 1:00,\(text),x\n1/2/2020 1:00,\(good),x\n") { attempt in
      let answer = try attempt.run(Self.plain, unit: unit)
      #expect(answer["created"] as? Int == 1)
      let rejected = try #require((answer["rejected"] as? [[String: Any]])?.first)
      #expect(rejected["line"] as? Int == 2)
      #expect(rejected["column"] as? String == "b")
      #expect(rejected["value"] as? String == text)
    }
  }

  @Test func `users, projects, tags, billable, end and zone are taken as they are`() throws {
    let text = "from,to,who,p,t,pay\n1.7.2020 9:00,1.7.2020 10:15,anna,x,\"u, v\",yes\n"
    try with(text) { attempt in
      let columns = ["start=from", "end=to", "user=who", "project=p", "tags=t", "billable=pay"]
      _ = try attempt.run(columns, format: "d.M.yyyy H:mm", ["--zone", "Europe/Berlin"])
      let entry = try #require(try attempt.entries().first)
      #expect(entry["start"] as? String == "2020-07-01T07:00:00Z")
      #expect(entry["utcOffset"] as? Int == 7_200)
      #expect(entry["zone"] as? String == "Europe/Berlin")
      #expect(entry["seconds"] as? Int == 4_500)
      #expect(entry["user"] as? String == "anna")
      #expect(entry["project"] as? String == "x")
      #expect(entry["tags"] as? [String] == ["u", "v"])
      #expect(entry["billable"] as? Bool == true)
    }
  }

  @Test func `dates with an offset are moments, whatever the zone`() throws {
    let text = "a,b,c\n2026-10-25T02:30:00+01:00,2026-10-25T02:30:00Z,x\n2026-10-25 02:30,,y\n"
    try with(text) { attempt in
      let command = attempt.command(
        ["start=a", "end=b", "description=c"], format: "rfc3339", ["--zone", "Europe/Berlin"])
      #expect(
        try expectFine(command).contains(
          "line 3, column a: not in the format of RFC 3339, such as 2026-03-01T09:00:00+01:00: "))
      let entry = try #require(try attempt.entries().first)
      #expect(entry["start"] as? String == "2026-10-25T01:30:00Z")
      #expect(entry["seconds"] as? Int == 3_600 && entry["utcOffset"] as? Int == 3_600)
      #expect(entry["zone"] as? String == "Europe/Berlin")
      // The CSV of the log is read, too.
      let csv = try expectFine(["track", "log", ":all", "--csv", "--store", attempt.store])
      try Data(csv.utf8).write(to: URL(fileURLWithPath: "\(attempt.folder)/f.csv"))
      let other = "\(attempt.folder)/other"
      let columns = [
        "id", "user", "start", "end", "client", "project", "task", "tags", "description",
        "billable",
      ]
      try expectFine(
        ["track", "import", "\(attempt.folder)/f.csv", "--store", other, "--source", "s"]
          + ["--zone", "Europe/Berlin", "--date-format", "rfc3339"]
          + columns.flatMap { ["--column", "\($0)=\($0)"] })
      #expect(
        try expectFine(["track", "log", ":all", "--csv", "--store", other]) == csv)
    }
  }

  @Test func `an end without a date of its own is on the day after a later start`() throws {
    let text = "day,from,to\n2.3.2026,22:00,1:00\n3.3.2026,9:00,10:00\n28.3.2026,23:00,3:30\n"
    try with(text) { attempt in
      let columns = ["start=day", "start=from", "end=day", "end=to"]
      let answer = try attempt.run(columns, format: "d.M.yyyy H:mm", ["--zone", "Europe/Berlin"])
      #expect(answer["rejectedCount"] as? Int == 0)
      // Clocks skip an hour in the last night.
      #expect(try attempt.entries().map { $0["seconds"] as? Int } == [10_800, 3_600, 12_600])
    }
    // An end more than 12 hours after the start is probably a mistake.
    try with("day,from,to\n2.3.2026,21:00,9:00\n3.3.2026,21:00,9:01\n4.3.2026,10:00,9:00\n") {
      attempt in
      let columns = ["start=day", "start=from", "end=day", "end=to"]
      let answer = try attempt.run(columns, format: "d.M.yyyy H:mm")
      #expect(try attempt.entries().map { $0["seconds"] as? Int } == [43_200])
      let rejected = try #require(answer["rejected"] as? [[String: Any]])
      #expect(rejected.map { $0["line"] as? Int } == [3, 4])
      #expect(
        rejected.allSatisfy { ($0["reason"] as? String)?.contains("negative") == true },
        "\(rejected)")
    }
    // An end with a date is read as it is written.
    try with("from,to\n2.3.2026 22:00,2.3.2026 1:00\n") { attempt in
      try expectFailure(
        attempt.command(["start=from", "end=to"], format: "d.M.yyyy H:mm"), exit: 1,
        mentions: ["the duration is negative"])
    }
  }

  @Test func `a decimal comma is one, unless it may separate thousands`() throws {
    let rows = ["\"1,5\"", "\"0,25\"", "1.5", "\"1,2,3\"", "\"1,250\"", "\"1,5.0\""]
    func times(_ unit: String) throws -> [Int?] {
      var times: [Int?] = []
      try with("a,b\n" + rows.map { "1/2/2020 1:00,\($0)\n" }.joined()) { attempt in
        _ = try attempt.run(["start=a", "duration=b"], unit: unit)
        times = try attempt.entries().map { $0["seconds"] as? Int }.sorted { $0 ?? 0 < $1 ?? 0 }
      }
      return times
    }
    #expect(try times("hours") == [900, 4_500, 5_400, 5_400])
    #expect(try times("minutes") == [15, 90, 90])
  }

  @Test func `a dry run prints the counts and writes nothing`() throws {
    try with("a,b,c,d\n1/2/2020 1:00,5,x,1\n1/2/2020 2:00,0,y,2\nz,5,y,3\n") { attempt in
      let columns = Self.plain + ["id=d"]
      let command = attempt.command(columns, ["--source", "s"])
      let lines = try expectFine(command + ["--dry-run"]).lines
      #expect(
        lines.prefix(6) == [
          "Nothing was written. An import would have these counts:", "created         2",
          "skipped         0", "overlaps        0", "zero durations  1", "rejected        1",
        ])
      #expect(!attempt.hasStore())
      try expectFine(command)
      // All rows are known, so there is nothing to refuse.
      let repeated = try expectFine(command + ["--dry-run"]).lines.dropFirst()
      #expect(try repeated == expectFine(command).lines[...])
      let other = attempt.command(Self.plain)
      for command in [other, other + ["--dry-run"]] {
        #expect(try expectFine(command).contains("skipped         2\n"))
      }
      try attempt.changeFile()
      let answer = try attempt.run(columns, ["--source", "s", "--dry-run"])
      #expect(answer["created"] as? Int == 0 && answer["skipped"] as? Int == 2)
      #expect(answer["dryRun"] as? Bool == true && answer["overlaps"] as? Int == 0)
      let cancel = ["track", "import", "--cancel", "--source", "s", "--store", attempt.store]
      try expectFailure(cancel + ["--dry-run"], exit: 1, mentions: ["no unfinished import"])
    }
  }

  @Test func `an export of timewarrior is imported, each interval once`() throws {
    func export(_ last: String) -> String {
      """
      [
      {"id":3,"start":"20261117T080000Z","end":"20261117T090000Z","tags":["a b","c"],\
      "annotation":"x \\/ y"},
      {"id":2,"start":"2026111xT190000Z","end":"20261117T200000Z"},
      {"id":1,"start":"20261118T190000Z"\(last),"tags":["c"]}
      ]

      """
    }
    func command(_ attempt: Attempt) -> [String] {
      [
        "track", "import", "\(attempt.folder)/f.csv", "--store", attempt.store, "--format",
        "timewarrior", "--zone", "UTC",
      ]
    }
    try with(export("")) { attempt in
      let lines = [
        "created         1", "skipped         0",
        "running         1, left out until they have ended",
        "overlaps        0", "zero durations  0", "rejected        1",
        "  line 3, column start: not in the format yyyyMMddTHHmmssZ: 2026111xT190000Z",
        "zone            UTC",
      ]
      let preview = try expectFine(command(attempt) + ["--dry-run"]).lines
      #expect(preview.dropFirst() == lines[...])
      #expect(!attempt.hasStore())
      #expect(try expectFine(command(attempt)).lines == lines)
      let ended = export(",\"end\":\"20261118T193000Z\"")
      try Data(ended.utf8).write(to: URL(fileURLWithPath: "\(attempt.folder)/f.csv"))
      let answer = try object(expectFine(command(attempt) + ["--json"]))
      #expect(answer["created"] as? Int == 1 && answer["skipped"] as? Int == 1)
      let entries = try attempt.entries()
      #expect(entries.map { $0["description"] as? String } == ["x / y", ""])
      #expect(entries.map { $0["tags"] as? [String] } == [["a b", "c"], ["c"]])
      #expect(entries.map { $0["seconds"] as? Int } == [3_600, 1_800])
      try expectFailure(
        command(attempt) + ["--delimiter", "tab"], exit: 64, mentions: ["--delimiter is for CSV"])
    }
    // The same intervals of another user are different rows.
    try with("[{\"start\":\"20261117T080000Z\",\"end\":\"20261117T090000Z\"}]") { attempt in
      func imported(_ user: String) throws -> [Int?] {
        try attempt.changeFile()
        let answer = try object(expectFine(command(attempt) + ["--json", "--user", user]))
        return [answer["created"] as? Int, answer["skipped"] as? Int]
      }
      let counts = try [imported("Anna"), imported("Bob"), imported("anna")]
      #expect(counts == [[1, 0], [1, 0], [0, 1]])
    }
    try with("") { attempt in
      let file = try #require(FileHandle(forWritingAtPath: "\(attempt.folder)/f.csv"))
      try file.truncate(atOffset: 1 << 40)
      try expectFailure(command(attempt), exit: 1, mentions: ["more than 268435456 bytes"])
    }
    try with("a,b\n") { attempt in
      try expectFailure(command(attempt), exit: 1, mentions: ["no export of timewarrior"])
      #expect(!attempt.hasStore())
    }
    try with("[{\"id\":1}]") { attempt in
      try expectFailure(command(attempt), exit: 1, mentions: ["interval 1 has no start"])
    }
  }

  @Test func `intervals with one start are imported each, as often as they occur`() throws {
    let intervals = [
      #"{"start":"20261101T080000Z","end":"20261101T080000Z","tags":["mail"]}"#,
      #"{"start":"20261101T080000Z","end":"20261101T093000Z","tags":["code"]}"#,
    ]
    for order in [intervals, intervals.reversed()] {
      try with("[\(order.joined(separator: ","))]") { attempt in
        let store = ["--store", attempt.store]
        func imported(_ intervals: [String]) throws -> [Int?] {
          try Data("[\(intervals.joined(separator: ",\n"))]".utf8)
            .write(to: URL(fileURLWithPath: "\(attempt.folder)/f.csv"))
          let answer = try object(
            expectFine(["track", "import", "\(attempt.folder)/f.csv", "--json"] + store))
          return ["created", "skipped", "clashing", "differingCount"].map { answer[$0] as? Int }
        }
        func seconds() throws -> Int {
          try attempt.entries().reduce(0) { $0 + ($1["seconds"] as? Int ?? 0) }
        }
        #expect(try imported(order) == [2, 0, 0, 0])
        #expect(try seconds() == 5_400)
        #expect(try imported(order) == [0, 2, 0, 0])
        #expect(try imported(order.reversed()) == [0, 2, 0, 0])
        // Another one of the same start is new, wherever it is, and an equal one, too.
        let other = #"{"start":"20261101T080000Z","end":"20261101T081500Z","tags":["call"]}"#
        #expect(try imported([other] + order) == [1, 2, 0, 0])
        #expect(try imported(order + [order[0], other]) == [1, 3, 0, 0])
        // The longest one was corrected: only it differs.
        let longer = intervals[1].replacing("093000", with: "094500")
        #expect(try imported([intervals[0], longer, other]) == [0, 2, 0, 1])
        #expect(try seconds() >= 5_400 + 900)
        // Empty entries overlap none of track.
        let empty = intervals[0].replacing("20261101", with: "20261102")
        #expect(try imported([empty, empty.replacing("T08", with: "T09")])[0] == 2)
        try expectFine(["track", "add", "2026-11-02", "8:00 - 9:00", "b", "--tz", "UTC"] + store)
      }
    }
  }

  @Test func `the command that takes a row over is read back by a shell`() throws {
    func row(_ text: String, _ client: String) -> String {
      "id,start,end,text,client,project\n"
        + "1,2026-11-17 08:00,2026-11-17 09:00,\"\(text)\",\(client)\n"
    }
    let other = "2,2026-11-18 08:00,2026-11-18 09:00,y,Zeta,web\n"
    try with(row("x", "ACME,web") + other) { attempt in
      let store = ["--store", attempt.store]
      let file = "\(attempt.folder)/f.csv"
      let command =
        ["track", "import", file, "--source", "j", "--date-format", "yyyy-MM-dd HH:mm", "--json"]
        + ["id", "start", "end", "client", "project"].flatMap { ["--column", "\($0)=\($0)"] }
        + ["--column", "description=text"] + store
      try expectFine(command)
      try expectFine(["track", "edit", "0", "--project", "other"] + store)
      let text = "it's two\nlines\t\\ and \u{202E}more"
      try Data(row(text, "ACME,web").utf8).write(to: URL(fileURLWithPath: file))
      let lines = try expectFine(command.filter { $0 != "--json" }).lines
      let edit = try #require(lines.first { $0.contains("track edit 0") })
      #expect(
        edit.hasPrefix(
          #"  track edit 0 --description $'it\'s two\nlines\t\\ and \342\200\256more'"#
            + " --project ACME/web  #"), "\(edit)")
      let words = edit.split(separator: "  #")[0].trimmingCharacters(in: .whitespaces)
      let result = try shell("\(words) --store \"$1\"", [attempt.store])
      #expect(result.status == 0, "\(result.errors)")
      let again = try object(expectFine(command))
      #expect(again["differingCount"] as? Int == 0 && again["skipped"] as? Int == 1)
      #expect(try attempt.entries().element(0)["description"] as? String == text)
    }
  }

  @Test func `a corrected interval is reported with the command that takes it over`() throws {
    func export(_ hour: String, _ tag: String, _ text: String) -> String {
      """
      [{"start":"20261117T080000Z","end":"20261117T\(hour)0000Z","tags":["\(tag)","c"],\
      "annotation":"\(text)"},
      {"start":"20261118T080000Z","end":"20261118T\(hour)0000Z"},
      {"start":"20261119T080000Z","end":"20261119T090000Z"}]

      """
    }
    try with(export("09", "a", "x")) { attempt in
      let store = ["--store", attempt.store]
      let command =
        ["track", "import", "\(attempt.folder)/f.csv", "--format", "timewarrior"] + store
      try expectFine(command)
      // A field that the file lacks is no difference, and a deleted entry stays deleted.
      try expectFine(["track", "edit", "1", "--project", "p", "--task", "", "--billable"] + store)
      try expectFine(["track", "delete", "2"] + store)
      try Data(export("18", "b d", "-y it's").utf8)
        .write(to: URL(fileURLWithPath: "\(attempt.folder)/f.csv"))
      let lines = [
        "skipped         0", "deleted         1, which stay deleted",
        "differing       2, the entries keep their values; the file has:",
        "  track edit 0 --end 2026-11-17T18:00:00+00:00 '--description=-y it'\\''s' --tag 'b d' "
          + "--untag a --policy allow",
        "  track edit 1 --end 2026-11-18T18:00:00+00:00 --policy allow  # changed since its import",
      ]
      let zone = ["--tz", "UTC"]
      #expect(
        try expectFine(command + zone + ["--dry-run"]).lines.dropFirst(2).prefix(5) == lines[...])
      #expect(try expectFine(command + zone).lines.dropFirst().prefix(5) == lines[...])
      let answer = try object(expectFine(command + ["--json"]))
      let rows = try #require(answer["differing"] as? [[String: Any]])
      #expect(answer["differingCount"] as? Int == 2 && answer["deleted"] as? Int == 1)
      #expect(rows.map { $0["entry"] as? Int } == [0, 1])
      #expect(rows.map { $0["edited"] as? Bool } == [false, true])
      for row in rows {
        let words = try #require(row["command"] as? [String])
        try expectFine(["track"] + words + store)
      }
      let again = try object(expectFine(command + ["--json"]))
      #expect(again["skipped"] as? Int == 2 && again["differingCount"] as? Int == 0)
      let entries = try attempt.entries()
      #expect(entries.map { $0["description"] as? String } == ["-y it's", ""])
      #expect(entries.map { $0["tags"] as? [String] } == [["c", "b d"], []])
      #expect(entries.map { $0["seconds"] as? Int } == [36_000, 36_000])
    }
  }

  @Test func `a corrected row is reported for each field that has a column`() throws {
    let old = "id,a,b,c,p,t,g,y\n1,1/2/2020 1:00,60,x,p,t,\"k, l\",yes\n2,1/3/2020 1:00,5,y,,,,no\n"
    let new = "id,a,b,c,p,t,g,y\n1,1/2/2020 2:00,90,,q,,l,no\n2,1/3/2020 1:00,5,Y,P,T,m,1\n"
    let columns = [
      "id=id", "start=a", "duration=b", "description=c", "project=p", "task=t", "tags=g",
      "billable=y",
    ]
    try with(old) { attempt in
      let source = ["--source", "s"]
      _ = try attempt.run(columns, source)
      try Data((new + "1,1/2/2020 5:00,1,again,,,,\n").utf8)
        .write(to: URL(fileURLWithPath: "\(attempt.folder)/f.csv"))
      // Without their columns, the other fields do not differ.
      let few = try attempt.run(["id=id", "start=a", "duration=b"], source)
      #expect(few["differingCount"] as? Int == 1 && few["skipped"] as? Int == 1)
      let answer = try attempt.run(columns, source)
      let rows = try #require(answer["differing"] as? [[String: Any]])
      #expect(rows.count == 2 && answer["clashing"] as? Int == 1)
      for row in rows {
        let words = try #require(row["command"] as? [String])
        try expectFine(["track"] + words + ["--store", attempt.store])
      }
      let again = try attempt.run(columns, source)
      #expect(again["differingCount"] as? Int == 0 && again["skipped"] as? Int == 2)
      let entries = try attempt.entries()
      #expect(entries.map { $0["project"] as? String } == ["q", "p"])
      #expect(entries.map { $0["task"] as? String } == [nil, "t"])
      #expect(entries.map { $0["billable"] as? Bool } == [false, true])
    }
  }

  @Test func `a billable row of CSV has the rate of a new entry`() throws {
    let rows = ["9:00,60,p,yes,1", "10:00,60,,yes,2", "11:00,60,new,yes,3", "12:00,60,p,no,4"]
    let text = "a,b,c,d,e\n" + rows.map { "1/2/2020 \($0)\n" }.joined()
    try with(text) { attempt in
      for words in [
        ["projects", "create", "p", "--rate", "80"], ["users", "create", "anna"],
        ["users", "set", "anna", "--rate", "30"],
      ] { try expectFine(["track"] + words + ["--store", attempt.store]) }
      let columns = ["start=a", "duration=b", "project=c", "billable=d", "id=e"]
      let more = ["--source", "s", "--user", "anna", "--update"]
      #expect(try attempt.run(columns, more)["created"] as? Int == 4)
      #expect(try attempt.entries().map { $0["rate"] as? Int } == [8_000, 3_000, 3_000, nil])
      // A rate that was set since applies to later entries only.
      try expectFine(["track", "projects", "set", "p", "--rate", "90", "--store", attempt.store])
      try attempt.changeFile()
      #expect(try attempt.run(columns, more)["skipped"] as? Int == 4)
      let file = URL(fileURLWithPath: "\(attempt.folder)/f.csv")
      try Data(text.replacing(",60,p", with: ",50,p").utf8).write(to: file)
      #expect((try attempt.run(columns, more)["updated"] as? [Any])?.count == 2)
      #expect(try attempt.entries().map { $0["rate"] as? Int } == [8_000, 3_000, 3_000, nil])
    }
  }

  @Test func `a log of track is read back into another store`() throws {
    try with("") { attempt in
      let old = "\(attempt.folder)/old"
      func track(_ verb: String, _ words: String...) throws {
        try expectFine(["track", verb, "--store", old] + words)
      }
      try track("projects", "create", "=web", "--client", "ACME, \"Ltd\"", "--rate", "85.50")
      try track("tasks", "create", "a/b", "--project", "=web")
      try track(
        "add", "--from", "2026-03-01 9:00", "--for", "1h", "--project", "=web", "--task", "a/b",
        "--tag", "deep, work", "--tag", "b c", "--billable", "--note", "one\ntwo", "--note", "-3",
        "--tz", "Asia/Kolkata", "--user", "anna", "--", "=1+1 \"q\"\n\\u{A} 'x'")
      try track("add", "2026-03-29 1:30", "-", "3:30", "x", "--tz", "Europe/Berlin")
      try track("add", "2026-03-30 9:00", "-", "9:00:07", "--tag", "b c", "--tz", "UTC")
      try track("start", "running", "--tz", "UTC")
      func entries(_ store: String) throws -> [[String: Any]] {
        let list = try json(expectFine(["track", "log", ":all", "--json", "--store", store]))
        return try #require(list as? [[String: Any]])
      }
      let file = "\(attempt.folder)/log.json"
      let log = try expectFine(["track", "log", ":all", "--json", "--store", old])
      try Data(log.utf8).write(to: URL(fileURLWithPath: file))
      let command = ["track", "import", file, "--format", "track", "--store", attempt.store]
      try expectFailure(command, exit: 64, mentions: ["unknown system"])
      let answer = try object(expectFine(command + ["--source", "old", "--json"]))
      #expect(answer["created"] as? Int == 3 && answer["running"] as? Int == 1)
      func compared(_ entries: [[String: Any]]) -> [NSDictionary] {
        entries.filter { $0["running"] as? Bool == false }.map { entry in
          var entry = entry
          (entry["id"], entry["externalIDs"]) = (nil, nil)
          entry["tags"] = (entry["tags"] as? [String])?.sorted()
          return entry as NSDictionary
        }
      }
      let (before, after) = try (entries(old), entries(attempt.store))
      #expect(before.count == 4 && after.count == 3)
      #expect(
        try before.element(0)["rate"] as? Int == 8_550
          && before.element(0)["utcOffset"] as? Int == 19_800)
      #expect((before[0]["annotations"] as? [String])?.count == 2)
      #expect(compared(before) == compared(after))
      // Once more with the other entry, which has ended.
      try track("stop")
      let more = try expectFine(["track", "log", ":all", "--json", "--store", old])
      try Data(more.utf8).write(to: URL(fileURLWithPath: file))
      let again = try object(expectFine(command + ["--source", "old", "--json"]))
      #expect(again["created"] as? Int == 1 && again["skipped"] as? Int == 3)
      #expect(again["differingCount"] as? Int == 0)
      for option in [["--delimiter", "tab"], ["--zone", "UTC"]] {
        try expectFailure(
          command + ["--source", "old"] + option, exit: 64, mentions: ["Leave out"])
      }
      try Data(more.replacing("\"anna\"", with: "\"\"").utf8)
        .write(to: URL(fileURLWithPath: file))
      try expectFailure(
        command + ["--source", "old"], exit: 1,
        mentions: ["no log of track: element 1 is no entry", "track log :all --json"])
    }
  }

  @Test func `an element that refuses a whole file is named with its line`() throws {
    func entry(_ id: Int, _ end: String) -> String {
      """
      {"id":\(id),"user":"anna","description":"x","client":null,"project":null,"task":null,\
      "tags":[],"start":"2026-03-02T09:00:00Z","end":"\(end)","zone":"UTC","utcOffset":0,\
      "deleted":false,"billable":false,"rate":null,"annotations":[]}
      """
    }
    let good = entry(7, "2026-03-02T10:00:00Z")
    let interval = #"{"start":"20260302T080000Z","end":"20260302T090000Z"}"#
    let frame = #"[1772442000,1772445600,"p","a"]"#
    let texts: [(String, [String])] = [
      (
        "[\(good),\n\(entry(8, "2026-05-02T10:00:00Z"))]",
        [
          "Line 2, column end of entry 8: the duration is longer than 999:00:00: "
            + "2026-05-02T10:00:00Z."
        ]
      ),
      (
        "[\(entry(8, "2026-03-02T08:00:00Z")),\n\(good)]",
        ["Line 1, column end of entry 8: the duration is negative: 2026-03-02T08:00:00Z."]
      ),
      ("[\(good),\n{\"id\":1}]", ["Line 2: element 2 is no entry: "]),
      ("[\(frame),\n[1772442000]]", ["Line 2: element 2 is no frame: [1772442000]."]),
      ("[\(interval),\n{\"end\":\"x\"}]", ["Line 2: interval 2 has no start: "]),
    ]
    for (text, mentions) in texts {
      try with(text) { attempt in
        let advice = "Correct it, or take it out of the file. Nothing was written."
        let command = ["track", "import", "\(attempt.folder)/f.csv", "--store", attempt.store]
        try expectFailure(
          command + ["--source", "s"], exit: 1,
          mentions: ["f.csv was not imported", advice] + mentions)
        #expect(!attempt.hasStore())
      }
    }
  }

  @Test func `overlaps and zero durations are accepted and counted`() throws {
    let rows = ["1/2/2020 1:00,60,x", "1/2/2020 1:30,60,y", "1/2/2020 3:00,0,z"]
    try with("a,b,c\n" + rows.joined(separator: "\n") + "\n") { attempt in
      let command = attempt.command(Self.plain, ["--zone", "UTC"])
      let lines = [
        "created         3", "skipped         0", "overlaps        2", "zero durations  1",
        "rejected        0", "zone            UTC",
      ]
      #expect(try expectFine(command + ["--dry-run"]).lines.dropFirst() == lines[...])
      let listed = ["  #0 \"x\" (2020-01-02 01:00 - 02:00) and #1 \"y\" (2020-01-02 01:30 - 02:30)"]
      #expect(try expectFine(command).lines == lines[..<3] + listed + lines[3...])
      // A row of the next file overlaps two entries in the store.
      try Data("a,b,c\n1/2/2020 1:45,60,w\n".utf8)
        .write(to: URL(fileURLWithPath: "\(attempt.folder)/f.csv"))
      for more in [["--dry-run"], []] {
        #expect(try attempt.run(Self.plain, more)["overlaps"] as? Int == 1)
      }
    }
  }

  @Test func `times that clocks show twice are counted, with the moment that was taken`() throws {
    let zone = ["--zone", "Europe/Berlin"]
    let columns = ["start=a", "end=b", "description=c"]
    let first = "10/25/2026 2:30,10/25/2026 3:30,x\n"
    // Only the later moment of the end is not before the start.
    let second = "10/25/2026 2:40,10/25/2026 2:10,y\n"
    for (rows, text, counts) in [
      (first, "1, the earlier moment was taken", [1, 0]),
      (first + second, "3, the earlier moment of 2 and the later of 1 was taken", [2, 1]),
      ("1/2/2026 2:30,1/2/2026 3:30,x\n", nil, [0, 0]),
    ] as [(String, String?, [Int])] {
      try with("a,b,c\n" + rows) { attempt in
        let lines = try expectFine(attempt.command(columns, zone)).lines
        let told = lines.filter { $0.hasPrefix("repeated") }
        #expect(told == (text.map { ["repeated times  \($0)"] } ?? []))
        try attempt.changeFile()
        let other = try attempt.run(columns, zone + ["--user", "bob"])["repeatedTimes"]
        #expect(other as? [String: Int] == ["earlier": counts[0], "later": counts[1]])
      }
    }
  }

  @Test func `another delimiter is given, and suggested if the header has the columns with it`()
    throws
  {
    for (delimiter, word) in [(";", ";"), ("\t", "tab")] {
      let text = ["a,b,c", "1/2/2020 1:00,5,\"x\(delimiter)y\""].joined(separator: "\n")
      try with(text.replacing(",", with: delimiter) + "\n") { attempt in
        let failed = try run("track", Array(attempt.command(Self.plain).dropFirst()))
        let quoted = word == "tab" ? word : "\"\(word)\""
        #expect(failed.status == 64 && failed.errors.contains("add --delimiter \(quoted)."))
        #expect(!attempt.hasStore())
        try expectFine(attempt.command(Self.plain, ["--delimiter", word]))
        #expect(try attempt.entries().element(0)["description"] as? String == "x\(delimiter)y")
      }
    }
    try with("a,b,c\n") { attempt in
      for wrong in ["", ";;", "\"", "é"] {
        try expectFailure(
          attempt.command(Self.plain, ["--delimiter", wrong]), exit: 64, mentions: ["--delimiter"])
      }
      try expectFailure(
        attempt.command(Self.plain, ["--delimiter", ";"]), exit: 64,
        mentions: ["--delimiter \",\""])
    }
  }

  @Test func `a file of only invalid rows is refused, and makes no store`() throws {
    let rows = (0..<3_000).map { "\($0),5,x" }
    try with((["a,b,c"] + rows).joined(separator: "\n") + "\n") { attempt in
      try expectFailure(
        attempt.command(Self.plain), exit: 1,
        mentions: ["3000 rows are invalid", "line 2", "column a"])
      #expect(!attempt.hasStore(), "a refused import made a store")
      // A refused import does not change an existing store.
      try expectFine(["track", "start", "a", "--store", attempt.store])
      let before = try Data(contentsOf: URL(fileURLWithPath: "\(attempt.store)/data.mdb"))
      try expectFailure(attempt.command(Self.plain), exit: 1)
      #expect(try Data(contentsOf: URL(fileURLWithPath: "\(attempt.store)/data.mdb")) == before)
    }
  }

  @Test func `times are those of the machine's zone, unless another is named`() throws {
    try with("a,b,c\n7/1/2020 9:00,5,x\n") { attempt in
      let kolkata = ["TZ": "Asia/Kolkata"]
      try expectFine(attempt.command(Self.plain), environment: kolkata)
      try attempt.changeFile()
      try expectFine(
        attempt.command(Self.plain, ["--source", "other", "--zone", "Europe/Berlin"]),
        environment: kolkata)
      let entries = try attempt.entries()
      #expect(
        Set(entries.compactMap { $0["start"] as? String }) == [
          "2020-07-01T03:30:00Z", "2020-07-01T07:00:00Z",
        ])
      #expect(
        Set(entries.compactMap { $0["zone"] as? String }) == ["Asia/Kolkata", "Europe/Berlin"])
      #expect(Set(entries.compactMap { $0["utcOffset"] as? Int }) == [19_800, 7_200])
    }
  }

  @Test func `a row is imported once a source, and the ids of two sources do not meet`() throws {
    try with("a,b,c,id\n1/2/2020 1:00,5,one,7\n1/2/2020 2:00,5,two,8\n") { attempt in
      let columns = Self.plain + ["id=id"]
      func created(_ source: String) throws -> [Int?] {
        let answer = try attempt.run(columns, ["--source", source])
        return [answer["created"] as? Int, answer["skipped"] as? Int]
      }
      #expect(try created("jira") == [2, 0])
      try expectFailure(
        attempt.command(columns, ["--source", "toggl"]), exit: 1, mentions: ["imported already"])
      try attempt.changeFile()
      #expect(try created("toggl") == [2, 0])
      // The same rows in another file of a source; names of sources are compared as all names are.
      let more = "a,b,c,id\n1/3/2020 1:00,5,three,9\n1/2/2020 1:00,5,one,7\n"
      try Data(more.utf8).write(to: URL(fileURLWithPath: "\(attempt.folder)/f.csv"))
      #expect(try created(" JIRA ") == [1, 1])
      #expect(try created("jira") == [0, 2])
      let entries = try attempt.entries()
      let ids = try entries.map { try #require($0["externalIDs"] as? [[String: String]]) }
      #expect(
        Set(ids.map { "\($0.map { "\($0["source"] ?? "") \($0["id"] ?? "")" })" }).count == 5)
      #expect(entries.count == 5)
      try expectFailure(
        attempt.command(columns), exit: 64, mentions: ["unknown system", "--source"])
    }
  }

  @Test func `a file without ids is imported once`() throws {
    try with("a,b,c\n1/2/2020 1:00,5,x\n") { attempt in
      try expectFine(attempt.command(Self.plain))
      #expect(try attempt.run(Self.plain)["skipped"] as? Int == 1)
      #expect(try attempt.entries().count == 1)
      // With other columns its rows are others.
      try expectFailure(
        attempt.command(["start=a", "duration=b"]), exit: 1, mentions: ["imported already"])
    }
  }

  @Test func `an answer that leaves rejected rows out says so`() throws {
    let rows = String(repeating: "x,5,y\n", count: 10_003)
    try with("a,b,c\n" + rows + "1/2/2020 1:00,5,y\n") { attempt in
      let command = attempt.command(Self.plain, ["--json"])
      let result = try run("track", Array(command.dropFirst()))
      #expect(result.status == 0)
      let answer = try object(result.output)
      #expect(
        Set(answer.keys) == [
          "created", "resumed", "skipped", "deleted", "clashing", "differingCount", "differing",
          "overlaps",
          "zeroDurations", "repeatedTimes", "zone", "secondsLeftOut", "rejectedCount", "rejected",
        ])
      #expect(answer["created"] as? Int == 1)
      #expect((answer["rejected"] as? [Any])?.count == 10_000)
      #expect(answer["rejectedCount"] as? Int == 10_003 && result.errors.isEmpty)
      try attempt.changeFile()
      let text = try expectFine(attempt.command(Self.plain, ["--source", "other"]))
      #expect(text.contains("rejected        10003\n") && text.contains("  and 3 more\n"))
    }
  }

  @Test func `a row without a client is of the only project of its name, billable as it is`() throws
  {
    let rows = "a,b,c,d,e\n1/2/2020 1:00,5,web,,\n1/2/2020 2:00,5,shop,,\n"
    try with(rows) { attempt in
      func track(_ words: String...) throws {
        try expectFine(["track"] + words + ["--store", attempt.store])
      }
      func projects() throws -> [String] {
        try expectFine(["track", "projects", "--store", attempt.store]).lines
      }
      try track("projects", "create", "web", "--client", "ACME", "--rate", "85")
      try track("projects", "create", "shop", "--client", "ACME")
      let columns = ["start=a", "duration=b", "project=c"]
      for more in [["--dry-run"], []] {
        #expect(try attempt.run(columns, more)["notes"] == nil)
      }
      #expect(try projects().count == 2)
      let entries = try attempt.entries()
      #expect(entries.map { $0["client"] as? String } == ["ACME", "ACME"])
      #expect(entries.map { $0["billable"] as? Bool } == [true, false])
      #expect(entries.map { $0["rate"] as? Int } == [8_500, nil])
      // With a column for billable; an empty client matches any client.
      try attempt.changeFile()
      _ = try attempt.run(columns + ["billable=d", "client=e"], ["--user", "bob"])
      let billable = try attempt.entries().map { $0["billable"] as? Bool }
      #expect(billable.count { $0 == true } == 1 && billable.count == 4)
      #expect(try projects().count == 2)
      // Of several projects of one name, the one without a client is meant.
      try track("projects", "create", "web", "--client", "ACME Ltd")
      try attempt.changeFile()
      let told = try expectFine(attempt.command(columns, ["--user", "carl"]))
      #expect(told.contains("\nnote            several projects are named web: "), "\(told)")
      #expect(try projects().count == 4)
      try attempt.changeFile()
      let again = try attempt.run(columns + ["client=e"], ["--user", "dora"])
      #expect(again["notes"] == nil && again["created"] as? Int == 2)
      #expect(try projects().count == 4)
    }
  }

  @Test func `rows of clients that were merged make no second project of a name`() throws {
    try with("a,b,c,d\n1/2/2020 1:00,5,New,web\n1/2/2020 2:00,5,Old,shop\n") { attempt in
      for (client, project) in [("Old", "web"), ("New", "shop")] {
        try expectFine(
          ["track", "projects", "create", project, "--client", client, "--store", attempt.store])
      }
      try expectFine(["track", "clients", "merge", "Old", "New", "--store", attempt.store])
      _ = try attempt.run(["start=a", "duration=b", "client=c", "project=d"])
      let projects = try expectFine(["track", "projects", "--store", attempt.store]).lines
      #expect(projects == ["shop  client New", "web   client New"])
      #expect(try attempt.entries().allSatisfy { $0["client"] as? String == "New" })
      try attempt.changeFile()
      let again = ["--source", "s", "--column", "id=a"]
      for created in [2, 0] {
        let answer = try attempt.run(["start=a", "duration=b", "client=c", "project=d"], again)
        #expect(answer["created"] as? Int == created && answer["differingCount"] as? Int == 0)
        try attempt.changeFile()
      }
    }
  }

  @Test func `an import tells of a project of a workspace, and of a client that was deleted`()
    throws
  {
    try with("a,b,d\n1/2/2020 1:00,5,far\n1/2/2020 2:00,5,web\n1/2/2020 3:00,5,both\n") {
      attempt in
      for words in [
        "workspaces create studio", "projects create far --workspace studio", "clients create A",
        "projects create both", "projects create both --workspace studio",
        "projects create web --client A", "clients delete A --yes",
      ] {
        try expectFine(
          ["track"] + words.split(separator: " ").map(String.init) + ["--store", attempt.store])
      }
      let notes = [
        "the project far of a workspace is another one: rows are of one without a workspace",
        "the client A was deleted: rows are of a new client of that name",
      ]
      for more in [["--dry-run"], []] {
        let answer = try attempt.run(["start=a", "duration=b", "project=d"], more)
        #expect(answer["notes"] as? [String] == notes)
      }
      try attempt.changeFile()
      #expect(try attempt.run(["start=a", "duration=b", "project=d"])["notes"] == nil)
    }
  }

  @Test func `a project renamed to the name of a project merged into it keeps its rate`() throws {
    try with("a,b,c,d\n1/2/2020 1:00,5,B,web\n1/2/2020 2:00,5,,web\n") { attempt in
      for words in [
        "projects create web --client A", "projects create site --client A --rate 85",
        "projects merge web site", "clients create B", "projects set site --client B",
        "projects rename site web",
      ] {
        try expectFine(
          ["track"] + words.split(separator: " ").map(String.init) + ["--store", attempt.store])
      }
      let answer = try attempt.run(["start=a", "duration=b", "client=c", "project=d"])
      #expect(answer["notes"] == nil)
      let entries = try attempt.entries()
      #expect(entries.map { $0["rate"] as? Int } == [8_500, 8_500], "\(entries)")
      #expect(entries.map { $0["client"] as? String } == ["B", "B"])
    }
  }

  @Test func `a strict import refuses before anything is written`() throws {
    try with("a,b,c\n1/2/2020 1:00,5,x\nyesterday,5,y\n") { attempt in
      let strict = attempt.command(Self.plain, ["--strict"])
      try expectFailure(
        strict, exit: 1, mentions: ["1 row is", "line 3", "column a", "yesterday", "Nothing was"])
      #expect(!attempt.hasStore(), "a refused import made a store")
      #expect(try attempt.run(Self.plain)["created"] as? Int == 1)
      try expectFailure(strict, exit: 1)
      #expect(try attempt.entries().count == 1)
    }
  }

  @Test(arguments: ["", " --strict"])
  func `a file that can be read only once is imported whole`(option: String) throws {
    let rows = (0..<4_000).map { "1/\($0 % 28 + 1)/2020 1:00,5,row \($0)" }
    try with((["a,b,c"] + rows).joined(separator: "\n") + "\n") { attempt in
      let options = attempt.command(Self.plain, ["--json"]).dropFirst(3)
        .map { "'\($0)'" }.joined(separator: " ")
      for (number, command) in [
        "cat \"$1\" | track import /dev/stdin", "track import <(cat \"$1\")",
        "track import /dev/stdin <\"$1\"", "track import - <\"$1\"", "cat \"$1\" | track import -",
      ].enumerated() {
        let words = options.replacing(attempt.store, with: "\(attempt.store)\(number)")
        let file = "\(attempt.folder)/f.csv"
        let result = try shell("\(command) \(words)\(option)", [file])

        #expect(result.status == 0, "\(command): \(result.errors)")
        #expect(try object(result.output)["created"] as? Int == 4_000, "\(command)")
      }
    }
  }

  @Test func `a strict import of a pipe refuses before anything is written`() throws {
    try with("a,b,c\n1/2/2020 1:00,5,x\nyesterday,5,y\n") { attempt in
      let options = attempt.command(Self.plain, ["--strict"]).dropFirst(3)
        .map { "'\($0)'" }.joined(separator: " ")
      let result = try shell(
        "track import <(cat \"$1\") \(options)", ["\(attempt.folder)/f.csv"])
      #expect(result.status == 1 && result.errors.contains("yesterday"), "\(result.errors)")
      #expect(!attempt.hasStore())
    }
  }

  @Test func `an error as JSON is whole, however long, and whatever it quotes`() throws {
    let columns = (0..<2_000).map { "column \($0)" } + ["\u{202E}x\u{1B}[1m"]
    try with(columns.joined(separator: ",") + "\n") { attempt in
      let result = try run(
        "track", Array(attempt.command(Self.plain, ["--json"]).dropFirst()))
      #expect(result.status == 64)
      let told = try PrintedFailure(json: result.errors)
      #expect(told.exitCode == 64 && told.why.utf8.count > 10_000)
      #expect(!result.errors.contains("\u{1B}"))
      // As text, each line is cut and has no control characters.
      let text = try run("track", Array(attempt.command(Self.plain).dropFirst()))
      #expect(text.errors.split(separator: "\n").allSatisfy { $0.utf8.count < 5_000 })
      #expect(!text.errors.unicodeScalars.contains { [0x1B, 0x202E].contains($0.value) })
    }
  }

  @Test func `an import that is impossible is refused with a message, and no store is made`() throws
  {
    try with("a,a,b,c\n1/2/2020 1:00,1/2/2020 1:00,5,x\n") { attempt in
      let c = attempt.command
      let good = ["start=b", "duration=c"]
      let refused: [([String], Int32, [String])] = [
        (
          c(["start=z", "duration=b"], "M/d/yyyy", "minutes", "f.csv", []), 64,
          ["column \"z\"", "\"a\", \"a\""]
        ),
        (c(["start=a", "duration=b"], "M/d/yyyy", "minutes", "f.csv", []), 64, ["two columns a"]),
        (c(["duration=b"], "M/d/yyyy", "minutes", "f.csv", []), 64, ["start"]),
        (c(["start=b"], "M/d/yyyy", "minutes", "f.csv", []), 64, ["duration", "end"]),
        (c(good + ["color=b"], "M/d/yyyy", "minutes", "f.csv", []), 64, ["color=b", "billable"]),
        (c(good + ["user"], "M/d/yyyy", "minutes", "f.csv", []), 64, ["FIELD=HEADER"]),
        (c(good, "M/d/yyyy", "minutes", "f.csv", ["--zone", "Mars/Base"]), 64, ["Mars/Base"]),
        (c(good, "M/d/yyyy", "minutes", "f.csv", ["--zone", "../UTC"]), 64, ["../UTC"]),
        (c(good, "yyyy", "minutes", "f.csv", []), 64, ["month"]),
        (c(good, "QQ", "minutes", "f.csv", []), 64, ["QQ"]),
        (c(good, "M/d/yyyy", "weeks", "f.csv", []), 64, ["weeks", "clock"]),
        (c(good, "M/d/yyyy", "minutes", "none.csv", []), 64, ["none.csv", "no such file"]),
        (c(good, "M/d/yyyy", "minutes", ".", []), 64, ["directory"]),
        (c(good, "M/d/yyyy", "minutes", "f.csv", ["--format", "xml"]), 64, ["xml", "csv"]),
        (["track", "import", "--store", attempt.store], 64, ["file"]),
      ]
      for (command, exit, words) in refused {
        try expectFailure(command, exit: exit, mentions: words)
      }
      for (text, word) in [("", "header"), ("\n\n", "header"), ("\"a,b,c\n", "quote")] {
        try Data(text.utf8).write(to: URL(fileURLWithPath: "\(attempt.folder)/f.csv"))
        let result = try run("track", Array(attempt.command(good).dropFirst()))
        #expect(
          [1, 64].contains(result.status) && result.errors.contains(word), "\(result.errors)")
      }
      #expect(!attempt.hasStore())
    }
  }
}
