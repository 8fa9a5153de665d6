import CivilTime
import RetraceFilter
import Testing
import TimeTracking

/// Filters that are no conditions on entries.
@Suite struct EntryConditionErrorTests {
  private func desk() throws -> ReportDesk {
    var desk = try ReportDesk()
    for name in ["Acme", "Apex", "Gone"] { try desk.client(name) }
    let gone = ClientID(value: 2)
    try desk.perform(.client(.delete(gone, reason: nil)))
    try desk.project("Web", of: ClientID(value: 0))
    try desk.project("Web", of: ClientID(value: 1))
    try desk.project("App")
    return desk
  }

  private func error(_ text: String, _ desk: ReportDesk) throws -> EntryConditionError? {
    let expression = try FilterExpression(text)
    let context = ExpressionContext(zone: .utc, now: desk.now, firstWeekday: 1)
    do throws(EntryConditionError) {
      _ = try EntryCondition(expression, in: desk.state, context)
      return nil
    } catch {
      return error
    }
  }

  @Test func `keys and names have to exist, and errors list the known ones`() throws {
    let desk = try desk()
    #expect(try error("a or (projct:web b)", desk) == .unknownKey("projct"))
    #expect(try error("project:wbe", desk) == .unknownName(.project, "wbe", known: ["Web", "App"]))
    #expect(try error("not @wbe", desk) == .unknownName(.project, "wbe", known: ["Web", "App"]))
    #expect(try error("@web/x", desk) == .unknownName(.task, "web/x", known: []))
    #expect(try error("@w/x", desk) == .unknownName(.project, "w/x", known: ["Web", "App"]))
    #expect(try error("client:x", desk) == .unknownName(.client, "x", known: ["Acme", "Apex"]))
    #expect(try error("#x", desk) == .unknownName(.tag, "x", known: []))
    #expect(try error("task:x", desk) == .unknownName(.task, "x", known: []))
    #expect(try error("workspace:x", desk) == .unknownName(.workspace, "x", known: []))
    #expect(try error("user:x", desk) == .unknownName(.user, "x", known: ["Ann", "Bob"]))
    #expect(try error("user:none", desk) == .unknownName(.user, "none", known: ["Ann", "Bob"]))
    let unknown = try #require(try error("projct:web", desk))
    #expect(unknown.misspelled == "projct" && unknown.known.contains("project"))
    let name = try #require(try error("project:wbe", desk))
    #expect(name.misspelled == "wbe" && name.known == ["Web", "App"])
    #expect(name.description == "There is no project `wbe`.")
  }

  @Test func `values have to be of the kind of their key`() throws {
    let desk = try desk()
    #expect(try error("project>web", desk) == .notComparable(.project))
    #expect(try error("id>=1", desk) == .notComparable(.id))
    #expect(try error("project:a..b", desk) == .rangeNotAllowed(.project))
    #expect(try error("duration>1h..2h", desk) == .rangeNotAllowed(.duration))
    #expect(
      try error("date:2026-11-02 - 2026-11-03", desk)
        == .rangeWithBlanks(.date, start: "2026-11-02", end: "2026-11-03"))
    #expect(
      try error("day:monday -", desk) == .rangeWithBlanks(.day, start: "monday", end: "..."))
    #expect(try error("date=today", desk) == .equalsSign(.date, "today"))
    #expect(try error("Client=a=b", desk) == .equalsSign(.client, "a=b"))
    for text in ["a=b", "date=", "=today", "text:date=today", "\"date=today or so\""] {
      #expect(try error(text, desk) == nil, "\(text)")
    }
    #expect(try error("billable:maybe", desk) == .neitherYesNorNo(.billable, "maybe"))
    #expect(try error("running:none", desk) == .neitherYesNorNo(.running, "none"))
    for text in ["id:x", "id:-1", "id:none", "id:99999999999999999999"] {
      guard case .notAnID? = try error(text, desk) else {
        Issue.record("\(text)")
        continue
      }
    }
    for text in [
      "duration>x", "duration:2", "duration:none", "duration:1h..x", "date:x", "day:2026-02-30",
      "week:none", "month>x", "date:2026-03-02..2026-03-01", "x..y", #"date:"9:00""#, "date:x..",
    ] {
      guard case .unreadable? = try error(text, desk) else {
        Issue.record("\(text)")
        continue
      }
    }
    #expect(try error("duration:-1h", desk) == .unreadable(.duration, .negative))
  }

  @Test func `errors are sentences`() throws {
    let desk = try desk()
    for text in [
      "a:b", "project:x", "project>web", "project:a..b", "billable:x", "id:x", "date:x",
    ] {
      let error = try #require(try error(text, desk))
      #expect(error.description.hasSuffix("."), "\(error)")
    }
  }
}
