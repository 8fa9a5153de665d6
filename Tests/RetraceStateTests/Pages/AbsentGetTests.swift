import RetraceAvro
import RetraceSystem
import RetraceFixtures
import Testing

@testable import RetraceState

/// What is made of a page when one entity of it is asked for.
struct AbsentGetTests {
  @Test func `a get from an absent page makes one entity and passes over those before it`() {
    var table = EntityTable<ItemID, CountedItem>()
    for number in 0..<Int64(40) { table.insert(CountedItem(number: number)) }
    table.remove(ItemID(value: 3))
    var save = MemorySave()
    var writer = AvroWriter()
    let root = table.save(at: 1, number: 0, with: SHA256Hasher.self, &writer, into: &save)
    let pages = MemoryPages<SHA256Hasher>()
    pages.commit(save)
    let absent = EntityTable<ItemID, CountedItem>(stored: root, source: pages)

    CountedItem.counts.withLock { $0 = .init() }
    #expect(absent[ItemID(value: 31)]?.number == 31)
    #expect(CountedItem.counts.withLock { $0 } == .init(made: 1, passed: 30))
    #expect(absent.read(ItemID(value: 0)) { $0.number } == 0)
    #expect(absent[ItemID(value: 3)] == nil)
    #expect(absent[ItemID(value: 4)]?.number == 4)
    #expect(CountedItem.counts.withLock { $0 } == .init(made: 3, passed: 33))
    #expect(pages.firstError == nil)
  }
}

/// An entity that counts how often one is made and passed over.
private struct CountedItem: TableEntity {
  struct Counts: Equatable {
    var made = 0
    var passed = 0
  }

  static let counts = Lock(Counts())
  var number: Int64

  init(number: Int64) { self.number = number }
  static var recordedName: String { "CountedItem" }
  static func schema(in composer: inout SchemaComposer) -> Schema { .long }
  func encode(into writer: inout AvroWriter) { writer.long(number) }
  init(decoding reader: inout AvroReader) throws(AvroError) {
    number = try reader.long()
    CountedItem.counts.withLock { $0.made += 1 }
  }
  static func skip(in reader: inout AvroReader) throws(AvroError) {
    _ = try reader.long()
    counts.withLock { $0.passed += 1 }
  }
}
