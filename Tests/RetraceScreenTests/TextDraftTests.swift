import RetraceAvro
import RetraceScreen
import RetraceTesting
import Testing

/// Drafts, whose edits are recorded as ranges in UTF-8.
@Suite struct TextDraftTests {
  private static let pieces = [
    "a", "é", "e\u{301}", "写", "👍🏽", "\u{1f469}\u{200d}\u{1f467}", "\u{1f1e9}\u{1f1ea}",
    "क्ष", " ", "\u{200d}", "\r\n",
  ]

  private static func text(
    _ count: ClosedRange<Int>, using random: inout SeededGenerator
  ) -> String {
    (0..<Int.random(in: count, using: &random))
      .map { _ in pieces.randomElement(using: &random) ?? "a" }.joined()
  }

  private static func edit(using random: inout SeededGenerator) -> TextEdit {
    switch Int.random(in: 0..<14, using: &random) {
    case 0..<4: .insert(text(0...3, using: &random))
    case 4: .deleteBackward(Int64.random(in: -1...3, using: &random))
    case 5: .deleteForward(Int64.random(in: -1...3, using: &random))
    case 6: .moveLeft
    case 7: .moveRight
    case 8: .moveToStart
    case 9: .deleteWordBackward
    case 10: .deleteWordForward
    case 11: .moveWordLeft
    case 12: .moveWordRight
    default: .moveToEnd
    }
  }

  @Test func `an edit of the user does what it does in a field that counts characters`() {
    withSeed { random in
      for _ in 0..<2_000 {
        let text = Self.text(0...6, using: &random)
        let cursor = Int.random(in: 0...text.count, using: &random)
        var field = TextField(text, cursor: cursor)
        var draft = TextDraft(text, cursor: Int64(text.prefix(cursor).utf8.count))
        let edit = Self.edit(using: &random)
        draft.apply(draft.replacement(for: edit))
        field.apply(edit)
        #expect(Array(draft.text.utf8) == Array(field.text.utf8))
        // The field moves its cursor after a character that an insertion completes; a draft does
        // not know that, and keeps it after the inserted text.
        guard case .insert = edit else {
          #expect(Int(draft.cursor) == field.textBeforeCursor.utf8.count)
          continue
        }
      }
    }
  }

  @Test func `a replacement for another text is applied as far as it makes sense`() {
    withSeed { random in
      for _ in 0..<2_000 {
        var draft = TextDraft(Self.text(0...6, using: &random))
        let before = draft.text
        func offset() -> Int64 {
          Bool.random(using: &random)
            ? Int64.random(in: -3...60, using: &random)
            : [Int64.min, .max].randomElement(using: &random) ?? 0
        }
        let edit = TextReplacement(
          start: offset(), end: offset(), text: Self.text(0...2, using: &random), cursor: offset())
        draft.apply(edit)
        #expect(draft.cursor >= 0 && draft.cursor <= draft.text.utf8.count)
        #expect(!draft.text.unicodeScalars.contains("\u{fffd}"))
        #expect(draft.text.utf8.count <= before.utf8.count + edit.text.utf8.count)
        #expect(throws: Never.self) {
          try TextDraft(encoded: draft.encoded().span)
        }
      }
    }
  }

  @Test func `texts that differ only in their normalization are different drafts`() {
    #expect("\u{e9}" == "e\u{301}")
    #expect(TextDraft("\u{e9}", cursor: 0) != TextDraft("e\u{301}", cursor: 0))
    let replacements = ["\u{e9}", "e\u{301}"].map {
      TextReplacement(start: 0, end: 0, text: $0, cursor: 0)
    }
    #expect(replacements[0] != replacements[1])
  }

  @Test func `drafts and replacements are read as they were written`() throws {
    let draft = TextDraft("写作", cursor: 3)
    #expect(try TextDraft(encoded: draft.encoded().span) == draft)
    let edit = TextReplacement(start: 1, end: 2, text: "é", cursor: 3)
    #expect(try TextReplacement(encoded: edit.encoded().span) == edit)
    var writer = AvroWriter()
    writer.string("写作")
    writer.long(2)
    #expect(throws: AvroError.self) { try TextDraft(encoded: writer.bytes.span) }
  }
}
