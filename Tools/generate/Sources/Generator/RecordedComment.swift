import SwiftSyntax

/// Reads what a comment after a declaration says of the name in the log.
///
/// `// recorded: NAME` keeps a name whatever the code calls it; `// recorded: was NAME` renames it
/// in the log too, and what was recorded under the former name is still read. Several former names
/// are separated by commas.
struct RecordedComment {
  /// The name that the log keeps, if the comment gives one.
  var name: String?
  /// The names that it had before.
  var former: [String] = []

  /// The comment in trivia, if there is one.
  init?(in trivia: Trivia) {
    for piece in trivia {
      guard case .lineComment(let text) = piece else { continue }
      var words = text.dropFirst(2).split(separator: " ")
      guard words.first == "recorded:" else { continue }
      words.removeFirst()
      guard words.first == "was" else {
        name = words.joined(separator: " ")
        return
      }
      former = words.dropFirst().joined(separator: " ").split(
        separator: ",", omittingEmptySubsequences: false
      ).map { $0.split(separator: " ").joined(separator: " ") }
      return
    }
    return nil
  }

  /// The comment at a declaration's end, up to the end of its line.
  init?(after node: some SyntaxProtocol) {
    if let comment = RecordedComment(in: node.trailingTrivia) {
      self = comment
      return
    }
    guard
      let next = node.lastToken(viewMode: .sourceAccurate)?.nextToken(viewMode: .sourceAccurate),
      next.text == "," || next.text == ";"
    else { return nil }
    self.init(in: next.trailingTrivia)
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
