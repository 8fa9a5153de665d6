import RetraceScreen
import RetraceTesting
import Testing

/// A menu selects enabled items only, and lies beside what it belongs to.
@Suite struct MenuTests {
  private let items = [
    MenuItem("Edit…", key: "e"), MenuItem("Split at the cursor", key: "s"),
    MenuItem("Join with the next", key: "j", isEnabled: false), .line,
    MenuItem("Copy"), MenuItem("Delete", key: "ctrl-d"),
  ]

  private func menu(_ selected: Int64 = 0) -> Menu {
    Menu(items, state: ListState(selected: selected), title: "Entry")
  }

  @Test func pictures() throws {
    try Pictures.expect("menu", page: Screen.Size(columns: 34, rows: 8)) { _ in menu(1) }
  }

  @Test func `the whole selected row has the background of the selection`() {
    var canvas = Canvas(Screen.Size(columns: 34, rows: 8))
    menu(1).draw(in: canvas.bounds, on: &canvas)
    for column in 1..<33 {
      #expect(canvas[row: 2, column: column].style.background == .selection)
      #expect(canvas[row: 3, column: column].style.background == .surface)
    }
  }

  @Test func `moving leaves out lines and disabled items, and goes around`() {
    #expect(menu(0).index(movedBy: 1) == 1)
    #expect(menu(1).index(movedBy: 1) == 4)
    #expect(menu(5).index(movedBy: 1) == 0)
    #expect(menu(0).index(movedBy: -1) == 5)
    #expect(menu(0).index(movedBy: .min) == 0)
    #expect(menu(0).index(movedBy: .max) == 5)
    #expect(menu(2).selected == 4)
    #expect(menu(.max).selected == 5)
    let disabled = Menu([.line, MenuItem("a", isEnabled: false)], state: ListState())
    #expect(disabled.selected == nil && disabled.index(movedBy: 1) == nil)
    #expect(Menu([], state: ListState()).selected == nil)
  }

  @Test(
    "A menu lies below what it belongs to, or above, and in the rectangle",
    arguments: [
      (Rect(column: 5, row: 2, columns: 8, rows: 1), Rect(column: 5, row: 3, columns: 27, rows: 8)),
      (
        Rect(column: 30, row: 9, columns: 8, rows: 1),
        Rect(column: 13, row: 1, columns: 27, rows: 8)
      ),
      (
        Rect(column: -9, row: 5, columns: 8, rows: 1), Rect(column: 0, row: 6, columns: 27, rows: 6)
      ),
    ])
  func place(anchor: Rect, expected: Rect) {
    #expect(menu().size == Screen.Size(columns: 27, rows: 8))
    #expect(menu().rect(at: anchor, in: Rect(columns: 40, rows: 12)) == expected)
  }

  @Test func `places lead to enabled items only`() {
    let rect = Rect(column: 2, row: 1, columns: 30, rows: 8)
    let hits = (0...9).map { menu().index(at: Screen.Cursor(row: $0, column: 9), in: rect) }
    #expect(hits == [nil, nil, 0, 1, nil, nil, 4, 5, nil, nil])
    #expect(menu().index(at: Screen.Cursor(row: 2, column: 2), in: rect) == nil)
    #expect(menu().rows(in: rect) == 6)
  }

  @Test func `any menu stays in any rectangle`() {
    withSeed { random in
      for _ in 0..<500 {
        let items = (0..<Int.random(in: 0...12, using: &random)).map { _ in
          let isEnabled = Bool.random(using: &random)
          return Int.random(in: 0...3, using: &random) == 0
            ? .line
            : MenuItem(random.hostileText(), key: random.hostileText(), isEnabled: isEnabled)
        }
        var state = ListState()
        random.change(&state)
        let menu = Menu(items, state: state, title: random.hostileText())
        let rect = random.widgetRect()
        Pictures.drawn(menu, in: rect)
        let (anchor, bounds) = (random.widgetRect(), random.widgetRect())
        let place = menu.rect(at: anchor, in: bounds)
        #expect(place.isEmpty || place.intersection(bounds) == place)
      }
    }
  }
}
