import RetraceScreen
import Testing

/// A screen of lines, in the size that it was made for and in others.
@Suite struct ScreenTests {
  private let lines = [
    Screen.Line("Timer", .title),
    Screen.Line([Screen.Run("日本 ", .selected), Screen.Run("write\n", .faint)]),
  ]

  @Test func `lines are a widget, and each is cut at the end of its row`() {
    let size = Screen.Size(columns: 9, rows: 4)
    let canvas = Screen(lines, size: size).canvas
    #expect(canvas.size == size)
    #expect(canvas.lines == ["Timer", "日本 wri…"])
    #expect(canvas[row: 0, column: 4].style == .title)
    #expect(canvas[row: 1, column: 1].style == .selected)
    #expect(canvas[row: 1, column: 5].style == .faint)
  }

  @Test func `lines that have no rows are counted`() {
    let lines = (0..<5).map { Screen.Line("line \($0)") }
    func texts(_ rows: Int) -> [String] {
      Screen(lines, size: Screen.Size(columns: 9, rows: rows)).canvas.lines
    }
    #expect(texts(5).last == "line 4" && texts(3) == ["line 0", "line 1", "… 3 more"])
    #expect(texts(1) == ["line 0"] && texts(0) == [])
  }

  @Test func `a canvas is cut, or blanks are added`() {
    let screen = Screen(lines, size: Screen.Size(columns: 9, rows: 2))
    #expect(screen.canvas(fitting: screen.canvas.size) == screen.canvas)
    for size in [Screen.Size(columns: 3, rows: 1), Screen.Size(columns: 12, rows: 3)] {
      #expect(screen.canvas(fitting: size).size == size)
    }
    let wide = screen.canvas(fitting: Screen.Size(columns: 12, rows: 3))
    #expect(wide.lines == screen.canvas.lines)
    #expect(screen.canvas(fitting: Screen.Size(columns: 3, rows: 2)).lines == ["Tim", "日"])
  }

  @Test func `screens are equal if they show and ask for the same`() {
    var one = Screen(lines, size: Screen.Size(columns: 20, rows: 2))
    one.cursor = Screen.Cursor(row: 1, column: 2)
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
    two = one
    two.canvas.fill(Rect(columns: 1, rows: 1))
    #expect(one != two)
  }
}
