extension Binding {
  /// Returns the bindings for editing a line of text.
  ///
  /// The characters that a key moves over or deletes are those that the user sees, so the keys
  /// become edits here, at the edge. Line ends and tabs in pasted text become blanks, other control
  /// characters are dropped.
  ///
  /// - Parameters:
  ///   - draft: Returns the text that the user edits; `nil` passes the keys on.
  ///   - passing: The keys that are passed on while the text is empty, such as a question mark that
  ///     a parent binds to the list of keys; pasted text never is.
  ///   - value: Returns the value for an edit.
  public static func editing(
    _ draft: @escaping @Sendable (Context) -> TextDraft?, passing: Set<Key> = [],
    value: @escaping @Sendable (Context, TextReplacement) -> Value
  ) -> [Binding] {
    func binding(
      _ keys: [Key], _ help: String, _ edit: @escaping @Sendable (TextDraft, Key) -> TextEdit?
    ) -> Binding {
      Binding(keys: keys, help: help) { context, key in
        draft(context).flatMap { draft in
          edit(draft, key).map { value(context, draft.replacement(for: $0)) }
        }
      }
    }
    return [
      Binding(keys: [], label: "text", help: "Insert the text at the cursor.") { context, key in
        guard let draft = draft(context) else { return nil }
        if draft.text.isEmpty, passing.contains(key) { return nil }
        switch key.code {
        case .text(let text), .paste(let text):
          return value(context, draft.replacement(for: .insert(ofOneLine(text))))
        default: return nil
        }
      },
      binding([.backspace, .delete], "Delete the character before or after the cursor.") { _, key in
        key == .delete ? .deleteForward(1) : .deleteBackward(1)
      },
      binding([.ctrl("u")], "Delete the text before the cursor.") { draft, _ in
        .deleteBackward(draft.cursor)
      },
      binding([.left, .right], "Move the cursor by a character.") { _, key in
        key == .left ? .moveLeft : .moveRight
      },
      binding(
        [.home, .end, .ctrl("a"), .ctrl("e")], "Move the cursor to the start or the end."
      ) { _, key in
        key == .home || key == .ctrl("a") ? .moveToStart : .moveToEnd
      },
    ]
  }

  /// Returns a text without control characters.
  private static func ofOneLine(_ text: String) -> String {
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
