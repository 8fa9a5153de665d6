import RetraceAvro
import RetraceHashing
import Testing

@testable import RetraceState

/// Copies of a table share what neither has changed, and nothing is copied for one owner.
///
/// Entities with a reference inside show a copy of the memory around them: as long as one leaf
/// holds an entity, its reference is unique.
struct EntityTableSharingTests {
  @Test("A table that nobody shares is changed without copying")
  func changesInPlace() {
    var table = EntityTable<ItemID, Boxed>()
    for number in 0..<Int64(3_000) { table.insert(Boxed(number)) }
    #expect(copied(&table, 0..<3_000) == 0)
    var writer = AvroWriter()
    _ = table.hash(with: SwiftHasher.self, &writer)
    #expect(copied(&table, 0..<3_000) == 0)
  }

  @Test("While a copy is kept, the leaf that is changed is copied")
  func seesCopies() {
    var table = EntityTable<ItemID, Boxed>()
    for number in 0..<Int64(100) { table.insert(Boxed(number)) }
    let kept = table
    #expect(copied(&table, 0..<100) == 100)
    #expect(kept.count == 100)
  }

  @Test("A change to a shared table copies one node of each level and shares the rest")
  func copiesOnePath() {
    var table = EntityTable<ItemID, Boxed>()
    for number in 0..<Int64(40_000) { table.insert(Boxed(number)) }
    let kept = table
    table.modify(ItemID(value: 20_000)) { $0.box = Box(-1) }
    #expect(unshared(table, kept) == Unshared(trunks: 1, branches: 1, leaves: 1))
    #expect(kept[ItemID(value: 20_000)]?.box.value == 20_000)
    table.insert(Boxed(7))
    #expect(kept.count == 40_000)
    // 40,000 ids end at the border of a leaf, so a leaf was added and none was copied.
    #expect(unshared(table, kept) == Unshared(trunks: 2, branches: 2, leaves: 1))
  }

  @Test("Hashing a shared table copies no leaf")
  func hashingCopiesNoLeaf() {
    var table = EntityTable<ItemID, Boxed>()
    for number in 0..<Int64(2_000) { table.insert(Boxed(number)) }
    var copy = table
    var writer = AvroWriter()
    _ = copy.hash(with: SwiftHasher.self, &writer)
    #expect(unshared(table, copy).leaves == 0)
    #expect(copy == table)
  }

  @Test("A change for an id without an entity keeps every hash up to date")
  func missesKeepHashes() {
    var table = EntityTable<ItemID, Boxed>()
    for number in 0..<Int64(2_000) { table.insert(Boxed(number)) }
    var writer = AvroWriter()
    _ = table.hash(with: SwiftHasher.self, &writer)
    let missed: Void? = table.modify(ItemID(value: 2_000)) { $0.box = Box(0) }
    #expect(missed == nil)
    #expect(table.remove(ItemID(value: -1)) == false)
    #expect(table.trunks.allSatisfy { $0.stale == 0 })
  }

  /// Counts the entities in a range whose reference is held more than once.
  private func copied(_ table: inout EntityTable<ItemID, Boxed>, _ range: Range<Int64>) -> Int {
    var count = 0
    for number in range {
      let isUnique = table.modify(ItemID(value: number)) { isKnownUniquelyReferenced(&$0.box) }
      if isUnique != true { count += 1 }
    }
    return count
  }

  struct Unshared: Equatable {
    var trunks = 0
    var branches = 0
    var leaves = 0
  }

  /// Counts the nodes that both tables have and do not share.
  private func unshared(
    _ first: EntityTable<ItemID, Boxed>, _ second: EntityTable<ItemID, Boxed>
  ) -> Unshared {
    var result = Unshared()
    for (left, right) in zip(first.trunks, second.trunks) {
      if left.children.span.isIdentical(to: right.children.span) { continue }
      result.trunks += 1
      for (left, right) in zip(left.children, right.children) {
        if left.children.span.isIdentical(to: right.children.span) { continue }
        result.branches += 1
        for (left, right) in zip(left.children, right.children)
        where !left.slots.span.isIdentical(to: right.slots.span) {
          result.leaves += 1
        }
      }
    }
    return result
  }
}

/// A number in a class, so that a test can see whether its holder was copied.
final class Box: Sendable {
  let value: Int64
  init(_ value: Int64) { self.value = value }
}

/// An entity with a reference inside.
struct Boxed: TableEntity {
  var box: Box

  init(_ value: Int64) { box = Box(value) }
  static func == (left: Boxed, right: Boxed) -> Bool { left.box.value == right.box.value }
  static var recordedName: String { "Boxed" }
  static func schema(in composer: inout SchemaComposer) -> Schema { .long }
  func encode(into writer: inout AvroWriter) { writer.long(box.value) }
  init(decoding reader: inout AvroReader) throws(AvroError) { box = Box(try reader.long()) }
}
