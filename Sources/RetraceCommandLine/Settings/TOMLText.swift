/// The characters of TOML.
enum TOMLText {
  static let tab = UInt8(ascii: "\t")
  static let lineFeed = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")
  static let blank = UInt8(ascii: " ")
  static let hash = UInt8(ascii: "#")
  static let quote = UInt8(ascii: "\"")
  static let apostrophe = UInt8(ascii: "'")
  static let backslash = UInt8(ascii: "\\")
  static let dot = UInt8(ascii: ".")
  static let comma = UInt8(ascii: ",")
  static let equals = UInt8(ascii: "=")
  static let openBracket = UInt8(ascii: "[")
  static let closeBracket = UInt8(ascii: "]")
  static let openBrace = UInt8(ascii: "{")

  /// Returns whether a key may have a byte without quotes.
  static func isBare(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, UInt8(ascii: "-"), UInt8(ascii: "_"): true
    default: false
    }
  }

  /// Returns whether a value without quotes ends before a byte.
  static func endsWord(_ byte: UInt8) -> Bool {
    switch byte {
    case tab, lineFeed, carriageReturn, blank, hash, comma, closeBracket, equals: true
    default: false
    }
  }

  /// Returns the value of a digit; `nil` if it is none of the radix.
  static func digit(_ byte: UInt8, radix: UInt8) -> UInt8? {
    let value: UInt8
    switch byte {
    case 0x30...0x39: value = byte - 0x30
    case 0x61...0x66: value = byte - 0x61 + 10
    case 0x41...0x46: value = byte - 0x41 + 10
    default: return nil
    }
    return value < radix ? value : nil
  }

  /// Returns a text as a value of TOML in quotes.
  static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\r": result += "\\r"
      case _ where scalar.value < 0x20 || scalar.value == 0x7f:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// Returns a name as a key, in quotes if it needs them.
  static func key(_ name: String) -> String {
    name.utf8.isEmpty || !name.utf8.allSatisfy(isBare) ? quoted(name) : name
  }
}

/// A value that begins with a digit or a sign.
enum TOMLNumber {
  enum Result: Equatable {
    case integer(Int64)
    case tooLarge
    case float
    case date
    /// No value of TOML.
    case nothing
  }

  /// Reads a word.
  static func read(_ word: ArraySlice<UInt8>) -> Result {
    var rest = word
    let sign = rest.first
    let isSigned = sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+")
    if isSigned { rest = rest.dropFirst() }
    if rest.elementsEqual("inf".utf8) || rest.elementsEqual("nan".utf8) { return .float }
    guard let first = rest.first, TOMLText.digit(first, radix: 10) != nil else { return .nothing }
    if first == 0x30, let letter = rest.dropFirst().first, !isSigned {
      let radix: UInt8? =
        switch letter {
        case UInt8(ascii: "x"): 16
        case UInt8(ascii: "o"): 8
        case UInt8(ascii: "b"): 2
        default: nil
        }
      if let radix { return integer(rest.dropFirst(2), radix: radix, isNegative: false) }
    }
    if !isSigned, rest.contains(UInt8(ascii: ":")) || isDate(rest) { return .date }
    let isFloat = rest.contains { $0 == TOMLText.dot || $0 | 0x20 == UInt8(ascii: "e") }
    let isFloatOnly = rest.allSatisfy { byte in
      TOMLText.digit(byte, radix: 10) != nil || byte | 0x20 == UInt8(ascii: "e")
        || [TOMLText.dot, UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "_")].contains(byte)
    }
    if isFloat { return isFloatOnly ? .float : .nothing }
    // A leading zero would be an octal number in other languages.
    guard first != 0x30 || rest.count == 1 else { return .nothing }
    return integer(rest, radix: 10, isNegative: sign == UInt8(ascii: "-"))
  }

  /// Returns whether a word has four digits, a hyphen and a digit.
  private static func isDate(_ word: ArraySlice<UInt8>) -> Bool {
    let head = Array(word.prefix(6))
    return head.count == 6 && head[4] == UInt8(ascii: "-")
      && [0, 1, 2, 3, 5].allSatisfy { TOMLText.digit(head[$0], radix: 10) != nil }
  }

  /// Reads digits, with single underscores between them.
  private static func integer(
    _ digits: ArraySlice<UInt8>, radix: UInt8, isNegative: Bool
  ) -> Result {
    var number: Int64 = 0
    var isTooLarge = false
    var isAfterDigit = false
    for byte in digits {
      guard byte != UInt8(ascii: "_") else {
        guard isAfterDigit else { return .nothing }
        isAfterDigit = false
        continue
      }
      guard let digit = TOMLText.digit(byte, radix: radix) else { return .nothing }
      isAfterDigit = true
      let (product, overflows) = number.multipliedReportingOverflow(by: Int64(radix))
      let (sum, exceeds) =
        isNegative
        ? product.subtractingReportingOverflow(Int64(digit))
        : product.addingReportingOverflow(Int64(digit))
      isTooLarge = isTooLarge || overflows || exceeds
      number = sum
    }
    guard isAfterDigit else { return .nothing }
    return isTooLarge ? .tooLarge : .integer(number)
  }
}
