import Foundation
import Testing
import ToolTestSupport

/// CSV of other programs is imported without naming its columns.
@Suite struct ImportCSVTests {
  private struct Attempt {
    let folder: String
    var file: String { "\(folder)/f.csv" }
    var store: [String] { ["--store", "\(folder)/s"] }

    func write(_ bytes: some Sequence<UInt8>) throws {
      try Data(bytes).write(to: URL(fileURLWithPath: file))
    }

    func command(_ more: String...) -> [String] { ["track", "import", file] + store + more }

    func entries(of store: String = "s") throws -> [[String: Any]] {
      let log = ["track", "log", ":all", "--json", "--store", "\(folder)/\(store)"]
      return try json(expectFine(log)) as? [[String: Any]] ?? []
    }
  }

  private func with(_ text: String, _ body: (Attempt) throws -> Void) throws {
    try withTemporaryDirectory { folder in
      let attempt = Attempt(folder: folder)
      try attempt.write(text.utf8)
      try body(attempt)
    }
  }

  private static let header =
    "User,Email,Client,Project,Task,Description,Billable,Start date,Start time,End date,End time,"
    + "Duration,Tags,Amount (EUR)\n"

  @Test func `a report of Toggl needs neither columns nor a format`() throws {
    let row = "Ann,a@x.test,ACME,web,,x,Yes,2024-10-15,12:00:00,2024-10-15,13:00:00,01:00:00,a,\n"
    let open = "Ann,a@x.test,,,,y,No,2024-10-15,14:00:00,,,00:00:00,,\n"
    for more in [[], ["--format", "toggl"]] {
      try with(Self.header + row + open) { attempt in
        let command = attempt.command("--zone", "Europe/Berlin", "--json") + more
        let answer = try object(expectFine(command))
        #expect(answer["created"] as? Int == 1 && answer["running"] as? Int == 1)
        #expect(answer["rejectedCount"] as? Int == 0)
        let entry = try #require(try attempt.entries().first)
        #expect(entry["start"] as? String == "2024-10-15T10:00:00Z")
        #expect(entry["user"] as? String == "Ann" && entry["client"] as? String == "ACME")
        #expect(entry["seconds"] as? Int == 3_600)
      }
    }
    try with("Begin,Minutes\n2024-10-15 12:00,5\n") { attempt in
      try expectFailure(
        attempt.command(), exit: 64, mentions: ["no CSV with a known header", "--column"])
      try expectFailure(
        attempt.command("--format", "csv"), exit: 64,
        mentions: ["column is named for the start", "--column"])
      try expectFailure(
        attempt.command("--format", "toggl"), exit: 1,
        mentions: ["no report of Toggl: its header has other columns"])
    }
  }

  @Test func `the CSV of a log is read back with its tags, by the name of its source`() throws {
    try withTemporaryDirectory { folder in
      let attempt = Attempt(folder: folder)
      let old = ["--store", "\(folder)/old"]
      try expectFine(["track", "tags", "create", "x, y"] + old)
      try expectFine(
        ["track", "add", "2026-03-02 12:00", "-", "13:00", "five", "--tag", "x, y", "--tag", "z"]
          + ["--tag", "[\"q\"]", "--tz", "UTC"] + old)
      try expectFine(
        ["track", "add", "2026-03-02 14:00", "-", "15:00", "six", "--tz", "UTC"] + old)
      let csv = try expectFine(["track", "log", ":all", "--csv"] + old)
      #expect(csv.contains("\"\"x, y\"\""), "\(csv)")
      try attempt.write(csv.utf8)
      try expectFailure(attempt.command(), exit: 64, mentions: ["unknown system", "--source"])
      let answer = try object(expectFine(attempt.command("--source", "old", "--json")))
      #expect(answer["created"] as? Int == 2)
      let tags = try [attempt.entries(of: "old"), attempt.entries()].map { entries in
        entries.map { Set($0["tags"] as? [String] ?? []) }
      }
      #expect(tags[0] == tags[1] && tags[0] == [["x, y", "z", "[\"q\"]"], []])
      let update = attempt.command("--source", "old", "--update", "--json")
      try attempt.write((csv + "\n").utf8)
      #expect(try object(expectFine(update))["skipped"] as? Int == 2)
    }
  }

  /// Texts that a spreadsheet would compute, and texts with apostrophes.
  private static let texts = [
    "=1+1", "+1", "-1", "@SUM(A1)", "'", "''", "'=1+1", "''=1+1", "'+1", "'-1", "'@a", "'tis",
    "''tis", "'''tis", "1'", "a=1",
  ]

  @Test func `the CSV of a log is read back with its texts, exact or not`() throws {
    try withTemporaryDirectory { folder in
      let old = ["--store", "\(folder)/old", "--tz", "UTC"]
      for (index, text) in Self.texts.enumerated() {
        let times = ["2026-03-02 \(index + 1):00", "-", "\(index + 1):30"]
        let names = ["--user=\(text)", "--project=\(text)", "--tag=\(text)"]
        try expectFine(["track", "add"] + times + names + old + ["--", text])
      }
      let attempt = Attempt(folder: folder)
      func texts(of store: String) throws -> [[String]] {
        try attempt.entries(of: store).map { entry in
          [entry["start"], entry["description"], entry["user"], entry["project"]]
            .map { $0 as? String ?? "" } + (entry["tags"] as? [String] ?? [])
        }.sorted { $0[0] < $1[0] }
      }
      let wanted = try texts(of: "old")
      #expect(wanted.map { $0[1] } == Self.texts && wanted.allSatisfy { $0.count == 5 })
      let fields = ["id", "user", "start", "end", "project", "tags", "description"]
      for exact in [[], ["--exact"]] {
        try attempt.write(expectFine(["track", "log", ":all", "--csv"] + exact + old).utf8)
        for names in [[], fields] {
          let store = "\(exact.count)-\(names.count)"
          let columns = names.flatMap { ["--column", "\($0)=\($0)"] }
          let answer = try object(
            expectFine(
              ["track", "import", attempt.file, "--source", "old", "--json"] + columns
                + ["--store", "\(folder)/\(store)"]))
          #expect(answer["created"] as? Int == Self.texts.count, "\(store)")
          let notes = (answer["notes"] as? [String] ?? []).joined()
          #expect(!notes.contains("texts") && notes.contains("hours") == names.isEmpty)
          #expect(try texts(of: store) == wanted, "\(store)")
        }
      }
    }
  }

  @Test func `durations without a time of day are known in any order of their rows`() throws {
    let header = "Day,Hours,Who,What\n"
    let rows = [
      "2026-03-02,20,ann,a\n", "2026-03-02,10,ann,b\n", "2026-03-02,10,ann,b\n",
      "2026-03-03,1,bob,c\n",
    ]
    try with(header + rows.joined()) { attempt in
      let columns = ["start=Day", "duration=Hours", "user=Who", "description=What"]
      let words = columns.flatMap { ["--column", $0] } + ["--duration-unit", "hours", "--json"]
      func counts() throws -> [Int?] {
        let answer = try object(expectFine(attempt.command() + words))
        return [answer["created"] as? Int, answer["skipped"] as? Int]
      }
      #expect(try counts() == [4, 0])
      try attempt.write((header + rows.reversed().joined()).utf8)
      #expect(try counts() == [0, 4])
      let more = ["2026-03-02,2,ann,new\n"] + rows.reversed() + ["2026-03-02,10,ann,b\n"]
      try attempt.write((header + more.joined()).utf8)
      #expect(try counts() == [2, 4])
      #expect(try counts() == [0, 6])
      let seconds = try attempt.entries().compactMap { $0["seconds"] as? Int }
      #expect(seconds.reduce(0, +) == 53 * 3_600)
    }
  }

  @Test func `the time of a rejected row is part of the time that was left out`() throws {
    let text = "S,E,B\n2026-03-02 9:00,2026-03-02 10:30,maybe\n2026-03-02 11:00,2026-03-02 12:00,\n"
    try with(text) { attempt in
      let answer = try object(
        expectFine(
          attempt.command(
            "--column", "start=S", "--column", "end=E", "--column", "billable=B", "--json")))
      #expect(answer["created"] as? Int == 1 && answer["rejectedCount"] as? Int == 1)
      #expect(answer["secondsLeftOut"] as? Int == 5_400)
    }
  }

  @Test func `the columns of a known header can be named, and a wrong name is told`() throws {
    let row = "Ann,a@x.test,ACME,web,,x,Yes,2024-10-15,12:00:00,2024-10-15,13:00:00,01:00:00,a,\n"
    try with(Self.header + row) { attempt in
      let times = ["--column", "start=Start date", "--column", "start=Start time"]
      let command = attempt.command() + times
      let answer = try object(expectFine(command + ["--column", "duration=Duration", "--json"]))
      #expect(answer["created"] as? Int == 1)
      try expectFailure(
        command + ["--column", "duration=Length"], exit: 64,
        mentions: ["header has no column \"Length\""])
      try expectFailure(
        attempt.command("--format", "clockify"), exit: 64, mentions: ["Its format is toggl."])
    }
  }

  @Test func `a file of klog in UTF-16 is refused with the command that converts it`() throws {
    try withTemporaryDirectory { folder in
      let file = "\(folder)/times.klg"
      let units = "2026-03-02\n    8:00 - 9:00 a\n".utf16
      let bytes = units.flatMap { unit -> [UInt8] in [UInt8(unit & 0xff), UInt8(unit >> 8)] }
      try Data([0xff, 0xfe] + bytes).write(to: URL(fileURLWithPath: file))
      for more in [[], ["--format", "klog"]] {
        try expectFailure(
          ["track", "import", file, "--store", "\(folder)/s"] + more, exit: 1,
          mentions: ["seems to be in UTF-16", "`iconv -f UTF-16 -t UTF-8 \(file) > utf8.klg`"])
      }
    }
  }

  @Test func `dates with two readings are refused with both, and with the words for them`() throws {
    let text = "S,E\n03/04/2024 9:00,03/04/2024 10:00\n"
    try with(text) { attempt in
      let command = attempt.command("--column", "start=S", "--column", "end=E")
      try expectFailure(
        command, exit: 64,
        mentions: [
          "03/04/2024 9:00 is 2024-04-03 or 2024-03-04", "--date-format dmy", "--date-format mdy",
        ])
      #expect(!FileManager.default.fileExists(atPath: "\(attempt.folder)/s"))
      try expectFine(command + ["--date-format", "mdy", "--tz", "UTC", "--zone", "UTC"])
      #expect(try attempt.entries().first?["start"] as? String == "2024-03-04T09:00:00Z")
    }
  }

  @Test func `a file in another encoding is refused with the command that converts it`() throws {
    let text = "S,E,W\n2026-03-02 09:00,2026-03-02 10:00,Grüße\n"
    let columns = ["--column", "start=S", "--column", "end=E", "--column", "description=W"]
    let wide: [UInt8] =
      [0xff, 0xfe]
      + text.utf16.flatMap { unit -> [UInt8] in [UInt8(unit & 0xff), UInt8(unit >> 8)] }
    let narrow: [UInt8] = text.unicodeScalars.map { UInt8($0.value) }
    for (bytes, name, shown) in [
      (wide, "UTF-16", "UTF-16"), (narrow, "WINDOWS-1252", "Windows-1252 or Latin-1"),
    ] {
      try with("") { attempt in
        try attempt.write(bytes)
        let advice = "iconv -f \(name) -t UTF-8"
        try expectFailure(
          attempt.command() + columns, exit: 1,
          mentions: [
            "seems to be in \(shown), not in UTF-8", "`\(advice) \(attempt.file) > utf8.csv`",
          ])
        #expect(!FileManager.default.fileExists(atPath: "\(attempt.folder)/s"))
        let words = (attempt.store + columns).map { "'\($0)'" }.joined(separator: " ")
        let piped = try shell("track import - \(words) <\"$1\"", [attempt.file])
        #expect(piped.status == 1 && piped.errors.contains("Pipe it through `\(advice)`"))
        let converted = try shell(
          "\(advice) \"$1\" | track import - \(words)", [attempt.file])
        #expect(converted.status == 0, "\(converted.errors)")
        #expect(try attempt.entries().first?["description"] as? String == "Grüße")
      }
    }
  }
}
