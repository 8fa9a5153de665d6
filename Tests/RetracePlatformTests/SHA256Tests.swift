import CSHA256
import RetraceAvro
import RetracePlatform
import RetraceTestSupport
import Testing

/// Both ways in which blocks are hashed, and what is done around whole blocks.
struct SHA256Tests {
  @Test func `Both ways of hashing blocks have the published digests`() {
    // "abc", and two blocks of FIPS 180-4, with what the standard puts behind a message.
    let messages = [
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
    ]
    for (text, hex) in messages {
      let blocks = Self.padded(Array(text.utf8))
      #expect(Self.hex(Self.fold(blocks, plainly: true)) == hex)
      #expect(Self.hex(Self.fold(blocks, plainly: false)) == hex)
    }
  }

  @Test func `The processor's instructions hash random blocks as plain C does`() {
    withSeed { generator in
      for count in 1...40 {
        let blocks = (0..<count * 64).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let plain = Self.fold(blocks, plainly: true)
        #expect(Self.fold(blocks, plainly: false) == plain, "\(count) blocks")
      }
    }
  }

  @Test func `A message has the same digest in any pieces, at every length`() {
    withSeed { generator in
      let bytes = (0..<300).map { _ in UInt8.random(in: 0...255, using: &generator) }
      for count in 0...bytes.count {
        let message = Array(bytes[..<count])
        let expected = Self.hex(
          Self.fold(Self.padded(message), plainly: true))
        #expect(SHA256Hasher.digest(of: message.span).hex == expected, "\(count) bytes")
        var hasher = SHA256Hasher()
        var start = 0
        while start < count {
          let end = Int.random(in: start...min(count, start + 130), using: &generator)
          hasher.update(message.span.extracting(start..<end))
          start = end
        }
        #expect(hasher.digest().hex == expected, "\(count) bytes in pieces")
      }
    }
  }

  /// A message with its end as the standard says: a bit, zeros, and the number of bits.
  private static func padded(_ message: [UInt8]) -> [UInt8] {
    var bytes = message + [0x80]
    while bytes.count % 64 != 56 { bytes.append(0) }
    let bits = UInt64(message.count) * 8
    return bytes + (0..<8).map { UInt8(truncatingIfNeeded: bits >> UInt64(56 - 8 * $0)) }
  }

  private static func fold(_ blocks: [UInt8], plainly: Bool) -> [UInt32] {
    var state: [UInt32] = [
      0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab,
      0x5be0_cd19,
    ]
    // Unsafe: C reads and writes whole blocks and the eight words, during the call only.
    if plainly {
      unsafe retrace_sha256_blocks_plain(&state, blocks, blocks.count / 64)
    } else {
      unsafe retrace_sha256_blocks(&state, blocks, blocks.count / 64)
    }
    return state
  }

  private static func hex(_ state: [UInt32]) -> String {
    Hexadecimal.text(
      state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(24 - 8 * $0)) }
      })
  }
}
