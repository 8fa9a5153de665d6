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
    left.key.utf8.elementsEqual(right.key.utf8)
  }

  /// Hashes the key.
  public func hash(into hasher: inout Hasher) {
    for byte in key.utf8 { hasher.combine(byte) }
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
