import RetraceArchitecture
import RetraceAvro
import RetraceLog
import Testing
import ToolTestSupport

@Suite("The chain")
struct ChainTests {
  /// The definition of the format, written down a second time.
  private func chain(at sequence: UInt64, in log: MemoryLog) -> Digest {
    var before = [UInt8](repeating: 0, count: 32)
    for block in log.blocks {
      let bytes = block.bytes
      var end = 80
      let count = (0..<4).reduce(0) { $0 | Int(bytes[12 + $1]) << (8 * $1) }
      for index in 0..<count {
        var length = 0
        var shift = 0
        while true {
          let byte = bytes[end]
          end += 1
          length |= Int(byte & 0x7f) << shift
          shift += 7
          if byte < 0x80 { break }
        }
        end += length
        if block.key + UInt64(index) == sequence { break }
      }
      var message = before + sampleStore.bytes + [bytes[8]]
      message += bytes[24..<32] + bytes[32..<40] + bytes[40..<48] + bytes[20..<24]
      message += bytes[80..<end]
      before = ReferenceHasher.sha256(message)
      if sequence < block.key + UInt64(count) { break }
    }
    guard let digest = Digest(before.span) else { fatalError("digest") }
    return digest
  }

  @Test("Every link equals the definition computed from the bytes", arguments: 20...22)
  func recomputed(seed: UInt64) throws {
    var dice = Dice(seed: seed)
    let samples = (1...300).map { Sample.random(at: UInt64($0), using: &dice) }
    let log = try MemoryLog.build(samples, commitEvery: 10, using: &dice)
    #expect(log.blocks.count > 1)
    #expect(chain(at: 300, in: log) == log.head.chain, "seed \(seed)")
    for _ in 0..<20 {
      let sequence = UInt64.random(in: 1...300, using: &dice)
      let block = try #require(log.blocks.last { $0.key <= sequence })
      let header = try BlockHeader(decoding: block.bytes.span, at: block.key)
      let found = try ChainHasher<ReferenceHasher>.chain(
        at: sequence, in: block.bytes.span, header: header, of: sampleStore)
      #expect(found == chain(at: sequence, in: log), "seed \(seed), record \(sequence)")
    }
  }

  @Test("A record of another store, or another record, has another chain")
  func distinct() throws {
    var dice = Dice(seed: 5)
    let sample = Sample.random(at: 1, using: &dice)
    func chain(_ store: StoreID, _ sample: Sample) throws -> Digest {
      var builder = BlockBuilder<ReferenceHasher>(store: store, startingAt: 1, after: .zero)
      _ = try builder.append(sample.envelope, payload: sample.payload.span)
      return builder.finish()
    }
    var other = sample
    other.payload.append(1)
    let plain = try chain(sampleStore, sample)
    #expect(try chain(StoreID(1, 2), sample) != plain)
    #expect(try chain(sampleStore, other) != plain)
    #expect(try chain(sampleStore, sample) == plain)
  }

  @Test("A store's identity survives its two written forms")
  func identity() throws {
    #expect(StoreID(sampleStore.bytes.span) == sampleStore)
    #expect(StoreID(hex: sampleStore.hex) == sampleStore)
    #expect(StoreID(hex: "zz") == nil)
    #expect(StoreID([1, 2].span) == nil)
  }
}
