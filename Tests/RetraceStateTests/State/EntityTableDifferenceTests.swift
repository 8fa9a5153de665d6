import RetraceArchitecture
import RetraceAvro
import RetraceState
import RetraceTesting
import Testing

/// Two tables have the differences of two dictionaries.
struct EntityTableDifferenceTests {
  private struct Found: Equatable {
    var id: Int64
    var before: Item?
    var after: Item?
  }

  private func differences(from old: Items, to new: Items) -> [Found] {
    var found: [Found] = []
    new.forEachDifference(from: old) { id, before, after in
      found.append(Found(id: id.value, before: before, after: after))
      return true
    }
    return found
  }

  private func expected(from old: Items, to new: Items) -> [Found] {
    let (before, after) = (old.contents, new.contents)
    return Set(before.keys).union(after.keys).sorted()
      .map { Found(id: $0, before: before[$0], after: after[$0]) }
      .filter { $0.before != $0.after }
  }

  private func change(_ table: inout Items, _ random: inout SeededGenerator) {
    let id = ItemID(value: Int64.random(in: 0...table.nextID.value, using: &random))
    switch Int.random(in: 0..<6, using: &random) {
    case 0...1: table.insert(.random(&random))
    case 2: table.remove(id)
    case 3: _ = table.hash()
    default:
      let item = Item.random(&random)
      _ = table.modify(id) { $0 = item }
    }
  }

  @Test("Any two tables of one history, and of two, differ as dictionaries do", arguments: 1...10)
  func model(seed: UInt64) {
    withSeed(default: seed) { random in
      var table = Items()
      for _ in 0..<Int.random(in: 0...3_000, using: &random) { table.insert(.random(&random)) }
      var other = Items()
      table.forEach { _, item in other.insert(item) }
      for _ in 0..<repetitions(100) {
        let before = table
        for _ in 0..<Int.random(in: 0...5, using: &random) { change(&table, &random) }
        #expect(differences(from: before, to: table) == expected(from: before, to: table))
        #expect(differences(from: table, to: before) == expected(from: table, to: before))
        #expect(differences(from: other, to: table) == expected(from: other, to: table))
      }
    }
  }

  @Test("An entity that holds a NaN does not differ from itself")
  func notANumber() {
    var table = EntityTable<ItemID, Reading>()
    for number in 0..<40 { table.insert(Reading(value: number % 2 == 0 ? .nan : Double(number))) }
    let before = table
    _ = table.modify(ItemID(value: 3)) { $0.value = 0.5 }
    _ = table.modify(ItemID(value: 4)) { $0.value = -.nan }
    _ = table.modify(ItemID(value: 5)) { $0.value = .nan }
    _ = table.modify(ItemID(value: 6)) { $0.value = 6 }
    table.remove(ItemID(value: 38))
    var found: [Int64] = []
    table.forEachDifference(from: before) { id, _, _ in
      found.append(id.value)
      return true
    }
    #expect(found == [3, 5, 6, 38])
  }

  fileprivate struct Reading {
    var value: Double
    static var recordedName: String { "Reading" }
    static func schema(in composer: inout SchemaComposer) -> Schema {
      composer.named(recordedName, for: Self.self) { _ in
        .record(name: recordedName, fields: [Schema.Field("value", .double)])
      }
    }
    init(value: Double) { self.value = value }
    func encode(into writer: inout AvroWriter) { writer.double(value) }
    init(decoding reader: inout AvroReader) throws(AvroError) { value = try reader.double() }
  }

  @Test("The visit ends where the body says so")
  func ends() {
    var table = Items()
    for number in 0..<2_000 { table.insert(Item("", start: Int64(number))) }
    var ids: [Int64] = []
    table.forEachDifference(from: Items()) { id, _, _ in
      ids.append(id.value)
      return ids.count < 40
    }
    #expect(ids == Array(0..<40))
  }

  @Test("Two spellings of one text are a difference, though Swift takes them for equal")
  func spellings() {
    var table = Items()
    let id = table.insert(Item("\u{e9}", start: 0))
    table.insert(Item("\u{e9}", start: 1))
    let before = table
    _ = table.modify(id) { $0.name = "e\u{301}" }
    #expect(before[id] == table[id])
    #expect(differences(from: before, to: table).map(\.id) == [id.value])
  }
}

// In extensions, so that the generator leaves them alone.
extension EntityTableDifferenceTests.Reading: TableEntity, Equatable {}
