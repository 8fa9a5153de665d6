/// The hash functions of the log's format, injected into pure code because they may call C.
///
/// A hasher is a value: a copy can be extended independently, so that the digest of a prefix can be
/// taken while hashing goes on.
public protocol ByteHasher: Sendable, SendableMetatype {
  /// Starts a SHA-256 computation.
  init()

  /// Adds bytes to the computation.
  ///
  /// - Complexity: O(`bytes.count`), about 2 GB/s where the processor has SHA instructions.
  mutating func update(_ bytes: Span<UInt8>)

  /// Returns the SHA-256 of all bytes added so far; more bytes may be added afterwards.
  func digest() -> Digest

  /// Returns the SHA-256 of the bytes.
  ///
  /// There is a default implementation.
  ///
  /// - Complexity: O(`bytes.count`).
  static func digest(of bytes: Span<UInt8>) -> Digest

  /// Returns the XXH64 checksum (seed 0) of the bytes, which protects blocks against damage.
  ///
  /// - Complexity: O(`bytes.count`).
  static func checksum(_ bytes: Span<UInt8>) -> UInt64
}

extension ByteHasher {
  /// Returns the SHA-256 of the bytes.
  @inlinable
  public static func digest(of bytes: Span<UInt8>) -> Digest {
    var hasher = Self()
    hasher.update(bytes)
    return hasher.digest()
  }
}
