/// The plain values of this process, keyed by surrogate; never recorded.
///
/// The vault has no lock of its own. The program keeps it where running effects can reach it, such
/// as in their environment, and synchronizes access to it. After a restart the vault is empty, and
/// an effect that does not find its secret has to report that.
public struct SecretVault: Sendable {
  private var plains: [Secret: [UInt8]] = [:]

  /// Creates an empty vault.
  public init() {}

  /// The number of plain values held.
  public var count: Int { plains.count }

  /// Stores a plain value under its surrogate.
  public mutating func store(_ plain: [UInt8], for secret: Secret) { plains[secret] = plain }

  /// Returns the plain value of a surrogate, or `nil` if this process does not hold it.
  public func reveal(_ secret: Secret) -> [UInt8]? { plains[secret] }

  /// Removes the plain value of a surrogate.
  ///
  /// - Returns: Whether it was held.
  @discardableResult
  public mutating func remove(_ secret: Secret) -> Bool {
    plains.removeValue(forKey: secret) != nil
  }
}

extension SecretVault: CustomStringConvertible {
  /// The word `SecretVault` and nothing else.
  public var description: String { "SecretVault" }
}
