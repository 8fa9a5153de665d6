import Retrace

/// Rows of figures with a bar each, fitted to the width of the terminal.
///
/// If the width is too small, the bar is omitted first. Then names are cut to twelve cells, then
/// columns are omitted, the last one first, and finally names are cut further. Names are made safe
/// for terminals.
struct BenchChart {
  struct Row {
    /// The name, which is made safe for terminals.
    var name: String
    /// The figures, one for each column.
    var cells: [String]
    /// The value shown by the bar; `nil` for none.
    var value: Double?
  }

  var title: String
  /// The headings of the other columns, the most important first.
  var columns: [String]
  var rows: [Row]

  static var barMax: Int { 40 }
  /// The smallest useful width of the bars.
  static var barMin: Int { 6 }

  /// Returns the lines, none wider than `width`.
  ///
  /// - Parameters:
  ///   - width: The width of a line in cells, at least 1.
  ///   - paint: Styles the text of a bar.
  func lines(width: Int, paint: (String) -> String = { $0 }) -> [String] {
    let names = ([title] + rows.map { SafeText.line($0.name, bytesMax: 256) })
    let widest = names.map { TextWidth.of($0) }.max() ?? 0
    var shown = columns.count
    let widths = columns.indices.map { column in
      ([columns[column]] + rows.map { $0.cells[column] }).map { TextWidth.of($0) }.max() ?? 0
    }
    func taken(_ count: Int) -> Int { widths[..<count].reduce(0) { $0 + $1 + 2 } }
    // Names are cut down to twelve cells before a column is omitted.
    let least = min(widest, 12)
    while shown > 0, taken(shown) + least > width { shown -= 1 }
    let nameWidth = max(1, min(widest, width - taken(shown)))
    let room = min(Self.barMax, width - nameWidth - taken(shown) - 2)
    let most = rows.compactMap(\.value).max() ?? 0
    var lines: [String] = []
    for (index, name) in names.enumerated() {
      let cells = index == 0 ? columns : rows[index - 1].cells
      var line = TextWidth.fitted(name, to: nameWidth)
      for column in 0..<shown {
        line += "  " + TextWidth.padded(cells[column], to: widths[column], isRight: true)
      }
      if index > 0, room >= Self.barMin, most > 0, let value = rows[index - 1].value, value > 0 {
        let length = max(1, Int((value / most * Double(room)).rounded()))
        line += "  " + paint(String(repeating: "#", count: length))
      }
      while line.last == " " { line.removeLast() }
      lines.append(line)
    }
    return lines
  }
}
