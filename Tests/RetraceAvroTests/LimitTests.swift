import RetraceAvro
import RetraceSchema
import RetraceState
import RetraceTesting
import Testing

/// Every value that may be recorded is read back by its type, by its schema, and by resolution.
@Suite struct LimitTests {
  @Test func `members and keys that have one encoding are written once`() throws {
    let members: Set<Double> = [.nan, 1, .nan, -0.0, .nan]
    #expect(members.count == 5)
    let bytes = members.encoded()
    #expect(bytes == Set<Double>([1, .nan, -0.0]).encoded())
    let read = try Set<Double>(encoded: bytes.span)
    #expect(read.count == 3 && read.encoded() == bytes)
    let nested: Set<[Float?]> = [[.nan], [.nan, nil], [.nan]]
    #expect(try Set<[Float?]>(encoded: nested.encoded().span).count == 2)
    #expect(Set<Float>([.nan, .nan]).encoded() == [2] + Float.nan.encoded() + [0])
    // The value whose encoding comes first stays, in whatever order the entries come.
    for _ in 0..<20 {
      var entries: [Double: String] = [:]
      for value in ["b", "c", "a"].shuffled() { entries[.nan] = value }
      entries[2] = "x"
      #expect(entries.count == 4)
      let read = try [Double: String](encoded: entries.encoded().span)
      #expect(read.count == 2 && Set(read.values) == ["a", "x"])
    }
  }

  @Test func `a value at the limit of depth is read by everything, one beyond it by nothing`()
    throws
  {
    let resolver = try SchemaResolver(writer: Expression.schema, reader: Expression.schema)
    let codec = resolver.writer
    let limits = try LimitCheck(Expression.schema, text: Expression.schema.text)
    #expect(limits.minViolationByteCount < AvroLimits.depth)
    // A sum is a record, a union and a record; the list of a product is a level more.
    let shapes: [(levels: Int, (Expression) -> Expression)] = [
      (3, { .sum($0, .number(0)) }), (4, { .product(of: [$0]) }),
    ]
    for (levels, wrap) in shapes {
      let most = (AvroLimits.depth - 3) / levels
      for (count, isReadable) in [(most, true), (most + 1, false)] {
        var value = Expression.number(1)
        for _ in 0..<count { value = wrap(value) }
        let bytes = value.encoded()
        #expect(error { try limits.check(bytes.span) } == (isReadable ? nil : .tooLarge))
        #expect(error { try codec.check(bytes.span) } == (isReadable ? nil : .tooLarge))
        #expect(error { try codec.decode(bytes.span) } == (isReadable ? nil : .tooLarge))
        #expect(error { try resolved(bytes, resolver) } == (isReadable ? nil : .tooLarge))
        guard isReadable else { continue }
        #expect(try Expression(encoded: bytes.span) == value)
        #expect(try resolved(bytes, resolver) == bytes)
        var reader = AvroReader(bytes.span)
        try reader.skip(Expression.self)
        try reader.finish()
      }
    }
  }

  @Test func `a value that an indirect enum reads can be read by its schema`() throws {
    // 255 levels were the most that a type would read once.
    var value = Expression.number(1)
    for _ in 0..<254 { value = .sum(value, .number(2)) }
    let bytes = value.encoded()
    #expect(try Expression(encoded: bytes.span) == value)
    let codec = try SchemaCodec(Expression.schema)
    #expect(error { try codec.check(bytes.span) } == nil)
    var writer = AvroWriter()
    try codec.encode(try codec.decode(bytes.span), into: &writer)
    #expect(writer.bytes == bytes)
  }

  @Test func `as many items of no bytes are read as are recorded`() throws {
    let schema = [Empty].schema
    let resolver = try SchemaResolver(writer: schema, reader: schema)
    let limits = try LimitCheck(schema, text: schema.text)
    for (count, isReadable) in [(AvroLimits.emptyItems, true), (AvroLimits.emptyItems + 1, false)] {
      let bytes = [Empty](repeating: Empty(), count: count).encoded()
      let expected: AvroError.Kind? = isReadable ? nil : .tooLarge
      #expect(error { try limits.check(bytes.span) } == expected)
      #expect(error { try [Empty](encoded: bytes.span) } == expected)
      #expect(error { try resolver.writer.check(bytes.span) } == expected)
      #expect(error { try resolver.writer.decode(bytes.span) } == expected)
      #expect(error { try resolved(bytes, resolver) } == expected)
    }
  }

  @Test func `items that lose their bytes by resolution are not too many`() throws {
    func schema(_ fields: [Schema.Field]) -> Schema {
      .array(.record(name: "Empty", fields: fields))
    }
    let resolver = try SchemaResolver(writer: schema([.init("x", .int)]), reader: schema([]))
    #expect(resolver.verdict().name == "fine")
    let bytes = [Int32](repeating: 1, count: 100_000).encoded()
    var writer = AvroWriter()
    #expect(try resolver.resolve(bytes.span, into: &writer) == .resolved)
    var reader = AvroReader(resolved: writer.span, inputByteCount: bytes.count)
    #expect(try [Empty](decoding: &reader).count == 100_000)
  }

  @Test func `a file may hold any number of values that are within the limits`() throws {
    let value = [Empty](repeating: Empty(), count: 40_000)
    var writer = ContainerWriter(
      schema: [Empty].schema, metadata: [], marker: Array(0..<16), blockSize: 500)
    for _ in 0..<3 { writer.append(value) }
    writer.closeBlock()
    var file: [UInt8] = []
    writer.drain { bytes in for index in bytes.indices { file.append(bytes[index]) } }
    var values = try ContainerReader(file.span)
    for _ in 0..<3 { #expect(try values.next(as: [Empty].self)?.count == 40_000) }
    var plain = try ContainerReader(file.span)
    for _ in 0..<3 { #expect(try plain.next() != nil) }
  }

  @Test func `values are checked only if their schema allows values beyond a limit`() throws {
    func fewest(_ schema: Schema) throws -> Int {
      try LimitCheck(schema, text: schema.text).minViolationByteCount
    }
    #expect(try fewest(Shop.Color.schema) == .max)
    #expect(try fewest(Loadable<[Int64: [String]]>.schema) == .max)
    #expect(try fewest([Empty].schema) == 4)
    #expect(try fewest(Everything.schema) == 4)
    // `Shop.Item` holds a list of items.
    #expect(try (100..<AvroLimits.depth).contains(fewest(Shop.Item.schema)))
    var deep = Schema.long
    for number in 0...AvroLimits.schemaDepth / 3 {
      deep = .record(name: "R\(number)", fields: [.init("f", deep)])
    }
    #expect(throws: AvroError.self) { try fewest(deep) }
  }

  @Test func `whatever is recorded is read back by everything`() throws {
    let resolver = try SchemaResolver(writer: Everything.schema, reader: Everything.schema)
    let limits = try LimitCheck(Everything.schema, text: Everything.schema.text)
    try withSeed { random throws in
      for _ in 0..<repetitions(1_000_000, few: 10_000) {
        let value = Everything.random(using: &random, 0)
        let bytes = value.encoded()
        try limits.check(bytes.span)
        #expect(try Everything(encoded: bytes.span).encoded() == bytes)
        var reader = AvroReader(bytes.span)
        try reader.skip(Everything.self)
        try reader.finish()
        #expect(error { try resolver.writer.check(bytes.span) } == nil)
        var writer = AvroWriter()
        try resolver.writer.encode(try resolver.writer.decode(bytes.span), into: &writer)
        #expect(writer.bytes == bytes)
        #expect(try resolved(bytes, resolver) == bytes)
      }
    }
  }

  @Test func `deep random values are read back by everything or refused before`() throws {
    let resolver = try SchemaResolver(writer: Expression.schema, reader: Expression.schema)
    let limits = try LimitCheck(Expression.schema, text: Expression.schema.text)
    try withSeed { random throws in
      var counts = (read: 0, refused: 0)
      for _ in 0..<repetitions(20_000) {
        var value = Expression.random(using: &random, 0)
        for _ in 0..<Int.random(in: 0...400, using: &random) {
          switch Int.random(in: 0..<3, using: &random) {
          case 0: value = .sum(value, .random(using: &random, 5))
          case 1: value = .sum(.number(0), value)
          default: value = .product(of: [.number(2), value])
          }
        }
        let bytes = value.encoded()
        let isRecorded = error { try limits.check(bytes.span) } == nil
        #expect((error { try resolver.writer.check(bytes.span) } == nil) == isRecorded)
        #expect((error { try resolver.writer.decode(bytes.span) } == nil) == isRecorded)
        #expect((error { try resolved(bytes, resolver) } == nil) == isRecorded)
        guard isRecorded else {
          counts.refused += 1
          continue
        }
        counts.read += 1
        // Bytes: equal values with a NaN are not equal to Swift.
        #expect(try Expression(encoded: bytes.span).encoded() == bytes)
      }
      print("read \(counts.read), refused \(counts.refused)")
      #expect(counts.read > 0 && counts.refused > 0)
    }
  }

  private func resolved(_ bytes: [UInt8], _ resolver: SchemaResolver) throws(AvroError) -> [UInt8] {
    var writer = AvroWriter()
    guard try resolver.resolve(bytes.span, into: &writer) == .resolved else {
      throw AvroError(.schema, at: 0, "not resolved")
    }
    return writer.bytes
  }

  private func error<Value>(_ body: () throws -> Value) -> AvroError.Kind? {
    do {
      _ = try body()
      return nil
    } catch {
      return (error as? AvroError)?.kind
    }
  }
}
