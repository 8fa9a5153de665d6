import SwiftSyntax

/// What a comment after a declaration says of the log.
///
/// `// recorded: NAME` keeps a name whatever the code calls it; `// recorded: was NAME` renames it
/// in the log too, and what was recorded under the former name is still read. Several former names
/// are separated by commas. `no default` leaves a default out of the schema, `constant default`
/// vouches that it is the same in every process. Semicolons separate what a comment says.
struct RecordedComment {
  /// What becomes of the default of a property or payload.
  enum DefaultRule {
    /// It goes to the schema, if it is known to be a constant.
    case known
    case constant
    case omitted
  }

  /// The name that the log keeps, if the comment gives one.
  var name: String?
  /// The names that it had before.
  var former: [String] = []
  /// What becomes of the default.
  var defaultRule = DefaultRule.known

  /// The comment of a text that begins with two slashes, if it is one.
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
      case ("was", let text):
        former += text.dropFirst("was".count).split(
          separator: ",", omittingEmptySubsequences: false
        ).map { $0.split(separator: " ").joined(separator: " ") }
      // A second name makes a text that is none.
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

/// The `recorded:` comments of one file, and which of them a declaration has taken.
final class RecordedComments {
  private var taken: Set<AbsolutePosition> = []

  /// Takes the comment after a token, up to the end of its line.
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

  /// Takes the comment after the last token of a declaration and the comma or semicolon there.
  func take(after node: some SyntaxProtocol) -> RecordedComment? {
    guard let last = node.lastToken(viewMode: .sourceAccurate) else { return nil }
    if let comment = take(after: last) { return comment }
    guard let next = last.nextToken(viewMode: .sourceAccurate), next.text == "," || next.text == ";"
    else { return nil }
    return take(after: next)
  }

  /// The positions of comments that look like `recorded:` and that nothing has taken.
  ///
  /// - Parameter ranges: Where nothing is looked for.
  func leftOver(
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
            found += Self.attempts(in: piece).map { position + $0 }
          }
          position += piece.sourceLength
        }
        position = next
      }
    }
    return found
  }

  /// Where in a comment lines begin that look like `recorded:`.
  private static func attempts(in piece: TriviaPiece) -> [SourceLength] {
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
      if isAttempt(line, isDocumentation: isDocumentation) {
        found.append(SourceLength(utf8Length: offset))
      }
      offset += line.utf8.count + 1
    }
    return found
  }

  /// Whether a line of a comment is meant as `recorded:`, also with another spelling.
  ///
  /// In the prose of documentation only a line that begins so is.
  private static func isAttempt(_ line: Substring, isDocumentation: Bool) -> Bool {
    let text = line.drop { $0 == "/" || $0 == "*" || $0 == "!" || $0.isWhitespace }.lowercased()
    if text.prefixMatch(of: /recorded\s*:/) != nil { return true }
    if isDocumentation { return false }
    if text.contains(/\brecorded\s*:/) || text.wholeMatch(of: /recorded\s+was\s+\w+\s*/) != nil {
      return true
    }
    guard let word = text.prefixMatch(of: /(r[a-z]+)\s*:/) else { return false }
    return distance(Array(word.output.1.utf8), Array("recorded".utf8)) <= 2
  }

  /// The letters to insert, remove or replace to get from one word to the other.
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
