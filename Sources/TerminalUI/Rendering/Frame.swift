package import RetraceScreen

/// A screen cut to a size and made harmless: what every renderer draws from.
package struct Frame: Hashable, Sendable {
  /// The size that the screen was cut to.
  package let size: Screen.Size
  /// The lines that fit; neighbouring runs of one style are one run, trailing plain blanks are
  /// gone.
  package private(set) var rows: [[Screen.Run]]
  /// The place of the cursor, moved inside the size.
  package private(set) var cursor: Screen.Cursor?

  /// Lays a screen out.
  ///
  /// - Complexity: O(cells that are shown), and O(bytes of the runs that are shown).
  package init(_ screen: Screen, size: Screen.Size) {
    let size = Screen.Size(columns: max(size.columns, 1), rows: max(size.rows, 1))
    self.size = size
    rows = screen.lines.prefix(size.rows).map { Frame.cut($0, columns: size.columns) }
    while rows.last?.isEmpty == true { rows.removeLast() }
    cursor = screen.cursor.map { cursor in
      Screen.Cursor(
        row: min(max(cursor.row, 0), size.rows - 1),
        column: min(max(cursor.column, 0), size.columns - 1))
    }
  }

  /// The runs of a row, or none below the last row with text.
  package func runs(ofRow row: Int) -> [Screen.Run] { row < rows.count ? rows[row] : [] }

  /// The cells that a row covers.
  ///
  /// - Complexity: O(cells of the row).
  package func cells(ofRow row: Int) -> Int {
    runs(ofRow: row).reduce(0) { $0 + TextWidth.of($1.text) }
  }

  private static func cut(_ line: Screen.Line, columns: Int) -> [Screen.Run] {
    var runs: [Screen.Run] = []
    var cells = 0
    line: for run in line.runs {
      var text = ""
      for character in SafeText.line(run.text) {
        let width = TextWidth.of(character)
        guard cells + width <= columns else {
          append(text, run.style, to: &runs)
          break line
        }
        cells += width
        text.append(character)
      }
      append(text, run.style, to: &runs)
    }
    trimTrailingBlanks(of: &runs)
    return runs
  }

  private static func append(_ text: String, _ style: Screen.Style, to runs: inout [Screen.Run]) {
    guard !text.isEmpty else { return }
    if let last = runs.indices.last, runs[last].style == style {
      runs[last].text += text
    } else {
      runs.append(Screen.Run(text, style))
    }
  }

  /// Blanks of a selected run are visible and stay.
  private static func trimTrailingBlanks(of runs: inout [Screen.Run]) {
    while let last = runs.indices.last, runs[last].style != .selected {
      while runs[last].text.last == " " { runs[last].text.removeLast() }
      guard runs[last].text.isEmpty else { return }
      runs.removeLast()
    }
  }
}
