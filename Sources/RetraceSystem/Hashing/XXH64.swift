/// The XXH64 checksum with seed 0, from its published specification.
///
/// Four lanes take 8 bytes each, 32 per round. They are merged, and the rest is taken in steps of
/// 8, 4 and 1 bytes. The checksum detects damage, not forgery.
enum XXH64 {
  // The primes of the specification: odd, with bits spread so that multiplication mixes well.
  private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
  private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
  private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
  private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
  private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

  /// Returns the checksum of the bytes.
  ///
  /// Unsafe: loads are unaligned, and each loop's condition keeps them within the count.
  static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var offset = 0
    var hash = unsafe lanes(bytes, &offset) &+ UInt64(bytes.count)
    while offset + 8 <= bytes.count {
      hash ^= round(0, unsafe load64(bytes, offset))
      hash = rotated(hash, 27) &* prime1 &+ prime4
      offset += 8
    }
    if offset + 4 <= bytes.count {
      let word = unsafe UInt32(
        littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
      hash ^= UInt64(word) &* prime1
      hash = rotated(hash, 23) &* prime2 &+ prime3
      offset += 4
    }
    while offset < bytes.count {
      hash ^= unsafe UInt64(bytes[offset]) &* prime5
      hash = rotated(hash, 11) &* prime1
      offset += 1
    }
    return avalanche(hash)
  }

  /// Takes all complete rounds of 32 bytes and merges the lanes.
  @inline(__always)
  private static func lanes(_ bytes: UnsafeRawBufferPointer, _ offset: inout Int) -> UInt64 {
    guard bytes.count >= 32 else { return prime5 }
    var lane1 = prime1 &+ prime2
    var lane2 = prime2
    var lane3: UInt64 = 0
    var lane4 = 0 &- prime1
    while offset + 32 <= bytes.count {
      lane1 = round(lane1, unsafe load64(bytes, offset))
      lane2 = round(lane2, unsafe load64(bytes, offset + 8))
      lane3 = round(lane3, unsafe load64(bytes, offset + 16))
      lane4 = round(lane4, unsafe load64(bytes, offset + 24))
      offset += 32
    }
    var hash = rotated(lane1, 1) &+ rotated(lane2, 7) &+ rotated(lane3, 12) &+ rotated(lane4, 18)
    hash = merged(hash, lane1)
    hash = merged(hash, lane2)
    hash = merged(hash, lane3)
    return merged(hash, lane4)
  }

  @inline(__always)
  private static func load64(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  @inline(__always)
  private static func rotated(_ value: UInt64, _ count: UInt64) -> UInt64 {
    value << count | value >> (64 - count)
  }

  @inline(__always)
  private static func round(_ lane: UInt64, _ input: UInt64) -> UInt64 {
    rotated(lane &+ input &* prime2, 31) &* prime1
  }

  @inline(__always)
  private static func merged(_ hash: UInt64, _ lane: UInt64) -> UInt64 {
    (hash ^ round(0, lane)) &* prime1 &+ prime4
  }

  @inline(__always)
  private static func avalanche(_ value: UInt64) -> UInt64 {
    var hash = value
    hash = (hash ^ hash >> 33) &* prime2
    hash = (hash ^ hash >> 29) &* prime3
    return hash ^ hash >> 32
  }
}
