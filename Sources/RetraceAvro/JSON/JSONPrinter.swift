extension JSONValue {
  /// The value as JSON text in UTF-8.
  ///
  /// Control characters and those that change the direction of text are escaped, so that a terminal
  /// shows the text as it is.
  ///
  /// - Parameter indented: Whether to break lines, with two blanks for each level.
  /// - Complexity: O(bytes of the text).
  public func text(indented: Bool = false) -> String {
    var printer = JSONPrinter(indented: indented)
    printer.write(self, level: 0)
    return printer.text
  }
}

private struct JSONPrinter {
  var text = ""
  let indented: Bool

  init(indented: Bool) { self.indented = indented }

  mutating func write(_ value: JSONValue, level: Int) {
    switch value {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .integer(let value): text += String(value)
    case .double(let value): write(value)
    case .string(let value): write(value)
    case .array(let items):
      text += "["
      for (position, item) in items.enumerated() {
        separate(position, level + 1)
        write(item, level: level + 1)
      }
      if !items.isEmpty { breakLine(level) }
      text += "]"
    case .object(let members):
      text += "{"
      for (position, member) in members.enumerated() {
        separate(position, level + 1)
        write(member.name)
        text += indented ? ": " : ":"
        write(member.value, level: level + 1)
      }
      if !members.isEmpty { breakLine(level) }
      text += "}"
    }
  }

  private mutating func separate(_ position: Int, _ level: Int) {
    if position > 0 { text += "," }
    breakLine(level)
  }

  private mutating func breakLine(_ level: Int) {
    guard indented else { return }
    text += "\n"
    for _ in 0..<level { text += "  " }
  }

  private mutating func write(_ value: Double) {
    if value.isNaN {
      text += "\"NaN\""
    } else if value.isInfinite {
      text += value < 0 ? "\"-Infinity\"" : "\"Infinity\""
    } else {
      text += value.description
    }
  }

  private mutating func write(_ value: String) {
    text += "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      default:
        if Self.needsEscape(scalar) {
          for unit in String(scalar).utf16 {
            let digits = String(unit, radix: 16)
            text += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
          }
        } else {
          text.unicodeScalars.append(scalar)
        }
      }
    }
    text += "\""
  }

  /// Controls, line separators, marks of direction, and what takes no place or smuggles text.
  private static func needsEscape(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7f..<0xa0, 0x061c, 0x180e, 0x200b, 0x200e, 0x200f, 0x2028...0x202e,
      0x2060...0x206f, 0xfeff, 0xfff9...0xfffb, 0xe0000...0xe0fff:
      true
    default: false
    }
  }
}
