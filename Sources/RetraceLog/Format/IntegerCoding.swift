import RetraceAvro

extension Span where Element == UInt8 {
  @usableFromInline
  @inline(__always)
  func littleEndian32(at offset: Int) -> UInt32 {
    // One bounds check makes those in the loop redundant; LLVM then emits one load.
    let bytes = extracting(offset..<offset &+ 4)
    var value: UInt32 = 0
    for index in 0..<4 { value |= UInt32(bytes[index]) << UInt32(8 * index) }
    return value
  }

  @usableFromInline
  @inline(__always)
  func littleEndian64(at offset: Int) -> UInt64 {
    let bytes = extracting(offset..<offset &+ 8)
    var value: UInt64 = 0
    for index in 0..<8 { value |= UInt64(bytes[index]) << UInt64(8 * index) }
    return value
  }
}

extension [UInt8] {
  mutating func appendLittleEndian(_ value: UInt64) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }

  mutating func setLittleEndian(_ value: UInt64, at offset: Int) {
    for index in 0..<8 {
      self[offset + index] = UInt8(truncatingIfNeeded: value >> UInt64(8 * index))
    }
  }
}

extension MutableSpan<UInt8> {
  /// Stores an unsigned variable-length integer (seven bits a byte, low bits first) and advances
  /// `offset` past it.
  @_lifetime(self: copy self)
  mutating func store(varint value: UInt64, at offset: inout Int) {
    var rest = value
    while rest >= 0x80 {
      self[offset] = UInt8(truncatingIfNeeded: rest) | 0x80
      offset &+= 1
      rest >>= 7
    }
    self[offset] = UInt8(truncatingIfNeeded: rest)
    offset &+= 1
  }
}

/// Returns the number of bytes of an unsigned variable-length integer.
func varintByteCount(_ value: UInt64) -> Int {
  // The number of significant bits divided by 7, rounded up, without a division.
  ((63 &- (value | 1).leadingZeroBitCount) &* 9 &+ 73) &>> 6
}

/// Returns the zigzag encoding of a signed number, which maps small magnitudes to small numbers.
@inlinable
@inline(__always)
func zigzag(_ value: Int64) -> UInt64 {
  UInt64(bitPattern: (value << 1) ^ (value >> 63))
}
