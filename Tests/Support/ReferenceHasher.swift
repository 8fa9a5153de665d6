package import RetraceHashing

/// SHA-256 and XXH64 written a second time, slowly and plainly, so that the tests of the format do
/// not depend on the code that they check.
///
/// It is here, because this module is optimized and the tests are not.
package struct ReferenceHasher: ByteHasher {
  private var message: [UInt8] = []

  /// Creates a hasher that has read nothing.
  package init() {}

  package mutating func update(_ bytes: Span<UInt8>) {
    for index in bytes.indices { message.append(bytes[index]) }
  }

  package func digest() -> Digest {
    guard let digest = Digest(ReferenceHasher.sha256(message).span) else { fatalError("digest") }
    return digest
  }

  package static func checksum(_ bytes: Span<UInt8>) -> UInt64 {
    var copy: [UInt8] = []
    for index in bytes.indices { copy.append(bytes[index]) }
    return xxh64(copy)
  }

  /// The first 32 bits of the fractional parts of a root of the first primes.
  private static let primes: [UInt64] = {
    var found: [UInt64] = []
    var candidate: UInt64 = 2
    while found.count < 64 {
      if found.allSatisfy({ candidate % $0 != 0 }) { found.append(candidate) }
      candidate += 1
    }
    return found
  }()

  /// The 32 bits after the point of the nth root of a prime, by whole-number bisection.
  private static func fraction(of prime: UInt64, root: Int) -> UInt32 {
    // Finds the largest x with x^root <= prime * 2^(32 * root).
    var low: UInt64 = 0
    var high: UInt64 = 1 << 37
    func fits(_ x: UInt64) -> Bool {
      var left = [x]
      for _ in 1..<root { left = product(left, x) }
      var right = [prime]
      for _ in 0..<root { right.insert(0, at: 0) }
      // `right` counts digits of 32 bits, `left` too.
      return compare(digits(left), right) <= 0
    }
    while high - low > 1 {
      let middle = (low + high) / 2
      if fits(middle) { low = middle } else { high = middle }
    }
    return UInt32(truncatingIfNeeded: low)
  }

  private static func digits(_ number: [UInt64]) -> [UInt64] {
    number.count == 1 ? [number[0] & 0xffff_ffff, number[0] >> 32] : number
  }

  private static func product(_ left: [UInt64], _ right: UInt64) -> [UInt64] {
    let a = digits(left)
    let b = digits([right])
    var result = [UInt64](repeating: 0, count: a.count + b.count)
    for (i, x) in a.enumerated() {
      var carry: UInt64 = 0
      for (j, y) in b.enumerated() {
        let sum = x * y + result[i + j] + carry
        result[i + j] = sum & 0xffff_ffff
        carry = sum >> 32
      }
      result[i + b.count] += carry
    }
    return result
  }

  private static func compare(_ left: [UInt64], _ right: [UInt64]) -> Int {
    for index in stride(from: max(left.count, right.count) - 1, through: 0, by: -1) {
      let l = index < left.count ? left[index] : 0
      let r = index < right.count ? right[index] : 0
      if l != r { return l < r ? -1 : 1 }
    }
    return 0
  }

  private static let initial: [UInt32] = primes.prefix(8).map { fraction(of: $0, root: 2) }
  private static let rounds: [UInt32] = primes.map { fraction(of: $0, root: 3) }

  /// Returns the SHA-256 of bytes.
  package static func sha256(_ message: [UInt8]) -> [UInt8] {
    var padded = message
    padded.append(0x80)
    while padded.count % 64 != 56 { padded.append(0) }
    let bits = UInt64(message.count) * 8
    for shift in stride(from: 56, through: 0, by: -8) {
      padded.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift)))
    }
    func rotate(_ x: UInt32, _ n: UInt32) -> UInt32 { x >> n | x << (32 - n) }
    var hash = initial
    var w = [UInt32](repeating: 0, count: 64)
    for start in stride(from: 0, to: padded.count, by: 64) {
      for i in 0..<16 {
        w[i] = (0..<4).reduce(0) { $0 << 8 | UInt32(padded[start + 4 * i + $1]) }
      }
      for i in 16..<64 {
        let a = rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ (w[i - 15] >> 3)
        let b = rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ (w[i - 2] >> 10)
        w[i] = w[i - 16] &+ a &+ w[i - 7] &+ b
      }
      var v = hash
      for i in 0..<64 {
        let s1 = rotate(v[4], 6) ^ rotate(v[4], 11) ^ rotate(v[4], 25)
        let choice = (v[4] & v[5]) ^ (~v[4] & v[6])
        let first = v[7] &+ s1 &+ choice &+ rounds[i] &+ w[i]
        let s0 = rotate(v[0], 2) ^ rotate(v[0], 13) ^ rotate(v[0], 22)
        let majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2])
        v = [first &+ s0 &+ majority, v[0], v[1], v[2], v[3] &+ first, v[4], v[5], v[6]]
      }
      for i in 0..<8 { hash[i] = hash[i] &+ v[i] }
    }
    return hash.flatMap { word in
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
    }
  }

  /// Returns the XXH64 of bytes.
  package static func xxh64(_ input: [UInt8]) -> UInt64 {
    let p1: UInt64 = 0x9e37_79b1_85eb_ca87
    let p2: UInt64 = 0xc2b2_ae3d_27d4_eb4f
    let p3: UInt64 = 0x1656_67b1_9e37_79f9
    let p4: UInt64 = 0x85eb_ca77_c2b2_ae63
    let p5: UInt64 = 0x27d4_eb2f_1656_67c5
    func rotate(_ x: UInt64, _ n: UInt64) -> UInt64 { x << n | x >> (64 - n) }
    func read(_ at: Int, _ count: Int) -> UInt64 {
      (0..<count).reduce(0) { $0 | UInt64(input[at + $1]) << UInt64(8 * $1) }
    }
    func round(_ lane: UInt64, _ value: UInt64) -> UInt64 {
      rotate(lane &+ value &* p2, 31) &* p1
    }
    var at = 0
    var hash: UInt64
    if input.count >= 32 {
      var lanes: [UInt64] = [p1 &+ p2, p2, 0, 0 &- p1]
      while at + 32 <= input.count {
        for lane in 0..<4 { lanes[lane] = round(lanes[lane], read(at + 8 * lane, 8)) }
        at += 32
      }
      hash =
        rotate(lanes[0], 1) &+ rotate(lanes[1], 7) &+ rotate(lanes[2], 12)
        &+ rotate(lanes[3], 18)
      for lane in lanes { hash = (hash ^ round(0, lane)) &* p1 &+ p4 }
    } else {
      hash = p5
    }
    hash = hash &+ UInt64(input.count)
    while at + 8 <= input.count {
      hash = rotate(hash ^ round(0, read(at, 8)), 27) &* p1 &+ p4
      at += 8
    }
    if at + 4 <= input.count {
      hash = rotate(hash ^ (read(at, 4) &* p1), 23) &* p2 &+ p3
      at += 4
    }
    while at < input.count {
      hash = rotate(hash ^ (UInt64(input[at]) &* p5), 11) &* p1
      at += 1
    }
    hash = (hash ^ (hash >> 33)) &* p2
    hash = (hash ^ (hash >> 29)) &* p3
    return hash ^ (hash >> 32)
  }
}
