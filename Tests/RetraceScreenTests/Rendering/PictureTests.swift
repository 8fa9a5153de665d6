import RetraceScreen
import RetraceTesting
import Testing

/// Pictures of a screen as SVG and as HTML show the cells of its canvas.
@Suite struct PictureTests {
  private let size = Screen.Size(columns: 24, rows: 6)

  @Test func `an SVG picture has its texts where the cells are`() throws {
    try withSeed { random in
      for _ in 0..<100 {
        let screen = Screen(random.canvas(size), cursor: Screen.Cursor(row: 1, column: 2))
        let text = SVGRenderer(theme: .dark).text(
          of: screen, size: size, title: "</text><script>\u{1B}")
        #expect(try shown(inSVG: text) == canvasTexts(screen))
        try expectNothingOutside(text)
      }
    }
  }

  @Test func `a page has its texts where the cells are`() throws {
    try withSeed { random in
      for _ in 0..<100 {
        let screen = Screen(random.canvas(size), cursor: Screen.Cursor(row: 1, column: 2))
        let page = HTMLRenderer(theme: .light).page(
          of: screen, size: size, title: "</title><script>\u{1B}")
        #expect(try shown(inHTML: page) == canvasTexts(screen))
        try expectNothingOutside(page)
      }
    }
  }

  @Test func `a picture has the title that fits its bar`() throws {
    func title(_ title: String?, columns: Int) throws -> String? {
      let size = Screen.Size(columns: columns, rows: 1)
      let text = SVGRenderer(theme: .light).text(
        of: Screen(Canvas(size)), size: size, title: title)
      for piece in try MarkupReader.pieces(of: text) {
        if case .text(let text) = piece, text != "\n" { return text }
      }
      return nil
    }
    #expect(try title("a <b>", columns: 40) == "a <b>")
    #expect(try title("the title of a window", columns: 24) == "the title…")
    #expect(try title("title", columns: 10) == nil)
    #expect(try title(nil, columns: 40) == nil)
  }

  @Test func `styles and the cursor are drawn`() throws {
    var canvas = Canvas(Screen.Size(columns: 8, rows: 1))
    let style = Style(
      foreground: Color(rgb: 0x0000ff), background: .selection,
      attributes: [.bold, .italic, .underline, .struck])
    canvas.draw("a b", row: 0, column: 1, style: style, in: canvas.bounds)
    let screen = Screen(canvas, cursor: Screen.Cursor(row: 0, column: 4, shape: .bar))
    let svg = SVGRenderer(theme: .light).text(of: screen, size: canvas.size)
    let pieces = try MarkupReader.pieces(of: svg)
    #expect(
      pieces.contains(
        .start(
          "text",
          [
            "x": "8.4", "y": "13", "textLength": "25.2", "lengthAdjust": "spacingAndGlyphs",
            "style": "white-space:pre",
            "fill": "#0000ff", "font-weight": "bold", "font-style": "italic",
            "text-decoration": "underline line-through",
          ])))
    let behind = [
      "x": "8.4", "y": "0", "width": "25.2", "height": "16.4", "fill": "#cfe3fa",
      "shape-rendering": "crispEdges",
    ]
    #expect(pieces.contains(.start("rect", behind)))
    #expect(svg.contains("<rect x=\"33.6\" y=\"0\" width=\"2\" height=\"16.4\""))
    let renderer = HTMLRenderer(theme: .light, showsCursor: false)
    let html = renderer.element(of: screen, size: canvas.size)
    #expect(
      html.hasSuffix(
        "> <span style=\"color:#0000ff;background:#cfe3fa;font-weight:bold;font-style:italic;"
          + "text-decoration:underline line-through;display:inline-block;width:3ch;height:1.17em;"
          + "overflow:hidden;vertical-align:top;\">a b</span>    </pre>"))
  }

  @Test func `full blocks have their color behind them, without lines between`() throws {
    var canvas = Canvas(Screen.Size(columns: 6, rows: 1))
    canvas.draw("███ █", row: 0, column: 0, style: Style(foreground: .accent), in: canvas.bounds)
    let svg = SVGRenderer(theme: .light).text(of: Screen(canvas), size: canvas.size)
    for (x, width) in [("0", "25.2"), ("33.6", "8.4")] {
      let place = "<rect x=\"\(x)\" y=\"0\" width=\"\(width)\" height=\"16.4\""
      #expect(svg.contains(place + " fill=\"#0550ae\""))
    }
    #expect(svg.contains(">███</text>"))
    let html = HTMLRenderer(theme: .light).element(of: Screen(canvas), size: canvas.size)
    #expect(html.split(separator: "color:#0550ae;background:#0550ae;").count == 5)
  }

  @Test(
    "Text contrasts with its background in both themes",
    arguments: Theme.allCases, Color.Role.allCases)
  func contrast(theme: Theme, background: Color.Role) {
    var backgrounds = [Color(background)]
    for rgb: Int32 in [0, 0xffffff, 0x777777, 0x0b83d9, 0xffff00] {
      backgrounds.append(Color(rgb: rgb))
    }
    for background in backgrounds {
      for letters in Color.Role.allCases.map({ Color($0) }) + backgrounds {
        for attributes: Style.Attributes in [[], .reversed] {
          let style = Style(
            foreground: letters, background: background, attributes: attributes)
          let colors = theme.colors(of: style)
          #expect(colors.foreground.contrast(with: colors.background) >= 4.5)
        }
      }
    }
    // The roles for text are readable as they are on what is behind most text.
    for letters: Color in [.text, .faint, .accent, .success, .caution, .warning, .border] {
      for background: Color in [.background, .surface] {
        #expect(theme.color(of: letters).contrast(with: theme.color(of: background)) >= 4.5)
      }
    }
  }

  @Test func `contrast is that of WCAG`() {
    func near(_ one: Double, _ other: Double) -> Bool { abs(one - other) < 0.005 }
    let (black, white) = (RGB(0), RGB(0xffffff))
    #expect(near(white.contrast(with: black), 21))
    #expect(near(RGB(0x767676).contrast(with: white), 4.54))
    #expect(near(RGB(0xff0000).contrast(with: white), 4.0))
    #expect(near(RGB(0x0000ff).contrast(with: black), 2.44))
    #expect(RGB(0x777777).legible(on: white) != RGB(0x777777))
    #expect(RGB(0x767676).legible(on: white) == RGB(0x767676))
  }

  /// The characters of a canvas with their columns, row by row.
  private func canvasTexts(_ screen: Screen) -> [[Int: String]] {
    let canvas = screen.canvas(fitting: size)
    return (0..<canvas.size.rows).map { row in
      var texts: [Int: String] = [:]
      for column in 0..<canvas.size.columns where !canvas[row: row, column: column].isBlank {
        let text = canvas.text(of: canvas[row: row, column: column])
        if !text.isEmpty { texts[column] = text }
      }
      return texts
    }
  }

  private func shown(inSVG text: String) throws -> [[Int: String]] {
    var rows = [[Int: String]](repeating: [:], count: size.rows)
    var place: (row: Int, column: Int, cells: Int)?
    for piece in try MarkupReader.pieces(of: text) {
      switch piece {
      case .start("text", let attributes):
        // The title has no length.
        guard let length = attributes["textLength"].flatMap(Double.init) else { continue }
        let x = try #require(Double(attributes["x"] ?? ""))
        let y = try #require(Double(attributes["y"] ?? ""))
        place = (
          Int(((y - 13) / 16.4).rounded()), Int((x / 8.4).rounded()),
          Int((length / 8.4).rounded())
        )
      case .text(let text):
        guard let at = place else { continue }
        add(text, cells: at.cells, column: at.column, to: &rows[at.row])
      case .end: place = nil
      default: continue
      }
    }
    return rows
  }

  private func shown(inHTML text: String) throws -> [[Int: String]] {
    var rows: [[Int: String]] = [[:]]
    var (column, isInside, cells) = (0, false, 0)
    let widths = /width:([0-9]+)ch/
    for piece in try MarkupReader.pieces(of: text) {
      switch piece {
      case .start("pre", _): isInside = true
      case .end("pre"): isInside = false
      case .start("span", let attributes):
        cells = attributes["style"]?.firstMatch(of: widths).flatMap { Int($0.1) } ?? 0
      case .text(let text):
        guard isInside else { continue }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
          if index > 0 {
            #expect(column == size.columns)
            rows.append([:])
            column = 0
          }
          let count = cells > 0 ? cells : line.count
          add(String(line), cells: count, column: column, to: &rows[rows.count - 1])
          column += count
        }
      default: cells = 0
      }
    }
    return rows
  }

  /// Adds the characters of a piece: one, or ASCII or parts of a line with a cell each.
  private func add(_ text: String, cells: Int, column: Int, to row: inout [Int: String]) {
    let isPart = cells > 1 && text.allSatisfy { $0 == "─" }
    if isPart || text.utf8.allSatisfy({ $0 < 0x80 }) {
      #expect(text.count == cells)
      for (offset, character) in text.enumerated() where character != " " {
        row[column + offset] = String(character)
      }
    } else {
      #expect(TextWidth.of(text) == cells || TextWidth.of(text) == 0)
      row[column] = text
    }
  }

  /// Expects no reference but the names of the formats, and no script.
  private func expectNothingOutside(_ text: String) throws {
    for piece in try MarkupReader.pieces(of: text) {
      guard case .start(let name, let attributes) = piece else { continue }
      let names = [
        "svg", "g", "rect", "circle", "text", "html", "head", "meta", "title", "body", "pre",
        "span",
      ]
      #expect(names.contains(name))
      for (attribute, value) in attributes where attribute != "xmlns" {
        #expect(!value.contains("url") && !value.contains("//") && !attribute.hasPrefix("on"))
        #expect(attribute != "href" && attribute != "src")
      }
    }
  }
}

extension SeededGenerator {
  /// A canvas of texts of all kinds.
  fileprivate mutating func canvas(_ size: Screen.Size) -> Canvas {
    let alphabet = [
      "a", "B ", " ", "<b>", "&amp;", "\"'", "]]>", "<script>", "é", "e\u{301}", "日", "👍🏽", "👩‍👩‍👧",
      "\u{1B}", "\u{202E}", "\u{FFFF}", "\u{FFFE}", "─", "───", "\u{1F}", "שלום", "क्षि",
    ]
    var canvas = Canvas(size)
    for _ in 0..<Int.random(in: 1...20, using: &self) {
      let text = (0..<Int.random(in: 0...8, using: &self))
        .map { _ in alphabet.randomElement(using: &self) ?? "" }.joined()
      var style = Style(
        foreground: Color(rgb: Int32.random(in: 0...0xff_ffff, using: &self)),
        attributes: Style.Attributes(rawValue: UInt16.random(in: 0...31, using: &self)))
      style.background = Color(Color.Role.allCases.randomElement(using: &self) ?? .background)
      style.link = canvas.link(to: "https://example.com/\(Int.random(in: 0...9, using: &self))")
      canvas.draw(
        text, row: Int.random(in: 0..<size.rows, using: &self),
        column: Int.random(in: -4..<size.columns, using: &self), style: style, in: canvas.bounds)
    }
    return canvas
  }
}
