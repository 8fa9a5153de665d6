/// The part of a description that is being typed, and what it asks for.
///
/// - `@` and `#` at the start of the text or after a blank ask for a project or a tag: with the
///   words from there to the cursor. The last sign before the cursor counts. Within a word, as in
///   `C#` or `a@b.c`, and before a blank, a sign is plain text.
/// - A line break or two blanks in a row end a token, because names have single blanks.
/// - Everything else asks for entries that have all words of the text.
///
/// A token of a recorded entry means something only if one of its suggestions is accepted. So its
/// description may contain `#12` or `@anna`, and keeps it through every edit. What the text of a
/// new entry means is read by ``EntryWords``.
public struct AutocompleteToken: Hashable, Sendable {
  /// What is asked for.
  public enum Kind: Hashable, Sendable {
    case entry
    case project
    case tag
  }

  /// What is asked for.
  public var kind: Kind
  /// The words, without the sign.
  public var query: String
  /// The UTF-8 offsets of what an accepted suggestion takes out of the text: the sign and the words
  /// up to the cursor, or all of the text.
  public var range: Range<Int>

  /// Finds the token at a cursor.
  ///
  /// - Parameters:
  ///   - text: The description.
  ///   - cursor: The UTF-8 offset of the cursor; one outside the text or within a character is
  ///     moved to the nearest one before.
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
      let isSign = bytes[start] == UInt8(ascii: "@") || bytes[start] == UInt8(ascii: "#")
      guard isSign, start == 0 || Self.isBlank(bytes[start - 1]) else { continue }
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

  /// Returns a text without the token, and the UTF-8 offset of the cursor after that.
  ///
  /// One of two blanks that come together is removed too.
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

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d
  }
}
