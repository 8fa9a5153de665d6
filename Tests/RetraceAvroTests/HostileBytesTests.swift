import RetraceAvro
import RetraceSchema
import RetraceTesting
import Testing

/// Forged bytes: every read ends soon, with a value or an error.
@Suite struct HostileBytesTests {
  @Test func `counts and lengths beyond the remaining bytes are refused`() throws {
    let huge = Int64.max.encoded()
    #expect(kind { try [Int64](encoded: (huge + [2]).span) } == .truncated)
    #expect(kind { try [UInt8](encoded: (huge + [2]).span) } == .truncated)
    #expect(kind { try String(encoded: (huge + [2]).span) } == .truncated)
    #expect(kind { try [Empty](encoded: (huge + [0]).span) } == .tooLarge)
    #expect(kind { try Set<Int64>(encoded: (huge + [0]).span) } == .truncated)
    let codec = try SchemaCodec(.array(.null))
    #expect(kind { try codec.decode((huge + [0]).span) } == .tooLarge)
    #expect(try [Empty](encoded: [6, 0].span).count == 3)
  }

  @Test func `values of a recursive type are nested only so deeply`() throws {
    var bytes = [UInt8](repeating: 0x02, count: 1_000_000)
    #expect(kind { try Expression(encoded: bytes.span) } == .tooLarge)
    let codec = try SchemaCodec(Expression.schema)
    #expect(kind { try codec.decode(bytes.span) } == .tooLarge)
    // 255 times a product of one item, at last a number.
    bytes = []
    for _ in 0..<120 { bytes += [0x04, 0x02] }
    bytes += [0x00] + Double(1).encoded() + [UInt8](repeating: 0, count: 120)
    #expect(try Expression(encoded: bytes.span).encoded() == bytes)
  }

  @Test func `mutated bytes are read as an equal encoding or refused`() throws {
    try withSeed { random throws in
      let codec = try SchemaCodec(Everything.schema)
      var accepted = 0
      for _ in 0..<repetitions(20_000) {
        var bytes = Everything.random(using: &random, 0).encoded()
        for _ in 0...Int.random(in: 0..<3, using: &random) {
          let position = Int.random(in: 0..<bytes.count, using: &random)
          switch Int.random(in: 0..<3, using: &random) {
          case 0: bytes[position] = .random(in: 0...255, using: &random)
          case 1: bytes[position] ^= 1 << UInt8.random(in: 0..<8, using: &random)
          default: bytes.removeSubrange(position...)
          }
          if bytes.isEmpty { bytes = [0] }
        }
        if let value = try? Everything(encoded: bytes.span) {
          accepted += 1
          #expect(value.encoded() == bytes)
        }
        let refusal = error { try codec.decode(bytes.span) }
        #expect(error { try codec.check(bytes.span) } == refusal)
        if let value = try? codec.decode(bytes.span) {
          var writer = AvroWriter()
          try codec.encode(value, into: &writer)
          _ = codec.json(value).text()
        }
      }
      print("accepted \(accepted) of \(repetitions(20_000))")
    }
  }

  @Test func `a check refuses bytes at the same place as decoding does`() throws {
    for (schema, bytes) in [
      (Schema.map(.int), [4, 2, 97, 2, 2, 97, 2, 0]), (.map(.int), [4, 2, 97, 2, 2, 98, 2, 0]),
      (.string, [2, 0xff]), (.array(.null), [6, 0]), (.array(.null), [6, 0, 0]), (.boolean, [2]),
      (.union([.null, .long]), [4]), (.union([.null, .long]), [2, 8]), (.double, [1, 2]),
      (.int, [0xfe, 0xff, 0xff, 0xff, 0x1f]), (.bytes, [1]),
    ] as [(Schema, [UInt8])] {
      let codec = try SchemaCodec(schema)
      let refusal = error { try codec.decode(bytes.span) }
      #expect(error { try codec.check(bytes.span) } == refusal, "\(schema) \(bytes)")
    }
  }

  private func error<Value>(_ body: () throws -> Value) -> AvroError? {
    do {
      _ = try body()
      return nil
    } catch {
      return error as? AvroError
    }
  }

  private func kind<Value>(_ body: () throws -> Value) -> AvroError.Kind? { error(body)?.kind }
}
