/// Puts scalars together from bytes that are 0x80 or higher; what is not UTF-8 is dropped.
struct UTF8Decoder: Sendable {
  private var value: UInt32 = 0
  private var lowest: UInt32 = 0
  private var missing = 0

  var isPending: Bool { missing > 0 }

  mutating func reset() { missing = 0 }

  /// Takes a byte and answers the scalar that it completes.
  mutating func take(_ byte: UInt8) -> Unicode.Scalar? {
    switch byte {
    case 0x80...0xBF:
      guard missing > 0 else { return nil }
      value = value << 6 | UInt32(byte & 0x3F)
      missing -= 1
      guard missing == 0, value >= lowest else { return nil }
      return Unicode.Scalar(value)
    case 0xC2...0xDF: begin(UInt32(byte & 0x1F), missing: 1, lowest: 0x80)
    case 0xE0...0xEF: begin(UInt32(byte & 0x0F), missing: 2, lowest: 0x800)
    case 0xF0...0xF4: begin(UInt32(byte & 0x07), missing: 3, lowest: 0x10000)
    default: missing = 0
    }
    return nil
  }

  private mutating func begin(_ bits: UInt32, missing: Int, lowest: UInt32) {
    value = bits
    self.missing = missing
    self.lowest = lowest
  }
}
