import CivilTime
import RetraceState
import RetraceTesting
import Testing
import TimeTracking

/// Expects that groups add up to the total at every level, whatever is grouped, filtered and
/// rounded, but for groups by each tag.
///
/// - Returns: The total of a report with random groups.
@discardableResult
func expectPartition(
  of state: DomainState, in range: Range<Moment>, at now: Moment, _ random: inout SeededGenerator
) -> ReportFigures {
  var query = ReportQuery(range, in: ReportCalendar(.utc))
  let all = ReportGrouping.allCases.filter { $0 != .eachTag }.shuffled(using: &random)
  query.grouping = Array(all.prefix(Int.random(in: 0...4, using: &random)))
  query.calendar.dayStart = .seconds(Int64.random(in: 0..<86_400, using: &random))
  let level = ReportRounding.Level.allCases.randomElement(using: &random) ?? .entry
  let mode = ReportRounding.Mode.allCases.randomElement(using: &random) ?? .up
  if Bool.random(using: &random) { query.rounding = ReportRounding(level, to: minutes(15), mode) }
  if Bool.random(using: &random) {
    query.filter.tags = .any([TagID(value: 0), TagID(value: 1)])
  }
  let report = state.report(query, at: now)
  expectSums(report.groups, report.total, query)
  // The order of levels, and leaving all out, changes no total.
  query.grouping = []
  let plain = state.report(query, at: now)
  #expect(plain.total.exact == report.total.exact && plain.overlap == report.overlap)
  #expect(plain.total.entries == report.total.entries)
  if query.rounding?.level == .entry { #expect(plain.total.rounded == report.total.rounded) }
  return report.total
}

private func expectSums(_ groups: [ReportGroup], _ total: ReportFigures, _ query: ReportQuery) {
  #expect(Set(groups.map(\.key)).count == groups.count)
  #expect((total.rounded == nil) == (query.rounding == nil))
  guard !groups.isEmpty else { return }
  expectSum(groups.map(\.figures.exact), total.exact)
  if let rounded = total.rounded { expectSum(groups.compactMap(\.figures.rounded), rounded) }
  #expect(groups.reduce(0) { $0 + $1.figures.entries } >= total.entries)
  for group in groups { expectSums(group.groups, group.figures, query) }
}

/// Expects that sums add up to a total.
func expectSum(_ sums: [ReportSums], _ total: ReportSums) {
  #expect(sums.reduce(.zero) { $0.adding($1.time) } == total.time)
  #expect(sums.reduce(.zero) { $0.adding($1.billable) } == total.billable)
  #expect(total.billable <= total.time)
  for amount in total.amounts {
    let parts = sums.flatMap(\.amounts).filter { $0.currency == amount.currency }
    #expect(parts.reduce(Int128(0)) { $0 + $1.parts } == amount.parts)
  }
  let currencies = Set(sums.flatMap(\.amounts).map(\.currency))
  #expect(Set(total.amounts.map(\.currency)) == currencies)
}

/// Expects that the total of each day, and of a range, is the sum of the visible entries, each with
/// its part in it.
func expectDayTotals(
  of state: DomainState, _ query: ReportQuery, at now: Moment, _ what: String
) {
  var query = query
  query.grouping = [.day]
  let report = state.report(query, at: now)
  var sum = ElapsedTime.zero
  var days: [CivilDate: ElapsedTime] = [:]
  state.timeEntries.forEach { _, entry in
    guard state.isVisible(entry) else { return }
    sum = sum.adding(clipped(entry, to: query.range, at: now))
    for group in report.groups {
      guard case .day(let date) = group.key else { continue }
      let day = query.calendar.range(of: date).clamped(to: query.range)
      days[date, default: .zero] =
        days[date, default: .zero].adding(clipped(entry, to: day, at: now))
    }
  }
  #expect(report.total.exact.time == sum, "\(what)")
  #expect(report.times.reduce(.zero) { $0.adding($1) } == sum, "\(what)")
  for group in report.groups {
    guard case .day(let date) = group.key else { continue }
    #expect(group.figures.exact.time == days[date], "\(what) \(date)")
  }
}

private func clipped(
  _ entry: TimeEntry, to range: Range<Moment>, at moment: Moment
) -> ElapsedTime {
  func whole(_ moment: Moment) -> Moment {
    Moment(microseconds: Int64((Double(moment.microseconds) / 1e6).rounded(.down)) * 1_000_000)
  }
  let end = min(whole(entry.end ?? max(moment, entry.start)), range.upperBound)
  return end.elapsed(since: max(whole(entry.start), range.lowerBound))
}
