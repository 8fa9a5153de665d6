import RetraceArchitecture
import RetraceAvro
import RetraceSchema
import RetraceState
import Testing

@Suite struct GeneratedStateTests {
  private var ledger: Ledger {
    var ledger = Ledger(version: 7)
    ledger.people.insert(Person(name: "Ada"))
    ledger.people.insert(Person(name: "Bo"))
    ledger.title = "t"
    ledger.part.draft = "d"
    ledger.running = [PersonID(value: 1): Moment(microseconds: 5)]
    return ledger
  }

  @Test func `scalars are written in order without the tables`() {
    var writer = AvroWriter()
    ledger.encodeScalars(into: &writer)
    #expect(writer.bytes == [2, 0x74, 2, 2, 0x64, 14, 2, 2, 10, 0])
  }

  @Test func `the whole state is read by its schema`() throws {
    var composer = SchemaComposer()
    let codec = try SchemaCodec(Ledger.stateSchema(in: &composer))
    var writer = AvroWriter()
    ledger.encodeWhole(into: &writer)
    let json = codec.json(try codec.decode(writer.span)).text()
    #expect(
      json
        == #"{"people":[{"id":0,"value":{"name":"Ada"}},{"id":1,"value":{"name":"Bo"}}],"#
        + #""title":"t","part":{"draft":"d","pens":[]},"version":7,"#
        + #""running":[{"key":1,"value":5}]}"#)
  }

  @Test func `tables are shown in the order of their declarations`() {
    struct Names: TableVisitor {
      var names: [String] = []
      mutating func visit<ID, Entity>(_ table: inout EntityTable<ID, Entity>) {
        names.append("\(Entity.recordedName) \(table.count)")
      }
    }
    var ledger = ledger
    var names = Names()
    ledger.visitTables(&names)
    #expect(names.names == ["Person 2", "Shop_Item 0"])
  }
}
