import RetraceArchitecture
import RetraceScreen
import RetraceState
import RetraceTesting
import Testing
import TimeTracking
import TrackerFeatures

/// What the mouse does on the screens, which the same actions record as those of keys.
@Suite struct MouseTests {
  private static func tracking(entries: Int) throws -> Tracking {
    var tracking = try Tracking()
    for number in 0..<entries {
      let start = tracking.now.adding(.seconds(Int64(number - entries) * 3_600))
      let draft = TimeEntryDraft(
        user: .id(tracking.user), description: "task \(number)", zone: .utc)
      try tracking.perform(
        .entry(.add(draft, start: start, end: start.adding(.seconds(1_800)), policy: .refuse)))
    }
    return tracking
  }

  /// Presses the left button on the first character of a text.
  private static func click(_ text: String, in tracking: inout Tracking) throws {
    for (row, line) in tracking.lines.enumerated() {
      guard let range = line.firstRange(of: text) else { continue }
      let column = TextWidth.of(line[..<range.lowerBound])
      try tracking.use(.pressed(.left), row: row, column: column)
      return try tracking.use(.released(.left), row: row, column: column)
    }
    Issue.record("no \(text) in\n\(tracking.text)")
  }

  @Test func `the screen asks for the buttons of the mouse`() throws {
    #expect(try #require(Tracking().frame).screen.mouse == .buttons)
  }

  @Test func `a click on an entry selects it, and one beside the rows does nothing`() throws {
    var tracking = try Self.tracking(entries: 3)
    try Self.click("task 1", in: &tracking)
    #expect(tracking.timer?.selection == TimeEntryID(value: 1))
    let state = tracking.store.state
    for text in ["Timer of", "Today, Mon", "Nothing"] { try Self.click(text, in: &tracking) }
    for action in [Mouse.Action.pressed(.right), .dragged(.left), .moved, .scrolled(.left)] {
      try tracking.use(action, row: 7, column: 30)
    }
    try tracking.use(.pressed(.left), row: 99, column: -1)
    #expect(tracking.store.state == state)
  }

  @Test func `the wheel walks through all entries and back, and the selection stays`() throws {
    var tracking = try Self.tracking(entries: 60)
    tracking.size = Screen.Size(columns: 80, rows: 14)
    try tracking.press("down")
    let selected = tracking.timer?.selection
    var seen: Set<String> = []
    func read() {
      seen.formUnion(tracking.lines.compactMap { $0.firstMatch(of: /task \d+/).map { "\($0.0)" } })
    }
    var tops: [EntryPlace?] = []
    while tops.last != tracking.timer?.top || tops.isEmpty {
      tops.append(tracking.timer?.top)
      read()
      try tracking.use(.scrolled(.down), row: 8, column: 3)
    }
    #expect(seen.count == 60)
    #expect(tracking.timer?.selection == selected)
    for _ in tops { try tracking.use(.scrolled(.up), row: 8, column: 3) }
    #expect(tracking.timer?.top == nil && tracking.lines.contains { $0.hasPrefix("› ") })
    #expect(tracking.notice == nil)
  }

  @Test(arguments: ["wheel", "keys"])
  func `a list that is back at the newest entries shows later ones`(input: String) throws {
    var tracking = try Self.tracking(entries: 60)
    tracking.size = Screen.Size(columns: 80, rows: 14)
    if input == "wheel" {
      try tracking.use(.scrolled(.down), row: 8, column: 3)
      #expect(tracking.timer?.top != nil)
      try tracking.use(.scrolled(.up), row: 8, column: 3)
    } else {
      for _ in 0..<8 { try tracking.press("down") }
      #expect(tracking.timer?.top != nil)
      for _ in 0..<7 { try tracking.press("up") }
      #expect(tracking.timer?.selection == TimeEntryID(value: 59))
    }
    #expect(tracking.timer?.top == nil)
    try tracking.press("text:n", "text:late", "enter")
    tracking.wait(.seconds(60))
    try tracking.press("text:s")
    #expect(tracking.lines.contains { $0.contains("late") })
  }

  @Test func `a click on a hint presses its key`() throws {
    var tracking = try Self.tracking(entries: 1)
    try Self.click("n: new", in: &tracking)
    #expect(tracking.form != nil)
    try Self.click("?: keys", in: &tracking)
    #expect(tracking.text.contains("Everywhere"))
    // What the list of keys covers is not there.
    try tracking.use(.pressed(.left), row: 4, column: 16)
    #expect(tracking.form?.field == .description)
    try Self.click("q: back", in: &tracking)
    try Self.click("escape: back", in: &tracking)
    #expect(tracking.timer != nil)
    try Self.click("leave", in: &tracking)
    #expect(tracking.restores == [.leave])
  }

  @Test func `a click gives a field the focus and sets the cursor of its text`() throws {
    var tracking = try Tracking()
    try tracking.press("text:n", "text:日本 write", "tab", "text:web", "backtab")
    try Self.click("write", in: &tracking)
    #expect(tracking.form?.description.cursor == 7)
    try Self.click("eb", in: &tracking)
    #expect(tracking.form?.field == .project && tracking.form?.project.cursor == 1)
    try Self.click("Tags", in: &tracking)
    #expect(tracking.form?.field == .tags)
    try tracking.use(.pressed(.left), row: 2, column: 60)
    #expect(tracking.form?.field == .description && tracking.form?.description.cursor == 12)
    #expect(tracking.form?.description.text == "日本 write")
    try Self.click("Billable", in: &tracking)
    #expect(tracking.form?.field == .billable && tracking.form?.isBillable == nil)
    for isBillable in [true, false] {
      try tracking.use(.pressed(.left), row: 8, column: 15)
      #expect(tracking.form?.isBillable == isBillable)
    }
  }

  @Test func `a click and the wheel select users, and a click sets the cursor of the name`() throws
  {
    var tracking = try Tracking(user: nil)
    for number in 10..<20 {
      try tracking.perform(.user(.create(User(name: Name("user \(number)")))))
    }
    func selection() -> UserID? {
      if case .users(let route)? = tracking.stack?.top { route.selection } else { nil }
    }
    try Self.click("user 13", in: &tracking)
    #expect(selection() == UserID(value: 3))
    try tracking.use(.scrolled(.down), row: 6, column: 2)
    #expect(selection() == UserID(value: 4))
    for _ in 0..<9 { try tracking.use(.scrolled(.up), row: 6, column: 2) }
    #expect(selection() == UserID(value: 0))
    try tracking.press("text:abc")
    try Self.click("bc", in: &tracking)
    try tracking.press("text:x")
    #expect(tracking.text.contains("Name: axbc"))
  }

  @Test func `a click on a hint answers a question, and one on a field ends it`() throws {
    var tracking = try Tracking()
    try tracking.press("text:n", "text:a", "enter")
    tracking.wait(.seconds(3 * 3_600))
    let keys = ["text:n", "text:b", "tab", "tab", "tab", "text:8:00", "tab", "text:9:30", "enter"]
    for key in keys { try tracking.press(key) }
    #expect(tracking.question != nil)
    try Self.click("Start", in: &tracking)
    #expect(tracking.question == nil && tracking.form?.field == .start)
    try tracking.press("enter")
    try Self.click("enter: adjust", in: &tracking)
    #expect(tracking.question == nil && tracking.timer != nil)
    #expect(tracking.entries.map(\.description) == ["a", "b"])
  }

  @Test func `any use of the mouse on any screen leaves a valid state`() throws {
    try withSeed { random in
      for _ in 0..<repetitions(60, few: 6) {
        var tracking = try Self.tracking(entries: Int.random(in: 0...40, using: &random))
        for _ in 0..<60 {
          tracking.size = Screen.Size(
            columns: Int.random(in: 0...90, using: &random),
            rows: Int.random(in: 0...30, using: &random))
          let actions: [Mouse.Action] = [.pressed(.left), .scrolled(.up), .scrolled(.down)]
          try tracking.use(
            actions.randomElement(using: &random) ?? .moved,
            row: Int.random(in: -1...30, using: &random),
            column: Int.random(in: -1...90, using: &random))
          #expect(tracking.lines.count == tracking.size.rows)
          #expect(tracking.lines == tracking.freshLines)
        }
        #expect(tracking.store.state.missing == nil)
        if case .unknownKey? = tracking.notice { Issue.record("a key that is not bound") }
      }
    }
  }
}
