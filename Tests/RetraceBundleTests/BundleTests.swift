import Retrace
import RetraceBundle
import RetraceFixtures
import RetraceSystem
import RetraceTesting
import Testing

@Suite struct BundleTests {
  @Test func `what is written is read, with either implementation of the hash functions`() throws {
    try withSeed { random throws in
      for actions in [0, 1, 900, 4_000] {
        let sample = try SampleBundle(actions: actions, using: &random)
        let bundle = try Bundle(sample.bytes, hashing: SHA256Hasher.self)
        #expect(bundle.header == SampleBundle.header)
        #expect(bundle.last == UInt64(actions) + 1)
        #expect(bundle.trailer.head == sample.head)
        #expect(bundle.blockCount == sample.blocks.count)
        #expect(bundle.schema(.action, 1) == CounterAction.schema.text)
        #expect(bundle.schema(.state, 1) == "\"long\"")
        #expect(bundle.schema(.command, 1) == nil && bundle.schema(.action, 2) == nil)
        #expect(bundle.zoneNames == ["Europe/Berlin"])
        #expect(bundle.zoneFile("Europe/Berlin") == SampleBundle.zone)
        #expect(bundle.zoneFile("Europe/Oslo") == nil)
        for block in sample.blocks {
          let last = min(block.first + 3, bundle.last)
          var found: (first: UInt64, bytes: [UInt8])?
          bundle.scanBlocks(from: last) { first, bytes in
            found = (first, bytes.indices.map { bytes[$0] })
            return false
          }
          #expect(found?.first == block.first && found?.bytes == block.bytes)
        }
        let report = bundle.verify(with: SHA256Hasher.self)
        #expect(report.damage == nil && report.chain == sample.head.chain)
        #expect(report.records == bundle.last)
        #expect(bundle.verify(with: SwiftHasher.self).chain == report.chain)
        #expect(try fold(bundle) == StateHasher.hash(of: sample.state))
      }
    }
  }

  private func fold(_ bundle: Bundle) throws -> Digest {
    var fold = RecordFold<CounterApp>(plan: DecodingPlan())
    try fold.plan.append(
      Schema(parsing: try #require(bundle.schema(.action, 1))), hashing: SHA256Hasher.self)
    bundle.scanBlocks(from: 1) { first, block in
      do {
        var cursor = try RecordCursor(block, at: first)
        while try cursor.next() { try fold.advance(cursor) }
      } catch {
        Issue.record(error)
      }
      return true
    }
    return StateHasher.hash(of: fold.fold.state)
  }

  @Test func `equal logs have equal bundles`() throws {
    try withSeed { random throws in
      var again = random
      let sample = try SampleBundle(actions: 200, using: &random)
      #expect(try SampleBundle(actions: 200, using: &again).bytes == sample.bytes)
    }
  }

  @Test func `a changed, missing or additional byte is found`() throws {
    try withSeed { random throws in
      let bytes = try SampleBundle(actions: 300, using: &random).bytes
      for place in bytes.indices {
        // All of the start and the end, and some bytes between.
        guard place < 1_200 || place > bytes.count - 300 || place % 7 == 0 else { continue }
        var changed = bytes
        changed[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
        #expect(throws: BundleError.self, "byte \(place)") {
          try Bundle(changed, hashing: SHA256Hasher.self)
        }
      }
      for count in [0, 3, 4, 40, bytes.count / 2, bytes.count - 17, bytes.count - 1] {
        #expect(throws: BundleError.self) {
          try Bundle(Array(bytes.prefix(count)), hashing: SHA256Hasher.self)
        }
      }
      #expect(throws: BundleError.self) { try Bundle(bytes + [0], hashing: SHA256Hasher.self) }
    }
  }

  @Test func `a bundle whose maker lies is refused, or its log is damaged`() throws {
    try withSeed { random throws in
      let sample = try SampleBundle(actions: 300, using: &random)
      let marker = Array(sample.bytes.suffix(16))
      var outcomes = (refused: 0, damaged: 0)
      for _ in 0..<repetitions(20_000, few: 1_000) {
        var bytes = sample.bytes
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          let place = Int.random(in: 0..<bytes.count - 48, using: &random)
          switch Int.random(in: 0..<3, using: &random) {
          case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &random)
          case 1: bytes.remove(at: place)
          default: bytes.insert(0xff, at: place)
          }
        }
        // The maker of a bundle also makes its hash.
        let covered = Array(bytes.dropLast(48))
        bytes = covered + SHA256Hasher.digest(of: covered.span).bytes + marker
        do {
          let bundle = try Bundle(bytes, hashing: SHA256Hasher.self)
          if bundle.verify(with: SHA256Hasher.self).damage != nil {
            outcomes.damaged += 1
          } else {
            // What is left is no part of the log: the header, a schema or a zone.
            #expect(bundle.trailer.head == sample.head)
          }
        } catch {
          outcomes.refused += 1
        }
      }
      #expect(outcomes.refused > 0 && outcomes.damaged > 0, "\(outcomes)")
    }
  }

  @Test func `a bundle of the time when headers had no message is read`() throws {
    let old = try Self.bundle(schema: Self.schemaWithoutMessage) { writer in
      writer.string("counter")
      writer.raw(SampleBundle.store.bytes)
      writer.long(1)
      writer.branch(1)
      writer.beginBlocks(count: 1)
      writer.string("CounterEntity.name")
      writer.endBlocks()
    }
    let bundle = try Bundle(old, hashing: SHA256Hasher.self)
    #expect(
      bundle.header
        == BundleHeader(
          app: "counter", store: SampleBundle.store, logVersion: 1, contents: .anonymous,
          allowed: ["CounterEntity.name"]))
    #expect(bundle.last == 0 && bundle.verify(with: SHA256Hasher.self).damage == nil)
  }

  @Test func `an intact bundle with another schema is told apart from a damaged one`() throws {
    let other = Self.schemaWithoutMessage.replacing("\"allowed\"", with: "\"renamed\"")
    let file = try Self.bundle(schema: other) { writer in writer.string("counter") }
    #expect(throws: BundleError.otherSchema) { try Bundle(file, hashing: SHA256Hasher.self) }
    for place in [20, file.count / 2, file.count - 60] {
      var changed = file
      changed[place] ^= 1
      do {
        _ = try Bundle(changed, hashing: SHA256Hasher.self)
        Issue.record("byte \(place)")
      } catch {
        #expect(error != .otherSchema, "byte \(place)")
      }
    }
  }

  /// The schema as it was written by the builds whose headers had no message.
  private static let schemaWithoutMessage = #"""
    [{"name":"Header","type":"record","fields":[{"name":"app","type":"string"},\#
    {"name":"store","type":{"name":"StoreID","type":"fixed","size":16}},\#
    {"name":"logVersion","type":"int"},\#
    {"name":"contents","type":{"name":"Contents","type":"enum",\#
    "symbols":["original","anonymous","redacted"]}},\#
    {"name":"allowed","type":{"type":"array","items":"string"}}]},\#
    {"name":"StoredSchema","type":"record","fields":[\#
    {"name":"kind","type":{"name":"SchemaKind","type":"enum",\#
    "symbols":["action","command","state"]}},\#
    {"name":"number","type":"long"},{"name":"json","type":"string"}]},\#
    {"name":"ZoneFile","type":"record","fields":[{"name":"name","type":"string"},\#
    {"name":"file","type":"bytes"}]},\#
    {"name":"Block","type":"record","fields":[{"name":"first","type":"long"},\#
    {"name":"block","type":"bytes"}]},\#
    {"name":"Trailer","type":"record","fields":[{"name":"schemas","type":"long"},\#
    {"name":"zones","type":"long"},{"name":"blocks","type":"long"},\#
    {"name":"records","type":"long"},{"name":"moment","type":"long"},\#
    {"name":"lastBlock","type":"long"},\#
    {"name":"chain","type":{"name":"Digest","type":"fixed","size":32}},\#
    {"name":"hash","type":"Digest"}]}]
    """#

  /// Returns a bundle without records, whose items have another schema.
  private static func bundle(
    schema: String, header: (inout AvroWriter) -> Void
  ) throws -> [UInt8] {
    var item = AvroWriter()
    item.branch(0)
    header(&item)
    var container = ContainerWriter(
      schema: try Schema(parsing: schema),
      metadata: [(BundleFormat.versionName, Array(BundleFormat.version.utf8))],
      marker: Array(0..<16))
    container.append(encoded: item.span)
    container.closeBlock()
    item.removeAll()
    item.branch(4)
    for _ in 0..<6 { item.long(0) }
    item.raw([UInt8](repeating: 0, count: 64))
    container.append(encoded: item.span)
    container.closeBlock()
    let bytes = container.drained
    let covered = Array(bytes.dropLast(48))
    return covered + SHA256Hasher.digest(of: covered.span).bytes + bytes.suffix(16)
  }

  @Test func `a file of another kind or version is told apart from a damaged one`() throws {
    #expect(throws: BundleError.notABundle) {
      try Bundle(Array("not a bundle".utf8), hashing: SHA256Hasher.self)
    }
    var container = ContainerWriter(schema: .long, marker: Array(0..<16))
    container.append(Int64(7))
    container.closeBlock()
    let other = container.drained
    #expect(throws: BundleError.notABundle) { try Bundle(other, hashing: SHA256Hasher.self) }
    var newer = ContainerWriter(
      schema: BundleFormat.schema, metadata: [(BundleFormat.versionName, Array("2".utf8))],
      marker: Array(0..<16))
    newer.closeBlock()
    let file = newer.drained
    #expect(throws: BundleError.unknownVersion("2")) {
      try Bundle(file, hashing: SHA256Hasher.self)
    }
  }
}

extension StateHasher {
  fileprivate static func hash(of state: CounterState) -> Digest {
    var state = state
    return hash(&state, with: SHA256Hasher.self)
  }
}

extension ContainerWriter {
  fileprivate var drained: [UInt8] {
    mutating get {
      var bytes: [UInt8] = []
      drain { part in for index in part.indices { bytes.append(part[index]) } }
      return bytes
    }
  }
}
