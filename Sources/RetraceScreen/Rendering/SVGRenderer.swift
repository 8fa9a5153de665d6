/// Draws a screen as an SVG picture of a window, which refers to nothing outside.
///
/// Each character of the picture is where its cell is, whatever the fonts of the viewer are: a
/// piece of text has the length of its cells. Links are drawn as text.
///
/// ```swift
/// let screen = Screen(
///   Screen.Line("Timer", .title), size: Screen.Size(columns: 80, rows: 24))
/// let renderer = SVGRenderer(theme: .light)
/// let size = Screen.Size(columns: 80, rows: 24)
/// print(renderer.text(of: screen, size: size, title: "track"))
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
  private static let margin = 1200
  // The height of the bar with the title, in addition to the margin.
  private static let bar = 2000

  /// Creates a renderer.
  public init(theme: Theme, showsCursor: Bool = true) {
    self.theme = theme
    self.showsCursor = showsCursor
  }

  /// Returns the picture of a screen as text of XML.
  ///
  /// - Parameters:
  ///   - screen: The screen.
  ///   - size: The size that the screen is cut to.
  ///   - title: The title in the bar of the window; `nil` for a window without a bar.
  /// - Complexity: O(cells).
  public func text(of screen: Screen, size: Screen.Size, title: String? = nil) -> String {
    let canvas = screen.canvas(fitting: size)
    let top = Self.margin + (title == nil ? 0 : Self.bar)
    let width = canvas.size.columns * Self.cellWidth + 2 * Self.margin
    let height = canvas.size.rows * Self.cellHeight + top + Self.margin
    let sides = "width=\"\(Markup.decimal(width))\" height=\"\(Markup.decimal(height))\""
    var text = """
      <svg xmlns="http://www.w3.org/2000/svg" \(sides) \
      viewBox="0 0 \(Markup.decimal(width)) \(Markup.decimal(height))" \
      font-family="\(Markup.fonts)" font-size="14" fill="\(color(of: .text))">
      <rect x="0.5" y="0.5" width="\(Markup.decimal(width - 100))" \
      height="\(Markup.decimal(height - 100))" rx="8" fill="\(color(of: .background))" \
      stroke="\(color(of: .border))" stroke-opacity="0.5"/>

      """
    if let title { text += bar(title, columns: canvas.size.columns, width: width) }
    // Backgrounds come first, so that they cover no part of a letter.
    var letters = ""
    text += "<g transform=\"translate(\(Markup.decimal(Self.margin)) \(Markup.decimal(top)))\""
    text += " xml:space=\"preserve\">\n"
    for row in 0..<canvas.size.rows {
      let runs = canvas.markupRuns(ofRow: row, joinsParts: true)
      text += backgrounds(of: runs, row: row)
      for run in runs { letters += self.letters(of: run, row: row) }
    }
    if showsCursor, let cursor = screen.cursor?.clamped(to: canvas.size) {
      letters += self.cursor(cursor)
    }
    return text + letters + "</g>\n</svg>\n"
  }

  private func color(of color: Color) -> String { Markup.color(theme.color(of: color)) }

  /// Returns the bar of a window: three buttons, and the title in the middle.
  private func bar(_ title: String, columns: Int, width: Int) -> String {
    var text = ""
    for button in 0..<3 {
      text += """
        <circle cx="\(18 + 16 * button)" cy="16" r="5" fill="\(color(of: .border))" \
        fill-opacity="0.5"/>

        """
    }
    // As many cells are left free at the right as the buttons take at the left.
    let shown = TextWidth.cut(SafeText.line(title), to: max(0, columns - 14))
    return text + """
      <text x="\(Markup.decimal(width / 2))" y="21" text-anchor="middle" \
      fill="\(color(of: .faint))">\(Markup.escaped(shown))</text>

      """
  }

  private func x(_ column: Int) -> String { Markup.decimal(column * Self.cellWidth) }

  private func y(_ row: Int, _ offset: Int = 0) -> String {
    Markup.decimal(row * Self.cellHeight + offset)
  }

  /// Returns rectangles in the background colors of a row.
  ///
  /// Neighboring runs of one color share a rectangle, because viewers show a thin line between two.
  private func backgrounds(of runs: [MarkupRun], row: Int) -> String {
    var text = ""
    var index = 0
    while index < runs.count {
      let first = runs[index]
      let color = theme.background(of: first)
      var cells = 0
      while index < runs.count, theme.background(of: runs[index]) == color {
        cells += runs[index].cells
        index += 1
      }
      guard color != theme.color(of: .background) else { continue }
      let width = Markup.decimal(cells * Self.cellWidth)
      text += """
        <rect x="\(x(first.column))" y="\(y(row))" width="\(width)" \
        height="\(Markup.decimal(Self.cellHeight))" fill="\(Markup.color(color))" \
        shape-rendering="crispEdges"/>

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
    // Chromium lets a text inherit neither the property nor the attribute that keeps blanks.
    return """
      <text x="\(x(run.column))" y="\(y(row, Self.baseline))" textLength="\(length)" \
      lengthAdjust="spacingAndGlyphs" style="white-space:pre"\(attributes)>\
      \(Markup.escaped(run.text))</text>

      """
  }

  private func cursor(_ cursor: Screen.Cursor) -> String {
    let color = self.color(of: .text)
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
