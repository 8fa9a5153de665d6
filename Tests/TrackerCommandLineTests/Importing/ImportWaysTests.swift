import Foundation
import Testing
import ToolTestSupport

/// A file that comes again, has grown, is in another order or is written in another way creates
/// only its new rows.
@Suite struct ImportWaysTests {
  /// A file of one format.
  struct File: CustomTestStringConvertible {
    let testDescription: String
    /// The file, with a character that is not ASCII.
    let text: String
    /// The number of its rows.
    let rows: Int
    /// The same rows, in other words.
    let same: [String]
    /// The same rows and another one.
    let grown: String
    var options: [String] = []
  }

  private static let intervals = [
    #"{"id":2,"start":"20260302T080000Z","end":"20260302T090000Z","tags":["a\/b","é"],"#
      + #""annotation":"x \/ é"}"#,
    #"{"id":1,"start":"20260303T080000Z","end":"20260303T090000Z"}"#,
    #"{"id":1,"start":"20260304T080000Z","end":"20260304T090000Z"}"#,
  ]
  private static let lines = [
    "inc 20260302T080000Z - 20260302T090000Z # \"a/b\" é # \"x / é\"\n",
    "inc 20260303T080000Z - 20260303T090000Z\n", "inc 20260304T080000Z - 20260304T090000Z\n",
  ]
  private static let frames = [
    #"[1772438400,1772442000,"é","30469a41c88347088d38a9bce6494b37",["a, b"],1795700283]"#,
    #"[1772524800,1772528400,"p","4359374412e34da2b4386c4c5226e5b2",[],1795700283]"#,
    #"[1772611200,1772614800,"p","b989582360794eef8b7d4768a582d7fb",[],1795700283]"#,
  ]
  private static let log = """
    [{"id": "4359374412e34da2b4386c4c5226e5b2", "project": "p",
    "start": "2026-03-03T09:00:00+01:00", "stop": "2026-03-03T10:00:00+01:00", "tags": []},
    {"tags": ["a, b"], "stop": "2026-03-02T09:00:00Z", "start": "2026-03-02T08:00:00Z",
    "project": "\\u00e9", "id": "30469a41c88347088d38a9bce6494b37"}]
    """
  private static let klog = """
    2026-03-02
    Day #t
        9:00 - 10:00 a é
        30m b
        1h30m c
        22:00 - 1:00> n

    2026-03-03
        8:00 - 9:00

    """
  private static let csv = [
    "Start,End,What\n", "2026-03-02 09:00,2026-03-02 10:00,\"é, \"\"q\"\"\"\n",
    "2026-03-03 09:00,2026-03-03 10:30,y\n", "2026-03-04 09:00,2026-03-04 10:30,y\n",
  ]
  private static let toggl = [
    "User,Project,Description,Start date,Start time,End date,End time,Duration,Tags\n",
    "Ann,web,é,2024-10-15,09:00:00,2024-10-15,10:00:00,01:00:00,\"a, b\"\n",
    "Ann,web,y,2024-10-16,09:00:00,2024-10-16,09:35:05,00:35:05,\n",
    "Ann,web,y,2024-10-17,09:00:00,2024-10-17,09:35:05,00:35:05,\n",
  ]

  private static func array(_ elements: [String]) -> String {
    "[\n\(elements.joined(separator: ",\n"))\n]\n"
  }

  /// The texts with other line ends and with a byte-order mark.
  private static func recoded(_ text: String) -> [String] {
    [text.replacing("\n", with: "\r\n"), "\u{FEFF}\(text)"]
  }

  @Test(
    arguments: [
      File(
        testDescription: "timewarrior's export", text: array([intervals[0], intervals[1]]), rows: 2,
        same: recoded(array([intervals[0], intervals[1]])) + [
          array([intervals[1], intervals[0].replacing("é", with: "\\u00e9")]),
          lines[1] + lines[0],
          array([
            intervals[1], intervals[0].replacing("\\/", with: "/").replacing("\"id\":2,", with: ""),
          ]),
          "Tags database does not exist. Recreating from interval data...\n"
            + array([intervals[0], intervals[1]]),
        ], grown: array([intervals[2], intervals[1], intervals[0]])),
      File(
        testDescription: "timewarrior's data", text: lines[0] + lines[1], rows: 2,
        same: recoded(lines[0] + lines[1]) + [
          lines[1] + lines[0], array([intervals[0], intervals[1]]),
          lines[1] + lines[0].replacing("\"x / é\"", with: "\"x \\/ \\u00e9\""),
        ], grown: lines[2] + lines[1] + lines[0]),
      File(
        testDescription: "Watson's frames", text: array([frames[0], frames[1]]), rows: 2,
        same: recoded(array([frames[0], frames[1]])) + [
          "[\(frames[1]),\(frames[0].replacing("é", with: "\\u00e9"))]", log,
        ], grown: array([frames[2], frames[1], frames[0]])),
      File(
        testDescription: "klog", text: klog, rows: 5,
        same: recoded(klog) + [
          """
          2026/03/03
            8:00am-9:00am

          2026/03/02
          Day #t
            10:00pm - 1:00am> n
            90m c
            0h30m b
            09:00 - 10:00 a é

          """, klog.replacing("    ", with: "\t"),
        ], grown: "\(klog)\n2026-03-04\n    8:00 - 9:00\n", options: ["--zone", "Europe/Berlin"]),
      File(
        testDescription: "CSV", text: csv[0] + csv[1] + csv[2], rows: 2,
        same: recoded(csv[0] + csv[1] + csv[2]) + [
          csv[0] + csv[2] + csv[1], (csv[0] + csv[1] + csv[2]).replacing("\n", with: "\r"),
          "sep=;\nWhat;Start;End\n\"y\";2026-03-03T09:00:00+01:00;3.3.2026 10:30 AM\n"
            + "é, \"q\";2026-03-02T08:00Z;2026-03-02 10:00:00\n",
        ], grown: csv[0] + csv[3] + csv[2] + csv[1],
        options: [
          "--zone", "Europe/Berlin", "--column", "start=Start", "--column", "end=End", "--column",
          "description=What",
        ]),
      File(
        testDescription: "Toggl", text: toggl[0] + toggl[1] + toggl[2], rows: 2,
        same: recoded(toggl[0] + toggl[1] + toggl[2]) + [
          toggl[0] + toggl[2] + toggl[1],
          (toggl[0] + toggl[2] + toggl[1]).replacing("00:35:05", with: "35:05 min"),
          (toggl[0] + toggl[2] + toggl[1]).replacing("00:35:05", with: "0.58 h"),
          (toggl[0] + toggl[2] + toggl[1]).replacing("-10-", with: "/10/"),
        ], grown: toggl[0] + toggl[3] + toggl[2] + toggl[1],
        options: ["--zone", "Europe/Berlin"]),
    ], [true, false])
  func `Only new rows are created`(file: File, isRenamed: Bool) throws {
    try withTemporaryDirectory { folder in
      let store = ["--store", "\(folder)/s"]
      var number = 0
      func command(_ bytes: some Sequence<UInt8>) throws -> [String] {
        if isRenamed { number += 1 }
        let path = "\(folder)/f\(number)"
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return ["track", "import", path] + store + file.options
      }
      func counts(_ text: String) throws -> [Int?] {
        let answer = try object(expectFine(command(text.utf8) + ["--json"]))
        return ["created", "skipped", "differingCount", "clashing", "rejectedCount"]
          .map { answer[$0] as? Int }
      }
      func times() throws -> [Int] {
        let log = try json(expectFine(["track", "log", ":all", "--json"] + store))
        return try #require(log as? [[String: Any]]).compactMap { $0["seconds"] as? Int }
      }
      #expect(try counts(file.text) == [file.rows, 0, 0, 0, 0])
      let first = try times()
      for same in [file.text] + file.same {
        #expect(try counts(same) == [0, file.rows, 0, 0, 0], "\(same)")
      }
      #expect(try times() == first)
      #expect(try counts(file.grown) == [1, file.rows, 0, 0, 0])
      #expect(try times().count == first.count + 1)
      // A file in another encoding is refused, and the error has the command that converts it.
      let narrow = file.text.unicodeScalars.map { UInt8($0.value) }
      try expectFailure(command(narrow), exit: 1, mentions: ["`iconv -f WINDOWS-1252 -t UTF-8"])
      let wide = file.text.utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }
      try expectFailure(command(wide), exit: 1, mentions: ["`iconv -f UTF-16LE -t UTF-8"])
      #expect(try times().count == first.count + 1)
    }
  }
}
