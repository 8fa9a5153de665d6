import RetraceArchitecture
import RetraceAvro
import Testing

/// A loadable value is recorded as an enum with payloads is.
struct LoadableTests {
  @Test("Every case is read back from its bytes")
  func recorded() throws {
    let all: [Loadable<Item>] = [
      .nothing, .loading, .loaded(Item("a", start: 3)), .failed("no network"),
    ]
    for (index, value) in all.enumerated() {
      let bytes = value.encoded()
      #expect(bytes.first == UInt8(index * 2))
      #expect(try Loadable<Item>(encoded: bytes.span) == value)
    }
    #expect(all.map(\.value) == [nil, nil, Item("a", start: 3), nil])
    #expect(all.map(\.isLoading) == [false, true, false, false])
    let beyond: [UInt8] = [8]
    #expect(throws: AvroError.self) { try Loadable<Item>(encoded: beyond.span) }
  }

  @Test("The schema is a record around a union of a record for each case")
  func schema() {
    let name = "Loadable__Item"
    let item = Schema.record(
      name: "Item", fields: [Schema.Field("name", .string), Schema.Field("start", .long)])
    let cases: [Schema] = [
      .record(name: "\(name)_nothing", fields: []), .record(name: "\(name)_loading", fields: []),
      .record(name: "\(name)_loaded", fields: [Schema.Field("value", item)]),
      .record(name: "\(name)_failed", fields: [Schema.Field("reason", .string)]),
    ]
    #expect(
      Loadable<Item>.schema == .record(name: name, fields: [Schema.Field("case", .union(cases))]))
  }
}
