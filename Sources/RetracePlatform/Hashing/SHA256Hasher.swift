import CSHA256
public import RetraceAvro

/// SHA-256 over borrowed bytes, and XXH64 for checksums.
public struct SHA256Hasher: ByteHasher {
  private var state: retrace_sha256

  /// Starts a computation over no bytes.
  public init() {
    state = retrace_sha256()
    // Unsafe: C fills the value, which is in place meanwhile.
    unsafe retrace_sha256_begin(&state)
  }

  /// Adds bytes.
  ///
  /// - Complexity: O(`bytes.count`), about 2 GB/s where the processor has SHA instructions.
  public mutating func update(_ bytes: Span<UInt8>) {
    // Unsafe: C reads the bytes within their count, while the span borrows them.
    unsafe bytes.withUnsafeBufferPointer { buffer in
      unsafe retrace_sha256_add(&state, buffer.baseAddress, buffer.count)
    }
  }

  /// The digest of what was added so far; the computation can go on afterwards.
  ///
  /// - Complexity: O(1).
  public func digest() -> Digest {
    var bytes: InlineArray<32, UInt8> = .init(repeating: 0)
    var span = bytes.mutableSpan
    // Unsafe: C reads a copy of the value and writes the 32 bytes of the local array.
    unsafe withUnsafePointer(to: state) { state in
      unsafe span.withUnsafeMutableBufferPointer { buffer in
        if let start = buffer.baseAddress { unsafe retrace_sha256_digest(state, start) }
      }
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
