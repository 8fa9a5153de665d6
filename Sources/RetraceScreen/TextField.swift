/// A line of text that is being edited, with a cursor between its characters.
///
/// Every edit can be applied at every cursor position. Positions count characters (extended
/// grapheme clusters), so the cursor is never inside one.
public struct TextField: Hashable, Sendable {
  /// The text.
  public private(set) var text: String
  /// The number of characters before the cursor, from 0 to the length of the text.
  public private(set) var cursor: Int

  /// Makes a field with the cursor at the end of the text.
  ///
  /// - Complexity: O(characters of the text).
  public init(_ text: String = "") {
    self.text = text
    cursor = text.count
  }

  /// Makes a field; a cursor outside the text is moved to the nearest end.
  ///
  /// - Complexity: O(characters of the text).
  public init(_ text: String, cursor: Int) {
    self.text = text
    self.cursor = min(max(0, cursor), text.count)
  }

  /// Whether the text is empty.
  public var isEmpty: Bool { text.isEmpty }

  /// The text before the cursor.
  ///
  /// - Complexity: O(cursor).
  public var textBeforeCursor: Substring { text.prefix(cursor) }

  /// Applies an edit.
  ///
  /// Inserted text may join with its neighbours into one character; the cursor is then after that
  /// character.
  ///
  /// - Complexity: O(characters of the text and of the inserted text).
  public mutating func apply(_ edit: TextEdit) {
    switch edit {
    case .insert(let inserted): replace(before: 0, after: 0, with: inserted)
    case .deleteBackward(let count): replace(before: max(0, Int(clamping: count)), after: 0)
    case .deleteForward(let count): replace(before: 0, after: max(0, Int(clamping: count)))
    case .moveLeft: cursor = max(0, cursor - 1)
    case .moveRight: cursor = min(text.count, cursor + 1)
    case .moveToStart: cursor = 0
    case .moveToEnd: cursor = text.count
    }
  }

  private mutating func replace(before: Int, after: Int, with inserted: String = "") {
    let place = text.index(text.startIndex, offsetBy: cursor)
    let start =
      text.index(place, offsetBy: -before, limitedBy: text.startIndex) ?? text.startIndex
    let end = text.index(place, offsetBy: after, limitedBy: text.endIndex) ?? text.endIndex
    let kept = String(text[..<start]) + inserted
    let rest = text[end...]
    text = kept + rest
    cursor = min(kept.count, text.count)
  }
}

/// An edit of a ``TextField``: the change, not the result.
public enum TextEdit: Hashable, Sendable {
  /// Inserts text at the cursor, which moves after it.
  case insert(String)
  /// Deletes a number of characters before the cursor.
  case deleteBackward(Int64)
  /// Deletes a number of characters after the cursor.
  case deleteForward(Int64)
  /// Moves the cursor one character to the left.
  case moveLeft
  /// Moves the cursor one character to the right.
  case moveRight
  /// Moves the cursor before the first character.
  case moveToStart
  /// Moves the cursor after the last character.
  case moveToEnd
}
