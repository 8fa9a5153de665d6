/// The words of a line, separated and quoted as in a shell, without any expansion.
///
/// Spaces and tabs separate words. In single quotes, all characters are literal. Outside quotes, a
/// backslash makes the next character literal. In double quotes, it does so only before a double
/// quote, a backslash, a dollar sign or a backquote. In `$'…'`, the escapes are `\n`, `\t`, `\'`,
/// `\\` and a backslash with three octal digits, which is a byte of UTF-8.
public struct CommandWords: Hashable, Sendable {
  /// A reason why a line cannot be split.
  public enum Failure: Error, Hashable, Sendable {
    /// A quote is opened and not closed.
    case openQuote
    /// The line ends in a backslash.
    case trailingBackslash
    /// An escape in `$'…'` is unknown, or its bytes are not UTF-8.
    case unknownEscape
  }

  /// The words, without quotes.
  public private(set) var words: [String] = []

  /// Splits a line.
  ///
  /// - Complexity: O(bytes).
  /// - Throws: `Failure` if the line ends within a quote or after a backslash, or if an escape is
  ///   unknown.
  public init(_ line: String) throws(Failure) {
    var word: String?
    var rest = Substring(line).unicodeScalars
    func take() -> Unicode.Scalar? { rest.popFirst() }
    while let scalar = take() {
      switch scalar {
      case " ", "\t":
        if let ended = word { words.append(ended) }
        word = nil
      case "'":
        var text = word ?? ""
        while true {
          guard let next = take() else { throw .openQuote }
          if next == "'" { break }
          text.unicodeScalars.append(next)
        }
        word = text
      case "\"":
        var text = word ?? ""
        while true {
          guard var next = take() else { throw .openQuote }
          if next == "\"" { break }
          if next == "\\", let after = rest.first, "\"\\$`".unicodeScalars.contains(after) {
            next = take() ?? after
          }
          text.unicodeScalars.append(next)
        }
        word = text
      case "$" where rest.first == "'":
        rest.removeFirst()
        word = (word ?? "") + (try Self.takeEscaped(from: &rest))
      case "\\":
        guard let next = take() else { throw .trailingBackslash }
        word = (word ?? "") + String(next)
      default: word = (word ?? "") + String(scalar)
      }
    }
    if let ended = word { words.append(ended) }
  }

  /// Removes the rest of `$'…'` after the first quote from a line, and returns its text.
  private static func takeEscaped(
    from rest: inout Substring.UnicodeScalarView
  ) throws(Failure) -> String {
    var bytes: [UInt8] = []
    while let scalar = rest.popFirst() {
      if scalar == "'" {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .unknownEscape }
        return text
      }
      guard scalar == "\\" else {
        bytes += String(scalar).utf8
        continue
      }
      guard let escaped = rest.popFirst() else { throw .openQuote }
      switch escaped {
      case "n": bytes.append(0x0A)
      case "t": bytes.append(0x09)
      case "'", "\\": bytes += String(escaped).utf8
      default:
        let digits = String(escaped) + String(rest.prefix(2))
        guard ("0"..."3").contains(escaped), digits.utf8.count == 3,
          let byte = UInt8(digits, radix: 8)
        else { throw .unknownEscape }
        bytes.append(byte)
        rest.removeFirst(2)
      }
    }
    throw .openQuote
  }
}
