extension SwiftHasher {
  /// Returns the XXH64 checksum of the bytes, with seed 0.
  ///
  /// - Complexity: O(`bytes.count`).
  public static func checksum(_ bytes: Span<UInt8>) -> UInt64 {
    var offset = 0
    var sum = Prime.fifth
    if bytes.count >= 32 {
      var lanes: InlineArray<4, UInt64> = [
        Prime.first &+ Prime.second, Prime.second, 0, 0 &- Prime.first,
      ]
      while bytes.count - offset >= 32 {
        for lane in lanes.indices {
          lanes[lane] = mixed(lanes[lane], bytes.word(at: offset + 8 * lane, bytes: 8))
        }
        offset += 32
      }
      sum = rotated(lanes[0], 1) &+ rotated(lanes[1], 7) &+ rotated(lanes[2], 12)
      sum &+= rotated(lanes[3], 18)
      for lane in lanes.indices {
        sum = (sum ^ mixed(0, lanes[lane])) &* Prime.first &+ Prime.fourth
      }
    }
    sum &+= UInt64(bytes.count)
    while bytes.count - offset >= 8 {
      sum ^= mixed(0, bytes.word(at: offset, bytes: 8))
      sum = rotated(sum, 27) &* Prime.first &+ Prime.fourth
      offset += 8
    }
    if bytes.count - offset >= 4 {
      sum ^= bytes.word(at: offset, bytes: 4) &* Prime.first
      sum = rotated(sum, 23) &* Prime.second &+ Prime.third
      offset += 4
    }
    while offset < bytes.count {
      sum ^= UInt64(bytes[offset]) &* Prime.fifth
      sum = rotated(sum, 11) &* Prime.first
      offset += 1
    }
    sum = (sum ^ sum >> 33) &* Prime.second
    sum = (sum ^ sum >> 29) &* Prime.third
    return sum ^ sum >> 32
  }

  private static func mixed(_ lane: UInt64, _ word: UInt64) -> UInt64 {
    rotated(lane &+ word &* Prime.second, 31) &* Prime.first
  }
}

/// The primes of the specification.
private enum Prime {
  static var first: UInt64 { 0x9e37_79b1_85eb_ca87 }
  static var second: UInt64 { 0xc2b2_ae3d_27d4_eb4f }
  static var third: UInt64 { 0x1656_67b1_9e37_79f9 }
  static var fourth: UInt64 { 0x85eb_ca77_c2b2_ae63 }
  static var fifth: UInt64 { 0x27d4_eb2f_1656_67c5 }
}

private func rotated(_ word: UInt64, _ bits: UInt64) -> UInt64 {
  word &<< bits | word &>> (64 &- bits)
}

extension Span<UInt8> {
  /// Returns the little-endian integer of some bytes.
  fileprivate func word(at offset: Int, bytes: Int) -> UInt64 {
    var word: UInt64 = 0
    for index in 0..<bytes { word |= UInt64(self[offset + index]) &<< UInt64(8 * index) }
    return word
  }
}
