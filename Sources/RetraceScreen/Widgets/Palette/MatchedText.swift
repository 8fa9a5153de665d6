/// A text whose characters that match a pattern are highlighted.
///
/// ```swift
/// let text = MatchedText("Write the report", pattern: FuzzyPattern("rep"))
/// print(Screen(text, size: Screen.Size(columns: 20, rows: 1)).canvas.lines)
/// ```
public struct MatchedText: Widget {
  /// The text.
  public var text: String
  /// What was looked for.
  public var pattern: FuzzyPattern
  /// The style of the text.
  public var style: Style

  /// Creates a text.
  public init(_ text: String, pattern: FuzzyPattern, style: Style = .plain) {
    self.text = text
    self.pattern = pattern
    self.style = style
  }

  /// Draws the text in the first row; a text that is too wide ends in `…`.
  ///
  /// - Complexity: O(words of the pattern · bytes of the text).
  public func draw(in rect: Rect, on canvas: inout Canvas) {
    canvas.drawLine(text, style: style, in: rect)
    guard !rect.isEmpty, !pattern.isEmpty, let match = pattern.match(in: text) else { return }
    var fit = LineFit(columns: rect.columns)
    let end = rect.column + (fit.add(text) ? fit.cells : fit.cutCells)
    let places = match.places.sorted()
    let (bytes, all) = (text.utf8.span, text[...])
    var (offset, column, next) = (0, rect.column, 0)
    while offset < bytes.count, next < places.count {
      let cluster = Cluster(at: offset, in: bytes, of: all)
      guard column + cluster.cells <= end else { return }
      var isMatched = false
      while next < places.count, places[next] < cluster.end {
        (isMatched, next) = (true, next + 1)
      }
      if isMatched {
        canvas.restyle(
          Rect(column: column, row: rect.row, columns: cluster.cells, rows: 1),
          foreground: .accent, adding: [.bold, .underline])
      }
      column += cluster.cells
      offset = cluster.end
    }
  }
}
