import Retrace
import RetraceReplay
import RetraceSystem
import RetraceToolSupport
import TerminalUI

/// The text output of a bench: tables with bars, as wide as the terminal.
struct BenchText {
  /// The probability that the bounds shown contain the true median.
  static var confidence: Double { 0.99 }

  private let run: BenchRun
  private let bootstrap: Bootstrap
  private let width: Int
  private let usesColor: Bool

  init(_ run: BenchRun, bootstrap: Bootstrap) {
    self.run = run
    self.bootstrap = bootstrap
    let columns = ThisProcess.environment("COLUMNS").flatMap { Int($0) }
    // A pipe has no width, so `COLUMNS` is used, or else the usual width of a terminal.
    width = max(20, min(200, Terminal.size(1)?.columns ?? columns ?? 80))
    let palette = TerminalPalette(color: nil, theme: nil, isTerminal: Terminal.isTerminal(1)) {
      ThisProcess.environment($0)
    }
    usesColor = palette != nil
  }

  func printRun() {
    printWrapped(
      "\(run.app) \(run.build): \(Self.grouped(run.records)) records, "
        + "\(Self.grouped(run.bytes)) bytes, \(run.rounds) rounds after a warm-up, "
        + "\(run.hashes) state hash\(run.hashes == 1 ? "" : "es") per round")
    Output.standard.print("")
    show(parts)
    Output.standard.print("")
    printWrapped("Bars show times. fold = scan + decode + reduce; whole = verify + fold + hash.")
    Output.standard.print("")
    show(times)
    Output.standard.print("")
    show(bytes)
  }

  private var parts: BenchChart {
    BenchChart(
      title: "part", columns: ["ns/record", "records/s", "+- %"],
      rows: BenchPart.allCases.map { part in
        let rounds = run.parts[part] ?? []
        let interval = bootstrap.interval(of: rounds, confidence: Self.confidence)
        let rate = interval.median > 0 ? 1_000_000_000 / interval.median : 0
        let share = interval.median > 0 ? interval.halfWidth / interval.median * 100 : 0
        return BenchChart.Row(
          name: part.rawValue,
          cells: [
            Self.number(interval.median), Self.rate(rate), Self.number(share),
          ],
          value: interval.median)
      })
  }

  private var times: BenchChart {
    BenchChart(
      title: "type", columns: ["records", "ns p50", "p99", "decode", "reduce"],
      rows: sorted.map { type in
        BenchChart.Row(
          name: type.recordType.name,
          cells: [Self.grouped(type.recordType.records)]
            + [.whole50, .whole99, .decode50, .reduce50].map { Self.number(type.median($0)) },
          value: type.median(.whole50))
      })
  }

  private var bytes: BenchChart {
    BenchChart(
      title: "type",
      columns: ["bytes in the log p50", "p99"],
      rows: sorted.map { type in
        BenchChart.Row(
          name: type.recordType.name,
          cells: [Self.number(type.recordType.bytes.p50), Self.number(type.recordType.bytes.p99)])
      })
  }

  /// The types, sorted by their share of the total time, largest first.
  private var sorted: [BenchRun.TypeTimings] { run.types.sorted { totalTime($0) > totalTime($1) } }

  private func totalTime(_ type: BenchRun.TypeTimings) -> Double {
    type.median(.whole50) * Double(type.recordType.records)
  }

  func printComparison(_ comparison: BenchComparison, with name: String) {
    Output.standard.print("")
    let reference = comparison.reference
    printWrapped(
      "Compared with \(SafeText.line(name, bytesMax: 256)) (\(reference.app) \(reference.build)), "
        + (comparison.design == .alternating
          ? "in alternating rounds:" : "with \(reference.rounds) rounds of an earlier run:"))
    Output.standard.print("")
    show(chart("part", comparison.parts))
    let found = comparison.types.filter { ($0.verdict?.finding ?? .noDifference) != .noDifference }
    if !found.isEmpty {
      Output.standard.print("")
      show(chart("type", found))
    }
    Output.standard.print("")
    let smallest = comparison.types.compactMap { $0.verdict?.smallestVisible }
    let same = smallest.count - found.count
    let types = smallest.count == 1 ? "1 type" : "\(smallest.count) types"
    if !smallest.isEmpty {
      let visible = Self.percent(Bootstrap.median(smallest))
      printWrapped(
        "No difference was found in \(same) of \(types); in half of these types, a difference "
          + "of \(visible) or more would have been found.")
    }
    let few = comparison.types.filter { $0.verdict == nil }.map(\.name)
    if !few.isEmpty {
      printWrapped(
        "Not compared, because they are too rare or too short: \(few.joined(separator: ", ")).")
    }
    if !comparison.unmatched.isEmpty {
      printWrapped(
        "Types that only one of the two runs has: \(comparison.unmatched.joined(separator: ", ")).")
    }
    if let fold = comparison.parts.first(where: { $0.name == BenchPart.fold.rawValue }) {
      printWrapped(Self.sentence(fold))
    }
  }

  private func chart(_ title: String, _ rows: [BenchComparison.Row]) -> BenchChart {
    BenchChart(
      title: title, columns: ["verdict", "change", "visible from", "this", "other"],
      rows: rows.map { row in
        BenchChart.Row(
          name: row.name,
          cells: [
            Self.word(row), row.verdict.map { Self.signed($0.difference.median) } ?? "-",
            row.verdict.map { Self.percent($0.smallestVisible) } ?? "-",
            Self.number(row.current), Self.number(row.reference),
          ])
      })
  }

  private static func word(_ row: BenchComparison.Row) -> String {
    switch row.verdict?.finding {
    case .faster: "faster"
    case .slower: "slower"
    case .noDifference: "no difference found"
    case nil: "not compared"
    }
  }

  private static func sentence(_ row: BenchComparison.Row) -> String {
    guard let verdict = row.verdict else { return "The folds are too short to be compared." }
    let change = percent(abs(verdict.difference.median))
    let bounds =
      "the change is between \(signed(verdict.difference.low)) and "
      + signed(verdict.difference.high)
    return switch verdict.finding {
    case .faster: "This build's fold takes \(change) less time; \(bounds)."
    case .slower: "This build's fold takes \(change) more time; \(bounds)."
    case .noDifference:
      "No difference was found in the fold; one of \(percent(verdict.smallestVisible)) or more "
        + "would have been found."
    }
  }

  private func show(_ chart: BenchChart) {
    for line in chart.lines(
      width: width, paint: usesColor ? { "\u{1B}[36m\($0)\u{1B}[0m" } : { $0 })
    {
      // The chart passed the names through `SafeText`.
      Output.standard.printRaw(line)
    }
  }

  private func printWrapped(_ text: String) {
    var line = ""
    var words = SafeText.line(text).split(separator: " ")[...]
    while let word = words.popFirst() {
      if !line.isEmpty, TextWidth.of(line) + 1 + TextWidth.of(word) > width {
        Output.standard.print(line)
        line = ""
      }
      // A path can be longer than a line.
      let beginning = TextWidth.prefix(of: word, fitting: width - TextWidth.of(line) - 1)
      if line.isEmpty, beginning.endIndex < word.endIndex, !beginning.isEmpty {
        line = String(beginning)
        words.insert(word[beginning.endIndex...], at: words.startIndex)
      } else {
        line += line.isEmpty ? String(word) : " " + word
      }
    }
    Output.standard.print(line)
  }
}

// The formatting of figures.
extension BenchText {
  /// Formats a number, with one decimal if it is below 100.
  static func number(_ value: Double) -> String {
    guard value.isFinite else { return "-" }
    guard abs(value) < 100 else { return grouped(value.rounded()) }
    let tenths = (value * 10).rounded() / 10
    return tenths == tenths.rounded() ? "\(Int(tenths))" : "\(tenths)"
  }

  /// Formats records per second, as in `12.3 M`.
  static func rate(_ value: Double) -> String {
    if value >= 1_000_000 { return number(value / 1_000_000) + " M" }
    if value >= 1_000 { return number(value / 1_000) + " k" }
    return number(value)
  }

  static func percent(_ share: Double) -> String {
    share.isFinite ? "\(number(share * 100)) %" : "-"
  }

  static func signed(_ share: Double) -> String {
    (share > 0 ? "+" : "") + percent(share)
  }

  static func grouped(_ value: UInt64) -> String { grouped(Double(value)) }

  private static func grouped(_ value: Double) -> String {
    guard let whole = Int64(exactly: value) else { return "\(value)" }
    var digits = "\(whole.magnitude)"
    var groups: [String] = []
    while digits.count > 3 {
      groups.insert(String(digits.suffix(3)), at: 0)
      digits.removeLast(3)
    }
    return (whole < 0 ? "-" : "") + ([digits] + groups).joined(separator: ",")
  }
}
