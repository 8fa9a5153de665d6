import RetraceTesting

extension SeededGenerator {
  mutating func bytes(upTo count: Int = 64) -> [UInt8] {
    (0..<Int.random(in: 0...count, using: &self)).map { _ in UInt8.random(in: 0...255, using: &self)
    }
  }

  mutating func bytesAsText() -> String { String(decoding: bytes(), as: UTF8.self) }

  /// Scalars of all planes, those that matter to terminals more often.
  mutating func scalars(upTo count: Int = 40) -> String {
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...count, using: &self) {
      let range: ClosedRange<UInt32> =
        switch UInt32.random(in: 0..<8, using: &self) {
        case 0: 0x00...0x1F
        case 1: 0x7F...0xA0
        case 2: 0x2000...0x206F
        case 3: 0xE0000...0xE0FFF
        case 4: 0x300...0x36F
        case 5: 0x1F300...0x1F9FF
        case 6: 0x20...0x7E
        default: 0x00...0x10FFFF
        }
      if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &self)) { text.append(scalar) }
    }
    return String(text)
  }
}
