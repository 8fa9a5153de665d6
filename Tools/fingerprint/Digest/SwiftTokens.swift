/// The tokens of a Swift file, as far as ``RecordedDeclarations`` needs them.
///
/// A string literal is one token. Comments are left out, but for `// recorded:`.
enum SwiftTokens {
  /// A token.
  struct Token {
    /// The text.
    var text: String
    /// Whether it is the first token of its line.
    var startsLine: Bool
  }

  /// Returns the tokens of a file.
  ///
  /// - Complexity: O(bytes).
  static func read(_ source: [UInt8]) -> [Token] {
    var reader = Reader(bytes: source)
    while reader.readToken() {}
    return reader.tokens
  }

  private struct Reader {
    let bytes: [UInt8]
    var position = 0
    var tokens: [Token] = []
    private var startsLine = true

    init(bytes: [UInt8]) { self.bytes = bytes }

    private func byte(_ offset: Int = 0) -> UInt8 {
      position + offset < bytes.count ? bytes[position + offset] : 0
    }

    private func text(from start: Int) -> String {
      String(decoding: bytes[start..<min(position, bytes.count)], as: UTF8.self)
    }

    private mutating func append(from start: Int) {
      tokens.append(Token(text: text(from: start), startsLine: startsLine))
      startsLine = false
    }

    /// Reads up to the end of the next token; returns `false` at the end of the file.
    mutating func readToken() -> Bool {
      guard position < bytes.count else { return false }
      let start = position
      switch byte() {
      case UInt8(ascii: "\n"):
        startsLine = true
        position += 1
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): position += 1
      case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "/"): readLineComment()
      case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "*"): skipBlockComment()
      case UInt8(ascii: "\""): readString(hashes: 0, from: start)
      case UInt8(ascii: "#"):
        while byte() == UInt8(ascii: "#") { position += 1 }
        if byte() == UInt8(ascii: "\"") {
          readString(hashes: position - start, from: start)
        } else {
          append(from: start)
        }
      case let first where Self.isPart(first):
        while Self.isPart(byte()) { position += 1 }
        append(from: start)
      default:
        position += 1
        append(from: start)
      }
      return true
    }

    private static func isPart(_ byte: UInt8) -> Bool {
      byte == UInt8(ascii: "_") || byte >= 0x80
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private mutating func readLineComment() {
      let start = position
      while position < bytes.count, byte() != UInt8(ascii: "\n") { position += 1 }
      let words = text(from: start).split(separator: " ").joined(separator: " ")
      guard words.hasPrefix("// recorded:") else { return }
      tokens.append(Token(text: words, startsLine: startsLine))
      startsLine = false
    }

    private mutating func skipBlockComment() {
      var depth = 0
      repeat {
        if byte() == UInt8(ascii: "/"), byte(1) == UInt8(ascii: "*") {
          (depth, position) = (depth + 1, position + 2)
        } else if byte() == UInt8(ascii: "*"), byte(1) == UInt8(ascii: "/") {
          (depth, position) = (depth - 1, position + 2)
        } else {
          position += 1
        }
      } while depth > 0 && position < bytes.count
    }

    /// Reads a string literal, with the literals in its interpolations.
    private mutating func readString(hashes: Int, from start: Int) {
      let quote = UInt8(ascii: "\"")
      let isLong = byte(1) == quote && byte(2) == quote
      let quotes = isLong ? 3 : 1
      position += quotes
      while position < bytes.count {
        if byte() == UInt8(ascii: "\\"), hasHashes(hashes, at: 1) {
          position += 1 + hashes
          if byte() == UInt8(ascii: "(") { skipInterpolation() } else { position += 1 }
        } else if (0..<quotes).allSatisfy({ byte($0) == quote }), hasHashes(hashes, at: quotes) {
          position += quotes + hashes
          break
        } else if byte() == UInt8(ascii: "\n"), !isLong {
          break
        } else {
          position += 1
        }
      }
      append(from: start)
    }

    private func hasHashes(_ count: Int, at offset: Int) -> Bool {
      (0..<count).allSatisfy { byte(offset + $0) == UInt8(ascii: "#") }
    }

    private mutating func skipInterpolation() {
      let (count, started) = (tokens.count, startsLine)
      var depth = 0
      repeat {
        if byte() == UInt8(ascii: "(") { depth += 1 }
        if byte() == UInt8(ascii: ")") { depth -= 1 }
        guard depth > 0 else {
          position += 1
          break
        }
        if !readToken() { break }
      } while depth > 0
      tokens.removeSubrange(count...)
      startsLine = started
    }
  }
}
