import RetraceScreen
import RetraceTesting
import Testing

/// A list of choices marks what is chosen, whatever rows it shows.
@Suite struct ChoiceListTests {
  private static let tags = ["billable", "email", "meeting", "日本語", "travel", "write"]

  private func list(_ state: ChoiceListState, tags: [String] = tags) -> ChoiceList<Screen.Line> {
    ChoiceList(
      count: tags.count, state: state, emptyText: "No tag matches.", id: { Int64($0) * 10 }
    ) { Screen.Line(tags[$0]) }
  }

  private func texts(_ list: ChoiceList<Screen.Line>, _ columns: Int, _ rows: Int) -> [String] {
    Screen(list, size: Screen.Size(columns: columns, rows: rows)).canvas.lines
  }

  @Test func pictures() throws {
    let state = ChoiceListState(list: ListState(selected: 2), chosen: [20, 0, 40])
    try Pictures.expect("choice-list", page: Screen.Size(columns: 30, rows: 7)) { _ in list(state) }
  }

  @Test func `choices are toggled by their numbers, and keep their order`() {
    var state = ChoiceListState()
    for id: Int64 in [30, 7, 30, 12, .min] { state.toggle(id) }
    #expect(state.chosen == [7, 12, .min])
    #expect(state.isChosen(12) && !state.isChosen(30))
  }

  @Test func `marks become smaller, and choices that are not shown are counted`() {
    let state = ChoiceListState(list: ListState(selected: 1), chosen: [10, 999])
    #expect(
      texts(list(state), 16, 4) == [
        "  [ ] billable ┃", "› [x] email    │", "  [ ] meeting  │", "  2 chosen",
      ])
    #expect(texts(list(state), 7, 2) == ["    b…┃", "› x e…│"])
    #expect(texts(list(state, tags: []), 20, 4) == ["  No tag matches.", "", "", "  2 chosen"])
  }

  @Test func `places lead to rows`() {
    let rect = Rect(column: 1, row: 1, columns: 20, rows: 4)
    let list = list(ChoiceListState())
    #expect(list.rows(in: rect) == 3)
    let hits = (0...5).map { list.index(at: Screen.Cursor(row: $0, column: 4), in: rect) }
    #expect(hits == [nil, 0, 1, 2, nil, nil])
  }

  @Test func `any choices stay in any rectangle`() {
    withSeed { random in
      for _ in 0..<500 {
        let tags = (0..<Int.random(in: 0...12, using: &random)).map { _ in random.hostileText() }
        var state = ChoiceListState()
        random.change(&state.list)
        for _ in 0..<3 { state.toggle(random.edgy()) }
        Pictures.drawn(list(state, tags: tags), in: random.widgetRect())
      }
    }
  }
}
