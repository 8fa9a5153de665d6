extension MutableSpan<UInt8> {
  /// Stores a copy of `bytes` from an offset on.
  ///
  /// Copies in steps of 32 bytes. A copy of 8 to 31 bytes is two steps that may overlap, and a
  /// shorter one is a loop over the bytes.
  ///
  /// - Parameters:
  ///   - bytes: The bytes to copy.
  ///   - start: The offset of the first byte.
  /// - Complexity: O(`bytes.count`).
  /// - Precondition: The span has `bytes.count` bytes from `start` on.
  @inlinable
  @inline(__always)
  @_lifetime(self: copy self)
  public mutating func store(copying bytes: Span<UInt8>, at start: Int) {
    // The last step ends at the last byte and may overlap the one before. So most short copies take
    // the same number of steps, and the branch predictor predicts that number.
    let last = bytes.count &- 32
    guard last >= 0 else { return store(copyingFew: bytes, at: start) }
    var offset = 0
    while offset < last {
      storeThirtyTwo(bytes, from: offset, at: start &+ offset)
      offset &+= 32
    }
    storeThirtyTwo(bytes, from: last, at: start &+ last)
  }

  /// Stores fewer than 32 bytes.
  @inlinable
  @inline(never)
  @_lifetime(self: copy self)
  mutating func store(copyingFew bytes: Span<UInt8>, at start: Int) {
    if bytes.count >= 16 {
      storeSixteen(bytes, from: 0, at: start)
      storeSixteen(bytes, from: bytes.count &- 16, at: start &+ bytes.count &- 16)
    } else if bytes.count >= 8 {
      storeEight(bytes, from: 0, at: start)
      storeEight(bytes, from: bytes.count &- 8, at: start &+ bytes.count &- 8)
    } else {
      for index in bytes.indices { self[start &+ index] = bytes[index] }
    }
  }

  // Each of these functions has one bounds check and loads all bytes into registers before it
  // stores them.

  @inlinable
  @inline(__always)
  @_lifetime(self: copy self)
  mutating func storeThirtyTwo(_ bytes: Span<UInt8>, from: Int, at offset: Int) {
    precondition(
      offset >= 0 && offset <= count &- 32, "MutableSpan: 32 bytes at \(offset) are out of bounds")
    let source = bytes.extracting(from..<from &+ 32)
    var low = SIMD16<UInt8>()
    var high = SIMD16<UInt8>()
    for index in 0..<16 { low[index] = source[index] }
    for index in 0..<16 { high[index] = source[16 &+ index] }
    for index in 0..<16 { self[offset &+ index] = low[index] }
    for index in 0..<16 { self[offset &+ 16 &+ index] = high[index] }
  }

  @inlinable
  @inline(__always)
  @_lifetime(self: copy self)
  mutating func storeSixteen(_ bytes: Span<UInt8>, from: Int, at offset: Int) {
    precondition(
      offset >= 0 && offset <= count &- 16, "MutableSpan: 16 bytes at \(offset) are out of bounds")
    let source = bytes.extracting(from..<from &+ 16)
    var register = SIMD16<UInt8>()
    for index in 0..<16 { register[index] = source[index] }
    for index in 0..<16 { self[offset &+ index] = register[index] }
  }

  @inlinable
  @inline(__always)
  @_lifetime(self: copy self)
  mutating func storeEight(_ bytes: Span<UInt8>, from: Int, at offset: Int) {
    precondition(
      offset >= 0 && offset <= count &- 8, "MutableSpan: 8 bytes at \(offset) are out of bounds")
    let source = bytes.extracting(from..<from &+ 8)
    var register = SIMD8<UInt8>()
    for index in 0..<8 { register[index] = source[index] }
    for index in 0..<8 { self[offset &+ index] = register[index] }
  }
}
