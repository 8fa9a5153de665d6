import Retrace
import TimeTracking

/// A report with the lines of its groups, which frames keep while nothing of it changes.
///
/// So a frame makes only the texts of the lines that it shows.
struct ReportLines: Sendable {
  /// A line of the table: a group and its level.
  struct Line: Sendable {
    var key: ReportKey
    var figures: ReportFigures
    var level: Int
  }

  /// The cells that the widest texts of figures take.
  struct Widths: Sendable {
    private(set) var time = 0
    private(set) var amount = 0

    fileprivate mutating func fit(_ figures: ReportFigures, _ style: TimeStyle) {
      time = max(time, TextWidth.of(style.text(figures.exact.time)))
      if !figures.exact.amounts.isEmpty {
        amount = max(amount, TextWidth.of(figures.exact.amountText))
      }
    }
  }

  /// The report.
  private(set) var report: Report
  /// The lines of all groups, each above those of its next level.
  private(set) var lines: [Line]
  /// The cells of the times and the amounts.
  private(set) var widths: Widths
  /// The names of the groups.
  private(set) var labels: ReportLabels
  private let counted: EndedReport
  private let domain: DomainState
  private let endedWidths: Widths
  /// The report of the running entries alone.
  private var running: Report

  /// Counts the entries of a state at a moment.
  ///
  /// - Complexity: As `EndedReport.init(_:in:)`, and O(groups).
  init(_ query: ReportQuery, in domain: DomainState, at moment: Moment) {
    let counted = EndedReport(query, in: domain)
    let style = query.calendar.style
    var widths = Widths()
    for line in Self.lines(of: counted.ended.groups, level: 0) { widths.fit(line.figures, style) }
    (self.counted, self.domain, endedWidths) = (counted, domain, widths)
    running = counted.running(at: moment)
    report = counted.report(with: running)
    lines = Self.lines(of: report.groups, level: 0)
    labels = ReportLabels(report, in: domain)
    self.widths = widths
    fitRunning()
  }

  /// Returns whether the lines are of a state.
  ///
  /// - Complexity: As `EndedReport.isOf(_:)`.
  func isOf(_ domain: DomainState) -> Bool { counted.isOf(domain) }

  /// Returns whether the lines are of a query and a state.
  ///
  /// - Complexity: As `EndedReport.isOf(_:in:)`.
  func isOf(_ query: ReportQuery, in domain: DomainState) -> Bool {
    counted.isOf(query, in: domain)
  }

  /// Lets the running entries end at another moment.
  ///
  /// - Complexity: O(running entries) if their times in whole seconds are the same, else O(groups).
  mutating func follow(to moment: Moment) {
    let running = counted.running(at: moment)
    guard running != self.running else { return }
    self.running = running
    report = counted.report(with: running)
    lines = Self.lines(of: report.groups, level: 0)
    if !hasNames(of: running.groups) { labels = ReportLabels(report, in: domain) }
    fitRunning()
  }

  private func hasNames(of groups: [ReportGroup]) -> Bool {
    groups.allSatisfy { labels.hasNames(of: $0.key) && hasNames(of: $0.groups) }
  }

  /// Widens the columns for the total and for the groups that have a running entry.
  private mutating func fitRunning() {
    let style = report.query.calendar.style
    widths = endedWidths
    widths.fit(report.total, style)
    var parts = [(running.groups, report.groups)]
    while let (some, all) = parts.popLast() {
      for group in some {
        guard let whole = all.first(where: { $0.key == group.key }) else { continue }
        widths.fit(whole.figures, style)
        parts.append((group.groups, whole.groups))
      }
    }
  }

  private static func lines(of groups: [ReportGroup], level: Int) -> [Line] {
    var lines: [Line] = []
    func add(_ groups: [ReportGroup], _ level: Int) {
      for group in groups {
        lines.append(Line(key: group.key, figures: group.figures, level: level))
        add(group.groups, level + 1)
      }
    }
    add(groups, level)
    return lines
  }
}

extension ReportSums {
  /// The amounts in their currencies, on one line.
  var amountText: String { amounts.map { $0.text }.joined(separator: ", ") }
}
