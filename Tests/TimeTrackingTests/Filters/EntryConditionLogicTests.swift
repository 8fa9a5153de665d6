import CivilTime
import RetraceArchitecture
import RetraceFilter
import RetraceState
import RetraceTesting
import Testing
import TimeTracking

/// Conditions on random entries: `not`, `and` and `or` behave as on sets.
@Suite struct EntryConditionLogicTests {
  private static let terms = [
    "@P0", "project:p2", "project:p4", "project:none", "client:acme", "client:apex", "client:none",
    "task:t0", "task:t2", "task:none", "#t0", "#t3", "tag:none", "user:ann", "user:bob",
    "workspace:home", "workspace:none", "text:write", #"text:"""#, "read", "p1", "billable:yes",
    "rate:none", "running:yes", "duration>10h", "duration<=1h", "duration:1h..20h",
    "date<2026-03-02",
    "week:this", "month:2026-02", "2026-02-20..2026-03-05", "id:7",
  ]

  private static func desk(_ random: inout SeededGenerator) throws -> ReportDesk {
    var desk = try ReportDesk()
    desk.now = time(20_000)
    let workspaces = [try desk.workspace("Home"), try desk.workspace("North")]
    let clients = [try desk.client("Acme"), try desk.client("Apex")]
    let projects = try (0..<5).map { try desk.project("P\($0)", of: clients[$0 % 2]) }
    let tasks = try (0..<3).map { try desk.task("T\($0)", of: projects[0]) }
    let tags = try (0..<4).map { try desk.tag("t\($0)") }
    try desk.perform(.project(.merge(projects[2], into: projects[0], reason: nil)))
    try desk.perform(.client(.merge(clients[0], into: clients[1], reason: nil)))
    try desk.perform(.task(.merge(tasks[2], into: tasks[1], reason: nil)))
    try desk.perform(.tag(.merge(tags[3], into: tags[0], reason: nil)))
    try desk.perform(.project(.delete(projects[4], reason: nil)))
    try RandomEntries(
      users: [desk.ann, desk.bob], projects: [nil] + projects, tags: tags, tasks: [nil] + tasks,
      workspaces: [nil] + workspaces
    ).insert(120, between: time(-30_000)..<time(30_000), into: &desk.state, &random)
    return desk
  }

  private static func text(_ levels: Int, _ random: inout SeededGenerator) -> String {
    switch levels == 0 ? 0 : Int.random(in: 0..<4, using: &random) {
    case 0: terms.randomElement(using: &random) ?? ""
    case 1: "not (\(text(levels - 1, &random)))"
    case 2: "(\(text(levels - 1, &random))) (\(text(levels - 1, &random)))"
    default: "(\(text(levels - 1, &random))) or (\(text(levels - 1, &random)))"
    }
  }

  /// Returns the ids of all entries that match, visible or not.
  private static func matches(_ text: String, _ desk: ReportDesk) throws -> Set<TimeEntryID> {
    var matcher = EntryConditionMatcher(try desk.condition(text), in: desk.state)
    var found: Set<TimeEntryID> = []
    desk.state.timeEntries.forEach { id, entry in
      if matcher.matches(entry, id, at: desk.now) { found.insert(id) }
    }
    return found
  }

  @Test func `not is the complement, and the intersection, or the union`() throws {
    try withSeed { random in
      for _ in 0..<repetitions(30, few: 4) {
        let desk = try Self.desk(&random)
        let all = try Self.matches("", desk)
        #expect(all.count == 120)
        for _ in 0..<60 {
          let (one, other) = (Self.text(3, &random), Self.text(2, &random))
          let (ones, others) = (try Self.matches(one, desk), try Self.matches(other, desk))
          #expect(try Self.matches("not (\(one))", desk) == all.subtracting(ones), "\(one)")
          #expect(try Self.matches("not not (\(one))", desk) == ones, "\(one)")
          #expect(
            try Self.matches("(\(one)) (\(other))", desk) == ones.intersection(others),
            "\(one) / \(other)")
          #expect(
            try Self.matches("(\(one)) || (\(other))", desk) == ones.union(others),
            "\(one) / \(other)")
          let printed = try FilterExpression(one).description
          #expect(try Self.matches(printed, desk) == ones, "\(one)")
        }
      }
    }
  }

  @Test func `each term finds some entries and not all`() throws {
    try withSeed { random in
      let desk = try Self.desk(&random)
      for term in Self.terms {
        let count = try Self.matches(term, desk).count
        #expect((1..<120).contains(count), "\(term): \(count)")
      }
    }
  }

  @Test func `a condition finds what the filter of the same ids finds`() throws {
    try withSeed { random in
      let desk = try Self.desk(&random)
      func expect(_ text: String, _ set: (inout EntryFilter) -> Void) throws {
        var filter = EntryFilter()
        set(&filter)
        let ids = desk.state.entries(filter, limit: 1_000).entries.map(\.id).sorted()
        #expect(try desk.ids(text) == ids, "\(text)")
        let range = time(-10_000)..<time(10_000)
        let condition = try desk.condition(text)
        let report = desk.report(range) { $0.filter = filter }
        let other = desk.report(range) { $0.filter.condition = condition }
        #expect(report.total == other.total && report.overlap == other.overlap, "\(text)")
      }
      try expect("user:bob") { $0.users = [desk.bob] }
      try expect("@p2") { $0.projects = [ProjectID(value: 2)] }
      try expect("project:none or @p1") { $0.projects = [nil, ProjectID(value: 1)] }
      try expect("client:acme") { $0.clients = [ClientID(value: 0)] }
      try expect("task:t2") { $0.tasks = [TaskID(value: 2)] }
      try expect("workspace:none") { $0.workspaces = [nil] }
      try expect("#t0 #t1") { $0.tags = .all([TagID(value: 0), TagID(value: 1)]) }
      try expect("#t3 or #t2") { $0.tags = .any([TagID(value: 3), TagID(value: 2)]) }
      try expect("tag:none") { $0.tags = EntryFilter.Tags.none }
      try expect("billable:yes") { $0.isBillable = true }
      try expect("write p0") { $0.words = WordQuery("write p0") }
    }
  }
}
