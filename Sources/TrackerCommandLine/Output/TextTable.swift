import Retrace
import RetraceToolSupport

/// Rows of cells in aligned columns, for people.
///
/// Cells may hold any data: control characters are made visible before the cells are measured. A
/// column whose cells are all empty takes no room. If the rows are wider than the output, the
/// widest flexible columns are cut first, and then the bars are left out, or the reverse. The cells
/// of other columns are never cut: if rows are still too wide, the last columns are in lines of
/// their own, below the first ones.
struct TextTable {
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
  enum Row {
    case cells([String], share: Double?, isBold: Bool, color: CellColor?)
    /// A text over some columns, the cells of the columns after them, and a text after these.
    case heading(String, over: Int, then: [String], tail: String)
    /// A text from a column to the end of the line.
    case note(String, at: Int)
  }

  /// The blanks between two columns.
  private static var gap: Int { 2 }
  /// The blanks before the last columns, if they are in lines of their own.
  private static var indent: Int { 4 }
  /// The narrowest a flexible column is cut to.
  private static var least: Int { 6 }
  /// The maximum width of a flexible column if lines have no limit.
  ///
  /// Longer cells move the columns after them.
  private static var most: Int { 60 }
  /// The cells of the longest bar: at least, and at most.
  private static var barCells: ClosedRange<Int> { 10...40 }

  let columns: [Column]
  private let barsYield: Bool
  private(set) var rows: [Row] = []
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

  /// Returns whether no row has a text in a column.
  func isEmpty(_ column: Int) -> Bool { natural[column] == 0 }

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

  /// A line of the output.
  private typealias Line = (text: String, isBold: Bool, tints: [Tint])

  /// Returns the lines of the rows, without blanks at their ends.
  private func lines(_ style: OutputStyle) -> [Line] {
    let parts = parts(within: style.columns)
    guard parts.count == 1 else { return wrapped(parts, style) }
    let widths = widths(of: columns.indices, within: style.columns)
    let room = (style.columns ?? OutputStyle.usualColumns) - end(of: widths) - Self.gap
    // No cell is cut up to the last column that is not flexible.
    let fixed = columns.indices.last { !columns[$0].isFlexible && widths[$0] > 0 } ?? 0
    let uncut = start(of: fixed + 1, in: widths) - Self.gap
    // Without a limit a bar has room even after wide cells.
    let least = style.columns == nil ? Self.barCells.lowerBound : 0
    let bar = min(Self.barCells.upperBound, max(least, room))
    return rows.map { row in
      var line: Line
      var limit = style.columns
      switch row {
      case .note(let text, let column):
        line = (blanks(start(of: column, in: widths)) + text, false, [])
      case .heading(let text, let count, let cells, let tail):
        let head = TextWidth.padded(text, to: start(of: count, in: widths) - Self.gap)
        let rest = join(cells, from: count, widths, style)
        line = ((rest.isEmpty ? head : head + blanks(Self.gap) + rest) + tail, true, [])
      case .cells(let cells, let share, let isBold, let color):
        line = self.line(cells[...], indent: 0, isBold, color, widths, style)
        limit = limit.map { max($0, uncut) }
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

  /// Returns the line of some neighbouring cells, after blanks.
  private func line(
    _ cells: ArraySlice<String>, indent: Int, _ isBold: Bool, _ color: CellColor?,
    _ widths: [Int], _ style: OutputStyle
  ) -> Line {
    func text(_ cells: ArraySlice<String>) -> String {
      blanks(indent) + join(cells, from: cells.startIndex, widths, style)
    }
    var line: Line = (text(cells), isBold, [])
    if let color, cells.indices.contains(color.column) {
      let start = text(cells[..<color.column]).utf8.count
      let end = text(cells[...color.column]).utf8.count
      line.tints.append(Tint(bytes: start..<end, color: color.color))
    }
    return line
  }

  /// Returns the lines of rows that take several lines each, one for each part.
  ///
  /// A part of a row without any text has no line.
  private func wrapped(_ parts: [Range<Int>], _ style: OutputStyle) -> [Line] {
    let limit = style.columns ?? .max
    func indent(_ part: Range<Int>) -> Int { part.lowerBound > 0 ? Self.indent : 0 }
    var widths = natural
    for part in parts {
      let own = self.widths(of: part, within: limit - indent(part))
      for index in part { widths[index] = own[index] }
    }
    return rows.flatMap { row -> [Line] in
      switch row {
      case .note(let text, let column):
        let first = parts.first { $0.contains(column) }?.lowerBound ?? 0
        let gap = start(of: column, in: widths) - start(of: first, in: widths)
        let line = blanks((first > 0 ? Self.indent : 0) + gap) + text
        return [(TextWidth.cut(Self.trimmed(line), to: limit), false, [])]
      case .heading(let text, let count, let cells, let tail):
        let isFirst = parts[0].contains(count)
        let head = TextWidth.padded(
          text, to: isFirst ? start(of: count, in: widths) - Self.gap : 0)
        let rest = join(cells, from: count, widths, style)
        let line = (rest.isEmpty ? head : head + blanks(Self.gap) + rest) + tail
        return TextWidth.lines(of: Self.trimmed(line), fitting: limit, indent: Self.indent)
          .map { ($0, true, []) }
      case .cells(let cells, _, let isBold, let color):
        return parts.compactMap { part in
          let own = cells[part.clamped(to: cells.indices)]
          var line = self.line(own, indent: indent(part), isBold, color, widths, style)
          line.text = Self.trimmed(line.text)
          return line.text.isEmpty ? nil : line
        }
      }
    }
  }

  /// Returns the columns that rows have on each of their lines: all of them on one if that fits.
  ///
  /// Flexible columns beside each other are not separated if they fit on a line of their own.
  private func parts(within limit: Int?) -> [Range<Int>] {
    func least(_ index: Int) -> Int {
      columns[index].isFlexible ? min(natural[index], Self.least) : natural[index]
    }
    func width(of part: Range<Int>) -> Int { end(of: part.map(least)) }
    guard let limit, width(of: columns.indices) > limit else { return [columns.indices] }
    var parts: [Range<Int>] = []
    var first = 0
    for index in columns.indices where natural[index] > 0 {
      let room = limit - (first > 0 ? Self.indent : 0)
      let next = columns[index...].firstIndex { !$0.isFlexible } ?? columns.count
      let isRun = index == 0 || !columns[index - 1].isFlexible
      let end = isRun && width(of: index..<next) <= limit - Self.indent ? next : index + 1
      guard width(of: first..<index) > 0, width(of: first..<max(end, index + 1)) > room else {
        continue
      }
      parts.append(first..<index)
      first = index
    }
    return parts + [first..<columns.count]
  }

  /// Returns the widths at which some neighbouring columns fit into a number of cells; those of
  /// other columns are 0.
  private func widths(of part: Range<Int>, within limit: Int?) -> [Int] {
    var widths = natural.indices.map { part.contains($0) ? natural[$0] : 0 }
    let flexible = part.filter { columns[$0].isFlexible && natural[$0] > 0 }
    guard let limit else {
      for index in flexible { widths[index] = min(widths[index], Self.most) }
      return widths
    }
    let hasBars =
      part == columns.indices
      && rows.contains { if case .cells(_, .some, _, _) = $0 { true } else { false } }
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
    _ cells: some Sequence<String>, from first: Int, _ widths: [Int], _ style: OutputStyle
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
