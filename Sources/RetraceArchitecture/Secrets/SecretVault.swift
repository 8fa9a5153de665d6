/// The plain values of this process, each under its surrogate; nothing of it is recorded.
///
/// A value without locks: the edge of the program keeps one where running effects can ask it, and
/// guards it there. After a restart it is empty; an effect that finds nothing answers so.
public struct SecretVault: Sendable {
  private var plains: [Secret: [UInt8]] = [:]

  /// Makes an empty vault.
  public init() {}

  /// The number of plain values held.
  public var count: Int { plains.count }

  /// Keeps a plain value under its surrogate.
  public mutating func keep(_ plain: [UInt8], for secret: Secret) { plains[secret] = plain }

  /// The plain value of a surrogate, or `nil` if this process has never held or has forgotten it.
  public func reveal(_ secret: Secret) -> [UInt8]? { plains[secret] }

  /// Forgets the plain value of a surrogate.
  ///
  /// - Returns: Whether it was held.
  @discardableResult
  public mutating func forget(_ secret: Secret) -> Bool {
    plains.removeValue(forKey: secret) != nil
  }
}

extension SecretVault: CustomStringConvertible, CustomReflectable {
  /// The word `SecretVault` and nothing else.
  public var description: String { "SecretVault" }
  /// A mirror without children, so that a dump shows no plain value.
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
