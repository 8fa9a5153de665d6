import RetraceAvro
import Testing

@Suite("Copying bytes")
struct CopyingTests {
  @Test("Bytes of any length are stored whole, and nothing beside them", arguments: [0, 1, 7, 30])
  func store(at start: Int) {
    for length in 0...70 {
      let bytes = (0..<length).map { UInt8($0 + 100) }
      var target = [UInt8](repeating: 1, count: start + length + 3)
      var output = target.mutableSpan
      output.store(copying: bytes.span, at: start)
      let around = [UInt8](repeating: 1, count: start)
      #expect(target == around + bytes + [1, 1, 1], "\(length) bytes")
    }
  }
}
