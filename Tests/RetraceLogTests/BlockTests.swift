import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceState
import RetraceSystem
import Testing
import ToolTestSupport

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
      #expect(header.count == 1 || block.bytes.count <= LogFormat.blockBytesMax)
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

  @Test("An action is preceded by its length, its flags and the time since the previous record")
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
        #expect([UInt8](record) == varint(UInt64(body.count)) + body)
      }
    }
  }

  @Test("A short hash and a real time take the bytes that the format says")
  func fieldsOfVersion3() throws {
    let envelope = Envelope(
      session: 1, moment: Moment(microseconds: 5), schema: 1, startsBatch: false)
    let hash = try #require(Digest(hex: "01020304" + String(repeating: "ff", count: 28)))
    /// Returns the bytes of a second record.
    func record(_ change: (inout Envelope) -> Void) throws -> [UInt8] {
      var builder = BlockBuilder<ReferenceHasher>(store: sampleStore, startingAt: 1, after: .zero)
      _ = try builder.append(envelope, payload: [9].span)
      _ = builder.finish()
      let before = builder.bytes.count
      var changed = envelope
      change(&changed)
      _ = try builder.append(changed, payload: [9].span)
      _ = builder.finish()
      let bytes = builder.bytes.extracting(before...)
      return [UInt8](bytes)
    }
    #expect(try record { $0.hasEffect = false } == [3, 0, 0, 9])
    #expect(
      try record { $0.recordedHash = RecordedStateHash(shortOf: hash) }
        == [8, 0x80, 8, 0, 1, 2, 3, 4, 9])
    #expect(
      try record { $0.realTime = Moment(microseconds: 4) } == [5, 0x80, 4, 0, 1, 9])
    #expect(try record { $0.realTime = $0.moment } == [5, 0x80, 4, 0, 0, 9])
  }

  /// Seven bits a byte, low bits first.
  private func varint(_ value: UInt64) -> [UInt8] {
    value < 0x80 ? [UInt8(value)] : [UInt8(value & 0x7f) | 0x80] + varint(value >> 7)
  }

  @Test(
    "Actions appended together take the same bytes as actions appended one by one", arguments: 1...6
  )
  func furtherActions(seed: UInt64) throws {
    var dice = Dice(seed: seed)
    let payloads = (0..<900).map { _ in
      dice.bytes(dice.chance(30) ? Int.random(in: 100...17_000, using: &dice) : 20)
    }
    var envelope = Envelope(session: 1, moment: Moment(microseconds: 7), schema: 1)
    var one = BlockBuilder<ReferenceHasher>(store: sampleStore, startingAt: 1, after: .zero)
    var blocks: [[UInt8]] = []
    for payload in payloads {
      if try !one.append(envelope, payload: payload.span) {
        blocks.append(finished(&one))
        one.startNext()
        _ = try one.append(envelope, payload: payload.span)
      }
      envelope.startsBatch = false
    }
    blocks.append(finished(&one))

    let encoded = payloads.flatMap { payload in
      (0..<4).map { UInt8(truncatingIfNeeded: payload.count >> (8 * $0)) } + payload
    }
    var other = BlockBuilder<ReferenceHasher>(store: sampleStore, startingAt: 1, after: .zero)
    var others: [[UInt8]] = []
    var (offset, count) = (0, 0)
    envelope.startsBatch = true
    while count < payloads.count {
      let range = offset + 4..<offset + 4 + payloads[count].count
      if try !other.append(envelope, payload: encoded.span.extracting(range)) {
        others.append(finished(&other))
        other.startNext()
        _ = try other.append(envelope, payload: encoded.span.extracting(range))
      }
      envelope.startsBatch = false
      offset = range.upperBound
      let limit = dice.chance(4) ? Int.random(in: 0...9, using: &dice) : .max
      let sparing = dice.chance(3)
      let appended = other.append(
        further: encoded.span, at: &offset, leavingLast: sparing, limit: limit, envelope)
      #expect(appended <= limit)
      count += 1 + appended
      if sparing && range.upperBound < encoded.count { #expect(offset < encoded.count) }
    }
    others.append(finished(&other))
    #expect(others == blocks, "seed \(seed)")
  }

  @Test("A record that needs more fields than a continuation of its batch is not appended as one")
  func furtherRefusals() throws {
    let plain = Envelope(
      session: 1, moment: Moment(microseconds: 7), schema: 1, startsBatch: false)
    let actions: [UInt8] = [1, 0, 0, 0, 9, 200, 0, 0, 0, 9]
    var builder = BlockBuilder<ReferenceHasher>(store: sampleStore, startingAt: 1, after: .zero)
    func appended(_ change: (inout Envelope) -> Void = { _ in }) -> Int {
      var envelope = plain
      var offset = 0
      change(&envelope)
      return builder.append(further: actions.span, at: &offset, envelope)
    }
    #expect(appended() == 0)
    _ = try builder.append(plain, payload: actions.span)
    #expect(appended { $0.startsBatch = true } == 0)
    #expect(appended { $0.hasEffect = true } == 0)
    #expect(appended { $0.moment.microseconds += 1 } == 0)
    #expect(appended { $0.schema = 2 } == 0)
    #expect(appended { $0.kind = .clockJumped } == 0)
    #expect(appended { $0.cause = 1 } == 0)
    #expect(appended { $0.key = [1] } == 0)
    #expect(appended { $0.stateHash = .zero } == 0)
    #expect(appended { $0.recordedHash = .short(0) } == 0)
    #expect(appended { $0.realTime = $0.moment } == 0)
    #expect(builder.recordCount == 1)
    // The second says that it is longer than what is there.
    #expect(appended() == 1)
    #expect(builder.recordCount == 2)
  }

  private func finished(_ builder: inout BlockBuilder<ReferenceHasher>) -> [UInt8] {
    _ = builder.finish()
    let bytes = builder.bytes
    return [UInt8](bytes)
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
      if blocks == 1 { #expect(log.blocks[0].bytes.count == LogFormat.blockBytesMax) }
    }
  }

  @Test("A block is hashed and checked once for what was appended, however often it is finished")
  func finishedOnce() throws {
    var builder = BlockBuilder<CountingHasher>(store: sampleStore, startingAt: 1, after: .zero)
    var reference = BlockBuilder<ReferenceHasher>(store: sampleStore, startingAt: 1, after: .zero)
    let envelope = Envelope(session: 1, moment: Moment(microseconds: 0), schema: 1)
    let payload: [UInt8] = [1, 2, 3]
    for count in 1...3 {
      _ = try builder.append(envelope, payload: payload.span)
      _ = try reference.append(envelope, payload: payload.span)
      let chain = reference.finish()
      for _ in 0..<3 { #expect(builder.finish() == chain) }
      #expect(CountingHasher.checksums.withLock { $0 } == count)
    }
    builder.startNext()
    reference.startNext()
    #expect(CountingHasher.checksums.withLock { $0 } == 3)
    #expect(builder.finish() == reference.finish())
    _ = try builder.append(envelope, payload: payload.span)
    _ = try reference.append(envelope, payload: payload.span)
    #expect(builder.finish() == reference.finish())
    #expect(CountingHasher.checksums.withLock { $0 } == 4)
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
    // An empty block has no session to compare with.
    for session in [0, UInt64.max] {
      var empty = BlockBuilder<ReferenceHasher>(store: sampleStore, startingAt: 1, after: .zero)
      for next in [false, true] {
        if next {
          _ = try empty.append(good, payload: one.span)
          empty.startNext()
        }
        do throws(LogError) {
          _ = try empty.append(
            Envelope(session: session, moment: Moment(microseconds: 0), schema: 0),
            payload: one.span)
          Issue.record("a record of session \(session) was appended")
        } catch {
          #expect(error == .invalidEnvelope("session \(session) is not in 1...\(next ? 2 : 1)"))
        }
        #expect(empty.recordCount == 0)
        _ = empty.finish()
      }
    }
    let long = [UInt8](repeating: 0, count: LogFormat.actionBytesMax + 1)
    #expect(
      refuse({ _ in }, payload: long)
        == .recordTooLarge(bytes: long.count, limit: LogFormat.actionBytesMax))
    #expect(refuse { $0.session = 0 } == .invalidEnvelope("session 0 is not in 1...2"))
    #expect(refuse { $0.session = 3 } == .invalidEnvelope("session 3 is not in 1...2"))
    #expect(refuse { $0.cause = 2 } == .invalidEnvelope("cause 2 is not in 1..<2"))
    #expect(refuse { $0.cause = 0 } == .invalidEnvelope("cause 0 is not in 1..<2"))
    #expect(
      refuse { $0.key = [] }
        == .invalidEnvelope("an idempotency key has 0 bytes; it must have 1 to 64"))
    #expect(
      refuse { $0.key = [UInt8](repeating: 0, count: 65) }
        == .invalidEnvelope("an idempotency key has 65 bytes; it must have 1 to 64"))
    #expect(builder.finish() == chain)
    #expect(builder.recordCount == 1)
  }
}

/// Counts how often the bytes of a block are checked; used by one test only.
private struct CountingHasher: ByteHasher {
  static let checksums = Lock(0)
  private var hasher = ReferenceHasher()

  mutating func update(_ bytes: Span<UInt8>) { hasher.update(bytes) }
  func digest() -> Digest { hasher.digest() }
  static func checksum(_ bytes: Span<UInt8>) -> UInt64 {
    checksums.withLock { $0 += 1 }
    return ReferenceHasher.checksum(bytes)
  }
}
