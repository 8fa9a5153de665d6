import Synchronization

/// Swift source with its comments and the contents of its strings blanked out, line by line.
///
/// Code inside an interpolation stays.
struct SwiftCode {
  /// The lines; each has the length in scalars that it has in the source.
  let lines: [String]

  private static let known = Mutex<[String: SwiftCode]>([:])

  /// Looks a source up that another rule may have read already, or reads it.
  static func of(_ source: String) -> SwiftCode {
    known.withLock { known in
      if let code = known[source] { return code }
      let code = SwiftCode(source)
      known[source] = code
      return code
    }
  }

  init(_ source: String) {
    var scanner = Scanner(source)
    scanner.scanCode(untilParenthesis: false)
    lines = String(scanner.output).split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init)
  }

  /// The lines on which a word stands, from 1.
  func lines(withWord word: String) -> [Int] {
    lines.indices.filter { SwiftCode.words(of: lines[$0]).contains(word[...]) }.map { $0 + 1 }
  }

  /// The lines on which a text stands anywhere, from 1.
  func lines(with text: String) -> [Int] {
    lines.indices.filter { lines[$0].contains(text) }.map { $0 + 1 }
  }

  /// The modules that the file imports, with their lines.
  var imports: [(module: String, line: Int)] {
    lines.indices.compactMap { index in
      let words = SwiftCode.words(of: lines[index])
      guard let keyword = words.firstIndex(of: "import"), keyword + 1 < words.count,
        words[..<keyword].allSatisfy({ SwiftCode.importModifiers.contains(String($0)) })
      else { return nil }
      // `import struct Module.Name` names the kind of the declaration first.
      let kinds: Set<Substring> = [
        "struct", "class", "enum", "protocol", "func", "var", "let", "typealias",
      ]
      let first = keyword + 1
      let module = kinds.contains(words[first]) && first + 1 < words.count ? first + 1 : first
      return (String(words[module]), index + 1)
    }
  }

  /// The functions, initializers and computed bodies with a `func` or `init` word, with their
  /// length.
  var functions: [(name: String, line: Int, length: Int)] {
    var found: [(String, Int, Int)] = []
    for (index, line) in lines.enumerated() {
      let words = SwiftCode.words(of: line)
      guard let word = words.firstIndex(where: { $0 == "func" || $0 == "init" }) else { continue }
      let isCall = words[word] == "init" && (line.contains(".init") || line.contains("= init"))
      guard !isCall, let end = bodyEnd(from: index) else { continue }
      let name = words[word] == "func" && word + 1 < words.count ? words[word + 1] : "init"
      found.append((String(name), index + 1, end - index + 1))
    }
    return found
  }

  /// The line of the brace that closes the first body that opens at or after a line.
  private func bodyEnd(from start: Int) -> Int? {
    var depth = 0
    for index in start..<lines.count {
      for scalar in lines[index].unicodeScalars {
        if scalar == "{" { depth += 1 }
        if scalar == "}" {
          depth -= 1
          if depth == 0 { return index }
          // The closing brace of an enclosing body: the declaration had none.
          if depth < 0 { return nil }
        }
      }
      // A requirement of a protocol ends with its line.
      if depth == 0, index > start + 12 { return nil }
    }
    return nil
  }

  static func words(of line: String) -> [Substring] {
    line.split { !($0.isLetter || $0.isNumber || $0 == "_") }
  }

  private static let importModifiers: Set<String> = [
    "public", "package", "internal", "fileprivate", "private", "testable", "_exported",
    "preconcurrency", "_spi", "unsafe",
  ]
}

private struct Scanner {
  private let source: [Unicode.Scalar]
  private var position = 0
  private(set) var output = String.UnicodeScalarView()

  init(_ source: String) { self.source = Array(source.unicodeScalars) }

  private func starts(_ text: String) -> Bool {
    var index = position
    for scalar in text.unicodeScalars {
      guard index < source.count, source[index] == scalar else { return false }
      index += 1
    }
    return true
  }

  private mutating func keep(_ count: Int = 1) {
    for _ in 0..<count where position < source.count {
      output.append(source[position])
      position += 1
    }
  }

  private mutating func blank(_ count: Int = 1) {
    for _ in 0..<count where position < source.count {
      output.append(source[position] == "\n" ? "\n" : " ")
      position += 1
    }
  }

  mutating func scanCode(untilParenthesis: Bool) {
    var depth = 0
    while position < source.count {
      if starts("//") {
        while position < source.count, source[position] != "\n" { blank() }
      } else if starts("/*") {
        scanBlockComment()
      } else if let hashes = hashesBeforeQuote() {
        scanString(hashes: hashes)
      } else {
        if source[position] == "(" { depth += 1 }
        if source[position] == ")" {
          depth -= 1
          if untilParenthesis, depth < 0 { return }
        }
        keep()
      }
    }
  }

  private mutating func scanBlockComment() {
    var depth = 0
    repeat {
      if starts("/*") {
        depth += 1
        blank(2)
      } else if starts("*/") {
        depth -= 1
        blank(2)
      } else {
        blank()
      }
    } while depth > 0 && position < source.count
  }

  private func hashesBeforeQuote() -> Int? {
    var count = 0
    while position + count < source.count, source[position + count] == "#" { count += 1 }
    guard position + count < source.count, source[position + count] == "\"" else { return nil }
    return count
  }

  private mutating func scanString(hashes: Int) {
    blank(hashes)
    let marks = String(repeating: "#", count: hashes)
    let quote = starts("\"\"\"") ? "\"\"\"" : "\""
    blank(quote.count)
    while position < source.count {
      if starts(quote + marks) {
        blank(quote.count + hashes)
        return
      }
      if starts("\\" + marks + "(") {
        blank(2 + hashes)
        scanCode(untilParenthesis: true)
        blank()
      } else if starts("\\" + marks) {
        blank(2 + hashes)
      } else if source[position] == "\n", quote == "\"" {
        return
      } else {
        blank()
      }
    }
  }
}
