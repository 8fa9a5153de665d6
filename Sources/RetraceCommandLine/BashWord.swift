/// A word on a command line of bash as it was typed, perhaps with an open quote.
///
/// bash hands the words of a line to a completion with their quotes and inserts what the completion
/// returns without quoting it.
public struct BashWord: Hashable, Sendable {
  private enum Quote: Hashable {
    case none
    case single
    case double
  }

  /// The text that the word stands for.
  public let text: String
  /// The word with its quotes.
  private let typed: String
  /// The quote that is open at the end of the word.
  private let quote: Quote
  /// The number of quotes that the word opens.
  private let quotes: Int

  /// Reads a word.
  ///
  /// - Returns: `nil` if only bash can tell the text: the word has a variable or a command
  ///   substitution, or ends within an escape.
  /// - Complexity: O(bytes).
  public init?(_ typed: String) {
    var text: [UInt8] = []
    var quote = Quote.none
    var quotes = 0
    var bytes = typed.utf8[...]
    while let byte = bytes.popFirst() {
      switch (byte, quote) {
      case (UInt8(ascii: "'"), .none): (quote, quotes) = (.single, quotes + 1)
      case (UInt8(ascii: "'"), .single): quote = .none
      case (_, .single): text.append(byte)
      case (UInt8(ascii: "\""), .none): (quote, quotes) = (.double, quotes + 1)
      case (UInt8(ascii: "\""), .double): quote = .none
      case (UInt8(ascii: "$"), _), (UInt8(ascii: "`"), _): return nil
      case (UInt8(ascii: "\\"), .none):
        guard let next = bytes.popFirst() else { return nil }
        text.append(next)
      case (UInt8(ascii: "\\"), .double):
        guard let next = bytes.popFirst() else { return nil }
        if !"$`\"\\".utf8.contains(next) { text.append(byte) }
        text.append(next)
      default: text.append(byte)
      }
    }
    self.text = String(decoding: text, as: UTF8.self)
    self.typed = typed
    self.quote = quote
    self.quotes = quotes
  }

  /// Returns the completed word as it is typed; an open quote stays open.
  ///
  /// The typed text stays as it is if the candidate begins with it.
  ///
  /// - Parameter candidate: The text that the word shall stand for.
  /// - Returns: `nil` if the candidate cannot be written after what was typed.
  /// - Complexity: O(bytes).
  public func completed(as candidate: String) -> String? {
    // bash takes an unquoted sign at the beginning of a word for a comment.
    let isComment = typed.utf8.first == UInt8(ascii: "#")
    if candidate.utf8.starts(with: text.utf8), !isComment {
      let rest = String(decoding: candidate.utf8.dropFirst(text.utf8.count), as: UTF8.self)
      return Self.escaped(rest, in: quote, isStart: typed.utf8.isEmpty).map { typed + $0 }
    }
    switch quote {
    case .none where quotes == 0: return Self.escaped(candidate, in: .none, isStart: true)
    case .single where quotes == 1 && typed.utf8.first == UInt8(ascii: "'"):
      return Self.escaped(candidate, in: .single, isStart: true).map { "'" + $0 }
    case .double where quotes == 1 && typed.utf8.first == UInt8(ascii: "\""):
      return Self.escaped(candidate, in: .double, isStart: true).map { "\"" + $0 }
    default: return nil
    }
  }

  private static func escaped(_ text: String, in quote: Quote, isStart: Bool) -> String? {
    var bytes: [UInt8] = []
    for (index, byte) in text.utf8.enumerated() {
      // A control character has no form that all quotes allow.
      guard byte >= 0x20, byte != 0x7f else { return nil }
      switch quote {
      case .none:
        let isPlain = isPlain(byte) || byte == UInt8(ascii: "~") && !(isStart && index == 0)
        if !isPlain { bytes.append(UInt8(ascii: "\\")) }
        bytes.append(byte)
      case .single:
        if byte == UInt8(ascii: "'") { bytes += "'\\'".utf8 }
        bytes.append(byte)
      case .double:
        // Within double quotes, bash expands `!` from the history. A backslash before it would
        // stay.
        if byte == UInt8(ascii: "!") { return nil }
        if "$`\"\\".utf8.contains(byte) { bytes.append(UInt8(ascii: "\\")) }
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns whether a byte needs no quotes, such as a byte of a non-ASCII character.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x80...: true
    default: "_-./:=@%+,".utf8.contains(byte)
    }
  }
}
