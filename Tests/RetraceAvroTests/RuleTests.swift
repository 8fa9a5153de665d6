import RetraceArchitecture
import RetraceAvro
import RetraceSchema
import RetraceState
import RetraceTesting
import Testing

/// Verdicts on types that have one schema and not the same values.
@Suite struct RuleTests {
  @Test func `only types with the same values are the same`() throws {
    try expect([Int64].self, [Int64].self, "same")
    try expect(Set<Int64>.self, Set<Int64>.self, "same")
    try expect(UInt8.self, UInt8.self, "same")
    try expect([UInt8].self, [UInt8].self, "same")
    try expect([Int64: UInt8].self, [Int64: UInt8].self, "same")
    try expect(Everything.self, Everything.self, "same")
    try expect(Int.self, Int64.self, "same")
    try expect(Percent.self, Percent.self, "same")
    try expect(Percent?.self, Percent?.self, "same")
  }

  @Test func `a type that takes fewer values than were recorded needs checking`() throws {
    try expect([Int64].self, Set<Int64>.self, "needs checking")
    try expect([[Int64]]?.self, [Set<Int64>]?.self, "needs checking")
    try expect([String: [String]].self, [String: Set<String>].self, "needs checking")
    try expect(Int32.self, UInt8.self, "needs checking")
    try expect(Int32?.self, UInt8?.self, "needs checking")
    try expect([Int64: Int32].self, [Int64: UInt8].self, "impossible")
    try expect(Int32.self, Percent.self, "needs checking")
    try expect([Int32?].self, [Percent?].self, "needs checking")
    try expect(UInt8.self, Percent.self, "needs checking")
    try expect(Percent.self, UInt8.self, "needs checking")
  }

  @Test func `bytes that are read as a text need checking, each by itself`() throws {
    try expect([UInt8].self, String.self, "needs checking")
    try expect([UInt8]?.self, String?.self, "needs checking")
    try expect(String.self, [UInt8].self, "fine")
    let resolver = try SchemaResolver(writer: [UInt8].schema, reader: String.schema)
    var writer = AvroWriter()
    let text = [UInt8]("née".utf8).encoded()
    #expect(try resolver.resolve(text.span, into: &writer, rejectingUnchecked: true) == .resolved)
    #expect(writer.bytes == "née".encoded())
    let none = [UInt8]([0x61, 0xff]).encoded()
    let outcome = try resolver.resolve(none.span, into: &writer, rejectingUnchecked: true)
    #expect(outcome != .resolved)
  }

  @Test func `a type that takes more values than were recorded is fine`() throws {
    try expect(Set<Int64>.self, [Int64].self, "fine")
    try expect(UInt8.self, Int32.self, "fine")
    try expect(UInt8.self, Int64.self, "fine")
    try expect(Percent.self, Int32.self, "fine")
    try expect(Set<Percent>?.self, [Int64]?.self, "fine")
  }

  @Test func `a schema recorded without rules is not taken for one with them`() throws {
    // As older builds recorded `Set<UInt8>` and `[UInt8: UInt8]`.
    let old = try Schema(parsing: #"{"type":"array","items":"int"}"#)
    #expect(old.canonicalForm == Set<UInt8>.schema.canonicalForm)
    let resolver = try SchemaResolver(writer: old, reader: Set<UInt8>.schema)
    #expect(resolver.verdict().name == "needs checking")
    let bytes = Set<UInt8>([3, 1, 200]).encoded()
    var writer = AvroWriter()
    #expect(try resolver.resolve(bytes.span, into: &writer) == .resolved)
    #expect(writer.bytes == bytes)
    // The name of the entry says that it is of a dictionary.
    let entry = #"{"type":"record","name":"Dictionary__Int__string_entry","fields":["#
    let dictionary = try Schema(
      parsing: #"{"type":"array","items":\#(entry){"name":"key","type":"long"},"#
        + #"{"name":"value","type":"string"}]}}"#)
    #expect(
      try SchemaResolver(writer: dictionary, reader: [Int: String].schema).verdict() == .same)
  }

  @Test func `rules are in the JSON of a schema and in no fingerprint`() throws {
    let schema = Set<UInt8>.schema
    #expect(
      schema.text
        == #"{"type":"array","items":{"type":"int","retraceRule":"byte"},"retraceRule":"set"}"#)
    #expect(try Schema(parsing: schema.text) == schema)
    #expect(schema.canonicalForm == #"{"type":"array","items":"int"}"#)
    #expect(Percent.schema.text == #"{"type":"int","retraceRule":"Percent"}"#)
    #expect(CivilMoment.schema.canonicalForm == Moment.schema.canonicalForm)
  }

  @Test func `members that become equal count once, and keys that do need checking`() throws {
    let tag = Schema.record(name: "Tag", fields: [.init("name", .string), .init("color", .int)])
    let plain = Schema.record(name: "Tag", fields: [.init("name", .string)])
    let sets = try SchemaResolver(
      writer: .ruled("set", .array(tag)), reader: .ruled("set", .array(plain)))
    #expect(sets.verdict().name == "fine")
    #expect(sets.verdict().differences.contains { $0.detail.contains("count once") })
    var bytes: [UInt8] = [6] + "a".encoded() + [2] + "a".encoded() + [4] + "b".encoded() + [2, 0]
    var writer = AvroWriter()
    #expect(try sets.resolve(bytes.span, into: &writer) == .resolved)
    var reader = AvroReader(resolved: writer.span, inputByteCount: bytes.count)
    #expect(try Set<String>(decoding: &reader) == ["a", "b"])

    func dictionary(_ key: Schema) -> Schema {
      .ruled(
        "dictionary",
        .array(.record(name: "entry", fields: [.init("key", key), .init("value", .int)])))
    }
    let keyed = try SchemaResolver(writer: dictionary(tag), reader: dictionary(plain))
    #expect(keyed.verdict().name == "needs checking")
    bytes = [4] + "a".encoded() + [2, 8] + "a".encoded() + [4, 10, 0]
    writer.removeAll()
    #expect(try keyed.resolve(bytes.span, into: &writer) == .resolved)
    var resolved = AvroReader(resolved: writer.span, inputByteCount: bytes.count)
    #expect(throws: AvroError.self) { try [String: Int32](decoding: &resolved) }
    writer.removeAll()
    guard
      case .unresolved(let difference, _) = try keyed.resolve(
        bytes.span, into: &writer, rejectingUnchecked: true)
    else {
      Issue.record("two keys became one")
      return
    }
    #expect(difference.detail.contains("keys"))
    // Keys that are only widened stay different.
    let wider = try SchemaResolver(writer: dictionary(.int), reader: dictionary(.long))
    #expect(wider.verdict().name == "fine")
    let rounded = try SchemaResolver(writer: dictionary(.long), reader: dictionary(.double))
    #expect(rounded.verdict().name == "needs checking")
  }

  @Test func `an enum may get its first payload, and lose its last one`() throws {
    let plain = Schema.enumeration(name: "Color", symbols: ["red", "blue", "gone"])
    let payloads = Schema.record(
      name: "Color",
      fields: [
        .init(
          "case",
          .union([
            .record(name: "Color_custom", fields: [.init("hex", .string)]),
            .record(name: "Color_blue", fields: [.init("dark", .boolean, default: true)]),
            .record(name: "Color_red", fields: []),
          ]))
      ])
    func field(_ type: Schema) -> Schema { .record(name: "R", fields: [.init("color", type)]) }
    let gained = try SchemaResolver(writer: field(plain), reader: field(payloads))
    #expect(gained.verdict(retiring: [CaseName("Color", "gone")]).name == "fine")
    #expect(gained.verdict().name == "needs upcaster")
    #expect(resolved([0], gained) == [4])
    #expect(resolved([2], gained) == [2, 1])
    #expect(resolved([4], gained) == nil)
    let required = try SchemaResolver(
      writer: plain,
      reader: .record(
        name: "Color",
        fields: [
          .init(
            "case",
            .union([
              .record(name: "Color_red", fields: [.init("dark", .boolean)]),
              .record(name: "Color_azure", aliases: ["Color_blue"], fields: []),
              .record(name: "Color_gone", fields: []),
            ]))
        ]))
    #expect(required.verdict().differences.map(\.member) == ["red"])
    #expect(resolved([2], required) == [2])

    let lost = try SchemaResolver(writer: field(payloads), reader: field(plain))
    #expect(lost.verdict().name == "needs upcaster")
    #expect(lost.verdict(retiring: [CaseName("Color", "custom")]).name == "fine")
    #expect(resolved([4], lost) == [0])
    #expect(resolved([2, 1], lost) == [2])
    #expect(resolved([0] + "00".encoded(), lost) == nil)
    // The same within an optional.
    let optional = try SchemaResolver(
      writer: .union([.null, plain]), reader: .union([.null, payloads]))
    #expect(resolved([2, 0], optional) == [2, 4])
    #expect(resolved([0], optional) == [0])
  }

  @Test func `a former name of a case applies only if the new name was not recorded`() throws {
    func payloads(_ cases: [(name: String, former: [String])]) -> Schema {
      .record(
        name: "E",
        fields: [
          .init(
            "case",
            .union(
              cases.map { name, former in
                .record(name: "E_\(name)", aliases: former.map { "E_\($0)" }, fields: [])
              }))
        ])
    }
    func expect(
      _ symbols: [String], _ cases: [(String, [String])], _ branches: [UInt8?],
      _ location: SourceLocation = #_sourceLocation
    ) throws {
      let gained = try SchemaResolver(
        writer: .enumeration(name: "E", symbols: symbols), reader: payloads(cases))
      // As an enum that had payloads before.
      let recorded = try SchemaResolver(
        writer: payloads(symbols.map { ($0, []) }), reader: payloads(cases))
      for (symbol, branch) in branches.enumerated() {
        for resolver in [gained, recorded] {
          let found = resolved([UInt8(2 * symbol)], resolver)
          #expect(found == branch.map { [2 * $0] }, sourceLocation: location)
        }
      }
    }
    try expect(["a"], [("a", []), ("c", ["a"])], [1])
    try expect(["a"], [("c", ["a"]), ("a", [])], [0])
    try expect(["a", "b"], [("b", ["a"]), ("a", [])], [1, 0])
    try expect(["a", "b"], [("b", ["a"])], [nil, 0])
  }

  @Test func `a rule inside a logical type counts`() throws {
    let percent = Schema.logical("share", .ruled("Percent", .int))
    let plain = Schema.logical("share", .int)
    let gained = try SchemaResolver(writer: plain, reader: percent)
    #expect(gained.verdict().name == "needs checking")
    #expect(try SchemaResolver(writer: percent, reader: plain).verdict().name == "fine")
    #expect(try SchemaResolver(writer: percent, reader: percent).verdict() == .same)
  }

  @Test func `defaults that JSON cannot say are read all the same`() throws {
    func fields(_ defaults: [Schema.Default], _ types: [Schema]) -> Schema {
      .record(
        name: "R",
        fields: zip(defaults, types).enumerated().map { index, pair in
          Schema.Field("f\(index)", pair.1, default: pair.0)
        })
    }
    var composer = SchemaComposer()
    let reader = fields(
      [
        composer.defaultValue(Double.infinity), composer.defaultValue(-Float.infinity),
        composer.defaultValue(Double.nan), composer.defaultValue(Shop.Action.clear),
        composer.defaultValue(Shop.Action.nested(.only(value: true))),
        composer.defaultValue(Optional(Int64(7))), composer.defaultValue(1.5),
        composer.defaultValue(Loadable<Int64>.loaded(3)),
      ],
      [
        .double, .float, .double, composer.schema(of: Shop.Action.self),
        .reference("Shop_Action"), .union([.null, .long]), .double,
        composer.schema(of: Loadable<Int64>.self),
      ])
    let resolver = try SchemaResolver(writer: .record(name: "R", fields: []), reader: reader)
    #expect(resolver.verdict().name == "fine")
    let expected =
      Double.infinity.encoded() + (-Float.infinity).encoded() + Double.nan.encoded()
      + Shop.Action.clear.encoded() + Shop.Action.nested(.only(value: true)).encoded()
      + Optional(Int64(7)).encoded() + 1.5.encoded() + Loadable<Int64>.loaded(3).encoded()
    #expect(resolved([], resolver) == expected)
    // Other programs accept the printed default, too.
    let text = reader.text
    #expect(!text.contains("Infinity") && !text.contains("NaN"))
    let printed = try Schema(parsing: text)
    guard case .record(_, _, let printedFields) = printed else {
      Issue.record("no record")
      return
    }
    #expect(
      printedFields.map { $0.defaultValue == nil } == [
        true, true, true, false, false, false, false, false,
      ])
    let known = try SchemaResolver(
      writer: .record(name: "R", fields: []),
      reader: .record(name: "R", fields: Array(printedFields.dropFirst(3))))
    #expect(resolved([], known) == Array(expected.dropFirst(8 + 4 + 8)))
    // Two cases without payloads look the same in JSON, so only the first of them is said.
    #expect(composer.defaultValue(Loadable<Int64>.idle).isSaid)
    #expect(
      !composer.defaultValue(Twins.second).isSaid && composer.defaultValue(Twins.first).isSaid)
  }

  private func expect<Old: Recordable, New: Recordable>(
    _ old: Old.Type, _ new: New.Type, _ verdict: String
  ) throws {
    let resolver = try SchemaResolver(
      writer: try Schema(parsing: Old.schema.text), reader: New.schema)
    #expect(resolver.verdict().name == verdict, "\(old) to \(new): \(resolver.verdict())")
  }

  private func resolved(_ bytes: [UInt8], _ resolver: SchemaResolver) -> [UInt8]? {
    var writer = AvroWriter()
    guard let outcome = try? resolver.resolve(bytes.span, into: &writer), outcome == .resolved
    else { return nil }
    return writer.bytes
  }
}

extension Schema.Default {
  /// Whether the JSON of a schema says it.
  fileprivate var isSaid: Bool {
    Schema.Field("f", .null, default: self).defaultValue != nil
  }
}

/// A number from 0 to 100, which no schema says.
struct Percent: RandomValue, Hashable {
  var value: Int32

  init(_ value: Int32) { self.value = value }

  static var recordedName: String { "Percent" }
  static func schema(in composer: inout SchemaComposer) -> Schema { .int }
  func encode(into writer: inout AvroWriter) { value.encode(into: &writer) }
  init(decoding reader: inout AvroReader) throws(AvroError) {
    let start = reader.offset
    value = try reader.int()
    if !(0...100).contains(value) { throw AvroError(.outOfRange, at: start, "percent") }
  }

  static func random(using random: inout SeededGenerator, _ depth: Int) -> Percent {
    Percent(.random(in: 0...100, using: &random))
  }
}

/// An enum whose two cases have the same payloads: none.
private enum Twins {
  case first, second

  static var recordedName: String { "Twins" }
  static func schema(in composer: inout SchemaComposer) -> Schema {
    composer.named(recordedName, for: Self.self) { composer in
      .record(
        name: recordedName,
        fields: [
          .init(
            "case",
            .union([
              composer.caseRecord("Twins_first", []), composer.caseRecord("Twins_second", []),
            ]))
        ])
    }
  }
  func encode(into writer: inout AvroWriter) { writer.branch(self == .first ? 0 : 1) }
  init(decoding reader: inout AvroReader) throws(AvroError) {
    self = try reader.branch(count: 2) == 0 ? .first : .second
  }
}

// In extensions, so that the generator leaves them alone.
extension Twins: Recordable {}
