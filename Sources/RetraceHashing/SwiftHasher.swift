/// SHA-256 and XXH64 in Swift alone, for a fold without C, such as one in a browser.
///
/// It takes several times as long as the functions in C, and gives the same digests.
///
/// ```swift
/// print(SwiftHasher.digest(of: bytes.span), SwiftHasher.checksum(bytes.span))
/// ```
public struct SwiftHasher: ByteHasher {
  /// The eight words of the hash after the blocks so far.
  private var words: InlineArray<8, UInt32> = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a,
    0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
  ]
  /// The bytes of the block that is not full yet.
  private var block: InlineArray<64, UInt8> = InlineArray(repeating: 0)
  private var count: UInt64 = 0

  /// Creates a hasher that has hashed no bytes.
  public init() {}

  /// Hashes more bytes.
  ///
  /// - Complexity: O(`bytes.count`).
  public mutating func update(_ bytes: Span<UInt8>) {
    var offset = 0
    while offset < bytes.count, count % 64 != 0 {
      append(bytes[offset])
      offset += 1
    }
    // Whole blocks are not copied.
    while bytes.count - offset >= 64 {
      Self.compress(bytes.extracting(offset..<offset + 64), into: &words)
      count &+= 64
      offset += 64
    }
    while offset < bytes.count {
      append(bytes[offset])
      offset += 1
    }
  }

  /// Returns the digest of the bytes so far; more bytes can follow.
  ///
  /// - Complexity: O(1).
  public func digest() -> Digest {
    var last = self
    last.append(0x80)
    while last.count % 64 != 56 { last.append(0) }
    let bits = count &* 8
    for shift in stride(from: UInt64(56), through: 0, by: -8) {
      last.append(UInt8(truncatingIfNeeded: bits >> shift))
    }
    return last.writtenWords
  }

  private mutating func append(_ byte: UInt8) {
    block[Int(count % 64)] = byte
    count &+= 1
    if count % 64 == 0 { Self.compress(block.span, into: &words) }
  }

  /// The words as a digest, in which each begins with its highest byte.
  private var writtenWords: Digest {
    func pair(_ index: Int) -> UInt64 {
      UInt64(words[index].byteSwapped) | UInt64(words[index + 1].byteSwapped) << 32
    }
    return Digest(word0: pair(0), word1: pair(2), word2: pair(4), word3: pair(6))
  }

  /// Hashes a block of 64 bytes.
  private static func compress(_ block: Span<UInt8>, into words: inout InlineArray<8, UInt32>) {
    // The word that the round adds, and those of the next 15 rounds; first those of the block.
    var schedule: InlineArray<16, UInt32> = InlineArray(repeating: 0)
    for index in 0..<64 {
      schedule[index / 4] = schedule[index / 4] << 8 | UInt32(block[index])
    }
    let constants = Self.constants
    var (a, b, c, d) = (words[0], words[1], words[2], words[3])
    var (e, f, g, h) = (words[4], words[5], words[6], words[7])
    for round in 0..<64 {
      let word = schedule[round & 15]
      let choice = e & f ^ ~e & g
      let majority = a & b ^ a & c ^ b & c
      let mixed = h &+ (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) &+ choice
      let first = mixed &+ constants[round] &+ word
      let second = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) &+ majority
      (h, g, f, e) = (g, f, e, d &+ first)
      (d, c, b, a) = (c, b, a, first &+ second)
      let (early, late) = (schedule[(round + 1) & 15], schedule[(round + 14) & 15])
      let added = rotated(early, 7) ^ rotated(early, 18) ^ early >> 3
      let other = rotated(late, 17) ^ rotated(late, 19) ^ late >> 10
      schedule[round & 15] = word &+ added &+ schedule[(round + 9) & 15] &+ other
    }
    words[0] &+= a
    words[1] &+= b
    words[2] &+= c
    words[3] &+= d
    words[4] &+= e
    words[5] &+= f
    words[6] &+= g
    words[7] &+= h
  }

  private static let constants: InlineArray<64, UInt32> = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5,
    0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3,
    0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc,
    0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
    0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13,
    0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3,
    0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5,
    0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208,
    0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
  ]
}

@inline(__always)
private func rotated(_ word: UInt32, _ bits: UInt32) -> UInt32 {
  word &>> bits | word &<< (32 &- bits)
}
