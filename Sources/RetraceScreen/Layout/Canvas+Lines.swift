extension Canvas {
  /// Draws a text in the first row of a rectangle; a text that is too wide ends in `…`.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - style: The style of the text.
  ///   - alignment: Where the text is, if there is room.
  ///   - rect: The rectangle.
  /// - Returns: The column after the text.
  /// - Complexity: O(bytes of the text that are before the end of the rectangle).
  @discardableResult public mutating func drawLine(
    _ text: String, style: Style = .plain, aligned alignment: Alignment = .left, in rect: Rect
  ) -> Int {
    guard !rect.isEmpty else { return rect.column }
    if alignment == .left {
      // Most texts fit, and need not be measured.
      let end = draw(text, row: rect.row, column: rect.column, style: style, in: rect)
      if end < rect.endColumn { return end }
    }
    guard let rest = TextWidth.rest(of: text, in: rect.columns) else {
      draw(text, row: rect.row, column: rect.column, style: style, in: rect)
      return drawEllipsis(style: style, in: rect)
    }
    let column = rect.column + alignment.blanks(of: rest)
    return draw(text, row: rect.row, column: column, style: style, in: rect)
  }

  /// Draws runs of text in the first row of a rectangle; a line that is too wide ends in `…`.
  ///
  /// - Parameters:
  ///   - line: The runs.
  ///   - alignment: Where the line is, if there is room.
  ///   - rect: The rectangle.
  /// - Returns: The column after the line.
  /// - Complexity: O(bytes of the line that are before the end of the rectangle).
  @discardableResult public mutating func drawLine(
    _ line: Screen.Line, aligned alignment: Alignment = .left, in rect: Rect
  ) -> Int {
    guard !rect.isEmpty else { return rect.column }
    if alignment == .left {
      let end = draw(line, row: rect.row, column: rect.column, in: rect)
      if end < rect.endColumn { return end }
    }
    var rest = rect.columns
    for run in line.runs {
      guard let less = TextWidth.rest(of: run.text, in: rest) else {
        draw(line, row: rect.row, column: rect.column, in: rect)
        return drawEllipsis(style: run.style, in: rect)
      }
      rest = less
    }
    return draw(line, row: rect.row, column: rect.column + alignment.blanks(of: rest), in: rect)
  }

  /// Draws the sign of a cut text in the last column of a rectangle.
  private mutating func drawEllipsis(style: Style, in rect: Rect) -> Int {
    draw("…", row: rect.row, column: rect.endColumn - 1, style: style, in: rect)
  }
}

extension Alignment {
  /// Returns how many of the cells that a text leaves are before it.
  fileprivate func blanks(of rest: Int) -> Int {
    switch self {
    case .left: 0
    case .center: rest / 2
    case .right: rest
    }
  }
}

extension TextWidth {
  /// Returns how many of a number of cells a text leaves; `nil` if it does not fit.
  ///
  /// - Complexity: O(bytes of the text that fit).
  static func rest(of text: String, in cells: Int) -> Int? {
    let text = text[...]
    let bytes = text.utf8.span
    var (rest, offset) = (cells, 0)
    while offset < bytes.count {
      let cluster = Cluster(at: offset, in: bytes, of: text)
      rest -= cluster.cells
      guard rest >= 0 else { return nil }
      offset = cluster.end
    }
    return rest
  }
}

/// A line is a widget of one row.
extension Screen.Line: Widget {
  /// Draws the line in the first row; a line that is too wide ends in `…`.
  public func draw(in rect: Rect, on canvas: inout Canvas) { canvas.drawLine(self, in: rect) }
}
