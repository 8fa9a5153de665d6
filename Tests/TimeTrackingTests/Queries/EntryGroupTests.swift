import CivilTime
import RetraceArchitecture
import RetraceState
import RetraceTesting
import Testing
import TimeTracking

/// The groups of similar entries of a day.
@Suite struct EntryGroupTests {
  private static let calendar = ReportCalendar(.utc)

  /// The groups of the first user on the day of the first minute.
  private static func groups(in desk: ReportDesk) -> [EntryGroup] {
    var days = EntryDays(of: desk.ann, in: calendar, desk.state)
    var aliases = AliasResolver(desk.state)
    return days.day(calendar.day(at: time(0))).groups(&aliases)
  }

  @Test func `groups are a partition of the day, by what entries have in common [M8]`() throws {
    try withSeed { random in
      for _ in 0..<repetitions(500, few: 40) {
        var desk = try ReportDesk()
        let (workspaces, projects) = (
          [nil, try desk.workspace("Home")], try (0..<3).map { try desk.project("P\($0)") }
        )
        let tags = try (0..<3).map { try desk.tag("t\($0)") }
        let tasks = try (0..<2).map { try desk.task("T\($0)", of: projects[0]) }
        try desk.perform(.project(.merge(projects[2], into: projects[1], reason: nil)))
        try desk.perform(.tag(.merge(tags[2], into: tags[1], reason: nil)))
        try desk.perform(.task(.merge(tasks[1], into: tasks[0], reason: nil)))
        try RandomEntries(
          users: [desk.ann], projects: [nil] + projects, tags: tags, tasks: [nil] + tasks,
          workspaces: workspaces
        ).insert(60, between: time(0)..<time(minutesOfDay), into: &desk.state, &random)
        let groups = Self.groups(in: desk)
        var days = EntryDays(of: desk.ann, in: Self.calendar, desk.state)
        let day = days.day(Self.calendar.day(at: time(0)))
        // A group for each set of common fields, in order of its latest entry.
        var wanted: [(fields: String, entries: [IdentifiedEntry])] = []
        for entry in day.entries {
          let fields = Self.fields(of: entry.entry, in: desk.state)
          if let index = wanted.firstIndex(where: { $0.fields == fields }) {
            wanted[index].entries.append(entry)
          } else {
            wanted.append((fields, [entry]))
          }
        }
        #expect(groups.map(\.entries) == wanted.map(\.entries))
        #expect(Set(groups.map(\.key)).count == groups.count)
        let time = day.entries.reduce(ElapsedTime.zero) {
          $0.adding($1.entry.elapsed(at: desk.now))
        }
        #expect(groups.reduce(.zero) { $0.adding($1.time) } == time)
      }
    }
  }

  /// What entries of a group have in common, as a text.
  private static func fields(of entry: TimeEntry, in state: DomainState) -> String {
    let labels = state.labels(of: entry)
    return "\(entry.description.utf8.map { $0 }) \(labels.project ?? "-") \(labels.task ?? "-") "
      + "\(labels.tags) \(entry.workspace?.value ?? -1) \(entry.isBillable)"
  }

  @Test func `a merge joins groups, and a letter of another form divides them [M8]`() throws {
    var desk = try ReportDesk()
    desk.now = time(9_000)
    let (web, site) = (try desk.project("web"), try desk.project("site"))
    for (number, project) in [web, site, web].enumerated() {
      try desk.entry(from: time(Int64(number)), to: time(Int64(number) + 1), project: project)
    }
    #expect(Self.groups(in: desk).map(\.entries.count) == [2, 1])
    try desk.perform(.project(.merge(web, into: site, reason: nil)))
    let merged = Self.groups(in: desk)
    #expect(merged.map(\.entries.count) == [3] && merged[0].time == minutes(3))
    try desk.entry("caf\u{e9}", from: time(10), to: time(11))
    try desk.entry("cafe\u{301}", from: time(12), to: time(13))
    #expect(Self.groups(in: desk).map(\.entries.count) == [1, 1, 3])
  }

  /// The numbers are what every process computes, also in a page.
  @Test func `the key of a group is equal in every process [M7]`() throws {
    var desk = try ReportDesk()
    desk.now = time(9_000)
    let home = try desk.workspace("Home")
    let project = try desk.project("web", rate: 8_500)
    let task = try desk.task("design", of: project)
    let there = try desk.project("garden", in: home)
    let tags = [try desk.tag("deep"), try desk.tag("focus")]
    let near = try desk.tag("near", in: home)
    typealias Contents = (String, ProjectID?, TaskID?, [TagID], Bool?)
    let contents: [Contents] = [
      ("", nil, nil, [], nil), ("write", nil, nil, [], nil), ("write ", nil, nil, [], nil),
      ("caf\u{e9}", nil, nil, [], nil), (String(repeating: "long ", count: 20), nil, nil, [], nil),
      ("write", project, nil, [], nil), ("write", project, nil, [], false),
      ("write", project, task, [], nil), ("write", there, nil, [near], nil),
      ("write", nil, nil, tags, true),
    ]
    for (number, (description, project, task, tags, isBillable)) in contents.enumerated() {
      let start = time(Int64(number))
      try desk.entry(
        description, from: start, to: start.adding(minutes(1)), project: project, task: task,
        tags: tags, isBillable: isBillable)
    }
    let groups = Self.groups(in: desk).reversed()
    #expect(groups.map(\.entries.count) == contents.map { _ in 1 })
    #expect(groups.allSatisfy { $0.key.day == 20_514 })
    #expect(
      groups.map { UInt64(bitPattern: $0.key.digest) } == [
        0xc0dc_f275_16ac_b324, 0xe322_cc4c_3065_5b01, 0xad2e_6f54_a4de_a07c,
        0x9240_d182_80ad_5abd, 0xfb4b_ea6a_0268_a154, 0xfdcd_8ea8_46b2_f163,
        0x72f4_d2c4_b3b9_1e0c, 0x4fae_b057_c7eb_234c, 0x8efc_d7c8_e63b_ef25,
        0x666f_50f8_bc9a_9c47,
      ])
  }
}
