import RetraceScreen
import RetraceTesting
import Testing

/// Tables of bindings, from which dispatch, hints, help and documentation are made.
@Suite struct BindingsTests {
  /// What the user of the tests sees: a list, and a filter that is typed.
  private struct Frame: Sendable {
    var rows: [String] = ["tea", "milk"]
    var selection: Int?
    var filter: TextDraft? = TextDraft()
  }

  private enum Intent: Equatable {
    case picked(String)
    case deleted(String)
    case filtered(TextReplacement)
    case cleared
    case unselected
    case help
    case quit
  }

  private static let window = Bindings<Frame, Intent>("Window") {
    Binding(.escape, hint: "unselect", help: "Select nothing.") { frame in
      frame.selection == nil ? nil : .unselected
    }
    Binding(.text("?"), hint: "keys", help: "Show the keys.") { _ in .help }
    Binding(.ctrl("c"), .ctrl("d"), hint: "leave", help: "Leave the app.") { _ in .quit }
  }

  private static let list = Bindings<Frame, Intent>("List") {
    Binding(.ctrl("x"), hint: "delete", help: "Delete the selected row.") {
      frame throws(KeyProblem) in
      guard let row = frame.selection else { throw .unavailable("Select a row first.") }
      return .deleted(frame.rows[row])
    }
    Binding(
      keys: (1...9).map { .text("\($0)") }, label: "1-9", hint: "pick", help: "Pick a row."
    ) { frame, key throws(KeyProblem) in
      guard frame.filter?.text.isEmpty ?? true else { return nil }
      guard case .text(let digit) = key.code, let number = Int(digit), number <= frame.rows.count
      else {
        throw .unavailable("There is no such row.")
      }
      return .picked(frame.rows[number - 1])
    }
    Binding(.escape, hint: "clear", help: "Clear the filter.") { frame in
      frame.filter?.text.isEmpty ?? true ? nil : .cleared
    }
    Binding.editing(\.filter, passing: [.text("?")]) { _, edit in .filtered(edit) }
  }

  private static let table = list.within(window)

  private static func typing(_ text: String) -> Frame { Frame(filter: TextDraft(text)) }

  private static func lines(_ table: Bindings<Frame, Intent>, _ frame: Frame) -> [String] {
    table.help(in: frame).map(\.text)
  }

  // MARK: Dispatch

  @Test func `the binding that takes a key is the one that gives its value or its reason`() {
    let (typing, selecting) = (Self.typing("tea"), Frame(selection: 0, filter: nil))
    func taker(_ key: Key, _ frame: Frame) -> String? {
      Self.table.taker(of: key, in: frame).map { "\($0.table): \($0.help)" }
    }
    #expect(taker(.escape, typing) == "List: Clear the filter.")
    #expect(taker(.escape, selecting) == "Window: Select nothing.")
    #expect(taker(.escape, Frame(filter: nil)) == nil)
    #expect(taker(.ctrl("x"), typing) == "List: Delete the selected row.")
    #expect(taker(.text("?"), Self.typing("")) == "Window: Show the keys.")
    #expect(taker(.text("?"), typing) == "List: Insert the text at the cursor.")
    #expect(taker(.ctrl("g"), typing) == nil)
    #expect(Self.table.bound.map { $0.keys }.filter { $0.contains(.escape) }.count == 2)
    #expect(Self.table.bound.count == Self.table.all.count)
  }

  @Test func `a key gives the value that its binding makes of what the user saw`() throws {
    #expect(try Self.table.value(for: .text("2"), in: Frame()) == .picked("milk"))
    #expect(try Self.table.value(for: .ctrl("x"), in: Frame(selection: 1)) == .deleted("milk"))
    #expect(try Self.table.value(for: .ctrl("d"), in: Frame()) == .quit)
    #expect(try Self.table.value(for: .pageUp, in: Frame()) == nil)
  }

  @Test func `a key that is not available throws the reason, and does not reach the parent`() {
    #expect(throws: KeyProblem.unavailable("There is no such row.")) {
      try Self.table.value(for: .text("3"), in: Frame())
    }
    let parent = Bindings<Frame, Intent>("Parent") {
      Binding(.ctrl("x"), help: "Leave at once.") { _ in .quit }
    }
    let error = #expect(throws: KeyProblem.self) {
      try Self.list.within(parent).value(for: .ctrl("x"), in: Frame())
    }
    #expect(error?.description == "Select a row first.")
  }

  @Test func `a key that a table passes on goes to its parent, and else the child comes first`()
    throws
  {
    let (empty, typing) = (Frame(selection: 0), Self.typing("te"))
    #expect(try Self.table.value(for: .escape, in: typing) == .cleared)
    #expect(try Self.table.value(for: .escape, in: empty) == .unselected)
    #expect(try Self.table.value(for: .escape, in: Frame()) == nil)
    #expect(try Self.table.value(for: .text("?"), in: empty) == .help)
    #expect(try Self.window.within(Self.list).value(for: .text("?"), in: typing) == .help)
  }

  @Test func `typed text is taken after the keys of its table and before the parent's`() throws {
    let typing = Self.typing("te")
    func inserted(_ text: String, at start: Int64 = 2) -> Intent {
      .filtered(
        TextReplacement(
          start: start, end: start, text: text, cursor: start + Int64(text.utf8.count)))
    }
    #expect(try Self.table.value(for: .text("2"), in: typing) == inserted("2"))
    #expect(try Self.table.value(for: .text("?"), in: typing) == inserted("?"))
    #expect(try Self.table.value(for: .text("done"), in: Frame()) == inserted("done", at: 0))
    #expect(try Self.table.value(for: .text("done"), in: Frame(filter: nil)) == nil)
  }

  @Test func `a child's table is put into its parent's by its context and its values`() throws {
    let child = Bindings<TextDraft, TextReplacement>("Filter") {
      Binding.editing(\.self) { _, edit in edit }
    }
    let table = child.map(
      context: { (frame: Frame) in frame.filter }, value: { _, edit in .filtered(edit) }
    )
    .within(Self.window)
    let value = try table.value(for: .backspace, in: Self.typing("te"))
    #expect(value == .filtered(TextReplacement(start: 1, end: 2, text: "", cursor: 1)))
    #expect(try table.value(for: .backspace, in: Frame(filter: nil)) == nil)
    #expect(try table.value(for: .text("?"), in: Frame(filter: nil)) == .help)
    #expect(table.all.count == child.all.count + 3)
  }

  @Test func `a key with modifiers is not the key without them`() throws {
    let table = Bindings<Frame, Intent>("List") {
      Binding(.up, .enter, .text("x"), .delete, .function(5), help: "Clear.") { _ in .cleared }
      Binding(Key(.up, .alt), help: "Leave.") { _ in .quit }
    }
    let shift: Key.Modifiers = .shift
    for key in [
      .alt("x"), .ctrl("x"), Key(.enter, .alt), Key(.enter, .ctrl), Key(.up, .ctrl),
      Key(.up, [.ctrl, .shift]), Key(.delete, shift), Key(.function(5), shift), .paste("x"),
    ] {
      #expect(try table.value(for: key, in: Frame()) == nil, "\(key.name)")
    }
    #expect(try table.value(for: Key(.up, .alt), in: Frame()) == .quit)
    // Many terminals send no difference, and a list without a selection has none.
    #expect(try table.value(for: Key(.up, shift), in: Frame()) == .cleared)
    #expect(try table.value(for: Key(.enter, shift), in: Frame()) == .cleared)
    let own = Bindings<Frame, Intent>("Own") {
      Binding(Key(.up, shift), help: "Leave.") { _ in .quit }
    }
    #expect(try table.within(own).value(for: Key(.up, shift), in: Frame()) == .quit)
  }

  @Test func `pasted text is no key of a table, and is typed as a whole`() throws {
    #expect(try Self.window.value(for: .paste("?"), in: Frame()) == nil)
    #expect(
      try Self.table.value(for: .paste("?"), in: Frame())
        == .filtered(TextReplacement(start: 0, end: 0, text: "?", cursor: 1)))
    #expect(
      try Self.table.value(for: .paste("2\nb"), in: Self.typing("te"))
        == .filtered(TextReplacement(start: 2, end: 2, text: "2 b", cursor: 5)))
  }

  // MARK: Conflicts

  @Test func `a key that one table binds twice is reported, and never decided by the order`() {
    let table = Bindings<Frame, Intent>("List") {
      Binding(.text("d"), .delete, help: "Delete the row.") { _ in .cleared }
      Binding(.text("d"), help: "Be done.") { _ in .quit }
      Binding.text(help: "Type a name.") { _, _ in .cleared }
      Binding.editing(\.filter) { _, edit in .filtered(edit) }
    }
    let twice = KeyProblem.boundTwice("d", help: ["Delete the row.", "Be done."])
    #expect(
      table.conflicts == [
        twice,
        .boundTwice(
          "delete",
          help: ["Delete the row.", "Delete the character before or after the cursor."]),
        .boundTwice("text", help: ["Type a name.", "Insert the text at the cursor."]),
      ])
    #expect(throws: twice) { try table.value(for: .text("d"), in: Frame()) }
    #expect(throws: KeyProblem.self) { try table.value(for: .text("x"), in: Frame()) }
    #expect(
      twice.description == "The key d is bound more than once: Delete the row. Be done.")
    #expect(Self.table.conflicts.isEmpty)
    // What a table and its parent bind has an order.
    #expect(Self.list.within(Self.list).conflicts.isEmpty)
  }

  // MARK: Hints and help

  @Test(arguments: [
    (80, "1-9: pick  ?: keys  ctrl-c, ctrl-d: leave"),
    (41, "1-9: pick  ?: keys  ctrl-c, ctrl-d: leave"),
    (40, "1-9: pick  ?: keys  ctrl-c: leave"), (33, "1-9: pick  ?: keys  ctrl-c: leave"),
    (32, "1-9: pick  …  ?: keys"), (21, "1-9: pick  …  ?: keys"), (20, "…  ?: keys"),
    (13, "1-9: pick  …"), (10, "…"), (0, ""), (-1, ""),
  ])
  func `the hint line keeps half of it for the parent's hints, and says that others are left out`(
    columns: Int, text: String
  ) {
    #expect(Self.table.hints(in: Frame(), fitting: columns).text == text)
  }

  @Test(arguments: [
    (80, "n: new  m: merge  a: archive  d: delete  escape: back  ?: keys  ctrl-c: leave"),
    (60, "n: new  m: merge  escape: back  …  ?: keys  ctrl-c: leave"),
    (40, "n: new  escape: back  …  ?: keys"), (30, "n: new  escape: back  …"),
    (22, "n: new  …  ?: keys"), (18, "n: new  …  ?: keys"),
  ])
  func `the hints that lead on and back are kept before all others`(columns: Int, text: String) {
    let names = ["n": "new", "m": "merge", "a": "archive", "d": "delete"]
    let table = Bindings<Void, Int>("Items") {
      ["n", "m", "a", "d"].map { key in
        Binding<Void, Int>(.text(key), hint: names[key], help: "Do it.") { _ in 1 }
      }
      Binding(.escape, .text("q"), hint: "back", help: "Go back.") { _ in 2 }
    }
    .within(
      Bindings("Everywhere") {
        Binding(.text("?"), hint: "keys", help: "Show the keys.") { _ in 3 }
        Binding(.ctrl("c"), .ctrl("d"), hint: "leave", help: "Leave.") { _ in 4 }
      })
    #expect(table.hints(in: (), fitting: columns).text == text)
  }

  @Test(arguments: [
    (60, 3, ["a: keep  b: cut out  c: end there  d: split"]),
    (30, 3, ["a: keep  b: cut out", "c: end there  d: split"]),
    (30, 1, ["a: keep  b: cut out  …"]), (12, 3, ["a: keep", "b: cut out", "c: end there  …"]),
    (12, 4, ["a: keep", "b: cut out", "c: end there", "d: split"]), (12, 0, []),
  ])
  func `all hints are in lines, and what has no room is said`(
    columns: Int, linesMax: Int, texts: [String]
  ) {
    let table = Bindings<Void, Int>("Answers") {
      [("a", "keep"), ("b", "cut out"), ("c", "end there"), ("d", "split")].map { key, hint in
        Binding<Void, Int>(.text(key), hint: hint, help: "Do it.") { _ in 1 }
      }
    }
    let lines = table.hintLines(in: (), fitting: columns, linesMax: linesMax)
    #expect(lines.map(\.line.text) == texts)
    #expect(lines.first?.key(at: 0) == (texts.isEmpty ? nil : .text("a")))
  }

  @Test func `the hint line has what is available now`() {
    let line = Self.table.hints(in: Frame(selection: 0, filter: TextDraft("x")), fitting: 80)
    #expect(line == Screen.Line("ctrl-x: delete  escape: clear  ctrl-c, ctrl-d: leave", .faint))
    let selected = Self.table.hints(in: Frame(selection: 0), fitting: 80)
    #expect(
      selected.text
        == "ctrl-x: delete  1-9: pick  escape: unselect  ?: keys  ctrl-c, ctrl-d: leave")
  }

  /// A number of rows, and the keys that the bindings were asked for.
  private final class Asked {
    let rows: Int
    private(set) var keys: [Key] = []

    init(rows: Int) { self.rows = rows }

    func note(_ key: Key) { keys.append(key) }
  }

  @Test func `of keys that are available together, the first one is asked`() {
    let table = Bindings<Asked, Int>("Table") {
      Binding(
        keys: [.up, .down], label: "up, down", areAvailableTogether: true, hint: "move",
        help: "Move by a row."
      ) { (asked, key) throws(KeyProblem) in
        asked.note(key)
        guard asked.rows > 0 else { throw .unavailable("There are no rows.") }
        return key == .up ? -1 : 1
      }
    }
    let (none, some) = (Asked(rows: 0), Asked(rows: 1))
    #expect(table.hints(in: some, fitting: 40).text == "up, down: move")
    #expect(table.hints(in: none, fitting: 40).text.isEmpty)
    #expect(table.help(in: none).last?.text == "  up, down  Move by a row. (There are no rows.)")
    #expect(table.actions(in: some).map(\.key) == [.up, .down])
    #expect(none.keys == [.up, .up] && some.keys == [.up, .up])
  }

  @Test func `actions that are not listed are not asked`() {
    let table = Bindings<Asked, Int>("Table") {
      Binding(keys: [.text("a")], help: "Add a row.") { asked, key in
        asked.note(key)
        return 1
      }
      Binding(keys: [.text("q")], help: "Leave.") { asked, key in
        asked.note(key)
        return 2
      }
    }
    let asked = Asked(rows: 1)
    #expect(table.actions(in: asked) { $0.utf8.count > 6 }.map(\.help) == ["Add a row."])
    #expect(asked.keys == [.text("a")])
  }

  @Test func `a click on a hint presses its first key, and one between hints none`() {
    let table = Bindings<Void, Int>("Table") {
      Binding(.text("a"), hint: "写", help: "Write.") { _ in 1 }
      Binding(.ctrl("x"), .delete, hint: "cut", help: "Cut.") { _ in 2 }
    }
    let line = table.hintLine(in: (), fitting: 40)
    #expect(line.line.text == "a: 写  ctrl-x, delete: cut")
    let keys = [0, 4, 5, 7, 25, 26, -1].map { line.key(at: $0) }
    #expect(keys == [.text("a"), .text("a"), nil, .ctrl("x"), .ctrl("x"), nil, nil])
    #expect(HintLine().key(at: 0) == nil)
  }

  @Test func `hints and help are measured in cells, and are safe text`() {
    let table = Bindings<Void, Int>("\u{1b}[2J") {
      Binding(.text("写"), hint: "書く", help: "Write.\u{202e}") { 1 }
      Binding(.text("\u{200b}"), help: "Nothing to see.") { () throws(KeyProblem) in
        throw .unavailable("evil\u{7}")
      }
    }
    #expect(table.hints(in: (), fitting: 8).text == "写: 書く")
    #expect(table.hints(in: (), fitting: 7).text == "…")
    #expect(
      table.help(in: ()).map(\.text) == [
        "\\u{1B}[2J", "  写        Write.\\u{202E}",
        "  \\u{200B}  Nothing to see. (evil\\u{7})",
      ])
  }

  @Test func `the list of keys says what each key does now`() {
    #expect(
      Self.lines(Self.table, Frame()) == [
        "List",
        "  ctrl-x                     Delete the selected row. (Select a row first.)",
        "  1-9                        Pick a row.",
        "  text                       Insert the text at the cursor.",
        "  backspace, delete          Delete the character before or after the cursor.",
        "  ctrl-w, alt-d              Delete the word before or after the cursor.",
        "  ctrl-u, ctrl-k             Delete the text before or after the cursor.",
        "  left, right                Move the cursor by a character.",
        "  ctrl-left, ctrl-right      Move the cursor by a word.",
        "  home, end, ctrl-a, ctrl-e  Move the cursor to the start or the end.",
        "",
        "Window",
        "  ?                          Show the keys.",
        "  ctrl-c, ctrl-d             Leave the app.",
      ])
    let styles = Self.table.help(in: Frame()).map { $0.runs.map(\.style) }
    #expect(styles[0...2] == [[.title], [.faint], [.strong, .plain]])
  }

  @Test func `a short list of keys has one line for each binding, whose keys have a third`()
    throws
  {
    let lines = Self.table.help(in: Frame(), fitting: 30, isShort: true).map(\.text)
    #expect(lines[1] == "  ctrl-x      Delete the selected row. (Select a row first.)")
    #expect(lines[4] == "  backspace…  Delete the character before or after the cursor.")
    #expect(!lines.contains(""))
    // So they have where the texts are wrapped.
    let wrapped = Self.table.help(in: Frame(), fitting: 40).map(\.text)
    let index = try #require(wrapped.firstIndex(of: "  backspace,     Delete the character"))
    #expect(wrapped[index + 1] == "  delete         before or after the")
    #expect(wrapped.contains("  ctrl-a,        start or the end.") && wrapped.contains("  ctrl-e"))
  }

  @Test func `a brief list of keys has columns of a key and a hint, and says what is left out`() {
    func lines(_ columns: Int, _ rows: Int) -> [String] {
      Self.table.briefHelp(in: Frame(), fitting: Screen.Size(columns: columns, rows: rows))
        .map(\.text)
    }
    #expect(
      lines(40, 7) == [
        "List                left      move",
        "ctrl-x    delete    ctrl-left by words",
        "1-9       pick      home, end to ends",
        "text      type      Window",
        "backspace erase     ?         keys",
        "ctrl-w    a word    ctrl-c    leave",
        "ctrl-u    the text",
      ])
    // A title is not at the end of a column.
    #expect(
      lines(40, 11)[0...1] == ["List                Window", "ctrl-x    delete    ?         keys"])
    #expect(
      lines(20, 5) == [
        "ctrl-x    delete", "1-9       pick", "text      type", "backspace erase", "… 7 more",
      ])
    #expect(lines(20, 2) == ["ctrl-x    delete", "… 10 more"])
    #expect(lines(0, 0).count == 1)
  }

  @Test func `the list of keys leaves out what is passed on or taken by a child`() {
    let typing = Self.lines(Self.table, Self.typing("te"))
    #expect(typing.contains("  escape                     Clear the filter."))
    #expect(!typing.contains { $0.contains("Pick a row") || $0.contains("Show the keys") })
    let parent = Bindings<Frame, Intent>("Parent") {
      Binding(.ctrl("x"), .ctrl("q"), help: "Leave.") { _ in .quit }
      Binding(.ctrl("u"), help: "Go up.") { _ in .quit }
    }
    let lines = Self.lines(Self.list.within(parent), Frame())
    #expect(lines.suffix(2) == ["Parent", "  ctrl-q                     Leave."])
    // A table of which nothing is left has no title.
    let none = Self.lines(Self.list.within(Self.list), Frame())
    #expect(none == Self.lines(Self.list, Frame()))
  }

  @Test func `the documentation lists all bindings, whatever the context`() {
    let table = Bindings<Frame, Intent>("Marks") {
      Binding(.text("|"), help: "Split a|b.") { _ in nil }
      Binding(.text("`"), .text(" "), help: "Quote.") { _ throws(KeyProblem) in
        throw .unavailable("Never.")
      }
    }
    #expect(
      table.within(Self.window).markdown == """
        ### Marks

        | key | what it does |
        | --- | --- |
        | `\\|` | Split a\\|b. |
        | `` `, space `` | Quote. |

        ### Window

        | key | what it does |
        | --- | --- |
        | `escape` | Select nothing. |
        | `?` | Show the keys. |
        | `ctrl-c, ctrl-d` | Leave the app. |

        """)
  }

  @Test func `each binding of a table gives a value or a reason, or passes its keys on`() {
    for frame in [Frame(), Frame(selection: 1), Self.typing("te"), Frame(filter: nil)] {
      for binding in Self.list.all {
        for key in binding.keys {
          do throws(KeyProblem) {
            let own = try binding.value(for: key, in: frame)
            if let own { #expect(try Self.table.value(for: key, in: frame) == own) }
          } catch {
            #expect(throws: error) { try Self.table.value(for: key, in: frame) }
          }
        }
      }
    }
  }

  // MARK: Editing

  @Test func `the keys of a text do what they do in a field that counts characters`() throws {
    let pieces = [
      "a", "e\u{301}", "写", "👍🏽", "\u{1f469}\u{200d}\u{1f467}", "क्ष", " ", "?",
    ]
    let table = Bindings<TextDraft, TextReplacement>("Text") {
      Binding.editing(\.self) { _, edit in edit }
    }
    let edits: [(Key, TextEdit)] = [
      (.backspace, .deleteBackward(1)), (.delete, .deleteForward(1)), (.left, .moveLeft),
      (.right, .moveRight), (.home, .moveToStart), (.ctrl("a"), .moveToStart), (.end, .moveToEnd),
      (.ctrl("e"), .moveToEnd), (.ctrl("w"), .deleteWordBackward),
      (Key(.backspace, .alt), .deleteWordBackward), (.alt("d"), .deleteWordForward),
      (.ctrl("k"), .deleteForward(.max)), (Key(.left, .ctrl), .moveWordLeft),
      (.alt("f"), .moveWordRight), (Key(.right, .alt), .moveWordRight),
    ]
    try withSeed { random in
      for _ in 0..<200 {
        var (draft, field) = (TextDraft(), TextField())
        for _ in 0..<20 {
          let piece = pieces.randomElement(using: &random) ?? "a"
          let step = Int.random(in: 0..<3, using: &random)
          let (key, edit) =
            step > 0 ? (.text(piece), .insert(piece)) : edits.randomElement(using: &random)!
          // Where pieces join, the field moves its cursor after the joined character.
          draft = TextDraft(field.text, cursor: Int64(field.textBeforeCursor.utf8.count))
          draft.apply(try #require(try table.value(for: key, in: draft)))
          field.apply(edit)
          #expect(Array(draft.text.utf8) == Array(field.text.utf8))
        }
        let all = try #require(try table.value(for: .ctrl("u"), in: TextDraft(field.text)))
        draft = TextDraft(field.text)
        draft.apply(all)
        #expect(draft == TextDraft())
      }
    }
  }

  @Test func `pasted lines become one line without control characters`() throws {
    let table = Bindings<TextDraft, TextReplacement>("Text") {
      Binding.editing(\.self) { _, edit in edit }
    }
    let edit = try table.value(for: .text("a\r\nb\tc\u{1b}[2J\u{2028}d"), in: TextDraft())
    #expect(edit?.text == "a b c[2J d" && edit?.cursor == 10)
  }
}
