import RetraceScreen
import RetraceTesting
import Testing

/// A list shows its selection, whatever its state, its rows and its size are.
@Suite struct ListTests {
  private func list(
    _ count: Int, _ state: ListState = ListState(), rowHeight: Int = 1, isFocused: Bool = true
  ) -> List<Screen.Line> {
    List(
      count: count, state: state, rowHeight: rowHeight, isFocused: isFocused,
      emptyText: "No entries yet: press a to add one."
    ) { Screen.Line("Entry \($0 + 1) of many, whose text is rather long") }
  }

  private func texts(_ list: List<Screen.Line>, _ columns: Int, _ rows: Int) -> [String] {
    Screen(list, size: Screen.Size(columns: columns, rows: rows)).canvas.lines
  }

  @Test func pictures() throws {
    try Pictures.expect("list", page: Screen.Size(columns: 40, rows: 8)) { size in
      var state = ListState()
      state.select(17, count: 40, rows: Int64(size.rows))
      return list(40, state)
    }
    try Pictures.expect("list-empty") { _ in list(0) }
  }

  @Test func `a list moves its window around the selection`() {
    var state = ListState()
    for _ in 0..<7 { state.move(by: 1, count: 100, rows: 10) }
    #expect(state == ListState(selected: 7, offset: 0))
    state.move(by: 1, count: 100, rows: 10)
    #expect(state == ListState(selected: 8, offset: 1))
    state.move(by: -5, count: 100, rows: 10)
    #expect(state == ListState(selected: 3, offset: 1))
    state.movePages(by: 2, count: 100, rows: 10)
    #expect(state == ListState(selected: 21, offset: 19))
    state.movePages(by: .min, count: 100, rows: 10)
    #expect(state == ListState(selected: 0, offset: 0))
    state.select(.max, count: 100, rows: 10)
    #expect(state == ListState(selected: 99, offset: 90))
    state.select(90, count: 100, rows: 10)
    #expect(state == ListState(selected: 90, offset: 90))
    state.scroll(by: -3, count: 100, rows: 10)
    #expect(state == ListState(selected: 90, offset: 87))
    state.scroll(by: -30, count: 100, rows: 10)
    #expect(state == ListState(selected: 66, offset: 57))
    state.move(by: 1, count: 0, rows: 10)
    #expect(state == ListState(selected: 0, offset: 0))
  }

  @Test func `a placed list and a placed table move by keys, by the rows that fit`() {
    let rect = Rect(column: 2, row: 1, columns: 20, rows: 5)
    let state = ListState(selected: 3, offset: 1)
    let list = list(9, state).placed(in: rect)
    #expect(list.rows == 5)
    let moves: [(Key, Int64)] = [
      (.up, 2), (.down, 4), (.pageUp, 0), (.pageDown, 7), (.home, 0), (.end, 8),
    ]
    for (key, selected) in moves {
      #expect(list.state(after: key)?.selected == selected, "\(key.name)")
    }
    #expect(list.state(after: .enter) == nil && list.state(after: .alt("x")) == nil)
    #expect(list.index(at: Screen.Cursor(row: 2, column: 3)) == 2)
    // The heading takes a row.
    let table = Table(columns: [], count: 9, state: state) { _, _, _ in Screen.Run("") }
      .placed(in: rect)
    #expect(table.rows == 4)
    #expect(table.state(after: .pageDown)?.selected == 6)
    let size = Screen.Size(columns: 30, rows: 9)
    var (drawn, placed) = (Canvas(size), Canvas(size))
    list.widget.draw(in: rect, on: &drawn)
    list.draw(on: &placed)
    #expect(drawn == placed && list.cursor == nil)
  }

  @Test func `a list without a selection marks no row, and scrolls`() {
    let list = List(count: 9, state: ListState(selected: 4, offset: 3), hasSelection: false) {
      Screen.Line("Entry \($0)")
    }
    #expect(texts(list, 12, 3) == ["  Entry 3  │", "  Entry 4  ┃", "  Entry 5  │"])
  }

  @Test func `a list that became shorter draws the nearest state`() {
    let state = ListState(selected: 99, offset: 90)
    #expect(texts(list(3, state), 12, 2) == ["  Entry 2 …│", "› Entry 3 …┃"])
    #expect(texts(list(3, state), 5, 1) == ["› En…"])
    #expect(texts(list(1, state), 2, 1) == ["›"])
    #expect(texts(list(0, state), 9, 1) == ["  No ent…"])
  }

  @Test func `the selection shows without the focus, but not as where keys go`() {
    let size = Screen.Size(columns: 12, rows: 2)
    let canvas = Screen(list(2), size: size).canvas(fitting: size)
    #expect(canvas[row: 0, column: 11].style.background == .selection)
    #expect(canvas[row: 1, column: 11].style.background == .background)
    let other = Screen(list(2, isFocused: false), size: size).canvas(fitting: size)
    #expect(other.text(ofRow: 0) == "› Entry 1 o…")
    #expect(other[row: 0, column: 11].style.background == .background)
  }

  @Test func `only visible rows are made`() {
    final class Made { var indices: [Int] = [] }
    let made = Made()
    let list = List(count: 1_000_000, state: ListState(selected: 500_000, offset: 499_990)) {
      made.indices.append($0)
      return Screen.Line("\($0)")
    }
    _ = Screen(list, size: Screen.Size(columns: 20, rows: 24))
    #expect(made.indices == Array(499_990..<500_014))
  }

  @Test func `rows of several cells are drawn and clicked as a whole`() {
    let rect = Rect(column: 1, row: 1, columns: 20, rows: 5)
    let list = list(9, ListState(selected: 3, offset: 2), rowHeight: 2)
    #expect(list.rows(in: rect) == 2)
    #expect(
      texts(list, 20, 5) == [
        "  Entry 3 of many,…┃", "                   ┃", "› Entry 4 of many,…│",
        "                   │", "                   │",
      ])
    let hits = (0...7).map { list.index(at: Screen.Cursor(row: $0, column: 5), in: rect) }
    #expect(hits == [nil, 2, 2, 3, 3, nil, nil, nil])
    // The scrollbar, and beside the list.
    for column in [0, 20, 21] {
      #expect(list.index(at: Screen.Cursor(row: 1, column: column), in: rect) == nil)
    }
  }

  @Test func `any state and any size shows the selection within the rectangle`() {
    withSeed { random in
      for _ in 0..<1000 {
        let count = Int.random(in: 0...30, using: &random)
        let texts = (0..<count).map { _ in random.hostileText() }
        var state = ListState(selected: random.edgy(), offset: random.edgy())
        random.change(&state)
        let list = List(
          count: count, state: state, rowHeight: Int.random(in: 1...3, using: &random),
          background: random.next() % 2 == 0 ? .background : .surface
        ) { Screen.Line(texts[$0]) }
        let rect = random.widgetRect()
        let canvas = Pictures.drawn(list, in: rect)
        guard count > 0, !rect.isEmpty, rect.row >= 0, rect.column >= 0 else { continue }
        let marked = (rect.row..<rect.endRow).filter {
          canvas.text(of: canvas[row: $0, column: rect.column]) == "›"
        }
        #expect(marked.count == 1)
        let place = Screen.Cursor(row: marked.first ?? 0, column: rect.column)
        #expect(
          list.index(at: place, in: rect) == Int(min(max(state.selected, 0), Int64(count - 1))))
      }
    }
  }
}

extension SeededGenerator {
  /// Changes a state as any user and any action might.
  mutating func change(_ state: inout ListState) {
    for _ in 0..<Int.random(in: 0...3, using: &self) {
      let (number, count, rows) = (edgy(), edgy(), edgy())
      switch Int.random(in: 0...3, using: &self) {
      case 0: state.move(by: number, count: count, rows: rows)
      case 1: state.movePages(by: number, count: count, rows: rows)
      case 2: state.select(number, count: count, rows: rows)
      default: state.scroll(by: number, count: count, rows: rows)
      }
    }
  }
}
