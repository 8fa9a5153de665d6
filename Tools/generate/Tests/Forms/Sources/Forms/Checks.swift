import Retrace

/// Encodes and decodes values of generated types, and collects the failures.
struct Checks {
  /// The name of the form that is checked.
  var form = ""
  private(set) var count = 0
  private(set) var failures: [String] = []

  private mutating func expect(_ isRight: Bool, _ what: @autoclosure () -> String) {
    count += 1
    if !isRight { failures.append("\(form): \(what())") }
  }

  private mutating func check(_ body: (inout Checks) throws -> Void) {
    do {
      try body(&self)
    } catch {
      failures.append("\(form): \(error)")
    }
  }

  /// Checks that a value can be read back, by its type and by its schema alone.
  ///
  /// - Parameter json: The value decoded by its schema alone, as JSON with single quotation marks.
  mutating func value<Value: Recordable & Equatable>(_ value: Value, _ json: String) {
    check { checks in
      let bytes = value.encoded()
      let decoded = try Value(encoded: bytes.span)
      checks.expect(decoded == value, "read back as \(decoded)")
      checks.expect(decoded.encoded() == bytes, "encoded differently the second time")
      var reader = AvroReader(bytes.span)
      try Value.skip(in: &reader)
      try reader.finish()
      try checks.schema(Value.schema, reads: bytes, json)
    }
  }

  /// Checks that a record without fields is read as a value that consists of defaults.
  mutating func fallback<Value: Recordable & Equatable>(_ value: Value) {
    check { checks in
      let resolver = try SchemaResolver(
        writer: .record(name: Value.recordedName, fields: []), reader: Value.schema)
      let nothing: [UInt8] = []
      var writer = AvroWriter()
      let outcome = try resolver.resolve(nothing.span, into: &writer)
      checks.expect(outcome == .resolved, "\(outcome)")
      guard outcome == .resolved else { return }
      let decoded = try Value(encoded: writer.span)
      checks.expect(decoded == value, "the defaults give \(decoded)")
    }
  }

  /// Checks that a record without fields cannot be read, because a default is not in the schema.
  mutating func noFallback<Value: Recordable>(_ type: Value.Type) {
    check { checks in
      let resolver = try SchemaResolver(
        writer: .record(name: Value.recordedName, fields: []), reader: Value.schema)
      let nothing: [UInt8] = []
      var writer = AvroWriter()
      let outcome = try resolver.resolve(nothing.span, into: &writer)
      checks.expect(outcome != .resolved, "a default is in the schema")
    }
  }

  /// Checks that the scalars of a state are read back, its tables visited, and all of it read by
  /// its schema.
  mutating func state<State: RecordedState>(_ state: State, tables: Int, _ json: String) {
    check { checks in
      var writer = AvroWriter()
      state.encodeScalars(into: &writer)
      var reader = AvroReader(writer.span)
      var decoded = try State(decodingScalars: &reader)
      try reader.finish()
      var again = AvroWriter()
      decoded.encodeScalars(into: &again)
      checks.expect(writer.bytes == again.bytes, "the scalars are read back differently")
      var counter = TableCounter()
      decoded.visitTables(&counter)
      checks.expect(counter.count == tables, "\(counter.count) tables are seen")
      var whole = AvroWriter()
      state.encodeWhole(into: &whole)
      var composer = SchemaComposer()
      try checks.schema(State.stateSchema(in: &composer), reads: whole.bytes, json)
    }
  }

  /// Checks the name of a type in the log, and its former names.
  mutating func name<Value: Recordable>(
    _ type: Value.Type, _ name: String, formerly former: [String] = []
  ) {
    expect(Value.recordedName == name, "named \(Value.recordedName)")
    expect(Value.recordedAliases == former, "formerly \(Value.recordedAliases)")
  }

  /// Checks that the text of a schema contains `text`, which has single quotation marks.
  mutating func schema<Value: Recordable>(_ type: Value.Type, contains text: String) {
    let quoted = String(text.map { $0 == "'" ? "\"" : $0 })
    expect(Value.schema.text.contains(quoted), "the schema is \(Value.schema.text)")
  }

  /// Checks that a part is found in place by its name.
  mutating func part<Whole: Composed, Part: StatePart<Whole, Value>, Value: Equatable>(
    of whole: Whole, _ name: (Whole.Parts) -> Part, _ value: Value
  ) {
    var whole = whole
    Part.with(&whole) { $0 = value }
    expect(Part.with(&whole) { $0 } == value, "the part is not \(value)")
    expect(Part.read(whole) { $0 == value }, "the part is not read as \(value)")
  }

  /// Checks that a case is found by its name, and another one is not.
  mutating func `case`<Whole: Composed & Equatable, Case: EnumCase<Whole, Value>, Value: Equatable>(
    of other: Whole, _ name: (Whole.Parts) -> Case, _ value: Value
  ) {
    var whole = Case.embed(value)
    expect(Case.extract(whole) == value, "\(whole) does not contain \(value)")
    expect(Case.with(&whole) { $0 } == value, "\(whole) is not changed in place")
    expect(whole == Case.embed(value), "\(whole) is another case")
    if let own = Case.extract(other) {
      expect(own != value, "\(other) contains \(value)")
    } else {
      var unchanged = other
      expect(Case.with(&unchanged) { $0 } == nil && unchanged == other, "\(other) has changed")
    }
  }

  /// Checks that a case with an id is found by its name.
  mutating func `case`<
    Whole: Composed & Equatable, Case: IdentifiedCase<Whole, ID, Value>, ID: Equatable,
    Value: Equatable
  >(of other: Whole, _ name: (Whole.Parts) -> Case, _ id: ID, _ value: Value) {
    let found = Case.extract(Case.embed(value, for: id))
    expect(found?.id == id && found?.value == value, "\(value) is not found under \(id)")
    expect(Case.extract(other) == nil, "\(other) is another case")
  }

  private mutating func schema(
    _ schema: Schema, reads bytes: [UInt8], _ json: String
  ) throws {
    let parsed = try Schema(parsing: schema.text)
    expect(parsed.canonicalForm == schema.canonicalForm, "the schema's text is another schema")
    let codec = try SchemaCodec(parsed)
    let plain = try codec.decode(bytes.span)
    let text = codec.json(plain).text()
    expect(text == String(json.map { $0 == "'" ? "\"" : $0 }), "decoded by schema as \(text)")
    var writer = AvroWriter()
    try codec.encode(plain, into: &writer)
    expect(writer.bytes == bytes, "encoded differently with its schema")
  }
}

private struct TableCounter: TableVisitor {
  var count = 0
  mutating func visit<ID, Entity>(_ table: inout EntityTable<ID, Entity>) { count += 1 }
}
