import CivilTime
import RetraceArchitecture
import RetraceState
import RetraceTesting
import Testing
import TimeTracking

/// Grouping is a partition, whatever is grouped and rounded, but for that by each tag.
@Suite struct ReportPartitionTests {
  @Test func `groups add up to the total at every level [M14]`() throws {
    try withSeed { random in
      for round in 0..<repetitions(200, few: 40) {
        var desk = try ReportDesk()
        desk.now = time(20_000)
        let workspaces = [
          try desk.workspace("Home"), try desk.workspace("North", currency: "SEK"),
        ]
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
          users: [desk.ann, desk.bob], projects: [nil] + projects, tags: tags,
          tasks: [nil] + tasks, workspaces: [nil] + workspaces
        ).insert(150, between: time(-30_000)..<time(30_000), into: &desk.state, &random)
        let range =
          time(
            Int64.random(in: -20_000...0, using: &random))..<time(
            Int64.random(in: 1...20_000, using: &random))
        let total = expectPartition(of: desk.state, in: range, at: desk.now, &random)
        #expect(total.exact.time > .zero, "\(round)")
      }
    }
  }

  @Test func `the parts of a range add up to the range if entries are rounded`() throws {
    try withSeed { random in
      for _ in 0..<repetitions(200, few: 40) {
        var desk = try ReportDesk()
        desk.now = time(20_000)
        let projects = [try desk.project("P"), try desk.project("Q")]
        try RandomEntries(users: [desk.ann, desk.bob], projects: projects, tags: [])
          .insert(100, between: time(-10_000)..<time(20_000), into: &desk.state, &random)
        let level = ReportRounding.Level.entry
        let mode = ReportRounding.Mode.allCases.randomElement(using: &random) ?? .up
        let increment = ([1, 15, 60, 1_000] as [Int64]).randomElement(using: &random) ?? 1
        let groupings: [[ReportGrouping]] = [[], [.project], [.day], [.month, .project]]
        let grouping = groupings.randomElement(using: &random) ?? []
        func report(_ range: Range<Moment>) -> ReportFigures {
          desk.report(range) { query in
            query.grouping = grouping
            query.rounding = ReportRounding(level, to: minutes(increment), mode)
          }.total
        }
        let cuts = (0..<4).map { _ in Int64.random(in: -10_000..<20_000, using: &random) }.sorted()
        let parts = zip(cuts, cuts.dropFirst()).map { report(time($0)..<time($1)) }
        let whole = report(time(cuts[0])..<time(cuts[3]))
        expectSum(parts.map(\.exact), whole.exact)
        expectSum(parts.compactMap(\.rounded), try #require(whole.rounded))
      }
    }
  }

  @Test func `a group of each tag is the report of the tag, and counts once outside`() throws {
    try withSeed { random in
      for _ in 0..<repetitions(200, few: 40) {
        var desk = try ReportDesk()
        desk.now = time(20_000)
        let projects = [try desk.project("P"), try desk.project("Q")]
        let tags = try (0..<4).map { try desk.tag("t\($0)") }
        try desk.perform(.tag(.merge(tags[3], into: tags[0], reason: nil)))
        try RandomEntries(users: [desk.ann, desk.bob], projects: [nil] + projects, tags: tags)
          .insert(80, between: time(-10_000)..<time(20_000), into: &desk.state, &random)
        let level = ReportRounding.Level.allCases.randomElement(using: &random) ?? .entry
        let groupings: [[ReportGrouping]] = [[], [.day], [.project, .day]]
        let inner = groupings.randomElement(using: &random) ?? []
        func report(
          by grouping: [ReportGrouping], of user: UserID? = nil, _ tags: EntryFilter.Tags? = nil
        ) -> Report {
          desk.report(time(-5_000)..<time(15_000)) { query in
            query.grouping = grouping
            query.filter.tags = tags
            query.filter.users = user.map { [$0] }
            query.rounding = ReportRounding(level, to: minutes(15), .up)
          }
        }
        let found = report(by: [.user, .eachTag] + inner)
        let outer = report(by: [.user])
        #expect(found.total == outer.total && found.overlap == outer.overlap)
        #expect(found.groups.map(\.figures) == outer.groups.map(\.figures))
        for user in found.groups {
          guard case .user(let id) = user.key else { continue }
          #expect(user.groups.count >= 3)
          for group in user.groups {
            guard case .eachTag(let tag) = group.key else { continue }
            let alone = report(by: inner, of: id, tag.map { .any([$0]) } ?? .some(.none))
            #expect(group.figures == alone.total && group.groups == alone.groups)
          }
        }
      }
    }
  }
}
