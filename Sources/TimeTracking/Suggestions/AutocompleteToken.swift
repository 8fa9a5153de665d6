/// The part of a description that is being typed, and the kind of suggestions for it.
///
/// - `@` and `#` at the start of the text or after whitespace ask for a project or a tag, by the
///   words up to the cursor. The last sign before the cursor counts. Within a word, as in `C#` or
///   `a@b.c`, and before whitespace, a sign is plain text. `+` is like `#`, but only with a
///   character after it that is no digit.
/// - A line break or two spaces end a token, because names have single spaces.
/// - Any other text asks for entries with all its words.
///
/// In a recorded entry, a token has a meaning only if one of its suggestions is accepted. So a
/// description may contain `#12` or `@anna` and keeps it through every edit. ``EntryWords`` reads
/// the text of a new entry.
public struct AutocompleteToken: Hashable, Sendable {
  /// The kind of suggestions.
  public enum Kind: Hashable, Sendable {
    case entry
    case project
    case tag
  }

  /// The kind of suggestions.
  public var kind: Kind
  /// The words, without the sign.
  public var query: String
  /// The UTF-8 offsets of the text that an accepted suggestion replaces: the sign and the words up
  /// to the cursor, or the whole text.
  public var range: Range<Int>

  /// Creates the token of a text that is a name as a whole.
  package init(_ kind: Kind, named query: String) {
    (self.kind, self.query, range) = (kind, query, 0..<query.utf8.count)
  }

  /// Finds the token at a cursor.
  ///
  /// - Parameters:
  ///   - text: The description.
  ///   - cursor: The UTF-8 offset of the cursor. It is clamped to the text, and moved back to the
  ///     start of a scalar.
  /// - Complexity: O(bytes).
  public init(in text: String, at cursor: Int) {
    let bytes = Array(text.utf8)
    var end = min(max(0, cursor), bytes.count)
    while end > 0, end < bytes.count, bytes[end] & 0xc0 == 0x80 { end -= 1 }
    var start = end
    while start > 0 {
      start -= 1
      if bytes[start] == 0x0a || bytes[start] == 0x0d { break }
      if start + 1 < end, Self.isBlank(bytes[start]), Self.isBlank(bytes[start + 1]) { break }
      guard Self.isSign(bytes[start..<end]), start == 0 || Self.isBlank(bytes[start - 1]) else {
        continue
      }
      if start + 1 < bytes.count, start + 1 < end, Self.isBlank(bytes[start + 1]) { continue }
      kind = bytes[start] == UInt8(ascii: "@") ? .project : .tag
      query = String(decoding: bytes[(start + 1)..<end], as: UTF8.self)
      range = start..<end
      return
    }
    kind = .entry
    query = text
    range = 0..<bytes.count
  }

  /// Returns a text without the token, and the new UTF-8 offset of the cursor.
  ///
  /// If the token stands between two spaces, one of them is removed too.
  ///
  /// - Parameter text: The text in which the token was found.
  /// - Complexity: O(bytes).
  public func removed(from text: String) -> (text: String, cursor: Int) {
    let bytes = Array(text.utf8)
    let range = range.clamped(to: 0..<bytes.count)
    var before = bytes[..<range.lowerBound]
    let after = bytes[range.upperBound...]
    if let last = before.last, Self.isBlank(last), after.first.map(Self.isBlank) ?? true {
      before.removeLast()
    }
    return (String(decoding: before + after, as: UTF8.self), before.count)
  }

  /// Returns whether text begins with a sign.
  private static func isSign(_ text: ArraySlice<UInt8>) -> Bool {
    switch text.first {
    case UInt8(ascii: "@"), UInt8(ascii: "#"): true
    case UInt8(ascii: "+"):
      text.dropFirst().first.map { !isBlank($0) && !EntryWords.isDigit($0) } ?? false
    default: false
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d
  }
}
