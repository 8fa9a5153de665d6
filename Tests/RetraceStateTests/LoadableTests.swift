import RetraceArchitecture
import RetraceAvro
import RetraceSchema
import RetraceState
import Testing

/// A loadable value is recorded as an enum with payloads is.
struct LoadableTests {
  // The seeds' four cases. An error is a text, because any other one may not be recordable.
  @Test("Every case is read back from its bytes [T1, T2]")
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

  @Test("A type that is renamed is known by its former name within other types")
  func renamed() throws {
    try expectRename(Loadable<Before>.self, Loadable<After>.self, .loaded(Before(value: 7)))
    try expectRename(
      BackStack<Before>.self, BackStack<After>.self, BackStack(root: Before(value: 7)))
    try expectRename(Loadable<[Before]>?.self, Loadable<[After]>?.self, .loaded([]))
    try expectRename(
      Set<Loadable<Before>>.self, Set<Loadable<After>>.self, [.failed("x"), .loading])
    try expectRename(
      [Before: Loadable<Before>].self, [After: Loadable<After>].self,
      [Before(value: 1): .loaded(Before(value: 2))])
  }

  private func expectRename<Old: Recordable, New: Recordable>(
    _ old: Old.Type, _ new: New.Type, _ value: Old
  ) throws {
    let resolver = try SchemaResolver(writer: Old.schema, reader: New.schema)
    #expect(resolver.verdict().name == "fine", "\(resolver.verdict())")
    let bytes = value.encoded()
    var writer = AvroWriter()
    #expect(try resolver.resolve(bytes.span, into: &writer) == .resolved)
    #expect(writer.bytes == bytes)
    _ = try New(encoded: writer.span)
  }

  fileprivate struct Before {
    var value: Int64
    init(value: Int64) { self.value = value }
    static var recordedName: String { "Before" }
    var path: String { "before" }
  }

  fileprivate struct After {
    var value: Int64
    init(value: Int64) { self.value = value }
    static var recordedName: String { "After" }
    static var recordedAliases: [String] { ["Before"] }
    var path: String { "after" }
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

// In extensions, so that the generator leaves them alone.
extension LoadableTests.Before: EntityID, NavigationRoute {}
extension LoadableTests.After: EntityID, NavigationRoute {}
