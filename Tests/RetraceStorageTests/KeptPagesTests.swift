import Retrace
import RetraceState
import RetraceSystem
import Testing

@testable import RetraceStorage

/// The pages that were read last.
@Suite struct KeptPagesTests {
  private static func key(_ number: Int) -> PageKey {
    PageKey(birth: UInt64(number % 7 + 1), table: 0, lastID: UInt32(number), level: 0)
  }

  private static func digest(_ number: Int) -> Digest {
    SHA256Hasher.digest(of: [UInt8(number)].span)
  }

  @Test func `the newest pages are kept up to the number of bytes, each for its hash only`() {
    var kept = KeptPages(bytesMax: 1_000)
    for number in 0..<200 {
      kept.keep(Array(repeating: UInt8(number), count: 100), Self.key(number), Self.digest(number))
    }
    let found = (0..<200).filter { kept.page(Self.key($0), Self.digest($0)) != nil }
    #expect(found == Array(190..<200))
    #expect(kept.page(Self.key(195), Self.digest(195)) == Array(repeating: 195, count: 100))
    #expect(kept.page(Self.key(195), Self.digest(194)) == nil)
  }

  @Test func `a page that is kept again counts once, and a page with too many bytes is not kept`() {
    var kept = KeptPages(bytesMax: 1_000)
    let page = Array(repeating: UInt8(1), count: 100)
    for number in 0..<10 { kept.keep(page, Self.key(number), Self.digest(number)) }
    for _ in 0..<50 { kept.keep(page, Self.key(9), Self.digest(9)) }
    kept.keep(Array(repeating: 2, count: 126), Self.key(10), Self.digest(10))
    let found = (0..<11).filter { kept.page(Self.key($0), Self.digest($0)) != nil }
    #expect(found == Array(0..<10))
  }
}
