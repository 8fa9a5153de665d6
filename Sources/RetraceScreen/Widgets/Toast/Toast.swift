/// A short message that lies over a screen for a while.
public struct Toast: Hashable, Sendable {
  /// What a message is about.
  public enum Kind: UInt8, Hashable, Sendable, CaseIterable {
    /// News.
    case information
    /// Something has succeeded.
    case success
    /// Something has failed, or needs attention.
    case warning
  }

  /// What the message says; line feeds break it.
  public var text: String
  /// What the message is about.
  public var kind: Kind
  /// What a key can do about it, such as `u undo`; empty for nothing.
  public var hint: String

  /// Creates a message.
  public init(_ text: String, kind: Kind = .information, hint: String = "") {
    self.text = text
    self.kind = kind
    self.hint = hint
  }
}
