import RetraceAvro

extension Span where Element == UInt8 {
  /// The 32 bits that start at an offset, little end first.
  @usableFromInline
  func littleEndian32(at offset: Int) -> UInt32 {
    precondition(offset >= 0 && offset <= count &- 4, "Span: 4 bytes at \(offset)")
    var value: UInt32 = 0
    for index in 0..<4 { value |= UInt32(self[offset &+ index]) << UInt32(8 * index) }
    return value
  }

  /// The 64 bits that start at an offset, little end first.
  @usableFromInline
  func littleEndian64(at offset: Int) -> UInt64 {
    // One check, by which the eight of the loop go away, and the loop becomes one load.
    precondition(offset >= 0 && offset <= count &- 8, "Span: 8 bytes at \(offset)")
    var value: UInt64 = 0
    for index in 0..<8 { value |= UInt64(self[offset &+ index]) << UInt64(8 * index) }
    return value
  }
}

extension [UInt8] {
  /// Appends 64 bits, little end first.
  mutating func appendLittleEndian(_ value: UInt64) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }

  /// Replaces 32 bits, little end first.
  mutating func setLittleEndian(_ value: UInt32, at offset: Int) {
    for index in 0..<4 {
      self[offset + index] = UInt8(truncatingIfNeeded: value >> UInt32(8 * index))
    }
  }

  /// Replaces 64 bits, little end first.
  mutating func setLittleEndian(_ value: UInt64, at offset: Int) {
    for index in 0..<8 {
      self[offset + index] = UInt8(truncatingIfNeeded: value >> UInt64(8 * index))
    }
  }

  /// Appends an unsigned variable-length integer: seven bits a byte, low bits first.
  mutating func appendVarint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }

  /// Appends borrowed bytes.
  mutating func append(copying span: Span<UInt8>) {
    append(addingCapacity: span.count) { output in output.append(copying: span) }
  }
}

extension OutputSpan<UInt8> {
  /// Appends an unsigned variable-length integer: seven bits a byte, low bits first.
  @_lifetime(self: copy self)
  mutating func append(varint value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }

  /// Appends borrowed bytes, eight at a time.
  @_lifetime(self: copy self)
  mutating func append(copying span: Span<UInt8>) {
    let start = self.count
    append(repeating: 0, count: span.count)
    var copy = mutableSpan
    var offset = 0
    while offset &+ 8 <= span.count {
      copy.store(span.littleEndian64(at: offset), at: start &+ offset)
      offset &+= 8
    }
    while offset < span.count {
      copy[start &+ offset] = span[offset]
      offset &+= 1
    }
  }
}

/// The number of bytes of an unsigned variable-length integer.
func varintBytes(_ value: UInt64) -> Int {
  max(1, (64 - value.leadingZeroBitCount + 6) / 7)
}

/// The zigzag form of a signed number, in which small magnitudes are small.
func zigzag(_ value: Int64) -> UInt64 {
  UInt64(bitPattern: (value << 1) ^ (value >> 63))
}
