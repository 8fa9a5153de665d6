extension [UInt8] {
  mutating func append(copying span: Span<UInt8>) {
    append(addingCapacity: span.count) { output in
      let start = output.count
      output.append(repeating: 0, count: span.count)
      var bytes = output.mutableSpan
      bytes.store(copying: span, at: start)
    }
  }
}

// Each function for an integer checks the bounds once and stores at constant offsets, so that LLVM
// merges the stores into one instruction.
extension MutableSpan<UInt8> {
  /// Stores a little-endian 64-bit integer.
  ///
  /// - Precondition: The span has eight bytes from the offset on.
  @inlinable
  @inline(__always)
  public mutating func store(_ value: UInt64, at offset: Int) {
    precondition(
      offset >= 0 && offset <= count &- 8, "MutableSpan: 8 bytes at \(offset) are out of bounds")
    self[offset] = UInt8(truncatingIfNeeded: value)
    self[offset &+ 1] = UInt8(truncatingIfNeeded: value >> 8)
    self[offset &+ 2] = UInt8(truncatingIfNeeded: value >> 16)
    self[offset &+ 3] = UInt8(truncatingIfNeeded: value >> 24)
    self[offset &+ 4] = UInt8(truncatingIfNeeded: value >> 32)
    self[offset &+ 5] = UInt8(truncatingIfNeeded: value >> 40)
    self[offset &+ 6] = UInt8(truncatingIfNeeded: value >> 48)
    self[offset &+ 7] = UInt8(truncatingIfNeeded: value >> 56)
  }

  /// Stores a little-endian 32-bit integer.
  ///
  /// - Precondition: The span has four bytes from the offset on.
  @inlinable
  @inline(__always)
  public mutating func store(_ value: UInt32, at offset: Int) {
    precondition(
      offset >= 0 && offset <= count &- 4, "MutableSpan: 4 bytes at \(offset) are out of bounds")
    self[offset] = UInt8(truncatingIfNeeded: value)
    self[offset &+ 1] = UInt8(truncatingIfNeeded: value >> 8)
    self[offset &+ 2] = UInt8(truncatingIfNeeded: value >> 16)
    self[offset &+ 3] = UInt8(truncatingIfNeeded: value >> 24)
  }

  /// Stores the 32 bytes of a digest.
  ///
  /// - Precondition: The span has 32 bytes from the offset on.
  @inlinable
  @inline(__always)
  public mutating func store(_ digest: Digest, at offset: Int) {
    store(digest.word0, at: offset)
    store(digest.word1, at: offset &+ 8)
    store(digest.word2, at: offset &+ 16)
    store(digest.word3, at: offset &+ 24)
  }
}
