import RetraceAvro
import RetraceTesting
import Testing

/// Passing over a value beside making it: the same bytes consumed, the same bytes refused.
@Suite struct SkippingTests {
  @Test func `skipping a value consumes the same bytes as decoding it`() throws {
    withSeed { random in
      for _ in 0..<repetitions(5_000) {
        let bytes = Everything.random(using: &random, 0).encoded()
        #expect(outcome(bytes + [0xff], skip) == .end(bytes.count))
        #expect(outcome(bytes + [0xff], make) == .end(bytes.count))
      }
    }
  }

  @Test func `mutated bytes are refused with the same error by both`() {
    withSeed { random in
      var refused = 0
      for _ in 0..<repetitions(20_000) {
        var bytes = Everything.random(using: &random, 0).encoded()
        let position = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[position] = .random(in: 0...255, using: &random)
        case 1: bytes[position] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        default: bytes.removeSubrange(position...)
        }
        let made = outcome(bytes, make)
        #expect(outcome(bytes, skip) == made)
        if case .error = made { refused += 1 }
      }
      #expect(refused > 0)
      print("refused \(refused) of \(repetitions(20_000))")
    }
  }

  @Test func `bytes nested too deeply, items without bytes and bad UTF-8 are refused by both`() {
    expectRefusal(of: Expression.self, [UInt8](repeating: 0x02, count: 1_000_000))
    expectRefusal(of: [Empty].self, Int64.max.encoded() + [0])
    expectRefusal(of: String.self, [4, 0xc3, 0x28])
  }

  private func expectRefusal<Value: Recordable>(of type: Value.Type, _ bytes: [UInt8]) {
    let skipped = outcome(bytes) { (reader) throws(AvroError) in try reader.skip(type) }
    let made = outcome(bytes) { (reader) throws(AvroError) in _ = try Value(decoding: &reader) }
    #expect(skipped == made)
    if case .end = made { Issue.record("\(type) was not refused") }
  }

  private enum Outcome: Equatable {
    case end(Int)
    case error(AvroError)
  }

  private func skip(_ reader: inout AvroReader) throws(AvroError) {
    try reader.skip(Everything.self)
  }

  private func make(_ reader: inout AvroReader) throws(AvroError) {
    _ = try Everything(decoding: &reader)
  }

  private func outcome(
    _ bytes: [UInt8], _ body: (inout AvroReader) throws(AvroError) -> Void
  ) -> Outcome {
    var reader = AvroReader(bytes.span)
    do throws(AvroError) {
      try body(&reader)
      return .end(reader.offset)
    } catch {
      return .error(error)
    }
  }
}
