import CivilTime
import RetraceState
import Testing
import TimeTracking
import ToolTestSupport
import TrackerFormats

/// Files of programs whose headers are known.
@Suite
struct KnownHeaderTests {
  private static let toggl =
    "User,Email,Client,Project,Task,Description,Billable,Start date,Start time,End date,End time,"
    + "Duration,Tags,Amount (EUR)\n"
  private static let newToggl =
    "\"Description\",\"Duration\",\"Member\",\"Email\",\"Project\",\"Tags\",\"Start date\","
    + "\"Start time\",\"Stop date\",\"Stop time\"\n"
  private static let clockify =
    "\"Project\",\"Client\",\"Description\",\"Activity\",\"User\",\"Group\",\"Email\",\"Tags\","
    + "\"Billable\",\"Start Date\",\"Start Time\",\"End Date\",\"End Time\",\"Duration (h)\","
    + "\"Duration (decimal)\"\n"
  private static let report =
    "Description,Task,Project,Client,User,Start,End,Duration,Duration (decimal),Billable,Tags\n"
  private static let export =
    "id,description,start,end,billable_rate,billable,member_id,user_id,organization_id,client_id,"
    + "project_id,task_id,tags,is_imported\n"
  private static let log =
    "id,user,start,end,hours,seconds,client,project,task,tags,description,billable,rate,currency,"
    + "amount,seconds_in_range,amount_in_range\n"

  @Test
  func `A known header says its program, separator and columns`() throws {
    let headers: [(String, CSVProgram, String, Int)] = [
      (Self.toggl, .toggl, "toggl", 12), (Self.newToggl, .toggl, "toggl", 9),
      (Self.clockify, .clockify, "clockify", 12), (Self.report, .solidtime, "csv", 10),
      (Self.export, .solidtime, "csv", 9), (Self.log, .track, "csv", 10),
      (Self.log.replacing("\n", with: ",texts\n"), .exactTrack, "csv", 10),
    ]
    for (text, program, format, count) in headers {
      for (separator, mark) in [(",", ""), (";", "\u{feff}"), ("\t", ""), (";", "sep=;\n")] {
        let bytes = Array((mark + text.replacing(",", with: separator) + "x").utf8)
        let header = try #require(CSVHeader(recognizing: bytes))
        #expect(header.program == program && header.formatName == format)
        #expect(header.separator == separator.utf8.first && header.columns.count == count)
        let starts = header.columns.filter { $0.field == .start }.map(\.column)
        #expect(!starts.isEmpty && starts.allSatisfy { $0.lowercased().hasPrefix("start") })
      }
    }
  }

  @Test
  func `Other texts have no known program, or are not CSV`() throws {
    let unknown = try #require(CSVHeader(recognizing: Array("Begin;Minutes;What, why\n".utf8)))
    #expect(unknown.program == nil && unknown.columns.isEmpty)
    #expect(unknown.separator == UInt8(ascii: ";") && unknown.formatName == "csv")
    let others = [
      "", "a\n", "a,b", "[{\"start\":\"x\",\n\"a\":1}]\n", "{\"a\":1,\n", "2026-03-02\n    1h, a\n",
      "a,\u{1}\n",
    ]
    for text in others { #expect(CSVHeader(recognizing: Array(text.utf8)) == nil, "\(text)") }
    let wide = Array(
      "a,b\n".utf16.flatMap { unit -> [UInt8] in [UInt8(unit & 0xff), UInt8(unit >> 8)] })
    #expect(CSVHeader(recognizing: [0xff, 0xfe] + wide) == nil)
    // A column that occurs twice cannot be meant.
    let twice = Self.report.replacing("Tags", with: "Tags,Start")
    #expect(try #require(CSVHeader(recognizing: Array(twice.utf8))).program == nil)
  }

  private func seconds(_ file: ReadRows) -> [Int64] {
    file.rows.map { $0.row.end.elapsed(since: $0.row.start).seconds }
  }

  @Test
  func `A report of Toggl is read without columns, a running entry left out`() throws {
    let rows = #"""
      Peter,p@x.test,ACME,site,draw,"\\ 🔥 say ""hi""",Yes,2024-10-15,12:02:17,2024-10-15,12:02:19,\#
      00:00:02,"a, b",1.00
      Peter,p@x.test,,,,night,No,2024-10-15,23:00:00,2024-10-17,00:30:00,25:30:00,,
      Peter,p@x.test,,,,now,No,2024-10-18,09:00:00,,,00:00:00,,
      Peter,p@x.test,,,,old,No,2024-10-19,09:00:00,2024-10-19,09:18:25,18:25 min,,

      """#
    for (format, piece) in [("csv", 1_000), ("toggl", 1_000), ("toggl", 3)] {
      let file = try CSVFileTests.read("\u{feff}" + Self.toggl + rows, as: format, piece: piece)
      #expect(file.rejections == [] && file.running.count == 1)
      #expect(seconds(file) == [2, 91_800, 1_105])
      let row = try #require(file.rows.first?.row)
      #expect(row.description == "\\\\ 🔥 say \"hi\"" && row.user == Name("Peter"))
      #expect(row.client == Name("ACME") && row.project == Name("site") && row.isBillable)
      #expect(row.task == Name("draw") && row.tags == [Name("a"), Name("b")])
      #expect(file.notes == ["columns that are not imported: Email, Amount (EUR)"])
    }
    #expect(throws: ImportFailure.notFile("its header has other columns")) {
      try CSVFileTests.read(Self.clockify, as: "toggl")
    }
  }

  @Test
  func `A hyphen is empty in newer reports of Toggl`() throws {
    let rows = """
      "-","0:30:00","Ann","a@x.test","-","-","2025-02-03","09:00:00","2025-02-03","09:30:00"
      "x-y","0:00:00","Ann","a@x.test","web","-","2025-02-03","10:00:00","-","-"
      "-","1:00:00","Ann","a@x.test","web","a - b","2025-02-03","10:00:00","2025-02-03","11:00:00"

      """
    let file = try CSVFileTests.read(Self.newToggl + rows)
    #expect(file.rejections == [] && file.running.count == 1 && seconds(file) == [1_800, 3_600])
    #expect(file.rows.map(\.row.description) == ["", ""])
    #expect(file.rows.map(\.row.project) == [nil, Name("web")])
    #expect(file.rows.map(\.row.tags) == [[], [Name("a - b")]])
    #expect(file.rows.allSatisfy { $0.row.user == Name("Ann") })
  }

  @Test
  func `A report of Clockify has the dates of its user's profile`() throws {
    func row(_ date: String, _ start: String, _ end: String, _ took: String) -> String {
      "\"web\",\"ACME\",\"x\",\"draw\",\"Pat\",\"\",\"p@x.test\",\"Dev, Back\",\"Yes\",\"\(date)\","
        + "\"\(start)\",\"\(date)\",\"\(end)\",\"\(took)\",\"0.00\"\n"
    }
    let first = row("03/04/2024", "10:23 AM", "11:23:01 AM", "01:00:01")
    for format in ["csv", "clockify"] {
      #expect(throws: ImportFailure.self) {
        try CSVFileTests.read(Self.clockify + first, as: format)
      }
      let file = try CSVFileTests.read(
        Self.clockify + first + row("10/15/2024", "09:00:00", "09:00:00", "00:00:00"), as: format)
      #expect(file.rejections == [] && seconds(file) == [3_601, 0])
      #expect(file.rows.first?.row.start == (try ZoneFiles.moment("2024-03-04 10:23:00")))
      #expect(file.rows.first?.row.task == Name("draw"))
      #expect(file.rows.first?.row.tags == [Name("Dev"), Name("Back")])
      let given = try CSVFileTests.read(Self.clockify + first, as: format, dates: "dmy")
      #expect(given.rows.first?.row.start == (try ZoneFiles.moment("2024-04-03 10:23:00")))
    }
    let iso = row("2024-03-04", "10:23", "11:23", "01:00:00")
    #expect(seconds(try CSVFileTests.read(Self.clockify + iso)) == [3_600])
  }

  @Test
  func `A report and an export of solidtime are read`() throws {
    let report = try CSVFileTests.read(
      Self.report + "x,draw,web,ACME,Ann,2024-03-04 09:00:00,2024-03-04 10:00:00,1:00:00,1,Yes,"
        + "\"a, b\"\n"
        + "y,,,,Ann,2024-03-04 10:00:00,,,,No,\n")
    #expect(report.rejections == [] && seconds(report) == [3_600] && report.running.count == 1)
    let export = try CSVFileTests.read(
      Self.export
        + "k1,\"Working hard\",2024-03-04T09:23:00Z,2024-03-04T10:23:01Z,,true,m,u,o,c,p,t,"
        + "\"[\"\"a\"\",\"\"b\"\"]\",false\n"
        + "k2,,2024-03-04T11:00:00Z,2024-03-04T11:00:00Z,,false,m,u,o,,,,[],false\n")
    #expect(export.rejections == [] && seconds(export) == [3_601, 0])
    #expect(export.rows.map(\.row.tags) == [[Name("a"), Name("b")], []])
    #expect(export.rows.map(\.row.id) == ["k1", "k2"])
    #expect(export.rows.map(\.row.project) == [Name("p"), nil])
  }

  @Test
  func `An apostrophe before a formula is taken off the log of track`() throws {
    let row = "3,ann,2026-03-02T09:00:00+01:00,2026-03-02T10:00:00+01:00,1.0000,3600,,'-web,,"
    let file = try CSVFileTests.read(
      Self.log + row + "\"\"\"x, y\"\", z\",'=1+1,yes,85.50,EUR,85.50,3600,85.50\n"
        + row + ",''tis,no,,,,3600,\n" + row + ",'tis,no,,,,3600,\n"
        + "4,ann,2026-03-03T09:00:00+01:00,,1.0000,3600,,,,,,no,,,,3600,\n")
    #expect(file.rejections == [] && file.running == ["4"])
    #expect(file.rows.map(\.row.description) == ["=1+1", "'tis", "'tis"])
    #expect(file.rows.map(\.row.project) == [Name("-web"), Name("-web"), Name("-web")])
    #expect(file.rows.first?.row.tags == [Name("x, y"), Name("z")])
    #expect(
      file.notes.first?.hasPrefix("columns that are not imported: hours, seconds, rate") == true)
  }
}
