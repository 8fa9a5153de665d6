import RetraceScreen
import Testing

/// Keys, inputs of the mouse, and their names.
@Suite struct KeyNameTests {
  @Test(arguments: [
    ("enter", Key.enter), ("backtab", .backtab), ("page-up", .pageUp), ("ctrl-z", .ctrl("z")),
    ("text:a", .text("a")), ("text:\u{301}a b", .text("\u{301}a b")), ("alt-x", .alt("x")),
    ("ctrl-shift-left", Key(.left, [.ctrl, .shift])), ("f5", .function(5)),
    ("f35", .function(35)), ("shift-f1", Key(.function(1), .shift)), ("insert", .insert),
    ("menu", .menu), ("print-screen", .printScreen), ("alt-space", .alt(" ")),
    ("ctrl--", .ctrl("-")),
    ("ctrl-alt-shift-super-a", Key(.character("a"), [.ctrl, .alt, .shift, .super])),
    ("ctrl-shift-tab", Key(.tab, [.ctrl, .shift])), ("alt-é", .alt("é")), ("ctrl-f", .ctrl("f")),
    ("alt-enter", Key(.enter, .alt)), ("paste:a", .paste("a")),
    ("paste:a\\nb\\tc\\\\d", .paste("a\nb\tc\\d")), ("text:a\\nb", .text("a\\nb")),
  ])
  func `a key has a name that reads back`(name: String, key: Key) {
    #expect(key.name == name)
    #expect(Key(name: name) == key)
  }

  @Test(arguments: [
    ("shift-ctrl-left", "ctrl-shift-left"), ("shift-tab", "backtab"), ("alt-X", "alt-shift-x"),
    ("ctrl-backtab", "ctrl-shift-tab"), ("super-alt-é", "alt-super-é"),
    ("paste:\\x\\", "paste:\\\\x\\\\"), ("m", "text:m"), ("M", "text:M"), ("f", "text:f"),
    ("é", "text:é"), ("-", "text:-"), ("space", "text: "), ("\u{301}", "text:\u{301}"),
    ("e\u{301}", "text:e\u{301}"), ("👩🏽‍🚀", "text:👩🏽‍🚀"),
  ])
  func `other forms of a name are read as the same key`(form: String, name: String) {
    #expect(Key(name: form)?.name == name)
  }

  @Test(arguments: [
    "", "text:", "paste:", " ", "xy", "shift-x", "ctrl-", "ctrl-alt-", "ctrl-ctrl-x", "ctrl-ab",
    "f0", "f36", "f01", "f-1", "f1x", "alt-text:a", "alt- ", "ctrl-\u{1}", "ctrl-\u{9b}",
    "alt-e\u{301}", "Enter", "pageup", "\r\n", "\u{1}", "\u{9b}", " \u{301}", "ee\u{301}",
  ])
  func `what is no name is no key`(name: String) {
    #expect(Key(name: name) == nil)
  }

  @Test func `one press has one value`() {
    #expect(Key(.character("a")) == .text("a"))
    #expect(Key(.character("a"), .shift) == .text("A"))
    #expect(Key(.character("C"), .ctrl) == Key(.character("c"), [.ctrl, .shift]))
    #expect(Key(.text("a"), .ctrl) == .text("a"))
    #expect(Key.text("a") != .paste("a"))
    #expect(Set(Key.named.map(\.key)).count == Key.named.count)
    for (name, key) in Key.named { #expect(Key(name: name) == key && key.name == name) }
  }

  @Test func `an input of the mouse without modifiers has a name that reads back`() {
    let actions: [Mouse.Action] =
      Mouse.Button.allCases.flatMap { [.pressed($0), .released($0), .dragged($0)] }
      + Mouse.Direction.allCases.map { .scrolled($0) } + [.moved]
    for action in actions {
      let mouse = Mouse(action, row: 3, column: 10)
      #expect(Mouse(name: mouse.name) == mouse)
      #expect(Key(name: mouse.name) == nil)
    }
    #expect(Mouse(.dragged(.right), row: 0, column: 200).name == "drag-right 0 200")
    for name in ["press-left", "press-left 1", "press-left 1 -2", "press 1 2", "move 1  2", ""] {
      #expect(Mouse(name: name) == nil)
    }
  }
}
