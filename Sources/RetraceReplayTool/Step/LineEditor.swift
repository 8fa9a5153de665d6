import RetraceScreen

/// A line that is typed on a terminal, and the lines before it.
///
/// The keys are those of the text fields of screens, with up and down for the lines before, and
/// with the keys of shells that delete a word or the rest of the line.
struct LineEditor {
  /// What follows from a key.
  enum Outcome: Hashable {
    /// The line is complete.
    case entered(String)
    /// No line follows.
    case left
  }

  private static let editing = Bindings<TextDraft, TextReplacement>("Line") {
    Binding.editing({ $0 }) { _, edit in edit }
  }

  private(set) var draft = TextDraft()
  private var history: [String] = []
  /// The line of the history that is shown; `history.count` for the new line.
  private var shown = 0
  /// The new line, while another one is shown.
  private var kept = ""

  /// Takes a key; returns `nil` if the line goes on.
  mutating func take(_ key: Key) -> Outcome? {
    switch key {
    case .enter: return .entered(enter())
    case .ctrl("d") where draft.text.isEmpty: return .left
    case .ctrl("d"): apply(.deleteForward(1))
    case .ctrl("k"): apply(.deleteForward(.max))
    case .ctrl("w"): apply(.deleteBackward(wordBeforeCursor))
    case .up where shown > 0: show(shown - 1)
    case .down where shown < history.count: show(shown + 1)
    default:
      if let edit = try? Self.editing.value(for: key, in: draft) { draft.apply(edit) }
    }
    return nil
  }

  /// The number of the characters of the word before the cursor, and of the blanks after it.
  private var wordBeforeCursor: Int64 {
    let end = draft.text.utf8.index(draft.text.startIndex, offsetBy: Int(draft.cursor))
    let blanksLeft = draft.text[..<end].reversed().drop { $0 == " " }
    return Int64(draft.text[..<end].count - blanksLeft.drop { $0 != " " }.count)
  }

  private mutating func apply(_ edit: TextEdit) { draft.apply(draft.replacement(for: edit)) }

  private mutating func enter() -> String {
    let text = draft.text
    if !text.isEmpty, history.last != text { history.append(text) }
    (draft, shown) = (TextDraft(), history.count)
    return text
  }

  private mutating func show(_ index: Int) {
    if shown == history.count { kept = draft.text }
    shown = index
    draft = TextDraft(index == history.count ? kept : history[index])
  }
}
