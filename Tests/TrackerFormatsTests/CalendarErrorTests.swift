import CivilTime
import RetraceRandom
import RetraceState
import RetraceTesting
import Testing
import TimeTracking
import TrackerFormats

/// Calendars that are wrong, or made to harm.
@Suite
struct CalendarErrorTests {
  typealias Files = CalendarFileTests

  @Test(
    arguments: [
      ("", "it has no BEGIN:VCALENDAR"),
      ("BEGIN:VCALENDAR\nEND:VCALENDAR\n", nil),
      ("\n\u{feff}BEGIN:VCALENDAR", "line 2 is not within BEGIN:VCALENDAR and END:VCALENDAR"),
      ("hello", "line 1 is not within BEGIN:VCALENDAR and END:VCALENDAR"),
      ("BEGIN:VEVENT\nEND:VEVENT", "line 1 is not within BEGIN:VCALENDAR and END:VCALENDAR"),
      (
        "BEGIN:VCALENDAR\nEND:VCALENDAR\nX:y",
        "line 3 is not within BEGIN:VCALENDAR and END:VCALENDAR"
      ),
      ("BEGIN:VCALENDAR\n", "VCALENDAR, which begins on line 1, never ends"),
      ("BEGIN:VCALENDAR\nBEGIN:VEVENT\n", "VEVENT, which begins on line 2, never ends"),
      (
        "BEGIN:VCALENDAR\nBEGIN:VEVENT\nEND:VCALENDAR",
        "line 3 ends VCALENDAR, but VEVENT, which begins on line 2, is open"
      ),
      (
        "BEGIN:VCALENDAR\nBEGIN:VCALENDAR\n",
        "line 2 is not within BEGIN:VCALENDAR and END:VCALENDAR"
      ),
      (
        "BEGIN:VCALENDAR\n" + String(repeating: "BEGIN:X\n", count: 40),
        "line 33 is within more than 32 components"
      ),
    ])
  func `A file that is no calendar is one error`(text: String, expected: String?) throws {
    var found: ImportFailure?
    do throws(ImportFailure) {
      _ = try CalendarFile(Array(text.utf8)) { _ in nil }
    } catch {
      found = error
    }
    #expect(found == expected.map { .notFile($0) })
  }

  @Test
  func `A file in another encoding is refused, and a character in one is its event's`() throws {
    let event = Files.event("DTSTART:20260302", "SUMMARY:ä")
    let text = "BEGIN:VCALENDAR\n\(event)\nEND:VCALENDAR"
    let wide: [UInt8] = [0xff, 0xfe] + text.utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }
    #expect(throws: ImportFailure.encoding(.utf16)) { try CalendarFile(wide) { _ in nil } }
    let latin = text.unicodeScalars.map { UInt8($0.value) }
    let file = try CalendarFile(latin) { _ in nil }
    #expect(file.rejections.map(\.line) == [4] && file.rejections.map(\.reason) == [.notUTF8])
  }

  /// The event begins on line 3, and its first property is on line 4.
  @Test(
    arguments: [
      ("SUMMARY:a", "3 DTSTART : the event has no DTSTART"),
      (
        "DTSTART:yesterday",
        "4 DTSTART yesterday: not a date such as 20260302, or a time such as "
          + "20260302T090000Z"
      ),
      (
        "DTSTART:20260302T0900",
        "4 DTSTART 20260302T0900: not a date such as 20260302, or a time "
          + "such as 20260302T090000Z"
      ),
      (
        "DTSTART;VALUE=DATE:20260302T090000",
        "4 DTSTART 20260302T090000: not a date such as "
          + "20260302"
      ),
      (
        "DTSTART;VALUE=DATE-TIME:20260302",
        "4 DTSTART 20260302: not a time such as "
          + "20260302T090000Z"
      ),
      ("DTSTART:20260229", "4 DTSTART 20260229: no such day or time"),
      ("DTSTART:00000101", "4 DTSTART 00000101: no such day or time"),
      ("DTSTART:20260302T250000", "4 DTSTART 20260302T250000: no such day or time"),
      (
        "DTSTART;TZID=Mars:20260302T090000",
        "4 DTSTART 20260302T090000: the zone Mars is unknown, "
          + "and not in the file"
      ),
      (
        "DTSTART;TZID:20260302",
        "4 DTSTART DTSTART;TZID:20260302: a parameter is not NAME=VALUE, "
          + "or a quote is never closed"
      ),
      (
        "DTSTART;X=\"a:20260302",
        "4 DTSTART DTSTART;X=\"a:20260302: a parameter is not NAME=VALUE, "
          + "or a quote is never closed"
      ),
      (
        "DTSTART:20260302\nand more",
        "5 - and more: neither a property, such as SUMMARY:text, nor "
          + "the continuation of one"
      ),
      ("DTSTART:20260302\nDTEND:20260301", "5 DTEND 20260301: the duration is negative"),
      (
        "DTSTART:20260302\nDTEND:20260302T090000",
        "5 DTEND 20260302T090000: one of DTSTART and "
          + "DTEND is a date, and the other a time"
      ),
      (
        "DTSTART:20260302T090000\nDTEND:20260302T090000Z",
        "5 DTEND 20260302T090000Z: DTEND has a "
          + "zone, and DTSTART has none"
      ),
      ("DTSTART:00010101\nDTEND:20260302", "5 DTEND 20260302: longer than 36600 days"),
      (
        "DTSTART:20260302\nDTEND:20260303\nDURATION:P1D",
        "6 DURATION P1D: the event has a DTEND, "
          + "too"
      ),
      (
        "DTSTART:20260302\nDURATION:PT1H",
        "5 DURATION PT1H: a part of a day, but DTSTART is a "
          + "date"
      ),
      ("DTSTART:20260302T090000\nDURATION:-PT1H", "5 DURATION -PT1H: the duration is negative"),
      (
        "DTSTART:20260302T090000\nDURATION:1H",
        "5 DURATION 1H: not a duration such as PT1H30M, P1D "
          + "or P2W"
      ),
      (
        "DTSTART:20260302T090000\nDURATION:PT",
        "5 DURATION PT: not a duration such as PT1H30M, P1D "
          + "or P2W"
      ),
      (
        "DTSTART:20260302T090000\nDURATION:PT999999999H",
        "5 DURATION PT999999999H: longer than "
          + "36600 days"
      ),
      ("DTSTART:20260302\nRRULE:COUNT=2", "5 RRULE COUNT=2: no FREQ"),
      (
        "DTSTART:20260302\nRRULE:FREQ=DAILY;FREQ=DAILY",
        "5 RRULE FREQ=DAILY;FREQ=DAILY: FREQ "
          + "twice"
      ),
      (
        "DTSTART:20260302\nRRULE:FREQ=OFTEN",
        "5 RRULE FREQ=OFTEN: FREQ is not one of SECONDLY to "
          + "YEARLY"
      ),
      (
        "DTSTART:20260302\nRRULE:FREQ=HOURLY",
        "5 RRULE FREQ=HOURLY: a FREQ below a day, but "
          + "DTSTART is a date"
      ),
      (
        "DTSTART:20260302\nRRULE:FREQ=DAILY;COUNT=0",
        "5 RRULE FREQ=DAILY;COUNT=0: COUNT is not a "
          + "number from 1 to 999999999"
      ),
      (
        "DTSTART:20260302\nRRULE:FREQ=DAILY;INTERVAL=-1",
        "5 RRULE FREQ=DAILY;INTERVAL=-1: INTERVAL "
          + "is not a number from 1 to 999999999"
      ),
      (
        "DTSTART:20260302\nRRULE:FREQ=DAILY;BYHOUR=24",
        "5 RRULE FREQ=DAILY;BYHOUR=24: BYHOUR is "
          + "not a list of numbers from 0 to 23"
      ),
      (
        "DTSTART:20260302\nRRULE:FREQ=MONTHLY;BYMONTHDAY=0",
        "5 RRULE FREQ=MONTHLY;BYMONTHDAY=0: "
          + "BYMONTHDAY is not a list of numbers from 1 to 31, or below zero"
      ),
      (
        "DTSTART:20260302\nRRULE:FREQ=WEEKLY;BYDAY=MO,,TU",
        "5 RRULE FREQ=WEEKLY;BYDAY=MO,,TU: a "
          + "day of the week is not one of SU to SA"
      ),
      (
        "DTSTART:20260302\nRRULE:FREQ=MONTHLY;BYDAY=0MO",
        "5 RRULE FREQ=MONTHLY;BYDAY=0MO: a number "
          + "in BYDAY is not from 1 to 53, or below zero"
      ),
      (
        "DTSTART:20260302\nRRULE:FREQ=WEEKLY;BYDAY=1MO",
        "5 RRULE FREQ=WEEKLY;BYDAY=1MO: a number "
          + "in BYDAY is not allowed with this FREQ"
      ),
      (
        "DTSTART:20260302\nRRULE:FREQ=MONTHLY;BYWEEKNO=1",
        "5 RRULE FREQ=MONTHLY;BYWEEKNO=1: "
          + "BYWEEKNO is not allowed with this FREQ"
      ),
      (
        "DTSTART:20260302\nRRULE:RSCALE=CHINESE;FREQ=YEARLY",
        "5 RRULE RSCALE=CHINESE;FREQ=YEARLY: "
          + "RSCALE=CHINESE is not read"
      ),
      (
        "DTSTART:20260302\nRRULE:FREQ=DAILY;BYMOON=1",
        "5 RRULE FREQ=DAILY;BYMOON=1: BYMOON=1 is "
          + "not read"
      ),
      (
        "DTSTART:20260302\nRRULE:FREQ=DAILY;UNTIL=soon",
        "5 RRULE FREQ=DAILY;UNTIL=soon: UNTIL is "
          + "neither a date nor a time"
      ),
      ("DTSTART:20260302\nRRULE:daily", "5 RRULE daily: a part of the rule is not NAME=VALUE"),
      (
        "DTSTART:20260302\nEXRULE:FREQ=DAILY",
        "5 EXRULE FREQ=DAILY: EXRULE is not read; RFC 5545 "
          + "replaced it by EXDATE"
      ),
      ("DTSTART:20260302T090000\nRDATE:20260303", "5 RDATE 20260303: of another kind than DTSTART"),
    ])
  func `A wrong event is a rejection`(lines: String, expected: String) throws {
    #expect(try Files.shown(lines) == [expected])
  }
}

extension CalendarErrorTests {
  // MARK: Bounds

  @Test
  func `Rules without occurrences, and with too many, end`() throws {
    let rules = [
      "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=4",
      "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30", "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30",
      "FREQ=SECONDLY;INTERVAL=2;BYSECOND=1", "FREQ=YEARLY;INTERVAL=999999999",
      "FREQ=WEEKLY;INTERVAL=999999999", "FREQ=HOURLY;INTERVAL=999999999",
      "FREQ=MINUTELY;UNTIL=20250101T000000Z", "FREQ=YEARLY;BYSETPOS=366;BYDAY=MO",
      "FREQ=YEARLY;BYWEEKNO=53;BYYEARDAY=100;BYDAY=MO",
    ]
    for rule in rules {
      let file = try Files.read(Files.event("DTSTART:20260102T000000Z", "RRULE:\(rule)"))
      #expect(file.rejections.isEmpty, "\(rule)")
      let week = Files.moment("2026-06-01T00:00:00Z")..<Files.moment("2026-06-08T00:00:00Z")
      let found = file.occurrences(in: week, floating: .utc)
      #expect(found.occurrences.isEmpty && found.rejections.isEmpty, "\(rule)")
    }
    // They cannot be counted in time.
    for rule in ["FREQ=SECONDLY;COUNT=999999999", "FREQ=DAILY;BYMONTHDAY=30;BYMONTH=2;COUNT=2"] {
      #expect(
        try Files.shown("DTSTART:20260102T000000Z", "RRULE:\(rule)")
          == ["5 RRULE \(rule): its occurrences are too many to be counted"])
    }
  }

  @Test
  func `The first rejections are kept, and all are counted`() throws {
    let events = Array(repeating: "BEGIN:VEVENT\nEND:VEVENT\n", count: 3_000)
    let file = try Files.read(events.joined() + Files.event("DTSTART:20260302"))
    #expect(file.rejectedCount == 3_000 && file.eventCount == 1)
    #expect(file.rejections.map(\.line) == (0..<1_000).map { 3 + 2 * $0 })
    let many = Array(repeating: Files.event("DTSTART:20260302"), count: 30).joined(separator: "\n")
    let found = try Files.read(many).occurrences(in: Files.range, floating: .utc, limit: 10)
    #expect(found.occurrences.count == 10 && found.rejections.count == 10)
    #expect(found.rejectedCount == 20)
  }

  @Test
  func `An event has a limited number of rules, and its id a limited length`() throws {
    let rule = "RRULE:FREQ=MONTHLY;COUNT=2"
    func shown(_ rules: Int, _ bytes: Int) throws -> [String] {
      let id = "UID:" + String(repeating: "x", count: bytes)
      let rules = Array(repeating: rule, count: rules).joined(separator: "\n")
      return try Files.shown(id, "DTSTART:20260302T090000Z", rules)
    }
    #expect(try shown(4, 1_024) == ["2026-03-02T09:00:00Z+0", "2026-04-02T09:00:00Z+0"])
    #expect(
      try shown(5, 1) == ["10 RRULE FREQ=MONTHLY;COUNT=2: the event has more than 4 rules"])
    #expect(
      try shown(1, 1_025) == ["4 UID \(String(repeating: "x", count: 200)): longer than 1024 bytes"]
    )
  }

  @Test
  func `An event with too many occurrences is left out, and others are not`() throws {
    let text = [
      Files.event("UID:1", "DTSTART:20260302T090000Z", "SUMMARY:a", "RRULE:FREQ=MINUTELY"),
      Files.event("UID:2", "DTSTART:20260303T090000Z", "SUMMARY:b"),
      Files.event("UID:3", "DTSTART:20260304T090000Z", "SUMMARY:c"),
      Files.event("UID:4", "DTSTART:20260302T090000Z", "RRULE:FREQ=SECONDLY;INTERVAL=2"),
    ].joined(separator: "\n")
    let file = try Files.read(text)
    let found = file.occurrences(in: Files.range, floating: .utc, limit: 2)
    #expect(found.occurrences.map(\.event.title) == ["b", "c"])
    #expect(
      found.rejections.map { "\($0.line) \($0.column ?? "") \($0.value): \($0.reason)" } == [
        "3 RRULE a: the rule takes too long to compute",
        "19 RRULE : more than 2 occurrences are in the range",
      ])
    let day = Files.moment("2026-03-02T00:00:00Z")..<Files.moment("2026-03-03T00:00:00Z")
    let few = file.occurrences(in: day, floating: .utc, limit: 899)
    #expect(few.occurrences.isEmpty)
    #expect(
      few.rejections.map { "\($0.reason)" }.first == "more than 899 occurrences are in the range")
    #expect(file.occurrences(in: day, floating: .utc, limit: 900).occurrences.count == 900)
  }

  @Test
  func `A file with many costly rules takes a bounded time`() throws {
    let rules = ["FREQ=SECONDLY;COUNT=20000", "FREQ=MINUTELY;BYSECOND=1,2,3"]
    let events = (0..<400).map {
      Files.event("DTSTART:20260102T000000Z", "RRULE:\(rules[$0 % 2])")
    }
    let file = try Files.read(events.joined(separator: "\n"))
    // A million steps and four for a byte are enough to count a part of them.
    let reasons = Set(file.rejections.map { "\($0.reason)" })
    #expect(reasons == ["its occurrences are too many to be counted"])
    #expect((150...180).contains(file.rejections.count), "\(file.rejections.count)")
    let found = file.occurrences(in: Files.range, floating: .utc)
    #expect(found.occurrences.isEmpty)
    #expect(found.rejectedCount == file.eventCount)
  }

  @Test
  func `A zone of the file that is wrong or too large is the error of its events`() throws {
    func shown(_ zone: String) throws -> [String] {
      let zone = "BEGIN:VTIMEZONE\nTZID:Z\n\(zone)END:VTIMEZONE\n"
      let file = try Files.read(Files.event("DTSTART;TZID=Z:20260302T090000"), before: zone)
      return file.rejections.map { "\($0.column ?? ""): \($0.reason)" }
    }
    func part(_ lines: String) -> String { "BEGIN:STANDARD\n\(lines)\nEND:STANDARD\n" }
    let fine = "DTSTART:16010101T000000\nTZOFFSETFROM:+0100\nTZOFFSETTO:+0100"
    #expect(try shown(part(fine)) == [])
    #expect(try shown("") == ["DTSTART: its zone on line 3 has no offsets"])
    #expect(
      try shown(part("TZOFFSETFROM:+0100\nTZOFFSETTO:+0100"))
        == ["DTSTART: DTSTART on line 5, of its zone: no DTSTART"])
    #expect(
      try shown(part("DTSTART:16010101T000000\nTZOFFSETFROM:+0100\nTZOFFSETTO:1"))
        == ["DTSTART: TZOFFSETTO on line 8, of its zone: not an offset such as +0100"])
    #expect(
      try shown(part("\(fine)\nno property")) == ["DTSTART: line 9 of its zone cannot be read"])
    #expect(
      try shown(part("\(fine)\nRRULE:FREQ=MINUTELY"))
        == ["DTSTART: RRULE on line 9, of its zone: too many changes"])
    #expect(try shown(part("\(fine)\nRRULE:FREQ=DAILY;COUNT=99")) == [])
    #expect(
      try shown(part("\(fine)\nRRULE:FREQ=DAILY;UNTIL=20200101T000000Z"))
        == ["DTSTART: RRULE on line 9, of its zone: too many changes"])
  }

  // MARK: Mutations

  @Test
  func `Mutated files end in an error, rejections or occurrences`() throws {
    let cases = try CalendarGoldenTests.file.get().cases
    let seeds =
      cases.map { $0.lines.joined(separator: "\n") } + [
        "BEGIN:VCALENDAR\n\(Files.office)\(CalendarRecurrenceTests.daily)\n"
          + Files.event(
            "UID:a", "RECURRENCE-ID;RANGE=THISANDFUTURE:20260303T080000Z",
            "DTSTART;TZID=W. Europe Standard Time:20260304T110000", "DURATION:P1DT2H")
          + "\nEND:VCALENDAR\n"
      ]
    var (errors, rejected, occurrences) = (0, 0, 0)
    try withSeed { random in
      for _ in 0..<repetitions(20_000, few: 2_000) {
        let seed = try #require(seeds.randomElement(using: &random))
        let other = try #require(seeds.randomElement(using: &random))
        let bytes = Self.mutated(Array(seed.utf8), Array(other.utf8), &random)
        guard let file = try? CalendarFile(bytes, zones: { CalendarGoldenTests.zones[$0] }) else {
          errors += 1
          continue
        }
        rejected += file.rejections.count
        for range in Self.ranges(&random) {
          let found = file.occurrences(in: range, floating: Files.berlin, limit: 100).occurrences
          #expect(found.count <= 100 && Set(found.map(\.event.id)).count == found.count)
          occurrences += found.count
        }
      }
    }
    print("mutated: \(errors) errors, \(rejected) rejections, \(occurrences) occurrences")
    #expect(errors > 100 && rejected > 100 && occurrences > 100)
  }

  /// Ranges of up to a year: in any year, near the events, and at the ends of time.
  private static func ranges(_ random: inout SeededGenerator) -> [Range<Moment>] {
    let seconds = [
      Int64.random(in: -70_000_000_000...260_000_000_000, using: &random),
      Int64.random(in: 1_200_000_000...1_800_000_000, using: &random),
    ]
    let starts = seconds.map { $0 * 1_000_000 } + [.min, .max - 1]
    return starts.map { start in
      let moment = Moment(microseconds: start)
      return moment..<moment.adding(.seconds(Int64.random(in: 1...40_000_000, using: &random)))
    }
  }

  /// Changes some bytes, digits, words or lines of a file.
  private static func mutated(
    _ bytes: [UInt8], _ other: [UInt8], _ random: inout SeededGenerator
  ) -> [UInt8] {
    var bytes = bytes
    func place(_ list: [UInt8], _ random: inout SeededGenerator) -> Int {
      Int.random(in: 0..<max(1, list.count), using: &random)
    }
    for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
      let index = place(bytes, &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes.remove(at: index)
      case 2: bytes.insert(UInt8.random(in: 32...126, using: &random), at: index)
      case 3:
        // Another number.
        let digits = bytes.indices.filter { (0x30...0x39).contains(bytes[$0]) }
        if let digit = digits.randomElement(using: &random) {
          bytes[digit] = UInt8.random(in: 0x30...0x39, using: &random)
        }
      case 4:
        // A piece of another file.
        let start = place(other, &random)
        let piece = other[start..<min(other.count, start + Int.random(in: 1...60, using: &random))]
        bytes.insert(contentsOf: piece, at: index)
      default:
        let end = min(bytes.count, index + Int.random(in: 1...60, using: &random))
        bytes.removeSubrange(index..<end)
      }
    }
    return bytes
  }
}
