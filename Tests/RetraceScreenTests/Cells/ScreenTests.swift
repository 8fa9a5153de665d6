import RetraceScreen
import Testing

/// A screen of lines and a screen of a canvas show the same in any size.
@Suite struct ScreenTests {
  private let lines = [
    Screen.Line("Timer", .title),
    Screen.Line([Screen.Run("日本 ", .selected), Screen.Run("write\n", .faint)]),
  ]

  @Test func `lines are drawn into a canvas of the size that is asked for`() {
    let screen = Screen(lines: lines)
    let canvas = screen.canvas(fitting: Screen.Size(columns: 9, rows: 4))
    #expect(canvas.size == Screen.Size(columns: 9, rows: 4))
    #expect(canvas.lines == ["Timer", "日本 writ"])
    #expect(canvas[row: 0, column: 4].style == .title)
    #expect(canvas[row: 1, column: 1].style == .selected)
    #expect(canvas[row: 1, column: 5].style == .faint)
    #expect(screen.canvas(fitting: Screen.Size(columns: 3, rows: 1)).lines == ["Tim"])
    #expect(screen.canvas(fitting: Screen.Size(columns: 3, rows: 2)).lines == ["Tim", "日"])
  }

  @Test func `a canvas is cut, or blanks are added`() {
    let canvas = Screen(lines: lines).canvas(fitting: Screen.Size(columns: 9, rows: 2))
    let screen = Screen(canvas)
    #expect(screen.canvas(fitting: canvas.size) == canvas)
    for size in [Screen.Size(columns: 3, rows: 1), Screen.Size(columns: 12, rows: 3)] {
      #expect(screen.canvas(fitting: size).size == size)
    }
    #expect(screen.canvas(fitting: Screen.Size(columns: 12, rows: 3)).lines == canvas.lines)
    #expect(screen.canvas(fitting: Screen.Size(columns: 3, rows: 2)).lines == ["Tim", "日"])
  }

  @Test func `the lines of a canvas are its texts, and new lines take its place`() {
    var screen = Screen(Screen(lines: lines).canvas(fitting: Screen.Size(columns: 20, rows: 9)))
    #expect(screen.lines.map { $0.text } == ["Timer", #"日本 write\u{A}"#])
    screen.lines.append(Screen.Line("more"))
    let texts = ["Timer", #"日本 write\u{A}"#, "more"]
    #expect(screen.canvas(fitting: Screen.Size(columns: 20, rows: 9)).lines == texts)
  }

  @Test func `screens are equal if they show and ask for the same`() {
    let one = Screen(lines: lines, cursor: Screen.Cursor(row: 1, column: 2))
    var two = one
    #expect(one == two)
    two.title = "Timer"
    #expect(one != two)
    two = one
    two.cursor?.shape = .bar
    #expect(one != two)
    two = one
    two.progress = .percent(3)
    #expect(one != two)
  }
}
