import CHashes
public import RetraceHashing

/// SHA-256 of borrowed bytes with OpenSSL's libcrypto, and XXH64 with libxxhash for checksums.
///
/// ```swift
/// let fingerprint: Digest = NotesAction.schema.fingerprint(with: SHA256Hasher.self)
/// print(fingerprint, SHA256Hasher.digest(of: bytes.span))
/// ```
public struct SHA256Hasher: ByteHasher {
  private var context: SHA256_CTX

  /// Creates a hasher that has hashed no bytes.
  public init() {
    context = SHA256_CTX()
    // Unsafe: C fills the value in place.
    unsafe SHA256_Init(&context)
  }

  /// Hashes more bytes.
  ///
  /// - Complexity: O(`bytes.count`), about 2 GB/s if the processor has SHA instructions.
  public mutating func update(_ bytes: Span<UInt8>) {
    // Unsafe: C reads at most the count of bytes, while the span borrows them.
    unsafe bytes.withUnsafeBufferPointer { buffer in
      _ = unsafe SHA256_Update(&context, buffer.baseAddress, buffer.count)
    }
  }

  /// Returns the digest of the bytes so far; more bytes can follow.
  ///
  /// - Complexity: O(1).
  public func digest() -> Digest {
    var copy = self
    return copy.end()
  }

  /// Returns the SHA-256 of the bytes.
  ///
  /// - Complexity: O(`bytes.count`).
  public static func digest(of bytes: Span<UInt8>) -> Digest {
    var hasher = SHA256Hasher()
    hasher.update(bytes)
    return hasher.end()
  }

  private mutating func end() -> Digest {
    var bytes: InlineArray<32, UInt8> = .init(repeating: 0)
    var span = bytes.mutableSpan
    // Unsafe: C ends the value and writes 32 bytes into the local array.
    unsafe span.withUnsafeMutableBufferPointer { buffer in
      _ = unsafe SHA256_Final(buffer.baseAddress, &context)
    }
    return Digest(bytes.span) ?? .zero
  }

  /// Returns the XXH64 checksum of the bytes, with seed 0.
  ///
  /// - Complexity: O(`bytes.count`), several GB/s.
  public static func checksum(_ bytes: Span<UInt8>) -> UInt64 {
    // Unsafe: C reads at most the count of bytes, while the span borrows them.
    unsafe bytes.withUnsafeBytes { unsafe XXH64($0.baseAddress, $0.count, 0) }
  }
}
