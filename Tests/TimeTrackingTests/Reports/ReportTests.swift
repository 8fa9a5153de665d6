import CivilTime
import RetraceArchitecture
import RetraceAvro
import RetraceState
import RetraceTesting
import Testing
import ToolTestSupport
import TimeTracking

/// What reports count, and how they divide it.
@Suite struct ReportTests {
  private let today = time(0)..<time(minutesOfDay)

  @Test func `an entry counts with its part in the range, a running one until now [M14]`() throws {
    var desk = try ReportDesk()
    desk.now = time(600)
    try desk.entry("before", from: time(-120), to: time(-60))
    try desk.entry("across the start", from: time(-30), to: time(20))
    try desk.entry("ends at the start", from: time(-50), to: time(0))
    try desk.entry("inside", from: time(60), to: time(70))
    try desk.entry("across the end", from: time(minutesOfDay - 5), to: time(minutesOfDay + 50))
    try desk.entry("begins at the end", from: time(minutesOfDay), to: time(minutesOfDay + 1))
    try desk.entry("runs", from: time(560), to: nil, of: desk.bob)
    let report = desk.report(today)
    #expect(report.total.exact.time == minutes(20 + 10 + 5 + 40))
    #expect(report.total.entries == 4)
    #expect(report.total.rounded == nil && report.groups.isEmpty)
    // A range that the running entry has not reached.
    #expect(desk.report(time(700)..<time(800)).total.entries == 0)
    #expect(desk.report(time(600)..<time(800)).total.entries == 0)
    desk.now = time(500)
    #expect(desk.report(today).total.exact.time == minutes(35))
    #expect(desk.report(time(-20_000)..<time(-10_000)).total.entries == 0)
  }

  @Test func `a running entry counts once in a range without bounds [M14]`() throws {
    var desk = try ReportDesk()
    desk.now = time(30)
    try desk.entry(from: time(0), to: nil)
    try desk.entry(from: time(-60), to: time(0))
    let all = Moment(microseconds: .min)..<Moment(microseconds: .max)
    let report = desk.report(all) { $0.grouping = [.month, .day] }
    #expect(report.total.exact.time == minutes(90) && report.total.entries == 2)
    #expect(report.groups.count == 1 && report.groups[0].groups.count == 2)
  }

  @Test func `deleted entries and those of an invisible import never count [M14]`() throws {
    var desk = try ReportDesk()
    desk.now = time(600)
    let deleted = try desk.entry(from: time(0), to: time(10))
    try desk.perform(.entry(.delete(deleted, reason: nil)))
    let digest = try #require(Digest(hex: String(repeating: "07", count: 32)))
    let run = desk.state.importRuns.nextID
    let begin = ImportCommand.begin(source: Name("other"), file: "a.csv", digest: digest)
    try desk.perform(.importRun(begin))
    let row = ImportedRow(
      user: Name("Ann"), description: "imported", start: time(30), end: time(37), zone: .utc)
    try desk.perform(.importRun(.rows(run, ImportedRows(from: 0, [row]))))
    #expect(desk.report(today).total.entries == 0)
    #expect(desk.state.latestEntries(of: nil, limit: 5).isEmpty)
    #expect(desk.state.entries(EntryFilter()).entries.isEmpty)
    try desk.perform(.importRun(.finish(run)))
    #expect(desk.report(today).total.exact.time == minutes(7))
  }

  @Test func `filters combine, and follow merges [M14]`() throws {
    var desk = try ReportDesk()
    desk.now = time(6_000)
    let workspace = try desk.workspace("Home")
    let client = try desk.client("Acme")
    let (old, new) = (try desk.project("Old", of: client), try desk.project("New", of: client))
    let other = try desk.project("Other")
    let task = try desk.task("Draft", of: new)
    let (deep, fast) = (try desk.tag("deep"), try desk.tag("fast"))
    try desk.entry("write the letter", from: time(0), to: time(1), project: old, tags: [deep])
    try desk.entry(
      "write", from: time(10), to: time(12), project: new, task: task, tags: [deep, fast])
    try desk.entry("read", from: time(20), to: time(24), project: other, isBillable: true)
    try desk.entry("READ", from: time(30), to: time(38), of: desk.bob)
    let home = try desk.project("House", in: workspace)
    try desk.entry(from: time(40), to: time(56), of: desk.bob, project: home)
    try desk.perform(.project(.merge(old, into: new, reason: nil)))
    func count(_ set: (inout EntryFilter) -> Void) -> Int64 {
      desk.report(today) { set(&$0.filter) }.total.exact.time.seconds / 60
    }
    #expect(count { _ in } == 31)
    #expect(count { $0.users = [desk.bob] } == 24)
    #expect(count { $0.workspaces = [workspace] } == 16)
    #expect(count { $0.workspaces = [nil] } == 15)
    #expect(count { $0.projects = [new] } == 3 && count { $0.projects = [old] } == 3)
    #expect(count { $0.projects = [nil, other] } == 12)
    #expect(count { $0.clients = [client] } == 3 && count { $0.clients = [nil] } == 28)
    #expect(count { $0.tasks = [task] } == 2)
    #expect(count { $0.tags = .any([deep, fast]) } == 3)
    #expect(count { $0.tags = .all([deep, fast]) } == 2)
    #expect(count { $0.tags = EntryFilter.Tags.none } == 28)
    #expect(count { $0.isBillable = true } == 4 && count { $0.isBillable = false } == 27)
    #expect(count { $0.words = WordQuery("read") } == 12)
    #expect(count { $0.words = WordQuery(" ACME  letter") } == 1)
    #expect(count { $0.words = WordQuery("acme deep draft") } == 2)
    #expect(
      count {
        $0.users = [desk.ann]
        $0.words = WordQuery("read")
        $0.isBillable = false
      } == 0)
  }

  @Test func `an entry with several tags is in the group of its set of tags [M14]`() throws {
    var desk = try ReportDesk()
    desk.now = time(6_000)
    let (red, blue, navy) = (try desk.tag("red"), try desk.tag("blue"), try desk.tag("navy"))
    try desk.entry(from: time(0), to: time(10), tags: [red, blue])
    try desk.entry(from: time(10), to: time(14), tags: [red])
    try desk.entry(from: time(20), to: time(23), tags: [navy, red])
    try desk.entry(from: time(30), to: time(31))
    let before = desk.report(today) { $0.grouping = [.tags] }
    #expect(before.keys == [.tags([red, blue]), .tags([red]), .tags([red, navy]), .tags([])])
    // A merge puts the entries together, and makes no tag occur twice.
    try desk.perform(.tag(.merge(navy, into: blue, reason: nil)))
    let after = desk.report(today) { $0.grouping = [.tags] }
    #expect(after.keys == [.tags([red, blue]), .tags([red]), .tags([])])
    #expect(after.times == [minutes(13), minutes(4), minutes(1)])
    #expect(after.total.exact == before.total.exact)
  }

  @Test func `groups nest, follow merges, and keep deleted projects [M14]`() throws {
    var desk = try ReportDesk()
    desk.now = time(6_000)
    let (acme, apex) = (try desk.client("Acme"), try desk.client("Apex"))
    let old = try desk.project("Old", of: acme)
    let new = try desk.project("New", of: acme)
    let gone = try desk.project("Gone", of: apex)
    try desk.entry(from: time(0), to: time(10), project: old)
    try desk.entry(from: time(20), to: time(25), project: new, isBillable: true)
    try desk.entry(from: time(30), to: time(50), project: gone)
    try desk.entry(from: time(60), to: time(61))
    try desk.perform(.project(.merge(old, into: new, reason: nil)))
    try desk.perform(.client(.merge(acme, into: apex, reason: nil)))
    try desk.perform(.project(.delete(gone, reason: nil)))
    let report = desk.report(today) { $0.grouping = [.client, .project, .client] }
    #expect(report.keys == [.client(apex), .client(nil)])
    #expect(report.groups[0].groups.map(\.key) == [.project(gone), .project(new)])
    #expect(report.groups[0].groups[1].figures.exact.time == minutes(15))
    #expect(report.groups[0].groups[1].figures.exact.billable == minutes(5))
    #expect(report.groups[0].figures.entries == 3)
    #expect(report.groups[1].groups.map(\.key) == [.project(nil)])
    // A deleted project keeps its name in reports.
    #expect(desk.state.names(of: .project(gone)) == ["Gone"])
    #expect(desk.state.names(of: .client(apex)) == ["Apex"])
    #expect(desk.state.names(of: .project(nil)).isEmpty)
    #expect(desk.state.names(of: .day(CivilDate(daysSince1970: 0))) == ["1970-01-01"])
  }

  @Test func `groups of equal times are in order of their ids [M14]`() throws {
    var desk = try ReportDesk()
    desk.now = time(6_000)
    let projects = try (0..<20).map { try desk.project("P\($0)") }
    for project in projects.reversed() {
      try desk.entry(from: time(0), to: time(1), project: project)
    }
    let report = desk.report(today) { $0.grouping = [.project] }
    #expect(report.keys == projects.map { .project($0) })
  }

  @Test func `overlapping entries both count, and the overlap is reported [M14]`() throws {
    var desk = try ReportDesk()
    desk.now = time(6_000)
    try desk.entry(from: time(0), to: time(60))
    try desk.entry(from: time(30), to: time(90))
    try desk.entry(from: time(40), to: time(50))
    try desk.entry(from: time(90), to: time(100))
    try desk.entry(from: time(0), to: time(100), of: desk.bob)
    let report = desk.report(today)
    #expect(report.total.exact.time == minutes(60 + 60 + 10 + 10 + 100))
    #expect(report.overlap == minutes(30 + 10))
    #expect(desk.report(time(45)..<time(55)).overlap == minutes(15))
  }

  // MARK: Rounding

  @Test func `times are rounded up, down and to the nearest, up from the middle [M14]`() {
    let quarter = minutes(15)
    let second = ElapsedTime.seconds(1).microseconds
    let rows: [(Int64, up: Int64, down: Int64, nearest: Int64)] = [
      (0, 0, 0, 0), (1, 15, 0, 0), (7 * 60 * second, 15, 0, 0),
      (450 * second - 1, 15, 0, 0), (450 * second, 15, 0, 15), (900 * second, 15, 15, 15),
      (900 * second + 1, 30, 15, 15), (1_350 * second, 30, 15, 30),
    ]
    for row in rows {
      let time = ElapsedTime(microseconds: row.0)
      func rounded(_ mode: ReportRounding.Mode) -> ElapsedTime {
        ReportRounding(.entry, to: quarter, mode).rounded(time)
      }
      #expect(rounded(.up) == minutes(row.up), "\(row)")
      #expect(rounded(.down) == minutes(row.down), "\(row)")
      #expect(rounded(.nearest) == minutes(row.nearest), "\(row)")
    }
    #expect(ReportRounding(.entry, to: .zero, .up).rounded(minutes(7)) == minutes(7))
    let longest = ElapsedTime(microseconds: .max)
    #expect(ReportRounding(.entry, to: quarter, .up).rounded(longest) == longest)
  }

  @Test func `entries, days or groups are rounded, beside the exact times [M14]`() throws {
    var desk = try ReportDesk()
    desk.now = time(60_000)
    let (one, two) = (try desk.project("One"), try desk.project("Two"))
    try desk.entry(from: time(0), to: time(4), project: one)
    try desk.entry(from: time(10), to: time(14), project: one)
    try desk.entry(from: time(20), to: time(23), project: two)
    try desk.entry(from: time(minutesOfDay + 10), to: time(minutesOfDay + 17), project: one)
    let week = time(0)..<time(7 * minutesOfDay)
    func rounded(_ level: ReportRounding.Level, _ grouping: [ReportGrouping]) -> [Int64] {
      let report = desk.report(week) {
        $0.grouping = grouping
        $0.rounding = ReportRounding(level, to: minutes(10), .up)
      }
      #expect(report.total.exact.time == minutes(18))
      return ([report.total] + report.groups.map(\.figures)).map {
        ($0.rounded?.time.seconds ?? -1) / 60
      }
    }
    #expect(rounded(.entry, []) == [40])
    #expect(rounded(.day, []) == [30])
    #expect(rounded(.group, []) == [20])
    #expect(rounded(.entry, [.project]) == [40, 30, 10])
    #expect(rounded(.day, [.project]) == [30, 20, 10])
    #expect(rounded(.group, [.project]) == [30, 20, 10])
    #expect(rounded(.group, [.day, .project]) == [30, 20, 10])
    #expect(rounded(.group, [.week]) == [20, 20])
  }

  @Test func `an entry across midnight is one time in a group of both days [M14]`() throws {
    var desk = try ReportDesk()
    desk.now = time(60_000)
    try desk.entry(from: time(minutesOfDay - 5), to: time(minutesOfDay + 5))
    let week = time(0)..<time(7 * minutesOfDay)
    func rounded(_ level: ReportRounding.Level, _ grouping: ReportGrouping) -> ElapsedTime? {
      desk.report(week) {
        $0.grouping = [grouping]
        $0.rounding = ReportRounding(level, to: minutes(10), .up)
      }.total.rounded?.time
    }
    #expect(rounded(.entry, .week) == minutes(10))
    #expect(rounded(.entry, .day) == minutes(10))
    #expect(rounded(.day, .week) == minutes(20))
    #expect(rounded(.group, .week) == minutes(10))
  }

  @Test func `a rounded entry ends earlier or later, whatever the groups are`() throws {
    var desk = try ReportDesk()
    desk.now = time(60_000)
    let project = try desk.project("P", rate: 6_000)
    // Half an hour of Monday, all of Tuesday and two minutes of Wednesday.
    try desk.entry(
      from: time(minutesOfDay - 30), to: time(2 * minutesOfDay + 2), project: project)
    let week = time(0)..<time(7 * minutesOfDay)
    func rounded(
      _ mode: ReportRounding.Mode, to increment: Int64, by grouping: [ReportGrouping]
    ) -> [Int64] {
      let report = desk.report(week) {
        $0.grouping = grouping
        $0.rounding = ReportRounding(.entry, to: minutes(increment), mode)
      }
      let figures = [report.total] + report.groups.map(\.figures)
      // At a rate of 60 an hour a minute costs 1.
      #expect(
        figures.allSatisfy {
          $0.rounded?.amounts.map(\.hundredths) == $0.rounded.map { [$0.time.seconds / 60 * 100] }
        })
      return figures.map { ($0.rounded?.time.seconds ?? -1) / 60 }
    }
    #expect(rounded(.up, to: 15, by: [.day]) == [1_485, 30, 1_440, 15])
    #expect(rounded(.nearest, to: 15, by: [.day]) == [1_470, 30, 1_440, 0])
    #expect(rounded(.down, to: 1_000, by: [.day]) == [1_000, 30, 970, 0])
    #expect(rounded(.down, to: 3_000, by: [.day]) == [0, 0, 0, 0])
    #expect(rounded(.down, to: 1_000, by: [.project]) == [1_000, 1_000])
    #expect(rounded(.down, to: 1_000, by: [.week, .day]) == [1_000, 1_000])
    #expect(rounded(.down, to: 1_000, by: []) == [1_000])
  }

  @Test func `times are cut to whole seconds before they are added up`() throws {
    var desk = try ReportDesk()
    desk.now = time(6_000)
    let project = try desk.project("P", rate: 11_000)
    let fraction = ElapsedTime(microseconds: 314_000)
    let end = time(10).adding(fraction)
    try desk.entry(from: time(0), to: end, project: project)
    try desk.entry(from: end, to: time(20), project: project)
    try desk.entry(from: time(minutesOfDay - 1), to: time(minutesOfDay + 1).adding(fraction))
    let report = desk.report(time(0)..<time(2 * minutesOfDay)) { $0.grouping = [.project] }
    #expect(report.times == [minutes(20), minutes(2)] && report.overlap == .zero)
    #expect(report.total.exact.amounts.map(\.hundredths) == [3_667])
    let first = desk.report(time(0)..<time(10))
    #expect(first.total.exact.time == minutes(10))
    #expect(first.total.exact.amounts.map(\.hundredths) == [1_833])
    let days = desk.report(time(0)..<time(2 * minutesOfDay)) { $0.grouping = [.day] }
    #expect(days.times == [minutes(21), minutes(1)])
    var totals = Int64(0)
    desk.state.timeEntries.forEach { totals += $1.elapsed(at: desk.now).seconds }
    #expect(totals == report.total.exact.time.seconds)
    #expect(desk.state.totals().time == report.total.exact.time)
  }

  // MARK: Money

  @Test func `money follows the rates of the entries, for each currency [M14]`() throws {
    var desk = try ReportDesk()
    desk.now = time(6_000)
    let (euros, crowns) = (
      try desk.workspace("Home"), try desk.workspace("North", currency: "SEK")
    )
    let home = try desk.project("House", in: euros, rate: 6_000)
    let north = try desk.project("Hut", in: crowns, rate: 90_000)
    try desk.entry(from: time(0), to: time(20), project: home)
    // The new rate applies to later entries only.
    var rate = ProjectChanges()
    rate.rate = Change(from: 6_000, to: 12_000)
    try desk.perform(.project(.change(home, rate, reason: nil)))
    try desk.entry(from: time(30), to: time(31), project: home)
    try desk.entry(from: time(40), to: time(100), project: north)
    try desk.entry(from: time(200), to: time(300), project: home, isBillable: false)
    let report = desk.report(today)
    #expect(report.total.exact.amounts.map(\.currency) == ["EUR", "SEK"])
    #expect(report.total.exact.amounts.map(\.hundredths) == [2_000 + 200, 90_000])
    #expect(report.total.exact.billable == minutes(81))
  }

  @Test func `exact amounts add up exactly, and are rounded when they are shown [M14]`() throws {
    var desk = try ReportDesk()
    desk.now = time(6_000)
    // A minute costs a third of a hundredth.
    let projects = try (0..<3).map { try desk.project("P\($0)", rate: 20) }
    for (index, project) in projects.enumerated() {
      try desk.entry(from: time(Int64(index)), to: time(Int64(index) + 1), project: project)
    }
    let report = desk.report(today) {
      $0.grouping = [.project]
      $0.rounding = ReportRounding(.group, to: minutes(1), .nearest)
    }
    #expect(report.total.exact.amounts.map(\.hundredths) == [1])
    #expect(report.groups.map { $0.figures.exact.amounts[0].hundredths } == [0, 0, 0])
    // The total belongs to its own time, also among rounded sums.
    #expect(report.total.rounded?.amounts.map(\.hundredths) == [1])
    // Half a hundredth is rounded up.
    let half = try desk.project("Half", rate: 30)
    try desk.entry(from: time(10), to: time(11), project: half)
    let other = desk.report(today) { $0.filter.projects = [half] }
    #expect(other.total.exact.amounts.map(\.hundredths) == [1])
  }

  @Test func `rounded times cost as much as their parts do on average [M14]`() throws {
    var desk = try ReportDesk()
    desk.now = time(6_000)
    let cheap = try desk.project("Cheap", rate: 6_000)
    let dear = try desk.project("Dear", rate: 12_000)
    try desk.entry(from: time(0), to: time(20), project: cheap)
    try desk.entry(from: time(20), to: time(30), project: dear)
    try desk.entry(from: time(30), to: time(45), project: dear, isBillable: false)
    let report = desk.report(today) { $0.rounding = ReportRounding(.group, to: minutes(30), .up) }
    let rounded = try #require(report.total.rounded)
    // 30 and 15 minutes are rounded by themselves.
    #expect(rounded.time == minutes(60) && rounded.billable == minutes(30))
    #expect(rounded.amounts.map(\.hundredths) == [4_000])
    let hour = desk.report(today) { $0.rounding = ReportRounding(.group, to: minutes(45), .up) }
    // 30 minutes cost 20 + 20, so 45 minutes cost a half more.
    #expect(hour.total.rounded?.billable == minutes(45))
    #expect(hour.total.rounded?.amounts.map(\.hundredths) == [6_000])
    let entries = desk.report(today) { $0.rounding = ReportRounding(.entry, to: minutes(15), .up) }
    #expect(entries.total.rounded?.time == minutes(30 + 15 + 15))
    #expect(entries.total.rounded?.amounts.map(\.hundredths) == [3_000 + 3_000])
  }

  @Test func `at one rate the amount is the billed time times the rate [M14]`() throws {
    try withSeed { random in
      for _ in 0..<repetitions(200, few: 40) {
        var desk = try ReportDesk()
        desk.now = time(60_000)
        let rates = (0..<3).map { _ in Int64.random(in: 1...20_000, using: &random) }
        let projects = try rates.indices.map { try desk.project("P\($0)", rate: rates[$0]) }
        for _ in 0..<Int.random(in: 1...20, using: &random) {
          let start = Int64.random(in: 0...(6 * minutesOfDay), using: &random)
          let length = Int64.random(in: 1...600, using: &random)
          try desk.entry(
            from: time(start), to: time(start + length),
            project: projects.randomElement(using: &random),
            isBillable: Int.random(in: 0...3, using: &random) > 0)
        }
        let report = desk.report(time(0)..<time(7 * minutesOfDay)) { query in
          query.grouping = [.project] + (Bool.random(using: &random) ? [.day] : [])
          let level = ReportRounding.Level.allCases.randomElement(using: &random) ?? .entry
          let mode = ReportRounding.Mode.allCases.randomElement(using: &random) ?? .up
          query.rounding = ReportRounding(level, to: minutes(7), mode)
        }
        for group in report.groups {
          guard case .project(let id?) = group.key else { continue }
          let rate = rates[Int(id.value)]
          for figures in [group.figures] + group.groups.map(\.figures) {
            expectPrice(figures.exact, rate)
            if let rounded = figures.rounded { expectPrice(rounded, rate) }
            // A day may have a part of a rounded entry.
            if report.query.rounding?.level == .entry, figures != group.figures { continue }
            #expect((figures.rounded?.billable.seconds ?? 1) % 420 == 0)
          }
        }
      }
    }
  }

  /// Expects that an amount is a billable time times a rate, up from half a hundredth.
  private func expectPrice(_ sums: ReportSums, _ rate: Int64) {
    let price = (Int128(sums.billable.microseconds) * Int128(rate) + 1_800_000_000) / 3_600_000_000
    #expect(sums.amounts.reduce(Int64(0)) { $0 + $1.hundredths } == Int64(price))
    #expect(sums.amounts.count <= 1)
  }
}
