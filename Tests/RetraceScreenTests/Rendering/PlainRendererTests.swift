import RetraceScreen
import Testing

@Suite struct PlainRendererTests {
  private let screen = PlainRendererTests.screen(
    [
      Screen.Line("Timer", .title),
      Screen.Line(""),
      Screen.Line([Screen.Run("> ", .selected), Screen.Run("write 日本語 report   ", .strong)]),
      Screen.Line("evil\u{1B}]0;x\u{7}\nline", .warning),
      Screen.Line("   "),
      Screen.Line(""),
    ],
    cursor: Screen.Cursor(row: 2, column: 7))

  private static func screen(_ lines: [Screen.Line], cursor: Screen.Cursor? = nil) -> Screen {
    var screen = Screen(lines, size: Screen.Size(columns: 60, rows: 8))
    screen.cursor = cursor
    return screen
  }

  @Test("A screen is lines without trailing blanks")
  func golden() {
    #expect(
      PlainRenderer(size: Screen.Size(columns: 40, rows: 10)).text(of: screen) == #"""
        Timer

        > write 日本語 report
        evil\u{1B}]0;x\u{7}\u{A}line

        """#)
  }

  @Test("Lines are cut by cells and rows, and the cursor stays inside")
  func cut() {
    let renderer = PlainRenderer(size: Screen.Size(columns: 11, rows: 3), showsCursor: true)
    #expect(renderer.lines(of: screen) == ["Timer", "", "> write 日", "cursor 2 7"])
    let small = PlainRenderer(size: Screen.Size(columns: 3, rows: 2), showsCursor: true)
    #expect(small.lines(of: screen) == ["Tim", "", "cursor 1 2"].filter { !$0.isEmpty })
    let none = PlainRenderer(size: Screen.Size(columns: 0, rows: -5), showsCursor: true)
    #expect(none.lines(of: Self.screen([Screen.Line("ab")])) == ["a", "cursor none"])
  }

  @Test("The cursor stands behind what is shown for the text before it")
  func cursorBehindEscapes() {
    let renderer = PlainRenderer(size: Screen.Size(columns: 40, rows: 1), showsCursor: true)
    for (before, shown) in [("ab", 2), ("日a", 3), ("a\u{1B}b", 8), ("a\u{200B}", 9), ("", 0)] {
      let field = Screen.Line([Screen.Run(before), Screen.Run("cd", .strong)])
      let cursor = Screen.Cursor(row: 0, column: TextWidth.of(before))
      let lines = renderer.lines(of: Self.screen([field], cursor: cursor))
      #expect(lines.last == "cursor 0 \(shown)")
    }
    let empty = Self.screen([Screen.Line("ab")], cursor: Screen.Cursor(row: 0, column: 7))
    #expect(renderer.lines(of: empty).last == "cursor 0 7")
  }
}
