import RetraceHashing
import RetraceSystem
import RetraceTesting
import Testing

struct HashingTests {
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func `SHA-256 has the published digests`(text: String, hex: String) {
    let bytes = Array(text.utf8)
    #expect(SHA256Hasher.digest(of: bytes.span).hex == hex)
    #expect(SwiftHasher.digest(of: bytes.span).hex == hex)
  }

  @Test func `SHA-256 has the published digest of a million letters, in pieces`() {
    let bytes = [UInt8](repeating: UInt8(ascii: "a"), count: 100_003)
    var hasher = SHA256Hasher()
    for start in stride(from: 0, to: 1_000_000, by: 100_003) {
      hasher.update(bytes.span.extracting(0..<min(100_003, 1_000_000 - start)))
    }
    let expected = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    #expect(hasher.digest().hex == expected)
  }

  @Test func `SHA-256 of a message is the same in any pieces, at every length`() {
    withSeed { generator in
      let bytes = (0..<300).map { _ in UInt8.random(in: 0...255, using: &generator) }
      for count in 0...bytes.count {
        let whole = SHA256Hasher.digest(of: bytes.span.extracting(0..<count))
        var hasher = SHA256Hasher()
        var start = 0
        while start < count {
          let end = Int.random(in: start...min(count, start + 130), using: &generator)
          hasher.update(bytes.span.extracting(start..<end))
          start = end
        }
        #expect(hasher.digest() == whole, "\(count) bytes in pieces")
      }
    }
  }

  @Test func `The hasher in Swift gives what the one in C gives, in any pieces, at every length`() {
    withSeed { generator in
      let bytes = (0..<300).map { _ in UInt8.random(in: 0...255, using: &generator) }
      for count in 0...bytes.count {
        let span = bytes.span.extracting(0..<count)
        let middle = Int.random(in: 0...count, using: &generator)
        var hasher = SwiftHasher()
        hasher.update(span.extracting(0..<middle))
        #expect(hasher.digest() == SHA256Hasher.digest(of: span.extracting(0..<middle)))
        hasher.update(span.extracting(middle..<count))
        #expect(hasher.digest() == SHA256Hasher.digest(of: span), "\(count) bytes")
        #expect(SwiftHasher.checksum(span) == SHA256Hasher.checksum(span), "\(count) bytes")
      }
    }
  }

  @Test func `A digest of a prefix leaves the computation as it was`() {
    let bytes = Array("abc".utf8)
    var hasher = SHA256Hasher()
    hasher.update(bytes.span.extracting(0..<1))
    let prefix = hasher.digest()
    let copy = hasher
    hasher.update(bytes.span.extracting(1..<3))
    #expect(hasher.digest() == SHA256Hasher.digest(of: bytes.span))
    #expect(prefix == SHA256Hasher.digest(of: bytes.span.extracting(0..<1)))
    #expect(copy.digest() == prefix)
  }

  @Test(
    arguments: [
      ("", 0xef46_db37_51d8_e999), ("a", 0xd24e_c4f1_a98c_6e5b), ("abc", 0x44bc_2cf5_ad77_0999),
      ("Nobody inspects the spammish repetition", 0xfbce_a83c_8a37_8bf1),
    ] as [(String, UInt64)])
  func `XXH64 has the published checksums`(text: String, checksum: UInt64) {
    let bytes = Array(text.utf8)
    #expect(SHA256Hasher.checksum(bytes.span) == checksum)
    #expect(SwiftHasher.checksum(bytes.span) == checksum)
  }

  @Test func `XXH64 equals a byte-wise reading of its specification at every length`() {
    var generator = SeededGenerator(seed: 1)
    let bytes = (0..<200).map { _ in UInt8.random(in: 0...255, using: &generator) }
    for start in 0..<9 {
      for count in 0...(bytes.count - start) {
        let span = bytes.span.extracting(start..<start + count)
        let expected = PlainXXH64.hash(Array(bytes[start..<start + count]))
        #expect(SHA256Hasher.checksum(span) == expected, "start \(start), count \(count)")
      }
    }
  }

  @Test func `Any changed bit changes the checksum`() {
    var bytes = [UInt8](0..<77)
    let checksum = SHA256Hasher.checksum(bytes.span)
    for bit in 0..<(bytes.count * 8) {
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(SHA256Hasher.checksum(bytes.span) != checksum, "bit \(bit)")
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
    }
  }
}

/// XXH64 with seed 0 in the words of its specification, one byte at a time.
private enum PlainXXH64 {
  static let primes: [UInt64] = [
    0, 11_400_714_785_074_694_791, 14_029_467_366_897_019_727, 1_609_587_929_392_839_161,
    9_650_029_242_287_828_579, 2_870_177_450_012_600_261,
  ]

  static func hash(_ input: [UInt8]) -> UInt64 {
    var rest = input[...]
    var result: UInt64
    if input.count < 32 {
      result = primes[5]
    } else {
      var lanes = [primes[1] &+ primes[2], primes[2], 0, 0 &- primes[1]]
      while rest.count >= 32 {
        for lane in 0..<4 { lanes[lane] = round(lanes[lane], number(&rest, 8)) }
      }
      result = zip(lanes, [1, 7, 12, 18]).reduce(0) { $0 &+ left($1.0, $1.1) }
      for lane in lanes { result = (result ^ round(0, lane)) &* primes[1] &+ primes[4] }
    }
    result &+= UInt64(input.count)
    while !rest.isEmpty {
      if rest.count >= 8 {
        result = left(result ^ round(0, number(&rest, 8)), 27) &* primes[1] &+ primes[4]
      } else if rest.count >= 4 {
        result = left(result ^ number(&rest, 4) &* primes[1], 23) &* primes[2] &+ primes[3]
      } else {
        result = left(result ^ number(&rest, 1) &* primes[5], 11) &* primes[1]
      }
    }
    result = (result ^ (result >> 33)) &* primes[2]
    result = (result ^ (result >> 29)) &* primes[3]
    return result ^ (result >> 32)
  }

  private static func round(_ lane: UInt64, _ value: UInt64) -> UInt64 {
    left(lane &+ value &* primes[2], 31) &* primes[1]
  }

  private static func left(_ value: UInt64, _ count: Int) -> UInt64 {
    (value << UInt64(count)) | (value >> UInt64(64 - count))
  }

  private static func number(_ rest: inout ArraySlice<UInt8>, _ count: Int) -> UInt64 {
    var value: UInt64 = 0
    for index in 0..<count { value += UInt64(rest.removeFirst()) << UInt64(8 * index) }
    return value
  }
}
