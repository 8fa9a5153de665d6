extension Canvas {
  /// Draws a border along the edges of a rectangle of two rows and columns or more.
  ///
  /// - Parameters:
  ///   - rect: The rectangle, which includes the border.
  ///   - style: The style of the lines.
  /// - Complexity: O(columns and rows of the rectangle).
  public mutating func drawBorder(_ rect: Rect, style: Style = Style(foreground: .border)) {
    guard rect.columns > 1, rect.rows > 1 else { return }
    let (right, bottom) = (rect.endColumn - 1, rect.endRow - 1)
    func line(_ column: Int, _ row: Int, _ columns: Int, _ rows: Int) -> Rect {
      Rect(column: column, row: row, columns: columns, rows: rows)
    }
    for row in [rect.row, bottom] {
      fill(line(rect.column + 1, row, rect.columns - 2, 1), with: "─", style: style)
    }
    for column in [rect.column, right] {
      fill(line(column, rect.row + 1, 1, rect.rows - 2), with: "│", style: style)
    }
    fill(line(rect.column, rect.row, 1, 1), with: "┌", style: style)
    fill(line(right, rect.row, 1, 1), with: "┐", style: style)
    fill(line(rect.column, bottom, 1, 1), with: "└", style: style)
    fill(line(right, bottom, 1, 1), with: "┘", style: style)
  }
}
