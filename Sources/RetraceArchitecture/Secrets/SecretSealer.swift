public import RetraceAvro

/// A test of a plain secret whose result reducers may know, such as "is an address".
public struct SecretRule: Sendable {
  /// The name under which the result is recorded.
  public let name: String
  /// Whether the rule holds for the bytes of a plain value.
  public let holds: @Sendable ([UInt8]) -> Bool

  /// Declares a rule.
  public init(_ name: String, holds: @escaping @Sendable ([UInt8]) -> Bool) {
    self.name = name
    self.holds = holds
  }
}

/// A maker of surrogates for plain secrets with one key, used where secrets enter the program.
///
/// The key is random and never leaves the process, so that guesses cannot be tested later against
/// the seals in a log.
///
/// ```swift
/// func seal(
///   _ password: [UInt8], with sealer: SecretSealer<SHA256Hasher>, in vault: inout SecretVault
/// ) -> Secret {
///   let isLong = SecretRule("isLong") { bytes in bytes.count >= 12 }
///   let secret = sealer.seal(password, rules: [isLong])
///   vault.store(password, for: secret)
///   return secret
/// }
/// ```
public struct SecretSealer<H: ByteHasher>: Sendable {
  /// The number of bytes in a key.
  public static var keyByteCount: Int { 32 }

  private let inner: H
  private let outer: H

  /// Creates a sealer with a key.
  ///
  /// - Parameter key: 32 random bytes; the result is `nil` for any other count.
  public init?(key: [UInt8]) {
    guard key.count == SecretSealer.keyByteCount else { return nil }
    // HMAC: the key, padded with zeros to the block size of the hash, XORed with two constants.
    let block = key + [UInt8](repeating: 0, count: 32)
    let innerBlock = block.map { $0 ^ 0x36 }
    var inner = H()
    inner.update(innerBlock.span)
    self.inner = inner
    let outerBlock = block.map { $0 ^ 0x5c }
    var outer = H()
    outer.update(outerBlock.span)
    self.outer = outer
  }

  /// Returns the surrogate of a plain value.
  ///
  /// - Parameters:
  ///   - plain: The bytes of the plain value.
  ///   - rules: The rules whose results the surrogate holds.
  /// - Complexity: O(`plain.count`), plus the cost of the rules.
  public func seal(_ plain: [UInt8], rules: [SecretRule] = []) -> Secret {
    var classes: Secret.CharacterClasses = []
    for byte in plain {
      switch byte {
      case 0x61...0x7a: classes.insert(.lowercase)
      case 0x41...0x5a: classes.insert(.uppercase)
      case 0x30...0x39: classes.insert(.digits)
      case 0x80...: classes.insert(.other)
      default: classes.insert(.symbols)
      }
    }
    let code = authenticationCode(of: plain)
    var seal: UInt64 = 0
    for index in 0..<8 { seal |= UInt64(code[index]) << UInt64(8 * index) }
    return Secret(
      length: plain.count, classes: classes,
      findings: rules.map { Secret.Finding(name: $0.name, holds: $0.holds(plain)) }, seal: seal)
  }

  /// Returns the HMAC-SHA256 of a message under the key.
  func authenticationCode(of message: [UInt8]) -> Digest {
    var first = inner
    first.update(message.span)
    let digest = first.digest().bytes
    var second = outer
    second.update(digest.span)
    return second.digest()
  }
}

extension SecretSealer: CustomStringConvertible {
  /// The word `SecretSealer` and nothing else.
  public var description: String { "SecretSealer" }
}
