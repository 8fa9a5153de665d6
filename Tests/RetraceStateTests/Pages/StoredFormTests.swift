import RetraceAvro
import RetraceSystem
import RetraceFixtures
import RetraceTesting
import Testing

@testable import RetraceState

/// The bytes of keys, pages and records follow the format, and others are refused.
struct StoredFormTests {
  @Test("Keys have 14 bytes, which are ordered as the keys are")
  func keys() {
    withSeed { generator in
      var keys: [PageKey] = []
      for _ in 0..<200 {
        keys.append(
          PageKey(
            birth: .random(in: 0...300, using: &generator),
            table: .random(in: 0...2, using: &generator),
            lastID: .random(in: 0...70_000, using: &generator),
            level: .random(in: 0...2, using: &generator)))
      }
      keys.append(PageKey(birth: .max, table: .max, lastID: .max, level: .max))
      for left in keys {
        #expect(bytes(of: left).count == PageKey.byteCount)
        #expect(PageKey(bytes(of: left).span) == left)
        for right in keys {
          #expect(
            (left < right)
              == bytes(of: left).lexicographicallyPrecedes(bytes(of: right)))
        }
      }
    }
    let key = PageKey(birth: 0x0102, table: 3, lastID: 0x0405, level: 1)
    #expect(bytes(of: key) == [0, 0, 0, 0, 0, 0, 1, 2, 3, 0, 0, 4, 5, 1])
    let short = [UInt8](repeating: 0, count: 13)
    #expect(PageKey(short.span) == nil)
  }

  @Test("Pages hold what the format says")
  func pageBytes() {
    var office = Office()
    for number in 0..<Int64(40) { office.rooms.insert(Item("r", start: number)) }
    office.rooms.remove(ItemID(value: 1))
    for number in 2..<Int64(32) { office.rooms.remove(ItemID(value: number)) }
    var save = MemorySave()
    let stored = StatePages.save(&office, at: 7, with: SHA256Hasher.self, into: &save)
    let first: [UInt8] = [1, 0, 0, 0, 2, 2, 0x72, 0, 0]
    #expect(save.pages[0].key == PageKey(birth: 7, table: 1, lastID: 31, level: 0))
    #expect(save.pages[0].bytes == first)
    #expect(save.pages[1].key == PageKey(birth: 7, table: 1, lastID: 63, level: 0))
    #expect(save.pages[2].key == PageKey(birth: 7, table: 1, lastID: 1_023, level: 1))
    #expect(save.pages[3].key == PageKey(birth: 7, table: 1, lastID: 32_767, level: 2))
    #expect(save.pages.count == 4)
    var branch: [UInt8] = [3, 0, 0, 0]
    let leaves: [([UInt8], Int64, Int64)] = [(first, 0, 0), (save.pages[1].bytes, 32, 39)]
    for (page, low, high) in leaves {
      branch += FormatHash.sha256([0] + page)
      branch += FormatHash.little(low) + FormatHash.little(high) + FormatHash.little(7)
    }
    branch += FormatHash.little(Int64(bitPattern: SHA256Hasher.checksum(branch.span)))
    #expect(save.pages[2].bytes == branch)
    let root = stored.tables[1]
    var hashed: [UInt8] = [1, 3, 0, 0, 0]
    hashed += branch[4..<52] + branch[60..<108]
    let branchHash = FormatHash.sha256(hashed)
    #expect(
      FormatHash.sha256(
        [1, 1, 0, 0, 0] + branchHash + FormatHash.little(0) + FormatHash.little(39))
        == root.trunks[0].hash.bytes)
    var writer = AvroWriter()
    root.encode(into: &writer)
    #expect(
      writer.bytes
        == [1] + FormatHash.little(40) + FormatHash.little(9) + [1, 0, 0, 0]
        + root.trunks[0].hash.bytes + FormatHash.little(0) + FormatHash.little(39)
        + FormatHash.little(7))
  }

  @Test(
    "Snapshot records of any size are read back, and a truncated one is refused", arguments: 1...6)
  func records(seed: UInt64) throws {
    try withSeed(default: seed) { generator in
      var archive = Archive()
      var office = Office()
      for _ in 0..<Int.random(in: 0...3, using: &generator) * 20_000 {
        office.rooms.insert(Item("", start: 1))
      }
      office.title = "t"
      archive.save(&office, at: 3)
      let opened = try archive.open(0)
      #expect(opened == office)
      var writer = AvroWriter()
      archive.snapshots[0].stored.encode(into: &writer)
      let bytes = writer.bytes
      for count in 0..<bytes.count {
        #expect(throws: AvroError.self) {
          var reader = AvroReader(bytes.span.extracting(0..<count))
          _ = try SnapshotRecord(decoding: &reader)
        }
      }
    }
  }

  @Test("A changed snapshot record is refused, or opens a state with the intended pages")
  func damagedRecords() throws {
    var archive = Archive()
    var office = Office()
    office.title = "title"
    for number in 0..<Int64(100) { office.rooms.insert(Item("r", start: number)) }
    archive.save(&office, at: 300)
    var writer = AvroWriter()
    archive.snapshots[0].stored.encode(into: &writer)
    let bytes = writer.bytes
    var refused = 0
    for index in bytes.indices {
      for bit in 0..<8 {
        var changed = bytes
        changed[index] ^= 1 << UInt8(bit)
        var reader = AvroReader(changed.span)
        guard let stored = try? SnapshotRecord(decoding: &reader),
          let opened = try? StatePages.open(Office.self, from: stored, source: archive.pages)
        else {
          refused += 1
          continue
        }
        // Sequence, count and births are not part of the hash: the record needs a checksum.
        #expect(opened.title == office.title)
        #expect(opened.rooms.nextID == office.rooms.nextID)
      }
    }
    #expect(refused > bytes.count * 5)
  }

  @Test("Inconsistent counts are refused before memory is allocated")
  func hostileRoots() {
    let pairs: [(Int64, Int64)] = [(-1, 0), (1 << 32 + 1, 0), (10, 11), (1 << 32, 0)]
    for (next, live) in pairs {
      let bytes = [UInt8(0)] + FormatHash.little(next) + FormatHash.little(live)
      #expect(throws: AvroError.self) {
        var reader = AvroReader(bytes.span)
        _ = try TableRoot(decoding: &reader, sequence: 1)
      }
    }
  }

  private func bytes(of key: PageKey) -> [UInt8] {
    var writer = AvroWriter()
    key.encode(into: &writer)
    return writer.bytes
  }
}
