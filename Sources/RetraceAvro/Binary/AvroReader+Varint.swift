extension AvroReader {
  /// Reads an integer that is not one byte long, or throws.
  ///
  /// The most common case is two or three bytes, the size of most entity ids.
  @usableFromInline
  @_lifetime(self: copy self)
  mutating func multiByteVarint() throws(AvroError) -> UInt64 {
    let start = position
    let left = bytes.extracting(start...)
    if left.count > 1 {
      // Without a branch, because the length is unpredictable.
      let (first, second) = (UInt64(left[0]), UInt64(left[1]))
      let third = UInt64(left[left.count > 2 ? 2 : 1])
      let isTwo = second < 0x80
      let last = isTwo ? second : third
      if last &- 1 < 0x7f {
        position = start &+ (isTwo ? 2 : 3)
        return first & 0x7f | (second & 0x7f) &<< 7 | (isTwo ? 0 : third) &<< 14
      }
    }
    return try wordVarint()
  }

  /// Reads an integer of up to eight bytes from one word, if eight bytes are left.
  ///
  /// The microseconds of a recorded moment take eight bytes.
  @inline(never)
  @_lifetime(self: copy self)
  private mutating func wordVarint() throws(AvroError) -> UInt64 {
    let start = position
    let rest = bytes.extracting(start...)
    guard rest.count >= 8 else { return try bytewiseVarint() }
    let low =
      UInt64(rest[0]) | UInt64(rest[1]) &<< 8 | UInt64(rest[2]) &<< 16 | UInt64(rest[3]) &<< 24
    let high =
      UInt64(rest[4]) | UInt64(rest[5]) &<< 8 | UInt64(rest[6]) &<< 16 | UInt64(rest[7]) &<< 24
    let word = low | high &<< 32
    // The high bit is clear in the integer's last byte and set in the bytes before it.
    let ends = ~word & 0x8080_8080_8080_8080
    if ends == 0 { return try bytewiseVarint() }
    let length = ends.trailingZeroBitCount / 8 + 1
    if length > 1 && rest[length - 1] == 0 { throw AvroError(.notCanonical, at: start, "integer") }
    // Joins the groups of seven bits: pairs, then fours, then all eight.
    var value = word & (ends ^ (ends &- 1)) & 0x7f7f_7f7f_7f7f_7f7f
    value = value & 0x007f_007f_007f_007f | (value & 0x7f00_7f00_7f00_7f00) &>> 1
    value = value & 0x0000_3fff_0000_3fff | (value & 0x3fff_0000_3fff_0000) &>> 2
    value = value & 0x0000_0000_0fff_ffff | (value & 0x0fff_ffff_0000_0000) &>> 4
    position = start &+ length
    return value
  }

  /// Reads an integer byte by byte: near the end of the bytes, or longer than eight bytes.
  @inline(never)
  @_lifetime(self: copy self)
  private mutating func bytewiseVarint() throws(AvroError) -> UInt64 {
    let start = position
    let rest = bytes.extracting(position...)
    var value: UInt64 = 0
    var shift: UInt64 = 0
    for index in rest.indices {
      let next = rest[index]
      if shift == 63 && next > 1 { throw AvroError(.outOfRange, at: start, "integer") }
      value |= UInt64(next & 0x7f) &<< shift
      if next < 0x80 {
        if next == 0 && shift > 0 { throw AvroError(.notCanonical, at: start, "integer") }
        position = start + index + 1
        return value
      }
      shift &+= 7
    }
    throw AvroError(.truncated, at: bytes.count)
  }
}
