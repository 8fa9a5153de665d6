import RetraceArchitecture
import RetraceScreen
import RetraceState
import RetraceTesting
import Testing
import TimeTracking
import ToolTestSupport
import TrackerFeatures

/// The suggestions of the timer for the next entry.
@Suite struct TimerSuggestionsTests {
  private static func add(
    _ text: String, daysAgo: Int64, minutes: Int64 = 0, project: String? = nil,
    tags: [String] = [], _ tracking: inout Tracking
  ) throws {
    var draft = TimeEntryDraft(user: .id(tracking.user), description: text, zone: .utc)
    draft.project = project.map { .name(Name($0)) }
    draft.tags = tags.map { .name(Name($0)) }
    draft.isBillable = project != nil
    let start = tracking.now.adding(.seconds(-daysAgo * 86_400 - minutes * 60 - 60))
    let end = start.adding(.seconds(60))
    let refusal = try tracking.perform(
      .entry(.add(draft, start: start, end: end, policy: .allow)))
    #expect(refusal == nil)
  }

  /// The rows of suggestions: those that begin with a digit.
  private static func rows(_ tracking: Tracking) -> [String] {
    tracking.lines.compactMap { line in
      guard ["  1 ", "  2 ", "  3 "].contains(where: line.hasPrefix) else { return nil }
      return line.split(separator: "  ").map { $0.drop { $0 == " " } }.filter { !$0.isEmpty }
        .joined(separator: " | ")
    }
  }

  @Test func `a digit continues the entry that was used most, with all of its contents [M12]`()
    throws
  {
    var tracking = try Tracking()
    for day in Int64(1)...4 {
      try Self.add("design", daysAgo: day, project: "site", tags: ["deep"], &tracking)
    }
    for day in Int64(1)...3 { try Self.add("mail", daysAgo: day, minutes: 5, &tracking) }
    for day in Int64(1)...3 { try Self.add("call", daysAgo: day, minutes: 9, &tracking) }
    try Self.add("plan", daysAgo: 1, minutes: 30, &tracking)
    #expect(Self.rows(tracking).isEmpty)
    try tracking.press("text:f")
    // Equal counts are in order of the last use.
    #expect(
      Self.rows(tracking) == [
        "1 design @site #deep $ | 4 times", "2 mail | 3 times", "3 call | 3 times",
      ])
    #expect(tracking.replayedLines == tracking.lines && tracking.freshLines == tracking.lines)
    try tracking.press("text:1")
    let running = try #require(tracking.domain.runningEntry(of: tracking.user)).entry
    #expect(running.description == "design" && running.isBillable)
    #expect(running.start == tracking.now && running.project != nil && running.tags.count == 1)
    #expect(tracking.timer?.showsSuggestions == false && Self.rows(tracking).isEmpty)
    // Another one stops it at the same instant.
    tracking.wait(.seconds(600))
    try tracking.press("text:f", "text:2")
    let next = try #require(tracking.domain.runningEntry(of: tracking.user)).entry
    #expect(next.description == "call" && next.start == tracking.now)
    #expect(tracking.entries.count { $0.end == tracking.now } == 1)
    // What runs is not suggested.
    try tracking.press("text:f")
    #expect(
      Self.rows(tracking) == [
        "1 design @site #deep $ | 5 times", "2 mail | 3 times", "3 plan | once",
      ])
  }

  @Test func `entries count for 42 days, without deleted and archived projects [M12]`() throws {
    var tracking = try Tracking()
    try Self.add("often", daysAgo: 2, project: "old", &tracking)
    try Self.add("often", daysAgo: 3, project: "old", &tracking)
    try Self.add("gone", daysAgo: 4, project: "shop", &tracking)
    try Self.add("", daysAgo: 5, &tracking)
    // It began exactly 42 days ago.
    try Self.add("edge", daysAgo: 42, minutes: -1, &tracking)
    try tracking.press("text:f")
    #expect(
      Self.rows(tracking) == [
        "1 often @old $ | 2 times", "2 gone @shop $ | once", "3 edge | once",
      ])
    var archive = ProjectChanges()
    archive.isArchived = Change(from: false, to: true)
    try tracking.perform(.project(.change(ProjectID(value: 0), archive, reason: nil)))
    #expect(Self.rows(tracking) == ["1 gone @shop $ | once", "2 edge | once"])
    try tracking.perform(.project(.delete(ProjectID(value: 1), reason: nil)))
    #expect(Self.rows(tracking) == ["1 edge | once"])
    // A frame keeps what it counted, and still leaves out what has become too old.
    try tracking.press("home")
    tracking.wait(.microseconds(1))
    #expect(Self.rows(tracking).isEmpty)
    #expect(tracking.text.contains("No suggestions"))
    try tracking.press("text:1")
    #expect(tracking.notice == .unknownKey("text:1") && tracking.entries.count == 5)
  }

  @Test func `suggestions are hidden again, and leave the log its rows`() throws {
    var tracking = try Tracking()
    for number in Int64(0)..<12 {
      try Self.add("task \(number)", daysAgo: 1, minutes: number * 2, &tracking)
    }
    let lines = tracking.lines
    try tracking.press("text:f")
    #expect(Self.rows(tracking).count == 3)
    let row = try #require(tracking.lines.firstIndex { $0.hasPrefix("  2 ") })
    try tracking.press("escape")
    #expect(tracking.lines == lines)
    try tracking.press("text:f", "text:f")
    #expect(tracking.lines == lines)
    try tracking.press("text:f")
    try tracking.use(.pressed(.left), row: row, column: 9)
    #expect(tracking.domain.runningEntry(of: tracking.user)?.entry.description == "task 1")
    try tracking.press("text:f")
    // A low screen shows the log alone, and a digit means nothing there.
    tracking.size = Screen.Size(columns: 40, rows: 12)
    #expect(Self.rows(tracking).isEmpty)
    try tracking.press("text:2")
    #expect(tracking.notice == .unknownKey("text:2"))
    try tracking.press("text:f")
    #expect(tracking.notice == .obstacle(.noRoomForSuggestions))
  }

  @Test func `kept counts are those of a fresh frame, at any moment`() throws {
    try withSeed { random in
      for _ in 0..<repetitions(40, few: 8) {
        var tracking = try Tracking()
        try tracking.press("text:f")
        for number in 0..<30 {
          switch Int.random(in: 0..<6, using: &random) {
          case 0: try tracking.press("text:\(Int.random(in: 1...3, using: &random))")
          case 1: tracking.wait(.seconds(Int64.random(in: 0..<(20 * 86_400), using: &random)))
          case 2: try tracking.press(["down", "text:d", "text:s"].randomElement(using: &random)!)
          default:
            try Self.add(
              "t\(Int.random(in: 0..<5, using: &random))",
              daysAgo: Int64.random(in: 0..<44, using: &random), minutes: Int64(number),
              project: [nil, "a", "b"].randomElement(using: &random)!, &tracking)
          }
          if tracking.timer?.showsSuggestions == false { try tracking.press("text:f") }
          #expect(tracking.lines == tracking.freshLines)
          let expected = tracking.domain.suggestions(
            for: tracking.user, events: [], at: tracking.now)
          #expect(Self.rows(tracking).count == expected.count)
        }
      }
    }
  }
}
