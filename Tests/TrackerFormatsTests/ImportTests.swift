import CivilTime
import RetraceAvro
import RetraceState
import RetraceTesting
import Testing
import TimeTracking
import ToolTestSupport
import TrackerFormats

@Suite
struct ImportTests {
  static let columns: [(field: ImportField, column: String)] = [
    (.start, "Start date"), (.start, "Start time"), (.end, "End"), (.duration, "Took"),
    (.user, "Who"), (.project, "Project"), (.tags, "Tags"), (.description, "What"),
    (.billable, "Billable"), (.id, "Key"),
  ]
  static let header = "\u{feff}Start date,Start time,End,Took,Who,Project,Tags,What,Billable,Key\n"

  static func read(_ rows: String, zone: ZoneRules = .utc) throws -> ImportedFile {
    try ImportedFile(
      Array((header + rows).utf8), columns: columns, dateFormat: "yyyy-MM-dd HH:mm",
      duration: .clock, zone: zone)
  }

  @Test
  func `All fields of a row are read`() throws {
    let zone = ZoneRules(id: "Etc/GMT-2", offsetSeconds: 7_200)
    let file = try ImportedFile(
      Array(
        """
        Day,Time,Took,Who,Client,Project,Task,Tags,What,Billable,Key
        2026-11-21,09:30,1:15, Ann ,Ada,Retrace,Design,"b, a,b,","write, test",Yes,k1
        2026-11-21,10:45,0:00,Ann,,,,,,,

        """.utf8),
      columns: [
        (.start, "Day"), (.start, "Time"), (.duration, "Took"), (.user, "Who"),
        (.client, "Client"), (.project, "Project"), (.task, "Task"), (.tags, "Tags"),
        (.description, "What"), (.billable, "Billable"), (.id, "Key"),
      ], dateFormat: "yyyy-MM-dd HH:mm", duration: .clock, zone: zone)
    #expect(file.rejected == [])
    let recorded = RecordedZone(id: "Etc/GMT-2", offsetSeconds: 7_200)
    let start = try ZoneFiles.moment("2026-11-21 07:30:00")
    let end = try ZoneFiles.moment("2026-11-21 08:45:00")
    var row = ImportedRow(
      id: "k1", user: Name("Ann"), description: "write, test", start: start, end: end,
      zone: recorded)
    row.client = Name("Ada")
    row.project = Name("Retrace")
    row.task = Name("Design")
    row.tags = [Name("b"), Name("a"), Name("b")]
    row.isBillable = true
    // An empty value means that the field is missing.
    let bare = ImportedRow(
      user: Name("Ann"), description: "", start: end, end: end, zone: recorded)
    #expect(file.rows == [row, bare])
  }

  @Test
  func `Users, projects and tags are names, which blanks and letters' case do not tell apart`()
    throws
  {
    let file = try Self.read(
      "2026-11-21,09:30,,1:15,Ann  Lee,ACME\tLtd,\"Deep  Work,x\",,,\n"
        + "2026-11-21,10:30,,1:15, ann lee ,acme ltd,\"deep work, X\",,,\n")
    #expect(file.rejected == [])
    let (first, second) = (try #require(file.rows.first), try #require(file.rows.last))
    #expect(first.user.text == "Ann Lee" && second.user.text == "ann lee")
    #expect(first.project?.text == "ACME Ltd")
    #expect(first.user == second.user && first.project == second.project)
    #expect(first.tags == second.tags && first.tags.map(\.text) == ["Deep Work", "x"])
  }

  @Test
  func `A file without a column for users has the user that is said`() throws {
    let file = try ImportedFile(
      Array("a,b\n11/21/2026 9:30,5\n".utf8), columns: [(.start, "a"), (.duration, "b")])
    #expect(file.rows.map(\.user) == [Name("me")])
  }

  @Test
  func `An end stands in for a duration`() throws {
    let file = try Self.read("2026-11-21,09:30,2026-11-21 10:00,,Ann,,,,,\n")
    #expect(file.minutes == 30)
    #expect(file.rows.map(\.project) == [nil])
  }

  @Test
  func `An end and a duration have to agree, as exactly as the duration is written`() throws {
    func counts(
      _ unit: DurationFormat, _ rows: String, zone: ZoneRules = .utc
    ) throws -> [Int] {
      let file = try ImportedFile(
        Array("day;from;to;took\n\(rows)".replacing(";", with: ",").utf8),
        columns: [
          (.start, "day"), (.start, "from"), (.end, "day"), (.end, "to"), (.duration, "took"),
        ],
        dateFormat: "yyyy-MM-dd HH:mm:ss", duration: unit, zone: zone)
      return [file.rows.count, file.rejected.count]
    }
    func row(_ from: String, _ to: String, _ took: String) -> String {
      "2026-10-25;\(from):00;\(to);\(took)\n"
    }
    #expect(try counts(.clock, row("09:00", "10:30:59", "1:30")) == [1, 0])
    #expect(try counts(.clock, row("09:00", "10:31:00", "1:30")) == [0, 1])
    #expect(try counts(.minutes, row("09:00", "10:29:01", "90")) == [1, 0])
    #expect(try counts(.minutes, row("09:00", "10:30:00", "30")) == [0, 1])
    // 0.1 hours are 6 minutes.
    #expect(try counts(.hours, row("09:00", "10:33:00", "1.5")) == [1, 0])
    #expect(try counts(.hours, row("09:00", "10:34:00", "1.5")) == [0, 1])
    #expect(try counts(.hours, row("09:00", "10:33:00", "1.50")) == [0, 1])
    #expect(try counts(.hours, row("09:00", "10:30:00", "1")) == [1, 0])
    // Times without seconds are exact to a minute, and the duration counts.
    func minutes(_ unit: DurationFormat, _ end: String, _ took: String) throws -> [Int64] {
      let file = try ImportedFile(
        Array("from,to,took\n2026-10-25 09:00,2026-10-25 \(end),\(took)\n".utf8),
        columns: [(.start, "from"), (.end, "to"), (.duration, "took")],
        dateFormat: "yyyy-MM-dd HH:mm", duration: unit, zone: .utc)
      return file.rejected.isEmpty ? [file.minutes] : []
    }
    for (unit, took, minute) in [
      (.clock, "0:34", 34), (.clock, "00:36:00", 36), (.minutes, "34", 34), (.clock, "34 min", 34),
      (.clock, "0:37", nil), (.clock, "0:33:59", nil), (.minutes, "33", nil),
    ] as [(DurationFormat, String, Int64?)] {
      #expect(try minutes(unit, "09:35", took) == [minute].compactMap { $0 }, "\(took)")
    }
    // Two minutes are 0.03 hours, and may be from 9:00:59 to 9:03:00.
    #expect(try minutes(.hours, "09:03", "0.03") == [1])
    #expect(try minutes(.hours, "09:03", "0.02") == [])
    // A long entry ends on the next day; a value that is no time contradicts nothing.
    #expect(try counts(.clock, row("09:00", "01:00:00", "16:00")) == [1, 0])
    #expect(try counts(.clock, row("09:00", "open", "16:00")) == [1, 0])
    // Clocks show 2:30 twice.
    guard ZoneFiles.exist else { return }
    let berlin = try ZoneFiles.load("Europe/Berlin")
    for took in ["1:00", "2:00"] {
      #expect(try counts(.clock, row("02:30", "03:30:00", took), zone: berlin) == [1, 0])
    }
    #expect(try counts(.clock, row("02:30", "03:30:00", "3:00"), zone: berlin) == [0, 1])
  }

  @Test(
    arguments: [
      (
        "2026-11-21,09:30,,1:15,Ann,,,,,,x\n", nil,
        RowRejection.Reason.fieldCount(expected: 10, found: 11)
      ),
      ("2026-11-21,9:3,,1:15,Ann,,,,,\n", "Start date+Start time", .dateFormat("yyyy-MM-dd HH:mm")),
      ("2026-02-30,09:30,,1:15,Ann,,,,,\n", "Start date+Start time", .noSuchTime),
      ("1026-02-20,09:30,,1:15,Ann,,,,,\n", "Start date+Start time", .yearOutOfRange(1900...2200)),
      ("2026-11-21,09:30,,75,Ann,,,,,\n", "Took", .durationFormat(.clock)),
      ("2026-11-21,09:30,,-1:15,Ann,,,,,\n", "Took", .negativeDuration),
      ("2026-11-21,09:30,2026-11-21 09:29,,Ann,,,,,\n", "End", .negativeDuration),
      ("2026-11-21,09:30,2027-01-21 09:29,,Ann,,,,,\n", "End", .durationTooLong),
      ("2026-11-21,09:30,x,,Ann,,,,,\n", "End", .dateFormat("yyyy-MM-dd HH:mm")),
      ("2026-11-21,09:30,,999999:00,Ann,,,,,\n", "Took", .durationTooLong),
      (
        "2026-11-21,09:30,2026-11-21 11:00,1:15,Ann,,,,,\n", "Took",
        .otherDuration(.seconds(5_400))
      ),
      (
        "2026-11-21,09:30,2026-11-21 09:00,1:15,Ann,,,,,\n", "Took",
        .otherDuration(.seconds(-1_800))
      ),
      ("2026-11-21,09:30,,1:15, ,,,,,\n", "Who", .emptyName),
      ("2026-11-21,09:30,,1:15,Ann,,,,maybe,\n", "Billable", .notYesOrNo),
      ("2026-11-21,09:30,,1:15,\"Ann", nil, .malformed(.unclosedQuote)),
    ] as [(String, String?, RowRejection.Reason)])
  func `A bad row is rejected with its line, column and reason`(
    row: String, column: String?, reason: RowRejection.Reason
  ) throws {
    let file = try Self.read("2026-11-21,09:30,,0:15,Ann,,,,,\n" + row)
    #expect(file.rows.count == 1)
    let rejection = try #require(file.rejected.first)
    #expect(file.rejected.count == 1)
    #expect(rejection.line == 3)
    #expect(rejection.column == column)
    #expect(rejection.reason == reason)
    #expect(!rejection.reason.description.isEmpty)
  }

  @Test
  func `A value that is not UTF-8 is rejected`() throws {
    let row = Array("2026-11-21,09:30,,0:15,".utf8) + [0xff] + Array(",,,,,\n".utf8)
    // After characters in UTF-8, it is a mistake in one row.
    let before = "2026-11-21,09:00,,0:15,Zoë,,,,,\n"
    let file = try ImportedFile(
      Array((Self.header + before).utf8) + row, columns: Self.columns,
      dateFormat: "yyyy-MM-dd HH:mm", duration: .clock)
    #expect(file.rejected.map(\.reason) == [.notUTF8])
  }

  @Test(.enabled(if: ZoneFiles.exist))
  func `A time that clocks jumped over is rejected, of one shown twice the earlier is taken`()
    throws
  {
    let berlin = try ZoneFiles.load("Europe/Berlin")
    let file = try Self.read(
      "2026-03-29,02:30,,0:15,Ann,,,,,\n2026-10-25,02:30,,0:15,Ann,,,,,\n", zone: berlin)
    #expect(file.rejected.map(\.reason) == [.skippedByZone("Europe/Berlin")])
    let row = try #require(file.rows.first)
    #expect(row.start == (try ZoneFiles.moment("2026-10-25 00:30:00")))
    #expect(row.zone.offsetSeconds == 7_200)
  }

  @Test(.enabled(if: ZoneFiles.exist))
  func `An end that clocks show twice is not before its start`() throws {
    let berlin = try ZoneFiles.load("Europe/Berlin")
    let file = try Self.read(
      """
      2026-10-25,02:50,2026-10-25 02:10,,Ann,,,,,
      2026-10-25,02:10,2026-10-25 02:50,,Ann,,,,,
      2026-10-25,01:30,2026-10-25 02:30,,Ann,,,,,
      2026-10-25,03:10,2026-10-25 02:50,,Ann,,,,,

      """, zone: berlin)
    let minutes = file.rows.map { $0.end.elapsed(since: $0.start).seconds / 60 }
    #expect(minutes == [20, 40, 60])
    #expect(file.rejected.map(\.reason) == [.negativeDuration])
  }

  private static let limits = ["d,t,u,c,p,k,g,w,i"]
  private static let limitColumns: [(field: ImportField, column: String)] = [
    (.start, "d"), (.duration, "t"), (.user, "u"), (.client, "c"), (.project, "p"), (.task, "k"),
    (.tags, "g"), (.description, "w"), (.id, "i"),
  ]

  private static func read(limits rows: [String]) throws -> ImportedFile {
    try ImportedFile(
      Array((limits + rows).joined(separator: "\n").utf8), columns: limitColumns,
      duration: .clock)
  }

  @Test
  func `Values that the domain cannot record are rejected with line and column`() throws {
    func text(_ count: Int) -> String { String(repeating: "x", count: count) }
    func tags(_ count: Int) -> String {
      "\"" + (0..<count).map { "t\($0)" }.joined(separator: ",") + "\""
    }
    let most = "1/2/2026 3:04,999:00,\(text(500)),\(text(500)),\(text(500)),\(text(500)),"
    let rows: [(row: String, column: String?, reason: RowRejection.Reason?)] = [
      (most + "\(tags(100)),\(text(65_536)),\(text(500))", nil, nil),
      (most + "\(text(500)),,", nil, nil),
      ("1/2/2026 3:04,999:01,u,,,,,,", "t", .durationTooLong),
      ("1/2/2026 3:04,1:00,\(text(501)),,,,,,", "u", .textTooLong(limit: 500)),
      ("1/2/2026 3:04,1:00,u,\(text(501)),,,,,", "c", .textTooLong(limit: 500)),
      ("1/2/2026 3:04,1:00,u,,\(text(501)),,,,", "p", .textTooLong(limit: 500)),
      ("1/2/2026 3:04,1:00,u,,p,\(text(501)),,,", "k", .textTooLong(limit: 500)),
      ("1/2/2026 3:04,1:00,u,,,,\(text(501)),,", "g", .textTooLong(limit: 500)),
      ("1/2/2026 3:04,1:00,u,,,,\(tags(101)),,", "g", .tooManyTags(limit: 100)),
      ("1/2/2026 3:04,1:00,u,,,,,\(text(65_537)),", "w", .textTooLong(limit: 65_536)),
      ("1/2/2026 3:04,1:00,u,,,,,,\(text(501))", "i", .textTooLong(limit: 500)),
      ("1/2/2026 3:04,1:00,u,c,,k,,,", "k", .taskWithoutProject),
    ]
    let file = try Self.read(limits: rows.map(\.row))
    #expect(file.rows.count == 2)
    let expected = rows.enumerated().filter { $0.element.reason != nil }
    #expect(file.rejected.map(\.line) == expected.map { $0.offset + 2 })
    #expect(file.rejected.map(\.column) == expected.map(\.element.column))
    #expect(file.rejected.map(\.reason) == expected.map(\.element.reason))
  }

  @Test
  func `The domain refuses no row that was read`() throws {
    try withSeed { random in
      func text(_ counts: [Int]) -> String {
        let letters = ["x", "ü", "İ", " ", "\u{1}", "\u{2003}"]
        let letter = letters.randomElement(using: &random) ?? ""
        let bytes = counts.randomElement(using: &random) ?? 0
        return String(repeating: letter, count: bytes / letter.utf8.count)
          + String(repeating: "y", count: bytes % letter.utf8.count)
      }
      let names = [0, 1, 499, 500, 501]
      let starts = ["1/1/1900 0:00", "12/31/2200 23:59", "1/2/2026 3:04"]
      let durations = ["0:00", "998:59:59", "999:00", "999:00:01"]
      var lines: [String] = []
      for _ in 0..<repetitions(300) {
        let count = [0, 1, 99, 100, 101].randomElement(using: &random) ?? 0
        let tags = (0..<count).map { "t\($0 % 60)" }.joined(separator: ",")
        let fields = [
          starts.randomElement(using: &random) ?? "",
          durations.randomElement(using: &random) ?? "",
          text(names), text(names), text(names), text(names),
          Bool.random(using: &random) ? tags : text(names), text([0, 9, 65_536, 65_537]),
          text(names),
        ]
        lines.append(fields.map { "\"\($0)\"" }.joined(separator: ","))
      }
      let file = try Self.read(limits: lines)
      #expect(!file.rows.isEmpty && !file.rejected.isEmpty)
      var domain = DomainState()
      let now = Moment(microseconds: 0)
      func perform(_ command: ImportCommand) throws {
        for fact in try DomainDecider().decide(.importRun(command), on: domain, at: now) {
          _ = DomainReducer().reduce(&domain, fact, at: now)
        }
      }
      let run = ImportRunID(value: 0)
      try perform(.begin(source: Name("file"), file: "file", digest: .zero))
      try perform(.rows(run, ImportedRows(from: 0, file.rows)))
      try perform(.finish(run))
      #expect(domain.totals().entries == file.rows.count)
    }
  }

  @Test
  func `Columns that are missing or not clear are named`() throws {
    func failure(_ header: String, _ columns: [(field: ImportField, column: String)])
      -> ColumnMapping.Failure?
    {
      do {
        _ = try ImportedFile(Array(header.utf8), columns: columns)
        return nil
      } catch {
        guard case .columns(let failure, _)? = error as? ImportFailure else { return nil }
        return failure
      }
    }
    #expect(
      failure("a,b\n", [(.start, "c"), (.duration, "b")])
        == .unknownColumn("c", available: ["a", "b"]))
    #expect(failure("a,a\n", [(.start, "a"), (.duration, "a")]) == .ambiguousColumn("a"))
    #expect(failure("a,b\n", [(.start, "a")]) == .missingField(.duration))
    #expect(failure("a,b\n", [(.duration, "a")]) == .missingField(.start))
    #expect(failure("a,b\n", [(.start, "a"), (.end, "b")]) == nil)
  }
}
