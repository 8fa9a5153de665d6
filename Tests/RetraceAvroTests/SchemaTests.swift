import RetraceAvro
import RetraceSchema
import RetraceState
import Testing

@Suite struct SchemaTests {
  @Test func `the schema of a generated type is printed and parsed back equal`() throws {
    for schema in [Everything.schema, Shop.Action.schema, Expression.schema, Bool??.schema] {
      #expect(try Schema(parsing: schema.text) == schema)
      _ = try SchemaCodec(schema)
    }
    #expect(
      Shop.Action.Nested.schema.text == """
        {"type":"record","name":"Shop_Action_Nested","fields":[{"name":"case","type":[\
        {"type":"record","name":"Shop_Action_Nested_only","fields":\
        [{"name":"value","type":"boolean"}]}]}]}
        """)
    #expect(
      Shop.Color.schema.text
        == #"{"type":"enum","name":"Shop_Color","symbols":["red","green","azure"]}"#)
    #expect(Loadable<Int64>.recordedName == "Loadable__long")
  }

  /// A record to which a property was added without generating its code again.
  private struct Outgrown {
    var name: String = ""
    var phone: String = ""
  }

  @Test func `a stored property that generated code does not know ends the program`() async {
    var composer = SchemaComposer()
    let known = composer.named("Grown", for: Outgrown.self, storing: (String, String).self) { _ in
      .null
    }
    #expect(known == .null)
    await #expect(processExitsWith: .failure) {
      var composer = SchemaComposer()
      _ = composer.named("Outgrown", for: Outgrown.self, storing: String.self) { _ in .null }
    }
  }

  @Test func `a type is defined once and referred to afterwards`() throws {
    guard case .record(_, _, let fields) = Shop.Item.schema else { throw AvroError(.schema, at: 0) }
    #expect(fields.map(\.name) == ["name", "price", "tags", "related", "note", "code"])
    #expect(fields[3].type == .array(.reference("Shop_Item")))
    #expect(fields[5].type == .bytes)
    #expect(fields[4].type == .union([.null, .string]))
  }

  @Test func `names take the namespace around them`() throws {
    let text = """
      {"type": "record", "name": "a.b.Outer", "doc": "x", "aliases": ["Old"], "fields": [
        {"name": "one", "type": {"type": "enum", "name": "Kind", "symbols": ["X"]}, "default": "X"},
        {"name": "two", "type": "Kind"}, {"name": "three", "type": "a.b.Kind"},
        {"name": "four", "type": {"type": "fixed", "namespace": "", "name": "Bare", "size": 2}},
        {"name": "five", "type": ["null", "Bare", {"type": "map", "values": "Outer"}]}]}
      """
    let schema = try Schema(parsing: text)
    guard case .record("a.b.Outer", _, let fields) = schema else { throw AvroError(.schema, at: 0) }
    #expect(fields[0].type == .enumeration(name: "a.b.Kind", symbols: ["X"]))
    #expect(fields[1].type == .reference("a.b.Kind"))
    #expect(fields[2].type == .reference("a.b.Kind"))
    #expect(fields[3].type == .fixed(name: "Bare", size: 2))
    #expect(
      fields[4].type == .union([.null, .reference("Bare"), .map(.reference("a.b.Outer"))]))
    #expect(try Schema(parsing: schema.text) == schema)
  }

  @Test(arguments: [
    #""nothing""#, "1", "{}", #"{"type":"array"}"#, #"{"type":"map"}"#,
    #"{"type":"record","name":"a"}"#,
    #"{"type":"record","name":"1a","fields":[]}"#, #"{"type":"record","name":"a..b","fields":[]}"#,
    #"{"type":"record","name":"a","fields":[{"name":"x","type":"int"},{"name":"x","type":"int"}]}"#,
    #"{"type":"record","name":"a","fields":[{"name":"x","type":"b"}]}"#,
    #"{"type":"enum","name":"a","symbols":["x","x"]}"#,
    #"{"type":"enum","name":"a","symbols":["x-"]}"#,
    #"{"type":"fixed","name":"a","size":-1}"#, #"{"type":"fixed","name":"long","size":1}"#,
    #"["int","int"]"#, #"["int",["null"]]"#,
    #"[{"type":"array","items":"int"},{"type":"array","items":"long"}]"#,
    #"[{"type":"fixed","name":"a","size":1},{"type":"fixed","name":"a","size":1}]"#,
  ])
  func `a schema that is not valid is refused`(text: String) {
    #expect { try Schema(parsing: text) } throws: { ($0 as? AvroError)?.kind == .schema }
  }

  @Test func `the canonical form drops what does not change bytes and keeps logical types`() throws
  {
    let text = """
      { "fields" : [ { "doc" : "x", "default": 1, "type" : { "logicalType": "timestamp-micros",
        "type" : "long" }, "name" : "at" }, {"name": "b", "type": {"type": "string", "x": 1}} ],
        "aliases" : [ "q" ], "name" : "R", "namespace": "n.s", "type" : "record" }
      """
    let schema = try Schema(parsing: text)
    #expect(
      schema.canonicalForm == """
        {"name":"n.s.R","type":"record","fields":[{"name":"at","type":\
        {"type":"long","logicalType":"timestamp-micros"}},{"name":"b","type":"string"}]}
        """)
    #expect(
      schema.canonicalForm(keepingLogicalTypes: false) == """
        {"name":"n.s.R","type":"record","fields":[{"name":"at","type":"long"},\
        {"name":"b","type":"string"}]}
        """)
    for form in [Everything.schema.canonicalForm, schema.canonicalForm] {
      #expect(try Schema(parsing: form).canonicalForm == form)
    }
  }

  @Test func `nested logical types and rules are all printed, and part of the canonical form`()
    throws
  {
    let texts = [
      #"{"type":{"type":"long","logicalType":"a"},"logicalType":"b"}"#,
      #"{"type":{"type":"long","logicalType":"c"},"logicalType":"b"}"#,
      #"{"type":{"type":["long"],"logicalType":"a"},"logicalType":"b"}"#,
    ]
    for text in texts {
      let schema = try Schema(parsing: text)
      #expect(schema.text == text)
      #expect(schema.canonicalForm == text)
    }
    #expect(
      try Schema(parsing: texts[0]).canonicalForm(keepingLogicalTypes: false) == #""long""#)
    let inner = Schema.logical("a", .ruled("r", .fixed(name: "F", size: 2)))
    for schema in [inner, .ruled("s", inner), .ruled("s", .ruled("r", .long)), .array(inner)] {
      #expect(try Schema(parsing: schema.text) == schema)
    }
    let resolver = try SchemaResolver(
      writer: Schema(parsing: texts[0]), reader: Schema(parsing: texts[1]))
    #expect(resolver.verdict().name == "impossible")
  }

  /// From `schema-tests.txt` of the Avro project.
  @Test(
    arguments: [
      (#""null""#, 7_195_948_357_588_979_594), (#""boolean""#, -6_970_731_678_124_411_036),
      (#""int""#, 8_247_732_601_305_521_295), (#""long""#, -3_434_872_931_120_570_953),
      (#""float""#, 5_583_340_709_985_441_680), (#""double""#, -8_181_574_048_448_539_266),
      (#""bytes""#, 5_746_618_253_357_095_269), (#""string""#, -8_142_146_995_180_207_161),
    ] as [(String, Int64)])
  func `the CRC-64-AVRO fingerprint is that of the specification`(text: String, value: Int64) throws
  {
    #expect(try Schema(parsing: text).rabinFingerprint == UInt64(bitPattern: value))
  }
}
