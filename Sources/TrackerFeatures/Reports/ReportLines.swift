import Retrace
import TimeTracking

/// A report with the lines of its groups, which frames keep while nothing of it changes.
///
/// So a frame makes only the texts of the lines that it shows.
struct ReportLines: Sendable {
  /// A line of the table: the sums of a group, and its level.
  ///
  /// Where the shown numbers of groups do not add up, a line without a group has the rest, as in
  /// `track report`.
  struct Line: Sendable {
    var key: ReportKey?
    var sums: ReportSums
    var level: Int
  }

  /// The cells that the widest texts of figures take.
  struct Widths: Sendable {
    private(set) var time = 0
    private(set) var billable = 0
    private(set) var amount = 0

    fileprivate mutating func fit(_ sums: ReportSums, _ style: TimeStyle) {
      time = max(time, TextWidth.of(style.text(sums.time)))
      billable = max(billable, TextWidth.of(style.text(sums.billable)))
      if !sums.amounts.isEmpty { amount = max(amount, TextWidth.of(sums.amountText)) }
    }
  }

  /// The report.
  private(set) var report: Report
  /// The lines of all groups, each above those of its next level.
  private(set) var lines: [Line]
  /// The cells of the times, the billable times and the amounts.
  private(set) var widths: Widths
  /// Whether a line has the rest of what is shown.
  private(set) var hasRest = false
  /// The names of the groups.
  private(set) var labels: ReportLabels
  /// The same entries by the bars of the chart.
  let bars: EndedReport
  private let counted: EndedReport
  private let domain: DomainState
  private let endedWidths: Widths
  /// The report of the running entries alone.
  private var running: Report

  /// Counts the entries of a state at a moment.
  ///
  /// - Parameters:
  ///   - query: The report.
  ///   - chart: The groups of the bars of its chart.
  ///   - domain: The state.
  ///   - moment: The end of running entries.
  /// - Complexity: As `EndedReport.counted(_:by:in:)`, and O(groups).
  init(
    _ query: ReportQuery, by chart: ReportGrouping, in domain: DomainState, at moment: Moment
  ) {
    let reports = EndedReport.counted(query, by: [[chart]], in: domain)
    let counted = reports[0]
    bars = reports[1]
    let style = query.calendar.style
    var widths = Widths()
    for line in Self.lines(of: counted.ended) { widths.fit(line.sums, style) }
    (self.counted, self.domain, endedWidths) = (counted, domain, widths)
    running = counted.running(at: moment)
    report = counted.report(with: running)
    lines = Self.lines(of: report)
    labels = ReportLabels(report, in: domain)
    self.widths = widths
    fitRunning()
  }

  /// Returns whether the lines are of a state.
  ///
  /// - Complexity: As `EndedReport.isOf(_:)`.
  func isOf(_ domain: DomainState) -> Bool { counted.isOf(domain) }

  /// Returns whether the lines and the bars are of a query, a chart and a state.
  ///
  /// - Complexity: As `EndedReport.isOf(_:in:)`.
  func isOf(_ query: ReportQuery, by chart: ReportGrouping, in domain: DomainState) -> Bool {
    bars.query.grouping == [chart] && counted.isOf(query, in: domain)
  }

  /// Lets the running entries end at another moment.
  ///
  /// - Complexity: O(running entries) if their times in whole seconds are the same, else O(groups).
  mutating func follow(to moment: Moment) {
    let running = counted.running(at: moment)
    guard running != self.running else { return }
    self.running = running
    report = counted.report(with: running)
    lines = Self.lines(of: report)
    if !hasNames(of: running.groups) { labels = ReportLabels(report, in: domain) }
    fitRunning()
  }

  private func hasNames(of groups: [ReportGroup]) -> Bool {
    groups.allSatisfy { labels.hasNames(of: $0.key) && hasNames(of: $0.groups) }
  }

  /// Widens the columns for the total, for the rests and for the groups that have a running entry.
  private mutating func fitRunning() {
    let style = report.query.calendar.style
    widths = endedWidths
    widths.fit(report.total.exact, style)
    hasRest = false
    for line in lines where line.key == nil {
      hasRest = true
      widths.fit(line.sums, style)
    }
    var parts = [(running.groups, report.groups)]
    while let (some, all) = parts.popLast() {
      for group in some {
        guard let whole = all.first(where: { $0.key == group.key }) else { continue }
        widths.fit(whole.figures.exact, style)
        parts.append((group.groups, whole.groups))
      }
    }
  }

  private static func lines(of report: Report) -> [Line] {
    let style = report.query.calendar.style
    var lines: [Line] = []
    func add(_ groups: [ReportGroup], of total: ReportSums, _ level: Int) {
      for group in groups {
        lines.append(Line(key: group.key, sums: group.figures.exact, level: level))
        add(group.groups, of: group.figures.exact, level + 1)
      }
      if let rest = total.rest(after: groups, in: style) {
        lines.append(Line(key: nil, sums: rest, level: level))
      }
    }
    add(report.groups, of: report.total.exact, 0)
    return lines
  }
}

extension ReportSums {
  /// Returns what the shown numbers of groups lack to be the shown sums; `nil` if they add up, and
  /// for groups of each tag, which need not.
  ///
  /// - Complexity: O(groups × currencies).
  fileprivate func rest(after groups: [ReportGroup], in style: TimeStyle) -> ReportSums? {
    guard groups.first?.key.isOfEachTag == false else { return nil }
    var seconds = style.shownSeconds(time)
    var billableSeconds = style.shownSeconds(billable)
    var hundredths = amounts.map { $0.hundredths }
    for group in groups {
      seconds -= style.shownSeconds(group.figures.exact.time)
      billableSeconds -= style.shownSeconds(group.figures.exact.billable)
      for amount in group.figures.exact.amounts {
        guard let index = amounts.firstIndex(where: { $0.isIn(amount.currency) }) else { continue }
        hundredths[index] = hundredths[index].subtractingClamped(amount.hundredths)
      }
    }
    var rest = self
    (rest.time, rest.billable, rest.amounts) = (.seconds(seconds), .seconds(billableSeconds), [])
    for (amount, number) in zip(amounts, hundredths) where number != 0 {
      rest.amounts.append(Amount(of: .seconds(3_600), at: number, in: amount.currency))
    }
    return seconds == 0 && billableSeconds == 0 && rest.amounts.isEmpty ? nil : rest
  }

  /// The amounts in their currencies, on one line.
  var amountText: String { amounts.map { $0.text }.joined(separator: ", ") }
}

extension TimeStyle {
  /// Returns the seconds that the text of a duration means: a started hundredth of an hour is shown
  /// as a whole one.
  fileprivate func shownSeconds(_ time: ElapsedTime) -> Int64 {
    durations == .decimal ? (time.seconds + 35) / 36 * 36 : time.seconds
  }
}

extension Amount {
  /// Returns whether the amount is in a currency.
  fileprivate func isIn(_ other: String?) -> Bool {
    guard let currency, let other else { return currency == nil && other == nil }
    return currency.hasBytes(of: other)
  }
}
