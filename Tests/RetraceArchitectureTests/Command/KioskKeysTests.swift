import RetraceArchitecture
import RetraceScreen
import RetraceState
import RetraceFixtures
import RetraceTesting
import Testing

/// The keys of the kiosk, interpreted on what the user saw, without a terminal and without a store.
@Suite struct KioskKeysTests {
  private static let window = SceneID(value: 3)
  private static let moment = Moment(microseconds: 0)
  private static let tea = KioskItemID(value: 0)
  private static let jam = KioskItemID(value: 1)

  /// What the user typed or selected before pressing a key.
  private struct Setting {
    var items: [String] = ["tea", "jam", "写真"]
    var selection: KioskItemID?
    var draft = ""
    var isHelpShown = false
    var size = Screen.Size(columns: 80, rows: 24)
  }

  /// A state, and the frame that the user sees of it.
  private struct Kiosk {
    var state = KioskState()
    var size: Screen.Size

    init(_ setting: Setting = Setting()) {
      size = setting.size
      var window = KioskWindow()
      window.selection = setting.selection
      window.draft = TextDraft(setting.draft)
      window.isHelpShown = setting.isHelpShown
      state.windows[KioskKeysTests.window] = window
      for name in setting.items {
        state.items.insert(KioskItem(name: name, stock: 5, price: 100))
        state.total += 5
      }
    }

    var frame: KioskFrame? { KioskFrame(of: KioskKeysTests.window, in: state, size: size) }
    var window: KioskWindow? { state.windows[KioskKeysTests.window] }
    var lines: [String] { frame?.screen.canvas.lines ?? [] }

    /// Interprets a key on what the user sees, and carries out what it means.
    mutating func press(_ key: Key) throws(KeyProblem) -> (facts: [KioskFact], isBound: Bool) {
      let intents = try frame?.interpret(key) ?? []
      return (carryOut(intents), !intents.isEmpty)
    }

    mutating func carryOut(_ intents: [KioskApp.Intent]) -> [KioskFact] {
      var facts: [KioskFact] = []
      for intent in intents {
        switch intent {
        case .scene(let action): reduce(KioskApp.action(for: action))
        case .command(let command):
          guard
            let decided = try? KioskApp.decider.decide(
              command, on: state, at: KioskKeysTests.moment)
          else { return facts }
          for case .fact(let fact) in decided {
            facts.append(fact)
            reduce(.fact(fact))
          }
        }
      }
      return facts
    }

    private mutating func reduce(_ action: KioskAction) {
      _ = KioskApp.reducer.reduce(&state, action, at: KioskKeysTests.moment)
    }
  }

  // MARK: The table

  @Test func `no key of the kiosk is bound twice in one table`() {
    #expect(KioskKeys.shelf.conflicts.isEmpty && KioskKeys.help.conflicts.isEmpty)
  }

  /// What each binding does, by its help: a setting, and a check of the kiosk after the first key.
  private static var promises: [String: (Setting, (Kiosk, [KioskFact]) -> Bool)] {
    [
      "Add the item that is typed, such as tea 250.": (
        Setting(draft: "green tea 250"),
        { kiosk, facts in
          facts == [
            .added(KioskItemID(value: 3), Insertion(KioskItem(name: "green tea", price: 250)))
          ]
            && kiosk.window?.draft == TextDraft()
        }
      ),
      "Clear what is typed.": (
        Setting(draft: "tea"), { kiosk, _ in kiosk.window?.draft == TextDraft() }
      ),
      "Insert the text at the cursor.": (
        Setting(draft: "te"), { kiosk, _ in kiosk.window?.draft == TextDraft("tea") }
      ),
      "Delete the character before or after the cursor.": (
        Setting(draft: "e\u{301}👩‍👩‍👧"),
        { kiosk, _ in kiosk.window?.draft == TextDraft("e\u{301}") }
      ),
      "Delete the word before or after the cursor.": (
        Setting(draft: "green tea"), { kiosk, _ in kiosk.window?.draft == TextDraft("green ") }
      ),
      "Delete the text before or after the cursor.": (
        Setting(draft: "tea"), { kiosk, _ in kiosk.window?.draft == TextDraft() }
      ),
      "Move the cursor by a word.": (
        Setting(draft: "green tea"), { kiosk, _ in kiosk.window?.draft.cursor == 6 }
      ),
      "Move the cursor by a character.": (
        Setting(draft: "a👩‍👩‍👧"), { kiosk, _ in kiosk.window?.draft.cursor == 1 }
      ),
      "Move the cursor to the start or the end.": (
        Setting(draft: "tea"), { kiosk, _ in kiosk.window?.draft.cursor == 0 }
      ),
      "Select the item in that row, while nothing is typed.": (
        Setting(), { kiosk, _ in kiosk.window?.selection == tea }
      ),
      "Select the item above or below.": (
        Setting(selection: jam), { kiosk, _ in kiosk.window?.selection == tea }
      ),
      "Select nothing.": (
        Setting(selection: jam), { kiosk, _ in kiosk.window?.selection == nil }
      ),
      "Sell one of the selected item.": (
        Setting(selection: jam),
        { _, facts in facts == [.stockChanged(jam, stock: Change(from: 5, to: 4))] }
      ),
      "Order the selected item from the supplier.": (
        Setting(selection: jam), { kiosk, facts in facts.isEmpty && kiosk.state.missing == 0 }
      ),
      "Show the keys, while nothing is typed.": (
        Setting(), { kiosk, _ in kiosk.window?.isHelpShown == true }
      ),
      "Close the window.": (Setting(), { kiosk, _ in kiosk.state.windows.isEmpty }),
      "Hide the keys.": (
        Setting(isHelpShown: true), { kiosk, _ in kiosk.window?.isHelpShown == false }
      ),
    ]
  }

  @Test func `every binding does what its help says`() throws {
    let all = KioskKeys.shelf.all + KioskKeys.help.all
    #expect(Set(all.map(\.help)) == Set(Self.promises.keys))
    for binding in all {
      let (setting, holds) = try #require(Self.promises[binding.help])
      var kiosk = Kiosk(setting)
      let (facts, isBound) = try kiosk.press(binding.keys.first ?? .text("a"))
      #expect(isBound && holds(kiosk, facts), "\(binding.help)")
      #expect(KioskApp.violations(of: kiosk.state).isEmpty)
    }
  }

  @Test func `each key of each table means something somewhere, or says why not`() throws {
    let settings = [
      Setting(), Setting(selection: Self.jam), Setting(draft: "tea 250"), Setting(draft: "?"),
      Setting(items: []), Setting(isHelpShown: true),
    ]
    for binding in KioskKeys.shelf.all {
      for key in binding.keys {
        let answers = settings.map { setting in
          Result { try Kiosk(setting).frame?.interpret(key).isEmpty ?? true }
        }
        #expect(answers.contains { (try? $0.get()) != true }, "\(key.name)")
        for case .failure(let error) in answers {
          #expect("\(error)".hasSuffix("."), "\(key.name): \(error)")
        }
      }
    }
    let row = #expect(throws: KeyProblem.self) { try Kiosk().frame?.interpret(.text("4")) }
    #expect(row?.description == "There is no such row.")
    let item = #expect(throws: KeyProblem.self) { try Kiosk().frame?.interpret(.ctrl("s")) }
    #expect(item?.description == "Select an item first.")
    let typed = #expect(throws: KeyProblem.self) {
      try Kiosk(Setting(draft: "tea")).frame?.interpret(.enter)
    }
    #expect(typed?.description == "Type a name and a price in cents, such as tea 250.")
    #expect(try Kiosk().frame?.interpret(.tab) == [])
  }

  // MARK: Hints and help

  @Test(arguments: [
    (80, "enter: add  escape: clear  ctrl-s: sell  ctrl-o: order  ctrl-w: close"),
    (60, "enter: add  escape: clear  ctrl-s: sell  …  ctrl-w: close"),
    (40, "enter: add  escape: clear  …"),
  ])
  func `the hint line shows what fits`(columns: Int, text: String) {
    let size = Screen.Size(columns: columns, rows: 10)
    let kiosk = Kiosk(Setting(selection: Self.jam, draft: "x 1", size: size))
    #expect(kiosk.lines.last == text)
  }

  @Test func `the hint line has only what the keys do now`() {
    #expect(Kiosk().lines.last == "1-9: select  ?: keys  ctrl-w: close")
    #expect(Kiosk(Setting(items: [])).lines.last == "?: keys  ctrl-w: close")
    #expect(Kiosk(Setting(draft: "x")).lines.last == "escape: clear  ctrl-w: close")
    #expect(Kiosk(Setting(isHelpShown: true)).lines.last == "?, escape, enter: back")
  }

  @Test func `the list of keys is the screen while it is shown, and only its own keys count`()
    throws
  {
    let size = Screen.Size(columns: 100, rows: 24)
    var kiosk = Kiosk(Setting(isHelpShown: true, size: size))
    #expect(
      kiosk.lines == [
        "New item",
        "  text                       Insert the text at the cursor.",
        "  backspace, delete          Delete the character before or after the cursor.",
        // The window keeps ctrl-w.
        "  alt-backspace, alt-d       Delete the word before or after the cursor.",
        "  ctrl-u, ctrl-k             Delete the text before or after the cursor.",
        "  left, right                Move the cursor by a character.",
        "  ctrl-left, ctrl-right      Move the cursor by a word.",
        "  home, end, ctrl-a, ctrl-e  Move the cursor to the start or the end.",
        "",
        "Items",
        "  1-9                        Select the item in that row, while nothing is typed.",
        "  up, down                   Select the item above or below.",
        "  ctrl-s                     Sell one of the selected item. (Select an item first.)",
        "  ctrl-o                     "
          + "Order the selected item from the supplier. (Select an item first.)",
        "",
        "Window",
        "  ?                          Show the keys, while nothing is typed.",
        "  ctrl-w                     Close the window.",
        "?, escape, enter: back",
      ])
    #expect(try kiosk.frame?.interpret(.text("x")) == [])
    #expect(try kiosk.press(.escape).isBound)
    #expect(kiosk.lines.first == "  tea, 5 for 100 each")
  }

  // MARK: What the user saw

  @Test func `a digit picks the row that was painted, whatever has changed since`() throws {
    let size = Screen.Size(columns: 40, rows: 5)
    var kiosk = Kiosk(Setting(items: (0..<9).map { "item \($0)" }, size: size))
    kiosk.state.windows[Self.window]?.selection = KioskItemID(value: 5)
    #expect(
      kiosk.lines.prefix(2) == ["  item 4, 5 for 100 each", "> item 5, 5 for 100 each"])
    let painted = try #require(kiosk.frame)
    // Another process sells, and another window's user selects, before the key is pressed.
    _ = kiosk.carryOut([
      .command(.add(name: "item 9", price: 1)),
      .scene(.window(Self.window, .selected(KioskItemID(value: 8)))),
    ])
    _ = kiosk.carryOut(try painted.interpret(.text("1")))
    #expect(kiosk.window?.selection == KioskItemID(value: 4))
    #expect(throws: KeyProblem.unavailable("There is no such row.")) {
      try painted.interpret(.text("3"))
    }
  }

  @Test func `a typed digit belongs to the text once something is typed`() throws {
    var kiosk = Kiosk()
    for key in ["t", "2", "?"] { #expect(try kiosk.press(.text(key)).isBound) }
    #expect(kiosk.window?.draft == TextDraft("t2?") && kiosk.window?.selection == nil)
    #expect(kiosk.window?.isHelpShown == false)
  }

  @Test func `characters of several scalars are recorded as ranges of bytes`() throws {
    let family = "\u{1f469}\u{200d}\u{1f469}\u{200d}\u{1f467}"
    var kiosk = Kiosk(Setting(draft: "क्षa"))
    let typed = try kiosk.frame?.interpret(.text(family))
    let inserted = TextReplacement(start: 10, end: 10, text: family, cursor: 28)
    #expect(typed == [.scene(.window(Self.window, .edited(inserted)))])
    _ = kiosk.carryOut(typed ?? [])
    let deleted = try kiosk.frame?.interpret(.backspace)
    #expect(
      deleted
        == [
          .scene(
            .window(
              Self.window, .edited(TextReplacement(start: 10, end: 28, text: "", cursor: 10))))
        ])
  }

  @Test func `any keys on any screen mean something or nothing, and break no invariant`() throws {
    let keys: [Key] =
      Key.named.map(\.key) + "adeorsuw".unicodeScalars.map { Key.ctrl($0) }
      + ["1", "2", "9", "?", "tea 250", " ", "写", "e\u{301}", "a\nb", "7"].map { Key.text($0) }
    try withSeed { random in
      for _ in 0..<50 {
        let rows = Int.random(in: 0...8, using: &random)
        let columns = Int.random(in: 0...90, using: &random)
        var kiosk = Kiosk(Setting(size: Screen.Size(columns: columns, rows: rows)))
        for _ in 0..<60 {
          let key = try #require(keys.randomElement(using: &random))
          let before = kiosk.state
          do throws(KeyProblem) {
            let (_, isBound) = try kiosk.press(key)
            if !isBound { #expect(kiosk.state == before) }
          } catch {
            guard case .unavailable = error else { throw error }
          }
          if kiosk.window == nil { _ = kiosk.carryOut([.scene(.opened(Self.window))]) }
          #expect(KioskApp.violations(of: kiosk.state).isEmpty && kiosk.state.missing == 0)
          let hint = kiosk.lines.last ?? ""
          #expect(TextWidth.of(hint) <= columns)
        }
      }
    }
  }
}
