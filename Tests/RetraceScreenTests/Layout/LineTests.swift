import RetraceScreen
import RetraceTesting
import Testing

/// A line is aligned, and ends in `…` where it is cut.
@Suite struct LineTests {
  @Test(
    "A text is aligned in its cells or cut",
    arguments: [
      ("ab", Alignment.left, ".ab   ."), ("ab", .center, ". ab  ."), ("ab", .right, ".   ab."),
      ("abcde", .right, ".abcde."), ("abcdef", .right, ".abcd…."), ("日本語", .left, ".日本…."),
      ("a日本語", .left, ".a日… ."), ("", .right, ".     ."), ("a\u{1b}", .left, ".a…   ."),
    ])
  func text(text: String, alignment: Alignment, expected: String) {
    for isLine in [false, true] {
      var canvas = Canvas(Screen.Size(columns: 7, rows: 1))
      canvas.fill(canvas.bounds, with: ".")
      let rect = Rect(column: 1, columns: 5, rows: 1)
      canvas.fill(rect)
      if isLine {
        canvas.drawLine(Screen.Line(text), aligned: alignment, in: rect)
      } else {
        canvas.drawLine(text, aligned: alignment, in: rect)
      }
      #expect(canvas.text(ofRow: 0) == expected)
    }
  }

  @Test func `a line of several runs is cut in the style of the run that does not fit`() {
    var canvas = Canvas(Screen.Size(columns: 6, rows: 1))
    let line = Screen.Line([
      Screen.Run("ab", .title), Screen.Run("cdefg", .warning), Screen.Run("h"),
    ])
    #expect(canvas.drawLine(line, in: canvas.bounds) == 6)
    #expect(canvas.text(ofRow: 0) == "abcde…")
    #expect(canvas[row: 0, column: 1].style == .title)
    #expect(canvas[row: 0, column: 5].style == .warning)
    #expect(canvas.drawLine(line, in: Rect(row: 0, columns: 2, rows: 1)) == 2)
    #expect(canvas.text(ofRow: 0) == "a…cde…")
    let empty = Rect(column: 2, columns: 0, rows: 1)
    #expect(canvas.drawLine(line, in: empty) == 2)
    #expect(canvas.drawLine("x", in: empty) == 2)
  }

  @Test func `pictures of a line`() throws {
    try Pictures.expect("line") { _ in
      Screen.Line("A line that is wider than forty cells is cut at its end.")
    }
  }

  @Test func `a line stays in its rectangle`() {
    withSeed { random in
      for _ in 0..<500 {
        let texts = [random.hostileText(), random.hostileText()]
        Pictures.drawn(Screen.Line(texts.map { Screen.Run($0) }), in: random.widgetRect())
      }
    }
  }
}
