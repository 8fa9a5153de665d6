import CivilTime
import RetraceState
import Testing
import TimeTracking
import TrackerFormats

/// The total of a file is that of the program that wrote it, or the difference is told.
@Suite
struct ProgramTotalsTests {
  /// A file, and what an import makes of it.
  struct File: CustomTestStringConvertible {
    let testDescription: String
    let text: String
    /// The time of all rows.
    let seconds: Int64
    var rejected: [Int] = []
    var running = 0
    /// The time of the rejected rows.
    var secondsLeftOut: Int64 = 0
    var notes: [String] = []

    init(
      _ description: String, _ text: String, seconds: Int64, rejected: [Int] = [],
      running: Int = 0, secondsLeftOut: Int64 = 0, notes: [String] = []
    ) {
      (testDescription, self.text, self.seconds) = (description, text, seconds)
      (self.rejected, self.running, self.notes) = (rejected, running, notes)
      self.secondsLeftOut = secondsLeftOut
    }
  }

  private static let berlin = ZoneRules(posixRule: "CET-1CEST,M3.5.0,M10.5.0/3") ?? .utc

  private func check(
    _ file: File, as format: String, _ columns: [(ImportField, String)] = [],
    unit: DurationFormat = .clock
  ) throws {
    let rows = try CSVFileTests.read(
      file.text, as: format, columns, unit: unit, zone: Self.berlin)
    let times = rows.rows.map { $0.row.end.elapsed(since: $0.row.start).seconds }
    #expect(times.reduce(0, +) == file.seconds, "\(times)")
    #expect(rows.rejections.map(\.line) == file.rejected)
    let leftOut = rows.rejections.compactMap { $0.time?.seconds }
    #expect(leftOut.reduce(0, +) == file.secondsLeftOut)
    #expect(rows.running.count == file.running)
    let notes = rows.notes.filter { !$0.hasPrefix("columns that are not imported") }
    #expect(notes == file.notes)
  }

  // MARK: Timewarrior

  private static func interval(_ start: String, _ end: String?, _ more: String = "") -> String {
    let end = end.map { #","end":"\#($0)""# } ?? ""
    return #"{"id":1,"start":"\#(start)"\#(end)\#(more)}"#
  }

  private static let hour = interval("20260302T080000Z", "20260302T090000Z")

  /// Timewarrior 1.4.3 shows these totals.
  @Test(
    arguments: [
      File("one interval", "[\n\(hour)\n]\n", seconds: 3_600),
      File(
        "the line about tags that were counted anew",
        "Tags database does not exist. Recreating from interval data...\n[\n{},\n\(hour)\n]\n",
        seconds: 3_600, rejected: [3]),
      File(
        "times that timewarrior cannot read", "[\n{},\n{},\n\(hour)\n]", seconds: 3_600,
        rejected: [2, 3]),
      File(
        "the same in a data file",
        """
        inc 2026-03-02T08:00:00 - 2026-03-02T09:00:00 # a
        inc 20260302T080000 - 20260302T090000 # b
        inc 20260302T080000+0100 - 20260302T090000+0100
        inc today
        inc 20260302T080000Z - 20260302T090000Z
        """, seconds: 3_600, rejected: [1, 2, 3, 4]),
      File(
        "an open interval", "[\(hour),\(interval("20260303T080000Z", nil))]", seconds: 3_600,
        running: 1),
      File(
        "the spring night", "[\(interval("20260329T003000Z", "20260329T013000Z"))]",
        seconds: 3_600),
      File(
        "the autumn night", "[\(interval("20261024T233000Z", "20261025T023000Z"))]",
        seconds: 10_800),
      File(
        "inside the repeated hour", "inc 20261025T004500Z - 20261025T011500Z\n", seconds: 1_800),
      File("overlaps and equal intervals", "[\(hour),\(hour)]", seconds: 7_200),
      File(
        "the order of a data file, and the wrong month",
        "inc 20270402T080000Z - 20270402T090000Z\ninc 20260302T080000Z - 20260302T080000Z\n",
        seconds: 3_600),
    ])
  func `Of timewarrior`(file: File) throws { try check(file, as: "timewarrior") }

  @Test
  func `Words of timewarrior's data are those of its export`() throws {
    let words: [(String, [String])] = [
      ("7-zip", ["-zip", "7"]), ("7/8/9", ["/8/9", "7"]), ("7=", ["7", "="]),
      ("1.5-x", ["-x", "1.5"]), ("1e3+x", ["+x", "1e3"]), ("7(x", ["(x", "7"]),
      ("2026-03-01", ["-03-01", "2026"]), ("7.5", ["7.5"]), ("7.x", ["7.x"]), ("7,8", ["7,8"]),
      ("12:30-x", ["12:30-x"]), ("10h-x", ["10h-x"]), ("a-b", ["a-b"]), ("\"7-zip\"", ["7-zip"]),
      ("1e-3", ["1e-3"]), ("1e-3-x", ["-x", "1e-3"]), ("7.-x", ["-x", "7."]),
      ("1e+3x", ["1e+3x"]), ("1e-", ["1e-"]), ("-x", ["-x"]), ("7é-x", ["7é-x"]),
    ]
    for (word, tags) in words {
      let line = "inc 20260302T080000Z - 20260302T090000Z # \(word) # x \(word)\n"
      let row = try #require(try CSVFileTests.read(line, as: "timewarrior").rows.first?.row)
      #expect(row.tags.map(\.text) == tags, "\(word)")
      #expect(Set(row.description.split(separator: " ").map(String.init)) == Set(["x"] + tags))
    }
    let escapes = #"inc 20260302T080000Z - 20260302T090000Z # "a\tb" # "1\n2\t\u00e9 \d \/ \\""#
    let row = try #require(try CSVFileTests.read(escapes, as: "timewarrior").rows.first?.row)
    #expect(row.description == "1\n2\té d / \\" && row.tags.map(\.text) == ["a b"])
  }

  // MARK: Watson

  /// Watson 2.1.0 shows these totals.
  @Test(
    arguments: [
      File(
        "whole seconds of frames, some equal, empty or in the future",
        """
        [[1772442000, 1772445600.9, "p", "a"], [1772442000, 1772445600, "two words", "b", null],
        [1772442000, 1772442000, "p", "c", []], [1804318200, 1804321800, "p", "d", ["x, y"], 1]]
        """, seconds: 10_800),
      File(
        "both nights, and the missing hour as Watson stores it",
        """
        [[1774744200, 1774747800, "spring", "a", []], [1792884600, 1792895400, "autumn", "b", []],
        [1774747800, 1774748700, "missing", "c", []]]
        """, seconds: 15_300),
      File(
        "the log as JSON, with the frame that runs",
        """
        [
          {"id": "30469a41c88347088d38a9bce6494b37", "project": "night",
           "start": "2026-03-02T22:00:00+01:00", "stop": "2026-03-03T02:00:00+01:00",
           "tags": ["t"]},
          {"id": "4359374412e34da2b4386c4c5226e5b2", "project": "spring",
           "start": "2026-03-29T01:30:00+01:00", "stop": "2026-03-29T03:30:00+02:00", "tags": []},
          {"id": "current", "project": "runs", "start": "2026-11-29T04:57:22+01:00",
           "stop": "2026-11-29T05:57:22.123456+01:00", "tags": []}
        ]
        """, seconds: 18_000, running: 1),
      File(
        // With arrow 1.4, all offsets are those of the moment of reading.
        "the log as JSON with other offsets",
        """
        [{"id": "4359374412e34da2b4386c4c5226e5b2", "project": "spring",
        "start": "2026-03-29T01:30:00+01:00", "stop": "2026-03-29T02:30:00+01:00"},
        {"id": "b989582360794eef8b7d4768a582d7fb", "project": "autumn",
        "start": "2026-10-25T00:30:00+01:00", "stop": "2026-10-25T03:30:00+01:00", "tags": null}]
        """, seconds: 14_400),
      File(
        "a time that is none",
        """
        [{"id": "a", "project": "p", "start": "today", "stop": "2026-03-29T02:30:00+01:00"},
        {"id": "b", "project": "p", "start": "2026-03-29T01:30:00Z",
        "stop": "2026-03-29T02:30:00Z"}]
        """, seconds: 3_600, rejected: [1]),
    ])
  func `Of Watson`(file: File) throws { try check(file, as: "watson") }

  @Test(arguments: ["watson", "timewarrior"])
  func `Objects with a stop are frames, and no intervals that run`(format: String) throws {
    let id = "30469a41c88347088d38a9bce6494b37"
    let log = """
      [{"id": "\(id)", "project": "night",
      "start": "2026-03-02T22:00:00+01:00", "stop": "2026-03-03T02:00:00+01:00", "tags": ["t"]}]
      """
    let options = ImportOptions(user: Name("me"), zone: .utc)
    let found = ImportSources.recognized(by: Array(log.utf8), options) { Array(log.utf8) }
    #expect(found?.format.name == "watson")
    let rows = try CSVFileTests.read(log, as: format)
    #expect(rows.running.isEmpty)
    #expect(rows.rejections.count == (format == "watson" ? 0 : 1))
    #expect(rows.rows.compactMap(\.row.id) == (format == "watson" ? [id] : []))
  }

  // MARK: klog

  private static func day(_ date: String, _ entries: String...) -> String {
    "\(date)\n" + entries.map { "    \($0)\n" }.joined()
  }

  private static func changed(_ ranges: String, _ klog: String, _ passed: String) -> String {
    "the clocks were changed within \(ranges): klog counts \(klog), and \(passed) passed"
  }

  /// klog's specification 1.4 gives these totals.
  @Test(
    arguments: [
      File("an open range", day("2026-03-02", "9:00 - ?", "1h"), seconds: 3_600, running: 1),
      File(
        "ranges over midnight", day("2026-03-02", "<23:00 - 1:00", "23:00 - 1:00>"),
        seconds: 14_400),
      File(
        "an end before the start", day("2026-03-02", "23:00 - 1:00", "1h"), seconds: 3_600,
        rejected: [2]),
      File(
        "durations", day("2026-03-02", "+0:30", "30m", "+30m", "1h30m", "90m", "1h60m"),
        seconds: 14_400, rejected: [2, 7]),
      File(
        "a target", day("2026-03-02 (8h!)", "1h"), seconds: 3_600,
        notes: [
          "1 record has a target such as (8h!), which is left out; `track goals` sets targets"
        ]
      ),
      File(
        "24:00", day("2026-03-02", "22:00 - 24:00", "22:00 - 0:00>", "22:00 - 24:00>"),
        seconds: 14_400, rejected: [4]),
      File(
        "overlaps", day("2026-03-02", "9:00 - 10:00", "9:30 - 10:30", "9:30 - 10:30"),
        seconds: 10_800),
      File(
        "a day below zero", day("2026-03-02", "1h", "-2h off"), seconds: 3_600, rejected: [3],
        secondsLeftOut: -7_200),
      File("a break", day("2026-03-02", "9:00 - 12:00", "-45m"), seconds: 8_100),
      File(
        "the spring night", day("2026-03-29", "1:30 - 3:30"), seconds: 3_600,
        notes: [changed("1 range", "2:00:00", "1:00:00")]),
      File(
        "the autumn night", day("2026-10-25", "1:30 - 3:30", "0:00 - 4:00", "-30m"),
        seconds: 27_000, notes: [changed("2 ranges", "5:30:00", "7:30:00")]),
      File(
        "inside the repeated hour", day("2026-10-25", "2:10 - 2:40", "2:45 - 2:15"),
        seconds: 1_800, rejected: [3]),
      File(
        "the missing hour", day("2026-03-29", "2:30 - 3:45", "1h"), seconds: 3_600, rejected: [2],
        secondsLeftOut: 4_500),
      File(
        "durations of days of 23 and 25 hours",
        day("2026-03-29", "23h", "1h") + "\n" + day("2026-10-25", "25h"), seconds: 176_400),
    ])
  func `Of klog`(file: File) throws { try check(file, as: "klog") }

  // MARK: Comma-separated values

  private static let toggl =
    "User,Email,Client,Project,Task,Description,Billable,Start date,Start time,End date,End time,"
    + "Duration,Tags,Amount (EUR)\n"

  private static func toggl(_ rows: (String, String, String)...) -> String {
    toggl
      + rows.map { start, end, duration in
        let (start, end) = (start.replacing(" ", with: ","), end.replacing(" ", with: ","))
        return "Ann,a@x.test,,web,,x,Yes,\(start),\(end),\"\(duration)\",,1.00\n"
      }.joined()
  }

  @Test(
    arguments: [
      ("00:35:05", 2_105), ("0:35:05", 2_105), ("35:05 min", 2_105), ("0.58 h", 2_105),
      ("0,58 h", 2_105), ("0:35 h", 2_105), ("0h 35m", 2_105),
    ] as [(String, Int64)])
  func `Of Toggl, however durations are written`(duration: String, seconds: Int64) throws {
    let times = ("2024-10-15 09:00:00", "2024-10-15 09:35:05")
    try check(
      File(duration, Self.toggl((times.0, times.1, duration)), seconds: seconds), as: "toggl")
  }

  @Test(
    arguments: [
      File(
        "short entries",
        toggl(
          ("2024-10-15 09:00:00", "2024-10-15 09:00:10", "0.00 h"),
          ("2024-10-15 10:00:00", "2024-10-15 10:00:10", "0:00 h")), seconds: 20),
      File(
        "a running entry", toggl(("2024-10-15 09:00:00", " ", "00:00:00")), seconds: 0,
        running: 1),
      File(
        "equal rows",
        toggl(
          ("2024-10-15 09:00:00", "2024-10-15 10:00:00", "01:00:00"),
          ("2024-10-15 09:00:00", "2024-10-15 10:00:00", "01:00:00")), seconds: 7_200),
      File(
        "both nights, and the repeated hour",
        toggl(
          ("2026-03-29 01:30:00", "2026-03-29 03:30:00", "01:00:00"),
          ("2026-10-25 01:30:00", "2026-10-25 03:30:00", "03:00:00"),
          ("2026-10-25 02:45:00", "2026-10-25 02:15:00", "00:30:00"),
          ("2026-10-25 02:30:00", "2026-10-25 03:00:00", "00:30:00")), seconds: 18_000),
      File(
        "the missing hour",
        toggl(
          ("2024-10-15 09:00:00", "2024-10-15 10:00:00", "01:00:00"),
          ("2026-03-29 02:30:00", "2026-03-29 04:30:00", "02:00:00")), seconds: 3_600,
        rejected: [3], secondsLeftOut: 7_200),
    ])
  func `Of Toggl`(file: File) throws { try check(file, as: "toggl") }

  /// hamster writes minutes with one decimal, and counts the time on the clock.
  @Test(
    arguments: [
      File("a rounded duration", "2026-03-02 09:00:00\t2026-03-02 10:00:10\t60.2", seconds: 3_610),
      File("a night", "2026-03-02 22:00:00\t2026-03-03 02:00:00\t240.0", seconds: 14_400),
      File(
        "the spring night", "2026-03-29 01:30:00\t2026-03-29 03:30:00\t120.0", seconds: 0,
        rejected: [2], secondsLeftOut: 7_200),
      File("an exact duration", "2026-03-02 09:00\t2026-03-02 10:00\t60.2", seconds: 3_612),
      File("no end", "2026-03-02 09:00:00\t\t60.2", seconds: 3_612),
    ])
  func `Of hamster's table`(file: File) throws {
    let text = "start time\tend time\tduration minutes\n\(file.text)\n".replacing("\t", with: ",")
    let columns: [(ImportField, String)] = [
      (.start, "start time"), (.end, "end time"), (.duration, "duration minutes"),
    ]
    try check(
      File(
        file.testDescription, text, seconds: file.seconds, rejected: file.rejected,
        secondsLeftOut: file.secondsLeftOut), as: "csv", columns, unit: .minutes)
  }

  @Test(
    arguments: [
      ("10/15/2024,10:23 AM", "10/15/2024,10:43 AM", "00:20:18", 1_218),
      ("10/15/2024,10:23:00 AM", "10/15/2024,10:43:18 AM", "00:20:18", 1_218),
      ("15/10/2024,10:23", "15/10/2024,10:43", "00:20:18", 1_218),
      ("2024-10-15,22:00:00", "2024-10-16,02:00:00", "04:00:00", 14_400),
      ("2026-10-25,02:30:00", "2026-10-25,03:00:00", "00:30:00", 1_800),
    ] as [(String, String, String, Int64)])
  func `Of Clockify, whose decimal durations are not read`(
    start: String, end: String, duration: String, seconds: Int64
  ) throws {
    let header =
      "Project,Client,Description,Task,User,Group,Email,Tags,Billable,Start Date,Start Time,"
      + "End Date,End Time,Duration (h),Duration (decimal),Billable Rate (USD)\n"
    let row = "web,ACME,a ''q'' b,,Pat,,p@x.test,,Yes,\(start),\(end),\(duration),9.99,1\n"
    try check(File(start, header + row, seconds: seconds), as: "clockify")
  }

  // MARK: Encodings

  @Test(arguments: ["timewarrior", "klog", "watson", "track"])
  func `A file of any format in another encoding is refused as a whole`(format: String) throws {
    let texts = [
      "timewarrior": #"[{"start":"20260302T080000Z","end":"20260302T090000Z","tags":["é"]}]"#,
      "klog": "2026-03-02\n    1h é\n",
      "watson": #"[[1772442000,1772445600,"é","a"]]"#, "track": "[\"é\"]",
    ]
    let text = try #require(texts[format])
    let bytes = text.unicodeScalars.map { UInt8($0.value) }
    #expect(throws: ImportFailure.encoding(.windows1252)) {
      try CSVFileTests.read(bytes, as: format)
    }
    let options = ImportOptions(user: Name("me"), zone: .utc)
    let found = ImportSources.recognized(by: bytes, options) { bytes }
    #expect(found?.format.name == (format == "klog" ? "klog" : "timewarrior"))
  }
}
