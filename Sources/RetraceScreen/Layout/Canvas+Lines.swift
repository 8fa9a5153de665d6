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
    var fit = LineFit(columns: rect.columns)
    let isWhole = fit.add(text)
    let blanks = isWhole ? alignment.blanks(of: rect.columns - fit.cells) : 0
    let end = draw(text, row: rect.row, column: rect.column + blanks, style: style, in: rect)
    return isWhole ? end : drawEllipsis(after: fit, style: style, in: rect)
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
    var fit = LineFit(columns: rect.columns)
    for run in line.runs {
      if fit.add(run.text) { continue }
      draw(line, row: rect.row, column: rect.column, in: rect)
      return drawEllipsis(after: fit, style: run.style, in: rect)
    }
    let blanks = alignment.blanks(of: rect.columns - fit.cells)
    return draw(line, row: rect.row, column: rect.column + blanks, in: rect)
  }

  /// Draws the sign of a cut text, and blanks after it.
  private mutating func drawEllipsis(after fit: LineFit, style: Style, in rect: Rect) -> Int {
    let end = draw(
      "…", row: rect.row, column: rect.column + fit.cutCells, style: style, in: rect)
    fill(Rect(column: end, row: rect.row, columns: rect.endColumn - end, rows: 1), style: style)
    return end
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

/// How much of a line fits into a number of cells.
struct LineFit {
  /// The number of cells that there are.
  let columns: Int
  /// The cells of all texts, as long as they fit.
  private(set) var cells = 0
  /// The cells of the longest part that leaves a cell for the sign of a cut text.
  private(set) var cutCells = 0

  init(columns: Int) { self.columns = columns }

  /// Adds a text; returns whether all of the line fits.
  ///
  /// - Complexity: O(bytes of the text that fit).
  mutating func add(_ text: String) -> Bool {
    let text = text[...]
    let bytes = text.utf8.span
    var offset = 0
    while offset < bytes.count {
      let cluster = Cluster(at: offset, in: bytes, of: text)
      cells += cluster.cells
      if cells > columns { return false }
      if cells < columns { cutCells = cells }
      offset = cluster.end
    }
    return true
  }
}

/// A line is a widget of one row.
extension Screen.Line: Widget {
  /// Draws the line in the first row; a line that is too wide ends in `…`.
  public func draw(in rect: Rect, on canvas: inout Canvas) { canvas.drawLine(self, in: rect) }
}

/// Lines are a widget, too: one below the other.
extension [Screen.Line]: Widget {
  /// Draws the lines; if there are too many, the last row says how many are left out.
  public func draw(in rect: Rect, on canvas: inout Canvas) {
    var rest = rect
    // Of a single row, the first line makes the best use.
    let shown = count > rect.rows ? Swift.max(rect.rows - 1, 1) : count
    for line in prefix(shown) { line.draw(in: rest.removeTop(1), on: &canvas) }
    guard count > shown else { return }
    canvas.drawLine("… \(count - shown) more", style: .faint, in: rest)
  }
}

/// A run is a widget of one row, and takes no memory of its own.
extension Screen.Run: Widget {
  /// Draws the text in the first row; a text that is too wide ends in `…`.
  public func draw(in rect: Rect, on canvas: inout Canvas) {
    canvas.drawLine(text, style: style, in: rect)
  }
}
