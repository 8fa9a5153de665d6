import RetraceScreen
import RetraceTesting
import Testing

/// Drawing puts text into cells, cut at rectangles and at halves of characters.
@Suite struct CanvasTests {
  private func canvas(_ columns: Int, _ rows: Int = 1, _ text: String = "") -> Canvas {
    var canvas = Canvas(Screen.Size(columns: columns, rows: rows))
    canvas.draw(text, row: 0, column: 0, in: canvas.bounds)
    return canvas
  }

  @Test func `text is drawn from left to right, and drawing returns the column after it`() {
    var canvas = canvas(12)
    var column = canvas.draw("ab", row: 0, column: 1, style: .strong, in: canvas.bounds)
    #expect(column == 3)
    column = canvas.draw("日e\u{301}", row: 0, column: column, in: canvas.bounds)
    #expect(column == 6)
    #expect(canvas.text(ofRow: 0) == " ab日e\u{301}")
    #expect(canvas[row: 0, column: 1].style == .strong)
    #expect(canvas[row: 0, column: 3].cells == 2)
    #expect(canvas[row: 0, column: 4].isContinued)
    #expect(canvas.text(of: canvas[row: 0, column: 5]) == "e\u{301}")
    #expect(canvas.draw("", row: 0, column: 7, in: canvas.bounds) == 7)
    // A sign of no cells has no place.
    #expect(canvas.draw("\u{301}\u{200d}", row: 0, column: 7, in: canvas.bounds) == 7)
    #expect(canvas.text(ofRow: 0) == " ab日e\u{301}")
  }

  @Test(
    "Outside of a rectangle nothing is drawn, and a cut character leaves a blank",
    arguments: [
      (0, "日本語", ". 本."), (-1, "日本語", ".本 ."), (-2, "日本語", ". 語."), (-9, "日本語", "....."),
      (1, "日本語", ".日 ."), (2, "日本語", "..日."), (3, "日本語", "... ."), (4, "ab", "....."),
      (-1, "abcdefgh", ".cde."), (0, "a\u{1b}b", ".\\u{."),
    ])
  func clipping(column: Int, text: String, expected: String) {
    var canvas = canvas(5, 1, ".....")
    canvas.draw(text, row: 0, column: column, in: Rect(column: 1, row: 0, columns: 3, rows: 1))
    #expect(canvas.text(ofRow: 0) == expected)
  }

  @Test func `rows outside of the rectangle and the canvas are left out`() {
    var canvas = canvas(3, 2)
    for row in [-1, 2, 9] { canvas.draw("abc", row: row, column: 0, in: canvas.bounds) }
    canvas.draw("abc", row: 0, column: 0, in: Rect(row: 1, columns: 3, rows: 1))
    canvas.draw("abc", row: 0, column: 0, in: Rect(row: -5, columns: 3, rows: 5))
    // A character of two cells that begins left of a rectangle without columns.
    canvas.fill(canvas.bounds, with: "x")
    canvas.draw("日", row: 0, column: -1, in: Rect(column: -4, columns: 4, rows: 1))
    canvas.draw("日", row: 0, column: 0, in: Rect(column: 1, columns: 0, rows: 1))
    #expect(canvas.lines == ["xxx", "xxx"])
    canvas.fill(canvas.bounds)
    canvas.fill(Rect(column: 7, row: 7, columns: 2, rows: 2), with: "x")
    #expect(canvas.lines == [])
    #expect(canvas[row: 5, column: -1].isBlank)
  }

  @Test(
    "What is drawn over one half of a character leaves a blank in the other",
    arguments: [
      (0, "x", "x 本"), (1, "x", " x本"), (1, "xy", " xy "), (2, "x", "日x "), (1, "語", " 語 "),
      (3, "x", "日 x"),
    ])
  func halves(column: Int, text: String, expected: String) {
    var canvas = canvas(4, 1, "日本")
    canvas.draw(text, row: 0, column: column, in: canvas.bounds)
    #expect(canvas.text(ofRow: 0) == expected.trimmed)
    expectWhole(canvas)
    var filled = self.canvas(4, 1, "日本")
    filled.fill(Rect(column: column, columns: text.unicodeScalars.count, rows: 1), with: "x")
    expectWhole(filled)
    var layered = self.canvas(4, 1, "日本")
    layered.draw(layer: self.canvas(1, 1, "x"), row: 0, column: column, in: canvas.bounds)
    expectWhole(layered)
  }

  @Test func `text of any kind is one line without control characters`() {
    let hostile = "a\u{1b}[31mb\u{202e}c\td\r\ne\u{7}\u{9b}2J\u{200b}f\u{2028}g\u{e0041}h"
    var canvas = canvas(120)
    let end = canvas.draw(hostile, row: 0, column: 0, in: canvas.bounds)
    #expect(end == TextWidth.of(hostile))
    #expect(
      canvas.text(ofRow: 0)
        == #"a\u{1B}[31mb\u{202E}c\u{9}d\u{D}\u{A}e\u{7}\u{9B}2J\u{200B}f\u{2028}g\u{E0041}h"#)
    // A hundred thousand characters, and a letter with as many marks.
    let long = String(repeating: "日", count: 33_000) + "z"
    #expect(canvas.draw(long, row: 0, column: 0, in: canvas.bounds) == 120)
    #expect(canvas.text(ofRow: 0) == String(repeating: "日", count: 60))
    let marked = "e" + String(repeating: "\u{301}", count: 100_000) + "x"
    #expect(canvas.draw(marked, row: 0, column: 0, in: canvas.bounds) == 2)
    #expect(canvas.text(of: canvas[row: 0, column: 0]).utf8.count <= 60)
    #expect(canvas.text(of: canvas[row: 0, column: 1]) == "x")
  }

  @Test func `a restyled rectangle keeps its characters`() {
    var canvas = canvas(6, 1, "日本語")
    canvas.restyle(
      Rect(column: 1, columns: 2, rows: 1), background: .selection, adding: .underline)
    #expect(canvas.text(ofRow: 0) == "日本語")
    let styles = (0..<6).map { canvas[row: 0, column: $0].style }
    let changed = Style(background: .selection, attributes: .underline)
    #expect(styles == [.plain, .plain, changed, changed, .plain, .plain])
    canvas.restyle(Rect(column: 2, columns: 2, rows: 1), foreground: .accent)
    #expect(canvas[row: 0, column: 3].style.background == .selection)
    #expect(canvas[row: 0, column: 3].style.foreground == .accent)
    canvas.restyle(Rect(column: 1, columns: 0, rows: 1), foreground: .warning)
    canvas.restyle(Rect(column: 1, columns: 1, rows: 1), foreground: .warning)
    #expect(!(0..<6).contains { canvas[row: 0, column: $0].style.foreground == .warning })
  }

  @Test func `a layer is drawn with its links and its characters of several scalars`() throws {
    var below = canvas(10, 2, "aaaaaaaaaa")
    let own = below.link(to: "https://example.com/1")
    below.draw("👍🏽", row: 1, column: 0, style: Style(link: own), in: below.bounds)
    var layer = canvas(5, 2)
    let link = layer.link(to: "https://example.com/2")
    layer.draw("👩‍👩‍👧日x", row: 0, column: 0, style: Style(link: link), in: layer.bounds)
    below.draw(layer: layer, row: 0, column: 6, in: below.bounds)
    #expect(below.lines == ["aaaaaa👩‍👩‍👧日", "👍🏽"])
    #expect(
      below.target(of: below[row: 0, column: 6].style.link) == "https://example.com/2")
    #expect(below.target(of: below[row: 1, column: 0].style.link) == "https://example.com/1")
    // Only the right half of the first character is inside.
    below.draw(layer: layer, row: 0, column: -1, in: below.bounds)
    #expect(below.lines.first == " 日xaa👩‍👩‍👧日")
    // A layer may have no links.
    below.draw(layer: canvas(2, 1, "👍🏽"), row: 0, column: 0, in: below.bounds)
    #expect(below.lines.first == "👍🏽 xaa👩‍👩‍👧日")
    expectWhole(below)
  }

  @Test(
    "A link leads to a plain address only",
    arguments: [
      ("https://example.com/a?b=c", true), ("http://x", true), ("mailto:a@example.com", true),
      ("javascript:alert(1)", false), ("file:///etc/passwd", false), ("https://x/\u{7}", false),
      ("https://x/ y", false), ("https://x/é", false), ("", false),
      ("https://x/" + String(repeating: "a", count: 2000), false),
    ])
  func links(target: String, isLink: Bool) {
    var canvas = canvas(1)
    let link = canvas.link(to: target)
    #expect((link != .none) == isLink)
    #expect(canvas.target(of: link) == (isLink ? target : nil))
    #expect(canvas.link(to: target) == link)
  }

  @Test func `canvases are equal if they show the same`() {
    func made(_ texts: [String], link: String) -> Canvas {
      var canvas = canvas(20)
      let style = Style(link: canvas.link(to: link))
      for text in texts { canvas.draw(text, row: 0, column: 0, style: style, in: canvas.bounds) }
      return canvas
    }
    let one = made(["👍🏽e\u{301}x"], link: "http://x")
    let two = made(["👩‍👩‍👧👩‍👩‍👧", "👍🏽e\u{301}x"], link: "http://x")
    var three = made(["👍🏽e\u{301}x"], link: "http://x")
    #expect(one == three)
    #expect(one.hashValue == three.hashValue)
    #expect(one != made(["👍🏽e\u{301}x"], link: "http://x/2"))
    #expect(one != made(["👍🏽e\u{300}x"], link: "http://x"))
    #expect(one != made(["👍🏾e\u{301}x"], link: "http://x"))
    #expect(one == two)
    three.draw("y", row: 0, column: 3, in: three.bounds)
    #expect(one != three)
    #expect(canvas(2) != canvas(3))
  }

  @Test func `sizes have limits`() {
    #expect(Canvas(Screen.Size(columns: -1, rows: 5)).size == Screen.Size(columns: 0, rows: 5))
    var none = Canvas(Screen.Size(columns: 0, rows: 0))
    none.draw("a", row: 0, column: 0, in: Rect(columns: 9, rows: 9))
    none.fill(none.bounds)
    none.restyle(none.bounds, background: .surface)
    #expect(none.lines == [])
    let wide = Canvas(Screen.Size(columns: 1_000_000, rows: 1))
    #expect(wide.size.columns == Screen.Size.sideMax)
  }

  /// Expects each character of two cells to be followed by a cell that continues it, and no other.
  private func expectWhole(_ canvas: Canvas) {
    for row in 0..<canvas.size.rows {
      var continues = false
      for column in 0..<canvas.size.columns {
        let cell = canvas[row: row, column: column]
        #expect(cell.isContinued == continues)
        continues = cell.cells == 2
      }
      #expect(!continues)
    }
  }
}

extension String {
  /// The text without the blanks at its end.
  fileprivate var trimmed: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}
