import RetraceScreen
import Testing

@testable import RetraceReplayTool

/// The lines that `step --lines` reads on a terminal.
@Suite struct LineEditorTests {
  private func edited(_ keys: [Key], in editor: inout LineEditor) -> String {
    for key in keys { _ = editor.take(key) }
    return editor.draft.text
  }

  @Test(arguments: [
    ([Key.text("a"), .text("c"), .left, .text("b")], "abc"),
    ([.text("ab"), .home, .delete, .end, .text("c"), .backspace, .text("d")], "bd"),
    ([.text("goto 3"), .ctrl("w"), .text("4")], "goto 4"),
    ([.text("goto 3  "), .ctrl("w")], "goto "),
    ([.text("goto"), .ctrl("w"), .ctrl("w")], ""),
    ([.text("go é日 x"), .left, .left, .ctrl("w")], "go  x"),
    ([.text("goto 3"), .left, .left, .ctrl("u")], " 3"),
    ([.text("goto 3"), .left, .left, .ctrl("k")], "goto"),
    ([.text("ab"), .home, .ctrl("d")], "b"),
    ([.text("日本"), .backspace], "日"),
    ([.text("a"), .ctrl("a"), .text("b"), .ctrl("e"), .text("c")], "bac"),
  ])
  func `keys edit the line`(keys: [Key], text: String) {
    var editor = LineEditor()
    #expect(edited(keys, in: &editor) == text)
    #expect(editor.take(.enter) == .entered(text))
    #expect(editor.draft.text.isEmpty)
  }

  @Test func `up and down show the lines before, and the new line is kept`() {
    var editor = LineEditor()
    for keys in [[Key.text("first"), .enter], [.text("next"), .enter], [.text("next"), .enter]] {
      _ = edited(keys, in: &editor)
    }
    #expect(editor.take(.enter) == .entered(""))
    _ = editor.take(.text("dif"))
    #expect(edited([.up], in: &editor) == "next")
    #expect(edited([.up], in: &editor) == "first")
    #expect(edited([.up], in: &editor) == "first")
    #expect(edited([.text(" 2")], in: &editor) == "first 2")
    #expect(edited([.down, .down], in: &editor) == "dif")
    #expect(edited([.down], in: &editor) == "dif")
    #expect(editor.take(.enter) == .entered("dif"))
    // What was changed of an earlier line is not kept.
    #expect(edited([.up, .up, .up], in: &editor) == "first")
  }

  @Test func `ctrl-d leaves an empty line; other keys do nothing`() {
    var editor = LineEditor()
    #expect(editor.take(.ctrl("d")) == .left)
    for key in [Key(.function(5)), .ctrl("c"), .escape, .tab] {
      #expect(editor.take(key) == nil && editor.draft.text.isEmpty)
    }
    _ = editor.take(.text("x"))
    #expect(editor.take(.ctrl("d")) == nil && editor.draft.text == "x")
    #expect(editor.take(.enter) == .entered("x"))
  }
}
