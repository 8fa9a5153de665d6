import Retrace
import RetraceToolSupport
import TimeTracking
import TrackerFeatures
import TrackerFormats

/// Entries as comma-separated values: a header, and a line for each entry.
struct EntryCSV {
  private static let header = [
    "id", "user", "start", "end", "hours", "seconds", "client", "project", "task", "tags",
    "description", "billable", "rate", "currency", "amount", "seconds_in_range",
    "amount_in_range",
  ]

  let entries: [EntryText]
  let texts: CSVTexts
  /// The rules of the zone of the starts and ends.
  let rules: ZoneRules
  /// The range in which the entries have time; `nil` for all time.
  let range: Range<Moment>?

  /// Prints the lines.
  func print(_ output: Output) {
    output.startBuffering()
    let exact = CSVHeader.exactColumn
    CSVLine(fields: Self.header + (texts.areExact ? [exact.name] : [])).print(output)
    for text in entries {
      CSVLine(fields: fields(text) + (texts.areExact ? [exact.value] : [])).print(output)
    }
  }

  /// The note on amounts whose sum differs from a report's; `nil` if they add up to it.
  var note: String? {
    var (lines, exact): ([String: Int64], [String: Amount]) = ([:], [:])
    for text in entries where text.entry.isBillable {
      guard let rate = text.entry.rate else { continue }
      let time = range.map { text.elapsed(in: $0) } ?? text.elapsed
      let amount = Amount(of: time, at: rate, in: text.currency)
      let code = text.currency ?? ""
      lines[code, default: 0] += amount.hundredths
      exact[code] = exact[code]?.adding(amount) ?? amount
    }
    let sums = exact.keys.sorted().compactMap { code -> String? in
      guard let sum = exact[code], let line = lines[code], line != sum.hundredths else {
        return nil
      }
      let before = code.isEmpty ? "" : "\(code) "
      return "\(before)\(Amount.decimal(line)) instead of \(before)\(sum.decimal)"
    }
    guard !sums.isEmpty else { return nil }
    return "each amount is rounded, so amounts add up to \(sums.joined(separator: ", ")), the "
      + "total of a report"
  }

  private func fields(_ text: EntryText) -> [String] {
    let (entry, labels) = (text.entry, text.labels)
    let rate = entry.isBillable ? entry.rate : nil
    let names = [
      labels.client ?? "", labels.project ?? "", labels.task ?? "",
      TagCell.text(of: labels.tags), entry.description,
    ]
    var fields = ["\(text.id.value)", texts.field(labels.user), rules.rfc3339(entry.start)]
    fields += [
      entry.end.map(rules.rfc3339) ?? "", text.elapsed.decimalHours, "\(text.elapsed.seconds)",
    ]
    fields += names.map { texts.field($0) }
    fields += [entry.isBillable ? "yes" : "no", rate.map(Amount.decimal) ?? ""]
    fields.append(rate == nil ? "" : text.currency ?? "")
    func amount(of time: ElapsedTime) -> String {
      rate.map { Amount(of: time, at: $0, in: text.currency).decimal } ?? ""
    }
    let timeInRange = range.map { text.elapsed(in: $0) } ?? text.elapsed
    fields += [amount(of: text.elapsed), "\(timeInRange.seconds)", amount(of: timeInRange)]
    return fields
  }
}

extension ZoneRules {
  /// Returns a moment as RFC 3339, with the offset of the zone.
  func rfc3339(_ moment: Moment) -> String {
    let time = local(at: moment)
    return "\(time.date)T\(time.clockWithSeconds)\(offsetText(at: moment))"
  }
}
