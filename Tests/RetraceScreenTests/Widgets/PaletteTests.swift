import RetraceScreen
import RetraceTesting
import Testing

/// A palette shows what matches its text, and the cursor in its field.
@Suite struct PaletteTests {
  private static let actions = [
    ("Start an entry", "s"), ("Stop the entry", "x"), ("Switch the project", "p"),
    ("Show reports", "r"), ("Export as CSV", ""), ("Restore a deleted entry", "ctrl-r"),
    ("Select a user", "u"), ("Quit", "q"),
  ]

  private func palette(_ text: String, _ state: ListState = ListState()) -> Palette {
    let found = FuzzyPattern(text).ranked(count: Self.actions.count) { Self.actions[$0].0 }
    return Palette(TextDraft(text), count: found.count, state: state) {
      PaletteItem(Self.actions[found[$0]].0, key: Self.actions[found[$0]].1)
    }
  }

  @Test func pictures() throws {
    try Pictures.expect("palette", page: Screen.Size(columns: 44, rows: 10)) { _ in
      palette("se", ListState(selected: 1))
    }
    try Pictures.expect("palette-empty") { _ in palette("zz") }
  }

  @Test func `the whole selected row has the background of the selection`() {
    var canvas = Canvas(Screen.Size(columns: 44, rows: 10))
    palette("", ListState(selected: 1)).draw(in: canvas.bounds, on: &canvas)
    // The last column is the scrollbar.
    for column in 1..<42 {
      #expect(canvas[row: 4, column: column].style.background == .selection)
      #expect(canvas[row: 5, column: column].style.background == .surface)
    }
  }

  @Test func `places lead to items`() {
    let rect = Rect(column: 1, row: 1, columns: 40, rows: 8)
    let palette = palette("")
    #expect(palette.rows(in: rect) == 4)
    let hits = (0...9).map { palette.index(at: Screen.Cursor(row: $0, column: 6), in: rect) }
    #expect(hits == [nil, nil, nil, nil, 0, 1, 2, 3, nil, nil])
    #expect(palette.cursor(in: rect)?.row == 2)
  }

  @Test func `any palette stays in any rectangle`() {
    withSeed { random in
      for _ in 0..<500 {
        let labels = (0..<Int.random(in: 0...12, using: &random)).map { _ in random.hostileText() }
        var state = ListState()
        random.change(&state)
        let key = random.hostileText()
        let palette = Palette(
          TextDraft(random.hostileText()), count: labels.count, state: state
        ) { PaletteItem(labels[$0], key: key) }
        let rect = random.widgetRect()
        Pictures.drawn(palette, in: rect)
        if let cursor = palette.cursor(in: rect) {
          #expect(rect.contains(row: cursor.row, column: cursor.column))
        }
      }
    }
  }
}
