/// Draws a screen as HTML that refers to nothing outside and has no script.
///
/// The text is well-formed XML, too. Each character is where its cell is, whatever the fonts of the
/// viewer are. Links are drawn as text.
///
/// ```swift
/// let screen = Screen(
///   Screen.Line("Timer", .title), size: Screen.Size(columns: 80, rows: 24))
/// let renderer = HTMLRenderer(theme: .dark)
/// print(renderer.page(of: screen, size: Screen.Size(columns: 80, rows: 24), title: "Timer"))
/// ```
public struct HTMLRenderer: Sendable {
  /// The colors.
  public var theme: Theme
  /// Whether the cursor is drawn.
  public var showsCursor: Bool

  /// Creates a renderer.
  public init(theme: Theme, showsCursor: Bool = true) {
    self.theme = theme
    self.showsCursor = showsCursor
  }

  /// Returns a whole page that shows a screen.
  ///
  /// - Parameters:
  ///   - screen: The screen.
  ///   - size: The size that the screen is cut to.
  ///   - title: The title of the page.
  /// - Complexity: O(cells).
  public func page(of screen: Screen, size: Screen.Size, title: String) -> String {
    let paper = Markup.color(theme.color(of: .background))
    return """
      <!DOCTYPE html>
      <html xmlns="http://www.w3.org/1999/xhtml">
      <head><meta charset="utf-8"/><title>\(Markup.escaped(SafeText.line(title)))</title></head>
      <body style="margin:1em;background:\(paper)">
      \(element(of: screen, size: size))
      </body>
      </html>

      """
  }

  /// Returns the element `pre` that shows a screen, for a place in any page.
  ///
  /// - Complexity: O(cells).
  public func element(of screen: Screen, size: Screen.Size) -> String {
    let canvas = screen.canvas(fitting: size)
    let cursor = showsCursor ? screen.cursor?.clamped(to: canvas.size) : nil
    let paper = Markup.color(theme.color(of: .background))
    let ink = Markup.color(theme.color(of: .text))
    var text = """
      <pre style="margin:0;font-family:\(Markup.fonts);line-height:1.17;\
      width:\(canvas.size.columns)ch;position:relative;background:\(paper);color:\(ink)">
      """
    for row in 0..<canvas.size.rows {
      for run in canvas.markupRuns(ofRow: row) { text += span(of: run) }
      if row < canvas.size.rows - 1 { text += "\n" }
    }
    return text + (cursor.map { self.span(of: $0) } ?? "") + "</pre>"
  }

  private func span(of run: MarkupRun) -> String {
    var styles = ""
    let color = theme.colors(of: run.style).foreground
    if color != theme.color(of: .text) { styles += "color:\(Markup.color(color));" }
    let background = theme.background(of: run)
    if background != theme.color(of: .background) {
      styles += "background:\(Markup.color(background));"
    }
    if run.style.attributes.contains(.bold) { styles += "font-weight:bold;" }
    if run.style.attributes.contains(.italic) { styles += "font-style:italic;" }
    if run.style.hasLine {
      let isBoth = run.style.attributes.isSuperset(of: [.underline, .struck])
      let line = run.style.attributes.contains(.underline) ? "underline" : "line-through"
      styles += "text-decoration:\(isBoth ? "underline line-through" : line);"
    }
    // A box of the size of its cells, which a wider or taller letter does not stretch.
    if !styles.isEmpty || !run.isASCII {
      styles += "display:inline-block;width:\(run.cells)ch;height:1.17em;"
      styles += "overflow:hidden;vertical-align:top;"
    }
    let text = Markup.escaped(run.text)
    return styles.isEmpty ? text : "<span style=\"\(styles)\">\(text)</span>"
  }

  /// The cursor lies over its cell.
  private func span(of cursor: Screen.Cursor) -> String {
    let ink = Markup.color(theme.color(of: .text))
    let look =
      switch cursor.shape {
      case .standard, .block: "outline:1px solid \(ink)"
      case .underline: "box-shadow:inset 0 -2px \(ink)"
      case .bar: "box-shadow:inset 2px 0 \(ink)"
      }
    let top = Markup.decimal(cursor.row * 117)
    return """
      <span style="position:absolute;left:\(cursor.column)ch;top:\(top)em;width:1ch;height:1.17em;\
      \(look)"></span>
      """
  }
}
