import RetraceArchitecture
import RetraceScreen
import RetraceState
import Testing
import TimeTracking
import TrackerFeatures

/// Forms that would make an entry run since more than 12 hours ago.
@Suite struct RunningLimitKeysTests {
  private static let reason = "! It would run since 2026-11-22 10:00, for more than 12 hours."

  /// Opens a form and types a start.
  private func typeStart(_ tracking: inout Tracking, _ key: String) throws {
    try tracking.press(key, "tab", "tab", "tab", "ctrl-u", "text:yesterday 10:00", "enter")
  }

  @Test func `a new entry that began long ago is asked about`() throws {
    var tracking = try Tracking()
    try typeStart(&tracking, "text:n")
    #expect(tracking.entries.isEmpty && tracking.text.contains(Self.reason))
    try tracking.press("enter")
    #expect(tracking.entries.isEmpty && tracking.text.contains("No other entry can change that."))
    try tracking.press("ctrl-o")
    #expect(tracking.entry(0)?.start == tracking.now.adding(.seconds(-23 * 3_600)))
    #expect(tracking.entry(0)?.isRunning == true && tracking.entry(0)?.allowsOverlap == false)
    #expect(tracking.timer != nil && tracking.question == nil)
  }

  @Test func `an earlier start of the running entry is asked about, and may be left`() throws {
    var tracking = try Tracking()
    try tracking.press("text:n", "text:work", "enter")
    try typeStart(&tracking, "text:e")
    #expect(tracking.text.contains(Self.reason))
    try tracking.press("escape")
    #expect(tracking.question == nil && tracking.form != nil)
    #expect(tracking.entry(0)?.start == tracking.now)
    try tracking.press("enter", "ctrl-o")
    #expect(tracking.entry(0)?.start == tracking.now.adding(.seconds(-23 * 3_600)))
    #expect(tracking.timer != nil)
  }

  @Test func `an ended entry that would run again is asked about`() throws {
    var tracking = try Tracking()
    let start = tracking.now.adding(.seconds(-23 * 3_600))
    let draft = TimeEntryDraft(user: .id(tracking.user), description: "work", zone: .utc)
    try tracking.perform(
      .entry(.add(draft, start: start, end: start.adding(.seconds(60)), policy: .refuse)))
    try tracking.press("down", "text:e", "tab", "tab", "tab", "tab", "ctrl-u", "tab", "ctrl-u")
    try tracking.press("enter")
    #expect(tracking.text.contains(Self.reason) && tracking.entry(0)?.isRunning == false)
    try tracking.press("ctrl-o")
    #expect(tracking.entry(0)?.isRunning == true)
  }

  @Test func `a form makes no room by ending an entry that was forgotten`() throws {
    var tracking = try Tracking()
    let start = tracking.now.adding(.seconds(-20 * 3_600))
    let draft = TimeEntryDraft(user: .id(tracking.user), description: "long", zone: .utc)
    try tracking.perform(.entry(.start(draft, at: start, policy: .allow)))
    try tracking.press("text:n", "text:8:00 - 8:30 new", "enter")
    #expect(tracking.text.contains("! It overlaps \"long\"."))
    try tracking.press("enter")
    #expect(tracking.entries.map(\.isRunning) == [true])
    let text = tracking.lines.joined(separator: " ")
    #expect(text.contains("! The other entries cannot make room. An entry would take 19:00:00"))
    #expect(text.contains("Press ctrl-o to record it as it is."))
    try tracking.press("ctrl-o")
    #expect(tracking.entries.map(\.isRunning) == [true, false])
    #expect(tracking.entry(1)?.allowsOverlap == true)
  }

  @Test func `an overlap is asked about after the early start`() throws {
    var tracking = try Tracking()
    let start = tracking.now.adding(.seconds(-20 * 3_600))
    let draft = TimeEntryDraft(user: .id(tracking.user), description: "lunch", zone: .utc)
    try tracking.perform(
      .entry(.add(draft, start: start, end: start.adding(.seconds(3_600)), policy: .refuse)))
    try typeStart(&tracking, "text:n")
    #expect(tracking.text.contains(Self.reason) && !tracking.text.contains("It overlaps"))
    try tracking.press("ctrl-o")
    #expect(tracking.entries.count == 1)
    #expect(tracking.text.contains("! It overlaps \"lunch\"."))
    try tracking.press("ctrl-x")
    #expect(tracking.entries.map(\.isRunning) == [true])
    #expect(tracking.entry(0)?.deleted != nil && tracking.timer != nil)
  }
}
