/// The words of a line, separated and quoted as in a shell, without any expansion.
///
/// Blanks and tabs separate words. In single quotes everything stands for itself. In double quotes,
/// and outside of quotes, a backslash makes the character after it stand for itself; in double
/// quotes only before a double quote, a backslash, a dollar sign or a backquote.
public struct CommandWords: Hashable, Sendable {
  /// The reasons for which a line cannot be split.
  public enum Failure: Error, Hashable, Sendable {
    /// A quote is opened and not closed.
    case openQuote
    /// The line ends in a backslash.
    case trailingBackslash
  }

  /// The words, without quotes.
  public private(set) var words: [String] = []

  /// Splits a line.
  ///
  /// - Complexity: O(bytes).
  /// - Throws: `Failure` if the line ends within a quote or after a backslash.
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
      case "\\":
        guard let next = take() else { throw .trailingBackslash }
        word = (word ?? "") + String(next)
      default: word = (word ?? "") + String(scalar)
      }
    }
    if let ended = word { words.append(ended) }
  }
}
