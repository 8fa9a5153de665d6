import LMDBFile
import RetraceState
import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceSystem
import RetraceTesting
import Testing
import ToolTestSupport

@testable import RetraceStorage

/// Salvage of stores with damage of every kind: always a verified prefix of the log, and the
/// longest that can be recognized.
@Suite struct SalvageTests {
  /// A record as it is compared.
  private struct Record: Equatable {
    var envelope: Envelope
    var payload: [UInt8]
  }

  /// A store of a few blocks, what it holds, and where its blocks lie.
  private struct Original {
    var path: String
    var records: [Record]
    var blocks: [(bytes: Range<Int>, first: UInt64, last: UInt64)]
    var data: [UInt8]

    var last: UInt64 { UInt64(records.count) }

    /// Writes some batches, each a commit.
    init(
      in directory: String, batches: Int = 14, using random: inout SeededGenerator
    ) throws {
      let path = directory + "/store"
      let storage = try LogStorage.open(at: path, access: .create)
      for round in 0..<batches {
        let count = Int.random(in: 1...40, using: &random)
        try storage.write(
          (0..<count).map { _ in
            let length = Int.random(in: 0...400, using: &random)
            return Note(
              text: (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) },
              moment: Int64(round))
          })
      }
      storage.close()
      try self.init(path)
    }

    init(_ path: String) throws {
      self.path = path
      records = try SalvageTests.records(path)
      let data = try FileSystem.readWhole(path + "/data.mdb", limitBytes: 1 << 24)
      let tree = try #require(TreeContents(path + "/data.mdb"))
      blocks = tree.blocks.sorted { $0.key < $1.key }.compactMap { key, place in
        let rest = data.span.extracting(place...)
        let image = PageImage((0..<80).map { rest[$0] })
        return (
          place..<place + 80 + Int(image.number32(16)), key, key + image.number32(12) - 1
        )
      }
      self.data = data
    }

    /// The end of the last batch that ends before a record.
    func lastBatch(before sequence: UInt64) -> UInt64 {
      guard sequence > 1 else { return 0 }
      let before = sequence - 1
      let start = (1...before).last { records[Int($0 - 1)].envelope.startsBatch } ?? 1
      return before == start && records[Int(start - 1)].envelope.kind == .sessionOpened
        ? start : start - 1
    }

    /// The first record of the blocks that overlap some ranges of bytes.
    func firstDamaged(_ places: [Range<Int>]) -> UInt64? {
      blocks.first { block in places.contains { $0.overlaps(block.bytes) } }?.first
    }
  }

  private static func records(_ path: String) throws -> [Record] {
    let storage = try LogStorage.open(at: path, access: .read)
    defer { storage.close() }
    var records: [Record] = []
    try storage.withReadView { view throws(StoreError) in
      try view.verify()
      guard view.head.sequence > 0 else { return }
      try view.forEachRecord(from: 1, through: view.head.sequence) {
        envelope, payload throws(StoreError) in
        records.append(
          Record(envelope: envelope, payload: [UInt8](payload)))
      }
    }
    return records
  }

  /// Salvages, and checks the new store; `nil` if no record could be kept.
  private static func salvage(
    _ original: Original, _ path: String, to copy: String, _ what: String
  ) throws -> SalvageReport? {
    defer { try? FileSystem.removeTree(copy) }
    let report: SalvageReport
    do throws(StoreError) {
      report = try LogStorage.salvage(path, to: copy, knowing: ["\"bytes\""])
    } catch {
      #expect(error.code == .damaged(sequence: 1), "\(what): \(error)")
      #expect(try !FileSystem.exists(copy))
      return nil
    }
    let kept = try records(copy)
    #expect(kept == Array(original.records.prefix(kept.count)), "\(what): other records")
    #expect(UInt64(kept.count) == report.head.sequence && report.path == copy, "\(what)")
    #expect(report.isComplete == (kept.count == original.records.count), "\(what): \(report)")
    if kept.count < original.records.count {
      #expect(
        kept.count == 0 || original.records[kept.count].envelope.startsBatch,
        "\(what): in a batch")
      #expect(
        !report.missing.isEmpty || !report.unreachable.isEmpty || report.dropped != nil,
        "\(what)")
    }
    // The salvaged store takes new records.
    guard kept.count % 8 == 0 else { return report }
    let storage = try LogStorage.open(at: copy, access: .write)
    try storage.write([Note(text: [1, 2, 3], moment: 9)])
    storage.close()
    return report
  }

  /// Checks that the intact records of a damaged store are the original ones, and that the report
  /// and the list agree.
  private static func checkIntact(
    _ original: Original, _ path: String, _ report: SalvageReport?, _ what: String
  ) throws {
    var found: [UInt64] = []
    var chained: UInt64 = 0
    let missing: [ClosedRange<UInt64>]
    do throws(StoreError) {
      missing = try LogStorage.forEachIntactRecord(at: path) { record, payload, _ in
        let sequence = record.envelope.sequence
        let copy = Record(
          envelope: record.envelope, payload: [UInt8](payload))
        #expect(
          sequence <= original.last && copy == original.records[Int(sequence) - 1],
          "\(what): another record \(sequence)")
        found.append(sequence)
        if record.isChained {
          chained += 1
          #expect(chained == sequence, "\(what): the chain has a gap before \(sequence)")
        }
        return true
      }
    } catch {
      #expect(report == nil && error.code == .damaged(sequence: 1), "\(what): \(error)")
      return
    }
    // Each known record is either listed or missing, once.
    let all = (found + missing.joined()).sorted()
    #expect(all == all.indices.map { UInt64($0) + 1 }, "\(what)")
    guard let report else { return }
    #expect(all.count == report.lastKnown, "\(what)")
    #expect(report.missing == missing, "\(what)")
    #expect(chained >= report.head.sequence, "\(what)")
    #expect(found.count >= Int(report.head.sequence) + report.unreachable.joined().count, "\(what)")
  }

  /// Calls `body` with the original, and a function that salvages it with changed data bytes.
  private static func withDamage(
    _ random: inout SeededGenerator, batches: Int = 14,
    _ body: (
      Original, _ salvage: ([UInt8], _ withAnchor: Bool, String) throws -> SalvageReport?,
      inout SeededGenerator
    ) throws -> Void
  ) throws {
    try withDirectory { directory in
      let original = try Original(in: directory, batches: batches, using: &random)
      let path = directory + "/damaged"
      var round = 0
      try body(
        original,
        { data, withAnchor, what in
          round += 1
          try? FileSystem.removeTree(path)
          try copy(original, to: path, withAnchor: withAnchor)
          try FileSystem.unlink(path + "/data.mdb")
          try OpenFile.open(path + "/data.mdb", [.write, .create]).write(data.span, at: 0)
          let names = try FileSystem.list(path)
          let report = try Self.salvage(original, path, to: directory + "/copy", what)
          if round % 4 == 0 { try checkIntact(original, path, report, what) }
          // The original is left as it was.
          #expect(try FileSystem.list(path) == names)
          let after = try FileSystem.readWhole(path + "/data.mdb", limitBytes: 1 << 24)
          #expect(after == data)
          return report
        }, &random)
    }
  }

  private static func copy(_ original: Original, to path: String, withAnchor: Bool) throws {
    try FileSystem.makeDirectory(path)
    for name in ["FORMAT", "owner.lock", "data.mdb"] + (withAnchor ? ["anchor"] : []) {
      let bytes = try FileSystem.readWhole("\(original.path)/\(name)", limitBytes: 1 << 24)
      try OpenFile.open("\(path)/\(name)", [.write, .create]).write(bytes.span, at: 0)
    }
  }

  // MARK: Damage of bytes

  @Test func `a flipped bit costs the block it is in and no record before`() throws {
    try withSeed("a flipped bit") { random in
      let isFull = repetitions(10) == 10
      // All bytes of a store of two or three blocks, or some of a larger one.
      try Self.withDamage(&random, batches: isFull ? 7 : 14) { original, salvage, random in
        try #require(original.blocks.count > 1)
        let places =
          isFull
          ? Array(original.data.indices)
          : (0..<60).map { _ in Int.random(in: 0..<original.data.count, using: &random) }
            + (0..<20).map { _ in Int.random(in: 0..<304, using: &random) }
            + original.blocks.flatMap { [$0.bytes.lowerBound, $0.bytes.upperBound - 1] }
        for place in places {
          var data = original.data
          data[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
          let withAnchor = Bool.random(using: &random)
          let what = "byte \(place), \(withAnchor ? "with" : "without") an anchor"
          let kept = try salvage(data, withAnchor, what)?.head.sequence ?? 0
          guard let first = original.firstDamaged([place..<place + 1]) else {
            // Records that no head ends may be an incomplete batch.
            let least = withAnchor ? original.last : original.lastBatch(before: original.last + 1)
            #expect(kept >= least, "\(what): \(kept) of \(original.last)")
            continue
          }
          #expect(kept >= original.lastBatch(before: first), "\(what): \(kept), \(first)")
        }
      }
    }
  }

  @Test func `pages overwritten with zeros or other bytes cost only the records that they held`()
    throws
  {
    try withSeed("zeroed pages") { random in
      try Self.withDamage(&random) { original, salvage, random in
        for round in 0..<repetitions(400) {
          var data = original.data
          var places: [Range<Int>] = []
          for _ in 0..<Int.random(in: 1...3, using: &random) {
            let page = Int.random(in: 0..<data.count / 4096, using: &random) * 4096
            places.append(page..<page + 4096)
            let isZero = Bool.random(using: &random)
            for place in page..<page + 4096 {
              data[place] = isZero ? 0 : UInt8.random(in: 0...255, using: &random)
            }
          }
          let what = "round \(round), \(places)"
          let kept = try salvage(data, true, what)?.head.sequence ?? 0
          let first = original.firstDamaged(places)
          let least = first.map { original.lastBatch(before: $0) } ?? original.last
          #expect(kept >= least, "\(what): \(kept), \(least)")
        }
      }
    }
  }

  @Test func `a file that was cut off keeps what is left`() throws {
    try withSeed("a cut file") { random in
      try Self.withDamage(&random) { original, salvage, random in
        for _ in 0..<repetitions(300) {
          let count = Int.random(in: 1...original.data.count, using: &random)
          let data = Array(original.data[..<count])
          let kept = try salvage(data, true, "cut at \(count)")?.head.sequence
          let first = original.firstDamaged([count..<original.data.count])
          let least = first.map { original.lastBatch(before: $0) } ?? original.last
          #expect(kept ?? 0 >= least, "cut at \(count)")
        }
      }
    }
  }

  @Test func `without meta pages and FORMAT all is there`() throws {
    try withSeed("without meta pages") { random in
      try withDirectory { directory in
        let original = try Original(in: directory, using: &random)
        let path = directory + "/damaged"
        try Self.copy(original, to: path, withAnchor: true)
        try FileSystem.unlink(path + "/FORMAT")
        try overwrite(path + "/data.mdb", at: 0, with: [UInt8](repeating: 0, count: 8192))
        let report = try Self.salvage(original, path, to: directory + "/copy", "no meta")
        #expect(report?.isComplete == true)
        // Another identity in FORMAT does not fit the chain.
        let wrong = FormatFile(storeID: StoreID(1, 2), created: Moment(microseconds: 3))
        try OpenFile.open(path + "/FORMAT", [.write, .create])
          .write(Array(wrong.text.utf8).span, at: 0)
        let other = try Self.salvage(original, path, to: directory + "/copy", "another identity")
        #expect(other?.isComplete == true)
      }
    }
  }

  @Test func `a read that fails once costs nothing, and a disk that fails every read is reported`()
    throws
  {
    try withSeed("failing reads") { random in
      try withDirectory { directory in
        let original = try Original(in: directory, using: &random)
        let data = original.path + "/data.mdb"
        let size = try FileSystem.info(data).sizeBytes
        var failures = 0
        for call in 1...repetitions(600) {
          let plan = SystemFaultPlan(under: original.path)
          plan.fail(.inputOutput, atCall: call, of: .pread, onPathsEndingIn: "data.mdb")
          let before = plan.callCount(of: .pread)
          let report = try plan.whileInstalled {
            try Self.salvage(original, original.path, to: directory + "/copy", "read \(call)")
          }
          #expect(report?.isComplete == true, "read \(call)")
          if plan.callCount(of: .pread) - before >= call { failures += 1 }
        }
        #expect(failures > 10)
        let plan = SystemFaultPlan(under: original.path)
        plan.fail(
          .inputOutput, atCall: 1, of: .pread, onPathsEndingIn: "data.mdb", persistent: true)
        let report = try plan.whileInstalled {
          try Self.salvage(original, original.path, to: directory + "/copy", "no read")
        }
        #expect(report == nil)
        #expect(try FileSystem.info(data).sizeBytes == size)
      }
    }
  }

  // MARK: What is not the log

  @Test func `a commit whose meta page was not written is not taken for the log's end`() throws {
    try withSeed("an aborted commit") { random in
      try withDirectory { directory in
        let original = try Original(in: directory, using: &random)
        let storage = try LogStorage.open(at: original.path, access: .write)
        try storage.write(randomNotes(5, using: &random))
        storage.close()
        // The pages of the commit are there, and the meta pages as before it.
        try overwrite(
          original.path + "/data.mdb", at: 0, with: Array(original.data[..<8192]))
        let anchor = original.path + "/anchor"
        try FileSystem.unlink(anchor)
        let report = try Self.salvage(
          original, original.path, to: directory + "/copy", "an aborted commit")
        #expect(report?.isComplete == true)
        #expect(report?.head.sequence == original.last)
      }
    }
  }

  @Test func `a damaged last block is replaced by its copy from the previous commit`() throws {
    try withDirectory { directory in
      let path = directory + "/store"
      let storage = try LogStorage.open(at: path, access: .create)
      for moment in 0..<60 {
        try storage.write([Note(text: [UInt8](repeating: 7, count: 300), moment: Int64(moment))])
      }
      storage.close()
      let original = try Original(path)
      let block = try #require(original.blocks.last)
      try #require(original.blocks.count > 1 && block.last > block.first + 1)
      let damaged = directory + "/damaged"
      try Self.copy(original, to: damaged, withAnchor: true)
      let last = block.bytes.upperBound - 1
      try overwrite(damaged + "/data.mdb", at: last, with: [original.data[last] ^ 1])
      let report = try Self.salvage(original, damaged, to: directory + "/copy", "last block")
      #expect(report?.head.sequence == original.last - 1)
      #expect(report?.missing == [original.last...original.last])
    }
  }

  // MARK: Batches

  @Test func `a batch that may go on in a damaged block is left out`() throws {
    try withDirectory { directory in
      let path = directory + "/store"
      let storage = try LogStorage.open(at: path, access: .create)
      let note = Note(text: [UInt8](repeating: 7, count: 1_000), moment: 1)
      try storage.write([note, note])
      try storage.write([Note](repeating: note, count: 100))
      try storage.write([note])
      storage.close()
      let original = try Original(path)
      let block = original.blocks[2]
      try #require(block.first > 4 && block.last < 103)
      try overwrite(path + "/data.mdb", at: block.bytes.lowerBound + 100, with: [1, 2, 3, 4])
      let report = try Self.salvage(original, path, to: directory + "/copy", "large batch")
      #expect(report?.head.sequence == 3)
      #expect(report?.dropped == 4...block.first - 1)
      #expect(report?.missing == [block.first...block.last])
      #expect(report?.unreachable == [block.last + 1...original.last])
      #expect(report?.openSessions == [1])
    }
  }

  @Test func `an effect's end is left out if its answer may be missing`() throws {
    try withDirectory { directory in
      let path = directory + "/store"
      let storage = try LogStorage.open(at: path, access: .create)
      let large = [UInt8](repeating: 7, count: 16_000)
      try storage.write([Note(text: [1], moment: 1), Note(text: large, moment: 1)])
      try storage.append { appender throws(StoreError) in
        let end = EffectFinished(
          id: EffectLeafID(cause: 2, ordinal: 0), outcome: .finished, error: "")
        let envelope = Envelope(session: 1, moment: Moment(microseconds: 2), schema: 1, cause: 2)
        try appender.append(end, envelope)
        try appender.append(envelope, payload: large.span)
      }
      storage.close()
      let original = try Original(path)
      let answer = try #require(original.blocks.first { $0.first == 5 })
      try overwrite(path + "/data.mdb", at: answer.bytes.lowerBound + 200, with: [1])
      let report = try Self.salvage(original, path, to: directory + "/copy", "an effect's end")
      #expect(report?.head.sequence == 3)
      #expect(report?.dropped == 4...4)
    }
  }

  // MARK: Refusals

  @Test func `an empty store is copied, and keys are found in a copy`() throws {
    try withDirectory { directory in
      let path = directory + "/store"
      try LogStorage.open(at: path, access: .create).close()
      let empty = try LogStorage.salvage(path, to: directory + "/empty")
      #expect(empty.isComplete && empty.head == .empty)
      let storage = try LogStorage.open(at: path, access: .write)
      try storage.write([Note(text: [1], moment: 1)])
      try storage.append { appender throws(StoreError) in
        let envelope = Envelope(
          session: 1, moment: Moment(microseconds: 2), schema: 1, key: Array("key".utf8))
        try appender.append(envelope, payload: [1, 2].span)
      }
      storage.close()
      let report = try LogStorage.salvage(path, to: directory + "/copy")
      #expect(report.isComplete && report.missing.isEmpty && report.unreachable.isEmpty)
      let copy = try LogStorage.open(at: directory + "/copy", access: .read)
      defer { copy.close() }
      #expect(try copy.batch(ofKey: "key")?.sequences == 3..<4)
      #expect(copy.storeID == storage.storeID)
    }
  }

  @Test func `a store in use, a name that is taken and a place in the store are refused`() throws {
    try withDirectory { directory in
      let path = directory + "/store"
      let storage = try LogStorage.open(at: path, access: .create)
      try storage.write([Note(text: [1], moment: 1)])
      func code(_ destination: String) -> StoreError.Code? {
        storeError { () throws(StoreError) in
          try LogStorage.salvage(path, to: directory + destination)
        }?.code
      }
      guard case .inUse? = code("/copy") else {
        Issue.record("a store in use was salvaged")
        return
      }
      storage.close()
      #expect(code("/store") == .destinationExists)
      #expect(code("/store/copy") == .invalidConfiguration)
      #expect(try !FileSystem.exists(path + "/copy"))
      #expect(code("/copy") == nil)
    }
  }

  @Test func `without a data file, a record or an identity nothing is made`() throws {
    try withDirectory { directory in
      let path = directory + "/store"
      let storage = try LogStorage.open(at: path, access: .create)
      try storage.write([Note(text: [1], moment: 1)])
      storage.close()
      let size = try FileSystem.info(path + "/data.mdb").sizeBytes
      func error() -> StoreError? {
        storeError { () throws(StoreError) in
          try LogStorage.salvage(path, to: directory + "/copy")
        }
      }
      try overwrite(path + "/data.mdb", at: 0, with: [UInt8](repeating: 0, count: size))
      #expect(error()?.code == .damaged(sequence: 1))
      try FileSystem.unlink(path + "/FORMAT")
      #expect(error()?.why.contains("identity") == true)
      try FileSystem.unlink(path + "/data.mdb")
      #expect(error()?.why == "Its file data.mdb is missing.")
      try FileSystem.removeTree(path)
      #expect(error()?.code == .storeMissing(.directory))
      #expect(try FileSystem.list(directory).isEmpty)
    }
  }
}
