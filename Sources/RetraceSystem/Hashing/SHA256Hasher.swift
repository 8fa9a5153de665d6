import CCrypto
public import RetraceAvro

/// SHA-256 over borrowed bytes, by OpenSSL's libcrypto, and XXH64 for checksums.
public struct SHA256Hasher: ByteHasher {
  private var context: SHA256_CTX

  /// Starts a computation over no bytes.
  public init() {
    context = SHA256_CTX()
    // Unsafe: C fills the value, which is in place meanwhile.
    unsafe SHA256_Init(&context)
  }

  /// Adds bytes.
  ///
  /// - Complexity: O(`bytes.count`), about 2 GB/s where the processor has SHA instructions.
  public mutating func update(_ bytes: Span<UInt8>) {
    // Unsafe: C reads the bytes within their count, while the span borrows them.
    unsafe bytes.withUnsafeBufferPointer { buffer in
      _ = unsafe SHA256_Update(&context, buffer.baseAddress, buffer.count)
    }
  }

  /// The digest of what was added so far; the computation can go on afterwards.
  ///
  /// - Complexity: O(1).
  public func digest() -> Digest {
    var copy = self
    return copy.end()
  }

  /// The SHA-256 of the bytes, by one computation that nobody goes on with.
  ///
  /// - Complexity: O(`bytes.count`).
  public static func digest(of bytes: Span<UInt8>) -> Digest {
    var hasher = SHA256Hasher()
    hasher.update(bytes)
    return hasher.end()
  }

  /// Ends the computation.
  private mutating func end() -> Digest {
    var bytes: InlineArray<32, UInt8> = .init(repeating: 0)
    var span = bytes.mutableSpan
    // Unsafe: C ends the value and writes the 32 bytes of the local array.
    unsafe span.withUnsafeMutableBufferPointer { buffer in
      _ = unsafe SHA256_Final(buffer.baseAddress, &context)
    }
    return Digest(bytes.span) ?? .zero
  }

  /// The XXH64 checksum, seed 0, of the bytes.
  ///
  /// - Complexity: O(`bytes.count`), several GB/s.
  public static func checksum(_ bytes: Span<UInt8>) -> UInt64 {
    // Unsafe: read during the closure only, within the count.
    unsafe bytes.withUnsafeBytes { unsafe XXH64.hash($0) }
  }
}
