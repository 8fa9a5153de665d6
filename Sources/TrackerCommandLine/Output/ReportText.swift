import Retrace
import TimeTracking
import TrackerApp
import TrackerFeatures

/// A report in the output of a command.
struct ReportText {
  let report: Report
  /// What the totals are.
  let totalOf: ReportTotal
  /// The name of what the bars show.
  let chartTitle: String
  /// The time of each day, week or month; none without a chart.
  let bars: [BarChart.Bar]
  private let range: EntryRange
  private let labels: ReportLabels
  /// What gives billable entries without a rate one; `nil` without such entries.
  private let rateAdvice: String?
  /// The notes about days with a change of the clocks during which an entry runs.
  private let clockNotes: [String]

  /// Creates the text of the report of a query.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - range: The range, for the heading.
  ///   - totalOf: What the totals are.
  ///   - filter: The options from which the filter of the query came.
  ///   - domain: The entities.
  ///   - moment: The end of running entries.
  ///   - hasChart: Whether there is a chart, which counts the entries again.
  init(
    _ query: ReportQuery, of range: EntryRange, _ totalOf: ReportTotal, _ filter: FilterOptions,
    in domain: DomainState, at moment: Moment, hasChart: Bool = false
  ) {
    self.totalOf = totalOf
    let report = domain.report(query, at: moment)
    clockNotes = range.clockNotes(in: query.calendar) { change in
      let seconds = change.lastMomentBefore..<change.moment.adding(.seconds(1))
      var around = ReportQuery(seconds, in: query.calendar)
      around.filter = query.filter
      let total = domain.report(around, at: moment).total
      // An entry that goes on after the change has both seconds.
      return total.exact.time > .seconds(Int64(total.entries))
    }
    self.report = report
    self.range = range
    let chart = ReportChart(of: range.dates, in: query.calendar, daysMax: OutputPage.daysMax)
    var divided = query
    (divided.grouping, divided.rounding) = ([chart.grouping], nil)
    chartTitle = OutputPage.chartTitle(chart.grouping)
    bars = hasChart ? chart.bars(of: domain.report(divided, at: moment)) : []
    labels = ReportLabels(report, in: domain)
    rateAdvice =
      report.total.exact.unrated > .zero
      ? UnratedEntries(
        of: query, hasEnd: range.hasEnd, for: filter.ownUser, in: domain, at: moment
      ).advice(filter.terms) : nil
  }

  /// The calendar of the report.
  var calendar: ReportCalendar { report.query.calendar }

  /// Whether no entry is in the report.
  var isEmpty: Bool { report.total.entries == 0 }

  /// The style of the user.
  var style: TimeStyle { calendar.style }

  /// The range and the calendar, on one line.
  var heading: String { range.heading(in: calendar) }

  /// Returns the notes without which the figures are misread, a line for each.
  func notes(_ shown: ShownTimes) -> [String] {
    var notes = clockNotes
    if report.overlap > .zero {
      let time = shown.text(report.overlap)
      notes.append("Entries of one user overlap: \(time) of the time counts more than once.")
    }
    if let rateAdvice {
      let unrated = shown.text(report.total.exact.unrated)
      notes.append("\(unrated) of billable time have no rate; \(rateAdvice)")
    }
    if !groupsAddUp({ $0.exact.time.microseconds }, eachTag: true) {
      notes.append("An entry counts for each of its tags, and once in the total.")
    }
    return notes
  }

  /// Returns whether the printed values of the groups add up to the printed total, at every level
  /// except one of each tag.
  func addsUp(_ printed: (ReportFigures) -> Int64) -> Bool { groupsAddUp(printed, eachTag: false) }

  /// Returns whether the groups add up at every level of groups of each tag, or at all others.
  private func groupsAddUp(_ printed: (ReportFigures) -> Int64, eachTag: Bool) -> Bool {
    func addsUp(_ groups: [ReportGroup], _ total: ReportFigures) -> Bool {
      guard let first = groups.first else { return true }
      let counts = first.key.isOfEachTag == eachTag
      return (!counts || groups.reduce(0) { $0 + printed($1.figures) } == printed(total))
        && groups.allSatisfy { addsUp($0.groups, $0.figures) }
    }
    return addsUp(report.groups, report.total)
  }

  /// Returns the note about totals; `nil` if the lines add up to the exact totals.
  ///
  /// - Parameter printed: Returns the numbers that are printed of figures.
  func totalNote(_ printed: (ReportFigures) -> [Int64]) -> String? {
    func differs(_ line: ReportLine) -> Bool {
      line.difference != nil || line.lines.contains(where: differs)
    }
    guard differs(report.lines(.exact, printed)) else { return nil }
    return switch totalOf {
    case .exact:
      "Totals are exact; \(ReportLine.differenceLabel) is the rest. --total-of lines adds lines up."
    case .lines: "Totals are the sums of the lines; --total-of exact gives exact ones."
    }
  }

  /// Returns the name of a group, or a placeholder without one.
  func label(_ key: ReportKey) -> String { labels.label(of: key) }

  /// Returns the color of a group of a project; `nil` for other groups.
  func color(_ key: ReportKey) -> Int32? { labels.color(of: key) }

  /// Returns the report as comma-separated values.
  func csv(_ texts: CSVTexts) -> ReportCSV {
    ReportCSV(report, labels, totalOf, areTextsExact: texts.areExact)
  }

  /// The currencies of the amounts, in the order of the numbers.
  private var currencies: [String?] { report.total.exact.amounts.map(\.currency) }

  /// The report as lines for programs: seconds, billable seconds and hundredths of each currency,
  /// and these of the rounded times.
  var lines: ReportLine {
    let currencies = currencies
    func numbers(_ sums: ReportSums) -> [Int64] {
      [sums.time.seconds, sums.billable.seconds]
        + currencies.map { sums.hundredths(in: $0) }
    }
    return report.lines(totalOf) { numbers($0.exact) + ($0.rounded.map(numbers) ?? []) }
  }

  /// The members of the report for programs: the range, the total and the groups.
  var json: [JSONValue.Member] {
    let report = lines
    return [
      .init("version", .integer(1)), .init("range", range.json(in: calendar)),
      .init("totalOf", .string(totalOf.rawValue)), .init("total", .object(members(report))),
      .init("overlapSeconds", .integer(self.report.overlap.seconds)),
      .init("groups", .array(report.lines.map { json($0) })),
    ]
  }

  /// Returns the line of a group for programs.
  func json(_ line: ReportLine) -> JSONValue {
    guard let key = line.key else { return .object(self.members(line)) }
    let found = labels.names(of: key)
    var members = [
      JSONValue.Member("by", .string(key.kind)), .init("id", key.id.map { .integer($0) } ?? .null),
    ]
    if case .tags = key {
      members.append(.init("names", .array(found.map { .string($0) })))
    } else {
      members.append(.init("name", found.first.map { .string($0) } ?? .null))
    }
    if labels.isDeleted(key) { members.append(.init("deleted", .bool(true))) }
    members += self.members(line)
    members.append(.init("percent", .integer(self.report.percent(of: line.figures.exact.time))))
    members.append(.init("groups", .array(line.lines.map { json($0) })))
    return .object(members)
  }

  /// Returns the numbers of a line, and what its lines lack to be them.
  private func members(_ line: ReportLine) -> [JSONValue.Member] {
    let all = currencies.indices.map { $0 }
    let present = all.filter { index in
      line.figures.exact.amounts.contains { $0.currency == currencies[index] }
    }
    var members = [JSONValue.Member("entries", .integer(Int64(line.figures.entries)))]
    members += sums(line.values, present)
    if let difference = line.difference {
      members.append(.init("difference", .object(sums(difference, all))))
    }
    return members
  }

  /// Returns the exact and the rounded sums.
  ///
  /// - Parameters:
  ///   - numbers: The numbers of a line.
  ///   - present: The currencies to name.
  private func sums(_ numbers: [Int64], _ present: [Int]) -> [JSONValue.Member] {
    func sums(from first: Int) -> [JSONValue.Member] {
      let amounts = present.map { index -> JSONValue in
        [
          "currency": currencies[index].map { .string($0) } ?? .null,
          "hundredths": .integer(numbers[first + 2 + index]),
        ]
      }
      return [
        .init("seconds", .integer(numbers[first])),
        .init("billableSeconds", .integer(numbers[first + 1])), .init("amounts", .array(amounts)),
      ]
    }
    let count = 2 + currencies.count
    let rounded = numbers.count > count ? JSONValue.object(sums(from: count)) : .null
    return sums(from: 0) + [.init("rounded", rounded)]
  }
}

extension ReportFigures {
  /// The sums that are billed: the rounded ones, if there are any.
  var billed: ReportSums { rounded ?? exact }
}
