import Figures

/// One line of the table: a figure of ours, beside one yardstick or by itself.
struct Line {
  /// Whether the target was reached.
  enum Verdict: String {
    case met, missed, failed
    /// There is no target.
    case shown = ""
  }

  var suite: String
  var row: String
  var operations: String
  var ours: String
  var yardstick: String
  var ratio: String
  var limit: String
  var target: String
  var verdict: Verdict
  var checksum: String

  /// The cells in the order of ``titles``.
  var cells: [String] {
    [row, operations, ours, yardstick, ratio, limit, target, verdict.rawValue, checksum]
  }

  /// The titles of the columns.
  static let titles = [
    "row", "operations", "ours", "yardstick", "ratio", "limit", "target", "verdict", "checksum",
  ]

  /// The cells in the order of ``targetTitles``; a missed target is set in bold.
  var targetCells: [String] {
    let verdict = verdict == .missed ? "**\(verdict.rawValue)**" : verdict.rawValue
    return [row, ours, yardstick, ratio, target, verdict]
  }

  /// The titles of the columns of the page of figures.
  static let targetTitles = ["row", "ours", "yardstick", "ratio", "target", "verdict"]

  /// The lines of a row: one for ours if it has a target of its own or no yardstick, and one for
  /// each yardstick.
  static func lines(of record: Record) -> [Line] {
    let first = record.sides.first?.rounds.first
    let base = Line(
      suite: record.suite, row: record.row, operations: first.map { grouped($0.operations) } ?? "",
      ours: "", yardstick: "", ratio: "", limit: record.limit, target: "", verdict: .shown,
      checksum: first?.checksum ?? "")
    if let failure = record.failure {
      var line = base
      line.verdict = .failed
      line.limit = failure
      return [line]
    }
    guard let ours = record.sides.first, let median = median(ours.rounds.map(\.value)) else {
      var line = base
      line.verdict = .failed
      line.limit = "no round was measured"
      return [line]
    }
    var lines: [Line] = []
    let unit = record.unit.text
    if ours.target != nil || record.sides.count == 1 {
      var line = base
      line.ours = "\(digits(median)) \(unit)"
      line.judge(ours.target, figure: median, times: nil)
      lines.append(line)
    }
    for yardstick in record.sides.dropFirst() {
      var line = base
      line.ours = "\(digits(median)) \(unit)"
      line.compare(ours, yardstick, in: record)
      lines.append(line)
    }
    return lines
  }

  private mutating func compare(
    _ ours: Record.Side, _ yardstick: Record.Side, in record: Record
  ) {
    let value = Figures.median(yardstick.rounds.map(\.value)) ?? .nan
    self.yardstick = "\(yardstick.name) \(digits(value)) \(record.unit.text)"
    var base: Record.Side?
    if case .timesYardstickBeyond(let side, _) = yardstick.target {
      base = record.sides.first { $0.name == side }
    }
    guard let times = medianRatio(of: ours, to: yardstick, beyond: base) else { return }
    switch yardstick.target {
    case .timesYardstickBeyond(let side, _): ratio = "\(side) + \(digits(times))x"
    case .fasterThanYardstick: ratio = "\(digits(1 / times))x faster"
    default: ratio = "\(digits(times))x"
    }
    judge(yardstick.target, figure: .nan, times: times)
  }

  /// Sets the verdict: compares a figure, or the ratio to the yardstick, with a target.
  private mutating func judge(_ target: Target?, figure: Double, times: Double?) {
    guard let target else { return }
    self.target = target.text
    let isMet =
      switch target {
      case .atMost(let most): figure <= most
      case .atLeast(let least): figure >= least
      case .timesYardstick(let most), .timesYardstickBeyond(_, let most):
        (times ?? .infinity) <= most
      case .fasterThanYardstick(let least): 1 / (times ?? .infinity) >= least
      }
    verdict = isMet ? .met : .missed
  }
}

/// Returns the median of the rounds' ratios of our time, minus another side's, to the yardstick's
/// time.
func medianRatio(
  of ours: Record.Side, to yardstick: Record.Side, beyond base: Record.Side? = nil
) -> Double? {
  median(
    ours.rounds.indices.compactMap { round -> Double? in
      guard yardstick.rounds.indices.contains(round), let our = ours.rounds[round].nanoseconds,
        let their = yardstick.rounds[round].nanoseconds
      else { return nil }
      return Double(our - (base?.rounds[round].nanoseconds ?? 0)) / Double(their)
    })
}

/// Returns a number with three digits: three decimals below 1, and none from 100 on.
func digits(_ value: Double) -> String {
  guard value.isFinite else { return "?" }
  let size = abs(value)
  let places = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3
  var scale = 1.0
  for _ in 0..<places { scale *= 10 }
  let scaled = Int((size * scale).rounded())
  let whole = grouped(scaled / Int(scale))
  let sign = value < 0 ? "-" : ""
  guard places > 0 else { return sign + whole }
  let fraction = String(scaled % Int(scale))
  return sign + whole + "." + String(repeating: "0", count: places - fraction.count) + fraction
}

/// A count with commas between groups of three digits.
func grouped(_ count: UInt64) -> String { grouped(Int(clamping: count)) }
