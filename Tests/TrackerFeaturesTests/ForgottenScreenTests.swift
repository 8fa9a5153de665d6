import CivilTime
import RetraceScreen
import RetraceState
import Testing
import TimeTracking
import TrackerFeatures

/// The questions about a running entry that may have been forgotten, without a store.
@Suite struct ForgottenScreenTests {
  /// Starts an entry at nine, and asks at 12:30 about a sleep from ten to twelve.
  private func asking() throws -> Tracking {
    var tracking = try Tracking()
    try start(&tracking)
    tracking.wait(.seconds(3 * 3_600 + 1_800))
    let from = Tracking.morning.adding(.seconds(3_600))
    let sleep = Forgotten.slept(
      TimeEntryID(value: 0), from: from, to: from.adding(.seconds(7_200)))
    try tracking.send(.scene(tracking.scene, .forgot(sleep)))
    return tracking
  }

  private func start(_ tracking: inout Tracking) throws {
    let draft = TimeEntryDraft(user: .id(tracking.user), description: "work", zone: .utc)
    try tracking.perform(.entry(.start(draft, at: nil, policy: .refuse)))
  }

  private func times(_ tracking: Tracking) -> [String] {
    tracking.entries.map { "\($0.localStart.clock)-\($0.localEnd?.clock ?? "now")" }.sorted()
  }

  private func isAsking(_ tracking: Tracking) -> Bool { tracking.text.contains("cut out") }

  @Test func `the question leaves all keys but its own to the screen`() throws {
    var tracking = try asking()
    #expect(isAsking(tracking))
    try tracking.press("text:n", "text:yes, keep it")
    #expect(tracking.form?.description.text == "yes, keep it" && isAsking(tracking))
    try tracking.press("alt-s")
    #expect(times(tracking) == ["09:00-10:00", "10:00-12:00", "12:00-now"])
    #expect(tracking.form?.description.text == "yes, keep it")
  }

  @Test func `all answers are seen in 40 columns, and are keys while the keys are shown`() throws {
    var tracking = try asking()
    tracking.size = Screen.Size(columns: 40, rows: 12)
    for answer in [
      "alt-k: keep", "alt-x: cut out", "alt-e: end there", "alt-s: split", "alt-t: other end",
    ] {
      #expect(tracking.text.contains(answer))
    }
    tracking.size = Screen.Size(columns: 80, rows: 24)
    try tracking.press("text:?")
    #expect(tracking.text.contains("Forgotten timer"))
    #expect(tracking.lines.contains { $0.hasPrefix("alt-s ") })
    try tracking.press("alt-x")
    #expect(times(tracking) == ["09:00-10:00", "12:00-now"])
    #expect(!tracking.text.contains("Forgotten timer"))
  }

  @Test func `another end is typed into the form of the entry`() throws {
    var tracking = try asking()
    try tracking.press("text:?", "alt-t")
    #expect(tracking.form?.entry == TimeEntryID(value: 0) && tracking.form?.field == .end)
    #expect(!tracking.text.contains("Forgotten timer") && isAsking(tracking))
    // In the form, the key goes to the end again.
    try tracking.press("up", "alt-t", "text:1045", "enter")
    #expect(times(tracking) == ["09:00-10:45"] && tracking.form == nil && !isAsking(tracking))
  }

  @Test func `a form keeps its own keys while the question is asked`() throws {
    var tracking = try asking()
    try tracking.press("text:n", "text:mine", "escape", "text:n", "ctrl-y")
    #expect(tracking.form?.description.text == "mine" && isAsking(tracking))
    try tracking.press("ctrl-s")
    #expect(tracking.form?.end.text.isEmpty == false && isAsking(tracking))
    #expect(times(tracking) == ["09:00-now"])
  }

  @Test(arguments: [
    (Screen.Size(columns: 40, rows: 12), 1), (Screen.Size(columns: 80, rows: 24), 0),
  ])
  func `a click on an answer is the answer`(size: Screen.Size, row: Int) throws {
    var tracking = try asking()
    tracking.size = size
    let line = try #require(tracking.lines.firstIndex { $0.contains("alt-e: end there") })
    let first = try #require(tracking.lines.firstIndex { $0.contains("alt-k: keep") })
    #expect(line - first == row)
    let column = try #require(tracking.lines[line].ranges(of: "end there").first).lowerBound
    try tracking.use(
      .pressed(.left), row: line, column: tracking.lines[line].prefix(upTo: column).count)
    #expect(times(tracking) == ["09:00-10:00"])
  }

  @Test func `a click on an answer in the first row is the answer`() throws {
    var tracking = try asking()
    let row = try #require(tracking.lines.firstIndex { $0.contains("cut out") })
    let column = try #require(tracking.lines[row].ranges(of: "cut out").first).lowerBound
    try tracking.use(
      .pressed(.left), row: row, column: tracking.lines[row].prefix(upTo: column).count)
    #expect(times(tracking) == ["09:00-10:00", "12:00-now"])
    #expect(!isAsking(tracking))
  }

  @Test func `an answer that would be refused is asked about like any other command`() throws {
    var tracking = try Tracking()
    try start(&tracking)
    tracking.wait(.seconds(15 * 3_600))
    let from = Tracking.morning.adding(.seconds(13 * 3_600))
    let sleep = Forgotten.slept(
      TimeEntryID(value: 0), from: from, to: from.adding(.seconds(3_600)))
    try tracking.send(.scene(tracking.scene, .forgot(sleep)))
    try tracking.press("alt-e")
    #expect(tracking.question != nil && times(tracking) == ["09:00-now"])
    try tracking.press("ctrl-o")
    #expect(tracking.question == nil && times(tracking) == ["09:00-22:00"])
  }

  @Test func `an entry that began with the sleep has nothing before it`() throws {
    var tracking = try Tracking()
    try start(&tracking)
    tracking.wait(.seconds(7_200))
    let sleep = Forgotten.slept(
      TimeEntryID(value: 0), from: Tracking.morning, to: Tracking.morning.adding(.seconds(3_600)))
    try tracking.send(.scene(tracking.scene, .forgot(sleep)))
    try tracking.press("alt-s")
    #expect(times(tracking) == ["09:00-10:00", "10:00-now"])
  }

  @Test func `a long entry is asked about when the preference says, and again after it`() throws {
    var tracking = try Tracking()
    var set = PreferenceSet(user: tracking.user)
    set.asksAfter = .seconds(7_200)
    try tracking.perform(.preferences(.create(set)))
    try start(&tracking)
    tracking.wait(.seconds(7_200))
    #expect(!tracking.text.contains("Still working?"))
    tracking.wait(.seconds(1_800))
    #expect(tracking.text.contains("Still working? \"work\" runs since 09:00 (2:30:00)."))
    #expect(tracking.text.contains("It may have ended at 11:00."))
    try tracking.press("alt-k")
    #expect(!tracking.text.contains("Still working?") && times(tracking) == ["09:00-now"])
    tracking.wait(.seconds(7_200))
    #expect(!tracking.text.contains("Still working?"))
    tracking.wait(.seconds(1))
    #expect(tracking.text.contains("It may have ended at 13:30."))
    try tracking.press("alt-e")
    #expect(times(tracking) == ["09:00-13:30"])
    #expect(!tracking.text.contains("Still working?"))
  }

  @Test func `a later notice or another input does not end the question`() throws {
    var tracking = try asking()
    try tracking.press("text:?", "escape", "up", "text:q")
    #expect(isAsking(tracking))
    // Another user's screen does not show it.
    try tracking.perform(.user(.create(User(name: Name("ben")))))
    try tracking.send(.scene(tracking.scene, .userOpened(Name("ben"))))
    #expect(!isAsking(tracking))
    try tracking.send(.scene(tracking.scene, .userOpened(Name("anna"))))
    #expect(isAsking(tracking))
  }
}
