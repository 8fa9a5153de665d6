/// A user's edit of a line of text; ``TextDraft/replacement(for:)`` returns the change.
///
/// ```swift
/// var draft = TextDraft("mlk")
/// let edit: TextEdit = .insert("i")
/// draft.apply(draft.replacement(for: edit))
/// ```
public enum TextEdit: Hashable, Sendable {
  /// Inserts text at the cursor, which moves after it.
  case insert(String)
  /// Deletes a number of characters before the cursor.
  case deleteBackward(Int64)
  /// Deletes a number of characters after the cursor.
  case deleteForward(Int64)
  /// Deletes the word before the cursor, and the blanks after it.
  case deleteWordBackward
  /// Deletes the word after the cursor, and the blanks before it.
  case deleteWordForward
  /// Moves the cursor one character to the left.
  case moveLeft
  /// Moves the cursor one character to the right.
  case moveRight
  /// Moves the cursor to the start of the word before it.
  case moveWordLeft
  /// Moves the cursor to the end of the word after it.
  case moveWordRight
  /// Moves the cursor before the first character.
  case moveToStart
  /// Moves the cursor after the last character.
  case moveToEnd
}
