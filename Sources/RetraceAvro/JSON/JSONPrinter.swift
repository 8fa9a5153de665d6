extension JSONValue {
  /// Returns the value as JSON text.
  ///
  /// Control characters and direction marks are escaped, so that the text cannot control or reorder
  /// the output of a terminal.
  ///
  /// - Parameter indented: Whether to break lines and indent each level by two spaces.
  /// - Complexity: O(bytes of the text).
  public func text(indented: Bool = false) -> String {
    var printer = JSONPrinter(indented: indented)
    printer.write(self, level: 0)
    return String(decoding: printer.bytes, as: UTF8.self)
  }
}

private struct JSONPrinter {
  var bytes: [UInt8] = []
  let indented: Bool

  init(indented: Bool) { self.indented = indented }

  mutating func write(_ value: JSONValue, level: Int) {
    switch value {
    case .null: put("null")
    case .bool(let value): put(value ? "true" : "false")
    case .integer(let value): put(String(value))
    case .double(let value): write(value)
    case .string(let value): write(value)
    case .array(let items):
      put("[")
      for (position, item) in items.enumerated() {
        separate(position, level + 1)
        write(item, level: level + 1)
      }
      if !items.isEmpty { breakLine(level) }
      put("]")
    case .object(let members):
      put("{")
      for (position, member) in members.enumerated() {
        separate(position, level + 1)
        write(member.name)
        put(indented ? ": " : ":")
        write(member.value, level: level + 1)
      }
      if !members.isEmpty { breakLine(level) }
      put("}")
    }
  }

  private mutating func put(_ text: String) { bytes.append(contentsOf: text.utf8) }

  private mutating func separate(_ position: Int, _ level: Int) {
    if position > 0 { put(",") }
    breakLine(level)
  }

  private mutating func breakLine(_ level: Int) {
    guard indented else { return }
    put("\n")
    for _ in 0..<level { put("  ") }
  }

  private mutating func write(_ value: Double) {
    if value.isNaN {
      put("\"NaN\"")
    } else if value.isInfinite {
      put(value < 0 ? "\"-Infinity\"" : "\"Infinity\"")
    } else {
      put(value.description)
    }
  }

  private mutating func write(_ value: String) {
    put("\"")
    // Most texts are plain ASCII and need no escapes.
    if value.utf8.allSatisfy({ 0x20..<0x7f ~= $0 && $0 != 0x22 && $0 != 0x5c }) {
      put(value)
    } else {
      for scalar in value.unicodeScalars { write(scalar) }
    }
    put("\"")
  }

  private mutating func write(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "\"": put("\\\"")
    case "\\": put("\\\\")
    case "\n": put("\\n")
    case "\r": put("\\r")
    case "\t": put("\\t")
    default:
      guard Self.needsEscape(scalar) else {
        bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        return
      }
      for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
        let digits = String(unit, radix: 16)
        put("\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits)
      }
    }
  }

  /// Returns whether a scalar is invisible, a control character, a line separator or a direction
  /// mark.
  private static func needsEscape(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7f..<0xa0, 0x061c, 0x180e, 0x200b, 0x200e, 0x200f, 0x2028...0x202e,
      0x2060...0x206f, 0xfeff, 0xfff9...0xfffb, 0xe0000...0xe0fff:
      true
    default: false
    }
  }
}
