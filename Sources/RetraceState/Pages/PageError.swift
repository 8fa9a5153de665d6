/// The error of a stored page that cannot be used.
public struct PageError: Error, Hashable, Sendable {
  /// The kinds of error.
  public enum Kind: Hashable, Sendable {
    /// No page is stored under the key.
    case missing
    /// The page does not match the hash in its reference.
    case hashMismatch
    /// The page matches its hash, but cannot be decoded.
    case malformed
    /// The storage of the pages could not be read.
    case unreadable
  }

  /// The kind of error.
  public var kind: Kind
  /// The key of the page.
  public var key: PageKey
  /// Details for a person; empty if the kind says everything.
  public var detail: String

  /// Creates an error.
  public init(_ kind: Kind, _ key: PageKey, _ detail: String = "") {
    self.kind = kind
    self.key = key
    self.detail = detail
  }
}

extension PageError: CustomStringConvertible {
  /// A description on one line.
  public var description: String {
    "\(key): \(kind.inWords)\(detail.isEmpty ? "" : ": \(detail)")"
  }
}

extension PageError.Kind {
  fileprivate var inWords: String {
    switch self {
    case .missing: "is missing"
    case .hashMismatch: "does not match its hash"
    case .malformed: "is malformed"
    case .unreadable: "cannot be read"
    }
  }
}
