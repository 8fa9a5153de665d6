import RetraceScreen

/// A line of text with a cursor that counts characters: the model that drafts are compared with.
struct TextField: Hashable {
  /// The text.
  private(set) var text: String
  /// The number of characters before the cursor, from 0 to the length of the text.
  private(set) var cursor: Int

  /// Makes a field with the cursor at the end of the text.
  init(_ text: String = "") {
    self.text = text
    cursor = text.count
  }

  /// Makes a field; a cursor outside the text is moved to the nearest end.
  init(_ text: String, cursor: Int) {
    self.text = text
    self.cursor = min(max(0, cursor), text.count)
  }

  /// The text before the cursor.
  var textBeforeCursor: Substring { text.prefix(cursor) }

  /// Applies an edit.
  ///
  /// Inserted text may join with its neighbours into one character; the cursor is then after that
  /// character.
  mutating func apply(_ edit: TextEdit) {
    switch edit {
    case .insert(let inserted): replace(before: 0, after: 0, with: inserted)
    case .deleteBackward(let count): replace(before: max(0, Int(clamping: count)), after: 0)
    case .deleteForward(let count): replace(before: 0, after: max(0, Int(clamping: count)))
    case .deleteWordBackward: replace(before: cursor - wordStart, after: 0)
    case .deleteWordForward: replace(before: 0, after: wordEnd - cursor)
    case .moveWordLeft: cursor = wordStart
    case .moveWordRight: cursor = wordEnd
    case .moveLeft: cursor = max(0, cursor - 1)
    case .moveRight: cursor = min(text.count, cursor + 1)
    case .moveToStart: cursor = 0
    case .moveToEnd: cursor = text.count
    }
  }

  /// The number of characters before the word before the cursor.
  private var wordStart: Int {
    let characters = Array(text)
    var place = cursor
    while place > 0, characters[place - 1] == " " { place -= 1 }
    while place > 0, characters[place - 1] != " " { place -= 1 }
    return place
  }

  /// The number of characters up to the end of the word after the cursor.
  private var wordEnd: Int {
    let characters = Array(text)
    var place = cursor
    while place < characters.count, characters[place] == " " { place += 1 }
    while place < characters.count, characters[place] != " " { place += 1 }
    return place
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
