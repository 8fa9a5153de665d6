import RetraceArchitecture
import RetraceScreen
import RetraceState
import RetraceTesting
import Testing
import TimeTracking
import TrackerFeatures

/// What the systems that the project learns from do on their screen for an entry.
@Suite struct StartEditTests {
  /// An action of such a screen: the keys that do it, and what holds after them.
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let keys: [String]
    let holds: @Sendable (Tracking) -> Bool

    init(_ name: String, _ keys: String..., holds: @escaping @Sendable (Tracking) -> Bool) {
      (testDescription, self.keys, self.holds) = (name, keys, holds)
    }
  }

  /// A scene at 9:00 with two similar entries, 7:00 to 8:00 and 6:00 to 6:30, and one that runs
  /// since 8:30.
  static func desk() throws -> Tracking {
    var tracking = try Tracking()
    try tracking.perform(.project(.create(Project(name: Name("web")))))
    try tracking.perform(
      .task(.create(ProjectTask(name: Name("coding"), project: ProjectID(value: 0)))))
    try tracking.perform(.tag(.create(Tag(name: Name("deep")))))
    var draft = TimeEntryDraft(user: .id(tracking.user), description: "task", zone: .utc)
    (draft.project, draft.tags) = (.id(ProjectID(value: 0)), [.id(TagID(value: 0))])
    for (start, seconds) in [(Int64(-7_200), Int64(3_600)), (-10_800, 1_800)] {
      let start = tracking.now.adding(.seconds(start))
      let end = start.adding(.seconds(seconds))
      try tracking.perform(.entry(.add(draft, start: start, end: end, policy: .refuse)))
    }
    let running = TimeEntryDraft(user: .id(tracking.user), description: "run", zone: .utc)
    let start = tracking.now.adding(.seconds(-1_800))
    try tracking.perform(.entry(.start(running, at: start, policy: .refuse)))
    return tracking
  }

  private static func time(_ minutes: Int64) -> Moment {
    Tracking.morning.adding(.seconds(minutes * 60))
  }

  /// The keys that open the form of the entry from 7:00 to 8:00.
  private static let first = ["down", "right", "right", "text:e"]

  @Test(arguments: texts + times + moves + suggestions + running)
  func `each action of such a screen has keys [M9]`(row: Row) throws {
    var tracking = try Self.desk()
    for key in row.keys {
      for key in key == "first" ? Self.first : [key] { try tracking.press(key) }
    }
    #expect(row.holds(tracking), "\(tracking.text)")
    #expect(tracking.freshLines == tracking.lines && tracking.replayedLines == tracking.lines)
  }

  private static let texts: [Row] = [
    Row("descriptionEntered", "text:n", "text:des", "left") {
      $0.form?.description == TextDraft("des", cursor: 2)
    },
    Row("closeButtonTapped", "text:n", "text:x", "escape") {
      $0.form == nil && $0.entries.count == 3
    },
    Row("dialogDismissed", "text:n", "text:ta", "escape") {
      $0.form?.description.text == "ta" && $0.suggestions == []
    },
    Row("doneButtonTapped, no ids and no duration", "text:n", "text:new", "enter") {
      $0.entry(3)?.isRunning == true && $0.entry(2)?.end == $0.now && $0.timer != nil
    },
    Row(
      "doneButtonTapped, no ids and a duration", "text:n", "text:new", "tab", "tab", "tab",
      "text:8:05", "tab", "tab", "text:20", "enter"
    ) { $0.entry(3)?.start == time(-55) && $0.entry(3)?.duration == .seconds(1_200) },
    Row("doneButtonTapped, one id", "first", "text:!", "enter") {
      $0.entry(0)?.description == "task!" && $0.entry(1)?.description == "task"
        && $0.entry(0)?.duration == .seconds(3_600)
    },
    Row(
      "doneButtonTapped, several ids", "down", "text:e", "text:!", "tab", "ctrl-u", "backtab",
      "backtab", "text: ", "enter"
    ) {
      $0.entry(0)?.description == "task!" && $0.entry(1)?.description == "task!"
        && $0.entry(0)?.project == nil && $0.entry(1)?.project == nil
        && $0.entry(0)?.isBillable == true && $0.entry(1)?.isBillable == true
        && $0.entry(0)?.start == time(-120) && $0.entry(1)?.start == time(-180)
    },
    Row(
      "a description, a project and tags are cleared", "first", "ctrl-u", "tab", "ctrl-u", "tab",
      "ctrl-u", "enter"
    ) {
      $0.entry(0)?.description == "" && $0.entry(0)?.project == nil && $0.entry(0)?.tags == []
    },
    Row("billableButtonTapped", "first", "backtab", "text: ", "enter") {
      $0.entry(0)?.isBillable == true
    },
    Row("timeEntryUpdated closes the draft", "first", "text:!", "enter") { $0.timer != nil },
    Row("setError is a refusal", "first", "tab", "tab", "tab", "ctrl-u", "text:soon", "enter") {
      $0.form != nil && $0.notice != nil && $0.entry(0)?.start == time(-120)
    },
  ]

  private static let times: [Row] = [
    Row("startButtonTapped, pickerTapped", "text:n", "tab", "tab", "tab") {
      $0.form?.field == .start
    },
    Row("dateTimePickingCancelled", "first", "tab", "tab", "tab", "tab") {
      $0.form?.field == .end && $0.form?.start.text == "2026-11-23 07:00:00"
    },
    Row(
      "dateTimePicked, the start keeps the end", "first", "tab", "tab", "tab", "ctrl-u",
      "text:7:15", "enter"
    ) { $0.entry(0)?.start == time(-105) && $0.entry(0)?.end == time(-60) },
    Row(
      "dateTimePicked, the end", "first", "tab", "tab", "tab", "tab", "ctrl-u", "text:8:15",
      "enter"
    ) { $0.entry(0)?.start == time(-120) && $0.entry(0)?.end == time(-45) },
    Row(
      "StartTimeAfterCurrentTime", "text:e", "tab", "tab", "tab", "ctrl-u", "text:9:30", "backtab",
      "enter"
    ) {
      $0.entry(2)?.start == time(-30) && $0.form?.field == .start && $0.question != nil
        && $0.text.contains("! The start is in the future.")
    },
    Row(
      "StartTimeAfterStopTime", "first", "tab", "tab", "tab", "ctrl-u", "text:8:30", "backtab",
      "enter"
    ) {
      $0.entry(0)?.start == time(-120) && $0.form?.field == .start
        && $0.notice == .obstacle(.startAfterEnd)
        && $0.lines.contains { $0.hasSuffix("  ! The start is after the end.") }
    },
    Row(
      "StopTimeBeforeStartTime", "first", "tab", "tab", "tab", "tab", "ctrl-u", "text:6:30", "tab",
      "tab", "enter"
    ) {
      $0.entry(0)?.end == time(-60) && $0.form?.field == .end
        && $0.notice == .obstacle(.endBeforeStart)
        && $0.lines.contains { $0.hasSuffix("  ! The end is before the start.") }
    },
    Row(
      "DurationTooLong", "first", "tab", "tab", "tab", "ctrl-u", "text:2026-10-01 7:00", "enter"
    ) {
      $0.entry(0)?.start == time(-120) && $0.notice == .obstacle(.entryTooLong)
        && $0.lines.contains { $0.hasSuffix("  ! An entry takes 999 hours at most.") }
    },
    Row("999 hours are allowed", "text:n", "backtab", "backtab", "text:99900") {
      $0.text.contains("= 999:00:00") && !$0.text.contains("! ")
    },
    Row("1,000 hours are not", "text:n", "backtab", "backtab", "text:1000h", "enter") {
      $0.form != nil && $0.notice == .obstacle(.unreadableField(.durationTooLong))
    },
  ]

  private static let moves: [Row] = [
    Row("stopButtonTapped, no start", "text:n", "ctrl-s") {
      $0.form?.start.text == "2026-11-23 09:00:00" && $0.form?.end.text == "2026-11-23 09:00:00"
    },
    Row("stopButtonTapped, it has a duration", "first", "ctrl-s") {
      $0.notice == .obstacle(.hasEnded) && $0.form?.end.text == "2026-11-23 08:00:00"
    },
    Row("stopButtonTapped, it runs", "text:e", "ctrl-s", "enter") {
      $0.entry(2)?.duration == .seconds(1_800) && $0.timer != nil
    },
    Row(
      "stopButtonTapped, it began in the future", "text:e", "tab", "tab", "tab", "ctrl-u",
      "text:9:30", "ctrl-s"
    ) { $0.notice == .obstacle(.endBeforeStart) && $0.form?.end.text == "" },
    Row("wheelStartTimeChanged", "first", "tab", "tab", "tab", "alt-down", "enter") {
      $0.entry(0)?.start == time(-125) && $0.entry(0)?.end == time(-60)
    },
    Row("WheelChangedEndTime", "first", "tab", "tab", "tab", "tab", "alt-up", "alt-up", "enter") {
      $0.entry(0)?.end == time(-50)
    },
    Row("wheelDurationChanged", "first", "backtab", "backtab", "alt-down", "enter") {
      $0.entry(0)?.duration == .seconds(3_300)
    },
    Row("wheelDurationChanged, not below 0", "text:n", "backtab", "backtab", "alt-down") {
      $0.form?.duration.text == "0:00:00"
    },
    Row(
      "wheelDurationChanged, not above 999 h", "text:n", "backtab", "backtab", "text:998:58",
      "alt-up"
    ) { $0.form?.duration.text == "999:00:00" },
    Row("durationInputted, of a group", "down", "text:e", "backtab", "backtab", "text:1") {
      $0.form?.duration.text == "" && $0.notice == .obstacle(.timesOfGroup)
    },
    Row("durationInputted, it runs", "text:e", "backtab", "backtab", "text:45m", "enter") {
      $0.entry(2)?.isRunning == true && $0.entry(2)?.start == time(-45)
    },
    Row("durationInputted, it has ended", "first", "backtab", "backtab", "ctrl-u", "text:30") {
      $0.text.contains("= 0:30:00")
    },
  ]

  private static let suggestions: [Row] = [
    Row("projectButtonTapped, addProjectChipTapped", "text:n", "text:x @") {
      $0.suggestions == ["› @web project"]
    },
    Row("tagButtonTapped, addTagChipTapped", "text:n", "text:x #") {
      $0.suggestions == ["› #deep tag"]
    },
    Row("autocompleteSuggestionTapped, an entry", "text:n", "text:ta", "down", "enter") {
      $0.form?.description.text == "task" && $0.form?.project.text == "web"
        && $0.form?.tags.text == "deep"
    },
    Row("autocompleteSuggestionTapped, a project", "text:n", "text:a @w", "right") {
      $0.form?.description.text == "a " && $0.form?.project.text == "web"
    },
    Row("autocompleteSuggestionTapped, a task", "text:n", "text:a @web/", "right", "enter") {
      $0.entry(3)?.description == "a" && $0.entry(3)?.project == ProjectID(value: 0)
        && $0.entry(3)?.task == TaskID(value: 0)
    },
    Row("autocompleteSuggestionTapped, a tag", "text:n", "text:a #de", "right") {
      $0.form?.description.text == "a " && $0.form?.tags.text == "deep"
    },
    Row("autocompleteSuggestionTapped, a new project", "text:n", "text:a @new", "right") {
      $0.form?.project.text == "new" && $0.domain.projects.count == 1
    },
    Row("autocompleteSuggestionTapped, a new tag", "text:n", "text:a #new", "right") {
      $0.form?.tags.text == "new" && $0.domain.tags.count == 1
    },
    Row("tagCreated", "text:n", "text:a #new", "enter", "enter") {
      $0.entry(3)?.tags == [TagID(value: 1)] && $0.domain.tags.count == 2
    },
  ]

  private static let running: [Row] = [
    Row("cardTapped", "text:e") { $0.form?.entry == TimeEntryID(value: 2) },
    Row("cardTapped, nothing runs", "text:s", "text:n") {
      $0.form?.entry == nil && $0.form?.description.text == ""
    },
    Row("startButtonTapped", "text:s", "text: ") {
      $0.entry(3)?.isRunning == true && $0.entry(3)?.description == "" && $0.timer != nil
    },
    Row("startButtonTapped, one runs", "text: ") {
      $0.entry(3) == nil && $0.notice == .obstacle(.runsAlready)
    },
    Row("stopButtonTapped", "text:s") { $0.entry(2)?.end == $0.now },
    Row("stopButtonTapped, nothing runs", "text:s", "text:s") {
      $0.notice == .obstacle(.nothingRuns)
    },
  ]

  // MARK: Groups

  @Test func `a group is edited as one change, which one undo takes back [M9]`() throws {
    var tracking = try Self.desk()
    let before = tracking.entries
    try tracking.press("down", "text:e")
    #expect(tracking.lines[0] == "Edit 2 entries")
    #expect(tracking.lines.contains("  Start       several"))
    #expect(tracking.lines.contains("  Duration    several, 1:30:00 in all"))
    let form = try #require(tracking.form)
    #expect(EntryEditorScreen.link(of: form).text() == "timer/0/edit/0?other=1")
    let count = tracking.commands.count
    try tracking.press("text: two", "tab", "tab", "text:, new", "enter")
    #expect(tracking.lines.contains { $0.hasPrefix("? new is a new tag.") })
    #expect(tracking.commands.count == count)
    let facts = tracking.facts.count
    try tracking.press("enter")
    #expect(tracking.commands.count == count + 1 && tracking.timer != nil)
    for id in Int64(0)...1 {
      #expect(tracking.entry(id)?.description == "task two")
      #expect(tracking.entry(id)?.tags == [TagID(value: 0), TagID(value: 1)])
    }
    try tracking.restore(Array(tracking.facts[facts...]))
    for id in 0...1 {
      #expect(tracking.entry(Int64(id))?.description == before[id].description)
      #expect(tracking.entry(Int64(id))?.tags == before[id].tags)
    }
  }

  @Test func `a group in which nothing is typed changes nothing`() throws {
    var tracking = try Self.desk()
    let count = tracking.commands.count
    try tracking.press("down", "text:e", "enter")
    #expect(tracking.timer != nil && tracking.commands.count == count)
  }

  @Test func `where the entries of a group differ meanwhile, only what is typed is changed`() throws
  {
    var tracking = try Self.desk()
    try tracking.press("down", "text:e", "tab")
    var correction = TimeEntryCorrection()
    correction.changes.description = Change(from: "task", to: "other")
    correction.changes.isBillable = Change(from: false, to: true)
    try tracking.perform(
      .entry(.correct(TimeEntryID(value: 1), correction, policy: .refuse, reason: nil)))
    #expect(tracking.text.contains("Changed elsewhere: description \"\""))
    try tracking.press("ctrl-r")
    #expect(tracking.lines.contains("  Description several"))
    #expect(tracking.lines.contains("  Billable    [ ] several"))
    try tracking.press("ctrl-u", "enter")
    #expect(tracking.entry(0)?.description == "task" && tracking.entry(0)?.project == nil)
    #expect(tracking.entry(1)?.description == "other" && tracking.entry(1)?.project == nil)
    #expect(tracking.entry(1)?.isBillable == true && tracking.entry(0)?.isBillable == false)
  }

  @Test func `the link of a group names all of its entries [N10]`() throws {
    let link = "timer/0/edit/0?other=1&other=7"
    guard case .entryEditor(let form) = try TrackerRoute(DeepLink(parsing: link)) else {
      return #expect(Bool(false))
    }
    #expect(form.entry == TimeEntryID(value: 0))
    #expect(form.others == [1, 7].map { TimeEntryID(value: $0) })
    #expect(EntryEditorScreen.link(of: form).text() == link)
    #expect(throws: DeepLinkError.invalidItem("other", value: "07")) {
      try TrackerRoute(DeepLink(parsing: "timer/0/edit/0?other=07"))
    }
  }

  // MARK: Times

  @Test func `digits alone are a duration, and its reading is shown [M9]`() throws {
    for (digits, reading, minutes) in [
      ("5", "0:05:00", 5), ("45", "0:45:00", 45), ("130", "1:30:00", 90), ("90", "1:30:00", 90),
      ("1130", "11:30:00", 690), ("00130", "1:30:00", 90), ("1.5", "1:30:00", 90),
    ] {
      var tracking = try Tracking()
      try tracking.press("text:n", "backtab", "backtab", "text:\(digits)")
      #expect(tracking.lines.contains { $0.hasSuffix("= \(reading)") }, "\(tracking.text)")
      try tracking.press("enter")
      #expect(tracking.entry(0)?.duration == .seconds(Int64(minutes) * 60))
    }
    var tracking = try Tracking()
    try tracking.press("text:n", "backtab", "backtab", "text:123456", "enter")
    #expect(tracking.entry(0) == nil && tracking.form != nil)
  }

  @Test func `a duration that is typed as a time is said to be one`() throws {
    for tabs in 3...4 {
      var tracking = try Tracking()
      try tracking.press("text:n")
      for _ in 0..<tabs { try tracking.press("tab") }
      try tracking.press("text:1h", "backtab", "enter")
      #expect(tracking.notice == .obstacle(.durationInTime("1h")))
      #expect(tracking.text.contains("`1h` is a duration. Type it into Duration."))
      // The cursor goes to the text.
      #expect(tracking.form?.field == (tabs == 3 ? .start : .end))
    }
  }

  @Test func `a moved time keeps its form, and goes over midnight with its day [M9]`() throws {
    var tracking = try Tracking()
    try tracking.press("text:n", "tab", "tab", "tab", "alt-down")
    #expect(tracking.form?.start.text == "08:55")
    try tracking.press("alt-up", "alt-up", "alt-down")
    #expect(tracking.form?.start.text == "09:00")
    try tracking.press("ctrl-u", "text:0:02", "alt-down")
    #expect(tracking.form?.start.text == "2026-11-22 23:57")
    try tracking.press("alt-up")
    #expect(tracking.form?.start.text == "2026-11-23 00:02")
    try tracking.press("ctrl-u", "text:soon", "alt-up")
    #expect(tracking.notice == .obstacle(.noTimeToMove))
    try tracking.press("ctrl-u", "tab", "tab", "tab", "alt-up")
    #expect(tracking.notice == .unknownKey("alt-up"))
  }

  @Test func `a stop moves times out of the description`() throws {
    var tracking = try Tracking()
    try tracking.press("text:n", "text:8:30 design", "ctrl-s")
    #expect(tracking.form?.description.text == "design")
    #expect(tracking.form?.start.text == "2026-11-23 08:30:00")
    try tracking.press("enter")
    #expect(tracking.entry(0)?.duration == .seconds(1_800))
  }

  @Test func `times are shown in the style of the user`() throws {
    var tracking = try Tracking()
    var preferences = PreferenceSet(user: tracking.user)
    preferences.dateFormat = .dayMonthYearStops
    preferences.durationFormat = .decimal
    preferences.is24Hours = false
    try tracking.perform(.preferences(.create(preferences)))
    try tracking.press("text:n", "tab", "tab", "tab", "text:yesterday 7am", "tab", "tab")
    try tracking.press("text:130")
    #expect(tracking.lines.contains { $0.hasSuffix("= 22.11.2026 07:00 AM") })
    #expect(tracking.lines.contains { $0.hasSuffix("= 1.50 h") })
    #expect(tracking.replayedLines == tracking.lines)
  }

  // MARK: What was saved

  @Test func `an entry of another day is said, and so is what was deleted for one`() throws {
    var tracking = try Tracking()
    try tracking.press("text:n", "text:yesterday 7:00 - 8:30 mail", "enter")
    #expect(tracking.timer != nil)
    #expect(tracking.text.contains("Saved: Sun 2026-11-22, 07:00-08:30."))
    #expect(tracking.replayedLines == tracking.lines)
    // It is said, too, if an entry was selected, which then is not.
    try tracking.press("down", "text:n", "text:yesterday 6:00 - 6:30 post", "enter")
    #expect(tracking.text.contains("Saved: Sun 2026-11-22, 06:00-06:30."))
    #expect(tracking.timer?.selection == nil)
    try tracking.press("text:n", "text:8:00 - 8:30 plan", "enter")
    #expect(!tracking.text.contains("Saved"))
    try tracking.press("text:n", "text:7:30 - 9:00 long", "enter", "ctrl-x")
    #expect(tracking.text.contains("Saved. An entry was deleted for it. z takes all of it back."))
    try tracking.press("down")
    #expect(!tracking.text.contains("Saved"))
  }

  // MARK: New names

  @Test func `a name that is new is asked about once, in the state [M11]`() throws {
    var tracking = try Tracking()
    try tracking.perform(.project(.create(Project(name: Name("thesis")))))
    try tracking.press("text:n", "text:read @thesi #x", "enter")
    #expect(tracking.entry(0) == nil && tracking.form?.asked?.project == Name("thesi"))
    let question = "? thesi is a new project, similar to thesis; x is a new tag. Press enter"
    #expect(tracking.lines.contains { $0.hasPrefix(question) }, "\(tracking.text)")
    #expect(tracking.replayedLines == tracking.lines)
    // Another name is another question.
    try tracking.press("backspace", "text:y", "enter")
    #expect(tracking.entry(0) == nil && tracking.form?.asked?.tags == [Name("y")])
    try tracking.press("enter")
    #expect(tracking.entry(0)?.tags.count == 1 && tracking.domain.projects.count == 2)
    // What is known is not asked about.
    tracking.wait(.seconds(60))
    try tracking.press("text:n", "text:read @thesi #y", "enter")
    #expect(tracking.entry(1)?.tags == tracking.entry(0)?.tags)
  }

  // MARK: Links

  @Test func `a link fills the form of a new entry, and the form gives it back [N10]`() throws {
    let link =
      "timer/0/start?description=design%20%26%20%23test&project=ACME%2Fweb&tag=a&tag=b%2Cc"
      + "&start=9%3A30&billable=false"
    guard case .entryEditor(let form) = try TrackerRoute(DeepLink(parsing: link)) else {
      return #expect(Bool(false))
    }
    #expect(form.description.text == "design & #test" && form.project.text == "ACME/web")
    #expect(form.tags.text == "a, \"b,c\"" && form.start.text == "9:30")
    #expect(form.isBillable == false && form.field == .description)
    #expect(EntryEditorScreen.filledLink(of: form).text() == link)
    #expect(EntryEditorScreen.link(of: form).text() == "timer/0/start")
  }

  @Test(arguments: [
    ("description=a%0Ab", "description"), ("project=%1B%5B2J", "project"), ("tag=", "tag"),
    ("tag=a&tag=%20", "tag"), ("start=soon", "start"), ("start=25%3A00", "start"),
    ("start=", "start"), ("billable=yes", "billable"), ("billable=", "billable"),
  ])
  func `a value of a link that could not be typed is refused by its name [N10]`(
    items: String, name: String
  ) throws {
    do {
      _ = try TrackerRoute(DeepLink(parsing: "timer/0/start?\(items)"))
      Issue.record("the link was read")
    } catch DeepLinkError.invalidItem(let item, value: _) {
      #expect(item == name)
    }
    for items in ["end=9%3A00", "start=9%3A00&start=8%3A00"] {
      #expect(throws: DeepLinkError.self) {
        try TrackerRoute(DeepLink(parsing: "timer/0/start?\(items)"))
      }
    }
  }
}
