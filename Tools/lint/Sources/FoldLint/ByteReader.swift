/// Reads little-endian integers from bytes in order.
///
/// A read past the end returns 0 and stays at the end: the caller checks ``isAtEnd``, and a damaged
/// object file makes no sense but does no harm.
struct ByteReader {
  let bytes: [UInt8]
  var offset: Int
  let end: Int

  init(_ bytes: [UInt8], from offset: Int = 0, to end: Int? = nil) {
    self.bytes = bytes
    self.end = min(max(0, end ?? bytes.count), bytes.count)
    self.offset = min(max(0, offset), self.end)
  }

  var isAtEnd: Bool { offset >= end }

  mutating func integer(_ size: Int) -> Int {
    guard size <= end - offset else {
      offset = end
      return 0
    }
    var value: UInt64 = 0
    for place in 0..<size { value |= UInt64(bytes[offset + place]) << UInt64(8 * place) }
    offset += size
    return Int(truncatingIfNeeded: value)
  }

  mutating func byte() -> Int { integer(1) }

  mutating func skip(_ count: Int) { offset = min(end, offset + max(0, count)) }

  mutating func unsigned() -> Int {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while !isAtEnd {
      let byte = UInt64(self.byte())
      if shift < 64 { value |= (byte & 0x7f) << shift }
      shift += 7
      if byte & 0x80 == 0 { break }
    }
    return Int(truncatingIfNeeded: value)
  }

  mutating func signed() -> Int {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while !isAtEnd {
      let byte = UInt64(self.byte())
      if shift < 64 { value |= (byte & 0x7f) << shift }
      shift += 7
      if byte & 0x80 == 0 {
        if byte & 0x40 != 0, shift < 64 { value |= ~0 << shift }
        break
      }
    }
    return Int(truncatingIfNeeded: value)
  }

  mutating func string() -> String {
    let start = offset
    while offset < end, bytes[offset] != 0 { offset += 1 }
    defer { skip(1) }
    return String(decoding: bytes[start..<offset], as: UTF8.self)
  }
}
