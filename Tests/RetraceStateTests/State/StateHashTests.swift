import RetraceArchitecture
import RetraceAvro
import RetraceHashing
import RetraceState
import RetraceTesting
import Testing

/// The hash of a state covers every scalar and every table, in order, and nothing else.
struct StateHashTests {
  @Test("The hash is the one that the format page defines", arguments: 1...8)
  func agreesWithFormat(seed: UInt64) {
    withSeed(default: seed) { generator in
      var office = Office()
      for _ in 0..<6 {
        office.title = "office \(Int.random(in: 0..<99, using: &generator))"
        for _ in 0..<40 { office.staff.items.insert(.random(&generator)) }
        office.rooms.insert(.random(&generator))
        office.staff.count += 1
        let expected = FormatHash.digest(FormatHash.sha256(bytes(of: office)))
        #expect(StateHasher.hash(&office, with: SwiftHasher.self) == expected)
      }
    }
  }

  @Test("A change of any part changes the hash, and the writer is left as it was")
  func everyPartCounts() {
    var writer = AvroWriter()
    writer.string("kept")
    let kept = writer.bytes
    var seen: Set<Digest> = []
    let changes: [(inout Office) -> Void] = [
      { _ in }, { $0.title = "x" }, { $0.staff.count = 9 },
      { $0.staff.items.insert(Item("a", start: 1)) }, { $0.rooms.insert(Item("a", start: 1)) },
      { office in
        // The table is empty again, but the next id has moved on.
        let id = office.rooms.insert(Item("a", start: 1))
        office.rooms.remove(id)
      },
    ]
    for change in changes {
      var office = Office()
      change(&office)
      seen.insert(StateHasher.hash(&office, with: SwiftHasher.self, &writer))
      #expect(writer.bytes == kept)
    }
    #expect(seen.count == changes.count)
  }

  @Test("The schema shows tables as arrays of rows, and the whole encoding follows it")
  func whole() {
    var office = Office()
    office.title = "t"
    office.staff.items.insert(Item("a", start: 1))
    let second = office.staff.items.insert(Item("b", start: -1))
    office.staff.items.remove(second)
    office.staff.items.insert(Item("c", start: 2))
    var writer = AvroWriter()
    office.encodeWhole(into: &writer)
    let rows: [UInt8] = [4, 0, 2, 0x61, 2, 4, 2, 0x63, 4, 0]
    #expect(writer.bytes == [2, 0x74] + rows + [0] + [0])
    var composer = SchemaComposer()
    let schema = Office.stateSchema(in: &composer)
    let id = Schema.record(name: "ItemID", fields: [Schema.Field("value", .long)])
    let item = Schema.record(
      name: "Item", fields: [Schema.Field("name", .string), Schema.Field("start", .long)])
    let row = Schema.record(
      name: "ItemRow", fields: [Schema.Field("id", id), Schema.Field("value", item)])
    let staff = Schema.record(
      name: "Staff", fields: [Schema.Field("items", .array(row)), Schema.Field("count", .long)])
    #expect(
      schema
        == .record(
          name: "Office",
          fields: [
            Schema.Field("title", .string), Schema.Field("staff", staff),
            Schema.Field("rooms", .array(.reference("ItemRow"))),
          ]))
  }

  private func bytes(of office: Office) -> [UInt8] {
    var bytes: [UInt8] = [0x02]
    bytes += FormatHash.zigzag(Int64(office.title.utf8.count)) + Array(office.title.utf8)
    bytes += FormatHash.zigzag(office.staff.count)
    for (number, table) in [office.staff.items, office.rooms].enumerated() {
      bytes += [UInt8(number)] + FormatHash.little(table.nextID.value)
      bytes += FormatHash.table(table.contents).bytes
    }
    return bytes
  }
}
