import RetraceScreen
import RetraceTesting
import Testing

/// A text of several lines shows its cursor, and moves it between its rows.
@Suite struct TextAreaTests {
  private static let text = """
    Talked with the board about the numbers of November.

    - 日本 wants the report in two weeks
    - a very-long-word-that-does-not-fit-into-any-narrow-field-at-all
    - the rest is as it was, and nobody asked for more of it; the next talk is in December
    """

  @Test func pictures() throws {
    try Pictures.expect("text-area", page: Screen.Size(columns: 48, rows: 8)) { _ in
      TextArea(TextDraft(Self.text, cursor: 120), hasFocus: true)
    }
    try Pictures.expect("text-area-empty") { _ in
      TextArea(TextDraft(), placeholder: "Add a note", hasFocus: true)
    }
  }

  @Test func `random texts stay inside and show their cursor`() {
    withSeed { random in
      for _ in 0..<repetitions(2_000) {
        let text = random.hostileText() + random.hostileText() + random.hostileText()
        let draft = TextDraft(
          text, cursor: Int64.random(in: 0...Int64(text.utf8.count), using: &random))
        let state = TextAreaState(offset: Int64.random(in: -2...20, using: &random))
        let area = TextArea(draft, state: state, hasFocus: true)
        let rect = random.widgetRect()
        Pictures.drawn(area, in: rect)
        guard !rect.isEmpty else { continue }
        #expect(area.cursor(in: rect).map(rect.contains) == true)
        for move in TextArea.Move.allCases {
          var moved = area.draft
          moved.apply(area.replacement(for: move, in: rect))
          #expect(moved.text == text)
        }
      }
    }
  }

  @Test func `arrows lead to the rows above and below`() {
    // Rows: "one two ", "three", "four".
    let rect = Rect(columns: 9, rows: 2)
    func place(_ cursor: Int64, _ move: TextArea.Move) -> Int64 {
      TextArea(TextDraft("one two three\nfour", cursor: cursor), hasFocus: true)
        .replacement(for: move, in: rect).cursor
    }
    #expect(place(2, .down) == 10)
    #expect(place(10, .up) == 2)
    #expect(place(10, .down) == 16)
    #expect(place(2, .up) == 0)
    #expect(place(16, .down) == 18)
    #expect(place(10, .rowStart) == 8)
    #expect(place(10, .rowEnd) == 13)
    // The end of a row that goes on is before its last blank.
    #expect(place(2, .rowEnd) == 7)
    #expect(place(18, .pageUp) == 12)
    #expect(place(2, .pageDown) == 10)
  }

  @Test func `the cursor is where a click leads to it`() {
    let area = TextArea(TextDraft("one two three\nfour", cursor: 16), hasFocus: true)
    let rect = Rect(column: 4, row: 3, columns: 9, rows: 2)
    // The text is scrolled, so that its last row is seen.
    #expect(area.cursor(in: rect) == Screen.Cursor(row: 4, column: 6, shape: .bar))
    #expect(area.offset(at: Screen.Cursor(row: 4, column: 6), in: rect) == 16)
    #expect(area.offset(at: Screen.Cursor(row: 3, column: 4), in: rect) == 8)
    #expect(area.offset(at: Screen.Cursor(row: 2, column: 4), in: rect) == nil)
  }

  @Test func `scrolling ends at the text`() {
    var state = TextAreaState()
    state.scroll(by: 5, lines: 7, rows: 3)
    #expect(state.offset == 4)
    state.scroll(by: .min, lines: 7, rows: 3)
    #expect(state.offset == 0)
    state.scroll(by: .max, lines: 2, rows: 3)
    #expect(state.offset == 0)
  }
}
