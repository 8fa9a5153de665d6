/// What a person is typing into one line: a text, and a cursor between its characters.
///
/// Every edit is defined at every cursor. Positions count characters (extended grapheme clusters),
/// so the cursor never stands inside one.
public struct TextField: Hashable, Sendable {
  /// The text.
  public private(set) var text: String
  /// How many characters are before the cursor, from 0 to the number of characters.
  public private(set) var cursor: Int

  /// Makes a field with the cursor behind the text.
  ///
  /// - Complexity: O(characters of the text).
  public init(_ text: String = "") {
    self.text = text
    cursor = text.count
  }

  /// Makes a field; a cursor beyond the text is put at its nearest end.
  ///
  /// - Complexity: O(characters of the text).
  public init(_ text: String, cursor: Int) {
    self.text = text
    self.cursor = min(max(0, cursor), text.count)
  }

  /// Whether there is no text.
  public var isEmpty: Bool { text.isEmpty }

  /// The text before the cursor.
  ///
  /// - Complexity: O(cursor).
  public var textBeforeCursor: Substring { text.prefix(cursor) }

  /// Does one edit.
  ///
  /// What is inserted may join with its neighbours into one character; the cursor is then put
  /// behind that character.
  ///
  /// - Complexity: O(characters of the text, and of what is inserted).
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

/// One edit of a ``TextField``: what changes, not what results.
public enum TextEdit: Hashable, Sendable {
  /// Text comes in at the cursor, which moves behind it.
  case insert(String)
  /// So many characters before the cursor go away.
  case deleteBackward(Int64)
  /// So many characters behind the cursor go away.
  case deleteForward(Int64)
  /// The cursor moves before the character on its left.
  case moveLeft
  /// The cursor moves behind the character on its right.
  case moveRight
  /// The cursor moves before the first character.
  case moveToStart
  /// The cursor moves behind the last character.
  case moveToEnd
}
