import Retrace
import RetraceToolSupport
import TimeTracking

/// A report as comma-separated values: a header, and a line for each innermost group.
///
/// There is a column for each level of groups, and one of amounts for each currency, at least one.
/// If times are rounded, a column of rounded values follows each one of exact values. A group of
/// entries that have no project, client, task, tag, workspace or description has an empty field.
struct ReportCSV {
  private let text: ReportText
  private let texts: CSVTexts

  /// Creates the values of a report.
  init(_ text: ReportText, _ texts: CSVTexts) {
    self.text = text
    self.texts = texts
  }

  /// Prints the lines.
  func print(_ output: Output) {
    output.startBuffering()
    let report = text.report
    // Programs that read the columns find one of amounts, also if nothing has a rate.
    let amounts = report.total.exact.amounts
    let currencies = amounts.isEmpty ? [nil] : amounts.map(\.currency)
    let isRounded = report.query.rounding != nil
    func columns(_ name: String) -> [String] { isRounded ? [name, "rounded_\(name)"] : [name] }
    var header = report.query.grouping.map(\.word) + ["entries"]
    header += ["hours", "seconds", "billable_seconds"].flatMap { columns($0) }
    header += currencies.flatMap { columns($0.map { "amount_\($0)" } ?? "amount") }
    CSVLine(fields: header).print(output)
    guard !text.isEmpty else { return }
    func add(_ fields: [String], _ figures: ReportFigures) {
      func columns(_ value: (ReportSums) -> String) -> [String] {
        [value(figures.exact)] + (figures.rounded.map { [value($0)] } ?? [])
      }
      var fields = fields + ["\(figures.entries)"]
      fields += columns(\.time.decimalHours) + columns { "\($0.time.seconds)" }
      fields += columns { "\($0.billable.seconds)" }
      fields += currencies.flatMap { currency in
        columns { $0.amounts.first { $0.currency == currency }?.decimal ?? "0.00" }
      }
      CSVLine(fields: fields).print(output)
    }
    func add(_ groups: [ReportGroup], within fields: [String]) {
      for group in groups {
        let fields = fields + [texts.field(text.field(group.key))]
        if group.groups.isEmpty {
          add(fields, group.figures)
        } else {
          add(group.groups, within: fields)
        }
      }
    }
    add(report.groups, within: [])
  }
}
