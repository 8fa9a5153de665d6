import CivilTime
import RetraceFilter
import RetraceState
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
    for text in ["85.505", "EUR", "1.2.3", "."] {
      #expect(try error("rate:\(text)", desk) == .notARate(text))
    }
    #expect(try error("rate>50", desk) == .notComparable(.rate))
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

  @Test func `a time or a duration with a blank in it is quoted`() throws {
    let desk = try desk()
    for (text, quoted) in [
      ("a date>2026-01-01 13:00 b", #"date>"2026-01-01 13:00""#),
      ("date<=yesterday noon", #"date<="yesterday noon""#),
      ("date:last week", #"date:"last week""#),
      ("date>2 hours ago", #"date>"2 hours ago""#), ("month:march 2026", #"month:"march 2026""#),
      ("duration>1h 30min", #"duration>"1h 30min""#), ("duration:1 h", #"duration:"1 h""#),
      ("date:monday..friday 12:00", #"date:monday.."friday 12:00""#),
      ("monday..friday 12:00", #"monday.."friday 12:00""#),
      ("date:2026-01-01 to 2026-02-01", #"date:"2026-01-01 to 2026-02-01""#),
    ] {
      let error = try error(text, desk)
      guard case .valueWithBlanks(let term, _) = error else {
        Issue.record("\(text): \(error.map { "\($0)" } ?? "none")")
        continue
      }
      #expect(term.description == quoted)
      #expect(try self.error(quoted, desk) == nil)
    }
    #expect(
      try error("date>2026-01-01 13:00", desk)?.description
        == #"Quote a value with a blank in it: `date>"2026-01-01 13:00"`. "#
        + #"Write `text:"13:00"` for that text."#)
    for text in [
      "not date>2026-01-01 13:00", "not duration>1h 30m", "not not date>2026-01-01 13:00",
      "a not duration>1h 30m", "a or not duration>1h 30m",
    ] {
      #expect(try error(text, desk)?.description.hasPrefix("Quote a value") == true, "\(text)")
    }
    let range = try error("not date:2026-11-02 - 2026-11-03", desk)?.description
    #expect(range?.hasSuffix("`date:2026-11-02..2026-11-03`.") == true, "\(range ?? "none")")
    for text in [
      "date>2026-01-01 review", "not date>2026-01-01 review", "date:today 5", "a 13:00",
      #"date>2026-01-01 text:"13:00""#, "13:00 date>2026-01-01", "duration>1h review 30min",
      "date:..2026-01-01 a", "@app 13:00", "date>2026-01-01 @app 13:00", "a or 13:00",
    ] {
      #expect(try error(text, desk) == nil, "\(text)")
    }
  }

  @Test func `a number after a period gets the year`() throws {
    // It is 2 March 2026 there.
    var desk = try desk()
    desk.now = Moment(microseconds: 1_772_449_200_000_000)
    for (text, instead) in [
      ("month:2", "2026-02"), ("month>11", "2025-11"), ("month:2..x", "2026-02"),
      ("month:2026-2", "2026-02"), ("month:02/2026", "2026-02"), ("week:9", "2026-W09"),
      ("week:52", "2025-W52"), ("day:2", "2026-03-02"), ("day:26", "2026-02-26"),
    ] {
      let description = try error(text, desk)?.description ?? "no error"
      #expect(description.hasSuffix("could be misread. Write `\(instead)`."), "\(description)")
    }
    for text in ["month:13", "week:60", "day:40", "month:may-5", "day:3-foo"] {
      let description = try error(text, desk)?.description ?? "no error"
      #expect(description.contains("` is not a range"), "\(description)")
    }
    #expect(try error("date:13", desk)?.description.hasSuffix("Write `13:00`.") == true)
    #expect(try error("year:2026", desk)?.description.contains("Write `date:`") == true)
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
