import Foundation
import RetraceScreen
import RetraceTesting
import Testing
import ToolTestSupport

/// The pictures of a widget, which are compared with files: text at four sizes in `Golden`, and the
/// SVG picture of its page in `RetraceScreen.docc/Resources`.
///
/// They are written anew by a run with `RETRACE_WRITE_GOLDEN=1`; read their differences before they
/// are committed.
enum Pictures {
  /// The sizes of the pictures that are text.
  static let sizes = [(20, 5), (40, 12), (80, 24), (200, 60)].map {
    Screen.Size(columns: $0.0, rows: $0.1)
  }

  private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()
  private static let resources = tests.deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Sources/RetraceScreen/RetraceScreen.docc/Resources")

  /// Expects a widget to look as its files say, at any place of a canvas.
  ///
  /// - Parameters:
  ///   - name: The name of the files.
  ///   - page: The size of the picture for the page; `nil` for none.
  ///   - location: The test.
  ///   - widget: Makes the widget for a size.
  static func expect(
    _ name: String, page: Screen.Size? = nil, location: SourceLocation = #_sourceLocation,
    widget: (Screen.Size) -> some Widget
  ) throws {
    var text = ""
    for size in sizes {
      let widget = widget(size)
      let screen = Screen(widget, size: size)
      text += "== \(size.columns)x\(size.rows)\n"
      text += PlainRenderer(size: size, showsCursor: screen.cursor != nil).text(of: screen)
      try WrittenScreen.write(screen, size: size, name: name)
      let rect = Rect(column: 3, row: 2, columns: size.columns, rows: size.rows)
      let moved = drawn(widget, in: rect, location: location)
      var inside = Canvas(size)
      inside.draw(layer: moved, row: -2, column: -3, in: inside.bounds)
      #expect(inside == screen.canvas(fitting: size), sourceLocation: location)
    }
    let golden = tests.appendingPathComponent("Golden")
    try expectGolden(text, in: golden.appendingPathComponent("\(name).txt"), location: location)
    guard let page else { return }
    let screen = Screen(widget(page), size: page)
    try WrittenScreen.write(screen, size: page, name: name)
    let picture = SVGRenderer(theme: .light).text(of: screen, size: page)
    try expectGolden(
      picture, in: resources.appendingPathComponent("\(name).svg"), location: location)
  }

  /// Draws a widget on a canvas that is some cells larger than a rectangle, and expects no cell
  /// outside of the rectangle to change.
  ///
  /// - Parameters:
  ///   - widget: The widget.
  ///   - rect: The rectangle, which may begin left of the canvas or above it.
  ///   - location: The test.
  @discardableResult static func drawn(
    _ widget: some Widget, in rect: Rect, location: SourceLocation = #_sourceLocation
  ) -> Canvas {
    let size = Screen.Size(columns: max(rect.endColumn, 0) + 3, rows: max(rect.endRow, 0) + 2)
    var canvas = Canvas(size)
    canvas.fill(canvas.bounds, with: "?")
    canvas.fill(rect)
    let before = canvas
    widget.draw(in: rect, on: &canvas)
    for row in 0..<size.rows {
      for column in 0..<size.columns where !rect.contains(row: row, column: column) {
        if canvas[row: row, column: column] != before[row: row, column: column] {
          Issue.record(
            "row \(row), column \(column) is outside of \(rect)", sourceLocation: location)
          return canvas
        }
      }
    }
    return canvas
  }
}

extension Rect {
  /// Whether a cell is in the rectangle.
  func contains(row: Int, column: Int) -> Bool {
    self.row <= row && row < endRow && self.column <= column && column < endColumn
  }
}

extension SeededGenerator {
  /// A rectangle of up to 40 columns and 12 rows, which may begin left of a canvas or above it.
  mutating func widgetRect() -> Rect {
    Rect(
      column: Int.random(in: -4...4, using: &self), row: Int.random(in: -2...2, using: &self),
      columns: Int.random(in: 0...40, using: &self), rows: Int.random(in: 0...12, using: &self))
  }

  /// A text of up to 12 pieces that are hard to align: wide, joined, invisible and control
  /// characters.
  mutating func hostileText() -> String {
    let pieces = [
      "a", "Zz", " ", "日", "é", "e\u{301}", "👩‍👩‍👧", "\u{1b}[31m", "\u{202e}", "\n", "\t", "\u{0}", "🇩🇪",
      "नि",
      "\u{301}", "\u{200b}", "…", "-", "/", "ﷺ",
    ]
    return (0..<Int.random(in: 0...12, using: &self))
      .map { _ in pieces.randomElement(using: &self) ?? "" }.joined()
  }
}
