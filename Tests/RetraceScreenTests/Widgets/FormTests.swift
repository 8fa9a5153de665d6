import RetraceScreen
import RetraceTesting
import Testing

/// Forms show the field with the focus, its cursor and its problem, whatever their size is.
@Suite struct FormTests {
  private static func form(focus: Int64) -> Form {
    Form(
      [
        FormField("Description", .text(TextInput(TextDraft("write the report for the board")))),
        FormField(
          "Start", .text(TextInput(TextDraft("fri 9:30"), reading: "Fri 27 Nov, 09:30"))),
        FormField(
          "End", .text(TextInput(TextDraft("26:10"), placeholder: "now")),
          problem: "A time is from 0:00 to 23:59."),
        FormField("Break", .text(TextInput(TextDraft("45"), reading: "45 min"))),
        FormField("Tag", .text(TextInput(TextDraft(), placeholder: "none"))),
        FormField(
          "Project", .choice(ChoiceInput(["none", "日本", "web"], state: ChoiceState(selected: 1)))),
        FormField("Billable", .toggle(SwitchInput(isOn: true))),
        FormField("Archived", .toggle(SwitchInput(isOn: false, on: "yes", off: "no"))),
      ], state: FormState(focus: focus))
  }

  @Test func pictures() throws {
    try Pictures.expect("form", page: Screen.Size(columns: 64, rows: 10)) { _ in
      Self.form(focus: 1)
    }
    try Pictures.expect("form-last") { _ in Self.form(focus: 7) }
  }

  @Test func `random forms stay inside, and show the field with the focus`() {
    withSeed { random in
      for _ in 0..<repetitions(2_000) {
        let fields = (0..<Int.random(in: 0...9, using: &random)).map { _ in random.field() }
        let state = FormState(focus: Int64.random(in: -3...12, using: &random))
        let form = Form(fields, state: state)
        let rect = random.widgetRect()
        let canvas = Pictures.drawn(form, in: rect)
        if let cursor = form.cursor(in: rect) { #expect(rect.contains(cursor)) }
        guard !fields.isEmpty, rect.columns >= 3, rect.rows >= 2 else { continue }
        let focus = Int(max(0, min(state.focus, Int64(fields.count - 1))))
        let input = form.inputRect(of: focus, in: rect)
        #expect(input?.isEmpty == false)
        if rect.column >= 0, rect.row >= 0 {
          #expect((0..<canvas.size.rows).contains { canvas.text(ofRow: $0).contains("›") })
        }
      }
    }
  }

  @Test func `a place leads to the field that is drawn there`() {
    let form = Self.form(focus: 0)
    let rect = Rect(column: 2, row: 1, columns: 60, rows: 12)
    for index in form.fields.indices {
      let input = form.inputRect(of: index, in: rect)
      let row = input?.row ?? -1
      #expect(form.index(at: Screen.Cursor(row: row, column: rect.column), in: rect) == index)
      #expect(form.index(at: Screen.Cursor(row: row, column: 61), in: rect) == index)
    }
    // The problem belongs to its field.
    #expect(form.index(at: Screen.Cursor(row: 4, column: 30), in: rect) == 2)
    #expect(form.index(at: Screen.Cursor(row: 30, column: 30), in: rect) == nil)
  }

  @Test func `a place in a text leads to its offset, and a text may have what replaces it`() {
    let fields = [
      FormField("A", .text(TextInput(TextDraft("日本"), reading: "x", readingSign: "→"))),
      FormField("B", .toggle(SwitchInput(isOn: true))),
    ]
    let form = Form(fields, state: FormState())
    let rect = Rect(columns: 60, rows: 2)
    #expect(form.rowCount(columns: 60) == 2 && form.rowCount(columns: 20) == 4)
    let row = Screen(form, size: Screen.Size(columns: 60, rows: 2)).canvas.lines[0]
    #expect(row.hasPrefix("› A 日本") && row.hasSuffix("→ x"))
    let offsets = [4, 5, 6, 9, 0].map {
      form.offset(at: Screen.Cursor(row: 0, column: $0), in: rect)
    }
    #expect(offsets == [0, 0, 3, 6, nil])
    #expect(form.offset(at: Screen.Cursor(row: 1, column: 5), in: rect) == nil)
  }

  @Test func `the focus moves around`() {
    var state = FormState(focus: 1)
    state.move(by: -2, count: 3)
    #expect(state.focus == 2)
    state.move(by: 1, count: 3)
    #expect(state.focus == 0)
    state.move(by: .min, count: 3)
    state.move(by: .max, count: 3)
    #expect(0..<3 ~= state.focus)
    state.move(by: 1, count: 0)
    state.select(9, count: 3)
    #expect(state.focus == 2)
    state.select(1, count: 0)
    #expect(state.focus == 0)
  }
}

/// A field shows its cursor and what is around it.
@Suite struct TextInputTests {
  @Test func `a long text scrolls by half of the field`() {
    let text = "0123456789abcdefghij"
    let rect = Rect(columns: 10, rows: 1)
    func line(_ cursor: Int64) -> (String, Int?) {
      let input = TextInput(TextDraft(text, cursor: cursor), hasFocus: true)
      let screen = Screen(input, size: Screen.Size(columns: 10, rows: 1))
      return (screen.canvas.lines[0], input.cursor(in: rect)?.column)
    }
    #expect(line(0) == ("012345678…", 0))
    #expect(line(8) == ("012345678…", 8))
    #expect(line(9) == ("…6789abcd…", 4))
    #expect(line(13) == ("…6789abcd…", 8))
    #expect(line(20) == ("…ghij", 5))
  }

  @Test func `a text that fits does not scroll, and one without focus shows its start`() {
    let input = TextInput(TextDraft("012345678"), hasFocus: true)
    #expect(input.cursor(in: Rect(columns: 10, rows: 1))?.column == 9)
    let other = TextInput(TextDraft("0123456789abc"))
    #expect(other.cursor(in: Rect(columns: 10, rows: 1)) == nil)
    let screen = Screen(other, size: Screen.Size(columns: 10, rows: 1))
    #expect(screen.canvas.lines[0] == "012345678…")
  }

  @Test func `a click leads to the character under it`() {
    withSeed { random in
      for _ in 0..<repetitions(3_000) {
        let text = random.hostileText() + random.hostileText()
        let cursor = Int64.random(in: 0...Int64(text.utf8.count), using: &random)
        let draft = TextDraft(text, cursor: cursor)
        let input = TextInput(draft, hasFocus: true)
        let rect = Rect(column: 3, row: 1, columns: Int.random(in: 1...20, using: &random), rows: 1)
        guard let place = input.cursor(in: rect) else { continue }
        #expect(rect.contains(place))
        // The cursor is where a click leads to it, if it is between characters.
        let offset = input.offset(at: place, in: rect) ?? -1
        #expect(0...Int64(text.utf8.count) ~= offset)
        let end = text.utf8.index(text.startIndex, offsetBy: Int(draft.cursor))
        let before = TextWidth.of(text[..<end])
        let clicked = text.utf8.index(text.startIndex, offsetBy: Int(offset))
        #expect(TextWidth.of(text[..<clicked]) <= before)
        Pictures.drawn(input, in: rect)
      }
    }
  }

  @Test(
    arguments: [
      ("", .empty), ("  ", .empty), (" 45 ", .value(45)), ("+7", .value(7)), ("-1", .outOfRange),
      ("101", .outOfRange), ("99999999999999999999", .outOfRange), ("4 5", .notANumber),
      ("-", .notANumber), ("4.5", .notANumber), ("٣", .notANumber),
    ] as [(String, NumberReading)])
  func `numbers are read`(text: String, reading: NumberReading) {
    #expect(NumberReading(text, in: 0...100) == reading)
  }

  @Test func `the ends of the integers are numbers`() {
    #expect(NumberReading("-9223372036854775808") == .value(.min))
    #expect(NumberReading("9223372036854775807") == .value(.max))
    #expect(NumberReading("9223372036854775808") == .outOfRange)
  }

  @Test func `the arrows of a choice take clicks`() {
    let input = ChoiceInput(["a", "bb", "c"], state: ChoiceState(selected: 1))
    let rect = Rect(column: 1, row: 1, columns: 20, rows: 1)
    func step(_ column: Int) -> Int64? {
      input.step(at: Screen.Cursor(row: 1, column: column), in: rect)
    }
    #expect((1...8).map(step) == [-1, nil, nil, nil, nil, 1, nil, nil])
    var state = ChoiceState(selected: 9)
    state.move(by: -1, count: 3)
    #expect(state.selected == 1)
    state.move(by: .max, count: 3)
    #expect(state.selected == 2)
  }
}

extension SeededGenerator {
  fileprivate mutating func field() -> FormField {
    let text = TextInput(
      TextDraft(hostileText(), cursor: Int64.random(in: 0...40, using: &self)),
      placeholder: hostileText(), reading: Bool.random(using: &self) ? hostileText() : "")
    let options = (0..<Int.random(in: 0...3, using: &self)).map { _ in hostileText() }
    let contents: [FormField.Content] = [
      .text(text),
      .choice(
        ChoiceInput(
          options, state: ChoiceState(selected: Int64.random(in: -2...5, using: &self)))),
      .toggle(SwitchInput(isOn: Bool.random(using: &self))),
    ]
    return FormField(
      hostileText(), contents.randomElement(using: &self) ?? .text(text),
      problem: Bool.random(using: &self) ? hostileText() : "")
  }
}
