/// The hash functions of the format, given to pure code by whoever may call C.
///
/// A hasher is a value: a copy goes on independently, so that the digest of a prefix can be taken
/// while the original is extended.
public protocol ByteHasher: Sendable, SendableMetatype {
  /// Starts a SHA-256 computation over no bytes.
  init()

  /// Adds bytes to the computation.
  ///
  /// - Complexity: O(`bytes.count`), about 2 GB/s where the processor has SHA instructions.
  mutating func update(_ bytes: Span<UInt8>)

  /// The SHA-256 of everything added so far; the computation can go on afterwards.
  func digest() -> Digest

  /// The SHA-256 of the bytes; there is a default.
  ///
  /// - Complexity: O(`bytes.count`).
  static func digest(of bytes: Span<UInt8>) -> Digest

  /// The XXH64 checksum (seed 0) of the bytes, which guards blocks against damage.
  ///
  /// - Complexity: O(`bytes.count`).
  static func checksum(_ bytes: Span<UInt8>) -> UInt64
}

extension ByteHasher {
  /// The SHA-256 of the bytes.
  @inlinable
  public static func digest(of bytes: Span<UInt8>) -> Digest {
    var hasher = Self()
    hasher.update(bytes)
    return hasher.digest()
  }
}
