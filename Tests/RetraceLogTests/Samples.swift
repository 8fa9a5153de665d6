import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceState
import ToolTestSupport

/// Random numbers that a seed repeats: SplitMix64.
struct Dice: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &self) == 0 }

  mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) }
  }

  mutating func digest() -> Digest {
    guard let digest = Digest(bytes(32).span) else { fatalError("digest") }
    return digest
  }
}

let sampleStore = StoreID(0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210)

/// A record as a test wants it.
struct Sample: Equatable {
  var envelope: Envelope
  var payload: [UInt8]

  /// A random record that any log may hold at a sequence.
  static func random(at sequence: UInt64, using dice: inout Dice) -> Sample {
    let moments: [Int64] = [.min, .max, 0, -1, 1_700_000_000_000_000]
    let moment =
      dice.chance(10)
      ? moments.randomElement(using: &dice) ?? 0
      : 1_700_000_000_000_000 + Int64.random(in: -100_000_000...100_000_000, using: &dice)
    var length = Int.random(in: 0...200, using: &dice)
    if dice.chance(200) { length = Int.random(in: 16_000...60_000, using: &dice) }
    let recent =
      sequence > 1
      ? UInt64.random(in: max(1, sequence - min(sequence - 1, 300))...sequence, using: &dice) : 1
    let kind =
      dice.chance(8) ? RecordKind.allCases.randomElement(using: &dice) ?? .action : .action
    var envelope = Envelope(
      sequence: sequence, kind: kind,
      session: dice.chance(3) ? recent : 1,
      moment: Moment(microseconds: moment),
      schema: dice.chance(6) ? UInt32.random(in: 0...UInt32.max, using: &dice) : 1,
      cause: sequence > 1 && dice.chance(5)
        ? UInt64.random(in: 1..<sequence, using: &dice) : nil,
      startsBatch: dice.chance(2),
      key: dice.chance(12) ? dice.bytes(Int.random(in: 1...64, using: &dice)) : nil,
      stateHash: dice.chance(15) ? dice.digest() : nil,
      hasEffect: kind == .action && dice.chance(4))
    if dice.chance(5) {
      let realTimes = moments + [moment, 1_700_000_000_000_001]
      envelope.realTime = Moment(microseconds: realTimes.randomElement(using: &dice) ?? 0)
    }
    if envelope.stateHash == nil, dice.chance(8) {
      envelope.recordedHash = RecordedStateHash(shortOf: dice.digest())
    }
    return Sample(envelope: envelope, payload: dice.bytes(length))
  }
}

/// A log in memory.
struct MemoryLog: LogSource {
  var storeID = sampleStore
  var head = Head.empty
  var blocks: [(key: UInt64, bytes: [UInt8])] = []
  var schemas: [UInt32: String] = [:]

  func readHead() throws(Never) -> Head { head }
  func schemaJSON(_ number: UInt32) throws(Never) -> String? { schemas[number] }
  func forEachBlock(
    from sequence: UInt64, _ body: (UInt64, Span<UInt8>) -> Bool
  ) throws(Never) {
    let first = blocks.lastIndex { $0.key <= sequence } ?? 0
    for block in blocks[first...] where !body(block.key, block.bytes.span) { return }
  }

  /// Writes records, finishing and resuming the block now and then as commits do.
  static func build(
    _ samples: [Sample], commitEvery one: Int, using dice: inout Dice
  ) throws -> MemoryLog {
    var log = MemoryLog()
    var builder = BlockBuilder<ReferenceHasher>(
      store: sampleStore, startingAt: 1, after: .zero)
    func copy(_ builder: borrowing BlockBuilder<ReferenceHasher>) -> [UInt8] {
      var bytes: [UInt8] = []
      let span = builder.bytes
      for index in span.indices { bytes.append(span[index]) }
      return bytes
    }
    for sample in samples {
      if try !builder.append(sample.envelope, payload: sample.payload.span) {
        _ = builder.finish()
        log.blocks.append((builder.firstSequence, copy(builder)))
        builder.startNext()
        guard try builder.append(sample.envelope, payload: sample.payload.span) else {
          fatalError("an empty block takes any record")
        }
      }
      log.schemas[sample.envelope.schema] = "schema \(sample.envelope.schema)"
      if dice.chance(one) {
        let chain = builder.finish()
        let bytes = copy(builder)
        let first = builder.firstSequence
        var resumed = BlockBuilder<ReferenceHasher>(
          store: sampleStore, startingAt: 999, after: .zero)
        try resumed.resume(from: bytes.span, at: first)
        guard resumed.finish() == chain, copy(resumed) == bytes else { fatalError("resume") }
        builder = resumed
      }
    }
    if builder.recordCount > 0 {
      let chain = builder.finish()
      log.blocks.append((builder.firstSequence, copy(builder)))
      log.head = Head(
        sequence: builder.sequence - 1, chain: chain,
        moment: samples.last?.envelope.moment ?? Moment(microseconds: 0),
        lastBlockKey: builder.firstSequence)
    }
    return log
  }

  /// Reads everything back.
  func read() throws -> [Sample] {
    var samples: [Sample] = []
    for block in blocks {
      var cursor = try RecordCursor(block.bytes.span, at: block.key)
      while try cursor.next() {
        var payload: [UInt8] = []
        let span = cursor.payload
        for index in span.indices { payload.append(span[index]) }
        samples.append(Sample(envelope: cursor.envelope, payload: payload))
      }
    }
    return samples
  }
}
