public import RetraceAvro
public import RetraceState

/// A name that a user typed, and the key by which names are compared.
///
/// A name is created at the edge, because the key depends on the Unicode tables of the toolchain.
/// The key is recorded with the name, so that a decision compares bytes and does not change with
/// the tables.
public struct Name: Recordable {
  /// The maximum number of bytes of a name.
  public static var bytesMax: Int { 500 }

  /// The name as it was typed, but trimmed and with single spaces.
  public let text: String
  /// The name in lower case.
  public let key: String

  /// Creates a name from a text.
  ///
  /// Each run of whitespace and control characters becomes one space. Runs at the beginning and the
  /// end are removed.
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

  /// Returns whether a text is ASCII without spaces to remove, as most names of imported rows are.
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

  /// Whether the name is empty.
  public var isEmpty: Bool { text.utf8.isEmpty }
}

extension Name: Hashable {
  /// Returns whether two names have the same key.
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
  /// It compares spans, because an iterator takes several times as long.
  ///
  /// - Complexity: O(bytes).
  package func hasBytes(of other: String) -> Bool {
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
  /// The text of the name.
  public var description: String { text }
}

/// A reference of a command to an entity: by id, or by a name that may be new.
public enum Reference<ID: EntityID>: Recordable, Hashable {
  /// The entity with an id.
  case id(ID)
  /// The entity with a name, which is created if needed.
  case name(Name)
}
