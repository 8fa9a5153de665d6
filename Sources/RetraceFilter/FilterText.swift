/// The characters of the grammar, and the quoting of texts.
enum FilterText {
  static let quote = UInt8(ascii: "\"")
  static let escape = UInt8(ascii: "\\")
  static let dot = UInt8(ascii: ".")
  static let none = "none"

  static func isBlank(_ byte: UInt8) -> Bool { byte <= 0x20 }

  static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  /// Returns whether bytes are a word in lower case, whatever the case of their letters.
  static func isWord(_ bytes: some Sequence<UInt8>, _ word: String) -> Bool {
    bytes.lazy.map { isLetter($0) ? $0 | 0x20 : $0 }.elementsEqual(word.utf8)
  }

  static func isNone(_ bytes: some Sequence<UInt8>) -> Bool { isWord(bytes, none) }

  /// Returns the text of a value, quoted unless it is plain.
  static func value(_ text: String) -> String { isPlain(text) ? text : quoted(text) }

  /// Returns the text of a word, quoted unless it is plain and no operator.
  static func word(_ text: String) -> String {
    let isOperator = FilterOperator.allCases.contains { isWord(text.utf8, $0.rawValue) }
    return isPlain(text) && !isOperator ? text : quoted(text)
  }

  static func range(_ start: String, _ end: String) -> String { "\(value(start))..\(value(end))" }

  static func quoted(_ text: String) -> String {
    var bytes = [quote]
    for byte in text.utf8 {
      if byte == quote || byte == escape { bytes.append(escape) }
      bytes.append(byte)
    }
    return String(decoding: bytes + [quote], as: UTF8.self)
  }

  /// Returns whether a text means itself without quotes, wherever it stands.
  private static func isPlain(_ text: String) -> Bool {
    var last: UInt8?
    for byte in text.utf8 {
      let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      let isDot = byte == dot && last != nil && last != dot
      guard isLetter(byte) || isDigit || isDot || byte == UInt8(ascii: "-") || byte >= 0x80
      else { return false }
      last = byte
    }
    // A dot at the end would be part of the dots of a range.
    return last != nil && last != dot
  }
}
