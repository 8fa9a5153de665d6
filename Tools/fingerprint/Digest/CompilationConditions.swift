/// Finds the names used in conditions of conditional compilation.
enum CompilationConditions {
  /// Keywords, which cannot be names in a condition.
  ///
  /// A line of prose in a comment or string may begin with `#if`; its keywords are not names.
  private static let keywords: Set<String> = [
    "true", "false", "as", "case", "catch", "class", "default", "defer", "do", "else", "enum",
    "extension", "for", "func", "guard", "if", "import", "in", "init", "is", "let", "nil",
    "protocol", "repeat", "return", "self", "Self", "static", "struct", "super", "switch", "throw",
    "throws", "try", "var", "where", "while", "Any",
  ]

  /// Returns the names in lines that begin with `#if` or `#elseif`.
  ///
  /// Conditions that depend only on the platform or the compiler, such as `os(Linux)`, are left
  /// out.
  static func names(in file: [UInt8]) -> Set<String> {
    var names: Set<String> = []
    for line in file.split(separator: UInt8(ascii: "\n")) where line.contains(UInt8(ascii: "#")) {
      let text = String(decoding: line, as: UTF8.self).drop { $0 == " " || $0 == "\t" }
      for directive in ["#if", "#elseif"] where text.hasPrefix(directive) {
        let condition = text.dropFirst(directive.count)
        // The line is not a condition if the word continues, as in `#iffy`, or if two words have
        // no operator between them.
        if condition.first.map({ isPart($0) }) == true { continue }
        names.formUnion(self.names(inCondition: condition) ?? [])
      }
    }
    return names
  }

  private static func isPart(_ character: Character) -> Bool {
    character == "_" || character.isASCII && (character.isLetter || character.isNumber)
  }

  /// Returns the names in a condition, or `nil` for other text.
  private static func names(inCondition text: Substring) -> Set<String>? {
    var rest = text
    var names: Set<String> = []
    var isAfterOperand = false
    while let first = rest.first {
      if rest.hasPrefix("//") || rest.hasPrefix("/*") { break }
      if isPart(first) {
        let word = rest.prefix(while: isPart)
        rest = rest.dropFirst(word.count)
        if isAfterOperand { return nil }
        isAfterOperand = true
        if rest.first == "(" {
          guard let end = rest.firstIndex(of: ")") else { return nil }
          rest = rest[rest.index(after: end)...]
        } else if !keywords.contains(String(word)), !first.isNumber {
          names.insert(String(word))
        }
        continue
      }
      if rest.hasPrefix("&&") || rest.hasPrefix("||") {
        isAfterOperand = false
        rest = rest.dropFirst(2)
      } else if " \t\r!()".contains(first) {
        rest = rest.dropFirst()
      } else {
        return nil
      }
    }
    return names
  }
}
