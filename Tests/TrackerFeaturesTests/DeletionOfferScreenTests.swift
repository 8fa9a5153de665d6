import RetraceArchitecture
import RetraceScreen
import RetraceState
import Testing
import TimeTracking
import TrackerFeatures

/// The offer of the timer to take a deletion back.
@Suite struct DeletionOfferScreenTests {
  /// Adds entries of a minute, one right after the other.
  private static func tracking(_ texts: [String]) throws -> Tracking {
    var tracking = try Tracking()
    for (number, text) in texts.enumerated() {
      let start = tracking.now.adding(.seconds(Int64(number - texts.count) * 60))
      let draft = TimeEntryDraft(user: .id(tracking.user), description: text, zone: .utc)
      try tracking.perform(
        .entry(.add(draft, start: start, end: start.adding(.seconds(60)), policy: .refuse)))
    }
    return tracking
  }

  private static func ids(_ values: Int64...) -> [TimeEntryID] {
    values.map { TimeEntryID(value: $0) }
  }

  private static func offer(_ tracking: Tracking) -> String? {
    tracking.lines.first { $0.hasPrefix("Deleted") }
  }

  @Test func `a deletion is offered back for 5 seconds, which are counted down [M6]`() throws {
    var tracking = try Self.tracking(["a", "b", "c"])
    try tracking.press("down", "down", "text:d")
    #expect(tracking.entries.map(\.description) == ["a", "c"])
    #expect(tracking.timer?.selection == TimeEntryID(value: 0))
    for seconds in [5, 4, 3, 2, 1] {
      #expect(Self.offer(tracking) == "Deleted. z takes it back (\(seconds) s).")
      #expect(tracking.lines == tracking.replayedLines)
      if seconds > 1 { tracking.wait(.seconds(1)) }
    }
    tracking.wait(.milliseconds(900))
    // At 4.9 seconds.
    #expect(Self.offer(tracking) == "Deleted. z takes it back (1 s).")
    try tracking.press("text:z")
    tracking.wait(.milliseconds(200))
    // At 5.1 seconds; no action has ended the offer.
    #expect(Self.offer(tracking) == nil)
    try tracking.press("text:z")
    #expect(tracking.restores == [.takeBack(Self.ids(1)), .undo])
    #expect(tracking.timer?.offer != nil)
  }

  @Test func `a key on a frame that was painted before the end of the offer means an undo [M6]`()
    throws
  {
    var tracking = try Self.tracking(["a"])
    try tracking.press("down", "text:d")
    tracking.paint()
    tracking.wait(.seconds(5))
    try tracking.press("text:z")
    #expect(tracking.restores == [.undo])
  }

  @Test func `the entries of a group are offered together [M6]`() throws {
    var tracking = try Self.tracking(["mail", "plan", "mail", "mail", "call"])
    try tracking.press("down", "down", "text:d")
    #expect(Self.offer(tracking) == "Deleted 3 entries. z takes them back (5 s).")
    let deletion = tracking.facts.suffix(3)
    try tracking.press("text:z")
    #expect(tracking.restores == [.takeBack(Self.ids(0, 2, 3))])
    try tracking.restore(Array(deletion))
    #expect(tracking.entries.count == 5)
    #expect(Self.offer(tracking) == nil && tracking.text.contains("Undone. Z redoes it."))
  }

  @Test func `what was selected is selected again once the deleted entries are back [M6]`() throws {
    for isOpen in [false, true] {
      var tracking = try Self.tracking(["mail", "plan", "mail", "call"])
      try tracking.press("down", "down")
      if isOpen { try tracking.press("right", "down") }
      let (selection, group) = (tracking.timer?.selection, tracking.timer?.group)
      #expect((selection != nil) == isOpen && (group != nil) == !isOpen)
      try tracking.press("text:d")
      #expect(tracking.timer?.selection != selection || tracking.timer?.group != group)
      try tracking.restore(Array(tracking.facts.suffix(isOpen ? 1 : 2)))
      #expect(tracking.timer?.selection == selection && tracking.timer?.group == group)
      #expect(tracking.timer?.offer == nil && tracking.entries.count == 4)
      // A later undo leaves the selection as it is.
      try tracking.press("up")
      let later = tracking.timer
      try tracking.restore(Array(tracking.facts.suffix(1)), isRedo: true)
      #expect(tracking.timer == later)
    }
  }

  @Test func `another deletion ends the offer of the one before [M6]`() throws {
    var tracking = try Self.tracking(["a", "b", "c"])
    try tracking.press("down", "text:d")
    tracking.wait(.seconds(3))
    try tracking.press("text:d")
    #expect(Self.offer(tracking) == "Deleted. z takes it back (5 s).")
    #expect(tracking.timer?.offer?.entries == Self.ids(1))
    #expect(tracking.entries.map(\.description) == ["a"])
  }

  @Test func `the offer ends where the entries are undone elsewhere, and outlasts other keys [M6]`()
    throws
  {
    var tracking = try Self.tracking(["a", "b", "c"])
    try tracking.press("down", "text:d")
    let deletion = tracking.facts.suffix(1)
    try tracking.press("f5", "text:n", "text:x")
    #expect(Self.offer(tracking) == nil)
    try tracking.press("escape")
    #expect(Self.offer(tracking) != nil)
    try tracking.press("f5")
    #expect(Self.offer(tracking) != nil && tracking.text.contains("! f5 does nothing here."))
    try tracking.restore(Array(deletion))
    #expect(Self.offer(tracking) == nil)
  }

  @Test func `a refused deletion offers nothing [M6]`() throws {
    var tracking = try Self.tracking(["a", "b"])
    try tracking.press("down")
    tracking.paint()
    try tracking.perform(.entry(.delete(TimeEntryID(value: 1), reason: nil)))
    try tracking.press("text:d")
    #expect(tracking.timer?.offer == nil && Self.offer(tracking) == nil)
    if case .refused? = tracking.notice {} else { Issue.record("no refusal") }
  }

  @Test func `more than 256 entries are not deleted at once [M6]`() throws {
    var tracking = try Self.tracking((0..<257).map { _ in "mail" })
    try tracking.press("down", "text:d")
    #expect(tracking.notice == .obstacle(.tooManyEntries(257)) && tracking.entries.count == 257)
    try tracking.press("right", "down", "text:d", "left", "text:d")
    #expect(tracking.entries.isEmpty)
    #expect(Self.offer(tracking) == "Deleted 256 entries. z takes them back (5 s).")
  }
}
