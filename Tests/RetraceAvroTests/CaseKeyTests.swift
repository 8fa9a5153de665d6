import RetraceAvro
import RetraceSchema
import RetraceTesting
import Testing

/// Payloads with the same name have the same number, and with different names different numbers.
@Suite struct CaseKeyTests {
  @Test func `two cases have different numbers exactly if they have different names`() throws {
    try withSeed("CaseBranches") { random in
      let codec = try SchemaCodec(Self.schema)
      var names: [UInt64: String] = [:]
      for _ in 0..<2_000 {
        let payload = Self.payload(&random)
        let name = try #require(codec.caseName(of: try codec.decode(payload.span)))
        let number = try #require(try codec.caseKey(in: payload.span))
        #expect(names[number, default: name] == name)
        names[number] = name
      }
      #expect(Set(names.values).count == names.count)
      #expect(Set(names.values) == ["a", "b.x", "b.y", "b.b.x", "b.b.y", "c", "d.z"])
    }
  }

  @Test func `a value that is not an enum has no number, and truncated bytes are an error`() throws
  {
    let codec = try SchemaCodec(.string)
    #expect(try codec.caseKey(in: [2, 65].span) == nil)
    let enumeration = try SchemaCodec(.enumeration(name: "E", symbols: ["p", "q"]))
    let (first, second): ([UInt8], [UInt8]) = ([0], [2])
    #expect(
      try enumeration.caseKey(in: first.span) != enumeration.caseKey(in: second.span))
    let empty: [UInt8] = []
    #expect(throws: AvroError.self) {
      _ = try SchemaCodec(Self.schema).caseKey(in: empty.span)
    }
    let unknown: [UInt8] = [8]
    #expect(throws: AvroError.self) {
      _ = try SchemaCodec(Self.schema).caseKey(in: unknown.span)
    }
  }

  /// `a(string)`, `b(string, Inner)`, `c`, where `Inner` is `x`, `y` or `b(Inner of its own)`.
  private static let schema: Schema = {
    func cases(_ name: String, _ branches: [Schema]) -> Schema {
      .record(name: name, fields: [Schema.Field("case", .union(branches))])
    }
    let innermost = cases(
      "Innermost",
      [
        .record(name: "Innermost_x", fields: []),
        .record(name: "Innermost_y", fields: [Schema.Field("_0", .long)]),
      ])
    let single = cases("Single", [.record(name: "Single_z", fields: [])])
    let inner = cases(
      "Inner",
      [
        .record(name: "Inner_x", fields: []),
        .record(name: "Inner_y", fields: [Schema.Field("_0", .long)]),
        .record(name: "Inner_b", fields: [Schema.Field("_0", innermost)]),
      ])
    return cases(
      "Outer",
      [
        .record(name: "Outer_a", fields: [Schema.Field("_0", .string)]),
        .record(
          name: "Outer_b", fields: [Schema.Field("_0", .string), Schema.Field("_1", inner)]),
        .record(name: "Outer_c", fields: []),
        // An enum with fewer cases than `inner`; the cases within must not be mixed up.
        .record(name: "Outer_d", fields: [Schema.Field("_0", single)]),
      ])
  }()

  private static func payload(_ random: inout SeededGenerator) -> [UInt8] {
    var writer = AvroWriter()
    let outer = Int.random(in: 0...3, using: &random)
    writer.branch(outer)
    if outer == 3 {
      writer.branch(0)
      return writer.bytes
    }
    guard outer < 2 else { return writer.bytes }
    writer.string(String(repeating: "ä", count: Int.random(in: 0...9, using: &random)))
    guard outer == 1 else { return writer.bytes }
    let inner = Int.random(in: 0...2, using: &random)
    writer.branch(inner)
    if inner == 1 { writer.long(Int64.random(in: .min ... .max, using: &random)) }
    if inner == 2 { innermost(into: &writer, &random) }
    return writer.bytes
  }

  private static func innermost(into writer: inout AvroWriter, _ random: inout SeededGenerator) {
    let branch = Int.random(in: 0...1, using: &random)
    writer.branch(branch)
    if branch == 1 { writer.long(7) }
  }
}
