import CivilTime
import RetraceAvro
import RetraceScreen
import RetraceState
import RetraceTesting
import Testing
import TimeTracking

@testable import TrackerFeatures

/// What a screen says about a key that does nothing: facts in the state, and a text that each frame
/// makes from them.
@Suite struct NoticeTests {
  private static let asText = "If it is text, type a backslash before it."
  private static let nine = ClockMoment(moment: Tracking.morning, offsetSeconds: 3_600)

  private static let texts: [(KeyObstacle, String)] = [
    (.nameMissing, "Type a name, or select a user with up and down."),
    (.noUsers, "There are no users yet. Type a name."),
    (.userIsNew(Name("Ben")), "There is no user Ben. Press enter again to make one."),
    (.nothingRuns, "Nothing is running. Press n to start an entry."),
    (.nothingSelected, "Select an entry of the list first; s stops a running one."),
    (.noEntries, "There are no entries here."),
    (.noOlderEntries, "These are the oldest entries."),
    (.noNewerEntries, "These are the newest entries."),
    (
      .cannotAdjust(nil),
      "No other entry can change that. Press ctrl-o to record it as it is. Press escape to "
        + "correct it."
    ),
    (
      .cannotAdjust(.user(.nameTaken(Name("Ben")))),
      "The other entries cannot make room. The name Ben is taken. Press ctrl-o to record it as "
        + "it is. Press escape to correct it."
    ),
    (
      .deletesEntries(1),
      "Adjusting deletes an entry. Press ctrl-x for that, or escape to correct the times."
    ),
    (
      .deletesEntries(2),
      "Adjusting deletes 2 entries. Press ctrl-x for that, or escape to correct the times."
    ),
    (
      .nothingUndone,
      "Nothing was undone: all of your newest change was changed since, is in use or would break "
        + "a rule. z again passes over it."
    ),
    (
      .nothingRedone,
      "Nothing was redone: all that was undone last was changed since, is in use or would break "
        + "a rule. Z again passes over it."
    ),
    (.formEmpty, "The form is empty. Leave it, and open the entry again."),
    (.unchangedElsewhere, "Nothing was changed elsewhere."),
    (
      .otherZone("Europe/Berlin"),
      "The form shows the times of another zone. ctrl-r shows those of Europe/Berlin."
    ),
    (.startMissing, "Type a start, such as 9:00."),
    (.startAndDurationMissing, "Type a start or a duration, too."),
    (.timesDisagree, "Start, end and duration do not agree. Delete one of them."),
    (.unreadableField(.noSuchTime("25:00")), "There is no time `25:00`."),
    (
      .unreadableBeginning(.ambiguous("9.30", instead: ["9:30", "21:30"])),
      "`9.30` could be misread. Write `9:30` or `21:30`. \(asText)"
    ),
    (.rangeEndsFirst, "The range ends before it begins. \(asText)"),
    (
      .beginningMisread(before: "9:00", last: "pm"),
      "`9:00 pm` could be misread. Type the time into its field. \(asText)"
    ),
    (
      .project(.unknown(Name("zoo"), of: Name("Cy"))),
      "The client Cy has no project zoo. Type the name of one that it has, or create it with "
        + "`track projects create`."
    ),
    (
      .twoProjects("a", "b"),
      "There are two projects: a and b. Put a backslash before the one that is text."
    ),
    (.projectInField("a", other: "b"), "There are two projects: a and b. Clear one of them."),
    (.notAGroup, "Only a row of several similar entries opens."),
    (.groupNotOpen, "There is no open group here."),
    (.groupSelected, "Several entries are selected. Press right, and select one of them."),
    (
      .tooManyToEdit(300),
      "300 entries are too many to edit at once. Press right, and edit them one by one."
    ),
    (.hasEnded, "The entry has ended already."),
    (.noTimeToMove, "There is no time to move. Type one."),
    (
      .tooManyEntries(300),
      "300 entries are too many to delete at once. Press right, and delete them one by one."
    ),
  ]

  @Test(arguments: texts)
  func `an obstacle has a text, which is safe`(obstacle: KeyObstacle, text: String) throws {
    var tracking = try Tracking()
    tracking.size = Screen.Size(columns: 300, rows: 24)
    try tracking.send(.scene(tracking.scene, .told(.obstacle(obstacle))))
    #expect(tracking.lines.contains("! \(text)"))
  }

  @Test func `what was typed is made safe where it is shown`() throws {
    var tracking = try Tracking()
    let typed = KeyObstacle.twoProjects("a\u{1b}[31m", "b")
    try tracking.send(.scene(tracking.scene, .told(.obstacle(typed))))
    #expect(tracking.text.contains("There are two projects: a"))
    #expect(!tracking.text.unicodeScalars.contains("\u{1b}"))
  }

  private static let errors: [ExpressionError] = [
    .empty, .textTooLong, .unreadable("x", .time), .unreadable("x", .range),
    .unreadable("x", .duration), .ambiguous("9", instead: ["9:00", "21:00"]),
    .noSuchDay("2025-02-30"), .noSuchPeriod("2026-13", .month), .noSuchPeriod("54", .week),
    .noSuchPeriod("2026-Q5", .quarter), .noSuchTime("25:00"), .over59("1h90"), .notFixed("1d"),
    .timeMissing("monday"), .rangeMissing("9:00"),
    .skipped(nine.time.local, before: nine.time, after: nine.time),
    .repeated(nine.time.local, nine.time, nine.time),
    .noSuchOffset("CEST", nine.time.local, zone: "Europe/Berlin"),
    .endNotLater(start: nine.time, end: nine.time), .yearOutOfRange, .negative,
    .durationTooLong,
  ]

  @Test(arguments: errors)
  func `the error of a typed time is recorded, and has its words again`(
    error: ExpressionError
  ) throws {
    let problem = TimeTextProblem(error)
    let read = try TimeTextProblem(encoded: problem.encoded().span)
    #expect(read.error == error && "\(read.error)" == "\(error)")
  }

  @Test func `a local time of any number has a text`() {
    for seconds in [Int64.min, -1, 0, .max] {
      let far = ClockMoment(moment: Moment(microseconds: seconds), offsetSeconds: .min)
      #expect(!"\(TimeTextProblem.skipped(local: seconds, before: far, after: far).error)".isEmpty)
    }
  }

  @Test func `a notice names what its ids name now`() throws {
    var tracking = try Tracking()
    for name in ["A", "B"] { try tracking.perform(.client(.create(Client(name: Name(name))))) }
    for client in 0...1 {
      let client = ClientID(value: Int64(client))
      try tracking.perform(.project(.create(Project(name: Name("web"), client: client))))
    }
    try tracking.press("text:n", "text:a @web", "enter")
    let projects = [ProjectID(value: 0), ProjectID(value: 1)]
    #expect(tracking.notice == .obstacle(.project(.ambiguous("web", projects))))
    #expect(tracking.text.contains("Type one with its client: A/web, B/web."))
    var state = tracking.store.state
    state.domain.clients.modify(ClientID(value: 1)) { $0.name = Name("Ben") }
    let frame = try #require(
      SceneFrame(
        of: tracking.scene, in: state, at: tracking.now, by: tracking.rules, size: tracking.size))
    let text = frame.screen.canvas.lines.joined(separator: "\n")
    #expect(text.contains("Type one with its client: A/web, Ben/web."))
  }

  @Test func `what a terminal can do ends neither a notice nor a question`() throws {
    var tracking = try Tracking()
    try tracking.press("text:n", "text:a", "enter")
    tracking.wait(.seconds(60))
    try tracking.press("text:n", "text:8:00 b", "enter", "enter")
    let state = tracking.store.state
    #expect(tracking.question != nil && tracking.notice != nil)
    var features = TerminalFeatures()
    features.hasAnswered = true
    try tracking.send(.scene(tracking.scene, .terminalSettled(features)))
    #expect(tracking.store.state == state)
  }

  @Test func `no table binds a key twice`() {
    #expect(TimerFrame.keys.conflicts.isEmpty && UsersFrame.keys.conflicts.isEmpty)
    #expect(EntryEditorFrame.keys.conflicts.isEmpty)
    #expect(SceneKeys.help.conflicts.isEmpty && SceneKeys.question.conflicts.isEmpty)
    let everywhere: KeyTable<TimerFrame> = SceneKeys.everywhere()
    #expect(everywhere.conflicts.isEmpty)
  }
}
