/// Why a stored page could not be used.
public struct PageFault: Error, Hashable, Sendable {
  /// The kinds of fault.
  public enum Kind: Hashable, Sendable {
    /// There is no page under the key that a reference names.
    case missing
    /// The page is not the one that the reference was made of.
    case differs
    /// The page is the one meant, but cannot be read as the entities or references it should hold.
    case malformed
    /// The place where pages are kept could not be read.
    case unreadable
  }

  /// What kind of fault it is.
  public var kind: Kind
  /// The key of the page.
  public var key: PageKey
  /// What was noticed, for a person; empty if the kind says it all.
  public var detail: String

  /// Makes a fault.
  public init(_ kind: Kind, _ key: PageKey, _ detail: String = "") {
    self.kind = kind
    self.key = key
    self.detail = detail
  }
}

extension PageFault: CustomStringConvertible {
  /// One line for a person.
  public var description: String {
    "\(key): \(kind)\(detail.isEmpty ? "" : ", \(detail)")"
  }
}
