import CivilTime
import RetraceState
import RetraceStorage
import RetraceToolSupport
import Testing

/// The values of `--at` and `--as-of`.
@Suite struct HistoryEndTests {
  /// 2026-03-04, a Wednesday, at 10:00 in a zone one hour east of UTC.
  private static let context = ExpressionContext(
    zone: ZoneRules(id: "east", offsetSeconds: 3_600),
    now: Moment(timestamp: "2026-03-04T09:00:00Z") ?? Moment(microseconds: 0), firstWeekday: 1)

  @Test(arguments: [
    ("2026-03-02T09:00:00Z", "2026-03-02T09:00:00Z"), ("9:30", "2026-03-04T08:30:00Z"),
    ("yesterday 9:00", "2026-03-03T08:00:00Z"), ("2026-03-01 14:30", "2026-03-01T13:30:00Z"),
    ("monday", "2026-03-02T22:59:59.999999Z"), ("2026-02", "2026-02-28T22:59:59.999999Z"),
    ("10min ago", "2026-03-04T08:50:00Z"),
  ])
  func `a time is one of the reader's zone, and a day is its last moment`(
    text: String, moment: String
  ) throws {
    let end = try HistoryEnd(text, option: "--at", in: Self.context)
    #expect(end == .moment(try #require(Moment(timestamp: moment))))
  }

  @Test func `a number is a record, and nothing is the last one`() throws {
    #expect(try HistoryEnd("12", in: Self.context) == .sequence(12))
    #expect(try HistoryEnd("0", first: 0, in: Self.context) == .sequence(0))
    #expect(try HistoryEnd(nil, in: Self.context) == .head)
  }

  @Test(arguments: [
    ("9:30", "2026-03-04T08:30:00Z", "2026-03-04T08:30:00Z"),
    ("2026-03-02T09:00:00Z", "2026-03-02T09:00:00Z", "2026-03-02T09:00:00Z"),
    ("yesterday", "2026-03-02T23:00:00Z", "2026-03-03T23:00:00Z"),
    ("last week", "2026-02-22T23:00:00Z", "2026-03-01T23:00:00Z"),
  ])
  func `a time is its first moment and its end, and a day has both`(
    text: String, first: String, end: String
  ) throws {
    let time = try TypedTime(text, option: "--since", in: Self.context)
    #expect(time.first.timestamp == first && time.end.timestamp == end)
    let isPeriod = first != end
    #expect(time.last == time.end.adding(ElapsedTime(microseconds: isPeriod ? -1 : 0)))
  }

  @Test func `a time in place of no record is refused without the word record`() throws {
    let failure = try #require(throws: ToolFailure.self) {
      _ = try TypedTime("soon", option: "--since", in: Self.context)
    }
    #expect(failure.why.hasPrefix("--since: ") && !failure.advice.contains("record"))
  }

  @Test(arguments: ["soon", "0", "-1", "9:75", "", "2026-02-30"])
  func `another text is refused with the forms`(text: String) throws {
    let failure = try #require(throws: ToolFailure.self) {
      _ = try HistoryEnd(text, option: "--at", in: Self.context)
    }
    #expect(failure.why.hasPrefix("--at: ") && failure.exitCode == ToolExit.usage)
    for form in ["number of a record", "14:30", "yesterday 9:00", "2026-11-28", "Z."] {
      #expect(failure.advice.contains(form))
    }
  }
}
