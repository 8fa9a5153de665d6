public import RetraceAvro
public import RetraceState

/// A name as somebody typed it, and the key by which names are compared.
///
/// It is made at the edge, because the key follows the Unicode tables of the toolchain. The key is
/// recorded with the name, so that a decision compares bytes and stays the same with other tables.
public struct Name: Recordable {
  /// The most bytes of a name.
  public static var bytesMax: Int { 500 }

  /// The name, without blanks around it; blanks inside it are single.
  public let text: String
  /// The name in small letters.
  public let key: String

  /// Makes a name from a text: each run of blanks and control characters becomes one blank, and
  /// those at the ends are removed.
  ///
  /// - Complexity: O(characters).
  public init(_ text: String) {
    self.text =
      Self.isNormal(text)
      ? text
      : text.unicodeScalars.split(whereSeparator: Self.isBlank)
        .map { String($0) }.joinedByBlanks
    key = self.text.lowercased()
  }

  /// Returns whether a text in ASCII has no blanks to remove; imports make names of every row, and
  /// most are such texts.
  private static func isNormal(_ text: String) -> Bool {
    var isAfterBlank = true
    for byte in text.utf8 {
      guard (0x20..<0x7f).contains(byte), !(isAfterBlank && byte == 0x20) else { return false }
      isAfterBlank = byte == 0x20
    }
    return !isAfterBlank
  }

  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace || scalar.properties.generalCategory == .control
  }

  /// Whether nothing is left of the text.
  public var isEmpty: Bool { text.utf8.isEmpty }
}

extension Name: Hashable {
  /// Returns whether two names are the same by their keys.
  public static func == (left: Name, right: Name) -> Bool {
    left.key.hasBytes(of: right.key)
  }

  /// Hashes the key.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(bytesOf: key)
  }
}

extension String {
  /// Returns whether another text has the same bytes.
  ///
  /// - Complexity: O(bytes), without an iterator, which takes several times as long.
  func hasBytes(of other: String) -> Bool {
    let (bytes, others) = (utf8.span, other.utf8.span)
    guard bytes.count == others.count else { return false }
    for index in bytes.indices where bytes[index] != others[index] { return false }
    return true
  }
}

extension Hasher {
  /// Hashes the bytes of a text, eight at a time.
  mutating func combine(bytesOf text: String) {
    let bytes = text.utf8.span
    var word = UInt64(bytes.count)
    for index in bytes.indices {
      word = word &<< 8 | UInt64(bytes[index])
      if index & 7 == 7 {
        combine(word)
        word = 0
      }
    }
    combine(word)
  }
}

extension Name: CustomStringConvertible {
  /// The name as it was typed.
  public var description: String { text }
}

/// An entity named in a command: by its id, or by a name that may be new.
public enum Reference<ID: EntityID>: Recordable, Hashable {
  /// The entity of an id.
  case id(ID)
  /// The entity of a name; it is created if there is none.
  case name(Name)
}
