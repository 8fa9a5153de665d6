import RetraceArchitecture
import RetraceAvro
import RetraceLog
import Testing

@Suite("Blocks")
struct BlockTests {
  @Test("The reference hash functions give the published answers")
  func referenceHashes() {
    #expect(
      ReferenceHasher.digest(of: Array("abc".utf8).span).hex
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(ReferenceHasher.xxh64([]) == 0xef46_db37_51d8_e999)
    #expect(ReferenceHasher.xxh64(Array("abc".utf8)) == 0x44bc_2cf5_ad77_0999)
    #expect(
      ReferenceHasher.xxh64(Array("Nobody inspects the spammish repetition".utf8))
        == 0xfbce_a83c_8a37_8bf1)
  }

  @Test("Random records come back as they were written", arguments: 1...12)
  func roundTrip(seed: UInt64) throws {
    var dice = Dice(seed: seed)
    let count = Int.random(in: 1...600, using: &dice)
    var samples: [Sample] = []
    for sequence in 1...UInt64(count) {
      samples.append(.random(at: sequence, using: &dice))
    }
    let log = try MemoryLog.build(samples, commitEvery: 40, using: &dice)
    #expect(try log.read() == samples, "seed \(seed)")
    for block in log.blocks {
      let header = try BlockHeader(
        decoding: block.bytes.span, at: block.key, checksummedBy: ReferenceHasher.self)
      #expect(header.count == 1 || block.bytes.count <= LogFormat.blockBytes)
    }
  }

  @Test("The same records in other commits give the same bytes", arguments: 1...4)
  func commitsLeaveNoTrace(seed: UInt64) throws {
    var dice = Dice(seed: seed)
    let samples = (1...400).map { Sample.random(at: UInt64($0), using: &dice) }
    let one = try MemoryLog.build(samples, commitEvery: 3, using: &dice)
    let other = try MemoryLog.build(samples, commitEvery: 1000, using: &dice)
    #expect(one.head == other.head, "seed \(seed)")
    #expect(one.blocks.map(\.bytes) == other.blocks.map(\.bytes), "seed \(seed)")
  }

  @Test("An ordinary action inside a batch costs three bytes")
  func framing() throws {
    let nothing: [UInt8] = []
    for (payload, cost) in [(0, 3), (1, 3), (125, 3), (126, 4)] {
      let moment = Moment(microseconds: 5)
      var builder = BlockBuilder<ReferenceHasher>(
        store: sampleStore, startingAt: 1, after: .zero)
      _ = try builder.append(Envelope(session: 1, moment: moment, schema: 1), payload: nothing.span)
      _ = builder.finish()
      let before = builder.bytes.count
      let bytes = [UInt8](repeating: 7, count: payload)
      _ = try builder.append(
        Envelope(session: 1, moment: moment, schema: 1, startsBatch: false), payload: bytes.span)
      _ = builder.finish()
      #expect(builder.bytes.count - before == payload + cost)
    }
  }

  @Test("What is in front of an action is the length, the flags and the time since the one before")
  func fronts() throws {
    let payloads = [(0, true), (15, false), (120, false), (130, true), (8_000, true)]
    for delta in [0, 1, -1, 63, 64, 8_191, -8_193, 1 << 20, 1 << 26, 1 << 27, 1 << 40, .min] {
      for (length, hasEffect) in payloads {
        var builder = BlockBuilder<ReferenceHasher>(
          store: sampleStore, startingAt: 1, after: .zero)
        let payload = [UInt8](repeating: 9, count: length)
        var envelope = Envelope(session: 1, moment: Moment(microseconds: 0), schema: 1)
        _ = try builder.append(envelope, payload: payload.span)
        _ = builder.finish()
        let before = builder.bytes.count
        envelope.moment.microseconds = Int64(delta)
        envelope.startsBatch = delta == 0
        envelope.hasEffect = hasEffect
        #expect(try builder.append(envelope, payload: payload.span))
        _ = builder.finish()
        let flags: UInt64 = (delta == 0 ? 1 : 0) | (hasEffect ? 0x100 : 0)
        let zigzag = UInt64(bitPattern: Int64(delta) << 1 ^ Int64(delta) >> 63)
        let body = varint(flags) + varint(zigzag) + payload
        let record = builder.bytes.extracting(before...)
        #expect(record.indices.map { record[$0] } == varint(UInt64(body.count)) + body)
      }
    }
  }

  /// Seven bits a byte, low bits first.
  private func varint(_ value: UInt64) -> [UInt8] {
    value < 0x80 ? [UInt8(value)] : [UInt8(value & 0x7f) | 0x80] + varint(value >> 7)
  }

  @Test("A block is sealed at its size, and a long record has one of its own")
  func sealing() throws {
    var dice = Dice(seed: 3)
    let envelope = Envelope(session: 1, moment: Moment(microseconds: 0), schema: 1)
    var samples: [Sample] = []
    for (index, length) in [10, 20_000, 10, 16_282, 16_284, 16_288, 1].enumerated() {
      var copy = envelope
      copy.sequence = UInt64(index + 1)
      samples.append(Sample(envelope: copy, payload: dice.bytes(length)))
    }
    let log = try MemoryLog.build(samples, commitEvery: 1, using: &dice)
    #expect(log.blocks.map(\.key) == [1, 2, 3, 4, 5, 6, 7])
    #expect(log.blocks[3].bytes.count == 80 + 4 + 16_282)
    #expect(try log.read() == samples)
    for (second, blocks) in [(16_271, 1), (16_272, 2)] {
      let pair = [samples[0], Sample(envelope: samples[1].envelope, payload: dice.bytes(second))]
      let log = try MemoryLog.build(pair, commitEvery: 9, using: &dice)
      #expect(log.blocks.count == blocks)
      if blocks == 1 { #expect(log.blocks[0].bytes.count == LogFormat.blockBytes) }
    }
  }

  @Test("Records that no log may hold are refused and leave the block as it was")
  func refusals() throws {
    var builder = BlockBuilder<ReferenceHasher>(store: sampleStore, startingAt: 1, after: .zero)
    let good = Envelope(session: 1, moment: Moment(microseconds: 0), schema: 1)
    let one: [UInt8] = [1]
    _ = try builder.append(good, payload: one.span)
    let chain = builder.finish()
    func refuse(_ change: (inout Envelope) -> Void, payload: [UInt8] = []) -> LogError? {
      var envelope = good
      change(&envelope)
      do throws(LogError) {
        _ = try builder.append(envelope, payload: payload.span)
        return nil
      } catch {
        return error
      }
    }
    let long = [UInt8](repeating: 0, count: LogFormat.actionBytes + 1)
    #expect(
      refuse({ _ in }, payload: long)
        == .recordTooLarge(bytes: long.count, limit: LogFormat.actionBytes))
    #expect(refuse { $0.session = 0 } == .invalidEnvelope("session 0 at 2"))
    #expect(refuse { $0.session = 3 } == .invalidEnvelope("session 3 at 2"))
    #expect(refuse { $0.cause = 2 } == .invalidEnvelope("cause 2 at 2"))
    #expect(refuse { $0.cause = 0 } == .invalidEnvelope("cause 0 at 2"))
    #expect(refuse { $0.key = [] } == .invalidEnvelope("a key of 0 bytes"))
    #expect(
      refuse { $0.key = [UInt8](repeating: 0, count: 65) } == .invalidEnvelope("a key of 65 bytes"))
    #expect(builder.finish() == chain)
    #expect(builder.count == 1)
  }
}
