import CivilTime
import RetraceArchitecture
import RetraceState
import RetraceTesting
import Testing
import TimeTracking

/// Reports whose ended entries are counted once, and the periods of a calendar.
@Suite struct EndedReportTests {
  @Test func `later reports count what runs, and the overlap is that of each second`() throws {
    try withSeed { random in
      for _ in 0..<repetitions(200, few: 30) {
        var desk = try ReportDesk()
        desk.now = time(300)
        try RandomEntries(users: [desk.ann, desk.bob], projects: [nil], tags: [])
          .insert(30, between: time(-200)..<time(250), into: &desk.state, &random)
        for user in [desk.ann, desk.bob] {
          let draft = TimeEntryDraft(user: .id(user), zone: .utc)
          let start = time(Int64.random(in: -100..<299, using: &random))
          // One of the random entries may run already.
          if desk.state.runningEntry(of: user) == nil {
            try desk.perform(.entry(.start(draft, at: start, policy: .allow)))
          }
        }
        var query = ReportQuery(time(-150)..<time(400), in: ReportCalendar(.utc))
        query.grouping = [.user]
        let counted = EndedReport(query, in: desk.state)
        #expect(counted.isOf(query, in: desk.state))
        for minutes in [300, 301, 350, 500] as [Int64] {
          let report = counted.report(at: time(minutes))
          #expect(report == desk.state.report(query, at: time(minutes)))
          #expect(report.overlap == overlap(of: desk.state, in: query.range, at: time(minutes)))
        }
        try desk.perform(.user(.create(User(name: Name("Cid")))))
        #expect(!counted.isOf(query, in: desk.state))
      }
    }
  }

  @Test func `what runs is added to the groups as in one count`() throws {
    let groupings: [[ReportGrouping]] = [
      [], [.project], [.client, .project], [.project, .task], [.project, .description], [.tags],
      [.eachTag], [.project, .eachTag, .user], [.description], [.day], [.day, .project],
      [.project, .day], [.week], [.month, .workspace],
    ]
    try withSeed { random in
      for _ in 0..<repetitions(100, few: 20) {
        var desk = try ReportDesk()
        desk.now = time(3_000)
        let projects = try [desk.project("a", rate: 8_550), desk.project("b")]
        try RandomEntries(users: [desk.ann, desk.bob], projects: [nil] + projects, tags: [])
          .insert(40, between: time(-2_000)..<time(2_900), into: &desk.state, &random)
        for user in [desk.ann, desk.bob] where desk.state.runningEntry(of: user) == nil {
          var draft = TimeEntryDraft(user: .id(user), description: "runs", zone: .utc)
          draft.project = projects.randomElement(using: &random).map { .id($0) }
          draft.isBillable = Bool.random(using: &random)
          let start = time(Int64.random(in: 0..<2_999, using: &random))
          try desk.perform(.entry(.start(draft, at: start, policy: .allow)))
        }
        var query = ReportQuery(time(-1_500)..<time(9_000), in: ReportCalendar(.utc))
        for grouping in groupings {
          query.grouping = grouping
          let counted = EndedReport(query, in: desk.state)
          for minutes in [2_999, 3_000, 3_001, 4_500, 9_999] as [Int64] {
            let running = counted.running(at: time(minutes))
            // A rounding of nothing counts the running entries with all others.
            var once = query
            once.rounding = ReportRounding(.entry, to: .zero, .nearest)
            var whole = desk.state.report(once, at: time(minutes)).withoutRounding
            whole.query = query
            #expect(counted.report(with: running) == whole)
          }
        }
      }
    }
  }

  /// The overlap of the entries of each user, counted by the ends of their parts.
  private func overlap(
    of domain: DomainState, in range: Range<Moment>, at moment: Moment
  ) -> ElapsedTime {
    var parts: [UserID: [Range<Moment>]] = [:]
    domain.timeEntries.forEach { _, entry in
      guard domain.isVisible(entry) else { return }
      let part = entry.span(at: moment).clamped(to: range)
      if !part.isEmpty { parts[entry.user, default: []].append(part) }
    }
    var sum: Int64 = 0
    for spans in parts.values {
      let edges = Set(spans.flatMap { [$0.lowerBound, $0.upperBound] }).sorted()
      for (start, end) in zip(edges, edges.dropFirst()) {
        let count = spans.count { $0.lowerBound <= start && $0.upperBound >= end }
        sum += Int64(max(0, count - 1)) * end.elapsed(since: start).microseconds
      }
    }
    return ElapsedTime(microseconds: sum)
  }

  @Test(arguments: CalendarPeriod.allCases)
  func `periods follow each other without a gap`(period: CalendarPeriod) {
    let calendar = ReportCalendar(.utc, firstWeekday: 1)
    for number in -60...60 as ClosedRange<Int64> {
      let dates = calendar.dates(of: period, number: number, at: time(0))
      let next = calendar.dates(of: period, number: number + 1, at: time(0))
      #expect(!dates.isEmpty && dates.upperBound == next.lowerBound)
    }
    #expect(calendar.dates(of: period, at: time(0)).contains(calendar.day(at: time(0))))
    // A number from a log may be any.
    for number in [Int64.min, .max] {
      #expect(!calendar.dates(of: period, number: number, at: time(0)).isEmpty)
    }
  }
}

extension Report {
  /// The report with its exact figures only.
  fileprivate var withoutRounding: Report {
    func exact(_ groups: [ReportGroup]) -> [ReportGroup] {
      groups.map { group in
        var group = group
        group.figures.rounded = nil
        group.groups = exact(group.groups)
        return group
      }
    }
    var report = self
    report.total.rounded = nil
    report.groups = exact(groups)
    return report
  }
}
