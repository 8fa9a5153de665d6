import RetraceArchitecture
import RetraceAvro
import RetraceScreen
import RetraceTestSupport
import Testing

/// A text field does what a list of characters with a cursor does.
struct TextFieldTests {
  @Test("Random edits do what they do to a list of characters", arguments: 1...20)
  func agreesWithModel(seed: UInt64) throws {
    try withSeed(default: seed) { generator throws in
      var field = TextField("start")
      var model = Model(characters: Array("start"), cursor: 5)
      for _ in 0..<400 {
        let edit = TextFieldTests.edit(&generator, of: ["a", "é", "日", "👩‍👩‍👧", " ", "ß"])
        field.apply(edit)
        model.apply(edit)
        #expect(field.text == String(model.characters), "after \(edit)")
        #expect(field.cursor == model.cursor, "after \(edit)")
        let edited = try TextEdit(encoded: edit.encoded().span)
        #expect(edited == edit)
      }
      let decoded = try TextField(encoded: field.encoded().span)
      #expect(decoded == field)
    }
  }

  @Test("Scalars that join with their neighbours leave the cursor in the text", arguments: 1...20)
  func staysInside(seed: UInt64) {
    withSeed(default: seed) { generator in
      var field = TextField()
      let joining = ["e", "\u{301}", "\u{200d}", "👩", "\r", "\n", "🇩", "🇪", "\u{fe0f}", "ᄒ", "ᅡ"]
      for _ in 0..<600 {
        field.apply(TextFieldTests.edit(&generator, of: joining))
        #expect(0...field.text.count ~= field.cursor)
      }
    }
  }

  @Test("What joins with the character before the cursor keeps the cursor behind it")
  func joins() {
    var field = TextField("xe", cursor: 2)
    field.apply(.insert("\u{301}"))
    #expect(field == TextField("xe\u{301}", cursor: 2))
    field = TextField("a\nb", cursor: 1)
    field.apply(.insert("\r"))
    #expect(field == TextField("a\r\nb", cursor: 2))
    field.apply(.deleteBackward(1))
    #expect(field == TextField("ab", cursor: 1))
  }

  @Test("Counts of any size are taken for what there is")
  func counts() {
    var field = TextField("abc", cursor: 2)
    field.apply(.deleteBackward(-4))
    field.apply(.deleteForward(.min))
    field.apply(.deleteBackward(0))
    #expect(field == TextField("abc", cursor: 2))
    field.apply(.deleteForward(.max))
    #expect(field == TextField("ab", cursor: 2))
    field.apply(.deleteBackward(.max))
    #expect(field == TextField(""))
    #expect(TextField("abc", cursor: -7).cursor == 0)
    #expect(TextField("abc", cursor: 7).cursor == 3)
  }

  @Test("A recorded cursor outside the text is refused")
  func refusesCursor() {
    let bytes: [UInt8] = [2, 0x61, 4]
    #expect(throws: AvroError.self) { try TextField(encoded: bytes.span) }
  }

  private static func edit(
    _ generator: inout SeededGenerator, of alphabet: [String]
  ) -> TextEdit {
    switch Int.random(in: 0..<10, using: &generator) {
    case 0..<4:
      let count = Int.random(in: 1...3, using: &generator)
      return .insert(
        (0..<count).map { _ in alphabet.randomElement(using: &generator) ?? "" }.joined())
    case 4: return .deleteBackward(Int64.random(in: 0...3, using: &generator))
    case 5: return .deleteForward(Int64.random(in: 0...2, using: &generator))
    case 6: return .moveLeft
    case 7: return .moveRight
    case 8: return .moveToStart
    default: return .moveToEnd
    }
  }

  private struct Model {
    var characters: [Character]
    var cursor: Int

    mutating func apply(_ edit: TextEdit) {
      switch edit {
      case .insert(let text):
        characters.insert(contentsOf: Array(text), at: cursor)
        cursor += text.count
      case .deleteBackward(let count):
        let start = max(0, cursor - Int(count))
        characters.removeSubrange(start..<cursor)
        cursor = start
      case .deleteForward(let count):
        characters.removeSubrange(cursor..<min(characters.count, cursor + Int(count)))
      case .moveLeft: cursor = max(0, cursor - 1)
      case .moveRight: cursor = min(characters.count, cursor + 1)
      case .moveToStart: cursor = 0
      case .moveToEnd: cursor = characters.count
      }
    }
  }
}
