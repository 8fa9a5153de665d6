/// Why bytes could not be read as Avro.
public struct AvroError: Error, Hashable, Sendable {
  /// The kinds of failure.
  public enum Kind: Hashable, Sendable {
    /// The bytes end before the value does.
    case truncated
    /// The bytes are valid Avro but not in the canonical form of a record.
    case notCanonical
    /// A value lies outside its type: a branch, a symbol, a number or a count.
    case outOfRange
    /// A string is not UTF-8.
    case notUTF8
    /// Two keys of one map or two members of one set are equal.
    case duplicateKey
    /// A length or depth is above the reader's limit.
    case tooLarge
    /// Bytes are left after the value.
    case trailingBytes
    /// The schema is not valid, or does not fit the value.
    case schema
  }

  /// What kind of failure it was.
  public var kind: Kind
  /// The position in the bytes at which it was noticed, counted from their start.
  public var offset: Int
  /// What was being read, for a person.
  public var detail: String

  /// Makes an error.
  public init(_ kind: Kind, at offset: Int, _ detail: String = "") {
    self.kind = kind
    self.offset = offset
    self.detail = detail
  }
}

extension AvroError: CustomStringConvertible {
  /// One line for a person.
  public var description: String {
    "\(kind) at byte \(offset)\(detail.isEmpty ? "" : ": \(detail)")"
  }
}
