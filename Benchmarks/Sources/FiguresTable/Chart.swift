import Figures
import Foundation

/// The headline figures as an SVG image: how many times as long as its yardstick each takes.
struct Chart {
  /// A row of the table, the yardstick it is compared with, and what the image calls it.
  private static let headlines: [(row: String, yardstick: String, name: String)] = [
    (
      "summary of everything, 100,000 entries", "timewarrior",
      "report over 100,000 entries, compared with timewarrior"
    ),
    (
      "summary of everything, 100,000 entries", "hledger",
      "report over 100,000 entries, compared with hledger"
    ),
    (
      "summary of everything, 100,000 entries", "ledger",
      "report over 100,000 entries, compared with ledger"
    ),
    (
      "start, 100,000 entries", "timewarrior",
      "start an entry among 100,000, compared with timewarrior"
    ),
    (
      "import, wall time", "C",
      "import the published log, compared with C over LMDB"
    ),
    ("encode", "JSONEncoder", "encode an action, compared with JSONEncoder"),
    ("encode", "swift-protobuf", "encode an action, compared with swift-protobuf"),
    ("decode", "JSONDecoder", "decode an action, compared with JSONDecoder"),
    ("decode", "swift-protobuf", "decode an action, compared with swift-protobuf"),
    (
      "reduce, ten composed reducers, 10,000 entries", "one hand-written switch",
      "reduce an action, compared with a hand-written switch"
    ),
    (
      "log to state, 10,000,000 actions, 10,000 entries", "C",
      "fold 10,000,000 actions from the log, compared with C"
    ),
    (
      "durable action, awaited", "write + fdatasync",
      "make an action durable, compared with write and fdatasync"
    ),
  ]

  private static let labelWidth = 400.0
  private static let barWidth = 420.0
  private static let rowHeight = 26.0
  /// The ends of the logarithmic scale: this many times faster and slower than the yardstick.
  private static let (fastest, slowest) = (512.0, 8.0)

  let records: [Record]
  let machine: String

  /// The bars of the rows that were measured: name, and times the yardstick's time.
  private var bars: [(name: String, times: Double)] {
    Self.headlines.compactMap { headline in
      guard let record = records.first(where: { $0.row == headline.row }),
        let ours = record.sides.first,
        let yardstick = record.sides.dropFirst().first(where: {
          $0.name.hasPrefix(headline.yardstick)
        }), let times = medianRatio(of: ours, to: yardstick)
      else { return nil }
      return (headline.name, times)
    }
  }

  /// The image.
  var svg: String {
    let bars = bars
    let width = Self.labelWidth + Self.barWidth + 120
    let height = Self.rowHeight * Double(bars.count) + 76
    let middle = Self.x(1)
    var lines = [
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(Int(width))\" height=\"\(Int(height))\""
        + " font-family=\"Helvetica, Arial, sans-serif\" font-size=\"13\">",
      "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>",
    ]
    for (number, bar) in bars.enumerated() {
      let y = 20 + Self.rowHeight * Double(number)
      let end = Self.x(bar.times)
      let color = bar.times <= 1 ? "#3c8d5a" : "#c98a2b"
      let text =
        bar.times < 1 ? "\(digits(1 / bar.times))x faster" : "\(digits(bar.times))x the time"
      lines += [
        "<text x=\"16\" y=\"\(y + 14)\">\(bar.name)</text>",
        "<rect x=\"\(min(middle, end))\" y=\"\(y)\" width=\"\(max(1, abs(end - middle)))\""
          + " height=\"18\" fill=\"\(color)\"/>",
        "<text x=\"\(max(middle, end) + 6)\" y=\"\(y + 14)\">\(text)</text>",
      ]
    }
    let bottom = 20 + Self.rowHeight * Double(bars.count)
    lines += [
      "<line x1=\"\(middle)\" y1=\"12\" x2=\"\(middle)\" y2=\"\(bottom)\" stroke=\"#555555\"/>",
      "<text x=\"\(middle)\" y=\"\(bottom + 18)\" text-anchor=\"middle\">the yardstick</text>",
      "<text x=\"16\" y=\"\(bottom + 42)\" fill=\"#555555\" font-size=\"11\">"
        + "Medians of interleaved rounds, logarithmic scale. \(machine)</text>",
      "</svg>", "",
    ]
    return lines.joined(separator: "\n")
  }

  /// Returns the x coordinate of a ratio on the scale.
  private static func x(_ times: Double) -> Double {
    let bounded = min(max(times, 1 / fastest), slowest)
    let part = (log2(bounded) + log2(fastest)) / (log2(slowest) + log2(fastest))
    return labelWidth + (part * barWidth).rounded()
  }
}
