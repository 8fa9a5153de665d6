import Retrace
import RetraceBundle
import RetraceFixtures
import RetraceRandom
import RetraceReplay
import RetraceStorage
import RetraceSystem

/// Opens, verifies and folds changed copies of a bundle of the kiosk, for a test that limits the
/// memory and the time of this process.
struct BundleMutations {
  /// What is done to the bytes.
  private enum Kind: CaseIterable {
    /// A bit is flipped, and the hash at the end stays.
    case flippedBit
    /// Some bytes are changed, removed or inserted, or the file is cut off.
    case changedBytes
    /// The bytes of a length or a count become those of the largest number.
    case hugeNumber
    /// A part of the file is in the place of another one.
    case copiedPart
    /// The payload of a record is changed, with checksums and a chain that fit.
    case otherPayload
  }

  /// What the bundle is found to be.
  private struct Verdict: Equatable {
    var chain: Digest
    var stateHash: Digest
    var isFine: Bool
  }

  private let whole: [UInt8]
  private let right: Verdict
  private var counts: [String: Int] = [:]

  /// Runs `testapp mutate-bundle FILE SEED COUNT`.
  static func run(_ words: [String]) -> Never {
    do {
      guard words.count == 3, let seed = UInt64(words[1]), let count = UInt64(words[2]) else {
        throw LineError(line: words.joined(separator: " "))
      }
      var mutations = try BundleMutations(words[0])
      for number in 0..<count { try mutations.tryOne(seed &+ number) }
      for (name, count) in mutations.counts.sorted(by: { $0.key < $1.key }) {
        Answer.line("\(name) \(count)")
      }
      ThisProcess.exit(0)
    } catch {
      Answer.error("\(error)")
      ThisProcess.exit(1)
    }
  }

  private init(_ path: String) throws {
    whole = try FileSystem.readWhole(path, limitBytes: 1 << 30)
    right = try Self.verdict(on: whole)
    guard right.isFine else { throw LineError(line: "the bundle is not fine") }
  }

  /// Verifies, decides and folds a bundle, and shows its last screen.
  private static func verdict(on bytes: [UInt8]) throws(StoreError) -> Verdict {
    let storage = try LogStorage.open(bundle: bytes, named: "a changed bundle")
    defer { storage.close() }
    let found = try Verifier<KioskApp>.verify(storage, decidingCommands: true)
    var replayer = try Replayer<KioskApp>(storage)
    try replayer.seek(to: replayer.last)
    let moment = try replayer.moment()
    for scene in KioskApp.scenes(in: replayer.state) {
      _ = KioskApp.screen(
        of: scene, in: replayer.state, at: moment, size: .init(columns: 60, rows: 20))
    }
    let isFine =
      found.firstDivergence == nil && found.firstViolations == nil
      && found.decisions?.firstDivergence == nil && found.effects.firstDivergence == nil
    return Verdict(chain: found.chain, stateHash: found.stateHash, isFine: isFine)
  }

  private mutating func tryOne(_ seed: UInt64) throws {
    // Without an answer, the last line names the change that ended the process.
    Answer.line("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let kind = Kind.allCases.randomElement(using: &random) ?? .flippedBit
    let bytes = try changed(by: kind, &random)
    let found: Verdict?
    do throws(StoreError) { found = try Self.verdict(on: bytes) } catch { found = nil }
    // Another payload with a chain that fits is another log, which may be fine. Any other change is
    // refused or found, or leaves the log as it was.
    let isWrong =
      switch kind {
      case .flippedBit: found != nil
      case .changedBytes, .hugeNumber, .copiedPart:
        found.map { $0.isFine && $0 != right } ?? false
      case .otherPayload: false
      }
    let answer = found == nil ? "refused" : found == right ? "the same log" : "found"
    guard !isWrong else { throw LineError(line: "wrong: \(kind) of seed \(seed) is \(answer)") }
    counts["\(kind): \(answer)", default: 0] += 1
  }

  private func changed(by kind: Kind, _ random: inout SeededGenerator) throws -> [UInt8] {
    var bytes = whole
    let end = bytes.count - 48
    let place = Int.random(in: 0..<end, using: &random)
    switch kind {
    case .flippedBit:
      bytes[Int.random(in: 0..<bytes.count, using: &random)] ^=
        1 << UInt8.random(in: 0...7, using: &random)
      return bytes
    case .changedBytes:
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<bytes.count - 48, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &random)
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(UInt8.random(in: .min ... .max, using: &random), at: place)
        default: bytes.removeSubrange(place..<min(place + 64, bytes.count - 48))
        }
      }
    case .hugeNumber:
      let count = Int.random(in: 1...10, using: &random)
      for index in place..<min(place + count, end) { bytes[index] = 0xff }
      if place + count < end { bytes[place + count] = 0x01 }
    case .copiedPart:
      let count = min(Int.random(in: 1...4_096, using: &random), end - place)
      let other = Int.random(in: 0...(end - count), using: &random)
      bytes.replaceSubrange(other..<other + count, with: whole[place..<place + count])
    case .otherPayload: return try withOtherPayload(&random)
    }
    // The hash at the end is that of the changed bytes, so the file passes the check of the hash,
    // and the later checks are tested.
    let covered = Array(bytes.dropLast(48))
    return covered + SHA256Hasher.digest(of: covered.span).bytes + whole.suffix(16)
  }

  /// Returns the bundle with a byte changed in the payload of a record.
  private func withOtherPayload(_ random: inout SeededGenerator) throws -> [UInt8] {
    let storage = try LogStorage.open(bundle: whole, named: "the bundle")
    defer { storage.close() }
    guard let bundle = storage.bundle else { return whole }
    var writer = BundleWriter<SHA256Hasher>(bundle.header)
    for kind in [BundleSchemaKind.action, .command, .state] {
      var number: UInt32 = 1
      while let json = bundle.schema(kind, number) {
        writer.append(schema: json, kind: kind, number: number)
        number += 1
      }
    }
    var records: [(Envelope, [UInt8])] = []
    try storage.withReadView { view throws(StoreError) in
      try view.forEachRecord(from: 1, through: bundle.last) {
        envelope, payload throws(StoreError) in
        records.append((envelope, [UInt8](copying: payload)))
      }
    }
    let changed = Int.random(in: 0..<records.count, using: &random)
    if let place = records[changed].1.indices.randomElement(using: &random) {
      records[changed].1[place] = UInt8.random(in: .min ... .max, using: &random)
    }
    var builder = BlockBuilder<SHA256Hasher>(
      store: bundle.header.store, startingAt: 1, after: .zero)
    for (envelope, payload) in records {
      if try builder.append(envelope, payload: payload.span) { continue }
      _ = builder.finish()
      writer.append(block: builder.bytes, first: builder.firstSequence)
      builder.startNext()
      _ = try builder.append(envelope, payload: payload.span)
    }
    let chain = builder.finish()
    writer.append(block: builder.bytes, first: builder.firstSequence)
    writer.finish(
      Head(
        sequence: bundle.last, chain: chain, moment: bundle.trailer.head.moment,
        lastBlockKey: builder.firstSequence))
    var bytes: [UInt8] = []
    writer.drain { part in bytes += [UInt8](copying: part) }
    return bytes
  }
}
