import RetraceScreen
import RetraceArchitecture
import RetraceTesting
import Testing

@testable import TerminalUI

@Suite struct PlainRendererTests {
  private let screen = Screen(
    lines: [
      Screen.Line("Timer", .title),
      Screen.Line(""),
      Screen.Line([Screen.Run("> ", .selected), Screen.Run("write 日本語 report   ", .strong)]),
      Screen.Line("evil\u{1B}]0;x\u{7}\nline", .warning),
      Screen.Line("   "),
      Screen.Line(""),
    ],
    cursor: Screen.Cursor(row: 2, column: 7))

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
    #expect(none.lines(of: Screen(lines: [Screen.Line("ab")])) == ["a", "cursor none"])
  }

  @Test("The cursor stands behind what is shown for the text before it")
  func cursorBehindEscapes() {
    let renderer = PlainRenderer(size: Screen.Size(columns: 40, rows: 1), showsCursor: true)
    for (before, shown) in [("ab", 2), ("日a", 3), ("a\u{1B}b", 8), ("a\u{200B}", 9), ("", 0)] {
      let field = Screen.Line([Screen.Run(before), Screen.Run("cd", .strong)])
      let cursor = Screen.Cursor(row: 0, column: TextWidth.of(before))
      let lines = renderer.lines(of: Screen(lines: [field], cursor: cursor))
      #expect(lines.last == "cursor 0 \(shown)")
    }
    let empty = Screen(lines: [Screen.Line("ab")], cursor: Screen.Cursor(row: 0, column: 7))
    #expect(renderer.lines(of: empty).last == "cursor 0 7")
  }
}

@Suite struct AnsiRendererTests {
  private let size = Screen.Size(columns: 12, rows: 4)

  @Test("The first screen is drawn whole, the next only where it differs, the same not at all")
  func golden() {
    var renderer = AnsiRenderer(usesColor: true)
    let first = Screen(
      lines: [Screen.Line("Timer", .title), Screen.Line("one"), Screen.Line("123456789012")],
      cursor: Screen.Cursor(row: 1, column: 3))
    let drawn = renderer.draw(first, size: size)
    #expect(
      visible(drawn)
        == "^[?25l^[0m^[2J^[1;1H^[1;36mTimer^[0m^[K^[2;1Hone^[K^[3;1H123456789012^[2;4H^[?25h")
    #expect(renderer.draw(first, size: size) == "")
    var second = first
    second.lines[1] = Screen.Line("ones", .selected)
    second.cursor = nil
    #expect(visible(renderer.draw(second, size: size)) == "^[?25l^[2;1H^[7mones^[0m^[K")
    second.lines.removeLast()
    #expect(visible(renderer.draw(second, size: size)) == "^[?25l^[3;1H^[K")
    renderer.invalidate()
    #expect(renderer.draw(second, size: size).contains("\u{1B}[2J"))
  }

  @Test("Without color no color sequence is written, and each style still shows")
  func noColor() {
    #expect(!AnsiRenderer.wantsColor(noColor: "1", term: "xterm"))
    #expect(!AnsiRenderer.wantsColor(noColor: nil, term: "dumb"))
    #expect(!AnsiRenderer.wantsColor(noColor: nil, term: nil))
    #expect(AnsiRenderer.wantsColor(noColor: "", term: "xterm"))
    let lines = Screen.Style.allCases.map { Screen.Line("x", $0) }
    for usesColor in [true, false] {
      var renderer = AnsiRenderer(usesColor: usesColor)
      let text = renderer.draw(
        Screen(lines: lines), size: Screen.Size(columns: 5, rows: lines.count))
      var terminal = TerminalModel(columns: 5, rows: lines.count)
      terminal.write(text)
      var allCodes: [Int] = []
      for (row, style) in Screen.Style.allCases.enumerated() {
        #expect((terminal.cells[row][0].style == "") == (style == .plain))
        let codes = terminal.cells[row][0].style.split(separator: ";").compactMap { Int($0) }
        allCodes += codes
      }
      // The codes of colors begin with 30.
      #expect(allCodes.contains { $0 >= 30 } == usesColor)
    }
  }

  @Test("Drawing what changed gives the same cells as drawing the whole, also across sizes")
  func diff() {
    withSeed { random in
      for _ in 0..<60 {
        var renderer = AnsiRenderer(usesColor: Bool.random(using: &random))
        var size = self.size
        var terminal = TerminalModel(columns: size.columns, rows: size.rows)
        var screen = Screen(lines: [])
        for _ in 0..<40 {
          screen = random.screen(like: screen)
          if Int.random(in: 0..<10, using: &random) == 0 {
            size.columns = Int.random(in: 1...20, using: &random)
            size.rows = Int.random(in: 1...8, using: &random)
            terminal = TerminalModel(columns: size.columns, rows: size.rows)
            terminal.write(String(repeating: "#", count: size.columns))
            // The size may be the same again: then only the program knows that the terminal
            // changed.
            renderer.invalidate()
          }
          terminal.write(renderer.draw(screen, size: size))
          var whole = TerminalModel(columns: size.columns, rows: size.rows)
          var fresh = AnsiRenderer(usesColor: renderer.usesColor)
          whole.write(fresh.draw(screen, size: size))
          #expect(terminal.cells == whole.cells)
          #expect(terminal.showsCursor == whole.showsCursor)
          if screen.cursor != nil {
            #expect([terminal.row, terminal.column] == [whole.row, whole.column])
          }
          #expect(terminal.complaints == [])
          #expect(plain(terminal.lines) == PlainRenderer(size: size).lines(of: screen))
        }
      }
    }
  }

  @Test("A change of one line writes that line only")
  func writesLittle() {
    var renderer = AnsiRenderer(usesColor: false)
    let size = Screen.Size(columns: 80, rows: 24)
    var screen = Screen(lines: (0..<24).map { Screen.Line("line \($0)") })
    _ = renderer.draw(screen, size: size)
    screen.lines[20] = Screen.Line("LINE 20")
    var terminal = TerminalModel(columns: 80, rows: 24)
    terminal.write(renderer.draw(screen, size: size))
    #expect(terminal.cellsWritten == 7)
  }

  private func visible(_ text: String) -> String {
    text.split(separator: "\u{1B}", omittingEmptySubsequences: false).joined(separator: "^")
  }

  private func plain(_ lines: [String]) -> [String] {
    var lines = lines.map { line in
      var line = line
      while line.last == " " { line.removeLast() }
      return line
    }
    while lines.last == "" { lines.removeLast() }
    return lines
  }
}

extension SeededGenerator {
  /// A screen that shares most lines with another.
  mutating func screen(like other: Screen) -> Screen {
    var lines = other.lines
    for _ in 0..<Int.random(in: 0...3, using: &self) {
      let line = Screen.Line(
        (0..<Int.random(in: 0...3, using: &self)).map { _ in
          Screen.Run(words(), Screen.Style.allCases.randomElement(using: &self) ?? .plain)
        })
      switch Int.random(in: 0..<3, using: &self) {
      case 0: lines.insert(line, at: Int.random(in: 0...lines.count, using: &self))
      case 1 where !lines.isEmpty: lines.remove(at: Int.random(in: 0..<lines.count, using: &self))
      default:
        if let index = lines.indices.randomElement(using: &self) { lines[index] = line }
      }
    }
    let cursor = Screen.Cursor(
      row: Int.random(in: -2...12, using: &self), column: Int.random(in: -2...30, using: &self))
    return Screen(lines: lines, cursor: Bool.random(using: &self) ? cursor : nil)
  }

  private mutating func words() -> String {
    let alphabet = ["a", "b", " ", "é", "e\u{301}", "日", "🙂", "\u{1B}", "\n", "\u{202E}", "xyz"]
    return (0..<Int.random(in: 0...6, using: &self))
      .map { _ in alphabet.randomElement(using: &self) ?? "" }.joined()
  }
}

@Suite struct ProgressBarTests {
  @Test("A bar is text of a fixed width")
  func golden() {
    #expect(
      ProgressBar.text(label: "Import", done: 1, total: 2, columns: 30)
        == "Import [#######........]  50 %")
    #expect(ProgressBar.text(label: "Import", done: 9, total: 2, columns: 8) == "100 %")
    #expect(ProgressBar.text(label: "Import", done: -1, total: 0, columns: 4) == "")
    for columns in 0...90 {
      for done in [0, 1, 33, 99, 100] {
        let text = ProgressBar.text(label: "日本", done: done, total: 100, columns: columns)
        #expect(TextWidth.of(text) <= columns)
      }
    }
  }

  @Test("A pipe sees nothing, a terminal only changes")
  func updates() {
    var piped = ProgressBar(label: "Import", total: 10, columns: nil)
    #expect(piped.update(done: 5) + piped.finish() == "")
    var bar = ProgressBar(label: "Imp\u{1B}ort", total: 1_000_000, columns: 41)
    #expect(bar.finish() == "")
    #expect(bar.update(done: 0) == "\rImp\\u{1B}ort [...................]   0 %\u{1B}[K")
    #expect(bar.update(done: 10) == "")
    #expect(bar.update(done: 1_000_000).contains("100 %"))
    #expect(bar.finish() == "\r\u{1B}[K")
  }
}
