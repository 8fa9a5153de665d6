import CivilTime
import RetraceScreen
import RetraceState
import Testing
import TimeTracking
import TrackerFeatures

/// Splitting, joining and filling on the timer.
@Suite struct TimerShapeTests {
  /// Has entries from seven to eight and from half past eight to a quarter to nine; the second one
  /// is selected.
  private static func tracking() throws -> Tracking {
    var tracking = try Tracking()
    for (text, start, end) in [("a", -7_200, -3_600), ("b", -1_800, -900)]
      as [(String, Int64, Int64)]
    {
      let draft = TimeEntryDraft(user: .id(tracking.user), description: text, zone: .utc)
      try tracking.perform(
        .entry(
          .add(
            draft, start: tracking.now.adding(.seconds(start)),
            end: tracking.now.adding(.seconds(end)), policy: .refuse)))
    }
    try tracking.press("down")
    return tracking
  }

  private func times(_ tracking: Tracking) -> [String] {
    tracking.entries.map {
      "\($0.localStart.clock)-\($0.localEnd?.clock ?? "now") \($0.description)"
    }.sorted()
  }

  @Test func `an entry is split in its middle or at a typed time`() throws {
    var tracking = try Self.tracking()
    try tracking.press("text:x")
    #expect(tracking.text.contains("Split at a time, or the middle: 08:37:30"))
    #expect(tracking.replayedLines == tracking.lines)
    try tracking.press("text:835")
    #expect(tracking.text.contains("= 2026-11-23 08:35"), "\(tracking.text)")
    try tracking.press("enter")
    #expect(times(tracking) == ["07:00-08:00 a", "08:30-08:35 b", "08:35-08:45 b"])
    #expect(tracking.timer?.splitsAt == nil)
    try tracking.press("down", "down", "down", "text:x", "enter")
    #expect(times(tracking).count == 4)
    #expect(times(tracking).prefix(2) == ["07:00-07:30 a", "07:30-08:00 a"])
    // A time out of the entry is refused, and the text stays.
    try tracking.press("right", "right", "text:x", "text:9:30", "enter")
    #expect(tracking.timer?.splitsAt?.text == "9:30")
    guard case .refused? = tracking.notice else { return #expect(Bool(false), "no refusal") }
    try tracking.press("text:x", "enter")
    guard case .obstacle(.unreadableField)? = tracking.notice else {
      return #expect(Bool(false), "no obstacle")
    }
    try tracking.press("escape")
    #expect(tracking.timer?.splitsAt == nil && times(tracking).count == 4)
  }

  @Test func `a refusal has the times of the shown zone`() throws {
    var tracking = try Self.tracking()
    tracking.rules = ZoneRules(id: "Test/East", offsetSeconds: 3_600)
    try tracking.press("text:x", "text:10:30", "enter")
    #expect(
      tracking.text.contains("! The time 2026-11-23 10:30 is not within the entry."),
      "\(tracking.text)")
  }

  @Test func `an entry is joined with the next one, and fills the gap beside it`() throws {
    var tracking = try Self.tracking()
    try tracking.press("text:J")
    #expect(tracking.notice == .obstacle(.noNextEntry))
    try tracking.press("text:F")
    #expect(times(tracking) == ["07:00-08:00 a", "08:00-08:45 b"])
    try tracking.press("text:F")
    #expect(tracking.notice == .obstacle(.noGap))
    try tracking.press("down", "text:J")
    #expect(times(tracking) == ["07:00-08:45 a"], "\(tracking.text)")
    #expect(tracking.notice == nil)
    try tracking.press("escape", "text: ", "down", "text:J")
    #expect(tracking.text.contains("Joined. The break of 0:15:00 counts, too. z takes it back."))
  }

  @Test func `without a selection it is the running entry, and a group is none`() throws {
    var tracking = try Self.tracking()
    try tracking.press("escape", "text:x")
    #expect(tracking.notice == .obstacle(.nothingSelected))
    try tracking.press("text: ")
    tracking.wait(.seconds(600))
    try tracking.press("text:F")
    #expect(times(tracking).last == "08:45-now ")
    try tracking.press("text:x", "text:9:05", "enter")
    #expect(times(tracking).suffix(2) == ["08:45-09:05 ", "09:05-now "])
    try tracking.press("text:s", "down", "text:x")
    #expect(tracking.notice == .obstacle(.groupSelected), "\(tracking.text)")
  }
}
