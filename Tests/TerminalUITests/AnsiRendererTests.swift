import RetraceArchitecture
import RetraceFixtures
import RetraceScreen
import RetraceTesting
import Testing

@testable import TerminalUI

@Suite struct AnsiRendererTests {
  private let size = Screen.Size(columns: 12, rows: 4)

  private func screen(_ lines: [Screen.Line], cursor: Screen.Cursor? = nil) -> Screen {
    var screen = Screen(lines, size: size)
    screen.cursor = cursor
    return screen
  }

  @Test("The first screen is drawn whole, the next only where it differs, the same not at all")
  func golden() {
    var renderer = AnsiRenderer(usesColor: true)
    var lines = [Screen.Line("Timer", .title), Screen.Line("one"), Screen.Line("123456789012")]
    let first = screen(lines, cursor: Screen.Cursor(row: 1, column: 3))
    #expect(
      visible(renderer.draw(first, size: size))
        == "^[?25l^[0m^[2J^[1;1H^[0;1;36mTimer^[2;1H^[0mone^[3;1H123456789012^[2;4H^[?25h")
    #expect(renderer.draw(first, size: size) == [])
    lines[1] = Screen.Line("ones", .selected)
    var second = screen(lines)
    #expect(visible(renderer.draw(second, size: size)) == "^[?25l^[2;1H^[0;7mones^[0m")
    lines[1] = Screen.Line("o1es", .selected)
    second = screen(lines)
    #expect(visible(renderer.draw(second, size: size)) == "^[2;2H^[0;7m1^[0m")
    lines[1] = Screen.Line("one and two")
    _ = renderer.draw(screen(lines), size: size)
    // A few equal cells are written, and the end of a line is erased.
    lines[1] = Screen.Line("One aNd t")
    second = screen(lines)
    #expect(visible(renderer.draw(second, size: size)) == "^[2;1HOne aNd t^[K")
    second = screen(lines.dropLast())
    #expect(visible(renderer.draw(second, size: size)) == "^[3;1H^[K")
    second.cursor = Screen.Cursor(row: 9, column: 99)
    #expect(visible(renderer.draw(second, size: size)) == "^[4;12H^[?25h")
    second.cursor = Screen.Cursor(row: 0, column: 0)
    #expect(visible(renderer.draw(second, size: size)) == "^[1;1H")
    renderer.invalidate()
    #expect(visible(renderer.draw(second, size: size)).contains("^[2J"))
  }

  @Test func `around a disputed character the cursor is set by its column`() {
    var renderer = AnsiRenderer(usesColor: false)
    #expect(
      visible(renderer.draw(screen([Screen.Line("a👍🏽bc d👍🏽")]), size: size))
        == "^[?25l^[0m^[2J^[1;1Ha  ^[2G👍🏽^[4Gbc d  ^[8G👍🏽^[10G^[K")
    // What follows is written again only as far as a terminal may have written over it.
    let other = screen([Screen.Line("a👍🏾bc d👍🏽")])
    #expect(visible(renderer.draw(other, size: size)) == "^[1;2H  ^[2G👍🏾^[4Gbc")
  }

  @Test func `no character ends in a joiner, which some terminals join with what is written next`()
  {
    var renderer = AnsiRenderer(usesColor: false)
    // The family does not fit into the last two cells on a terminal that joins no pictures.
    let family = screen([Screen.Line("日\u{200D}ab👩‍👩‍👧 x👩\u{200D}👧")])
    let text = String(decoding: renderer.draw(family, size: size), as: UTF8.self)
    #expect(!text.unicodeScalars.split(separator: "\u{1B}").contains { $0.last == "\u{200D}" })
    #expect(text.contains("👩‍👩‍👧"))
  }

  @Test func `marks that a terminal would put on the letter before are left out`() {
    var renderer = AnsiRenderer(usesColor: false)
    let marked = screen([
      Screen.Line("e\u{301}345678901e\u{301}e\u{301}"), Screen.Line("a\u{378}\u{301}b"),
      // Of Unicode 15 and 16.
      Screen.Line("\u{31CF2}\u{366} \u{1FAE9}\u{FE0F}"),
      // A digit that could be a picture of two cells.
      Screen.Line("12345678901\u{38}\u{31B}"),
    ])
    let text = visible(renderer.draw(marked, size: size))
    #expect(text.contains("e\u{301}345678901e\u{301}e^"))
    #expect(text.contains("a ^[2G\u{378}^[3Gb"))
    #expect(text.contains("\u{31CF2}^") && text.contains("\u{1FAE9}^"))
    #expect(text.contains("123456789018"))
  }

  @Test("Without color no color sequence is written, and each style still shows")
  func noColor() {
    #expect(!AnsiRenderer.wantsColor(noColor: "1", term: "xterm"))
    #expect(!AnsiRenderer.wantsColor(noColor: nil, term: "dumb"))
    #expect(!AnsiRenderer.wantsColor(noColor: nil, term: nil))
    #expect(AnsiRenderer.wantsColor(noColor: "", term: "xterm"))
    let styles: [Style] = [.plain, .title, .strong, .faint, .selected, .warning]
    let lines = styles.map { Screen.Line("x", $0) }
    for usesColor in [true, false] {
      var renderer = AnsiRenderer(usesColor: usesColor)
      var terminal = TerminalModel(columns: 5, rows: lines.count)
      let size = Screen.Size(columns: 5, rows: lines.count)
      terminal.write(renderer.draw(Screen(lines, size: size), size: size))
      let shown = terminal.cells.map { $0[0].style }
      #expect(Set(shown).count == (usesColor ? styles.count : styles.count - 1))
      #expect(shown[0] == "" && !shown.dropFirst().contains(""))
      // The codes of colors begin with 30.
      let codes = shown.flatMap { $0.split(separator: ";").compactMap { Int($0) } }
      #expect(codes.contains { $0 >= 30 } == usesColor)
      #expect(terminal.complaints == [])
    }
  }

  @Test func `a frame is synchronized where the terminal offers it, and links lead to addresses`() {
    var canvas = Canvas(size)
    let link = canvas.link(to: "https://example.com/1")
    canvas.draw("ab", row: 0, column: 0, style: Style(link: link), in: canvas.bounds)
    var renderer = AnsiRenderer(palette: nil, extensions: [.synchronizedOutput, .links])
    #expect(
      visible(renderer.draw(Screen(canvas), size: size))
        == #"^[?2026h^[?25l^[0m^[2J^[1;1H^]8;;https://example.com/1^\ab^]8;;^\^[?2026l"#)
    #expect(renderer.draw(Screen(canvas), size: size) == [])
    renderer.extensions = []
    #expect(visible(renderer.draw(Screen(canvas), size: size)) == "^[?25l^[0m^[2J^[1;1Hab")
    renderer.extensions = .synchronizedOutput
    #expect(renderer.draw(Screen(canvas), size: size) == [])
  }

  @Test func `what a screen asks of the terminal is written when it changes, and undone`() {
    var renderer = AnsiRenderer(palette: nil, extensions: .assumed(term: "xterm"))
    var terminal = TerminalModel(columns: 12, rows: 4)
    terminal.write("\u{1B}]2;shell\u{1B}\\\u{1B}[?7h")
    let before = terminal
    let modes = TerminalModes.fullScreen(renderer.extensions)
    terminal.write(modes.prologue)
    #expect(terminal.modes == ["?1049", "?2004"])
    var screen = Screen(Canvas(size), cursor: Screen.Cursor(row: 0, column: 0, shape: .bar))
    screen.title = "evil\u{1B}]52;c;YQ==\u{7}"
    screen.mouse = .buttons
    screen.reportsFocus = true
    screen.progress = .percent(250)
    terminal.write(renderer.draw(screen, size: size))
    #expect(terminal.modes == ["?1049", "?2004", "?1002", "?1006", "?1004"])
    #expect(terminal.title == #"evil\u{1B}]52;c;YQ==\u{7}"#)
    #expect(terminal.shape == "6 ")
    #expect(terminal.progress == "1;100")
    #expect(renderer.draw(screen, size: size) == [])
    screen.mouse = .motion
    screen.reportsFocus = false
    screen.progress = .busy
    screen.cursor?.shape = .standard
    terminal.write(renderer.draw(screen, size: size))
    #expect(terminal.modes == ["?1049", "?2004", "?1003", "?1006"])
    #expect(terminal.shape == "0 ")
    #expect(terminal.progress == "3;0")
    screen.title = nil
    screen.progress = nil
    terminal.write(renderer.draw(screen, size: size))
    #expect(terminal.title == "shell")
    #expect(terminal.progress == "0;0")
    screen.title = "x"
    screen.mouse = .motion
    screen.reportsFocus = true
    screen.progress = .busy
    terminal.write(renderer.draw(screen, size: size))
    // A size that changed leaves what was asked for.
    renderer.invalidate()
    terminal.write(renderer.draw(Screen(Canvas(size)), size: size))
    #expect(terminal.modes == ["?1049", "?2004"])
    #expect(terminal.title == "shell" && terminal.progress == "0;0")
    screen.title = "x"
    screen.progress = .failed(7)
    terminal.write(renderer.draw(screen, size: size))
    #expect(terminal.progress == "2;7")
    terminal.write(modes.epilogue)
    #expect(terminal.modes == before.modes)
    #expect(terminal.showsCursor)
    #expect(terminal.style == "" && terminal.link == "")
    #expect(terminal.title == "shell" && terminal.titles == [])
    #expect(terminal.progress == "0;0" && terminal.shape == "0 ")
    #expect(terminal.complaints == [])
  }

  @Test("A terminal without extensions gets none of their sequences")
  func plainTerminals() {
    for term in ["linux", "dumb", "", nil] {
      #expect(TerminalExtensions.assumed(term: term) == [])
    }
    var renderer = AnsiRenderer(usesColor: true)
    let modes = TerminalModes.fullScreen(renderer.extensions)
    var screen = Screen(Canvas(size), cursor: Screen.Cursor(row: 0, column: 0, shape: .bar))
    screen.title = "title"
    screen.mouse = .motion
    screen.reportsFocus = true
    screen.progress = .busy
    let text = modes.prologue + visible(renderer.draw(screen, size: size)) + modes.epilogue
    #expect(!text.contains("]"), "no command")
    #expect(!text.contains("?100") && !text.contains(" q") && !text.contains("t"))
  }

  @Test("Drawing what changed gives the cells of the canvas on any terminal, also across sizes")
  func diff() {
    let palettes: [TerminalPalette?] = [
      nil, TerminalPalette(.basic, on: .unknown), TerminalPalette(.indexed, on: .dark),
      TerminalPalette(.direct, on: .light), TerminalPalette(.direct, on: .unknown),
    ]
    withSeed { random in
      for round in 0..<60 {
        var renderer = AnsiRenderer(
          palette: palettes[round % palettes.count],
          extensions: Bool.random(using: &random) ? [] : .assumed(term: "xterm"))
        let kind = TerminalModel.Kind.allCases[round % TerminalModel.Kind.allCases.count]
        var size = self.size
        var terminal = TerminalModel(columns: size.columns, rows: size.rows, kind: kind)
        var screen = Screen(Canvas(size))
        for _ in 0..<40 {
          screen = random.screen(like: screen, size: size)
          if Int.random(in: 0..<10, using: &random) == 0 {
            size.columns = Int.random(in: 1...20, using: &random)
            size.rows = Int.random(in: 1...8, using: &random)
            terminal = TerminalModel(columns: size.columns, rows: size.rows, kind: kind)
            terminal.write(String(repeating: "#", count: size.columns))
            // The size may be the same again: then only the program knows that the terminal
            // changed.
            renderer.invalidate()
          }
          terminal.write(renderer.draw(screen, size: size))
          var whole = TerminalModel(columns: size.columns, rows: size.rows, kind: kind)
          var fresh = AnsiRenderer(palette: renderer.palette, extensions: renderer.extensions)
          whole.write(fresh.draw(screen, size: size))
          expect(terminal, shows: screen.canvas(fitting: size), as: whole)
          #expect(terminal.showsCursor == whole.showsCursor)
          if screen.cursor != nil {
            #expect([terminal.row, terminal.column] == [whole.row, whole.column])
          }
          #expect(terminal.complaints == [])
        }
      }
    }
  }

  /// Expects a terminal to have the cells of a canvas, and the styles of another terminal, in all
  /// cells but those of disputed characters.
  private func expect(_ terminal: TerminalModel, shows canvas: Canvas, as whole: TerminalModel) {
    for row in 0..<canvas.size.rows {
      #expect(terminal.difference(inRow: row, from: canvas) == nil)
      var isDisputed = false
      for column in 0..<canvas.size.columns {
        let cell = canvas[row: row, column: column]
        if !cell.isContinued { isDisputed = cell.isDisputed }
        if isDisputed { continue }
        let shown = terminal.cells[row][column]
        #expect(shown.style == whole.cells[row][column].style)
        #expect(shown.link == whole.cells[row][column].link)
      }
    }
  }

  @Test("A change of one line writes that line only")
  func writesLittle() {
    var renderer = AnsiRenderer(usesColor: false)
    let size = Screen.Size(columns: 80, rows: 24)
    var lines = (0..<24).map { Screen.Line("line \($0)") }
    _ = renderer.draw(Screen(lines, size: size), size: size)
    lines[20] = Screen.Line("LINE 20")
    var terminal = TerminalModel(columns: 80, rows: 24)
    terminal.write(renderer.draw(Screen(lines, size: size), size: size))
    #expect(terminal.cellsWritten == 4)
  }

  private func visible(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self).split(
      separator: "\u{1B}", omittingEmptySubsequences: false
    ).joined(separator: "^")
  }
}
