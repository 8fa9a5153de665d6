import Crypto
public import RetraceAvro

/// SHA-256 over borrowed bytes, and XXH64 for checksums.
public struct SHA256Hasher: ByteHasher {
  private var state = SHA256()

  /// Starts a computation over no bytes.
  public init() {}

  /// Adds bytes.
  ///
  /// - Complexity: O(`bytes.count`), about 2 GB/s where the processor has SHA instructions.
  public mutating func update(_ bytes: Span<UInt8>) {
    // Unsafe: the hash reads the bytes during the closure only, while the span borrows them.
    unsafe bytes.withUnsafeBytes { unsafe state.update(bufferPointer: $0) }
  }

  /// The digest of what was added so far; the computation can go on afterwards.
  ///
  /// - Complexity: O(1).
  public func digest() -> RetraceAvro.Digest {
    let digest = state.finalize()
    // Unsafe: the digest is 32 bytes in place during the closure; the copy outlives it.
    return unsafe digest.withUnsafeBytes { bytes in
      let typed = unsafe bytes.assumingMemoryBound(to: UInt8.self)
      return unsafe RetraceAvro.Digest(Span(_unsafeElements: typed)) ?? .zero
    }
  }

  /// The XXH64 checksum, seed 0, of the bytes.
  ///
  /// - Complexity: O(`bytes.count`), several GB/s.
  public static func checksum(_ bytes: Span<UInt8>) -> UInt64 {
    // Unsafe: read during the closure only, within the count.
    unsafe bytes.withUnsafeBytes { unsafe XXH64.hash($0) }
  }
}
