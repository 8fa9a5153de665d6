extension Binding {
  /// Returns the bindings for editing a line of text.
  ///
  /// The characters that a key moves over or deletes are those that the user sees, so the keys
  /// become edits here, at the edge. Line ends and tabs in pasted text become blanks, other control
  /// characters are dropped.
  ///
  /// - Parameters:
  ///   - draft: Returns the text that the user edits; `nil` passes the keys on.
  ///   - passing: The keys that are passed on. A character is passed on while the text is empty,
  ///     such as a question mark that a parent binds to the list of keys; pasted text never is.
  ///   - value: Returns the value for an edit.
  public static func editing(
    _ draft: @escaping @Sendable (Context) -> TextDraft?, passing: Set<Key> = [],
    value: @escaping @Sendable (Context, TextReplacement) -> Value
  ) -> [Binding] {
    func binding(
      _ keys: [Key], label: String? = nil, _ brief: String, _ help: String,
      _ edit: @escaping @Sendable (TextDraft, Key) -> TextEdit?
    ) -> Binding {
      Binding(keys: keys, label: label, brief: brief, help: help) { context, key in
        guard !passing.contains(key), let draft = draft(context) else { return nil }
        return edit(draft, key).map { value(context, draft.replacement(for: $0)) }
      }
    }
    return [
      Binding(keys: [], label: "text", brief: "type", help: "Insert the text at the cursor.") {
        context, key in
        guard let draft = draft(context) else { return nil }
        if draft.text.isEmpty, passing.contains(key) { return nil }
        switch key.code {
        case .text(let text), .paste(let text):
          return value(context, draft.replacement(for: .insert(ofOneLine(text))))
        default: return nil
        }
      },
      binding(
        [.backspace, .delete], "erase", "Delete the character before or after the cursor."
      ) { _, key in
        key == .delete ? .deleteForward(1) : .deleteBackward(1)
      },
      binding(
        [Key(.backspace, .alt), .ctrl("w"), .alt("d")], label: "ctrl-w, alt-d", "a word",
        "Delete the word before or after the cursor."
      ) { _, key in
        key == .alt("d") ? .deleteWordForward : .deleteWordBackward
      },
      binding(
        [.ctrl("u"), .ctrl("k")], "the text", "Delete the text before or after the cursor."
      ) { draft, key in
        key == .ctrl("u") ? .deleteBackward(draft.cursor) : .deleteForward(.max)
      },
      binding([.left, .right], "move", "Move the cursor by a character.") { _, key in
        key == .left ? .moveLeft : .moveRight
      },
      binding(
        [Key(.left, .ctrl), Key(.right, .ctrl), Key(.left, .alt), Key(.right, .alt)]
          + [.alt("b"), .alt("f")],
        label: "ctrl-left, ctrl-right", "by words", "Move the cursor by a word."
      ) { _, key in
        key.code == .left || key == .alt("b") ? .moveWordLeft : .moveWordRight
      },
      binding(
        [.home, .end, .ctrl("a"), .ctrl("e")], "to ends",
        "Move the cursor to the start or the end."
      ) { _, key in
        key == .home || key == .ctrl("a") ? .moveToStart : .moveToEnd
      },
    ]
  }

  /// Returns a text without control characters.
  private static func ofOneLine(_ text: String) -> String {
    // Most texts have none, and breaking a text into characters takes long.
    let hasControl = text.unicodeScalars.contains { scalar in
      scalar.value < 0x20 || 0x7f...0x9f ~= scalar.value || 0x2028...0x2029 ~= scalar.value
    }
    guard hasControl else { return text }
    var line = ""
    for character in text {
      if character.isNewline || character == "\t" {
        line += " "
      } else {
        line.unicodeScalars += character.unicodeScalars.filter {
          $0.properties.generalCategory != .control
        }
      }
    }
    return line
  }
}
