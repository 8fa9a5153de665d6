extension JSONValue {
  /// Parses a JSON text strictly.
  ///
  /// In addition to RFC 8259, this rejects duplicate member names, integers beyond 64 bits, numbers
  /// beyond a `Double`, lone surrogates, and nesting beyond the limit.
  ///
  /// - Parameters:
  ///   - bytes: The text in UTF-8, without a byte-order mark.
  ///   - sizeLimit: The maximum number of bytes.
  ///   - depthLimit: The maximum depth of nested arrays and objects.
  /// - Complexity: O(bytes) time and memory.
  /// - Throws: ``JSONError``.
  public init(
    parsing bytes: Span<UInt8>, sizeLimit: Int = 16 << 20, depthLimit: Int = 64
  ) throws(JSONError) {
    guard bytes.count <= sizeLimit else {
      throw JSONError(
        offset: 0, message: "the text has \(bytes.count) bytes; the limit is \(sizeLimit)")
    }
    var parser = JSONParser(bytes, depthLimit: depthLimit)
    self = try parser.document()
  }

  /// Parses a JSON text strictly; see the initializer for bytes.
  public init(
    parsing text: String, sizeLimit: Int = 16 << 20, depthLimit: Int = 64
  ) throws(JSONError) {
    let bytes = [UInt8](text.utf8)
    try self.init(parsing: bytes.span, sizeLimit: sizeLimit, depthLimit: depthLimit)
  }
}

private struct JSONParser: ~Escapable {
  let bytes: Span<UInt8>
  let depthLimit: Int
  var position = 0
  var depth = 0

  @_lifetime(copy bytes)
  init(_ bytes: Span<UInt8>, depthLimit: Int) {
    self.bytes = bytes
    self.depthLimit = depthLimit
  }

  @_lifetime(self: copy self)
  mutating func document() throws(JSONError) -> JSONValue {
    let value = try self.value()
    skipWhitespace()
    if position < bytes.count { throw failure("unexpected text after the value") }
    return value
  }

  func failure(_ message: String) -> JSONError { JSONError(offset: position, message: message) }

  var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  @_lifetime(self: copy self)
  mutating func skipWhitespace() {
    while let byte = next, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 {
      position += 1
    }
  }

  @_lifetime(self: copy self)
  mutating func accept(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    position += 1
    return true
  }

  @_lifetime(self: copy self)
  mutating func value() throws(JSONError) -> JSONValue {
    skipWhitespace()
    guard let first = next else { throw failure("the text ends where a value is expected") }
    switch first {
    case UInt8(ascii: "{"): return try object()
    case UInt8(ascii: "["): return try array()
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try literal("true", .bool(true))
    case UInt8(ascii: "f"): return try literal("false", .bool(false))
    case UInt8(ascii: "n"): return try literal("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    default: throw failure("a value cannot start with this character")
    }
  }

  @_lifetime(self: copy self)
  mutating func literal(_ word: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
    for byte in word.description.utf8 where !accept(byte) { throw failure("expected `\(word)`") }
    return value
  }

  @_lifetime(self: copy self)
  mutating func enter() throws(JSONError) {
    position += 1
    depth += 1
    if depth > depthLimit { throw failure("nested too deeply") }
  }

  @_lifetime(self: copy self)
  mutating func array() throws(JSONError) -> JSONValue {
    try enter()
    var items: [JSONValue] = []
    skipWhitespace()
    if !accept(UInt8(ascii: "]")) {
      repeat {
        items.append(try value())
        skipWhitespace()
      } while accept(UInt8(ascii: ","))
      if !accept(UInt8(ascii: "]")) { throw failure("`,` or `]` is missing") }
    }
    depth -= 1
    return .array(items)
  }

  @_lifetime(self: copy self)
  mutating func object() throws(JSONError) -> JSONValue {
    try enter()
    var members: [JSONValue.Member] = []
    var names: Set<String> = []
    skipWhitespace()
    if !accept(UInt8(ascii: "}")) {
      repeat {
        skipWhitespace()
        guard next == UInt8(ascii: "\"") else { throw failure("a name is missing") }
        let name = try string()
        if !names.insert(name).inserted { throw failure("a second member of the same name") }
        skipWhitespace()
        if !accept(UInt8(ascii: ":")) { throw failure("`:` is missing") }
        members.append(JSONValue.Member(name, try value()))
        skipWhitespace()
      } while accept(UInt8(ascii: ","))
      if !accept(UInt8(ascii: "}")) { throw failure("`,` or `}` is missing") }
    }
    depth -= 1
    return .object(members)
  }

  @_lifetime(self: copy self)
  mutating func digits() throws(JSONError) {
    guard let first = next, (0x30...0x39).contains(first) else {
      throw failure("a digit is missing")
    }
    while let byte = next, (0x30...0x39).contains(byte) { position += 1 }
  }

  @_lifetime(self: copy self)
  mutating func number() throws(JSONError) -> JSONValue {
    let start = position
    _ = accept(UInt8(ascii: "-"))
    if !accept(UInt8(ascii: "0")) { try digits() }
    var isInteger = true
    if accept(UInt8(ascii: ".")) {
      isInteger = false
      try digits()
    }
    if accept(UInt8(ascii: "e")) || accept(UInt8(ascii: "E")) {
      isInteger = false
      if !accept(UInt8(ascii: "+")) { _ = accept(UInt8(ascii: "-")) }
      try digits()
    }
    let text = String(decoding: [UInt8](copying: bytes.extracting(start..<position)), as: UTF8.self)
    if isInteger {
      guard let value = Int64(text) else { throw failure("an integer beyond 64 bits") }
      return .integer(value)
    }
    guard let value = Double(text), value.isFinite else { throw failure("a number too large") }
    return .double(value)
  }
}

extension JSONParser {
  @_lifetime(self: copy self)
  mutating func string() throws(JSONError) -> String {
    position += 1
    var content: [UInt8] = []
    while let byte = next {
      position += 1
      switch byte {
      case UInt8(ascii: "\""):
        do {
          return String(copying: try UTF8Span(validating: content.span))
        } catch { throw failure("a string that is not UTF-8") }
      case UInt8(ascii: "\\"):
        content.append(contentsOf: try escape())
      case 0..<0x20:
        throw failure("a control character in a string")
      default:
        content.append(byte)
      }
    }
    throw failure("a string is not closed")
  }

  /// Returns the bytes that an escape stands for; the backslash is already read.
  @_lifetime(self: copy self)
  private mutating func escape() throws(JSONError) -> [UInt8] {
    guard let kind = next else { throw failure("the text ends in an escape") }
    position += 1
    switch kind {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [kind]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0c]
    case UInt8(ascii: "n"): return [0x0a]
    case UInt8(ascii: "r"): return [0x0d]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "u"): break
    default: throw failure("an unknown escape")
    }
    var code = try codeUnit()
    if (0xd800..<0xdc00).contains(code) {
      guard accept(UInt8(ascii: "\\")), accept(UInt8(ascii: "u")) else {
        throw failure("half of a surrogate pair")
      }
      let low = try codeUnit()
      guard (0xdc00..<0xe000).contains(low) else { throw failure("half of a surrogate pair") }
      code = 0x10000 + (code - 0xd800) << 10 + (low - 0xdc00)
    }
    guard let scalar = Unicode.Scalar(code) else { throw failure("half of a surrogate pair") }
    return [UInt8](String(Character(scalar)).utf8)
  }

  @_lifetime(self: copy self)
  private mutating func codeUnit() throws(JSONError) -> UInt32 {
    var code: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw failure("four hexadecimal digits are missing")
      }
      position += 1
      code = code << 4 | UInt32(digit)
    }
    return code
  }
}
