import RetraceScreen
import RetraceState
import RetraceToolSupport
import TimeTracking

/// A report as comma-separated values: a header, and a line for each innermost group.
///
/// There is a column for each level of groups, and one of amounts for each currency, at least one.
/// A group of entries that have no project, client, task, tag, workspace or description has an
/// empty field.
struct ReportCSV {
  private let text: ReportText

  /// Makes the values of a report.
  init(_ text: ReportText) { self.text = text }

  /// Prints the lines.
  func print() {
    Output.startBuffering()
    let report = text.report
    // Programs that read the columns find one of amounts, also if nothing has a rate.
    let amounts = report.total.exact.amounts
    let currencies = amounts.isEmpty ? [nil] : amounts.map(\.currency)
    let isRounded = report.query.rounding != nil
    var header = report.query.grouping.map(\.word) + ["entries", "seconds"]
    if isRounded { header.append("rounded_seconds") }
    header.append("billable_seconds")
    header += currencies.map { $0.map { "amount_\($0)" } ?? "amount" }
    line(header)
    guard !text.isEmpty else { return }
    func add(_ fields: [String], _ figures: ReportFigures) {
      let billed = figures.rounded ?? figures.exact
      var fields = fields + ["\(figures.entries)", "\(figures.exact.time.seconds)"]
      if isRounded { fields.append("\(billed.time.seconds)") }
      fields.append("\(billed.billable.seconds)")
      fields += currencies.map { currency in
        billed.amounts.first { $0.currency == currency }?.decimal ?? "0.00"
      }
      line(fields)
    }
    func add(_ groups: [ReportGroup], within fields: [String]) {
      for group in groups {
        let fields = fields + [text.field(group.key)]
        if group.groups.isEmpty {
          add(fields, group.figures)
        } else {
          add(group.groups, within: fields)
        }
      }
    }
    add(report.groups, within: [])
  }

  /// Prints a line; it is made safe as all lines are, but never cut.
  private func line(_ fields: [String]) {
    let line = fields.map { Self.quoted($0) }.joined(separator: ",")
    Output.printRaw(SafeText.line(line, bytesMax: .max))
  }

  /// Returns a field, in quotes if it needs them.
  private static func quoted(_ field: String) -> String {
    let special: [UInt8] = [0x22, 0x2c, 0x0a, 0x0d]
    guard field.utf8.contains(where: { special.contains($0) }) else { return field }
    return "\"\(field.replacing("\"", with: "\"\""))\""
  }
}
