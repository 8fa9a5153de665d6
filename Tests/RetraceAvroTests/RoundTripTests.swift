import RetraceAvro
import Testing

@Suite struct RoundTripTests {
  @Test func `a value of every supported type is read back equal`() throws {
    let item = Shop.Item(
      name: "pen", price: 3, tags: ["b", "a", "longer"],
      related: [Shop.Item(name: "é", tags: [], related: [], note: nil, code: [])], note: "n",
      code: [0, 255])
    let value = Everything(
      bool: true, int: -1, int32: .min, int64: .max, float: -0.0, double: .pi, string: "ß\u{0}",
      bytes: [1, 2], digest: .zero, color: .blue, optional: nil, twice: .some(nil),
      array: ["", "x"], byName: ["b": 1, "a": 2], byNumber: [-5: ["q"], 300: []],
      byColor: [.red: 1, .green: .infinity], set: [5, -6, 7000], item: .loaded(item),
      number: .loaded(4),
      actions: [.add(item, at: 9), .paint(color: .red, nil), .clear, .nested(.only(value: true))],
      empty: Empty(), empties: [Empty(), Empty()])
    let bytes = value.encoded()
    let read = try Everything(encoded: bytes.span)
    #expect(read == value)
    #expect(read.encoded() == bytes)
  }

  @Test func `lists of every length are read back, and refused when they are cut short`() throws {
    for count in [0, 1, 2, 3, 4, 5, 6, 1_023, 1_024, 1_025, 2_050] {
      let value = (0..<count).map { "item \($0)" }
      let bytes = value.encoded()
      #expect(try [String](encoded: bytes.span) == value)
      for end in stride(from: 0, to: bytes.count, by: count > 6 ? 997 : 1) {
        let part = bytes.span.extracting(0..<end)
        #expect(throws: AvroError.self) { try [String](encoded: part) }
      }
    }
  }

  @Test func `an integer of more bytes than it needs is refused`() throws {
    for bytes: [UInt8] in [[0x80, 0], [0x80, 0x80, 0], [0x81, 0x80, 0], [0x80, 0x80, 0x80, 0]] {
      for rest in 0...8 {
        let all = bytes + [UInt8](repeating: 1, count: rest)
        #expect(throws: AvroError.self) {
          var reader = AvroReader(all.span)
          _ = try reader.varint()
        }
      }
    }
  }
}
