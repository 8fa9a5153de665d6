import RetraceArchitecture
import RetraceAvro
import RetraceSchema
import RetraceState
import RetraceTesting
import Testing

/// Verdicts on random pairs of types, held against what becomes of random values.
@Suite struct VerdictPairTests {
  /// A type that can stand anywhere in another.
  typealias Drawn = RandomValue & Hashable

  /// 10,000 pairs, a million with `RETRACE_FULL`.
  private static var pairs: Int { repetitions(1_000_000, few: 10_000) }

  @Test func `a verdict holds for every value of a pair of types`() throws {
    try withSeed { random throws in
      var counts: [String: Int] = [:]
      var refused = 0
      for _ in 0..<Self.pairs {
        let (old, new) = Self.pair(&random, 2)
        refused += try Self.check(old, new, &random, &counts)
      }
      print("verdicts \(counts.sorted { $0.key < $1.key }), values refused \(refused)")
      for name in ["same", "fine", "needs checking", "impossible"] {
        #expect(counts[name, default: 0] > 100, "\(name)")
      }
      #expect(refused > 100)
    }
  }

  @Test func `fastavro and Apache avro resolve the values of a pair of types the same`() throws {
    try PythonPeer.withPeer { peer in
      try withSeed { random throws in
        var number = 0
        while number < repetitions(3_000) {
          let (old, new) = Self.pair(&random, 2)
          if try Self.write(old, new, &random, as: number, for: peer) { number += 1 }
        }
      }
      try peer.run("resolve-both")
    }
  }

  /// Checks a verdict with a few values, and counts those that do not fit the new type.
  private static func check<Old: Drawn, New: Drawn>(
    _ old: Old.Type, _ new: New.Type, _ random: inout SeededGenerator,
    _ counts: inout [String: Int]
  ) throws -> Int {
    // Parses the JSON, as a log stores it.
    let recorded = try Schema(parsing: Old.schema.text)
    let resolver = try SchemaResolver(writer: recorded, reader: New.schema)
    let verdict = resolver.verdict()
    counts[verdict.name, default: 0] += 1
    var refused = 0
    for _ in 0..<5 {
      let value = Old.random(using: &random, 1)
      let about = "\(old) to \(new), \(verdict.name): \(value)"
      do {
        if try !isRead(value, by: resolver, verdict, as: new, about) { refused += 1 }
      } catch {
        Issue.record("\(about): \(error)")
      }
    }
    return refused
  }

  /// Checks a verdict with a value.
  ///
  /// - Returns: Whether the value is one of the new type.
  private static func isRead<Old: Drawn, New: Drawn>(
    _ value: Old, by resolver: SchemaResolver, _ verdict: SchemaVerdict, as new: New.Type,
    _ about: String
  ) throws -> Bool {
    let bytes = value.encoded()
    if verdict == .same {
      #expect(try New(encoded: bytes.span).encoded() == bytes, "\(about)")
    }
    var writer = AvroWriter()
    do throws(AvroError) {
      guard try resolver.resolve(bytes.span, into: &writer) == .resolved else {
        #expect(!verdict.isReadable, "\(about)")
        return true
      }
    } catch {
      // Bytes that are not UTF-8 cannot be read as a text.
      #expect(!verdict.isReadable || verdict.name == "needs checking", "\(about): \(error)")
      let outcome = try resolver.resolve(bytes.span, into: &writer, rejectingUnchecked: true)
      #expect(outcome != .resolved, "\(about)")
      return false
    }
    // As a decoding plan does where only rules differ.
    if let direct = try? New(encoded: bytes.span) {
      #expect(direct.encoded() == bytes, "\(about)")
    }
    let resolved = writer.bytes
    var reader = AvroReader(resolved: resolved.span, inputByteCount: bytes.count)
    do throws(AvroError) {
      let read = try New(decoding: &reader)
      try reader.finish()
      #expect(try New(encoded: read.encoded().span).encoded() == read.encoded(), "\(about)")
      return true
    } catch {
      guard verdict.isReadable else { return false }
      #expect(verdict.name == "needs checking", "\(about): \(error)")
      let outcome = try resolver.resolve(bytes.span, into: &writer, rejectingUnchecked: true)
      #expect(outcome != .resolved, "\(about)")
      return false
    }
  }

  /// Writes a pair whose values all resolve, with values before and after.
  private static func write<Old: Drawn, New: Drawn>(
    _ old: Old.Type, _ new: New.Type, _ random: inout SeededGenerator, as number: Int,
    for peer: PythonPeer
  ) throws -> Bool {
    let resolver = try SchemaResolver(writer: Old.schema, reader: New.schema)
    guard resolver.verdict().isReadable else { return false }
    var frames: [[UInt8]] = []
    var results: [[UInt8]] = []
    for _ in 0..<5 {
      let bytes = Old.random(using: &random, 1).encoded()
      var writer = AvroWriter()
      #expect(try resolver.resolve(bytes.span, into: &writer) == .resolved)
      frames.append(bytes)
      results.append(writer.bytes)
    }
    try peer.write([UInt8](Old.schema.text.utf8), to: "\(number).writer")
    try peer.write([UInt8](New.schema.text.utf8), to: "\(number).reader")
    try peer.write(frames: frames, to: "\(number).values")
    try peer.write(frames: results, to: "\(number).resolved")
    return true
  }

  // Types

  private typealias Pair = (old: any Drawn.Type, new: any Drawn.Type)

  private static let plain: [any Drawn.Type] = [
    Bool.self, Int.self, Int32.self, Int64.self, UInt8.self, Percent.self, Float.self,
    Double.self, String.self, Shop.Color.self, Empty.self, SceneID.self, ElapsedTime.self,
  ]

  /// The same type mostly, else one that a field may have become.
  private static func pair(_ random: inout SeededGenerator, _ depth: Int) -> Pair {
    if depth == 0 || random.chance(3) {
      let old = plain.randomElement(using: &random) ?? Int.self
      if random.chance(2) { return (old, old) }
      let numbers: [any Drawn.Type] = [
        Int32.self, UInt8.self, Percent.self, Int64.self, Double.self, Float.self,
      ]
      if random.chance(4) { return (old, plain.randomElement(using: &random) ?? old) }
      return (
        numbers.randomElement(using: &random) ?? old, numbers.randomElement(using: &random) ?? old
      )
    }
    let inner = pair(&random, depth - 1)
    let shape = Int.random(in: 0..<5, using: &random)
    let other = random.chance(5) ? Int.random(in: 0..<6, using: &random) : shape
    return (wrapped(inner.old, shape), wrapped(inner.new, other))
  }

  private static func wrapped<Inner: Drawn>(
    _ inner: Inner.Type, _ shape: Int
  ) -> any Drawn.Type {
    switch shape {
    case 0: [Inner].self
    case 1: Set<Inner>.self
    case 2: Inner?.self
    case 3: [String: Inner].self
    case 4: [Inner: Int32].self
    default: Inner.self
    }
  }
}
