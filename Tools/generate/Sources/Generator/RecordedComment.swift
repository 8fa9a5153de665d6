import SwiftSyntax

/// A comment after a declaration that controls how the declaration is recorded.
///
/// `// recorded: NAME` sets the name in the log, whatever the name in the code.
/// `// recorded: was NAME` gives a former name: the log uses the name in the code, and data
/// recorded under the former name can still be read. Several former names are separated by commas.
/// `no default` omits the default from the schema. `constant default` asserts that the default is
/// the same in every process. `default .CASE` sets another default for the schema than the code
/// has. Semicolons separate the parts of a comment.
struct RecordedComment {
  /// The rule for the default of a property or payload.
  enum DefaultRule: Equatable {
    /// It is part of the schema if it is known to be a constant.
    case inferred
    case constant
    case omitted
    /// The case of an enum with this name is the default of the schema.
    case named(String)
  }

  /// The name that the log keeps, if the comment gives one.
  var name: String?
  /// The names that it had before.
  var former: [String] = []
  var defaultRule = DefaultRule.inferred

  /// Parses a line comment; `nil` if it is not a `recorded:` comment.
  init?(_ text: String) {
    var words = text.dropFirst(2).split(separator: " ")
    guard words.first == "recorded:" else { return nil }
    words.removeFirst()
    let clauses = words.joined(separator: " ").split(
      separator: ";", omittingEmptySubsequences: false)
    for clause in clauses {
      let words = clause.split(separator: " ")
      switch (words.first, words.joined(separator: " ")) {
      case (_, "no default"): defaultRule = .omitted
      case (_, "constant default"): defaultRule = .constant
      case ("default", _) where words.count == 2 && words[1].hasPrefix("."):
        defaultRule = .named(String(words[1].dropFirst()))
      case ("was", let text):
        former += text.dropFirst("was".count).split(
          separator: ",", omittingEmptySubsequences: false
        ).map { $0.split(separator: " ").joined(separator: " ") }
      // Two names are joined, which gives an invalid name that is refused later.
      case (_, let text): name = name.map { "\($0); \(text)" } ?? text
      }
    }
  }

  /// Whether a text can be a name in Avro.
  static func isName(_ text: String) -> Bool {
    func letter(_ byte: UInt8) -> Bool {
      byte == 0x5f || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
    }
    guard let first = text.utf8.first, letter(first) else { return false }
    return text.utf8.allSatisfy { letter($0) || (0x30...0x39).contains($0) }
  }
}

/// The `recorded:` comments of one file, and the positions of those that belong to a declaration.
final class RecordedComments {
  private var taken: Set<AbsolutePosition> = []

  /// Returns the comment after a token, up to the end of its line, and marks it as taken.
  func take(after token: TokenSyntax) -> RecordedComment? {
    var position = token.endPositionBeforeTrailingTrivia
    for piece in token.trailingTrivia {
      if case .lineComment(let text) = piece, let comment = RecordedComment(text) {
        taken.insert(position)
        return comment
      }
      position += piece.sourceLength
    }
    return nil
  }

  /// Returns the comment after a declaration's last token, or after a comma or semicolon that
  /// follows.
  func take(after node: some SyntaxProtocol) -> RecordedComment? {
    guard let last = node.lastToken(viewMode: .sourceAccurate) else { return nil }
    if let comment = take(after: last) { return comment }
    guard let next = last.nextToken(viewMode: .sourceAccurate), next.text == "," || next.text == ";"
    else { return nil }
    return take(after: next)
  }

  /// Returns the positions of comments that look like `recorded:` but are not taken.
  ///
  /// - Parameter ranges: The ranges to ignore.
  func unusedComments(
    in tree: SourceFileSyntax, outside ranges: [Range<AbsolutePosition>]
  ) -> [AbsolutePosition] {
    var found: [AbsolutePosition] = []
    for token in tree.tokens(viewMode: .sourceAccurate) {
      var position = token.position
      for (trivia, next) in [
        (token.leadingTrivia, token.endPositionBeforeTrailingTrivia),
        (token.trailingTrivia, token.endPosition),
      ] {
        for piece in trivia {
          if !taken.contains(position), !ranges.contains(where: { $0.contains(position) }) {
            found += Self.candidates(in: piece).map { position + $0 }
          }
          position += piece.sourceLength
        }
        position = next
      }
    }
    return found
  }

  /// Returns the offsets of the lines in a comment that look like `recorded:`.
  private static func candidates(in piece: TriviaPiece) -> [SourceLength] {
    let (text, isDocumentation): (String, Bool)
    switch piece {
    case .lineComment(let comment), .blockComment(let comment):
      (text, isDocumentation) = (comment, false)
    case .docLineComment(let comment), .docBlockComment(let comment):
      (text, isDocumentation) = (comment, true)
    default: return []
    }
    var found: [SourceLength] = []
    var offset = 0
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if isCandidate(line, isDocumentation: isDocumentation) {
        found.append(SourceLength(utf8Length: offset))
      }
      offset += line.utf8.count + 1
    }
    return found
  }

  /// Whether a line of a comment is meant as `recorded:`, even if it is misspelled.
  ///
  /// In a documentation comment, only a line that begins with `recorded:` counts, because prose may
  /// contain the word.
  private static func isCandidate(_ line: Substring, isDocumentation: Bool) -> Bool {
    let text = line.drop { $0 == "/" || $0 == "*" || $0 == "!" || $0.isWhitespace }.lowercased()
    if text.prefixMatch(of: /recorded\s*:/) != nil { return true }
    if isDocumentation { return false }
    if text.contains(/\brecorded\s*:/) || text.wholeMatch(of: /recorded\s+was\s+\w+\s*/) != nil {
      return true
    }
    guard let word = text.prefixMatch(of: /(r[a-z]+)\s*:/) else { return false }
    return isMisspelling(word.output.1.utf8)
  }

  /// Whether a word in lower case is `recorded` with at most two mistakes.
  private static func isMisspelling(_ word: some Sequence<UInt8>) -> Bool {
    distance(Array(word), Array("recorded".utf8)) <= 2
  }

  /// Whether a text may contain a comment that `unusedComments` finds; parses nothing.
  static func mayOccur(in text: String) -> Bool {
    let text = text.lowercased()
    let bytes = Array(text.utf8)
    for colon in bytes.indices where bytes[colon] == UInt8(ascii: ":") {
      var end = colon
      while end > 0, [0x20, 0x09].contains(bytes[end - 1]) { end -= 1 }
      var start = end
      while start > 0, (0x61...0x7a).contains(bytes[start - 1]) { start -= 1 }
      // The word may have up to two letters too few or too many.
      if (6...10).contains(end - start), isMisspelling(bytes[start..<end]) { return true }
    }
    return text.contains("recorded") && text.contains(/recorded\s+was\s/)
  }

  /// Returns the edit distance between two words.
  private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var row = Array(0...right.count)
    for (index, letter) in left.enumerated() {
      var above = row[0]
      row[0] = index + 1
      for (column, other) in right.enumerated() {
        let diagonal = above
        above = row[column + 1]
        row[column + 1] = min(row[column], above) + 1
        row[column + 1] = min(row[column + 1], diagonal + (letter == other ? 0 : 1))
      }
    }
    return row[right.count]
  }
}
