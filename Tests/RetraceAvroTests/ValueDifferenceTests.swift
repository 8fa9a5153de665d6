import RetraceAvro
import RetraceSchema
import RetraceTesting
import Testing

@Suite struct ValueDifferenceTests {
  private func lines<Value: Recordable>(
    _ old: Value, _ new: Value, depth: Int = .max, limit: Int = .max
  ) throws -> [String] {
    let codec = try SchemaCodec(Value.schema)
    let (before, after) = (old.encoded(), new.encoded())
    return codec.differences(
      from: try codec.decode(before.span), to: try codec.decode(after.span), depth: depth,
      limit: limit
    ).map { "\($0.path): \($0.before?.text() ?? "-") > \($0.after?.text() ?? "-")" }
  }

  private let pen = Shop.Item(
    name: "pen", price: 3, tags: ["a", "b", "c"], related: [], note: nil, code: [1])

  @Test func `fields and optionals differ at their paths`() throws {
    var other = pen
    other.name = "Pen"
    other.note = "n"
    #expect(
      try lines(pen, other) == [
        #"name: "pen" > "Pen""#, #"note: null > "n""#,
      ])
    #expect(try lines(pen, other, limit: 1).count == 1)
    #expect(try lines([UInt8](), [1, 2]) == [#": "" > "0102""#])
    #expect(try lines(pen, pen).isEmpty)
  }

  @Test func `lists differ between what they have in common at both ends`() throws {
    #expect(try lines(["a", "b", "c"], ["a", "c"]) == [#"[1]: "b" > -"#])
    #expect(try lines(["a", "c"], ["a", "b", "c"]) == [#"[1]: - > "b""#])
    #expect(try lines(["a", "b", "c"], ["a", "x", "c"]) == [#"[1]: "b" > "x""#])
    #expect(try lines(["a", "a"], ["a"]) == [#"[1]: "a" > -"#])
    #expect(try lines([String](), ["a"]) == [#"[0]: - > "a""#])
    #expect(try lines(["a", "b"], ["x", "y", "z"]).count == 3)
  }

  @Test func `dictionaries differ by their keys, whatever moved`() throws {
    #expect(
      try lines(["b": Int64(1), "a": 2], ["a": 3, "c": 4]) == [
        #"["a"]: 2 > 3"#, #"["c"]: - > 4"#, #"["b"]: 1 > -"#,
      ])
    #expect(
      try lines([-5: ["q"], 300: []], [-5: ["q", "r"], 300: []] as [Int64: [String]]) == [
        #"[-5][1]: - > "r""#
      ])
    // Two spellings of one key are two keys.
    #expect(try lines(["\u{e9}": Int64(1)], ["e\u{301}": 1]).count == 2)
  }

  @Test func `a case is followed while it is the same and shown whole when it is another`() throws {
    var other = pen
    other.price = 4
    #expect(
      try lines(Shop.Action.add(pen, at: 9), .add(other, at: 9)).map { $0.prefix { $0 != ":" } }
        .allSatisfy { $0.hasPrefix("add.") && $0.hasSuffix("price") })
    #expect(try lines(Shop.Action.clear, .add(pen, at: 9)).count == 1)
    #expect(try lines(Shop.Action.clear, .add(pen, at: 9))[0].hasPrefix(#": {"clear":{}} > "#))
  }

  @Test func `a difference of one level lists whole fields`() throws {
    var other = pen
    other.tags = ["b", "c"]
    #expect(try lines(pen, other, depth: 1) == [#"tags: ["a","b","c"] > ["b","c"]"#])
    #expect(try lines(pen, other) == [#"tags[0]: "a" > -"#])
  }

  @Test func `numbers and texts are compared by their bits`() throws {
    #expect(try lines(0.0, -0.0).count == 1)
    #expect(try lines(Double.nan, Double.nan).isEmpty)
    #expect(try lines("\u{e9}", "e\u{301}").count == 1)
  }

  @Test func `values differ exactly when their encodings do`() throws {
    try withSeed { random in
      let codec = try SchemaCodec(Everything.schema)
      for _ in 0..<repetitions(2_000) {
        let old = Everything.random(using: &random, 0)
        var new = old
        let other = Everything.random(using: &random, 0)
        switch Int.random(in: 0..<8, using: &random) {
        case 0: break
        case 1: new.double = other.double
        case 2: new.byNumber = other.byNumber
        case 3: new.set = other.set
        case 4: new.actions = other.actions
        case 5: new.item = other.item
        case 6: new.byName = other.byName
        default: new = other
        }
        let (before, after) = (old.encoded(), new.encoded())
        let found = codec.differences(
          from: try codec.decode(before.span), to: try codec.decode(after.span))
        #expect(found.isEmpty == (before == after))
        for difference in found {
          #expect(difference.before?.text() != difference.after?.text(), "\(difference)")
        }
      }
    }
  }

  @Test func `an action is named by its cases`() throws {
    let codec = try SchemaCodec(Shop.Action.schema)
    func name(_ action: Shop.Action) throws -> String? {
      let bytes = action.encoded()
      return codec.caseName(of: try codec.decode(bytes.span))
    }
    #expect(try name(.clear) == "clear")
    #expect(try name(.add(pen, at: 1)) == "add")
    #expect(try name(.nested(.only(value: true))) == "nested.only")
  }
}
