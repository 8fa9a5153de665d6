import CivilTime
import RetraceArchitecture
import RetraceState
import RetraceTesting
import Testing
import TimeTracking

/// Queries are total: moments at the limits of the type trap nowhere.
@Suite struct ExtremeMomentTests {
  private func moment(_ random: inout SeededGenerator) -> Moment {
    let near = Int64.random(in: -50...50, using: &random) * 3_600_000_000
    let places: [Int64] = [
      .min, .max, 0, .min + 3_600_000_000, .max - 3_600_000_000, near,
      time(near / 60_000_000)
        .microseconds, Int64.random(in: .min ... .max, using: &random),
    ]
    return Moment(microseconds: places.randomElement(using: &random) ?? 0)
  }

  @Test func `queries answer for moments at the limits of the type [M14]`() throws {
    try withSeed { random in
      let sample = try ReportDesk.sampleEntry()
      for _ in 0..<repetitions(2_000, few: 300) {
        var desk = try ReportDesk()
        desk.now = moment(&random)
        let id = GoalID(value: 0)
        let goal = Goal(name: Name("g"), user: desk.ann, target: minutes(1))
        try desk.perform(.goal(.create(goal)))
        for _ in 0..<6 {
          var entry = sample
          let (first, second) = (moment(&random), moment(&random))
          entry.start = min(first, second)
          // Adding up the days of an entry of 300,000 years takes long.
          let isLong = max(first, second).elapsed(since: entry.start) > .seconds(90 * 86_400)
          entry.end = isLong ? entry.start.adding(minutes(90)) : max(first, second)
          let runsLong = desk.now.elapsed(since: entry.start) > .seconds(90 * 86_400)
          if !runsLong, Bool.random(using: &random) { entry.end = nil }
          (entry.isBillable, entry.rate) = (true, [0, 1, .max].randomElement(using: &random))
          desk.state.timeEntries.insert(entry)
        }
        let (first, second) = (moment(&random), moment(&random))
        let range = min(first, second)..<max(first, second)
        let groupings: [[ReportGrouping]] = [[], [.project], [.day], [.month, .week]]
        let report = desk.report(range) { query in
          query.grouping = groupings.randomElement(using: &random) ?? []
          query.rounding = ReportRounding(.group, to: minutes(7), .up)
          query.calendar.dayStart = .seconds(3_600)
        }
        #expect(report.total.exact.time >= .zero)
        let calendar = ReportCalendar(.utc)
        for shortcut in RangeShortcut.allCases {
          #expect(!calendar.range(of: shortcut, at: desk.now).isEmpty)
        }
        for gap in desk.state.gaps(in: range, of: desk.ann, at: desk.now) {
          #expect(!gap.isEmpty && range.clamped(to: gap) == gap)
        }
        for overlap in desk.state.overlaps(in: range, of: desk.ann, at: desk.now) {
          #expect(!overlap.range.isEmpty && range.clamped(to: overlap.range) == overlap.range)
        }
        let progress = desk.state.progress(of: id, at: desk.now, in: calendar)
        #expect(progress.map { $0.time >= .zero && $0.percent >= 0 } == true)
        let event = CalendarEvent(id: "e", title: "E", start: first, end: second)
        _ = desk.state.suggestions(for: desk.ann, events: [event], at: desk.now)
        let box = CalendarBox(.event("e"), start: first, end: second, at: desk.now)
        #expect(CalendarBox.arranged([box]).count == 1)
        var days = EntryDays(of: desk.ann, in: calendar, desk.state)
        var visits = 20_000
        _ = days.day(before: second, visits: &visits)
        _ = days.day(from: first, visits: &visits)
        #expect(days.day(calendar.day(at: first)).time >= .zero)
        let grid = CalendarGrid(range, .utc)
        #expect(grid.newEntry(at: first).lowerBound >= range.lowerBound)
        desk.state.timeEntries.forEach { _, entry in
          let (from, to) = (moment(&random), moment(&random))
          _ = grid.moving(entry, from: from, to: to)
          _ = grid.resizingStart(of: entry, to: to, at: desk.now)
          _ = grid.resizingEnd(of: entry, to: to)
        }
      }
    }
  }
}
