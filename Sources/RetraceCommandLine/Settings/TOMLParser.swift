/// A parser of a file of settings, line by line.
struct TOMLParser {
  private let bytes: [UInt8]
  private var index = 0
  private var line = 0
  /// The bytes of the line, without its end.
  private var lineBytes = 0..<0
  private var names = TOMLNames()

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func parse(into document: inout TOMLDocument) throws(TOMLError) {
    try requireUTF8()
    // Some editors write a byte order mark.
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { index = 3 }
    var table: String?
    while index < bytes.count {
      let start = index
      let end = beginLine()
      skipBlanks()
      switch next {
      case nil, TOMLText.hash: try endLine()
      case TOMLText.openBracket:
        let (name, position) = try header()
        try names.addTable(name, at: position)
        try endLine()
        table = name
        document.tables.append(.init(name: name, position: position, lineBytes: start..<end))
      default:
        let position = position
        let path = (table.map { [$0] } ?? []) + (try path())
        guard path.count <= 2 else { throw TOMLError(.unsupported, at: position) }
        guard next == TOMLText.equals else { throw error(.equalsExpected) }
        index += 1
        skipBlanks()
        let first = index
        guard next == TOMLText.quote || next == TOMLText.apostrophe else {
          throw error(.unsupported)
        }
        let value = try text()
        let valueBytes = first..<index
        try names.addSetting(path, isInTable: table != nil, at: position)
        try endLine()
        document.settings.append(
          .init(
            path: path, value: value, position: position, valueBytes: valueBytes,
            lineBytes: start..<end))
      }
      index = end
    }
  }

  /// Moves to the next line, and returns where the one after it begins.
  private mutating func beginLine() -> Int {
    let feed = bytes[index...].firstIndex(of: TOMLText.lineFeed)
    var end = feed ?? bytes.count
    if feed != nil, end > index, bytes[end - 1] == TOMLText.carriageReturn { end -= 1 }
    line += 1
    lineBytes = index..<end
    return feed.map { $0 + 1 } ?? end
  }

  private mutating func header() throws(TOMLError) -> (name: String, position: TOMLPosition) {
    index += 1
    guard next != TOMLText.openBracket else { throw error(.unsupported) }
    skipBlanks()
    let position = position
    let path = try path()
    guard next == TOMLText.closeBracket else { throw error(.unclosedTable) }
    guard path.count == 1 else { throw TOMLError(.unsupported, at: position) }
    index += 1
    return (path[0], position)
  }

  /// Reads names with dots between them, and the blanks after them.
  private mutating func path() throws(TOMLError) -> [String] {
    var path = [try key()]
    skipBlanks()
    while next == TOMLText.dot {
      index += 1
      skipBlanks()
      path.append(try key())
      skipBlanks()
    }
    return path
  }

  /// Reads one name, which may be in quotes.
  private mutating func key() throws(TOMLError) -> String {
    if next == TOMLText.quote || next == TOMLText.apostrophe { return try text() }
    let start = index
    while let byte = next, TOMLText.isBare(byte) { index += 1 }
    guard index > start else { throw error(.keyExpected) }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  private mutating func text() throws(TOMLError) -> String {
    let start = index
    let quote = bytes[index]
    index += 1
    if bytes[index..<lineBytes.upperBound].starts(with: [quote, quote]) {
      throw error(.unsupported, at: start)
    }
    var found: [UInt8] = []
    while let byte = next, byte != quote {
      try requireAllowed(byte)
      index += 1
      if byte == TOMLText.backslash, quote == TOMLText.quote {
        found += try escape(since: index - 1)
      } else {
        found.append(byte)
      }
    }
    guard next == quote else { throw error(.unclosedText, at: start) }
    index += 1
    return String(decoding: found, as: UTF8.self)
  }

  /// Reads what a backslash stands for.
  private mutating func escape(since start: Int) throws(TOMLError) -> [UInt8] {
    guard let letter = next else { throw error(.unclosedText, at: start) }
    try requireAllowed(letter)
    index += 1
    switch letter {
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "n"): return [0x0a]
    case UInt8(ascii: "f"): return [0x0c]
    case UInt8(ascii: "r"): return [0x0d]
    case TOMLText.quote, TOMLText.backslash: return [letter]
    case UInt8(ascii: "u"): return try scalar(digits: 4, since: start)
    case UInt8(ascii: "U"): return try scalar(digits: 8, since: start)
    default:
      while let byte = next, byte & 0xc0 == 0x80 { index += 1 }
      let letter = String(decoding: bytes[(start + 1)..<index], as: UTF8.self)
      throw error(.unknownEscape(letter), at: start)
    }
  }

  private mutating func scalar(digits: Int, since start: Int) throws(TOMLError) -> [UInt8] {
    let text = bytes[index..<min(index + digits, lineBytes.upperBound)]
    guard text.count == digits, text.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let code = UInt32(String(decoding: text, as: UTF8.self), radix: 16),
      let scalar = Unicode.Scalar(code)
    else { throw error(.notAScalar, at: start) }
    index += digits
    return Array(String(Character(scalar)).utf8)
  }
}

// MARK: - Bytes

extension TOMLParser {
  /// The byte at the position; `nil` at the end of the line.
  private var next: UInt8? { index < lineBytes.upperBound ? bytes[index] : nil }

  private mutating func skipBlanks() {
    while next == TOMLText.blank || next == TOMLText.tab { index += 1 }
  }

  /// Reads the rest of a line, which may be a comment.
  private mutating func endLine() throws(TOMLError) {
    skipBlanks()
    guard next == nil || next == TOMLText.hash else { throw error(.endOfLineExpected) }
    while let byte = next {
      try requireAllowed(byte)
      index += 1
    }
  }

  private func requireAllowed(_ byte: UInt8) throws(TOMLError) {
    guard byte >= 0x20 && byte != 0x7f || byte == TOMLText.tab else {
      throw error(.controlCharacter(UInt32(byte)))
    }
  }

  private func requireUTF8() throws(TOMLError) {
    do throws(UTF8.ValidationError) {
      _ = try UTF8Span(validating: bytes.span)
    } catch {
      let start = min(error.byteOffsets.lowerBound, bytes.count)
      let before = bytes[..<start]
      let lineStart = before.lastIndex(of: TOMLText.lineFeed).map { $0 + 1 } ?? 0
      throw TOMLError(
        .notUTF8,
        at: TOMLPosition(
          line: before.count { $0 == TOMLText.lineFeed } + 1,
          column: Self.column(bytes[lineStart..<start])))
    }
  }

  private var position: TOMLPosition { position(of: index) }

  private func position(of index: Int) -> TOMLPosition {
    TOMLPosition(line: line, column: Self.column(bytes[lineBytes.lowerBound..<index]))
  }

  private static func column(_ before: ArraySlice<UInt8>) -> Int {
    before.count { $0 & 0xc0 != 0x80 } + 1
  }

  private func error(_ reason: TOMLError.Reason, at index: Int? = nil) -> TOMLError {
    TOMLError(reason, at: position(of: index ?? self.index))
  }
}

/// The names that the file has used, to refuse a second use.
///
/// Names are compared byte by byte: TOML tells é as one scalar from e with a combining accent.
private struct TOMLNames {
  private var settings: Set<[[UInt8]]> = []
  private var tables: Set<[UInt8]> = []

  mutating func addTable(_ name: String, at position: TOMLPosition) throws(TOMLError) {
    let bytes = Array(name.utf8)
    guard !settings.contains([bytes]) else {
      throw TOMLError(.notATable(TOMLText.key([name])), at: position)
    }
    guard tables.insert(bytes).inserted else {
      throw TOMLError(.twice(TOMLText.key([name])), at: position)
    }
  }

  /// Adds a key, which may name its table by a dot.
  mutating func addSetting(
    _ path: [String], isInTable: Bool, at position: TOMLPosition
  ) throws(TOMLError) {
    let bytes = path.map { Array($0.utf8) }
    if bytes.count == 2, !isInTable {
      guard !settings.contains([bytes[0]]) else {
        throw TOMLError(.notATable(TOMLText.key([path[0]])), at: position)
      }
      tables.insert(bytes[0])
    }
    guard bytes.count == 2 || !tables.contains(bytes[0]), settings.insert(bytes).inserted else {
      throw TOMLError(.twice(TOMLText.key(path)), at: position)
    }
  }
}
