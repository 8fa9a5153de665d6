import RetraceArchitecture
import RetraceAvro
import RetraceSchema
import RetraceState
import RetraceSystem
import RetraceTesting
import Testing

/// Random values of every supported type, exchanged with fastavro and Apache avro.
@Suite struct ExchangeTests {
  static let types: [any RandomValue.Type] = [
    Bool.self, Int.self, Int32.self, Int64.self, UInt8.self, Float.self, Double.self, String.self,
    [UInt8].self, Digest.self, Int64?.self, String?.self, Bool??.self, Shop.Item?.self,
    [String].self, [[Int32]].self, [Shop.Action].self, [[UInt8]?].self, [String: Int64].self,
    [String: Shop.Item].self, [Int64: String].self, [Shop.Color: Double].self,
    [SceneID: [Moment]].self, Set<Int32>.self, Set<String>.self, Shop.Color.self, Shop.Item.self,
    Shop.Action.self, Shop.Action.Nested.self, Expression.self, Loadable<Shop.Item>.self,
    Loadable<Int64>.self, Empty.self, Moment.self, ElapsedTime.self, SceneID.self, Everything.self,
  ]

  /// Without moments that Python's dates cannot hold, which its readers of files insist on.
  static let fileTypes: [any RandomValue.Type] =
    types.filter { !$0.recordedName.hasSuffix("Moment") } + [CivilMoment.self, [CivilMoment].self]

  @Test func `fastavro reads what is written, and writes the same bytes`() throws {
    try PythonPeer.withPeer { peer in
      try withSeed { random throws in
        for type in Self.types {
          try Self.write(type, repetitions(10_000), &random, for: peer)
        }
      }
      try peer.run("check")
    }
  }

  @Test func `what fastavro writes is read, and written as the same bytes`() throws {
    try PythonPeer.withPeer { peer in
      for type in Self.types { try Self.writeSchema(type, for: peer) }
      try withSeed { random throws in
        try peer.run("make", "\(repetitions(10_000))", "\(random.next())")
      }
      for type in Self.types { try Self.readBack(type, from: peer) }
      try peer.run("check")
    }
  }

  @Test func `fastavro and Apache avro read the container files that are written`() throws {
    try PythonPeer.withPeer { peer in
      try withSeed { random throws in
        for type in Self.fileTypes {
          try Self.write(type, 200, &random, for: peer)
          try Self.writeFile(type, for: peer)
        }
      }
      try peer.run("check-files")
    }
  }

  @Test func `the container files of fastavro and Apache avro are read`() throws {
    try PythonPeer.withPeer { peer in
      try withSeed { random throws in
        for type in Self.fileTypes { try Self.write(type, 200, &random, for: peer) }
      }
      try peer.run("make-files")
      var apache = 0
      for type in Self.fileTypes {
        try Self.readFile(type, "fastavro", from: peer)
        if peer.holds("\(type.recordedName).apache.avro") {
          try Self.readFile(type, "apache", from: peer)
          apache += 1
        }
      }
      print("\(Self.fileTypes.count) files of fastavro, \(apache) of Apache avro")
      #expect(apache >= 25)
    }
  }

  private static func writeSchema<Value: RandomValue>(
    _ type: Value.Type, for peer: PythonPeer
  ) throws {
    let schema = Value.schema
    try peer.write([UInt8](schema.text.utf8), to: "\(Value.recordedName).avsc")
    let form = [UInt8](schema.canonicalForm(keepingLogicalTypes: false).utf8)
    var rabin = ""
    for shift in stride(from: 0, to: 64, by: 8) {
      let byte = String(
        UInt8(truncatingIfNeeded: schema.rabinFingerprint >> UInt64(shift)), radix: 16)
      rabin += byte.utf8.count == 1 ? "0\(byte)" : byte
    }
    let sha = SHA256Hasher.digest(of: form.span).hex
    try peer.write(form + [UInt8]("\n\(rabin)\n\(sha)\n".utf8), to: "\(Value.recordedName).form")
  }

  private static func write<Value: RandomValue>(
    _ type: Value.Type, _ count: Int, _ random: inout SeededGenerator, for peer: PythonPeer
  ) throws {
    try writeSchema(type, for: peer)
    let frames = (0..<count).map { _ in Value.random(using: &random, 0).encoded() }
    try write(frames, of: type, for: peer)
  }

  /// Writes encoded values, and as JSON what they mean.
  private static func write<Value: RandomValue>(
    _ frames: [[UInt8]], of type: Value.Type, for peer: PythonPeer
  ) throws {
    let codec = try SchemaCodec(Value.schema)
    var lines = ""
    for frame in frames { lines += codec.json(try codec.decode(frame.span)).text() + "\n" }
    try peer.write(frames: frames, to: "\(Value.recordedName).values")
    try peer.write([UInt8](lines.utf8), to: "\(Value.recordedName).json")
  }

  private static func readBack<Value: RandomValue>(
    _ type: Value.Type, from peer: PythonPeer
  ) throws {
    let frames = try peer.frames("\(Value.recordedName).values")
    #expect(frames.count == repetitions(10_000))
    let codec = try SchemaCodec(Value.schema)
    for frame in frames {
      #expect(try Value(encoded: frame.span).encoded() == frame, "\(Value.recordedName)")
      var writer = AvroWriter()
      try codec.encode(try codec.decode(frame.span), into: &writer)
      #expect(writer.bytes == frame, "\(Value.recordedName)")
    }
    try write(frames, of: type, for: peer)
  }

  private static func writeFile<Value: RandomValue>(
    _ type: Value.Type, for peer: PythonPeer
  ) throws {
    let frames = try peer.frames("\(Value.recordedName).values")
    var writer = ContainerWriter(
      schema: Value.schema, metadata: [("retrace.note", Array("exchange".utf8))],
      marker: Array(0..<16), blockSize: 500)
    var file: [UInt8] = []
    for (position, frame) in frames.enumerated() {
      switch position % 3 {
      case 0: writer.append(encoded: frame.span)
      case 1: writer.append(try Value(encoded: frame.span))
      default:
        let codec = try SchemaCodec(Value.schema)
        try writer.append(try codec.decode(frame.span), with: codec)
      }
      writer.drain { bytes in for index in bytes.indices { file.append(bytes[index]) } }
    }
    writer.closeBlock()
    writer.drain { bytes in for index in bytes.indices { file.append(bytes[index]) } }
    #expect(writer.count == frames.count)
    try peer.write(file, to: "\(Value.recordedName).avro")
  }

  private static func readFile<Value: RandomValue>(
    _ type: Value.Type, _ peerName: String, from peer: PythonPeer
  ) throws {
    let frames = try peer.frames("\(Value.recordedName).values")
    let file = try peer.read("\(Value.recordedName).\(peerName).avro")
    var values = try ContainerReader(file.span)
    for frame in frames {
      let value = try #require(try values.next(), "\(Value.recordedName)")
      var writer = AvroWriter()
      try values.codec.encode(value, into: &writer)
      #expect(writer.bytes == frame, "\(Value.recordedName)")
    }
    #expect(try values.next() == nil)
    var typed = try ContainerReader(file.span)
    for frame in frames {
      let value = try #require(try typed.next(as: Value.self))
      #expect(value.encoded() == frame)
    }
    #expect(try typed.next(as: Value.self) == nil)
  }
}
