import RetraceScreen
import Testing

/// Texts that are cut and padded to a number of cells.
@Suite struct TextFittingTests {
  @Test(
    arguments: [
      ("abc", 3, "abc"), ("abcd", 3, "ab…"), ("abc", 1, "…"), ("abc", 0, ""), ("", 0, ""),
      // A wide character does not fit into the half of its cells.
      ("日本語", 6, "日本語"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"), ("日本語", 2, "…"),
      // A control character has the cells of its escape.
      ("a\u{1B}b", 2, "a…"),
    ] as [(String, Int, String)])
  func `a text that is too wide ends in an ellipsis`(text: String, cells: Int, cut: String) {
    #expect(TextWidth.cut(text, to: cells) == cut)
    #expect(TextWidth.of(TextWidth.cut(text, to: cells)) <= cells)
    let line = Screen.Line([
      Screen.Run(String(text.prefix(1))), Screen.Run(String(text.dropFirst())),
    ])
    #expect(line.cut(to: cells).text == cut)
  }

  @Test func `a cut line keeps the styles of its runs`() {
    let line = Screen.Line([Screen.Run("ab", .strong), Screen.Run("cd", .faint)])
    #expect(line.cut(to: 4) == line)
    #expect(
      line.cut(to: 3).runs
        == [Screen.Run("ab", .strong), Screen.Run("…", .strong)])
    #expect(line.cut(to: 2).runs == [Screen.Run("a", .strong), Screen.Run("…", .strong)])
  }

  @Test func `blanks fill a width in cells, before or after the text`() {
    #expect(TextWidth.padded("日", to: 4) == "日  ")
    #expect(TextWidth.padded("日", to: 4, isRight: true) == "  日")
    #expect(TextWidth.padded("abc", to: 2) == "abc")
    #expect(TextWidth.fitted("日本語", to: 4) == "日… ")
    #expect(TextWidth.fitted("a", to: 3) == "a  ")
  }

  @Test func `lines above the limit are joined to the last one, which is cut`() {
    func lines(_ limit: Int) -> [String] {
      TextWidth.lines(of: "one two three four", cutTo: 7, indent: 1, linesMax: limit)
    }
    #expect(lines(0) == ["one two", " three", " four"])
    #expect(lines(3) == lines(0))
    #expect(lines(2) == ["one two", " three…"])
    #expect(lines(1) == ["one tw…"])
    let joined = TextWidth.lines(of: "a b c", cutTo: 1, indent: 2, linesMax: 1)
    #expect(joined == ["…"])
    #expect(TextWidth.lines(of: "a bcd", cutTo: 4, indent: 2, linesMax: 1) == ["a b…"])
  }
}
