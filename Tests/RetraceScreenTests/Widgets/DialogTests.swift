import RetraceScreen
import RetraceTesting
import Testing

/// A dialog shows its question, its choices and as much of its text as there is room for.
@Suite struct DialogTests {
  private static let text = """
    It has 2 h 10 min on 日本, and it was billed last week. The entry can be restored with undo \
    until the app is closed.

    Its notes are deleted, too.
    """
  private static let choices = [
    Dialog.Choice("y", "Delete"), Dialog.Choice("k", "Keep the notes"),
    Dialog.Choice("esc", "Keep"),
  ]

  @Test func pictures() throws {
    try Pictures.expect("dialog", page: Screen.Size(columns: 64, rows: 14)) { _ in
      Dialog(
        "Delete the entry?", text: Self.text, choices: Self.choices,
        state: DialogState(selected: 2, offset: 1))
    }
    try Pictures.expect("dialog-short") { _ in
      Dialog(
        "Quit?", text: "", choices: [Dialog.Choice("q", "Quit"), Dialog.Choice("esc", "Stay")])
    }
  }

  @Test func `random dialogs stay inside and show the selected choice`() {
    withSeed { random in
      for _ in 0..<repetitions(2_000) {
        let choices = (0..<Int.random(in: 0...6, using: &random)).map { _ in
          Dialog.Choice(random.hostileText(), random.hostileText())
        }
        let state = DialogState(
          selected: Int64.random(in: -2...8, using: &random),
          offset: Int64.random(in: -2...20, using: &random))
        let dialog = Dialog(
          random.hostileText(), text: random.hostileText() + random.hostileText(),
          choices: choices, state: state, columnsMax: Int.random(in: 0...50, using: &random))
        let rect = random.widgetRect()
        let canvas = Pictures.drawn(dialog, in: rect)
        let box = dialog.box(in: rect)
        #expect(box.intersection(rect) == box || box.isEmpty)
        guard !choices.isEmpty, !rect.isEmpty else { continue }
        let selected = Int(max(0, min(state.selected, Int64(choices.count - 1))))
        var found = false
        for row in rect.row..<rect.endRow {
          for column in rect.column..<rect.endColumn {
            let place = Screen.Cursor(row: row, column: column)
            let isReversed = canvas[row: row, column: column].style.attributes.contains(.reversed)
            guard row >= 0, column >= 0 else { continue }
            #expect(isReversed == (dialog.index(at: place, in: rect) == selected))
            found = found || isReversed
          }
        }
        #expect(found || rect.row < 0 || rect.column < 0, "\(rect) \(dialog)")
      }
    }
  }

  @Test func `keys and the wheel change the state`() {
    var state = DialogState(selected: 0)
    state.move(by: -1, count: 3)
    #expect(state.selected == 2)
    state.move(by: 1, count: 3)
    #expect(state.selected == 0)
    let dialog = Dialog("Delete?", text: Self.text, choices: Self.choices)
    let rect = Rect(columns: 30, rows: 9)
    let (lines, rows) = (dialog.lineCount(in: rect), dialog.textRows(in: rect))
    #expect(lines > rows && rows > 0)
    state.scroll(by: .max, lines: lines, rows: rows)
    #expect(state.offset == lines - rows)
  }
}
