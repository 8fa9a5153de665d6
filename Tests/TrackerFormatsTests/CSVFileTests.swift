import CivilTime
import RetraceState
import RetraceTesting
import Testing
import TimeTracking
import ToolTestSupport
import TrackerFormats

/// Files of CSV as programs and spreadsheets write them.
@Suite
struct CSVFileTests {
  /// Reads a file as an import does: once more if the file shows how it is written.
  static func read(
    _ bytes: [UInt8], as format: String = "csv", _ columns: [(ImportField, String)] = [],
    dates: String? = nil, unit: DurationFormat = .clock, zone: ZoneRules = .utc,
    piece: Int = 1 << 16
  ) throws -> ReadRows {
    var options = ImportOptions(user: Name("me"), zone: zone)
    options.columns = columns.map { (field: $0, column: $1) }
    options.durationFormat = unit
    options.dateFormat = try dates.map { (pattern) in try DateFormat(pattern) }
    let type = try #require(ImportSources.named(format))
    while true {
      var (source, rows) = (type.init(options), ReadRows())
      for start in stride(from: 0, to: bytes.count, by: piece) {
        try source.read(Array(bytes[start..<min(bytes.count, start + piece)]), into: &rows)
      }
      try source.finish(into: &rows)
      guard let settled = source.settled else { return rows }
      #expect(rows.rows.isEmpty && rows.rejections.isEmpty)
      options = settled
    }
  }

  static func read(
    _ text: String, as format: String = "csv", _ columns: [(ImportField, String)] = [],
    dates: String? = nil, unit: DurationFormat = .clock, zone: ZoneRules = .utc,
    piece: Int = 1 << 16
  ) throws -> ReadRows {
    try read(
      Array(text.utf8), as: format, columns, dates: dates, unit: unit, zone: zone, piece: piece)
  }

  /// Returns the local time of UTC at a moment.
  private static func text(_ moment: Moment) -> String {
    LocalTime(moment, offsetSeconds: 0).description
  }

  static let startAndEnd: [(ImportField, String)] = [(.start, "S"), (.end, "E")]

  @Test(
    arguments: [
      ("yyyy-MM-dd HH:mm", "2026-03-02 23:00", "2026-03-02 24:00", 3_600_000),
      ("rfc3339", "2026-03-02T09:00:00.000+0100", "2026-03-02T10:00:00.000+0100", 3_600_000),
      (nil, "2026-03-02T09:00:00.000+0100", "2026-03-02T09:00:00.500Z", 3_600_500),
      ("epoch", "1772442000", "1772445600", 3_600_000),
      ("MM/dd/yyyy hh:mm:ss a", "03/04/2024 10:23 AM", "03/04/2024 11:23:01 AM", 3_601_000),
      (nil, "2026-03-02 09:00", "2026-03-02 24:00:00", 54_000_000),
      (nil, "13/04/2023 09:00:00", "13/04/2023 10:23 AM", 4_980_000),
      (nil, "04/13/2023 09:00", "04/13/2023 09:00", 0),
      (nil, "2.3.26 9:00", "3.3.26 9:00", 86_400_000),
    ] as [(String?, String, String, Int64)])
  func `Dates are read as programs write them`(
    dates: String?, start: String, end: String, milliseconds: Int64
  ) throws {
    let file = try Self.read("S,E\n\(start),\(end)\n", Self.startAndEnd, dates: dates)
    #expect(file.rejections == [])
    let row = try #require(file.rows.first?.row)
    #expect(row.end.elapsed(since: row.start).microseconds == milliseconds * 1_000)
  }

  @Test
  func `One date shows the order of all, and without one both readings are refused`() throws {
    let rows = "S,E\n03/04/2024 9:00,03/04/2024 10:00\n"
    let more = "13/04/2024 9:00,13/04/2024 10:00\n"
    for piece in [1, 1_000] {
      let file = try Self.read(rows + more, Self.startAndEnd, piece: piece)
      let start = try ZoneFiles.moment("2024-04-03 09:00:00")
      #expect(file.rows.map(\.row.start) == [start, start.adding(.seconds(10 * 86_400))])
    }
    let dayFirst = try #require(CivilDate(year: 2024, month: 4, day: 3))
    let monthFirst = try #require(CivilDate(year: 2024, month: 3, day: 4))
    #expect(
      throws: ImportFailure.ambiguousDate(
        "03/04/2024 9:00", dayFirst: dayFirst, monthFirst: monthFirst)
    ) { try Self.read(rows, Self.startAndEnd) }
    let settled = try Self.read(rows, Self.startAndEnd, dates: "mdy")
    #expect(settled.rows.map(\.row.start) == [try ZoneFiles.moment("2024-03-04 09:00:00")])
    // Both readings of 3/3 are one day.
    #expect(try Self.read("S,E\n3/3/24 9:00,3/3/24 9:30\n", Self.startAndEnd).rows.count == 1)
  }

  @Test(
    arguments: [
      (.clock, "18:25 min", 1_105), (.clock, "12 sec", 12), (.clock, "25:30:00", 91_800),
      (.clock, "1h 30m", 5_400), (.clock, "1h30m5s", 5_405), (.clock, "1,5 h", 5_400),
      (.clock, "1.25 hours", 4_500), (.clock, "1:30 h", 5_400), (.clock, "90 Min", 5_400),
      (.minutes, "2 h", 7_200), (.seconds, "0:05 min", 5), (.hours, "1,5", 5_400),
      (.hours, "12 sec", 12), (.clock, "-18:25 min", nil), (.clock, "18:60 min", nil),
      (.clock, "1m 1h", nil), (.clock, "1h 1h", nil), (.clock, "5 days", nil), (.clock, "h", nil),
      (.clock, "1:30:00 min", nil), (.clock, "1 h 5", nil),
    ] as [(DurationFormat, String, Int64?)])
  func `Durations can name their units`(unit: DurationFormat, text: String, seconds: Int64?)
    throws
  {
    let file = try Self.read(
      "S,D\n2026-08-21 19:21:21,\"\(text)\"\n", [(.start, "S"), (.duration, "D")], unit: unit)
    let read = file.rows.map { $0.row.end.elapsed(since: $0.row.start).seconds }
    #expect(read == (seconds.map { [$0] } ?? []))
    #expect(file.rejections.count == (seconds == nil ? 1 : 0))
  }

  @Test(.enabled(if: ZoneFiles.exist))
  func `Of a start that clocks show twice, the moment is taken with which the others agree`() throws
  {
    let berlin = try ZoneFiles.load("Europe/Berlin")
    func starts(_ rows: String) throws -> [String] {
      let file = try Self.read(
        "S,E,D\n\(rows)", Self.startAndEnd + [(.duration, "D")], zone: berlin)
      #expect(file.rejections == [])
      let sum = file.rows.reduce(into: RepeatedTimes()) { $0.add($1.repeated) }
      return file.rows.map { Self.text($0.row.start) } + ["\(sum.earlier) \(sum.later)"]
    }
    let (earlier, later) = ("2026-10-25 00:30:00", "2026-10-25 01:30:00")
    let pair = "2026-10-25 02:30,2026-10-25 03:00"
    #expect(try starts("\(pair),0:30\n\(pair),1:30\n") == [later, earlier, "1 1"])
    // Only one column, or an end that says nothing: the earlier moment.
    #expect(try starts("2026-10-25 02:30,,0:30\n") == [earlier, "1 0"])
    #expect(try starts("\(pair),\n") == [earlier, "1 0"])
    #expect(try starts("2026-10-25 02:30,2026-10-25 02:45,0:15\n") == [earlier, "1 0"])
    // An end with an offset.
    #expect(try starts("2026-10-25 02:30,2026-10-25T02:45:00+01:00,0:15\n") == [later, "0 1"])
    // Fractions of one second.
    let file = try Self.read(
      "S,E\n2026-10-25 02:30:00.5,2026-10-25 02:30:00.7\n", Self.startAndEnd, zone: berlin)
    #expect(file.rows.map { $0.row.end.elapsed(since: $0.row.start).microseconds } == [200_000])
  }

  @Test
  func `Missing last cells are empty, and further ones only count if they have a value`() throws {
    let text =
      "S,E,What,P\n2026-03-02 09:00,2026-03-02 10:00\n"
      + "2026-03-02 10:00,2026-03-02 11:00,a,b,,\n2026-03-02 11:00,2026-03-02 12:00,a,b,c\n"
    let columns = Self.startAndEnd + [(.description, "What"), (.project, "P")]
    let file = try Self.read(text, columns)
    #expect(file.rows.map(\.row.description) == ["", "a"])
    #expect(file.rejections.map(\.reason) == [.fieldCount(expected: 4, found: 5)])
  }

  @Test
  func `Quotes inside cells are text, and the first line may name the separator`() throws {
    let columns: [(ImportField, String)] = [
      (.start, "Start"), (.end, "End"), (.description, "What"),
    ]
    let row = "2026-03-02 09:00;2026-03-02 10:00;say \"hi\" to all; 5\" disk\n"
    for (first, line) in [("sep=;\r\n", 3), ("\u{feff}sep=;\n", 3)] {
      for piece in [1, 4, 1_000] {
        let file = try Self.read(
          "\(first)Start; End ;\"What \";More\n\(row)x;y;z\n", columns, piece: piece)
        #expect(file.rows.map(\.row.description) == ["say \"hi\" to all"])
        #expect(file.rejections.map(\.line) == [line + 1])
      }
    }
    let tabs = row.replacing(";", with: "\t")
    let known = try Self.read("sep=\t\nStart\tEnd\tWhat\tMore\n\(tabs)", columns)
    #expect(known.rows.count == 1)
    // Without more, it is a name of a column.
    #expect(throws: ImportFailure.self) { try Self.read("sep=;x\n\(row)", columns) }
  }

  @Test
  func `Durations with only a day follow one another, each user for itself`() throws {
    let text =
      "Date,Hours,Who\n2026-03-02,\"1,5\",a\n2026-03-02,\"0,25\",a\n2026-03-02,2,b\n"
      + "2026-03-03,1,a\n2026-03-02 09:00,1,a\n"
    let columns: [(ImportField, String)] = [
      (.start, "Date"), (.duration, "Hours"), (.user, "Who"),
    ]
    for piece in [5, 1_000] {
      let file = try Self.read(text, columns, unit: .hours, piece: piece)
      let times = file.rows.map { "\(Self.text($0.row.start)) \(Self.text($0.row.end).suffix(8))" }
      #expect(
        times == [
          "2026-03-02 00:00:00 01:30:00", "2026-03-02 01:30:00 01:45:00",
          "2026-03-02 00:00:00 02:00:00", "2026-03-03 00:00:00 01:00:00",
          "2026-03-02 09:00:00 10:00:00",
        ])
      #expect(file.rows.map { $0.row.annotations.count } == [1, 1, 1, 1, 0])
      #expect(file.notes.count == 1 && file.notes[0].hasPrefix("4 rows have no time of day"))
    }
    let pattern = try Self.read(text, columns, dates: "yyyy-MM-dd", unit: .hours)
    #expect(pattern.rows.count == 4 && pattern.rejections.count == 1)
  }

  @Test
  func `A file in another encoding is refused as a whole`() throws {
    func encoding(_ bytes: [UInt8]) throws -> TextEncoding? {
      do {
        _ = try Self.read(bytes, Self.startAndEnd + [(.description, "W")])
        return nil
      } catch {
        guard case .encoding(let encoding)? = error as? ImportFailure else { throw error }
        return encoding
      }
    }
    let row = "2026-03-02 09:00,2026-03-02 10:00,"
    let text = "S,E,W\n\(row)a\n\(row)Grüße\n"
    let little = text.utf16.flatMap { unit -> [UInt8] in [UInt8(unit & 0xff), UInt8(unit >> 8)] }
    let big = text.utf16.flatMap { unit -> [UInt8] in [UInt8(unit >> 8), UInt8(unit & 0xff)] }
    #expect(TextEncoding(of: [0xff, 0xfe] + little) == .utf16)
    #expect(TextEncoding(of: [0xfe, 0xff] + big) == .utf16)
    #expect(TextEncoding(of: little) == .utf16LittleEndian)
    #expect(TextEncoding(of: big) == .utf16BigEndian)
    let wide = text.unicodeScalars.flatMap { scalar -> [UInt8] in [UInt8(scalar.value), 0, 0, 0] }
    #expect(TextEncoding(of: [0xff, 0xfe, 0, 0] + wide) == .utf32)
    #expect(TextEncoding(of: Array(text.utf8)) == nil)
    #expect(try encoding(text.unicodeScalars.map { UInt8($0.value) }) == .windows1252)
    // In the header, in a column that is not imported, and in quotes.
    for (before, after) in [
      ("S,E,W,", "\n\(row)a\n"), ("S,E,W,X\n\(row)a,", "\n"), ("S,E,W\n\(row)\"", "\"\n"),
    ] {
      #expect(try encoding(Array(before.utf8) + [0xfc] + Array(after.utf8)) == .windows1252)
    }
    #expect(try encoding(Array(text.utf8)) == nil)
    #expect(try encoding([0xef, 0xbb, 0xbf] + Array(text.utf8)) == nil)
  }

  @Test
  func `Rows that are skipped are checked for their encoding`() throws {
    var options = ImportOptions(user: Name("me"), zone: .utc)
    options.columns = [(.start, "S"), (.end, "E")]
    options.dateFormat = .dayFirst
    var (source, rows) = (ImportSources.standard.init(options), ReadRows())
    let row = "2026-03-02 09:00,2026-03-02 10:00,"
    try source.read(Array("S,E,W\n\(row)\n".utf8), into: &rows)
    #expect(rows.rows.count == 1)
    do throws(ImportFailure) {
      try source.skip(Array(row.utf8) + [0xe4, 0x0a], into: &rows)
      Issue.record("a row in another encoding was skipped")
    } catch {
      #expect(error == .encoding(.windows1252))
    }
  }

  @Test(
    arguments: [
      ("a, b,, c", ["a", "b", "c"]), ("[\"a\",\"b\"]", ["a", "b"]), ("[]", []), ("[x]", ["[x]"]),
      ("[1, \"a\"]", ["[1", "\"a\"]"]), ("\"x, y\", z", ["x, y", "z"]), ("\"a\"\"b\"", ["a\"b"]),
      ("\"hi\" there, b", ["\"hi\" there", "b"]), ("5\" disk, b", ["5\" disk", "b"]),
      ("\"open, b", ["\"open", "b"]), ("\"[]\"", ["[]"]), ("", []),
    ])
  func `Tags are separated by commas, in quotes or a JSON array`(text: String, tags: [String]) {
    let names = TagCell.names(in: text).map { Name($0).text }
    #expect(names.filter { !$0.isEmpty } == tags)
  }

  @Test
  func `Any tags are read back from a cell`() {
    withSeed { random in
      for _ in 0..<repetitions(2_000) {
        let letters = ["a", ",", "\"", "[", "]", " ", "é", "'"]
        var tags: [String] = []
        for _ in 0..<Int.random(in: 0...4, using: &random) {
          var text = ""
          for _ in 0..<Int.random(in: 1...5, using: &random) {
            text += letters.randomElement(using: &random) ?? ""
          }
          let name = Name(text).text
          if !name.isEmpty { tags.append(name) }
        }
        let cell = TagCell.text(of: tags)
        #expect(TagCell.names(in: cell).map { Name($0).text } == tags, "\(cell)")
      }
    }
  }
}
