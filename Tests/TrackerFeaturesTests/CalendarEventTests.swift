import RetraceArchitecture
import RetraceScreen
import RetraceState
import RetraceTesting
import Testing
import TimeTracking

@testable import TrackerFeatures

/// The events of other calendars on the screen of the calendar.
@Suite struct CalendarEventTests {
  typealias Calendar = CalendarScreenTests

  static func event(_ id: Int64, _ title: String, _ start: Moment, _ end: Moment) -> SceneEvent {
    SceneEvent(id: id, title: title, start: start, end: end, isWholeDay: false)
  }

  /// Sends the difference to events, as a driver does.
  private static func read(_ events: [SceneEvent], _ tracking: inout Tracking) throws -> Bool {
    let scene = try #require(tracking.store.state.scenes[tracking.scene])
    let days = try #require(
      scene.eventDays(in: tracking.domain, at: tracking.now, by: tracking.rules))
    guard let changes = scene.events.changes(to: events, of: days.numbers) else { return false }
    try tracking.send(.scene(tracking.scene, .eventsRead(changes)))
    return true
  }

  @Test func `events are left of entries, and only the difference is recorded [M13]`() throws {
    var tracking = try Calendar.calendar()
    tracking.size = Screen.Size(columns: 80, rows: 110)
    let standup = Self.event(7, "standup", Calendar.time(9), Calendar.time(10))
    let retro = Self.event(8, "retro \u{1B}[2J", Calendar.time(15), Calendar.time(16))
    #expect(try Self.read([retro, standup], &tracking))
    #expect(try !Self.read([standup, retro], &tracking))
    let row = try #require(tracking.lines.first { $0.contains("standup") })
    let places = try ["standup", "mail"].map { try #require(row.firstRange(of: $0)).lowerBound }
    #expect(places[0] < places[1])
    #expect(!tracking.text.contains("\u{1B}"))
    #expect(tracking.replayedLines == tracking.lines)
    // One is changed, and one removed.
    let later = Self.event(8, "retro", Calendar.time(15, 30), Calendar.time(16))
    let scene = try #require(tracking.store.state.scenes[tracking.scene])
    let changes = try #require(
      scene.events.changes(to: [later], of: scene.events.first...scene.events.last))
    #expect(changes.removed == [7] && changes.set == [later])
    #expect(try Self.read([later], &tracking))
    #expect(!tracking.text.contains("standup") && tracking.text.contains("15:30-16:00"))
    // The sum of the day has no events.
    #expect(tracking.lines[0].hasSuffix("3:30:00"))
  }

  @Test func `an event is copied as an entry, or one is started from it [M13]`() throws {
    var tracking = try Calendar.calendar()
    let event = Self.event(7, "review", Calendar.time(15), Calendar.time(16))
    let later = Self.event(9, "dinner", Calendar.time(20), Calendar.time(22))
    #expect(try Self.read([event, later], &tracking))
    try tracking.press("backtab")
    #expect(try Calendar.route(of: tracking).place.item == .event(7))
    for key in ["alt-up", "text:+"] {
      try tracking.press(key)
      #expect(tracking.notice == .obstacle(.eventCannotMove))
    }
    try tracking.press("text:d")
    #expect(tracking.notice == .obstacle(.notOfItem))
    try tracking.press("enter")
    #expect(tracking.text.contains("Copy as entry") && tracking.text.contains("Start from event"))
    try tracking.press("enter")
    #expect(tracking.entry(3)?.description == "review")
    #expect(tracking.entry(3)?.start == Calendar.time(15))
    #expect(tracking.entry(3)?.end == Calendar.time(16))
    try tracking.press("text:z")
    // An event that has begun is started at its start, a later one now.
    try tracking.perform(.entry(.delete(TimeEntryID(value: 3), reason: nil)))
    try tracking.press("text:c")
    #expect(tracking.domain.runningEntry(of: tracking.user)?.entry.start == Calendar.time(15))
    try tracking.press("tab")
    while try Calendar.route(of: tracking).place.item != .event(9) { try tracking.press("tab") }
    tracking.wait(.seconds(60))
    try tracking.press("text:c")
    let running = tracking.domain.runningEntry(of: tracking.user)?.entry
    #expect(running?.description == "dinner" && running?.start == Calendar.time(18, 1))
  }

  @Test func `events of whole days are named above the grid, and days are known together`() throws {
    var tracking = try Calendar.calendar()
    let day = Calendar.midnight..<Calendar.midnight.adding(.seconds(86_400))
    let holiday = SceneEvent(
      id: 1, title: "holiday", start: day.lowerBound, end: day.upperBound, isWholeDay: true)
    #expect(try Self.read([holiday], &tracking))
    #expect(tracking.lines[1] == "Today, Mon 2026-11-23  All day: holiday")
    func days() throws -> ClosedRange<Int32> {
      let scene = try #require(tracking.store.state.scenes[tracking.scene])
      return try #require(
        scene.eventDays(in: tracking.domain, at: tracking.now, by: tracking.rules)
      ).numbers
    }
    let today = try days().lowerBound
    #expect(try days() == today...today)
    try tracking.press("text:]")
    #expect(try days() == today...today + 7)
    for _ in 0..<8 { try tracking.press("text:]") }
    // Of too many days, only the shown one is known.
    #expect(try days() == today + 63...today + 63)
    try tracking.press("escape")
    let timer = try #require(tracking.store.state.scenes[tracking.scene])
    #expect(timer.eventDays(in: tracking.domain, at: tracking.now, by: tracking.rules) == nil)
  }

  @Test func `random events give the same state from any state before [M13]`() throws {
    withSeed { random in
      for _ in 0..<repetitions(200, few: 50) {
        func events() -> [SceneEvent] {
          (0..<Int.random(in: 0...8, using: &random)).map { _ in
            let start = Calendar.time(Int64.random(in: 0...20, using: &random))
            return Self.event(
              Int64.random(in: 0...6, using: &random), ["a", "b"].randomElement(using: &random)!,
              start, start.adding(.seconds(1_800)))
          }
        }
        func scene(after steps: [[SceneEvent]]) -> Scene {
          var scene = Scene()
          for step in steps {
            guard let changes = scene.events.changes(to: step, of: 0...1) else { continue }
            _ = SceneReducer().reduce(&scene, .eventsRead(changes), at: Calendar.midnight)
          }
          return scene
        }
        let (first, second) = (events(), events())
        let direct = scene(after: [second])
        let stepwise = scene(after: [first, second])
        #expect(stepwise.events.events == direct.events.events)
        #expect(stepwise.events.changes(to: second, of: 0...1) == nil)
      }
    }
  }
}
