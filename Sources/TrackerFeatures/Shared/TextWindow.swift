import Retrace

/// The part of a text that fits into a line and contains the cursor.
struct TextWindow: Hashable {
  /// The visible part; it begins with `…` if text before it is hidden.
  private(set) var text: String
  /// The column of the cursor in it, in cells.
  private(set) var cursor: Int

  /// Chooses the part.
  ///
  /// - Parameters:
  ///   - draft: The text and its cursor.
  ///   - cells: The width, including the cell of a cursor after the text.
  ///   - followsCursor: Whether the cursor has to be visible; else the beginning is shown.
  /// - Complexity: O(bytes of the text).
  init(_ draft: TextDraft, cells: Int, followsCursor: Bool) {
    let before = String(Substring(draft.text.utf8.prefix(Int(draft.cursor))))
    var width = TextWidth.of(before)
    text = draft.text
    cursor = width
    guard followsCursor, cells > 1, width >= cells else { return }
    var hidden = 0
    for character in before {
      // One cell is for the mark, and one for the cursor.
      if width + 2 <= cells { break }
      width -= TextWidth.of(character)
      hidden += 1
    }
    text = "…" + draft.text.dropFirst(hidden)
    cursor = width + 1
  }
}

extension TextDraft {
  /// The edit that replaces the whole text.
  func replacing(with text: String) -> TextReplacement {
    TextReplacement(
      start: 0, end: Int64(self.text.utf8.count), text: text, cursor: Int64(text.utf8.count))
  }
}
