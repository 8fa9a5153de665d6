import CivilTime
import RetraceRandom
import RetraceState
import Testing
import TimeTracking
import ToolTestSupport
import TrackerFormats

/// Rules, and changes of single occurrences.
@Suite
struct CalendarRecurrenceTests {
  typealias Files = CalendarFileTests

  /// The examples of RFC 5545, section 3.8.5.3, as dates; all at 9:00.
  @Test(
    arguments: [
      ("19970902", "FREQ=DAILY;COUNT=3", "1997-09-02 1997-09-03 1997-09-04"),
      (
        "19970805", "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO",
        "1997-08-05 1997-08-10 1997-08-19 1997-08-24"
      ),
      (
        "19970805", "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU",
        "1997-08-05 1997-08-17 1997-08-19 1997-08-31"
      ),
      (
        "19970905", "FREQ=MONTHLY;COUNT=4;BYDAY=1FR",
        "1997-09-05 1997-10-03 1997-11-07 1997-12-05"
      ),
      (
        "19970907", "FREQ=MONTHLY;INTERVAL=2;COUNT=5;BYDAY=1SU,-1SU",
        "1997-09-07 1997-09-28 1997-11-02 1997-11-30 1998-01-04"
      ),
      ("19970922", "FREQ=MONTHLY;COUNT=3;BYDAY=-2MO", "1997-09-22 1997-10-20 1997-11-17"),
      ("19970928", "FREQ=MONTHLY;BYMONTHDAY=-3;COUNT=3", "1997-09-28 1997-10-29 1997-11-28"),
      (
        "19970930", "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1",
        "1997-09-30 1997-10-01 1997-10-31 1997-11-01 1997-11-30 1997-12-01 1997-12-31 1998-01-01 "
          + "1998-01-31 1998-02-01"
      ),
      (
        "20070115", "FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5",
        "2007-01-15 2007-01-30 2007-02-15 2007-03-15 2007-03-30"
      ),
      (
        "19970101", "FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200",
        "1997-01-01 1997-04-10 1997-07-19 2000-01-01 2000-04-09 2000-07-18 2003-01-01 2003-04-10 "
          + "2003-07-19 2006-01-01"
      ),
      ("19970519", "FREQ=YEARLY;BYDAY=20MO;COUNT=3", "1997-05-19 1998-05-18 1999-05-17"),
      ("19970512", "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO;COUNT=3", "1997-05-12 1998-05-11 1999-05-17"),
      (
        "19970313", "FREQ=YEARLY;BYMONTH=3;BYDAY=TH;COUNT=5",
        "1997-03-13 1997-03-20 1997-03-27 1998-03-05 1998-03-12"
      ),
      (
        "19980213", "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13;COUNT=5",
        "1998-02-13 1998-03-13 1998-11-13 1999-08-13 2000-10-13"
      ),
      (
        "19970913", "FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13;COUNT=4",
        "1997-09-13 1997-10-11 1997-11-08 1997-12-13"
      ),
      (
        "19961105", "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8;COUNT=3",
        "1996-11-05 2000-11-07 2004-11-02"
      ),
      (
        "19970904", "FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3",
        "1997-09-04 1997-10-07 1997-11-06"
      ),
      (
        "19970929", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2;COUNT=4",
        "1997-09-29 1997-10-30 1997-11-27 1997-12-30"
      ),
      // Leap days, weeks at New Year, and rules that dateutil computes in another way.
      ("20240229", "FREQ=YEARLY;COUNT=3", "2024-02-29 2028-02-29 2032-02-29"),
      ("20240131", "FREQ=MONTHLY;COUNT=4", "2024-01-31 2024-03-31 2024-05-31 2024-07-31"),
      ("20201228", "FREQ=YEARLY;BYWEEKNO=53;COUNT=3", "2020-12-28 2026-12-28 2032-12-27"),
      ("20260302", "FREQ=YEARLY;BYWEEKNO=10;COUNT=3", "2026-03-02 2027-03-08 2028-03-06"),
      (
        "20260304", "FREQ=WEEKLY;BYDAY=MO,WE,FR;BYSETPOS=2;COUNT=3",
        "2026-03-04 2026-03-11 2026-03-18"
      ),
      // The start is an occurrence, also if the rule does not give it.
      ("20260304", "FREQ=WEEKLY;BYDAY=MO;COUNT=3", "2026-03-04 2026-03-09 2026-03-16"),
      ("20260304", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "2026-03-04"),
      ("20260304", "FREQ=DAILY;UNTIL=20260306", "2026-03-04 2026-03-05 2026-03-06"),
      ("20260304", "FREQ=DAILY;UNTIL=20260306T085959Z", "2026-03-04 2026-03-05"),
      ("20260304", "FREQ=DAILY;UNTIL=20260306T090000", "2026-03-04 2026-03-05 2026-03-06"),
      ("20260304", "freq=daily;interval=2;count=2;rscale=gregorian", "2026-03-04 2026-03-06"),
    ])
  func `Rules`(start: String, rule: String, dates: String) throws {
    let file = try Files.read(Files.event("DTSTART:\(start)T090000Z", "RRULE:\(rule)"))
    #expect(file.rejections.isEmpty)
    let range = Files.moment("1900-01-01T00:00:00Z")..<Files.moment("2100-01-01T00:00:00Z")
    let expected = dates.split(separator: " ").map { "\($0)T09:00:00Z+0" }
    #expect(Files.shown(file, in: range) == expected)
    // Each alone, so that the rule does not begin at the start of the event.
    for date in dates.split(separator: " ") {
      let moment = Files.moment("\(date)T09:00:00Z")
      let found = Files.shown(file, in: moment..<moment.adding(.seconds(1)))
      #expect(found == ["\(date)T09:00:00Z+0"])
    }
  }

  @Test
  func `Parts of days`() throws {
    func times(_ start: String, _ rule: String) throws -> [String] {
      let file = try Files.read(Files.event("DTSTART:\(start)", "RRULE:\(rule)"))
      #expect(file.rejections.isEmpty)
      return Files.shown(file).map { String($0.dropFirst(8).dropLast(2)) }
    }
    #expect(
      try times("20260302T090000Z", "FREQ=HOURLY;INTERVAL=3;UNTIL=20260302T170000Z")
        == ["02T09:00:00Z", "02T12:00:00Z", "02T15:00:00Z"])
    #expect(
      try times("20260302T090000Z", "FREQ=MINUTELY;INTERVAL=90;COUNT=4")
        == ["02T09:00:00Z", "02T10:30:00Z", "02T12:00:00Z", "02T13:30:00Z"])
    let halfHours = [
      "02T09:00:00Z", "02T09:30:00Z", "02T10:00:00Z", "02T10:30:00Z", "03T09:00:00Z",
    ]
    #expect(
      try times("20260302T090000Z", "FREQ=DAILY;BYHOUR=9,10;BYMINUTE=0,30;COUNT=5") == halfHours)
    #expect(
      try times("20260302T090000Z", "FREQ=MINUTELY;INTERVAL=30;BYHOUR=9,10;COUNT=5") == halfHours)
    #expect(
      try times("20260302T090007Z", "FREQ=SECONDLY;BYSECOND=7,60;BYMINUTE=0;BYHOUR=9;COUNT=3")
        == ["02T09:00:07Z", "02T09:00:59Z", "03T09:00:07Z"])
    #expect(
      try times("20260302T091500Z", "FREQ=HOURLY;BYMINUTE=0,15,45;BYSETPOS=-1,2;COUNT=3")
        == ["02T09:15:00Z", "02T09:45:00Z", "02T10:15:00Z"])
  }

  @Test
  func `A rule follows the clock of its zone, and skips what clocks skip`() throws {
    let night = try Files.read(
      Files.event(
        "DTSTART;TZID=Europe/Berlin:20260328T023000", "DURATION:PT1H", "RRULE:FREQ=DAILY;COUNT=3"))
    #expect(
      Files.shown(night) == [
        "2026-03-28T01:30:00Z+3600", "2026-03-30T00:30:00Z+3600", "2026-03-31T00:30:00Z+3600",
      ])
    let autumn = try Files.read(
      Files.event(
        "DTSTART;TZID=Europe/Berlin:20261024T013000", "DTEND;TZID=Europe/Berlin:20261024T033000",
        "RRULE:FREQ=DAILY;COUNT=3"))
    // With an end, all occurrences have the same real length.
    #expect(
      Files.shown(autumn) == [
        "2026-10-23T23:30:00Z+7200", "2026-10-24T23:30:00Z+7200", "2026-10-26T00:30:00Z+7200",
      ])
    let days = try Files.read(Files.event("DTSTART:20261024", "RRULE:FREQ=DAILY;COUNT=3"))
    #expect(
      Files.shown(days) == [
        "2026-10-23T22:00:00Z+86400", "2026-10-24T22:00:00Z+90000", "2026-10-25T23:00:00Z+86400",
      ])
  }

  @Test(
    .enabled(if: ZoneFiles.exist),
    arguments: [
      "Europe/Berlin", "Australia/Lord_Howe", "Pacific/Apia", "Africa/Casablanca", "Asia/Manila",
      "America/Juneau", "Europe/Dublin", "Pacific/Kwajalein", "Antarctica/Troll",
    ])
  func `A rule has the times that clocks show around each change`(id: String) throws {
    let zone = try ZoneFiles.load(id)
    var changes: [ZoneChange] = []
    var next = zone.change(after: Files.moment("1950-01-01T00:00:00Z"))
    while let change = next, change.moment < Files.moment("2030-01-01T00:00:00Z") {
      changes.append(change)
      next = zone.change(after: change.moment)
    }
    #expect(!changes.isEmpty)
    for change in changes.suffix(repetitions(1_000, few: 8)) {
      let range = change.moment.adding(.seconds(-90_000))..<change.moment.adding(.seconds(90_000))
      let first = zone.local(at: change.moment.adding(.seconds(-400_000))).secondsSince1970
      let start = LocalTime(secondsSince1970: first / 900 * 900)
      let digits = String("\(start)".filter { $0.isNumber || $0 == " " })
      let file = try CalendarFile(
        Array(
          """
          BEGIN:VCALENDAR
          \(Files.event(
            "DTSTART;TZID=\(id):\(digits.replacing(" ", with: "T"))",
            "RRULE:FREQ=MINUTELY;INTERVAL=15"))
          END:VCALENDAR
          """.utf8)
      ) { $0 == id ? zone : nil }
      let expected = (0..<800).compactMap { number -> Moment? in
        let local = LocalTime(secondsSince1970: start.secondsSince1970 + Int64(number) * 900)
        return zone.moments(forLocal: local).first.flatMap { range.contains($0) ? $0 : nil }
      }
      let found = file.occurrences(in: range, floating: .utc).occurrences.map(\.event.start)
      #expect(found == expected.sorted() && found.count > 90, "\(id) \(change)")
    }
  }

  // MARK: Single occurrences

  @Test
  func `Dates are added and left out`() throws {
    let file = try Files.read(
      Files.event(
        "DTSTART;TZID=Europe/Berlin:20260302T090000", "DURATION:PT1H",
        "RRULE:FREQ=DAILY;COUNT=6",
        "RDATE;TZID=Europe/Berlin:20260302T090000,20260401T090000",
        "RDATE;VALUE=PERIOD:20260402T070000Z/PT2H,20260403T070000Z/20260403T073000Z",
        // In the zone, in UTC, without a zone, and a whole day.
        "EXDATE;TZID=Europe/Berlin:20260303T090000", "EXDATE:20260304T080000Z,20260305T090000",
        "EXDATE;VALUE=DATE:20260306"))
    #expect(file.rejections.isEmpty)
    #expect(
      Files.shown(file) == [
        "2026-03-02T08:00:00Z+3600", "2026-03-07T08:00:00Z+3600", "2026-04-01T07:00:00Z+3600",
        "2026-04-02T07:00:00Z+7200", "2026-04-03T07:00:00Z+1800",
      ])
    let two = try Files.read(
      Files.event(
        "DTSTART:20260302", "RRULE:FREQ=WEEKLY;COUNT=2", "RRULE:FREQ=MONTHLY;COUNT=2",
        "EXDATE;VALUE=DATE:20260302"))
    #expect(
      Files.shown(two) == ["2026-03-08T23:00:00Z+86400", "2026-04-01T22:00:00Z+86400"])
  }

  static let daily = Files.event(
    "UID:a", "DTSTART;TZID=Europe/Berlin:20260302T090000", "DURATION:PT1H", "SUMMARY:old",
    "RRULE:FREQ=DAILY;COUNT=4")

  private func changed(_ lines: String...) throws -> [CalendarOccurrence] {
    let events = [Self.daily] + lines.map { Files.event("UID:a", $0) }
    let file = try Files.read(events.joined(separator: "\n"))
    #expect(file.rejections.isEmpty)
    return file.occurrences(in: Files.range, floating: .utc).occurrences
  }

  /// The occurrences as the ends of their ids, their starts without the year, and their titles.
  private func shown(_ found: [CalendarOccurrence]) -> [String] {
    found.map {
      "\($0.event.id.dropFirst(7).prefix(5)) \($0.event.start.timestamp.dropFirst(5)) "
        + $0.event.title
    }
  }

  @Test
  func `A changed occurrence replaces its own, and keeps its id`() throws {
    let found = try changed(
      "RECURRENCE-ID:20260303T080000Z\nDTSTART:20260320T100000Z\nSUMMARY:new",
      "RECURRENCE-ID;TZID=Europe/Berlin:20260304T090000\nDTSTART:20260304T080000Z\n"
        + "STATUS:CANCELLED",
      "RECURRENCE-ID:20271224T080000Z\nDTSTART:20271224T080000Z\nSUMMARY:alone")
    #expect(
      shown(found) == [
        "03-02 03-02T08:00:00Z old", "03-05 03-05T08:00:00Z old", "03-03 03-20T10:00:00Z new",
        "12-24 12-24T08:00:00Z alone",
      ])
    #expect(found[2].event.id == "a 2026-03-03T08:00:00Z")
  }

  @Test
  func `A change of this and the later occurrences moves all of them`() throws {
    let found = try changed(
      "RECURRENCE-ID;RANGE=THISANDFUTURE:20260303T080000Z\n"
        + "DTSTART;TZID=Europe/Berlin:20260304T110000\nDURATION:PT2H\nSUMMARY:new",
      "RECURRENCE-ID:20260304T080000Z\nDTSTART:20260304T050000Z\nSUMMARY:one")
    #expect(
      shown(found) == [
        "03-02 03-02T08:00:00Z old", "03-04 03-04T05:00:00Z one", "03-03 03-04T10:00:00Z new",
        "03-05 03-06T10:00:00Z new",
      ])
    #expect(found[3].event.end.elapsed(since: found[3].event.start).seconds == 7_200)
    let ended = try changed(
      "RECURRENCE-ID;RANGE=THISANDFUTURE:20260304T080000Z\nDTSTART:20260304T080000Z\n"
        + "STATUS:CANCELLED")
    #expect(shown(ended) == ["03-02 03-02T08:00:00Z old", "03-03 03-03T08:00:00Z old"])
    // Far from its place in the rule.
    let far = try Files.read(
      Files.event("UID:a", "DTSTART:20260302", "RRULE:FREQ=DAILY;COUNT=4") + "\n"
        + Files.event(
          "UID:a", "RECURRENCE-ID;RANGE=THISANDFUTURE:20260304", "DTSTART:20260704",
          "DURATION:P2D"))
    let july = Files.moment("2026-07-05T12:00:00Z")
    #expect(
      Files.shown(far, in: july..<july.adding(.seconds(1)))
        == ["2026-07-03T22:00:00Z+172800", "2026-07-04T22:00:00Z+172800"])
  }

  @Test
  func `Of several versions, the last one with the highest sequence counts`() throws {
    let events = [
      Files.event("UID:a", "SEQUENCE:1", "DTSTART:20260302T090000Z", "SUMMARY:one"),
      Files.event("UID:a", "SEQUENCE:2", "DTSTART:20260302T090000Z", "SUMMARY:two"),
      Files.event("UID:a", "DTSTART:20260302T090000Z", "SUMMARY:zero"),
      Files.event("UID:b", "RECURRENCE-ID:20260302", "DTSTART:20260302", "SUMMARY:b"),
      Files.event("UID:b", "RECURRENCE-ID:20260302", "DTSTART:20260303", "SUMMARY:c"),
    ]
    let file = try Files.read(events.joined(separator: "\n"))
    #expect(Files.shown(file) == ["2026-03-02T09:00:00Z+0 two", "2026-03-02T23:00:00Z+86400 c"])
    #expect(file.rejections.map(\.line) == [3, 15, 20])
    #expect(
      file.rejections.map { "\($0.reason)" } == [
        "line 9 has a later version of it", "line 9 has a later version of it",
        "line 26 has a later version of it",
      ])
    let single = try Files.read(Files.event("UID:c", "DTSTART:20260302", "SUMMARY:one"))
    let found = single.occurrences(in: Files.range, floating: .utc)
    #expect(found.occurrences.map(\.event.id) == ["c"])
  }

  @Test
  func `Events without an id are told apart by their start, title and number`() throws {
    let event = Files.event("DTSTART:20260302T090000Z", "SUMMARY:one")
    let file = try Files.read([event, event].joined(separator: "\n"))
    let found = file.occurrences(in: Files.range, floating: .utc)
    #expect(
      found.occurrences.map(\.event.id)
        == ["2026-03-02 09:00:00 one", "2026-03-02 09:00:00 one 2"])
  }
}
