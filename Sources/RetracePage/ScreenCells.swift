import Retrace

/// A screen as JSON, from which a page makes its elements.
enum ScreenCells {
  /// Returns the pieces of each line with their styles, the text of the lines, and the cursor.
  ///
  /// - Complexity: O(cells).
  static func json(of screen: Screen, size: Screen.Size, theme: Theme) -> JSONValue {
    let canvas = screen.canvas(fitting: size)
    let cursor = screen.cursor?.clamped(to: canvas.size)
    let lines = (0..<canvas.size.rows).map { row -> JSONValue in
      .array(canvas.markupRuns(ofRow: row).map { json(of: $0, theme: theme) })
    }
    return [
      "columns": .integer(Int64(canvas.size.columns)), "rows": .integer(Int64(canvas.size.rows)),
      "title": screen.title.map { .string(SafeText.line($0)) } ?? .null,
      "paper": .string(hex(theme.color(of: .background))),
      "ink": .string(hex(theme.color(of: .text))),
      "cursor": cursor.map {
        [
          "row": .integer(Int64($0.row)), "column": .integer(Int64($0.column)),
          "shape": .integer(Int64($0.shape.rawValue)),
        ]
      } ?? .null,
      "lines": .array(lines),
      "text": .array(canvas.lines.map { .string($0) }),
    ]
  }

  /// Returns a piece: its text and number of cells, and what differs from plain text.
  private static func json(of run: MarkupRun, theme: Theme) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("text", .string(run.text)), .init("cells", .integer(Int64(run.cells))),
    ]
    let ink = theme.colors(of: run.style).foreground
    if ink != theme.color(of: .text) { members.append(.init("ink", .string(hex(ink)))) }
    let paper = theme.background(of: run)
    if paper != theme.color(of: .background) {
      members.append(.init("paper", .string(hex(paper))))
    }
    for (attribute, name) in Self.attributes where run.style.attributes.contains(attribute) {
      members.append(.init(name, .bool(true)))
    }
    if !run.isASCII { members.append(.init("isBoxed", .bool(true))) }
    return .object(members)
  }

  private static var attributes: [(Style.Attributes, String)] {
    [(.bold, "bold"), (.italic, "italic"), (.underline, "underline"), (.struck, "struck")]
  }

  private static func hex(_ color: RGB) -> String {
    "#" + Hexadecimal.text([color.red, color.green, color.blue])
  }
}
