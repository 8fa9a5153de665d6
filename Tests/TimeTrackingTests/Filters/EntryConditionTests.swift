import CivilTime
import RetraceFilter
import RetraceState
import Testing
import TimeTracking

extension ReportDesk {
  /// Returns the condition of a text, in UTC, with weeks from Monday.
  func condition(_ text: String) throws -> EntryCondition {
    let context = ExpressionContext(zone: .utc, now: now, firstWeekday: 1)
    return try EntryCondition(FilterExpression(text), in: state, context)
  }

  /// Returns the ids of the visible entries that match the condition of a text, in order.
  func ids(_ text: String) throws -> [TimeEntryID] {
    var filter = EntryFilter()
    filter.condition = try condition(text)
    return state.entries(filter, limit: 1_000).entries.map(\.id).sorted()
  }
}

/// The keys of conditions on entries.
@Suite struct EntryConditionTests {
  @Test func `projects, clients, tasks, tags, users and workspaces are found by their names`()
    throws
  {
    var desk = try ReportDesk()
    desk.now = time(100)
    let home = try desk.workspace("Home")
    let acme = try desk.client("Acme")
    let site = try desk.project("New Site", of: acme)
    let plan = try desk.task("Plan", of: site)
    let review = try desk.tag("code review")
    let full = try desk.entry(
      from: time(0), to: time(1), project: site, task: plan, tags: [review])
    let bare = try desk.entry(from: time(1), to: time(2), of: desk.bob)
    var draft = TimeEntryDraft(user: .id(desk.ann), description: "", zone: .utc)
    draft.workspace = home
    let placed = desk.state.timeEntries.nextID
    try desk.perform(.entry(.add(draft, start: time(2), end: time(3), policy: .allow)))

    for text in [
      #"project:"new  SITE ""#, #"@"New Site""#, "client:ACME", "CLIENT:acme", "task:plan",
      #"#"Code Review""#, #"tag:"code review""#, #"+"code review""#,
      #"@"new site/PLAN""#,
    ] {
      #expect(try desk.ids(text) == [full], "\(text)")
    }
    for text in ["project:none", #"project:"""#, "client:none", "task:none", "tag:none"] {
      #expect(try desk.ids(text) == [bare, placed], "\(text)")
    }
    #expect(try desk.ids("user:bob") == [bare])
    #expect(try desk.ids("workspace:home") == [placed])
    #expect(try desk.ids("workspace:none") == [full, bare])
    #expect(try desk.ids("") == [full, bare, placed])
    #expect(try desk.ids("user:ann (client:acme or workspace:home)") == [full, placed])
    #expect(try desk.ids("not user:ann or task:plan") == [full, bare])
  }

  @Test func `a project with the name none is quoted`() throws {
    var desk = try ReportDesk()
    desk.now = time(100)
    let none = try desk.project("None")
    let named = try desk.entry(from: time(0), to: time(1), project: none)
    let bare = try desk.entry(from: time(1), to: time(2))
    #expect(try desk.ids(#"project:"none""#) == [named])
    #expect(try desk.ids("@none") == [named])
    #expect(try desk.ids("project:none") == [bare])
  }

  @Test func `a word occurs in the description or a name, and a quoted text as it stands`() throws {
    var desk = try ReportDesk()
    desk.now = time(100)
    let site = try desk.project("Site", of: try desk.client("Acme"))
    let tag = try desk.tag("Été")
    let letter = try desk.entry("Write a Letter", from: time(0), to: time(1), project: site)
    let book = try desk.entry("letter to write", from: time(1), to: time(2), tags: [tag])
    #expect(try desk.ids("WRITE letter") == [letter, book])
    #expect(try desk.ids(#""write  a letter""#) == [letter])
    #expect(try desk.ids("acm") == [letter])
    #expect(try desk.ids("ÉT") == [book])
    #expect(try desk.ids("write not site") == [book])
    #expect(try desk.ids(#""""#) == [letter, book])
    #expect(try desk.ids("text:write") == [letter, book])
    #expect(try desk.ids(#"text:"to write""#) == [book])
    #expect(try desk.ids("text:acme").isEmpty)
  }

  @Test func `words and the key text also find annotations`() throws {
    let desk = try ReportDesk()
    var entry = try ReportDesk.sampleEntry()
    let id = TimeEntryID(value: 0)
    func matches(_ text: String) throws -> Bool {
      try desk.condition(text).matches(entry, id, in: desk.state)
    }
    #expect(try matches(#"text:"""#) && !matches("text:none"))
    entry.annotations = ["see", "Page Nine"]
    #expect(try matches("text:NINE") && matches(#"text:"page nine""#))
    #expect(try matches("nine") && !matches(#"text:"see page""#) && !matches(#"text:"""#))
  }

  @Test func `entries are billable, run, and have a number`() throws {
    var desk = try ReportDesk()
    desk.now = time(100)
    let paid = try desk.entry(from: time(0), to: time(1), isBillable: true)
    let free = try desk.entry(from: time(1), to: time(2), isBillable: false)
    let running = try desk.entry(from: time(50), to: nil)
    #expect(try desk.ids("billable:yes") == [paid])
    #expect(try desk.ids("billable:No") == [free, running])
    #expect(try desk.ids("running:yes") == [running])
    #expect(try desk.ids("running:no") == [paid, free])
    #expect(try desk.ids("id:\(free.value)") == [free])
    #expect(try desk.ids("id:\(free.value) or id:\(paid.value)") == [paid, free])
    #expect(try desk.ids("id:99").isEmpty)
  }

  @Test func `entries have a rate or none`() throws {
    var desk = try ReportDesk()
    desk.now = time(100)
    let bare = try desk.entry(from: time(0), to: time(1), isBillable: true)
    let free = try desk.entry(from: time(1), to: time(2), isBillable: false)
    let site = try desk.project("Site", rate: 8_550)
    let paid = try desk.entry(from: time(2), to: time(3), project: site)
    #expect(try desk.ids("rate:none") == [bare, free])
    #expect(try desk.ids("billable:yes rate:none") == [bare])
    #expect(try desk.ids("not rate:none") == [paid])
    for rate in ["85.5", "85,50", "85.50"] { #expect(try desk.ids("rate:\(rate)") == [paid]) }
    #expect(try desk.ids("rate:85").isEmpty)
  }

  @Test func `durations are compared, of running entries until a moment`() throws {
    var desk = try ReportDesk()
    desk.now = time(500)
    let short = try desk.entry(from: time(0), to: time(30))
    let hour = try desk.entry(from: time(60), to: time(120))
    let running = try desk.entry(from: time(410), to: nil)
    #expect(try desk.ids("duration<1h") == [short])
    #expect(try desk.ids("duration<=1h") == [short, hour])
    #expect(try desk.ids("duration>1h") == [running])
    #expect(try desk.ids("duration>=1:00") == [hour, running])
    #expect(try desk.ids(#"duration:"1h 30m""#) == [running])
    #expect(try desk.ids("duration:30m..1h") == [short, hour])
    #expect(try desk.ids("duration:31m..") == [hour, running])
    #expect(try desk.ids("duration:..59m") == [short])
    #expect(try desk.ids("duration<0m").isEmpty)
    let condition = try desk.condition("duration>2h")
    let entry = try #require(desk.state.timeEntries[running])
    #expect(condition.now == time(500))
    #expect(!condition.matches(entry, running, in: desk.state))
    #expect(condition.matches(entry, running, in: desk.state, at: time(531)))
    var filter = EntryFilter()
    filter.condition = condition
    desk.now = time(600)
    let report = desk.report(time(0)..<time(1_000)) { $0.filter = filter }
    #expect(report.total.exact.time == minutes(190))
  }

  @Test func `merged and deleted entities are found by their names`() throws {
    var desk = try ReportDesk()
    desk.now = time(100)
    let (acme, apex) = (try desk.client("Acme"), try desk.client("Apex"))
    let (old, new) = (try desk.project("Old", of: acme), try desk.project("New", of: acme))
    let gone = try desk.project("Gone", of: apex)
    let (red, blue) = (try desk.tag("red"), try desk.tag("blue"))
    let (draw, paint) = (try desk.task("draw", of: new), try desk.task("paint", of: new))
    let first = try desk.entry(from: time(0), to: time(1), project: old, tags: [red])
    let second = try desk.entry(
      from: time(1), to: time(2), project: new, task: draw, tags: [blue])
    let third = try desk.entry(from: time(2), to: time(3), project: gone)
    let early = try ["project:old", "tag:red", "task:draw"].map { try desk.condition($0) }
    try desk.perform(.project(.merge(old, into: new, reason: nil)))
    try desk.perform(.tag(.merge(red, into: blue, reason: nil)))
    try desk.perform(.task(.merge(paint, into: draw, reason: nil)))
    try desk.perform(.client(.merge(acme, into: apex, reason: nil)))
    try desk.perform(.project(.delete(gone, reason: nil)))
    for text in ["project:old", "project:new", "@old", "#red", "#blue"] {
      #expect(try desk.ids(text) == [first, second], "\(text)")
    }
    #expect(try desk.ids("task:paint") == [second])
    #expect(try desk.ids("client:acme") == [first, second, third])
    #expect(try desk.ids("project:gone") == [third])
    #expect(try desk.ids("not project:old") == [third])
    // A condition from before the merges follows them too.
    let ids = early.map { condition in
      var filter = EntryFilter()
      filter.condition = condition
      return desk.state.entries(filter).entries.map(\.id).sorted()
    }
    #expect(ids == [[first, second], [first, second], [second]])
  }

  @Test func `a name stands for the entities of all places`() throws {
    var desk = try ReportDesk()
    desk.now = time(100)
    let one = try desk.project("Web", of: try desk.client("Acme"))
    let other = try desk.project("Web", of: try desk.client("Apex"))
    let first = try desk.entry(from: time(0), to: time(1), project: one)
    let second = try desk.entry(from: time(1), to: time(2), project: other)
    #expect(try desk.ids("@web") == [first, second])
    #expect(try desk.ids("@web client:apex") == [second])
  }

  @Test func `a condition narrows a filter`() throws {
    var desk = try ReportDesk()
    desk.now = time(100)
    let project = try desk.project("Web")
    try desk.entry(from: time(0), to: time(10), project: project)
    try desk.entry(from: time(0), to: time(20), of: desk.bob, project: project)
    try desk.entry(from: time(20), to: time(50))
    let condition = try desk.condition("@web")
    let report = desk.report(time(0)..<time(100)) { query in
      query.filter.users = [desk.ann]
      query.filter.condition = condition
    }
    #expect(report.total.entries == 1 && report.total.exact.time == minutes(10))
  }
}
