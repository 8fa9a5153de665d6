import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceState
import Testing
import ToolTestSupport

@Suite("Damage")
struct DamageTests {
  /// Makes a log of one session.
  ///
  /// - Parameter change: Changes the records before they are written.
  private func log(
    _ count: Int, seed: UInt64, _ change: (inout [Sample]) -> Void = { _ in }
  ) throws -> MemoryLog {
    var dice = Dice(seed: seed)
    var samples = [opening(1, dice.digest())]
    for sequence in 2..<UInt64(max(3, count)) {
      var sample = Sample.random(at: sequence, using: &dice)
      sample.envelope.kind = .action
      sample.envelope.session = 1
      sample.envelope.schema = 1
      samples.append(sample)
    }
    change(&samples)
    return try MemoryLog.build(samples, commitEvery: 20, using: &dice)
  }

  /// Makes a record that opens a session, which names the fingerprint of schema 1.
  private func opening(
    _ sequence: UInt64, _ schema: Digest, commands: [NamedSchema] = []
  ) -> Sample {
    let opened = SessionOpened(
      app: "a", build: "b", actionSchema: schema, stateSchema: .zero, reducer: .zero,
      scene: SceneID(value: 3), zone: "Europe/Berlin", zoneDatabase: "2026a", schemas: commands)
    return Sample(
      envelope: Envelope(
        sequence: sequence, kind: .sessionOpened, session: sequence,
        moment: Moment(microseconds: 9), schema: 1),
      payload: opened.encoded())
  }

  @Test("A sound log is reported as sound")
  func sound() throws {
    let log = try log(900, seed: 1)
    let report = log.verifyLog(with: ReferenceHasher.self)
    #expect(report.damage == nil)
    #expect(report.records == 899)
    #expect(report.blocks == UInt64(log.blocks.count))
    #expect(report.chain == log.head.chain)
  }

  @Test("Every flipped bit of a small block is found")
  func everyByte() throws {
    let log = try log(6, seed: 2)
    let block = try #require(log.blocks.first)
    #expect(log.blocks.count == 1)
    for index in block.bytes.indices {
      for bit in 0..<8 {
        var copy = log
        copy.blocks[0].bytes[index] ^= 1 << UInt8(bit)
        let report = copy.verifyLog(with: ReferenceHasher.self)
        #expect(report.damage?.sequence == 1, "byte \(index), bit \(bit)")
      }
    }
  }

  @Test("A flipped byte behind a corrected checksum breaks the chain or the reading [L11]")
  func correctedChecksum() throws {
    let log = try log(6, seed: 3)
    for index in 8..<log.blocks[0].bytes.count {
      var copy = log
      copy.blocks[0].bytes[index] ^= 0x10
      let sum = ReferenceHasher.xxh64(Array(copy.blocks[0].bytes[8...]))
      for byte in 0..<8 {
        copy.blocks[0].bytes[byte] = UInt8(truncatingIfNeeded: sum >> UInt64(8 * byte))
      }
      #expect(copy.verifyLog(with: ReferenceHasher.self).damage != nil, "byte \(index)")
    }
  }

  @Test("Every truncation of a block is found")
  func truncations() throws {
    let log = try log(6, seed: 4)
    for count in 0..<log.blocks[0].bytes.count {
      var copy = log
      copy.blocks[0].bytes.removeLast(copy.blocks[0].bytes.count - count)
      #expect(copy.verifyLog(with: ReferenceHasher.self).damage?.sequence == 1, "\(count) bytes")
    }
  }

  @Test("Blocks that are missing, swapped or foreign are found, by the first bad sequence [L11]")
  func blocks() throws {
    let log = try log(1200, seed: 5)
    #expect(log.blocks.count > 4)
    var missing = log
    missing.blocks.remove(at: 2)
    #expect(
      missing.verifyLog(with: ReferenceHasher.self).damage?.sequence == log.blocks[2].key)
    var swapped = log
    swapped.blocks.swapAt(1, 2)
    #expect(
      swapped.verifyLog(with: ReferenceHasher.self).damage?.sequence == log.blocks[1].key)
    var tailless = log
    tailless.blocks.removeLast()
    #expect(
      tailless.verifyLog(with: ReferenceHasher.self).damage?.sequence == log.blocks.last?.key)
    var foreign = log
    foreign.storeID = StoreID(1, 1)
    #expect(
      foreign.verifyLog(with: ReferenceHasher.self).damage?.sequence == log.blocks[1].key)
  }

  @Test("A schema that is missing or not the one named is found")
  func schemas() throws {
    var log = try log(20, seed: 6)
    let right = ReferenceHasher.digest(of: Array("schema 1".utf8).span)
    let report = log.verifyLog(with: ReferenceHasher.self) { _ in right }
    #expect(report.damage?.sequence == 1)
    log.schemas = [:]
    #expect(
      log.verifyLog(with: ReferenceHasher.self).damage
        == .damaged(sequence: 1, detail: "its schema 1 is missing"))
  }

  @Test("A schema of commands that a session names and the log lacks is found")
  func commandSchemas() throws {
    let named = [NamedSchema(number: 2, fingerprint: .zero)]
    let log = try log(20, seed: 10) { samples in
      samples[9] = opening(10, .zero, commands: named)
      samples[0] = opening(1, .zero)
    }
    #expect(
      log.verifyLog(with: ReferenceHasher.self).damage
        == .damaged(sequence: 10, detail: "its command schema 2 is missing"))
  }

  @Test("A record of a session without an earlier opening is damage", arguments: [7, 600])
  func unopened(session: UInt64) throws {
    let log = try log(900, seed: 8) { samples in samples[599].envelope.session = session }
    #expect(
      log.verifyLog(with: ReferenceHasher.self).damage
        == .damaged(sequence: 600, detail: "its session \(session) was never opened"))
  }

  @Test("Two sessions that name different fingerprints for one schema are damage")
  func renamedSchema() throws {
    let log = try log(900, seed: 9) { samples in samples[599] = opening(600, .zero) }
    #expect(
      log.verifyLog(with: ReferenceHasher.self).damage
        == .damaged(
          sequence: 600, detail: "schema 1 has another fingerprint than in session 1"))
  }

  @Test("Random bytes as records are refused or read, and never trap", arguments: 100...103)
  func hostile(seed: UInt64) throws {
    var dice = Dice(seed: seed)
    let block = try #require(try log(6, seed: 7).blocks.first).bytes
    var read = 0
    var refused = 0
    for _ in 0..<3000 {
      var copy = block
      for _ in 0..<Int.random(in: 1...6, using: &dice) {
        let index = Int.random(in: 12..<copy.count, using: &dice)
        copy[index] = [0, 1, 0x7f, 0x80, 0xff].randomElement(using: &dice) ?? 0
      }
      do throws(LogError) {
        var cursor = try RecordCursor(copy.span, at: 1)
        while try cursor.next() { read += cursor.payload.count + 1 }
      } catch {
        refused += 1
      }
    }
    #expect(read > 0 && refused > 0, "seed \(seed)")
  }

  @Test("Bytes that a newer version may have written are not reported as damage")
  func newer() throws {
    func block(_ change: (inout [UInt8]) -> Void) -> [UInt8] {
      var bytes = [UInt8](repeating: 0, count: 80)
      bytes[8] = 1
      bytes[12] = 1
      bytes[24] = 1
      bytes[32] = 1
      change(&bytes)
      bytes[16] = UInt8(bytes.count - 80)
      return bytes
    }
    func error(_ bytes: [UInt8]) -> LogError? {
      do throws(LogError) {
        var cursor = try RecordCursor(bytes.span, at: 1)
        while try cursor.next() {}
        return nil
      } catch {
        return error
      }
    }
    #expect(error(block { $0 += [2, 1, 0] }) == nil)
    #expect(
      error(
        block {
          $0[8] = 4; $0 += [2, 1, 0]
        }) == .unknownVersion(4, sequence: 1))
    #expect(
      error(
        block {
          $0[9] = 1; $0 += [2, 1, 0]
        }) == .unknownFlags(1, sequence: 1))
    #expect(error(block { $0 += [3, 0x81, 0x01, 0] }) == .unknownFlags(0x81, sequence: 1))
    #expect(error(block { $0 += [3, 2, 0, 6] }) == .unknownKind(6, sequence: 1))
    #expect(
      error(
        block {
          $0[8] = 2; $0 += [3, 3, 0, 6]
        }) == nil)
    #expect(
      error(
        block {
          $0[8] = 2; $0 += [3, 3, 0, 7]
        }) == .unknownKind(7, sequence: 1))
    #expect(error(block { $0 += [3, 2, 0, 0] })?.sequence == 1)
    #expect(error(block { $0 += [2, 1, 2] })?.sequence == 1)
    #expect(
      error(block { $0 += [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1] }) != nil)
    #expect(error(block { $0 += [0x82, 0, 1, 0] }) != nil)
  }

  @Test("Every flipped bit of a head is found")
  func head() throws {
    var dice = Dice(seed: 8)
    let head = Head(
      sequence: 77, chain: dice.digest(), moment: Moment(microseconds: -5), lastBlockKey: 70)
    let bytes = head.encoded(checksummedBy: ReferenceHasher.self)
    #expect(bytes.count == Head.byteCount)
    #expect(try Head(decoding: bytes.span, checksummedBy: ReferenceHasher.self) == head)
    for index in bytes.indices {
      for bit in 0..<8 {
        var copy = bytes
        copy[index] ^= 1 << UInt8(bit)
        #expect(throws: LogError.self) {
          try Head(decoding: copy.span, checksummedBy: ReferenceHasher.self)
        }
      }
    }
    #expect(throws: LogError.self) {
      try Head(decoding: bytes.span.extracting(1...), checksummedBy: ReferenceHasher.self)
    }
  }
}
