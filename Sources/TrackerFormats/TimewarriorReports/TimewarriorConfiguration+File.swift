/// A line at which the reading of a configuration file stops, as in timewarrior.
///
/// The settings before the line count, and those after it do not.
private struct UnreadableLine: Error {}

extension TimewarriorConfiguration {
  /// The maximum depth of nested imports, with the file itself.
  private static var nestingMax: Int { 10 }
  /// The names of the blocks that contain settings.
  private static let blocks = ["tags", "reports", "theme", "holidays", "exclusions"]

  /// Reads a configuration file: lines `name = value`, blocks `define name:` with indented lines
  /// below, and `import /path`.
  ///
  /// A later setting replaces an earlier one. As in timewarrior, a line of another form ends the
  /// reading of its file without an error.
  ///
  /// - Parameters:
  ///   - text: The text of the file.
  ///   - importing: Returns the text of a file by its absolute path; `nil` if it cannot be read.
  /// - Complexity: O(bytes of the files).
  public mutating func read(_ text: String, importing: (String) -> String?) {
    read(text, nesting: 1, importing)
  }

  private mutating func read(_ text: String, nesting: Int, _ importing: (String) -> String?) {
    do throws(UnreadableLine) {
      try parse(text, nesting: nesting, importing)
    } catch {
      // The settings before the line stay.
    }
  }

  private mutating func parse(
    _ text: String, nesting: Int, _ importing: (String) -> String?
  ) throws(UnreadableLine) {
    var block: [ConfigurationLine]?
    let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for bytes in lines {
      let line = ConfigurationLine(bytes.prefix { $0 != UInt8(ascii: "#") })
      guard let first = line.tokens.first else { continue }
      if let lines = block {
        guard line.indent == 0 else {
          block = lines + [line]
          continue
        }
        block = nil
        try define(lines)
      }
      if first.text == "define" {
        block = [line]
      } else if first.text == "import", line.tokens.count == 2, line.tokens[1].isPath {
        guard nesting < Self.nestingMax, let imported = importing(line.tokens[1].text) else {
          throw UnreadableLine()
        }
        read(imported, nesting: nesting + 1, importing)
      } else if let (name, value) = line.assignment {
        self[name] = value
      } else {
        throw UnreadableLine()
      }
    }
    if let block { try define(block) }
  }

  /// Reads a block.
  ///
  /// The name of a setting is joined by dots to the names of its blocks.
  private mutating func define(_ lines: [ConfigurationLine]) throws(UnreadableLine) {
    // A block without a name is ignored.
    guard lines[0].tokens.count >= 2 else { return }
    guard Self.blocks.contains(lines[0].tokens[1].text.utf8.dropLast().text) else {
      throw UnreadableLine()
    }
    var names: [String] = []
    var indents = [0]
    for line in lines {
      if line.indent > indents[indents.count - 1] {
        indents.append(line.indent)
      } else {
        while let last = indents.last, line.indent < last {
          indents.removeLast()
          _ = names.popLast()
        }
        guard indents.last == line.indent else { throw UnreadableLine() }
      }
      if let name = line.groupName { names.append(name) }
      if line.tokens.count >= 3, line.tokens[1].text == "=", let value = line.assignment?.value {
        self[(names + [line.tokens[0].text]).joined(separator: ".")] = Self.unquoted(value)
      }
    }
  }

  private static func unquoted(_ value: String) -> String {
    let bytes = value.utf8
    guard bytes.count > 1, let quote = bytes.first, quote == 0x22 || quote == 0x27,
      bytes.last == quote
    else { return value }
    return bytes.dropFirst().dropLast().text
  }
}

/// A line of a configuration file without its comment.
private struct ConfigurationLine {
  /// The number of spaces before the text.
  let indent: Int
  /// The words and signs.
  let tokens: [ConfigurationToken]
  private let bytes: [UInt8]

  init(_ line: Substring.UTF8View.SubSequence) {
    bytes = Array(line)
    indent = bytes.firstIndex { $0 != UInt8(ascii: " ") } ?? 0
    tokens = ConfigurationToken.tokens(of: bytes)
  }

  /// The name and the value of a line `name = value`; `nil` for other lines.
  var assignment: (name: String, value: String)? {
    guard tokens.count >= 2, tokens[1].text == "=",
      let equals = bytes.firstIndex(of: UInt8(ascii: "="))
    else { return nil }
    if tokens.count == 2 { return (tokens[0].text, "") }
    return (Self.trimmed(bytes[..<equals]), Self.trimmed(bytes[(equals + 1)...]))
  }

  /// The name before a colon at the end of the line, if any.
  ///
  /// A hyphen is a sign, so the name in `en-US:` is `US`, as in timewarrior.
  var groupName: String? {
    guard let last = tokens.last?.text, last.utf8.last == UInt8(ascii: ":") else { return nil }
    if tokens.count >= 2, last == ":" { return tokens[tokens.count - 2].text }
    return last == ":" ? nil : last.utf8.dropLast().text
  }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
    var bytes = bytes
    while let first = bytes.first, ConfigurationToken.isBlank(first) { bytes.removeFirst() }
    while let last = bytes.last, ConfigurationToken.isBlank(last) { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// A word, a quoted text or a sign of a line.
private struct ConfigurationToken {
  let text: String
  /// Whether it is an absolute path with at least four parts.
  ///
  /// Only such a path can be imported.
  var isPath = false

  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }

  private static func isSign(_ byte: UInt8) -> Bool { "+-*/()<>^!%=~".utf8.contains(byte) }

  static func tokens(of bytes: [UInt8]) -> [ConfigurationToken] {
    var tokens: [ConfigurationToken] = []
    var rest = bytes[...]
    while true {
      rest = rest.drop(while: isBlank)
      guard !rest.isEmpty else { return tokens }
      let length =
        quotedLength(rest) ?? dateLength(rest) ?? urlLength(rest) ?? pathLength(rest)
        ?? signLength(rest) ?? rest.prefix { !isBlank($0) && !isSign($0) }.count
      tokens.append(
        ConfigurationToken(
          text: String(decoding: rest.prefix(length), as: UTF8.self),
          isPath: quotedLength(rest) == nil && pathLength(rest) == length))
      rest = rest.dropFirst(length)
    }
  }

  /// The length of a text in quotes.
  private static func quotedLength(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard let quote = bytes.first, quote == 0x22 || quote == 0x27 else { return nil }
    var isEscaped = false
    for (index, byte) in bytes.enumerated().dropFirst() {
      if isEscaped {
        isEscaped = false
      } else if byte == 0x5c {
        isEscaped = true
      } else if byte == quote {
        return index + 1
      }
    }
    return nil
  }

  /// The length of a date such as 2026-03-02, whose hyphens are not signs.
  private static func dateLength(_ bytes: ArraySlice<UInt8>) -> Int? {
    let form = bytes.prefix(10).map { (0x30...0x39).contains($0) ? UInt8(ascii: "0") : $0 }
    guard form.elementsEqual("0000-00-00".utf8) else { return nil }
    if let next = bytes.dropFirst(10).first, !isBlank(next), !isSign(next) { return nil }
    return 10
  }

  private static func urlLength(_ bytes: ArraySlice<UInt8>) -> Int? {
    let lower = bytes.prefix(8).map { $0 | 0x20 }
    guard lower.starts(with: "http://".utf8) || lower.starts(with: "https://".utf8) else {
      return nil
    }
    return bytes.prefix { !isBlank($0) }.count
  }

  private static func pathLength(_ bytes: ArraySlice<UInt8>) -> Int? {
    let slash = UInt8(ascii: "/")
    let path = bytes.prefix { !isBlank($0) }
    guard path.first == slash, path.count(where: { $0 == slash }) > 3 else { return nil }
    let isDouble = zip(path, path.dropFirst()).contains { $0 == slash && $1 == slash }
    return isDouble ? nil : path.count
  }

  private static func signLength(_ bytes: ArraySlice<UInt8>) -> Int? {
    let signs = ["!==", "==", "!=", "<=", ">=", "||", "&&", "!~"]
    if let sign = signs.first(where: { bytes.starts(with: $0.utf8) }) { return sign.utf8.count }
    return bytes.first.map(isSign) == true ? 1 : nil
  }
}

extension Sequence<UInt8> {
  /// The bytes as text.
  fileprivate var text: String { String(decoding: Array(self), as: UTF8.self) }
}
