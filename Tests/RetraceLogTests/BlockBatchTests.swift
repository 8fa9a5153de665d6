import RetraceState
import RetraceArchitecture
import RetraceAvro
import RetraceSystem
import RetraceTestSupport
import Testing

@testable import RetraceLog

/// Blocks that several threads check are reported as those that one thread checks.
struct BlockBatchTests {
  @Test func `a sound log has the same report, in batches of any size`() throws {
    var dice = Dice(seed: 1)
    let log = try MemoryLog.build(records(2_000, using: &dice), commitEvery: 500, using: &dice)
    #expect(log.blocks.count > 12)
    let alone = log.verifyLog(with: SHA256Hasher.self)
    #expect(alone.damage == nil)
    #expect(Found(log.verifyLog(with: SHA256Hasher.self, on: Threads())) == Found(alone))
    for bytes in [1, 20_000, 100_000, 1 << 30] {
      #expect(Found(log, Threads(), gathering: bytes) == Found(log, nil))
    }
    #expect(Found(MemoryLog(), Threads(), gathering: 1) == Found(MemoryLog(), nil))
  }

  @Test(arguments: 1...3)
  func `whatever is wrong is reported with the same record and the same words`(seed: UInt64) throws
  {
    var dice = Dice(seed: seed)
    let samples = records(1_500, using: &dice)
    let sound = try MemoryLog.build(samples, commitEvery: 500, using: &dice)
    var details: Set<String> = []
    for _ in 0..<20 {
      var log = sound
      switch Int.random(in: 0..<6, using: &dice) {
      case 0: log.blocks.remove(at: dice.index(log.blocks))
      case 1: log.blocks.swapAt(dice.index(log.blocks), dice.index(log.blocks))
      case 2: flip(&log.blocks, sums: false, &dice)
      case 3: log.storeID = StoreID(1, seed)
      default: flip(&log.blocks, sums: true, &dice)
      }
      if dice.chance(4) { flip(&log.blocks, sums: true, &dice) }
      let alone = Found(log, nil)
      #expect(Found(log, Threads(), gathering: 60_000) == alone, "seed \(seed)")
      if let damage = alone.damage { details.insert("\(damage)".filter { !$0.isNumber }) }
    }
    #expect(details.count > 1)
  }

  @Test func `sessions and schemas are followed from one thread's blocks to the next one's`()
    throws
  {
    for (number, seed) in [(700, 1), (1_400, 2)] as [(Int, UInt64)] {
      var dice = Dice(seed: seed)
      let sound = records(1_500, using: &dice)
      // A session that is never opened, and one that is opened behind its record.
      for session in [7, UInt64(number + 1)] {
        var samples = sound
        samples[number - 1].envelope.session = min(session, UInt64(number))
        samples[number - 1].envelope.kind = .action
        try expectSame(samples, &dice, damage: session == 7 ? "was never opened" : nil)
      }
      // A schema with another fingerprint than in a session before.
      var samples = sound
      samples[number - 1] = opening(number, schema: 1, dice.digest())
      try expectSame(samples, &dice, damage: "has another fingerprint")
    }
  }

  @Test func `what the source cannot read comes behind the damage before it`() throws {
    var dice = Dice(seed: 5)
    var log = try MemoryLog.build(records(1_000, using: &dice), commitEvery: 500, using: &dice)
    #expect(throws: Ended.self) {
      try EndingLog(log: log).verifyLog(with: SHA256Hasher.self, on: Threads())
    }
    flip(&log.blocks, sums: true, &dice)
    let alone = try EndingLog(log: log).verifyLog(with: SHA256Hasher.self)
    let shared = try EndingLog(log: log).verifyLog(with: SHA256Hasher.self, on: Threads())
    #expect(alone.damage != nil)
    #expect(Found(shared) == Found(alone))
  }

  private func expectSame(_ samples: [Sample], _ dice: inout Dice, damage: String?) throws {
    let log = try MemoryLog.build(samples, commitEvery: 500, using: &dice)
    let alone = Found(log, nil)
    if let damage { #expect(alone.damage.map { "\($0)" }?.contains(damage) == true) }
    #expect(Found(log, Threads(), gathering: 60_000) == alone)
    #expect(Found(log, Threads(), gathering: 1 << 30) == alone)
  }

  /// Records of many sessions, which write under four schemas.
  private func records(_ count: Int, using dice: inout Dice) -> [Sample] {
    let fingerprints = (0..<4).map { _ in dice.digest() }
    var samples: [Sample] = []
    var sessions: [(number: UInt64, schema: UInt32)] = []
    for number in 1...count {
      let opens = number == 1 || dice.chance(30)
      if opens && number != 7 {
        let schema = UInt32.random(in: 0..<4, using: &dice)
        samples.append(opening(number, schema: schema + 1, fingerprints[Int(schema)]))
        sessions.append((UInt64(number), schema + 1))
        continue
      }
      var sample = Sample.random(at: UInt64(number), using: &dice)
      let session = sessions[dice.index(sessions)]
      (sample.envelope.session, sample.envelope.schema) = session
      sample.envelope.kind = .action
      samples.append(sample)
    }
    return samples
  }

  private func opening(_ number: Int, schema: UInt32, _ fingerprint: Digest) -> Sample {
    let opened = SessionOpened(
      app: "a", build: "b", actionSchema: fingerprint, stateSchema: .zero, reducer: .zero,
      scene: SceneID(value: 3), zone: "Europe/Berlin", zoneDatabase: "2026a")
    return Sample(
      envelope: Envelope(
        sequence: UInt64(number), kind: .sessionOpened, session: UInt64(number),
        moment: Moment(microseconds: 9), schema: schema),
      payload: opened.encoded())
  }

  /// Flips a bit of a block, and corrects its checksum if that is asked for.
  private func flip(
    _ blocks: inout [(key: UInt64, bytes: [UInt8])], sums: Bool, _ dice: inout Dice
  ) {
    let block = dice.index(blocks)
    let byte = Int.random(in: 8..<blocks[block].bytes.count, using: &dice)
    blocks[block].bytes[byte] ^= 1 << UInt8.random(in: 0..<8, using: &dice)
    guard sums else { return }
    let flipped = blocks[block].bytes
    let sum = SHA256Hasher.checksum(flipped.span.extracting(8...))
    for byte in 0..<8 {
      blocks[block].bytes[byte] = UInt8(truncatingIfNeeded: sum >> UInt64(8 * byte))
    }
  }
}

extension Dice {
  fileprivate mutating func index(_ elements: some Collection) -> Int {
    Int.random(in: 0..<elements.count, using: &self)
  }
}

/// All that is found in a log.
private struct Found: Equatable {
  var damage: LogError?
  var counts: [UInt64]
  var chain: Digest
  var schemas: [UInt32: UInt64] = [:]

  init(_ report: LogReport) {
    damage = report.damage
    counts = [report.records, report.blocks, report.bytes]
    chain = report.chain
  }

  init(_ log: MemoryLog, _ workers: Threads?, gathering bytes: Int = 1) {
    var verifier = LogVerifier<SHA256Hasher>(store: log.storeID)
    damage = log.damagedBlock(workers, gathering: bytes, &verifier)
    counts = [
      verifier.records, verifier.blocks, verifier.bytes, verifier.sequence, verifier.tail,
      UInt64(bitPattern: verifier.moment.microseconds),
    ]
    chain = verifier.chain
    schemas = verifier.schemas
    for (number, named) in verifier.fingerprints { schemas[number + 1_000] = named.session }
  }
}

private struct Threads: WorkerPool {
  private let workers = ThreadPool(name: "pool", threadCount: 3)

  var threadCount: Int { workers.threadCount }

  func map<Result: Sendable>(_ count: Int, _ piece: @Sendable (Int) -> Result) -> [Result] {
    workers.map(count, piece)
  }
}

private struct Ended: Error {}

/// A log whose source fails behind the last block.
private struct EndingLog: RecordSource {
  let log: MemoryLog

  var storeID: StoreID { log.storeID }

  func readHead() throws(Ended) -> Head { log.head }
  func schemaJSON(_ number: UInt32) throws(Ended) -> String? { log.schemaJSON(number) }
  func forEachBlock(
    from sequence: UInt64, _ body: (UInt64, Span<UInt8>) -> Bool
  ) throws(Ended) {
    for block in log.blocks where !body(block.key, block.bytes.span) { return }
    throw Ended()
  }
}
