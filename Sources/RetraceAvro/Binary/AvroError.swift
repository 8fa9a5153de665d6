/// The error of bytes, a value or a schema that is not valid Avro or exceeds a limit.
public struct AvroError: Error, Hashable, Sendable {
  /// The kinds of failure.
  public enum Kind: Hashable, Sendable {
    /// The bytes end before the value does.
    case truncated
    /// The bytes are valid Avro, but not canonical.
    case notCanonical
    /// A branch, a symbol, a number or a count is out of its range.
    case outOfRange
    /// A string is not UTF-8.
    case notUTF8
    /// Two keys of one map or two members of one set are equal.
    case duplicateKey
    /// A length or depth is above its limit.
    case tooLarge
    /// Bytes are left after the value.
    case trailingBytes
    /// The schema is not valid, or does not fit the value.
    case schema
  }

  /// The kind of failure.
  public var kind: Kind
  /// The offset of the failure in the bytes.
  public var offset: Int
  /// Details for a person.
  public var detail: String

  /// Creates an error.
  public init(_ kind: Kind, at offset: Int, _ detail: String = "") {
    self.kind = kind
    self.offset = offset
    self.detail = detail
  }
}

extension AvroError: CustomStringConvertible {
  /// A description on one line.
  public var description: String {
    "\(kind.inWords) at byte \(offset)\(detail.isEmpty ? "" : ": \(detail)")"
  }
}

extension AvroError.Kind {
  /// The kind in words for a person.
  fileprivate var inWords: String {
    switch self {
    case .truncated: "unexpected end"
    case .notCanonical: "not canonical"
    case .outOfRange: "out of range"
    case .notUTF8: "not UTF-8"
    case .duplicateKey: "duplicate key"
    case .tooLarge: "above a limit"
    case .trailingBytes: "trailing bytes"
    case .schema: "schema error"
    }
  }
}
