/// A parser of filters, by recursive descent.
struct FilterParser {
  private let bytes: [UInt8]
  private var index = 0
  /// The position of the parenthesis that is open.
  private var open: Int?
  /// The operator before the position, if nothing stands between them.
  private var last: (name: FilterOperator, position: Int)?

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func parse() throws(FilterError) -> FilterExpression {
    skipBlanks()
    if isAtEnd { return .all([]) }
    let expression = try alternatives(0)
    guard isAtEnd else { throw .unexpectedClosingParenthesis(at: index) }
    return expression
  }

  /// Parses parts with `or` between them, until the end or a closing parenthesis.
  private mutating func alternatives(_ depth: Int) throws(FilterError) -> FilterExpression {
    var parts = [try conjunction(depth)]
    while accept(.or) { parts.append(try conjunction(depth)) }
    return parts.count == 1 ? parts[0] : .any(parts)
  }

  /// Parses parts with `and` or nothing between them.
  private mutating func conjunction(_ depth: Int) throws(FilterError) -> FilterExpression {
    var parts = [try operand(depth)]
    while accept(.and) || isAtOperand { parts.append(try operand(depth)) }
    return parts.count == 1 ? parts[0] : .all(parts)
  }

  /// Parses a term or parentheses, and `not` before it.
  private mutating func operand(_ depth: Int) throws(FilterError) -> FilterExpression {
    try requireOperand()
    let start = index
    if accept(.not) {
      guard depth < FilterExpression.depthMax else { throw .tooDeep(at: start) }
      return .not(try operand(depth + 1))
    }
    last = nil
    guard next == UInt8(ascii: "(") else {
      let term = try term()
      skipBlanks()
      return .term(term)
    }
    guard depth < FilterExpression.depthMax else { throw .tooDeep(at: start) }
    let outer = open
    open = start
    index += 1
    skipBlanks()
    let expression = try alternatives(depth + 1)
    guard !isAtEnd else { throw .missingClosingParenthesis(at: start) }
    index += 1
    open = outer
    skipBlanks()
    return expression
  }

  private func requireOperand() throws(FilterError) {
    if let last, !isAtOperand { throw .missingOperand(after: last.name, at: last.position) }
    if let (name, _) = nextOperator, name != .not { throw .missingOperandBefore(name, at: index) }
    if isAtEnd, let open { throw .missingClosingParenthesis(at: open) }
    if next == UInt8(ascii: ")") {
      guard let open else { throw .unexpectedClosingParenthesis(at: index) }
      throw .emptyParentheses(at: open)
    }
  }
}

extension FilterParser {
  private var isAtEnd: Bool { index == bytes.count }

  private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  /// Whether a term, a parenthesis or `not` begins at the position.
  private var isAtOperand: Bool {
    guard let next, next != UInt8(ascii: ")") else { return false }
    return nextOperator.map { $0.name == .not } ?? true
  }

  private var nextOperator: (name: FilterOperator, length: Int)? {
    if next == UInt8(ascii: "!") { return (.not, 1) }
    if isDoubled(UInt8(ascii: "&"), at: index) { return (.and, 2) }
    if isDoubled(UInt8(ascii: "|"), at: index) { return (.or, 2) }
    var end = index
    while end < bytes.count, FilterText.isLetter(bytes[end]) { end += 1 }
    guard end == bytes.count || bytes[end] == UInt8(ascii: "(") || isStop(at: end) else {
      return nil
    }
    let word = bytes[index..<end]
    let name = FilterOperator.allCases.first { FilterText.isWord(word, $0.rawValue) }
    return name.map { ($0, word.count) }
  }

  private mutating func accept(_ name: FilterOperator) -> Bool {
    guard let (found, length) = nextOperator, found == name else { return false }
    last = (name, index)
    index += length
    skipBlanks()
    return true
  }

  private mutating func skipBlanks() {
    while let next, FilterText.isBlank(next) { index += 1 }
  }

  private func isDoubled(_ byte: UInt8, at index: Int) -> Bool {
    index + 1 < bytes.count && bytes[index] == byte && bytes[index + 1] == byte
  }

  /// Returns whether a text without quotes ends before a position in the bytes.
  private func isStop(at index: Int) -> Bool {
    FilterText.isBlank(bytes[index]) || bytes[index] == UInt8(ascii: ")")
      || isDoubled(UInt8(ascii: "&"), at: index) || isDoubled(UInt8(ascii: "|"), at: index)
  }
}

extension FilterParser {
  private mutating func term() throws(FilterError) -> FilterTerm {
    let start = index
    switch next {
    case UInt8(ascii: "#"), UInt8(ascii: "+"):
      index += 1
      return .tag(try name(since: start))
    case UInt8(ascii: "@"):
      index += 1
      return .project(try name(since: start))
    default: break
    }
    while let next, FilterText.isLetter(next) { index += 1 }
    let key = text(start..<index)
    if let comparison = comparison() {
      guard !key.isEmpty || comparison == .equal else {
        throw .missingKey(before: comparison, at: start)
      }
      if !key.isEmpty {
        // After a colon, a blank would hide that the value is missing.
        if comparison != .equal { skipBlanks() }
        return .field(key: key, comparison, try value(since: start, allowsOpenRange: true))
      }
    }
    index = start
    switch try value(since: start, allowsOpenRange: false) {
    case .range(let start, let end): return .range(start, end)
    case .text(let text): return .text(text)
    case .nothing: return .text(text(start..<index))
    }
  }

  /// Reads the comparison between a key and its value; spaces may precede all but a colon.
  private mutating func comparison() -> FilterComparison? {
    let blanks = bytes[index...].prefix(while: FilterText.isBlank).count
    let rest = bytes[(index + blanks)...]
    let found = FilterComparison.allCases
      .filter { rest.starts(with: $0.rawValue.utf8) && (blanks == 0 || $0 != .equal) }
      .max { $0.rawValue.utf8.count < $1.rawValue.utf8.count }
    if let found { index += blanks + found.rawValue.utf8.count }
    return found
  }

  /// Parses the name after `#`, `+` or `@`.
  private mutating func name(since start: Int) throws(FilterError) -> String {
    if next == FilterText.quote {
      let name = try quoted()
      try requireStop()
      return name
    }
    return text(try plain(since: start, stopsAtRange: false))
  }

  /// Parses a value or a bare word.
  ///
  /// - Parameters:
  ///   - start: Where the term begins.
  ///   - allowsOpenRange: Whether dots at an end of a text mean a range.
  private mutating func value(
    since start: Int, allowsOpenRange: Bool
  ) throws(FilterError) -> FilterValue {
    if next == FilterText.quote {
      let first = try quoted()
      guard acceptDots() else {
        try requireStop()
        return .text(first)
      }
      return .range(first, try secondSide(since: start))
    }
    let first = try plain(since: start, stopsAtRange: true)
    if acceptDots() { return .range(text(first), try secondSide(since: start)) }
    if FilterText.isNone(bytes[first]) { return .nothing }
    guard let dots = onlyDots(in: first) else { return .text(text(first)) }
    let sides = (first.lowerBound..<dots, (dots + 2)..<first.upperBound)
    let isOpen = sides.0.isEmpty || sides.1.isEmpty
    let isRange = isOpen ? allowsOpenRange && first.count > 2 : true
    return isRange ? .range(text(sides.0), text(sides.1)) : .text(text(first))
  }

  /// Parses the second side of a range of which one side is quoted.
  private mutating func secondSide(since start: Int) throws(FilterError) -> String {
    if isAtEnd || isStop(at: index) { return "" }
    guard next == FilterText.quote else {
      return text(try plain(since: start, stopsAtRange: false))
    }
    let side = try quoted()
    try requireStop()
    return side
  }

  /// Reads a text without quotes, until a blank, a closing parenthesis or an operator.
  ///
  /// - Parameters:
  ///   - start: Where the term begins.
  ///   - stopsAtRange: Whether the text also ends before two dots and a quote.
  private mutating func plain(
    since start: Int, stopsAtRange: Bool
  ) throws(FilterError) -> Range<Int> {
    let first = index
    // A parenthesis there would be a group of values, which the grammar does not have.
    if next != UInt8(ascii: "(") {
      while index < bytes.count, !isStop(at: index), !(stopsAtRange && isAtDotsAndQuote) {
        index += 1
      }
    }
    guard index > first || (stopsAtRange && isAtDotsAndQuote) else {
      throw .emptyValue(of: text(start..<first), at: first)
    }
    return first..<index
  }

  private var isAtDotsAndQuote: Bool {
    isDoubled(FilterText.dot, at: index) && index + 2 < bytes.count
      && bytes[index + 2] == FilterText.quote
  }

  private mutating func acceptDots() -> Bool {
    guard isDoubled(FilterText.dot, at: index) else { return false }
    index += 2
    return true
  }

  /// Returns the position of two dots, if they are the only dots beside each other.
  private func onlyDots(in range: Range<Int>) -> Int? {
    let found = range.dropLast().filter { isDoubled(FilterText.dot, at: $0) }
    return found.count == 1 ? found[0] : nil
  }

  /// Reads a text in quotes; a backslash gives the byte after it as it is.
  private mutating func quoted() throws(FilterError) -> String {
    let start = index
    var found: [UInt8] = []
    index += 1
    while let byte = next, byte != FilterText.quote {
      if byte == FilterText.escape { index += 1 }
      guard let byte = next else { break }
      found.append(byte)
      index += 1
    }
    guard !isAtEnd else { throw .unclosedQuote(at: start) }
    index += 1
    return String(decoding: found, as: UTF8.self)
  }

  private func requireStop() throws(FilterError) {
    guard isAtEnd || isStop(at: index) else { throw .textAfterQuote(at: index) }
  }

  private func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }
}
