import CivilTime
import RetraceState
import RetraceTesting
import Testing
import TimeTracking
import ToolTestSupport

/// The lines of a report add up to its total, or the difference is a line of its own.
@Suite struct ReportLineTests {
  /// What was found in all rounds.
  private struct Found {
    var differences = 0
    var currencies: Set<String?> = []
    var dayHours: Set<Int64> = []
  }

  @Test(.enabled(if: ZoneFiles.exist))
  func `lines add up group by group, by random entries, rates, roundings and zones`() throws {
    try withSeed { random in
      var found = Found()
      for _ in 0..<repetitions(400, few: 60) {
        let (desk, query) = try world(&random)
        let report = desk.state.report(query, at: desk.now)
        let currencies = report.total.exact.amounts.map(\.currency)
        found.currencies.formUnion(currencies)
        for group in report.groups {
          guard case .day(let day) = group.key else { continue }
          let range = query.calendar.range(of: day)
          found.dayHours.insert(range.upperBound.elapsed(since: range.lowerBound).seconds / 3_600)
        }
        let unit = ([1, 60] as [Int64]).randomElement(using: &random) ?? 1
        let isBilled = Bool.random(using: &random)
        func printed(_ figures: ReportFigures) -> [Int64] {
          let sums = isBilled ? figures.rounded ?? figures.exact : figures.exact
          return [figures.exact.time, sums.time, sums.billable].map { $0.seconds / unit }
            + currencies.map { currency in
              sums.amounts.first { $0.currency == currency }?.hundredths ?? 0
            }
        }
        expectExact(report.lines(.exact, printed), printed, &found)
        expectSums(report.lines(.lines, printed), printed)
      }
      #expect(found.differences > 50, "\(found)")
      #expect(found.currencies == [nil, "EUR", "SEK"], "\(found)")
      #expect(found.dayHours.isSuperset(of: [23, 24, 25]), "\(found)")
    }
  }

  @Test func `a difference is what the printed lines lack, in each currency`() throws {
    var desk = try ReportDesk()
    desk.now = time(1_000)
    let project = try desk.project("P", rate: 6_000)
    for minute in 0..<3 as Range<Int64> {
      // Eleven seconds cost 18 and a third.
      let start = time(minute)
      try desk.entry("\(minute)", from: start, to: start.adding(.seconds(11)), project: project)
    }
    let report = desk.report(time(0)..<time(10)) { $0.grouping = [.project, .description] }
    func cents(_ figures: ReportFigures) -> [Int64] {
      [figures.exact.time.seconds / 60, figures.exact.amounts.first?.hundredths ?? 0]
    }
    let exact = report.lines(.exact, cents)
    #expect(exact.values == [0, 55] && exact.difference == nil)
    #expect(exact.lines.map(\.difference) == [[0, 1]] && exact.lines.map(\.values) == [[0, 55]])
    #expect(exact.lines[0].lines.map(\.values) == [[0, 18], [0, 18], [0, 18]])
    let sums = report.lines(.lines, cents)
    #expect(sums.values == [0, 54] && sums.lines.map(\.values) == [[0, 54]])
    #expect(sums.difference == nil && sums.lines[0].difference == nil)
  }

  /// Returns random entries around a change of the clocks of Berlin, and a random query.
  private func world(
    _ random: inout SeededGenerator
  ) throws -> (desk: ReportDesk, query: ReportQuery) {
    var desk = try ReportDesk()
    let day = Bool.random(using: &random) ? "2026-03-29" : "2026-10-25"
    let noon = try ZoneFiles.moment("\(day) 12:00:00")
    let first = noon.adding(.seconds(-3 * 86_400))
    desk.now = noon.adding(.seconds(4 * 86_400))
    let workspaces = [
      nil, try desk.workspace("Home"), try desk.workspace("North", currency: "SEK"),
    ]
    let clients = [try desk.client("Acme"), try desk.client("Apex")]
    let projects = try (0..<4).map { try desk.project("P\($0)", of: clients[$0 % 2]) }
    let tags = try (0..<3).map { try desk.tag("t\($0)") }
    try RandomEntries(
      users: [desk.ann, desk.bob], projects: [nil] + projects, tags: tags, workspaces: workspaces
    ).insert(
      40, between: first..<desk.now, longest: .seconds(30 * 3_600), into: &desk.state, &random)
    let start = first.wholeSecond.adding(.seconds(Int64.random(in: 0..<200_000, using: &random)))
    let end = start.adding(.seconds(Int64.random(in: 100_000..<400_000, using: &random)))
    let dayStart = ElapsedTime.seconds(
      Bool.random(using: &random) ? 0 : Int64.random(in: 0..<86_400, using: &random))
    var query = ReportQuery(
      start..<end, in: ReportCalendar(try ZoneFiles.load("Europe/Berlin"), dayStart: dayStart))
    let levels = ReportGrouping.allCases.shuffled(using: &random)
    query.grouping = Array(levels.prefix(Int.random(in: 0...3, using: &random)))
    if Bool.random(using: &random) { query.grouping.insert(.day, at: 0) }
    if Bool.random(using: &random) {
      query.rounding = ReportRounding(
        ReportRounding.Level.allCases.randomElement(using: &random) ?? .entry,
        to: .seconds(([7, 60, 900] as [Int64]).randomElement(using: &random) ?? 60),
        ReportRounding.Mode.allCases.randomElement(using: &random) ?? .up)
    }
    return (desk, query)
  }

  private func sum(_ lines: [ReportLine], _ count: Int) -> [Int64] {
    (0..<count).map { index in lines.reduce(0) { $0 + $1.values[index] } }
  }

  private func isOfEachTag(_ line: ReportLine) -> Bool {
    if case .eachTag = line.lines.first?.key { true } else { false }
  }

  /// Expects that each line has its exact numbers, and that these are the lines below and the
  /// difference.
  private func expectExact(
    _ line: ReportLine, _ printed: (ReportFigures) -> [Int64], _ found: inout Found
  ) {
    #expect(line.values == printed(line.figures))
    if line.lines.isEmpty || isOfEachTag(line) {
      #expect(line.difference == nil)
    } else {
      let rest = line.difference ?? line.values.map { _ in 0 }
      #expect(zip(sum(line.lines, rest.count), rest).map { $0 + $1 } == line.values)
      #expect(line.difference?.allSatisfy { $0 == 0 } != true)
      if line.difference != nil { found.differences += 1 }
    }
    for line in line.lines { expectExact(line, printed, &found) }
  }

  /// Expects that each line is the sum of the lines below.
  private func expectSums(_ line: ReportLine, _ printed: (ReportFigures) -> [Int64]) {
    #expect(line.difference == nil)
    if line.lines.isEmpty || isOfEachTag(line) {
      #expect(line.values == printed(line.figures))
    } else {
      #expect(line.values == sum(line.lines, line.values.count))
    }
    for line in line.lines { expectSums(line, printed) }
  }
}
