import CivilTime
import RetraceState
import Testing
import TimeTracking
import TrackerFormats

@Suite
struct CalendarFileTests {
  static let berlin = CalendarGoldenTests.zones["Europe/Berlin"] ?? .utc
  /// The years 2026 and 2027 in UTC.
  static let range = moment("2026-01-01T00:00:00Z")..<moment("2028-01-01T00:00:00Z")

  static func moment(_ text: String) -> Moment {
    Moment(timestamp: text) ?? Moment(microseconds: 0)
  }

  /// Reads a calendar with lines in its events.
  static func read(_ lines: String, before: String = "") throws -> CalendarFile {
    let text = "BEGIN:VCALENDAR\nVERSION:2.0\n\(before)\(lines)\nEND:VCALENDAR\n"
    return try CalendarFile(Array(text.utf8)) { CalendarGoldenTests.zones[$0] }
  }

  static func event(_ lines: String...) -> String {
    "BEGIN:VEVENT\n\(lines.joined(separator: "\n"))\nEND:VEVENT"
  }

  /// The occurrences as texts such as `2026-03-02T08:00:00Z+3600 title`.
  static func shown(
    _ file: CalendarFile, in range: Range<Moment> = range, limit: Int = 1_000
  ) -> [String] {
    file.occurrences(in: range, floating: berlin, limit: limit).occurrences.map {
      let length = $0.event.end.elapsed(since: $0.event.start).seconds
      return "\($0.event.start.timestamp)+\(length)\($0.event.title.isEmpty ? "" : " ")"
        + $0.event.title
    }
  }

  /// Reads an event, and returns its occurrences, or its rejection.
  static func shown(_ lines: String...) throws -> [String] {
    let file = try read(event(lines.joined(separator: "\n")))
    return file.rejections.map { "\($0.line) \($0.column ?? "-") \($0.value): \($0.reason)" }
      + shown(file)
  }
}

extension CalendarFileTests {
  // MARK: Times and lengths

  @Test(
    arguments: [
      ("DTSTART:20260302T090000Z", "2026-03-02T09:00:00Z+0"),
      ("DTSTART;TZID=Europe/Berlin:20260302T090000", "2026-03-02T08:00:00Z+0"),
      ("dtstart;tzid=\"Europe/Berlin\":20260302t090000", "2026-03-02T08:00:00Z+0"),
      ("DTSTART;X-A=\"a:b;c\",d;TZID=Europe/Berlin:20260302T090000", "2026-03-02T08:00:00Z+0"),
      ("DTSTART;TZID=/example.com/2026/Europe/Berlin:20260302T090000", "2026-03-02T08:00:00Z+0"),
      // A time with Z is in UTC, whatever zone it names.
      ("DTSTART;TZID=Europe/Berlin:20260302T090000Z", "2026-03-02T09:00:00Z+0"),
      // Times without a zone are in that of the user, which is Berlin.
      ("DTSTART:20260302T090000", "2026-03-02T08:00:00Z+0"),
      ("DTSTART;VALUE=DATE:20260302", "2026-03-01T23:00:00Z+86400"),
      ("DTSTART:20260302", "2026-03-01T23:00:00Z+86400"),
      ("DTSTART:20260329\nDTEND:20260330", "2026-03-28T23:00:00Z+82800"),
      ("DTSTART:20261025\nDURATION:P1D", "2026-10-24T22:00:00Z+90000"),
      ("DTSTART:20260302\nDTEND:20260302", "2026-03-01T23:00:00Z+86400"),
      ("DTSTART:20260302\nDURATION:P1W", "2026-03-01T23:00:00Z+604800"),
      ("DTSTART:20260302T235960Z", "2026-03-02T23:59:59Z+0"),
      ("DTSTART:20260302T090000Z\nDURATION:PT1H30M", "2026-03-02T09:00:00Z+5400"),
      ("DTSTART:20260302T090000Z\nDURATION:P1DT1H", "2026-03-02T09:00:00Z+90000"),
      ("DTSTART:20260302T090000Z\nDURATION:+P2W", "2026-03-02T09:00:00Z+1209600"),
      (
        "DTSTART;TZID=America/New_York:20260302T090000\nDTEND;TZID=Europe/Berlin:20260302T160000",
        "2026-03-02T14:00:00Z+3600"
      ),
      // An end without a zone is in that of the start.
      (
        "DTSTART;TZID=America/New_York:20260302T090000\nDTEND:20260302T100000",
        "2026-03-02T14:00:00Z+3600"
      ),
      // Both nights of the change of clocks: days on the calendar, hours as they pass.
      (
        "DTSTART;TZID=Europe/Berlin:20260329T013000\nDTEND;TZID=Europe/Berlin:20260329T033000",
        "2026-03-29T00:30:00Z+3600"
      ),
      (
        "DTSTART;TZID=Europe/Berlin:20260329T013000\nDURATION:PT2H", "2026-03-29T00:30:00Z+7200"
      ),
      (
        "DTSTART;TZID=Europe/Berlin:20261024T120000\nDURATION:P1D", "2026-10-24T10:00:00Z+90000"
      ),
      // A skipped time has the offset before the change, and a repeated one is the first.
      ("DTSTART;TZID=Europe/Berlin:20260329T023000", "2026-03-29T01:30:00Z+0"),
      ("DTSTART;TZID=Europe/Berlin:20261025T023000", "2026-10-25T00:30:00Z+0"),
    ])
  func `The times of an event`(lines: String, expected: String) throws {
    #expect(try Self.shown(lines) == [expected])
  }

  @Test
  func `An event is in a range if it has a moment of it, or begins in it without length`() throws {
    let file = try Self.read(
      Self.event("UID:1", "DTSTART:20260302T090000Z", "DTEND:20260302T100000Z") + "\n"
        + Self.event("UID:2", "DTSTART:20260302T100000Z"))
    func ids(_ from: String, _ to: String) -> [String] {
      let range = Self.moment("2026-03-02T\(from)Z")..<Self.moment("2026-03-02T\(to)Z")
      return file.occurrences(in: range, floating: .utc).occurrences.map(\.event.id)
    }
    #expect(ids("08:00:00", "09:00:00") == [])
    #expect(ids("08:00:00", "09:00:01") == ["1"])
    #expect(ids("09:59:59", "10:00:00") == ["1"])
    #expect(ids("10:00:00", "10:00:01") == ["2"])
    #expect(ids("09:00:00", "10:00:01") == ["1", "2"])
    #expect(ids("10:00:01", "11:00:00") == [])
  }

  // MARK: Zones of the file

  static let office = """
    BEGIN:VTIMEZONE
    TZID:W. Europe Standard Time
    BEGIN:STANDARD
    DTSTART:16010101T030000
    TZOFFSETFROM:+0200
    TZOFFSETTO:+0100
    RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10
    END:STANDARD
    BEGIN:DAYLIGHT
    DTSTART:16010101T020000
    TZOFFSETFROM:+0100
    TZOFFSETTO:+0200
    RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3
    END:DAYLIGHT
    END:VTIMEZONE

    """

  @Test
  func `A zone that the file defines has its changes in all years`() throws {
    let times = [
      ("19700701T090000", "1970-07-01T07:00:00Z"), ("20260328T090000", "2026-03-28T08:00:00Z"),
      ("20260329T030000", "2026-03-29T01:00:00Z"), ("20260329T023000", "2026-03-29T01:30:00Z"),
      ("20261025T023000", "2026-10-25T00:30:00Z"), ("20261025T030000", "2026-10-25T02:00:00Z"),
      ("21990701T090000", "2199-07-01T07:00:00Z"),
    ]
    for (local, utc) in times {
      let event = Self.event("DTSTART;TZID=W. Europe Standard Time:\(local)")
      for text in [Self.office + event, event + "\n" + Self.office] {
        let file = try Self.read(text)
        #expect(file.rejections.isEmpty)
        let range = Self.moment("1900-01-01T00:00:00Z")..<Self.moment("2300-01-01T00:00:00Z")
        #expect(Self.shown(file, in: range) == ["\(utc)+0"])
      }
    }
  }

  @Test
  func `A name of a zone counts in its calendar only, and the tz database precedes it`() throws {
    func calendar(_ id: String, _ offset: String) -> String {
      """
      BEGIN:VCALENDAR
      BEGIN:VTIMEZONE
      TZID:\(id)
      BEGIN:STANDARD
      DTSTART:16010101T000000
      TZOFFSETFROM:\(offset)
      TZOFFSETTO:\(offset)
      END:STANDARD
      END:VTIMEZONE
      \(Self.event("DTSTART;TZID=\(id):20260302T090000"))
      END:VCALENDAR

      """
    }
    func shown(_ text: String) throws -> [String] {
      Self.shown(try CalendarFile(Array(text.utf8)) { CalendarGoldenTests.zones[$0] })
    }
    let id = "Customized Time Zone"
    #expect(
      try shown(calendar(id, "+0100") + calendar(id, "-053015"))
        == ["2026-03-02T08:00:00Z+0", "2026-03-02T14:30:15Z+0"])
    #expect(try shown(calendar("Asia/Kolkata", "+0100")) == ["2026-03-02T03:30:00Z+0"])
  }

  @Test
  func `Only names that may be zones are looked up, and each once`() throws {
    var asked: [String] = []
    let events = ["../../etc/passwd", "Europe/Berlin", "a b", "Europe/Berlin", "Ä", "x/../y"].map {
      Self.event("DTSTART;TZID=\($0):20260302T090000")
    }
    let text = "BEGIN:VCALENDAR\n\(events.joined(separator: "\n"))\nEND:VCALENDAR"
    let file = try CalendarFile(Array(text.utf8)) { id in
      asked.append(id)
      return nil
    }
    #expect(asked == ["Europe/Berlin"])
    #expect(file.rejections.count == 6 && file.eventCount == 0)
    #expect(
      "\(file.rejections[0].reason)" == "the zone ../../etc/passwd is unknown, and not in the file")
    #expect(file.rejections.map(\.line) == [3, 6, 9, 12, 15, 18])
  }

  // MARK: Texts

  @Test
  func `Lines are unfolded, also within a character, and escapes resolved`() throws {
    #expect(
      try Self.shown("DTSTART:20260302T090000Z", "SUMMARY:a\\, b\\; c\\\\n \\n d\\N e\\x \\")
        == ["2026-03-02T09:00:00Z+0 a, b; c\\n \n d\n e\\x \\"])
    #expect(
      try Self.shown("DTSTA\n RT:20260302\n\tT090000Z", "SUMMARY;LANGUAGE=de:x\n   y")
        == ["2026-03-02T09:00:00Z+0 x  y"])
    let (head, tail) = ("BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:", "\r\nDTSTART:20260302\r\n")
    let bytes =
      Array(head.utf8) + [0xe2, 0x82] + Array("\r\n ".utf8) + [0xac]
      + Array("\(tail)END:VEVENT\r\nEND:VCALENDAR".utf8)
    let file = try CalendarFile([0xef, 0xbb, 0xbf] + bytes) { _ in nil }
    #expect(Self.shown(file) == ["2026-03-01T23:00:00Z+86400 €"])
    let broken = try CalendarFile(bytes.filter { $0 != 0xac }) { _ in nil }
    #expect(broken.rejections.map(\.reason) == [.notUTF8])
    #expect(broken.rejections.map(\.column) == ["SUMMARY"])
  }

  @Test
  func `Other components are passed over`() throws {
    let text = """
      BEGIN:VTODO
      DTSTART:never
      no property
      END:VTODO
      BEGIN:VEVENT
      DTSTART:20260302T090000Z
      BEGIN:VALARM
      DTSTART:never
      TRIGGER:-PT15M
      END:VALARM
      SUMMARY:a
      STATUS:TENTATIVE
      END:VEVENT
      BEGIN:VJOURNAL
      BEGIN:VEVENT
      END:VEVENT
      END:VJOURNAL
      BEGIN:VEVENT
      DTSTART:20260302T100000Z
      STATUS:CANCELLED
      END:VEVENT
      """
    let file = try Self.read(text)
    #expect(file.rejections.isEmpty && file.eventCount == 2)
    let found = file.occurrences(in: Self.range, floating: .utc).occurrences
    #expect(found.map(\.event.title) == ["a"] && found.map(\.isTentative) == [true])
    #expect(found.map(\.line) == [7] && found.map(\.isWholeDay) == [false])
  }
}
