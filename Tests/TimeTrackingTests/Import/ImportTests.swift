import CivilTime
import RetraceArchitecture
import RetraceScreen
import RetraceState
import Testing
import TimeTracking
import ToolTestSupport

@Suite
struct ImportTests {
  static let columns: [(field: ImportMapping.Field, column: String)] = [
    (.start, "Start date"), (.start, "Start time"), (.end, "End"), (.duration, "Took"),
    (.user, "Who"), (.project, "Project"), (.tags, "Tags"), (.description, "What"),
    (.billable, "Billable"), (.id, "Key"),
  ]
  static let header = "\u{feff}Start date,Start time,End,Took,Who,Project,Tags,What,Billable,Key\n"

  static func run(
    _ rows: String, into file: inout ImportedFile, zone: ZoneRules = .utc
  ) throws {
    try file.run(
      Array((header + rows).utf8), columns: columns, dateFormat: "yyyy-MM-dd HH:mm",
      duration: .clock, zone: zone)
  }

  @Test
  func `All fields of a row arrive in the entry`() throws {
    var file = ImportedFile()
    let zone = ZoneRules(id: "Etc/GMT-2", offsetSeconds: 7_200)
    try Self.run(
      "2026-11-21,09:30,,1:15, Ann ,Retrace,\"b, a,b,\",\"write, test\",Yes,k1\n", into: &file,
      zone: zone)
    #expect(file.rejected == [])
    let id = TimeEntryID(value: 0)
    let report = try #require(file.state.report(of: id, at: Moment(microseconds: 0)))
    #expect(report.user == "Ann")
    #expect(report.project == "Retrace")
    #expect(report.tags == ["b", "a"])
    #expect(report.description == "write, test")
    #expect(report.localStart.description == "2026-11-21 09:30:00")
    #expect(report.start == (try ZoneFiles.moment("2026-11-21 07:30:00")))
    #expect(report.zone == RecordedZone(id: "Etc/GMT-2", offsetSeconds: 7_200))
    #expect(report.elapsed == .seconds(4_500))
    #expect(report.isBillable && !report.isRunning)
    #expect(report.externalID == "k1")
  }

  @Test
  func `An end stands in for a duration`() throws {
    var file = ImportedFile()
    try Self.run("2026-11-21,09:30,2026-11-21 10:00,,Ann,,,,,\n", into: &file)
    #expect(file.state.totals.seconds == 1_800)
    #expect(file.state.totals.projects == 0)
  }

  @Test(
    arguments: [
      (
        "2026-11-21,09:30,,1:15,Ann\n", nil,
        ImportRejection.Reason.fieldCount(expected: 10, found: 5)
      ),
      ("2026-11-21,9:3,,1:15,Ann,,,,,\n", "Start date+Start time", .dateFormat("yyyy-MM-dd HH:mm")),
      ("2026-02-30,09:30,,1:15,Ann,,,,,\n", "Start date+Start time", .noSuchTime),
      ("1026-02-20,09:30,,1:15,Ann,,,,,\n", "Start date+Start time", .yearOutOfRange(1900...2200)),
      ("2026-11-21,09:30,,75,Ann,,,,,\n", "Took", .durationFormat(.clock)),
      ("2026-11-21,09:30,,-1:15,Ann,,,,,\n", "Took", .negativeDuration),
      ("2026-11-21,09:30,2026-11-21 09:29,,Ann,,,,,\n", "End", .negativeDuration),
      ("2026-11-21,09:30,x,,Ann,,,,,\n", "End", .dateFormat("yyyy-MM-dd HH:mm")),
      ("2026-11-21,09:30,,999999:00,Ann,,,,,\n", "Took", .durationTooLong),
      ("2026-11-21,09:30,,1:15, ,,,,,\n", "Who", .emptyName),
      ("2026-11-21,09:30,,1:15,Ann,,,,maybe,\n", "Billable", .notYesOrNo),
      ("2026-11-21,09:30,,1:15,A\"n,,,,,\n", nil, .malformed(.strayQuote)),
      ("2026-11-21,09:30,,1:15,\"Ann", nil, .malformed(.unclosedQuote)),
    ] as [(String, String?, ImportRejection.Reason)])
  func `A bad row is rejected with its line, column and reason`(
    row: String, column: String?, reason: ImportRejection.Reason
  ) throws {
    var file = ImportedFile()
    try Self.run("2026-11-21,09:30,,0:15,Ann,,,,,\n" + row, into: &file)
    #expect(file.created == 1)
    let rejection = try #require(file.rejected.first)
    #expect(file.rejected.count == 1)
    #expect(rejection.line == 3)
    #expect(rejection.column == column)
    #expect(rejection.reason == reason)
    #expect(!rejection.reason.description.isEmpty)
  }

  @Test
  func `A value that is not UTF-8 is rejected`() throws {
    var file = ImportedFile()
    let row = Array("2026-11-21,09:30,,0:15,".utf8) + [0xff] + Array(",,,,,\n".utf8)
    try file.run(
      Array(Self.header.utf8) + row, columns: Self.columns, dateFormat: "yyyy-MM-dd HH:mm",
      duration: .clock)
    #expect(file.rejected.map(\.reason) == [.notUTF8])
  }

  @Test(.enabled(if: ZoneFiles.exist))
  func `A time that clocks jumped over is rejected, of one shown twice the earlier is taken`()
    throws
  {
    var file = ImportedFile()
    let berlin = try ZoneFiles.load("Europe/Berlin")
    try Self.run(
      "2026-03-29,02:30,,0:15,Ann,,,,,\n2026-10-25,02:30,,0:15,Ann,,,,,\n", into: &file,
      zone: berlin)
    #expect(file.rejected.map(\.reason) == [.skippedByZone("Europe/Berlin")])
    let entry = try #require(file.state.timeline.entries[TimeEntryID(value: 0)])
    #expect(entry.start == (try ZoneFiles.moment("2026-10-25 00:30:00")))
    #expect(entry.recordedZone.offsetSeconds == 7_200)
  }

  @Test(.enabled(if: ZoneFiles.exist))
  func `An end that clocks show twice is not before its start`() throws {
    var file = ImportedFile()
    let berlin = try ZoneFiles.load("Europe/Berlin")
    try Self.run(
      """
      2026-10-25,02:50,2026-10-25 02:10,,Ann,,,,,
      2026-10-25,02:10,2026-10-25 02:50,,Ann,,,,,
      2026-10-25,01:30,2026-10-25 02:30,,Ann,,,,,
      2026-10-25,03:10,2026-10-25 02:50,,Ann,,,,,

      """, into: &file, zone: berlin)
    let minutes = (0..<3).map {
      file.state.timeline.entries[TimeEntryID(value: $0)]?.duration.map { $0.seconds / 60 }
    }
    #expect(minutes == [20, 40, 60])
    #expect(file.rejected.map(\.reason) == [.negativeDuration])
  }

  @Test
  func `Overlaps are those of one user, touching is none, nothing lasts no time`() throws {
    var file = ImportedFile()
    try Self.run(
      """
      2026-11-21,09:00,,1:00,Ann,,,,,
      2026-11-21,10:00,,1:00,Ann,,,,,
      2026-11-21,09:30,,1:00,Bob,,,,,
      2026-11-21,10:30,,0:00,Ann,,,,,
      """, into: &file)
    #expect(file.overlaps == 0)
    // One that meets two that were there, and two that meet each other.
    try Self.run(
      """
      2026-11-21,09:59,,0:02,Ann,,,,,
      2026-11-22,09:00,,1:00,Bob,,,,,
      2026-11-22,09:30,,0:10,Bob,,,,,
      """, into: &file)
    #expect(file.created == 3)
    #expect(file.overlaps == 3)
  }

  @Test
  func `Columns that are missing or not clear are named`() throws {
    func failure(_ header: String, _ columns: [(field: ImportMapping.Field, column: String)])
      -> ImportMapping.Failure?
    {
      var file = ImportedFile()
      do {
        try file.run(Array(header.utf8), columns: columns)
        return nil
      } catch {
        return error as? ImportMapping.Failure
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

  @Test
  func `A planner notices what somebody else added between two batches`() throws {
    var state = AppState()
    var planner = ImportPlanner(defaultUser: "me")
    func row(_ id: String, user: String, minute: Int64) -> ImportedEntry {
      ImportedEntry(
        line: 1, user: user, project: nil, tags: [], text: "", start: Moment(microseconds: minute),
        duration: ElapsedTime(microseconds: 10), zoneID: "UTC", offsetSeconds: 0,
        isBillable: false, externalID: id)
    }
    func reduce(_ actions: [AppAction]) {
      for action in actions {
        _ = AppReducer().reduce(&state, action, at: Moment(microseconds: 0))
        #expect(state.lastOutcome == .accepted)
      }
    }
    reduce(planner.plan([row("1", user: "Ann", minute: 0)], in: state))
    // Another process adds users, and an entry that the file has too.
    reduce([.library(.userCreated(name: "Cid")), .library(.userCreated(name: "Bob"))])
    var other = ImportPlanner(defaultUser: "me")
    reduce(other.plan([row("2", user: "Bob", minute: 100)], in: state))
    reduce(
      planner.plan(
        [row("2", user: "Bob", minute: 100), row("3", user: "Bob", minute: 105)], in: state))
    #expect(planner.created == 2)
    #expect(planner.skipped == 1)
    #expect(planner.overlaps == 1)
    #expect(state.library.users.count == 3)
    #expect(state.totals.entries == 3)
  }
}
