import RetraceAvro
import Testing

/// The examples of the Avro specification, and what the canonical form refuses.
@Suite struct SpecificationTests {
  @Test(
    arguments: [
      (0, [0x00]), (-1, [0x01]), (1, [0x02]), (-2, [0x03]), (2, [0x04]), (-64, [0x7f]),
      (64, [0x80, 0x01]), (8192, [0x80, 0x80, 0x01]), (-8193, [0x81, 0x80, 0x01]),
      (Int64.max, [0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]),
      (Int64.min, [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]),
    ] as [(Int64, [UInt8])])
  func `a long is a zigzag integer of seven bits a byte`(value: Int64, bytes: [UInt8]) throws {
    #expect(value.encoded() == bytes)
    #expect(try Int64(encoded: bytes.span) == value)
    #expect(try SchemaCodec(.long).decode(bytes.span) == .long(value))
  }

  @Test func `a string is its length and its bytes`() throws {
    #expect("foo".encoded() == [0x06, 0x66, 0x6f, 0x6f])
    #expect([UInt8](arrayLiteral: 1, 2).encoded() == [0x04, 1, 2])
    #expect(true.encoded() == [1])
    #expect(Float(1).encoded() == [0, 0, 0x80, 0x3f])
    #expect((-2.0).encoded() == [0, 0, 0, 0, 0, 0, 0, 0xc0])
  }

  @Test func `the record, array, map and union of the specification have its bytes`() throws {
    let record = Schema.record(
      name: "test", fields: [Schema.Field("a", .long), Schema.Field("b", .string)])
    let value = AvroValue.record(
      name: "test", fields: [.init("a", .long(27)), .init("b", .string("foo"))])
    #expect(try encoded(value, record) == [0x36, 0x06, 0x66, 0x6f, 0x6f])
    #expect([Int64(3), 27].encoded() == [0x04, 0x06, 0x36, 0x00])
    #expect(["a": Int64(1)].encoded() == [0x02, 0x02, 0x61, 0x02, 0x00])
    #expect(Optional<String>.none.encoded() == [0x00])
    #expect(Optional("a").encoded() == [0x02, 0x02, 0x61])
    let suit = Schema.enumeration(name: "Foo", symbols: ["A", "B", "C", "D"])
    #expect(try encoded(.enumeration(index: 3, symbol: "D"), suit) == [0x06])
  }

  @Test func `maps and sets are written in the order of their encoded keys [H5]`() throws {
    var reversed: [String: Int64] = [:]
    for name in ["zz", "c", "bb", "a", ""].reversed() { reversed[name] = 1 }
    let bytes = reversed.encoded()
    #expect(
      bytes == [10, 0, 2, 2, 0x61, 2, 2, 0x63, 2, 4, 0x62, 0x62, 2, 4, 0x7a, 0x7a, 2, 0])
    #expect(Set<Int64>([64, 2, -1]).encoded() == [6, 0x01, 0x04, 0x80, 0x01, 0])
  }

  @Test func `every NaN is written as one, and negative zero is kept`() throws {
    let payload = Double(nan: 77, signaling: false)
    #expect(payload.encoded() == Double.nan.encoded())
    #expect((-Double.nan).encoded() == Double.nan.encoded())
    #expect((-0.0).encoded() == [0, 0, 0, 0, 0, 0, 0, 0x80])
    #expect(try Double(encoded: (-0.0).encoded().span).sign == .minus)
    refused(Double.self, [1, 0, 0, 0, 0, 0, 0xf8, 0x7f], .notCanonical)
    refused(Float.self, [1, 0, 0xc0, 0x7f], .notCanonical)
  }

  @Test func `bytes that are not canonical are refused`() throws {
    refused(Int64.self, [0x80, 0x00], .notCanonical)
    refused(Int64.self, [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02], .outOfRange)
    refused(Int32.self, Int64(Int32.max).encoded().map { $0 } + [], nil)
    refused(Int32.self, (Int64(Int32.max) + 1).encoded(), .outOfRange)
    refused(Bool.self, [2], .outOfRange)
    refused(UInt8.self, Int64(256).encoded(), .outOfRange)
    refused(String.self, [0x02, 0xff], .notUTF8)
    refused(String.self, [0x06, 0x66], .truncated)
    refused(String.self, [0x01], .outOfRange)
    refused(Int64.self, [0x00, 0x00], .trailingBytes)
    refused([Int64].self, [0x02, 0x02, 0x02, 0x02, 0x00], .notCanonical)
    refused([Int64].self, [0x01, 0x02, 0x02, 0x00], .notCanonical)
    refused(Optional<Int64>.self, [0x04, 0x02], .outOfRange)
    refused(Shop.Color.self, [0x06], .outOfRange)
    refused([String: Int64].self, [0x04, 2, 0x62, 0, 2, 0x61, 0, 0], .notCanonical)
    refused([String: Int64].self, [0x04, 2, 0x61, 0, 2, 0x61, 0, 0], .duplicateKey)
    refused(Set<Int64>.self, [0x04, 0x04, 0x02, 0], .notCanonical)
    refused(Set<Int64>.self, [0x04, 0x04, 0x04, 0], .duplicateKey)
  }

  @Test func `keys that Swift takes for equal are refused`() throws {
    let composed = Array("\u{e9}".utf8)
    let decomposed = Array("e\u{301}".utf8)
    let bytes: [UInt8] = [0x04, 0x04] + composed + [0x00, 0x06] + decomposed + [0x00, 0x00]
    refused([String: Int64].self, bytes, .duplicateKey)
    refused(
      Set<String>.self, [0x04, 0x04] + composed + [0x06] + decomposed + [0x00], .duplicateKey)
    #expect("e\u{301}".encoded() == [0x06] + decomposed)
  }

  @Test func `any valid form is read by schema`() throws {
    let array = try SchemaCodec(.array(.long))
    // Two blocks, the first with a negative count and its size in bytes, and a long integer.
    let bytes: [UInt8] = [0x03, 0x04, 0x06, 0x36, 0x02, 0x82, 0x80, 0x00, 0x00]
    #expect(try array.decode(bytes.span) == .array([.long(3), .long(27), .long(1)]))
    let map = try SchemaCodec(.map(.null))
    #expect(
      try map.decode([0x02, 2, 0x62, 0x02, 2, 0x61, 0].span)
        == .map([.init("b", .null), .init("a", .null)]))
    #expect(throws: AvroError(.duplicateKey, at: 4)) {
      try map.decode([0x02, 2, 0x61, 0x02, 2, 0x61, 0].span)
    }
  }

  private func encoded(_ value: AvroValue, _ schema: Schema) throws -> [UInt8] {
    let codec = try SchemaCodec(schema)
    var writer = AvroWriter()
    try codec.encode(value, into: &writer)
    let bytes = writer.bytes
    #expect(try codec.decode(bytes.span) == value)
    return bytes
  }

  /// Expects bytes to be refused with a kind of error, or accepted where no kind is given.
  private func refused<Value: Recordable>(
    _ type: Value.Type, _ bytes: [UInt8], _ kind: AvroError.Kind?,
    _ location: SourceLocation = #_sourceLocation
  ) {
    do {
      _ = try Value(encoded: bytes.span)
      #expect(kind == nil, "\(bytes) was read as \(type)", sourceLocation: location)
    } catch {
      #expect(error.kind == kind, "\(error)", sourceLocation: location)
    }
  }
}
