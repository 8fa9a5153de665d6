/// Draws a screen as an SVG picture that refers to nothing outside.
///
/// Each character of the picture is where its cell is, whatever the fonts of the viewer are: a
/// piece of text has the length of its cells. Links are drawn as text.
///
/// ```swift
/// let screen = Screen(
///   Screen.Line("Timer", .title), size: Screen.Size(columns: 80, rows: 24))
/// let renderer = SVGRenderer(theme: .light)
/// print(renderer.text(of: screen, size: Screen.Size(columns: 80, rows: 24)))
/// ```
public struct SVGRenderer: Sendable {
  /// The colors.
  public var theme: Theme
  /// Whether the cursor is drawn.
  public var showsCursor: Bool

  // The size of a cell and the baseline of its text, in hundredths of a unit. Cells are as high as
  // letters of common fonts, so that the lines of boxes meet.
  private static let cellWidth = 840
  private static let cellHeight = 1640
  private static let baseline = 1300
  private static let margin = 800

  /// Creates a renderer.
  public init(theme: Theme, showsCursor: Bool = true) {
    self.theme = theme
    self.showsCursor = showsCursor
  }

  /// Returns the picture of a screen as text of XML.
  ///
  /// - Complexity: O(cells).
  public func text(of screen: Screen, size: Screen.Size) -> String {
    let canvas = screen.canvas(fitting: size)
    let width = Markup.decimal(canvas.size.columns * Self.cellWidth + 2 * Self.margin)
    let height = Markup.decimal(canvas.size.rows * Self.cellHeight + 2 * Self.margin)
    let paper = Markup.color(theme.color(of: .background))
    let ink = Markup.color(theme.color(of: .text))
    var text = """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
      viewBox="0 0 \(width) \(height)" font-family="monospace" font-size="14" fill="\(ink)" \
      shape-rendering="crispEdges" xml:space="preserve">
      <rect width="\(width)" height="\(height)" fill="\(paper)"/>

      """
    var letters = ""
    for row in 0..<canvas.size.rows {
      let runs = canvas.markupRuns(ofRow: row)
      text += backgrounds(of: runs, row: row)
      for run in runs { letters += self.letters(of: run, row: row) }
    }
    if showsCursor, let cursor = screen.cursor?.clamped(to: canvas.size) {
      letters += self.cursor(cursor)
    }
    // Backgrounds come first, so that they cover no part of a letter.
    return text + letters + "</svg>\n"
  }

  private func x(_ column: Int) -> String { Markup.decimal(Self.margin + column * Self.cellWidth) }

  private func y(_ row: Int, _ offset: Int = 0) -> String {
    Markup.decimal(Self.margin + row * Self.cellHeight + offset)
  }

  /// Returns rectangles in the background colors of a row.
  ///
  /// Neighboring runs of one color share a rectangle, because viewers show a thin line between two.
  private func backgrounds(of runs: [MarkupRun], row: Int) -> String {
    var text = ""
    var index = 0
    while index < runs.count {
      let first = runs[index]
      let color = theme.colors(of: first.style).background
      var cells = 0
      while index < runs.count, theme.colors(of: runs[index].style).background == color {
        cells += runs[index].cells
        index += 1
      }
      guard color != theme.color(of: .background) else { continue }
      let width = Markup.decimal(cells * Self.cellWidth)
      text += """
        <rect x="\(x(first.column))" y="\(y(row))" width="\(width)" \
        height="\(Markup.decimal(Self.cellHeight))" fill="\(Markup.color(color))"/>

        """
    }
    return text
  }

  private func letters(of run: MarkupRun, row: Int) -> String {
    if run.isBlank, !run.style.hasLine { return "" }
    let color = theme.colors(of: run.style).foreground
    var attributes = ""
    if color != theme.color(of: .text) { attributes += " fill=\"\(Markup.color(color))\"" }
    if run.style.attributes.contains(.bold) { attributes += " font-weight=\"bold\"" }
    if run.style.attributes.contains(.italic) { attributes += " font-style=\"italic\"" }
    if run.style.hasLine {
      let lines: [(Style.Attributes, String)] = [
        (.underline, "underline"), (.struck, "line-through"),
      ]
      let names = lines.filter { run.style.attributes.contains($0.0) }.map { $0.1 }
      attributes += " text-decoration=\"\(names.joined(separator: " "))\""
    }
    let length = Markup.decimal(run.cells * Self.cellWidth)
    return """
      <text x="\(x(run.column))" y="\(y(row, Self.baseline))" textLength="\(length)" \
      lengthAdjust="spacingAndGlyphs" style="white-space:pre"\(attributes)>\(run.text)</text>

      """
  }

  private func cursor(_ cursor: Screen.Cursor) -> String {
    let color = Markup.color(theme.color(of: .text))
    let (width, height) = (Self.cellWidth, Self.cellHeight)
    func rectangle(_ offset: Int, _ width: Int, _ height: Int, _ look: String) -> String {
      """
      <rect x="\(x(cursor.column))" y="\(y(cursor.row, offset))" width="\(Markup.decimal(width))" \
      height="\(Markup.decimal(height))" \(look)/>

      """
    }
    switch cursor.shape {
    case .standard, .block:
      return rectangle(0, width, height, "fill=\"none\" stroke=\"\(color)\"")
    case .underline: return rectangle(height - 200, width, 200, "fill=\"\(color)\"")
    case .bar: return rectangle(0, 200, height, "fill=\"\(color)\"")
    }
  }
}
