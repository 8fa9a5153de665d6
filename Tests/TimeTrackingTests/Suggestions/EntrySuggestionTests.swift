import RetraceArchitecture
import RetraceState
import Testing
import TimeTracking

/// What a user may want to start.
@Suite struct EntrySuggestionTests {
  private let now = time(100 * minutesOfDay)

  private func event(_ id: String, _ offset: Int64, _ title: String = "Meet") -> CalendarEvent {
    CalendarEvent(
      id: id, title: title, start: now.adding(minutes(offset)),
      end: now.adding(minutes(offset + 30)))
  }

  @Test func `the nearest event within an hour is offered, ties by start and id [M12]`() throws {
    let desk = try ReportDesk()
    func offered(_ events: [CalendarEvent]) -> [String] {
      desk.state.suggestions(for: desk.ann, events: events, at: now).map {
        if case .event(let event) = $0 { event.id } else { "" }
      }
    }
    #expect(offered([event("a", 61), event("b", -61)]).isEmpty)
    #expect(offered([event("a", 60)]) == ["a"] && offered([event("a", -60)]) == ["a"])
    #expect(offered([event("a", 20), event("b", -10), event("c", 11)]) == ["b"])
    #expect(offered([event("a", 10), event("b", -10)]) == ["b"])
    #expect(offered([event("b", 10), event("a", 10)]) == ["a"])
    #expect(offered([event("a", 1, "  "), event("b", 5)]) == ["b"])
  }

  @Test func `the entry used most in 42 days is offered, ties by the last use [M12]`() throws {
    var desk = try ReportDesk()
    desk.now = now
    let project = try desk.project("Rocket")
    let archived = try desk.project("Done")
    func add(_ text: String, _ day: Int64, _ minute: Int64, _ project: ProjectID? = nil)
      throws -> TimeEntryID
    {
      let start = time((100 - day) * minutesOfDay - minute - 1)
      return try desk.entry(text, from: start, to: start.adding(minutes(1)), project: project)
    }
    _ = try add("often", 20, 0)
    let often = try add("often", 3, 0)
    let alone = try add("often", 5, 5, project)
    _ = try add("often", 6, 5)
    let early = try add("tie", 9, 0)
    let late = try add("other tie", 8, 0)
    let silent = try add("", 7, 7, project)
    _ = try add("", 1, 9)
    for minute in Int64(0)..<9 { _ = try add("too old", 43, minute) }
    for minute in Int64(20)..<29 { _ = try add("archived", 2, minute, archived) }
    for minute in Int64(40)..<49 {
      let id = try add("deleted", 2, minute)
      try desk.perform(.entry(.delete(id, reason: nil)))
    }
    var archive = ProjectChanges()
    archive.isArchived = Change(from: false, to: true)
    try desk.perform(.project(.change(archived, archive, reason: nil)))
    let all = desk.state.suggestions(for: desk.ann, events: [], at: now, limit: 9)
    #expect(
      all == [
        .mostUsed(often, count: 3), .mostUsed(alone, count: 1), .mostUsed(silent, count: 1),
        .mostUsed(late, count: 1), .mostUsed(early, count: 1),
      ])
    let meeting = event("a", 5)
    #expect(
      desk.state.suggestions(for: desk.ann, events: [meeting], at: now)
        == [.event(meeting)] + all.prefix(2))
    #expect(desk.state.suggestions(for: desk.bob, events: [], at: now).isEmpty)
    // A suggested entry is continued with all of its fields.
    try desk.perform(.entry(.resume(alone, at: nil, zone: .utc, policy: .allow)))
    #expect(desk.state.runningEntry(of: desk.ann)?.entry.project == project)
    // While it runs it is not suggested, and the next one takes its place.
    let others = desk.state.suggestions(for: desk.ann, events: [], at: now, limit: 2)
    #expect(others == [.mostUsed(often, count: 3), .mostUsed(silent, count: 1)])
  }
}
