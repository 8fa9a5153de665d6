import Retrace
import TimeTracking

/// A report with the lines of its groups, which frames keep while nothing of it changes.
///
/// So a frame makes only the texts of the lines that it shows.
struct ReportLines: Sendable {
  /// A line of the table: the figures of a group, and its level.
  ///
  /// Where the shown numbers of groups do not add up, a line without a group has the rest, as in
  /// `track report`.
  struct Line: Sendable {
    var key: ReportKey?
    /// The exact time.
    var time: ElapsedTime
    /// The sums that are billed: the rounded ones, if the report rounds.
    var billed: ReportSums
    var level: Int

    fileprivate init(_ key: ReportKey?, _ time: ElapsedTime, _ billed: ReportSums, level: Int) {
      (self.key, self.time, self.billed, self.level) = (key, time, billed, level)
    }
  }

  /// The cells that the widest texts of figures take.
  struct Widths: Sendable {
    private(set) var time = 0
    private(set) var rounded = 0
    private(set) var billable = 0
    private(set) var amount = 0

    fileprivate mutating func fit(
      _ time: ElapsedTime, _ billed: ReportSums, _ style: TimeStyle
    ) {
      self.time = max(self.time, TextWidth.of(style.text(time)))
      rounded = max(rounded, TextWidth.of(style.text(billed.time)))
      billable = max(billable, TextWidth.of(style.text(billed.billable)))
      if !billed.amounts.isEmpty { amount = max(amount, TextWidth.of(billed.amountText)) }
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
  /// The report of the running entries alone or, of rounded times, which do not add up, of all.
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
    for line in Self.lines(of: counted.ended) { widths.fit(line.time, line.billed, style) }
    (self.counted, self.domain, endedWidths) = (counted, domain, widths)
    running = Self.running(of: counted, at: moment)
    report = query.rounding == nil ? counted.report(with: running) : running
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

  private static func running(of counted: EndedReport, at moment: Moment) -> Report {
    counted.query.rounding == nil ? counted.running(at: moment) : counted.report(at: moment)
  }

  /// Lets the running entries end at another moment.
  ///
  /// - Complexity: O(running entries) if their times in whole seconds are the same, else O(groups);
  ///   of rounded times, O(groups).
  mutating func follow(to moment: Moment) {
    let running = Self.running(of: counted, at: moment)
    guard running != self.running else { return }
    self.running = running
    report = counted.query.rounding == nil ? counted.report(with: running) : running
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
    widths.fit(report.total.exact.time, report.total.billed, style)
    hasRest = false
    for line in lines where line.key == nil {
      hasRest = true
      widths.fit(line.time, line.billed, style)
    }
    var parts = [(running.groups, report.groups)]
    while let (some, all) = parts.popLast() {
      for group in some {
        guard let whole = all.first(where: { $0.key == group.key }) else { continue }
        widths.fit(whole.figures.exact.time, whole.figures.billed, style)
        parts.append((group.groups, whole.groups))
      }
    }
  }

  private static func lines(of report: Report) -> [Line] {
    let style = report.query.calendar.style
    var lines: [Line] = []
    func add(_ groups: [ReportGroup], of total: ReportFigures, _ level: Int) {
      for group in groups {
        let figures = group.figures
        lines.append(Line(group.key, figures.exact.time, figures.billed, level: level))
        add(group.groups, of: figures, level + 1)
      }
      if let rest = total.rest(after: groups, in: style) {
        lines.append(Line(nil, rest.time, rest.billed, level: level))
      }
    }
    add(report.groups, of: report.total, 0)
    return lines
  }
}

extension ReportFigures {
  /// The sums that are billed: the rounded ones, if there are any.
  var billed: ReportSums { rounded ?? exact }

  /// Returns what the shown numbers of groups lack to be the shown figures; `nil` if they add up,
  /// and for groups of each tag, which need not.
  ///
  /// - Complexity: O(groups × currencies).
  fileprivate func rest(
    after groups: [ReportGroup], in style: TimeStyle
  ) -> (time: ElapsedTime, billed: ReportSums)? {
    guard groups.first?.key.isOfEachTag == false else { return nil }
    var seconds = style.shownSeconds(exact.time)
    var billedSeconds = style.shownSeconds(billed.time)
    var billableSeconds = style.shownSeconds(billed.billable)
    let amounts = billed.amounts
    var hundredths = amounts.map { $0.hundredths }
    for group in groups {
      seconds -= style.shownSeconds(group.figures.exact.time)
      billedSeconds -= style.shownSeconds(group.figures.billed.time)
      billableSeconds -= style.shownSeconds(group.figures.billed.billable)
      for amount in group.figures.billed.amounts {
        guard let index = amounts.firstIndex(where: { $0.isIn(amount.currency) }) else { continue }
        hundredths[index] = hundredths[index].subtractingClamped(amount.hundredths)
      }
    }
    var rest = billed
    (rest.time, rest.billable) = (.seconds(billedSeconds), .seconds(billableSeconds))
    rest.amounts = []
    for (amount, number) in zip(amounts, hundredths) where number != 0 {
      rest.amounts.append(Amount(of: .seconds(3_600), at: number, in: amount.currency))
    }
    let addsUp = seconds == 0 && billedSeconds == 0 && billableSeconds == 0
    return addsUp && rest.amounts.isEmpty ? nil : (.seconds(seconds), rest)
  }
}

extension ReportSums {
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
