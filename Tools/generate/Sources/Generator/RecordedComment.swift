import SwiftSyntax

/// Reads `// recorded: was NAME` after a declaration: the name that the log keeps after a rename.
enum RecordedComment {
  /// The name that the trivia gives, if it gives one.
  static func name(in trivia: Trivia) -> String? {
    for piece in trivia {
      guard case .lineComment(let text) = piece else { continue }
      var words = text.dropFirst(2).split(separator: " ")
      guard words.first == "recorded:" else { continue }
      words.removeFirst()
      if words.first == "was" { words.removeFirst() }
      return words.joined(separator: " ")
    }
    return nil
  }

  /// The name that a declaration's end gives, up to the end of its line.
  static func name(after node: some SyntaxProtocol) -> String? {
    if let name = name(in: node.trailingTrivia) { return name }
    guard
      let next = node.lastToken(viewMode: .sourceAccurate)?.nextToken(viewMode: .sourceAccurate),
      next.text == "," || next.text == ";"
    else { return nil }
    return name(in: next.trailingTrivia)
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
