import RetraceAvro
import RetraceTesting
import Testing

/// A writer holds the bytes that were written, however they got there.
@Suite struct AvroWriterTests {
  @Test func `any mix of values gives the bytes of a plain buffer`() {
    withSeed("AvroWriter") { random in
      for _ in 0..<200 {
        var writer = AvroWriter(capacity: Int.random(in: 0...300, using: &random))
        var plain: [UInt8] = []
        for _ in 0..<Int.random(in: 1...120, using: &random) {
          write(&writer, &plain, &random)
          #expect(writer.count == plain.count)
          if Int.random(in: 0..<8, using: &random) == 0 { #expect(writer.bytes == plain) }
        }
        #expect(writer.bytes == plain)
      }
    }
  }

  @Test func `runs of bytes of any two lengths are kept in order, staged or not`() {
    let text = String(repeating: "0123456789abcdef", count: 32)
    for first in 0..<130 {
      for second in stride(from: 0, through: 400, by: first % 7 + 1) {
        var writer = AvroWriter(capacity: first & 1 == 0 ? 0 : 1_024)
        let (head, tail) = (Array(text.utf8.prefix(first)), Array(text.utf8.prefix(second)))
        writer.raw(head)
        writer.raw(tail)
        #expect(writer.bytes == head + tail, "\(first), then \(second)")
      }
    }
  }

  /// Writes a value of a random kind to both.
  private func write(
    _ writer: inout AvroWriter, _ plain: inout [UInt8], _ random: inout SeededGenerator
  ) {
    let number = random.next() >> UInt64.random(in: 0..<64, using: &random)
    let bytes = (0..<Int.random(in: 0...(number & 15 == 0 ? 300 : 40), using: &random)).map { _ in
      UInt8.random(in: 0...255, using: &random)
    }
    switch Int.random(in: 0..<10, using: &random) {
    case 0:
      writer.byte(UInt8(truncatingIfNeeded: number))
      plain.append(UInt8(truncatingIfNeeded: number))
    case 1, 2:
      writer.varint(number)
      append(number, to: &plain)
    case 3:
      writer.raw(bytes)
      plain += bytes
    case 4:
      let text = String(decoding: bytes, as: UTF8.self)
      writer.string(text)
      append(UInt64(text.utf8.count) << 1, to: &plain)
      plain += Array(text.utf8)
    case 5:
      writer.littleEndian(number)
      for shift in 0..<8 { plain.append(UInt8(truncatingIfNeeded: number >> UInt64(8 * shift))) }
    case 6:
      writer.littleEndian(UInt32(truncatingIfNeeded: number))
      for shift in 0..<4 { plain.append(UInt8(truncatingIfNeeded: number >> UInt64(8 * shift))) }
    case 7:
      writer.fill(bytes.count) { span in
        for index in bytes.indices { span[index] = bytes[index] }
      }
      plain += bytes
    case 8:
      let count = Int.random(in: 0...plain.count, using: &random)
      writer.truncate(to: count)
      plain.removeLast(plain.count - count)
    default:
      guard number & 7 == 0 else { return }
      writer.removeAll()
      plain = []
    }
  }

  private func append(_ value: UInt64, to plain: inout [UInt8]) {
    var rest = value
    while rest >= 0x80 {
      plain.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    plain.append(UInt8(truncatingIfNeeded: rest))
  }
}
