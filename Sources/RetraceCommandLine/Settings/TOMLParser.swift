/// A parser of TOML, a byte after the other.
struct TOMLParser {
  private let bytes: [UInt8]
  private var index = 0
  /// The number of the line at the position.
  private var line = 1
  /// Where the line begins.
  private var lineStart = 0
  private var names = TOMLNames()

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Reads the file.
  mutating func parse(into document: inout TOMLDocument) throws(TOMLError) {
    try requireUTF8()
    // A mark of the byte order, which some editors write.
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) {
      index = 3
      lineStart = 3
    }
    var table: [String] = []
    while index < bytes.count {
      let start = index
      skipBlanks()
      switch next {
      case nil, TOMLText.lineFeed, TOMLText.carriageReturn, TOMLText.hash: try endLine()
      case TOMLText.openBracket:
        let found = try header()
        table = found.path
        try names.declareTable(found.path, at: found.position)
        try endLine()
        document.tables.append(
          .init(path: found.path, position: found.position, lineBytes: start..<index))
      default:
        let position = position
        let path = try path()
        guard next == TOMLText.equals else { throw error(.equalsExpected) }
        index += 1
        skipBlanks()
        if isAtEndOfLine { throw error(.valueExpected) }
        let first = index
        let value = try value(0)
        let end = index
        try names.declareValue(path, in: table, at: position)
        try endLine()
        document.settings.append(
          .init(
            path: table + path, value: value, position: position, valueBytes: first..<end,
            lineBytes: start..<index))
      }
    }
  }

  /// Reads a table in brackets.
  private mutating func header() throws(TOMLError) -> (path: [String], position: TOMLPosition) {
    let open = index
    index += 1
    if next == TOMLText.openBracket {
      throw error(.unsupported(.tableArray), at: open)
    }
    skipBlanks()
    let position = position
    let path = try path()
    guard next == TOMLText.closeBracket else { throw error(.unclosedTable) }
    index += 1
    return (path, position)
  }

  /// Reads names with dots between them, and the blanks after them.
  private mutating func path() throws(TOMLError) -> [String] {
    var path = [try key()]
    skipBlanks()
    while next == TOMLText.dot {
      guard path.count < TOMLDocument.namesMax else { throw error(.tooDeep) }
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
    return string(start..<index)
  }
}

// MARK: - Values

extension TOMLParser {
  private mutating func value(_ depth: Int) throws(TOMLError) -> TOMLValue {
    switch next {
    case TOMLText.quote, TOMLText.apostrophe: return .string(try text())
    case TOMLText.openBracket: return .array(try array(depth))
    case TOMLText.openBrace: throw error(.unsupported(.inlineTable))
    default: return try word()
    }
  }

  /// Reads the values of an array, which may be on several lines.
  private mutating func array(_ depth: Int) throws(TOMLError) -> [TOMLValue] {
    guard depth < TOMLDocument.depthMax else { throw error(.tooDeep) }
    let open = position
    index += 1
    var values: [TOMLValue] = []
    while true {
      try skipLines()
      guard let byte = next else { throw TOMLError(.unclosedArray, at: open) }
      if byte == TOMLText.closeBracket { break }
      if byte == TOMLText.comma { throw error(.valueExpected) }
      values.append(try value(depth + 1))
      try skipLines()
      guard let byte = next else { throw TOMLError(.unclosedArray, at: open) }
      if byte == TOMLText.closeBracket { break }
      guard byte == TOMLText.comma else { throw error(.commaExpected) }
      index += 1
    }
    index += 1
    return values
  }

  /// Reads a value without quotes: a whole number, `true` or `false`.
  private mutating func word() throws(TOMLError) -> TOMLValue {
    let start = index
    while let byte = next, !TOMLText.endsWord(byte) { index += 1 }
    guard index > start else { throw error(.valueExpected) }
    let word = bytes[start..<index]
    if word.elementsEqual("true".utf8) { return .boolean(true) }
    if word.elementsEqual("false".utf8) { return .boolean(false) }
    switch TOMLNumber.read(word) {
    case .integer(let number): return .integer(number)
    case .tooLarge: throw error(.numberTooLarge(shown(word)), at: start)
    case .float: throw error(.unsupported(.float), at: start)
    case .date: throw error(.unsupported(.date), at: start)
    case .nothing: throw error(.notAValue(shown(word)), at: start)
    }
  }

  private func shown(_ word: ArraySlice<UInt8>) -> String {
    let text = String(decoding: word, as: UTF8.self)
    return text.unicodeScalars.count > 40 ? "\(text.prefix(40))…" : text
  }

  /// Reads a text in quotes.
  private mutating func text() throws(TOMLError) -> String {
    let start = index
    let quote = bytes[index]
    index += 1
    if next == quote, index + 1 < bytes.count, bytes[index + 1] == quote {
      throw error(.unsupported(.multilineText), at: start)
    }
    var found: [UInt8] = []
    while let byte = next, byte != quote {
      if byte == TOMLText.lineFeed || byte == TOMLText.carriageReturn { break }
      try requireAllowed(byte)
      if byte == TOMLText.backslash, quote == TOMLText.quote {
        found += try escape()
      } else {
        found.append(byte)
        index += 1
      }
    }
    guard next == quote else { throw error(.unclosedText, at: start) }
    index += 1
    return String(decoding: found, as: UTF8.self)
  }

  /// Reads a backslash and what it stands for.
  private mutating func escape() throws(TOMLError) -> [UInt8] {
    let start = index
    index += 1
    guard let letter = next, letter >= 0x20 else { throw error(.unclosedText, at: start) }
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
      throw error(.unknownEscape(string((start + 1)..<index)), at: start)
    }
  }

  private mutating func scalar(digits: Int, since start: Int) throws(TOMLError) -> [UInt8] {
    var code: UInt32 = 0
    for _ in 0..<digits {
      guard let digit = next.flatMap({ TOMLText.digit($0, radix: 16) }) else {
        throw error(.notAScalar, at: start)
      }
      code = code << 4 | UInt32(digit)
      index += 1
    }
    guard let scalar = Unicode.Scalar(code) else { throw error(.notAScalar, at: start) }
    return Array(String(Character(scalar)).utf8)
  }
}

// MARK: - Bytes

extension TOMLParser {
  /// The byte at the position.
  private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  private var isAtEndOfLine: Bool {
    switch next {
    case nil, TOMLText.lineFeed, TOMLText.carriageReturn, TOMLText.hash: true
    default: false
    }
  }

  private mutating func skipBlanks() {
    while next == TOMLText.blank || next == TOMLText.tab { index += 1 }
  }

  /// Skips blanks, comments and ends of lines.
  private mutating func skipLines() throws(TOMLError) {
    while true {
      skipBlanks()
      switch next {
      case TOMLText.lineFeed, TOMLText.carriageReturn, TOMLText.hash: try endLine()
      default: return
      }
    }
  }

  /// Reads the rest of a line, which may be a comment, and its end.
  private mutating func endLine() throws(TOMLError) {
    skipBlanks()
    if next == TOMLText.hash {
      while let byte = next, byte != TOMLText.lineFeed, byte != TOMLText.carriageReturn {
        try requireAllowed(byte)
        index += 1
      }
    }
    if next == TOMLText.carriageReturn {
      index += 1
      guard next == TOMLText.lineFeed else {
        throw error(.controlCharacter(UInt32(TOMLText.carriageReturn)), at: index - 1)
      }
    }
    guard let byte = next else { return }
    guard byte == TOMLText.lineFeed else { throw error(.endOfLineExpected) }
    index += 1
    line += 1
    lineStart = index
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

  private func string(_ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }

  /// The line and the column of the position.
  private var position: TOMLPosition { position(of: index) }

  /// Returns the line and the column of a byte of the line.
  private func position(of index: Int) -> TOMLPosition {
    TOMLPosition(line: line, column: Self.column(bytes[min(lineStart, index)..<index]))
  }

  private static func column(_ before: ArraySlice<UInt8>) -> Int {
    before.count { $0 & 0xc0 != 0x80 } + 1
  }

  private func error(_ reason: TOMLError.Reason, at index: Int? = nil) -> TOMLError {
    TOMLError(reason, at: position(of: index ?? self.index))
  }
}
