import CivilTime
import RetraceArchitecture
import RetraceState
import Testing

@Suite
struct FormatTests {
  @Test(arguments: [
    ("M/d/yyyy H:mm", "9/16/2011 3:03", "2011-09-16 03:03:00"),
    ("M/d/yyyy H:mm", "12/31/2011 23:59", "2011-12-31 23:59:00"),
    ("M/d/yyyy H:mm", "09/06/2011 03:03", "2011-09-06 03:03:00"),
    ("yyyy-MM-dd HH:mm:ss", "2026-11-21 09:30:07", "2026-11-21 09:30:07"),
    ("dd/MM/yyyy", "29/02/2024", "2024-02-29 00:00:00"),
    ("MM/dd/yyyy h:mm a", "01/02/2026 12:05 am", "2026-01-02 00:05:00"),
    ("MM/dd/yyyy h:mm a", "01/02/2026 12:05 PM", "2026-01-02 12:05:00"),
    ("MM/dd/yyyy hh:mma", "01/02/2026 01:05PM", "2026-01-02 13:05:00"),
    ("yyyy-MM-dd'T'HH:mm:ss'Z'", "2026-11-21T09:30:00Z", "2026-11-21 09:30:00"),
    ("d MMM yy 'o''clock' H", "1 dec 69 o'clock 7", "2069-12-01 07:00:00"),
    ("d.M.yy", "1.2.70", "1970-02-01 00:00:00"),
    ("M/d/yyyy H:mm", "9/16/2011 24:00", "2011-09-17 00:00:00"),
    ("M/d/yyyy H:mm", "12/31/2011 24:00:00", "2012-01-01 00:00:00"),
    ("M/d/yyyy H:mm", "9/16/2011 3:03:07.25", "2011-09-16 03:03:07"),
    ("MM/dd/yyyy hh:mm:ss a", "03/04/2024 10:23 AM", "2024-03-04 10:23:00"),
    ("HHmmss d.M.yy", "0930 1.2.70", "1970-02-01 09:30:00"),
    ("dmy", "3/4/2024 10:23 PM", "2024-04-03 22:23:00"),
    ("mdy", "03/04/2024, 9:05:06", "2024-03-04 09:05:06"),
    ("dmy", "3.4.24", "2024-04-03 00:00:00"),
    ("mdy", "2024-04-03T9:05", "2024-04-03 09:05:00"),
  ])
  func `A text in its format is read`(pattern: String, text: String, expected: String) throws {
    #expect(try DateFormat(pattern).parse(text).description == expected)
  }

  @Test(arguments: [
    ("M/d/yyyy H:mm", "0016-01-11 16:22:26", DateFormat.ParseError.mismatch),
    ("M/d/yyyy H:mm", "\\N", .mismatch),
    ("M/d/yyyy H:mm", "", .mismatch),
    ("M/d/yyyy H:mm", "9/16/2011 3:03 ", .mismatch),
    ("M/d/yyyy H:mm", "9/16/11 3:03", .mismatch),
    ("M/d/yyyy H:mm", "9/16/2011 3:3", .mismatch),
    ("M/d/yyyy H:mm", "9/16/2011 24:30", .noSuchTime),
    ("M/d/yyyy H:mm", "9/16/2011 24:00:01", .noSuchTime),
    ("M/d/yyyy H:mm", "9/16/2011 25:00", .noSuchTime),
    ("M/d/yyyy H:mm", "9/16/2011 3:03+01:00", .mismatch),
    ("M/d/yyyy H:mm", "9/16/2011 3:03:", .mismatch),
    ("mdy", "3.4.2024", .mismatch), ("dmy", "3/4.2024", .mismatch), ("dmy", "3/4/024", .mismatch),
    ("mdy", "13/4/2024", .noSuchTime), ("dmy", "3/4/2024 9", .mismatch),
    ("M/d/yyyy H:mm", "2/29/2011 3:03", .noSuchTime),
    ("M/d/yyyy H:mm", "13/1/2011 3:03", .noSuchTime),
    ("M/d/yyyy H:mm", "1/1/1899 3:03", .yearOutOfRange),
    ("M/d/yyyy H:mm", "1/1/2201 3:03", .yearOutOfRange),
    ("MM/dd/yyyy h:mm a", "01/02/2026 13:05 PM", .noSuchTime),
    ("MM/dd/yyyy h:mm a", "01/02/2026 12:05", .mismatch),
    ("yyyy-MM-dd", "٢٠٢٦-11-21", .mismatch),
  ])
  func `A text in another format, or of no day, is refused`(
    pattern: String, text: String, error: DateFormat.ParseError
  ) throws {
    let format = try DateFormat(pattern)
    #expect(throws: error) { try format.parse(text) }
  }

  @Test(arguments: [
    ("rfc3339", "2026-03-02T09:00:00.000+0100", "2026-03-02T08:00:00Z"),
    ("rfc3339", "2026-03-02T09:00Z", "2026-03-02T09:00:00Z"),
    ("yyyy-MM-dd HH:mm", "2026-03-02 09:00:00 -02:30", "2026-03-02T11:30:00Z"),
    ("yyyy-MM-dd'T'HH:mm:ss", "2026-03-02T09:00:00,5+01", "2026-03-02T08:00:00.500000Z"),
    ("dmy", "2026-03-02 09:00 UTC", "2026-03-02T09:00:00Z"),
    ("epoch", "1772442000", "2026-03-02T09:00:00Z"),
    ("epoch", "1772442000.25", "2026-03-02T09:00:00.250000Z"),
  ])
  func `A text with an offset is a moment`(pattern: String, text: String, moment: String) throws {
    let time = try DateFormat(pattern).read(text)
    #expect(time.moment == Moment(timestamp: moment) && time.hasTimeOfDay)
    #expect(time.moment != nil)
  }

  @Test(arguments: [
    ("rfc3339", "2026-03-02T09:00:00", DateFormat.ParseError.mismatch),
    ("rfc3339", "2/3/2026 09:00Z", .mismatch), ("epoch", "1772442000000", .yearOutOfRange),
    ("epoch", "-5", .mismatch), ("epoch", "2026-03-02", .mismatch),
    ("dmy", "2026-03-02+01:00", .mismatch), ("dmy", "2026-03-02 09:00+25:00", .noSuchTime),
    ("dmy", "2026-03-02 09:00 CET", .mismatch),
  ])
  func `A text without the moment of its format is refused`(
    pattern: String, text: String, error: DateFormat.ParseError
  ) throws {
    let format = try DateFormat(pattern)
    #expect(throws: error) { try format.read(text) }
  }

  @Test(arguments: [
    ("yyyy-MM", DateFormat.PatternError.missingField("day")),
    ("yyyy-MM-dd yyyy", .repeatedField("year")), ("yyyy-MM-dd h:mm", .missingField("AM or PM")),
    ("yyyy-MM-dd H:mm a", .missingField("hour from 1 to 12")),
    ("yyyy-MM-dd Q", .unknownField("Q")), ("yyyyy-MM-dd", .unknownField("yyyyy")),
    ("yyyy-MM-dd 'T", .unclosedQuote), ("yyyy-MM-dd H h a", .repeatedField("hour")),
  ])
  func `A pattern that cannot be used is refused`(
    pattern: String, error: DateFormat.PatternError
  ) {
    #expect(throws: error) { try DateFormat(pattern) }
  }

  @Test(
    arguments: [
      (DurationFormat.minutes, "8", 480_000_000), (.minutes, "0", 0), (.minutes, "1.5", 90_000_000),
      (.hours, "8.20", 29_520_000_000), (.hours, "0.1", 360_000_000),
      (.hours, "0.3", 1_080_000_000),
      (.seconds, "0.000001", 1), (.seconds, "3.9999999", 3_999_999),
      (.hours, "0.333333333", 1_199_999_998),
      (.clock, "1:23", 4_980_000_000), (.clock, "1:23:45", 5_025_000_000),
      (.clock, "100:00:00", 360_000_000_000),
    ] as [(DurationFormat, String, Int64)])
  func `A duration is read exactly`(format: DurationFormat, text: String, microseconds: Int64)
    throws
  {
    #expect(try format.parse(text).microseconds == microseconds)
  }

  @Test(arguments: [
    (DurationFormat.minutes, "", DurationFormat.ParseError.mismatch), (.minutes, "1:30", .mismatch),
    (.minutes, "-5", .negative), (.minutes, "-x", .mismatch), (.minutes, "1.", .mismatch),
    (.minutes, ".5", .mismatch), (.minutes, "1.2.3", .mismatch), (.minutes, "1e3", .mismatch),
    (.minutes, "99999999999", .tooLong), (.hours, "999999999", .tooLong),
    (.hours, "99999999999999999999999", .tooLong), (.clock, "1", .mismatch),
    (.clock, "1:60", .mismatch), (.clock, "1:5", .mismatch), (.clock, "1:05:99", .mismatch),
    (.clock, "-1:05", .negative), (.clock, "9999999:00", .tooLong), (.clock, ":05", .mismatch),
    (.clock, "12345678901234:00", .tooLong),
  ])
  func `A text that is not a duration is refused`(
    format: DurationFormat, text: String, error: DurationFormat.ParseError
  ) {
    #expect(throws: error) { try format.parse(text) }
  }

  @Test
  func `A duration is printed as a clock and read back`() throws {
    for seconds in [0, 1, 59, 60, 3_599, 3_600, 5_025, 360_000] as [Int64] {
      let time = ElapsedTime.seconds(seconds)
      #expect(try DurationFormat.clock.parse(time.clock) == time)
    }
    #expect(ElapsedTime.seconds(5_025).clock == "1:23:45")
    #expect(ElapsedTime.seconds(-10_000_000_000).clock == "-2777777:46:40")
    #expect(ElapsedTime(microseconds: Int64.min).clock == "-2562047788:00:54")
  }
}
