import Retrace
import RetraceToolSupport

/// Rows of cells in aligned columns, for people.
///
/// Cells may hold any data: control characters are made visible before the cells are measured. A
/// column whose cells are all empty takes no room. If the rows are wider than the output, the
/// widest flexible columns are cut first, and then the bars are left out, or the reverse. The cells
/// of other columns are never cut: rows that are still too wide take several lines of a terminal.
struct Table {
  /// A column.
  struct Column {
    /// Whether its cells are aligned at the right.
    var isRight = false
    /// Whether its cells are cut if the rows do not fit.
    var isFlexible = false

    /// Aligned at the left, and never cut.
    static var left: Column { Column() }
    /// Aligned at the right, and never cut.
    static var right: Column { Column(isRight: true) }
    /// Aligned at the left, and cut if the rows do not fit.
    static var text: Column { Column(isFlexible: true) }
  }

  /// The color of a cell, and of the bar of its row.
  struct CellColor {
    var column: Int
    /// Red, green and blue in one byte each.
    var color: Int32

    /// Creates the color of a cell; `nil` if there is no color.
    init?(_ color: Int32?, at column: Int) {
      guard let color else { return nil }
      self.color = color
      self.column = column
    }
  }

  /// A line of the table.
  private enum Row {
    case cells([String], share: Double?, isBold: Bool, color: CellColor?)
    /// A text over some columns, the cells of the columns after them, and a text after these.
    case heading(String, over: Int, then: [String], tail: String)
    /// A text from a column to the end of the line.
    case note(String, at: Int)
  }

  /// The blanks between two columns.
  private static var gap: Int { 2 }
  /// The narrowest a flexible column is cut to.
  private static var least: Int { 6 }
  /// The maximum width of a flexible column if lines have no limit.
  ///
  /// Longer cells move the columns after them.
  private static var most: Int { 60 }
  /// The cells of the longest bar: at least, and at most.
  private static var barCells: ClosedRange<Int> { 10...40 }

  private let columns: [Column]
  private let barsYield: Bool
  private var rows: [Row] = []
  /// The width of the widest cell of each column.
  private var natural: [Int]

  /// Creates a table without rows.
  ///
  /// - Parameters:
  ///   - columns: The columns.
  ///   - barsYield: Whether the bars are left out before a cell is cut.
  init(_ columns: [Column], barsYield: Bool = false) {
    self.columns = columns
    self.barsYield = barsYield
    natural = Array(repeating: 0, count: columns.count)
  }

  /// Adds a row.
  ///
  /// - Parameters:
  ///   - cells: The cells, from the first column on.
  ///   - share: The length of the bar after the cells, from 0 to 1; `nil` for no bar.
  ///   - isBold: Whether the row is emphasized on a terminal.
  ///   - color: The color of a cell on a terminal.
  mutating func add(
    _ cells: [String], share: Double? = nil, isBold: Bool = false, color: CellColor? = nil
  ) {
    let cells = cells.map { Self.safe($0) }
    measure(cells, from: 0)
    rows.append(.cells(cells, share: share, isBold: isBold, color: color))
  }

  /// Adds a heading over the first columns, the cells of the columns after them, and a text that
  /// goes on after these, in whatever columns.
  mutating func addHeading(
    _ text: String, over count: Int, then cells: [String] = [], tail: String = ""
  ) {
    let cells = cells.map { Self.safe($0) }
    measure(cells, from: count)
    rows.append(
      .heading(Self.safe(text), over: count, then: cells, tail: Self.safe(tail)))
  }

  /// Adds a text that goes from a column to the end of the line.
  mutating func addNote(_ text: String, at column: Int) {
    rows.append(.note(Self.safe(text), at: column))
  }

  /// Returns a text without control characters, whole: lines are cut by their width only.
  private static func safe(_ text: String) -> String { SafeText.line(text, bytesMax: .max) }

  private mutating func measure(_ cells: [String], from first: Int) {
    for (index, cell) in cells.enumerated() {
      natural[first + index] = max(natural[first + index], TextWidth.of(cell))
    }
  }

  /// Prints the rows.
  func print(_ style: OutputStyle) {
    for line in lines(style) {
      style.print(line.text, line.tints, isBold: line.isBold)
    }
  }

  /// Returns the lines of the rows, without blanks at their ends.
  private func lines(
    _ style: OutputStyle
  ) -> [(text: String, isBold: Bool, tints: [Tint])] {
    let widths = widths(within: style.columns)
    let room = (style.columns ?? OutputStyle.usualColumns) - end(of: widths) - Self.gap
    // No cell is cut up to the last column that is not flexible.
    let fixed = columns.indices.last { !columns[$0].isFlexible && widths[$0] > 0 } ?? 0
    let uncut = start(of: fixed + 1, in: widths) - Self.gap
    // Without a limit a bar has room even after wide cells.
    let least = style.columns == nil ? Self.barCells.lowerBound : 0
    let bar = min(Self.barCells.upperBound, max(least, room))
    return rows.map { row in
      var line: (text: String, isBold: Bool, tints: [Tint])
      var limit = style.columns
      switch row {
      case .note(let text, let column):
        line = (blanks(start(of: column, in: widths)) + text, false, [])
      case .heading(let text, let count, let cells, let tail):
        let head = TextWidth.padded(text, to: start(of: count, in: widths) - Self.gap)
        let rest = join(cells, from: count, widths, style)
        line = ((rest.isEmpty ? head : head + blanks(Self.gap) + rest) + tail, true, [])
      case .cells(let cells, let share, let isBold, let color):
        line = (join(cells, from: 0, widths, style), isBold, [])
        limit = limit.map { max($0, uncut) }
        if let color {
          let start = join(Array(cells[..<color.column]), from: 0, widths, style).utf8.count
          let end = join(Array(cells[...color.column]), from: 0, widths, style).utf8.count
          line.tints.append(Tint(bytes: start..<end, color: color.color))
        }
        if let share, room >= Self.barCells.lowerBound || style.columns == nil {
          line.text = TextWidth.padded(line.text, to: end(of: widths)) + blanks(Self.gap)
          let start = line.text.utf8.count
          line.text += Bar.text(share, cells: bar)
          if let color {
            line.tints.append(Tint(bytes: start..<line.text.utf8.count, color: color.color))
          }
        }
      }
      line.text = Self.trimmed(line.text)
      if let limit { line.text = TextWidth.cut(line.text, to: limit) }
      return line
    }
  }

  /// Returns the widths of the columns at which the rows fit into a number of cells.
  private func widths(within limit: Int?) -> [Int] {
    var widths = natural
    let flexible = columns.indices.filter { columns[$0].isFlexible && natural[$0] > 0 }
    guard let limit else {
      for index in flexible { widths[index] = min(widths[index], Self.most) }
      return widths
    }
    let hasBars = rows.contains { if case .cells(_, .some, _, _) = $0 { true } else { false } }
    let bars = hasBars ? Self.gap + Self.barCells.lowerBound : 0
    let fixed = end(of: widths) - flexible.reduce(0) { $0 + natural[$1] }
    let least = flexible.reduce(0) { $0 + min(natural[$1], Self.least) }
    let needed = barsYield ? end(of: widths) : fixed + least
    let room = needed + bars > limit ? limit : limit - bars
    guard end(of: widths) > room else { return widths }
    let wanted = room - fixed
    // The widest columns get one width, and the first of them the rest.
    var cap = flexible.map { natural[$0] }.max() ?? 0
    func sum(_ cap: Int) -> Int { flexible.reduce(0) { $0 + min(natural[$1], cap) } }
    while cap > Self.least, sum(cap) > wanted { cap -= 1 }
    var left = max(0, wanted - sum(cap))
    for index in flexible where natural[index] > cap {
      widths[index] = cap + min(1, left)
      left -= min(1, left)
    }
    return widths
  }

  /// Returns the cells before a column, with the gaps between them.
  private func start(of column: Int, in widths: [Int]) -> Int {
    widths[..<column].reduce(0) { $0 + ($1 > 0 ? $1 + Self.gap : 0) }
  }

  private func end(of widths: [Int]) -> Int {
    max(0, start(of: widths.count, in: widths) - Self.gap)
  }

  private func join(
    _ cells: [String], from first: Int, _ widths: [Int], _ style: OutputStyle
  ) -> String {
    var parts: [String] = []
    for (index, cell) in cells.enumerated() where widths[first + index] > 0 {
      let width = widths[first + index]
      let text = style.columns == nil ? cell : TextWidth.cut(cell, to: width)
      parts.append(
        TextWidth.padded(text, to: width, isRight: columns[first + index].isRight))
    }
    return parts.joined(separator: blanks(Self.gap))
  }

  private func blanks(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }

  private static func trimmed(_ text: String) -> String {
    let end = text.utf8.lastIndex { $0 != 0x20 }
    return end.map { String(text[...$0]) } ?? ""
  }
}

/// A bar of a chart.
enum Bar {
  /// The parts of a cell, in eighths.
  private static let eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]

  /// Returns a bar.
  ///
  /// - Parameters:
  ///   - share: The length, from 0 to 1; a positive one is never invisible.
  ///   - cells: The cells of a bar of length 1.
  static func text(_ share: Double, cells: Int) -> String {
    let most = Double(cells * 8)
    let length = Int((min(1, max(0, share)) * most).rounded())
    let parts = share > 0 && cells > 0 ? max(1, length) : 0
    return String(repeating: "█", count: parts / 8) + eighths[parts % 8]
  }
}
