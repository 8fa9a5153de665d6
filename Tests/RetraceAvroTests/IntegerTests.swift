import RetraceAvro
import RetraceTesting
import Testing

/// Integers have the bytes that the plain rule gives, whatever way they are written.
struct IntegerTests {
  @Test("Variable-length integers of every length are seven bits a byte")
  func variableLength() throws {
    try withSeed { generator in
      for bits in UInt64(0)...64 {
        let top: UInt64 = bits == 64 ? .max : (1 << bits) - 1
        var values: [UInt64] = [top, top &+ 1, 1 << (bits & 63)]
        for _ in 0..<20 { values.append(.random(in: 0...top, using: &generator)) }
        for value in values {
          var writer = AvroWriter(capacity: 0)
          writer.byte(0xaa)
          writer.varint(value)
          writer.byte(0xbb)
          #expect(writer.bytes == [0xaa] + plain(value) + [0xbb])
          let bytes = plain(value)
          var reader = AvroReader(bytes.span)
          let read = try reader.varint()
          #expect(read == value)
        }
      }
    }
  }

  @Test("Fixed integers and digests are stored with the low byte first")
  func fixedLength() {
    var writer = AvroWriter()
    writer.littleEndian(UInt32(0x0403_0201))
    writer.littleEndian(UInt64(0x0c0b_0a09_0807_0605))
    let bytes = (13..<UInt8(45)).map { $0 }
    writer.digest(Digest(bytes.span) ?? .zero)
    writer.fill(3) { span in span[1] = 45 }
    #expect(writer.bytes == (1..<45).map { UInt8($0) } + [0, 45, 0])
  }

  private func plain(_ value: UInt64) -> [UInt8] {
    var rest = value
    var bytes: [UInt8] = []
    while rest > 127 {
      bytes.append(UInt8(rest % 128) + 128)
      rest /= 128
    }
    return bytes + [UInt8(rest)]
  }
}
