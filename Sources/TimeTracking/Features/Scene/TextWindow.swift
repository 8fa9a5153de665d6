import RetraceArchitecture
import RetraceScreen

/// The part of a text that is shown where the whole is too wide, so that the cursor is always seen.
struct TextWindow: Hashable {
  /// What is shown; it begins with `…` if something before it is not.
  private(set) var text: String
  /// The column of the cursor in it, in cells.
  private(set) var cursor: Int

  /// Chooses what is shown.
  ///
  /// - Parameters:
  ///   - field: The text and its cursor.
  ///   - cells: The room, the cell of a cursor behind the text included.
  ///   - followsCursor: Whether the cursor has to be seen; else the beginning is shown.
  /// - Complexity: O(graphemes before the cursor).
  init(_ field: TextField, cells: Int, followsCursor: Bool) {
    let before = field.textBeforeCursor
    var width = TextWidth.of(before)
    text = field.text
    cursor = width
    guard followsCursor, cells > 1, width >= cells else { return }
    var hidden = 0
    for character in before {
      // One cell is for the mark, and one for the cursor.
      if width + 2 <= cells { break }
      width -= TextWidth.of(character)
      hidden += 1
    }
    text = "…" + field.text.dropFirst(hidden)
    cursor = width + 1
  }
}
