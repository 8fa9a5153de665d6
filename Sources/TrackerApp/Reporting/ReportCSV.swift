package import Retrace
import RetraceAvro
package import RetraceToolSupport
package import TimeTracking
import TrackerFormats

/// A report as comma-separated values: a header, and a line for each innermost group.
///
/// There is a column for each level of groups, and one of amounts for each currency, at least one.
/// If times are rounded, a column of rounded values follows each one of exact values. A group of
/// entries that have no project, client, task, tag, workspace or description has an empty field.
///
/// If totals are exact and the lines of a group do not add up to its total, a line with the name
/// `(rounding)` in place of an inner group has the rest. So the columns add up,
/// except hours, which have four decimals: in each line they follow from its seconds.
package struct ReportCSV {
  /// A column of numbers.
  private struct Column {
    var name: String
    /// Returns a number of the column as a field.
    var field: (Int64) -> String
    /// Returns the number of sums.
    var number: (ReportSums) -> Int64
  }

  private let report: Report
  private let labels: ReportLabels
  private let totalOf: ReportTotal
  private let areTextsExact: Bool
  private let columns: [Column]
  private let isRounded: Bool

  /// Creates the values of a report.
  ///
  /// - Parameters:
  ///   - report: The report.
  ///   - labels: The names of its groups.
  ///   - totalOf: What the totals are.
  ///   - areTextsExact: Whether texts are written as they are, and not marked for spreadsheets that
  ///     would compute them.
  package init(
    _ report: Report, _ labels: ReportLabels, _ totalOf: ReportTotal = .exact,
    areTextsExact: Bool = false
  ) {
    (self.report, self.labels, self.totalOf) = (report, labels, totalOf)
    self.areTextsExact = areTextsExact
    isRounded = report.query.rounding != nil
    // Programs that read the columns find one of amounts, also if nothing has a rate.
    let amounts = report.total.exact.amounts
    let currencies = amounts.isEmpty ? [nil] : amounts.map(\.currency)
    columns =
      [
        Column(name: "hours", field: Self.hours) { $0.time.tenThousandthsOfHours },
        Column(name: "seconds", field: { "\($0)" }) { $0.time.seconds },
        Column(name: "billable_seconds", field: { "\($0)" }) { $0.billable.seconds },
      ]
      + currencies.map { currency in
        Column(name: currency.map { "amount_\($0)" } ?? "amount", field: Amount.decimal) {
          $0.hundredths(in: currency)
        }
      }
  }

  private static func hours(_ parts: Int64) -> String {
    let rest = Int(parts.magnitude % 10_000)
    return "\(parts < 0 ? "-" : "")\(parts.magnitude / 10_000).\(padded(rest, to: 4))"
  }

  /// Returns numbers with the hours of their seconds.
  private func withHours(_ numbers: [Int64]) -> [Int64] {
    // The first two columns are hours and seconds.
    let width = isRounded ? 2 : 1
    let hours = numbers[width..<2 * width].map { ElapsedTime.seconds($0).tenThousandthsOfHours }
    return hours + numbers[width...]
  }

  /// The lines, the first one with the names of the columns.
  package var lines: [CSVLine] {
    let levels = report.query.grouping.map(\.word)
    let names = columns.flatMap { isRounded ? [$0.name, "rounded_\($0.name)"] : [$0.name] }
    var lines = [CSVLine(fields: levels + ["entries"] + names)]
    guard report.total.entries > 0 else { return lines }
    let report = report.lines(totalOf) { figures in
      columns.flatMap { column in
        [column.number(figures.exact)] + (figures.rounded.map { [column.number($0)] } ?? [])
      }
    }
    func add(_ fields: [String], _ entries: Int, _ numbers: [Int64]) {
      let width = isRounded ? 2 : 1
      let values = numbers.enumerated().map { columns[$0 / width].field($1) }
      lines.append(CSVLine(fields: fields + ["\(entries)"] + values))
    }
    func add(_ line: ReportLine, within fields: [String]) {
      for group in line.lines {
        let fields = fields + [group.key.map(field) ?? ""]
        if group.lines.isEmpty {
          add(fields, group.figures.entries, group.values)
        } else {
          add(group, within: fields)
        }
      }
      guard let difference = line.difference.map(withHours), difference.contains(where: { $0 != 0 })
      else { return }
      let rest = Array(repeating: "", count: levels.count - fields.count - 1)
      add(fields + [ReportLine.differenceLabel] + rest, 0, difference)
    }
    add(report, within: [])
    return lines
  }

  /// Returns the name of a group as a field; empty for none.
  private func field(_ key: ReportKey) -> String {
    let found = labels.shownNames(of: key)
    let text =
      switch key {
      case .month(let date): String("\(date)".dropLast(3))
      case .tags: TagCell.text(of: found)
      default: found.first ?? ""
      }
    return areTextsExact ? text : SpreadsheetText.marked(text)
  }
}

extension ReportSums {
  /// Returns the amount in a currency in hundredths, rounded.
  package func hundredths(in currency: String?) -> Int64 {
    amounts.first { $0.currency == currency }?.hundredths ?? 0
  }
}

extension ElapsedTime {
  /// The time in ten-thousandths of an hour, rounded to the nearest.
  package var tenThousandthsOfHours: Int64 {
    (seconds * 10_000 + (seconds < 0 ? -1_800 : 1_800)) / 3_600
  }
}
