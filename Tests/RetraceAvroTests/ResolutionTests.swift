import RetraceAvro
import RetraceSchema
import RetraceTesting
import Testing

/// Schema resolution against a plain implementation of the specification and against fastavro.
@Suite struct ResolutionTests {
  @Test func `random values of random schemas are resolved as the specification says`() throws {
    try withSeed { random throws in
      var counts = (resolved: 0, unresolved: 0)
      for round in 0..<repetitions(4_000) {
        var evolution = SchemaEvolution(
          SeededGenerator(seed: random.next()), breaks: round.isMultiple(of: 2))
        let writer = evolution.schema()
        let reader = evolution.evolved(writer)
        let resolver = try SchemaResolver(writer: writer, reader: reader)
        let reference = ResolutionReference(writer: writer, reader: reader)
        let verdict = resolver.verdict()
        for _ in 0..<5 {
          let value = evolution.value(writer, in: writer)
          let bytes = try encoded(value, writer)
          let expected = try? encoded(reference.resolve(value), reader)
          let found = resolved(bytes, resolver)
          #expect(found == expected, "\(writer.text) \(reader.text) \(value)")
          if expected == nil {
            counts.unresolved += 1
            // Bytes that are no text are the one failure that no schema foretells.
            if !reader.text.contains("string") { #expect(!verdict.isReadable, "\(verdict)") }
          } else {
            counts.resolved += 1
          }
          if verdict == .same { #expect(found == bytes) }
        }
      }
      print("resolved \(counts.resolved), without a rule \(counts.unresolved)")
      #expect(counts.resolved > counts.unresolved && counts.unresolved > 0)
    }
  }

  @Test func `fastavro resolves the same`() throws {
    try PythonPeer.withPeer { peer in
      try withSeed { random throws in
        for round in 0..<repetitions(1_500) {
          var evolution = SchemaEvolution(SeededGenerator(seed: random.next()), breaks: false)
          let writer = evolution.schema()
          let reader = evolution.evolved(writer)
          let resolver = try SchemaResolver(writer: writer, reader: reader)
          var frames: [[UInt8]] = []
          var results: [[UInt8]] = []
          for _ in 0..<5 {
            let bytes = try encoded(evolution.value(writer, in: writer), writer)
            guard let result = resolved(bytes, resolver) else { continue }
            frames.append(bytes)
            results.append(result)
          }
          try peer.write([UInt8](writer.text.utf8), to: "\(round).writer")
          try peer.write([UInt8](reader.text.utf8), to: "\(round).reader")
          try peer.write(frames: frames, to: "\(round).values")
          try peer.write(frames: results, to: "\(round).resolved")
        }
      }
      try peer.run("resolve")
    }
  }

  @Test func `mutated bytes are resolved or refused, and a mutated schema never traps`() throws {
    try withSeed { random throws in
      for _ in 0..<repetitions(3_000) {
        var evolution = SchemaEvolution(SeededGenerator(seed: random.next()), breaks: true)
        let writer = evolution.schema()
        let reader = evolution.evolved(writer)
        let resolver = try SchemaResolver(writer: writer, reader: reader)
        for _ in 0..<5 {
          let value = evolution.value(writer, in: writer)
          var bytes = try encoded(value, writer)
          mutate(&bytes, &random)
          guard let result = resolved(bytes, resolver) else { continue }
          // Accepted bytes become a value of the reader's schema.
          _ = try SchemaCodec(reader).decode(result.span)
        }
        var json = [UInt8](writer.text.utf8)
        mutate(&json, &random)
        guard let schema = try? Schema(parsing: json.span),
          let other = try? SchemaResolver(writer: schema, reader: reader)
        else { continue }
        _ = other.verdict()
        _ = resolved(try encoded(evolution.value(writer, in: writer), writer), other)
      }
    }
  }

  @Test func `a default may be a value of every type`() throws {
    let defaults: [(String, JSONValue, [UInt8])] = [
      (#""null""#, nil, []), (#""boolean""#, true, [1]), (#""int""#, 3, [6]),
      (#""long""#, -1, [1]), (#""float""#, 1, Float(1).encoded()),
      (#""double""#, .double(0.1), 0.1.encoded()), (#""double""#, "NaN", Double.nan.encoded()),
      (#""string""#, "aü", "aü".encoded()), (#""bytes""#, "a\u{ff}", [4, 0x61, 0xff]),
      (#"{"type":"fixed","name":"F","size":2}"#, "ab", [0x61, 0x62]),
      (#"{"type":"enum","name":"E","symbols":["a","b"]}"#, "b", [2]),
      (#"{"type":"array","items":"int"}"#, [1, 2], [4, 2, 4, 0]),
      (#"{"type":"array","items":"int"}"#, [], [0]),
      // Keys in the order of their bytes.
      (#"{"type":"map","values":"int"}"#, ["b": 1, "a": 2], [4, 2, 0x61, 4, 2, 0x62, 2, 0]),
      (#"["null","int"]"#, nil, [0]), (#"["int","null"]"#, 4, [0, 8]),
      (
        #"{"type":"record","name":"P","fields":[{"name":"x","type":"int"},"#
          + #"{"name":"y","type":"int","default":9}]}"#, ["x": 1], [2, 18]
      ),
    ]
    for (type, value, bytes) in defaults {
      let reader = try Schema(
        parsing: #"{"type":"record","name":"R","fields":[{"name":"f","type":\#(type),"default":"#
          + value.text() + "}]}")
      #expect(try Schema(parsing: reader.text) == reader)
      let resolver = try SchemaResolver(
        writer: .record(name: "R", fields: []), reader: reader)
      #expect(resolved([], resolver) == bytes, "\(type) \(value)")
      #expect(resolver.verdict().name == "fine")
    }
  }

  @Test func `a default that is not a value of its type is not used`() throws {
    let defaults: [(String, String)] = [
      (#""int""#, "3000000000"), (#""int""#, "1.5"), (#""int""#, "null"), (#""string""#, "1"),
      (#""bytes""#, #""Ā""#), (#"{"type":"fixed","name":"F","size":2}"#, #""abc""#),
      (#"{"type":"enum","name":"E","symbols":["a"]}"#, #""b""#), (#"["null","int"]"#, #""x""#),
      (#"{"type":"array","items":"int"}"#, "{}"), (#"{"type":"map","values":"int"}"#, "[]"),
      (#""double""#, #""1""#),
    ]
    for (type, value) in defaults {
      let reader = try Schema(
        parsing: #"{"type":"record","name":"R","fields":[{"name":"f","type":\#(type),"default":"#
          + value + "}]}")
      let resolver = try SchemaResolver(
        writer: .record(name: "R", fields: []), reader: reader)
      #expect(resolved([], resolver) == nil, "\(type) \(value)")
      #expect(resolver.verdict().name == "impossible")
    }
  }

  @Test func `an alias applies only where the new name is not recorded`() throws {
    let first: Schema = .record(name: "R", fields: [.init("note", .string)])
    let later: Schema = .record(
      name: "R",
      fields: [
        .init("text", .string, aliases: ["note"]), .init("note", .string, default: "new"),
      ])
    let old = try SchemaResolver(writer: first, reader: later)
    #expect(resolved("a".encoded(), old) == "a".encoded() + "new".encoded())
    let same = try SchemaResolver(writer: later, reader: later)
    #expect(resolved("a".encoded() + "b".encoded(), same) == "a".encoded() + "b".encoded())
    #expect(same.verdict() == .same)
  }

  @Test func `time in other units is not read as time`() throws {
    func schema(_ logical: String) -> Schema {
      .record(name: "R", fields: [.init("at", .logical(logical, .long))])
    }
    let other = try SchemaResolver(
      writer: schema("timestamp-millis"), reader: schema("timestamp-micros"))
    #expect(
      other.verdict()
        == .impossible([
          SchemaDifference(
            type: "R", member: "at",
            detail: "timestamp-millis was recorded, timestamp-micros is read")
        ]))
    let plain = try SchemaResolver(
      writer: .record(name: "R", fields: [.init("at", .long)]), reader: schema("timestamp-micros"))
    #expect(resolved([8], plain) == [8])
  }

  @Test func `a logical type with a rule is not read as a different one`() throws {
    let millis = Schema.logical("timestamp-millis", .long)
    let micros = Schema.logical("timestamp-micros", .long)
    let ruled = try SchemaResolver(writer: .ruled("Time", millis), reader: .ruled("Time", micros))
    #expect(ruled.verdict().name == "impossible")
    let dropped = try SchemaResolver(writer: .ruled("Time", millis), reader: micros)
    #expect(dropped.verdict().name == "impossible")
    let nested = try SchemaResolver(
      writer: .logical("time", .ruled("Time", millis)),
      reader: .logical("time", .ruled("Time", micros)))
    #expect(nested.verdict().name == "impossible")
  }

  @Test func `a reference has the logical type of its definition`() throws {
    func schema(_ logical: String, _ fields: [String]) -> Schema {
      let definition = Schema.logical(logical, .fixed(name: "F", size: 2))
      return .record(
        name: "R",
        fields: fields.enumerated().map { index, name in
          .init(name, index == 0 ? definition : .reference("F"))
        })
    }
    let other = try SchemaResolver(
      writer: schema("decimal", ["a", "b"]), reader: schema("duration", ["b"]))
    #expect(
      other.verdict()
        == .impossible([
          SchemaDifference(
            type: "R", member: "b", detail: "decimal was recorded, duration is read")
        ]))
    let same = try SchemaResolver(
      writer: schema("decimal", ["a", "b"]), reader: schema("decimal", ["b"]))
    #expect(resolved([1, 2, 3, 4], same) == [3, 4])
  }

  @Test func `depth and length of a value are bounded`() throws {
    let list = #"{"type":"record","name":"L","fields":[{"name":"n","type":["null","L"]}"#
    let writer = try Schema(parsing: list + "]}")
    let reader = try Schema(
      parsing: list + #",{"name":"t","type":"string","default":"\#(filler)"}]}"#)
    let resolver = try SchemaResolver(writer: writer, reader: reader)
    let deep = [UInt8](repeating: 2, count: 1_000_000) + [0]
    #expect(failure(deep, resolver) == .tooLarge)
    #expect(resolved([2, 2, 0], resolver)?.count == 3 + 3 * (filler.utf8.count + 2))
    // A few bytes that would become many.
    let many = try SchemaResolver(
      writer: .array(.record(name: "R", fields: [.init("x", .boolean)])),
      reader: .array(
        .record(
          name: "R",
          fields: [.init("x", .boolean), .init("t", .string, default: .string(filler))])))
    let count = 500_000
    let bytes = Int64(count).encoded() + [UInt8](repeating: 1, count: count) + [0]
    #expect(failure(bytes, many) == .tooLarge)
    let nothing = try SchemaResolver(writer: .array(.null), reader: .array(.null))
    #expect(failure(Int64.max.encoded() + [0], nothing) == .tooLarge)
  }

  @Test func `a chain of types that is too long is refused`() throws {
    // Each type holds the one before it; the last is passed over from its end.
    var chain = [#"{"type":"record","name":"R0","fields":[]}"#]
    for number in 1..<3_000 {
      chain.append(
        #"{"type":"record","name":"R\#(number)","fields":[{"name":"f","type":"R\#(number - 1)"}]}"#)
    }
    let writer = try Schema(
      parsing: #"{"type":"record","name":"R","fields":[{"name":"last","type":"#
        + #"{"type":"map","values":[\#(chain.joined(separator: ","))]}}]}"#)
    #expect(throws: Never.self) {
      try SchemaResolver(writer: writer, reader: .record(name: "R", fields: []))
    }
    // The same types, the long one first.
    guard case .record(_, _, let fields) = writer, case .map(.union(let types)) = fields[0].type
    else { throw AvroError(.schema, at: 0) }
    let nested = Schema.record(
      name: "R", fields: [.init("last", .reference("R2999")), .init("all", .union(types))])
    do throws(AvroError) {
      _ = try SchemaResolver(writer: nested, reader: .record(name: "R", fields: []))
      Issue.record("a chain of 3,000 types was compiled")
    } catch {
      #expect(error.kind == .tooLarge || error.kind == .schema)
    }
  }

  private var filler: String { String(repeating: "x", count: 100) }

  private func encoded(_ value: AvroValue, _ schema: Schema) throws -> [UInt8] {
    var writer = AvroWriter()
    try SchemaCodec(schema).encode(value, into: &writer)
    return writer.bytes
  }

  /// The resolved value, or `nil` if no rule applies or the bytes are not a value.
  private func resolved(_ bytes: [UInt8], _ resolver: SchemaResolver) -> [UInt8]? {
    var writer = AvroWriter()
    writer.byte(0xaa)
    guard let outcome = try? resolver.resolve(bytes.span, into: &writer), outcome == .resolved
    else {
      #expect(writer.bytes == [0xaa])
      return nil
    }
    return Array(writer.bytes.dropFirst())
  }

  private func failure(_ bytes: [UInt8], _ resolver: SchemaResolver) -> AvroError.Kind? {
    var writer = AvroWriter()
    do throws(AvroError) {
      _ = try resolver.resolve(bytes.span, into: &writer)
      return nil
    } catch {
      return error.kind
    }
  }

  private func mutate(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
    guard !bytes.isEmpty else { return }
    for _ in 0...Int.random(in: 0..<3, using: &random) {
      let position = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: bytes[position] = .random(in: 0...255, using: &random)
      case 1: bytes[position] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      default: bytes.insert(.random(in: 0...255, using: &random), at: position)
      }
    }
  }
}
