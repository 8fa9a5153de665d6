import RetraceAvro
import RetraceSchema
import Testing

/// Actions as a person reads them.
@Suite struct CaseTextTests {
  private static func cases(_ name: String, _ branches: [String: [Schema.Field]]) -> Schema {
    .record(
      name: name,
      fields: [
        Schema.Field(
          "case",
          .union(
            branches.sorted { $0.key < $1.key }.map { label, fields in
              .record(name: "\(name)_\(label)", fields: fields)
            }))
      ])
  }

  private static let edit = cases(
    "Edit", ["clear": [], "insert": [Schema.Field("text", .string), Schema.Field("at", .long)]])
  private static let action = cases(
    "Action",
    [
      "left": [],
      "noted": [Schema.Field("_0", .string)],
      "scene": [
        Schema.Field("_0", .record(name: "ID", fields: [Schema.Field("value", .long)])),
        Schema.Field("_1", edit),
      ],
      "undo": [
        Schema.Field("_0", .union([.null, .reference("Edit")])),
        Schema.Field("times", .record(name: "Times", fields: [Schema.Field("n", .int)])),
      ],
    ])

  @Test func `an instant in an action is written as the caller says`() throws {
    let instant = Schema.Field("at", .logical("timestamp-micros", .long))
    let codec = try SchemaCodec(Self.cases("Action", ["set": [instant]]))
    let value = try codec.decode((Int64(0).encoded() + Int64(7).encoded()).span)
    let text = codec.caseText(of: value) { name, value in
      name == "timestamp-micros" && value == .long(7) ? "noon" : nil
    }
    #expect(text == #"set(at: "noon")"#)
    #expect(codec.caseText(of: value) == "set(at: 7)")
  }

  @Test func `the names of cases are those in the schema, also of an enum that contains itself`()
    throws
  {
    let codec = try SchemaCodec(Self.action)
    #expect(codec.caseNames == ["left", "noted", "scene.clear", "scene.insert", "undo"])
    for name in codec.caseNames + ["scene"] { #expect(codec.hasCase(named: name), "\(name)") }
    for name in ["", "scen", "scene.", ".left", "insert", "scene.insert.text", "left.left"] {
      #expect(!codec.hasCase(named: name), "\(name)")
    }
    let again = Schema.Field("_0", .reference("Deep"))
    let deep = try SchemaCodec(Self.cases("Deep", ["again": [again], "end": []]))
    #expect(deep.caseNames == ["again", "end"])
    #expect(deep.hasCase(named: "again.again.end") && !deep.hasCase(named: "again.end.again"))
    let plain = try SchemaCodec(
      .enumeration(name: "Way", aliases: [], symbols: ["up", "down"], default: nil))
    #expect(plain.caseNames == ["up", "down"] && plain.hasCase(named: "up"))
    #expect(!plain.hasCase(named: "up.down"))
  }

  private func text(_ payload: [UInt8]) throws -> String? {
    let codec = try SchemaCodec(Self.action)
    return codec.caseText(of: try codec.decode(payload.span))
  }

  @Test func `an action is its cases, and what they carry as in a call`() throws {
    #expect(try text([0]) == "left")
    #expect(try text([2, 4, 97, 98]) == #"noted("ab")"#)
    #expect(try text([4, 6, 0]) == "scene(3).clear")
    #expect(try text([4, 6, 2, 2, 97, 10]) == #"scene(3).insert(text: "a", at: 5)"#)
  }

  @Test func `a case before the last payload is printed as an argument, and so is null`() throws {
    #expect(
      try text([6, 2, 2, 2, 97, 10, 4]) == #"undo(.insert(text: "a", at: 5), times: {"n":2})"#)
    #expect(try text([6, 2, 0, 4]) == #"undo(.clear, times: {"n":2})"#)
    #expect(try text([6, 0, 4]) == #"undo(null, times: {"n":2})"#)
  }

  @Test func `members of records that are null are left out, those of calls are not`() throws {
    let fields = ["name", "count"].map { Schema.Field($0, .union([.null, .long])) }
    let changes = Schema.Field("_0", .record(name: "Changes", fields: fields))
    let at = Schema.Field("at", .union([.null, .long]))
    let codec = try SchemaCodec(Self.cases("Action", ["changed": [changes, at]]))
    let value = try codec.decode(([0, 0, 2, 14, 0] as [UInt8]).span)
    #expect(codec.caseText(of: value) == #"changed({"count":7}, at: null)"#)
  }

  @Test func `text of the log cannot steer a terminal`() throws {
    #expect(try text([2, 4, 27, 34]) == #"noted("\u001b\"")"#)
  }

  @Test func `a value that is no enum has no cases`() throws {
    let plain = try SchemaCodec(.string)
    #expect(plain.caseText(of: .string("left")) == nil)
    let symbols = try SchemaCodec(.enumeration(name: "E", symbols: ["p", "q"]))
    #expect(symbols.caseText(of: .enumeration(index: 1, symbol: "q")) == "q")
  }
}
