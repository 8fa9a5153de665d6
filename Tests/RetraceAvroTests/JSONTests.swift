import RetraceAvro
import RetraceTesting
import Testing

@Suite struct JSONTests {
  @Test func `integers are exact and objects keep their order`() throws {
    let text =
      #"{"z":9223372036854775807,"a":[-9223372036854775808,true,null,1.5,1e3],"#
      + #""é":"\u0041\ud83d\ude00\n"}"#
    let value = try JSONValue(parsing: text)
    #expect(value["z"] == .integer(.max))
    #expect(value["a"]?.arrayValue?.first?.integerValue == Int64.min)
    #expect(value["a"]?.arrayValue?.last == .double(1000))
    #expect(value["é"]?.stringValue == "A😀\n")
    #expect(
      value.text()
        == #"{"z":9223372036854775807,"a":[-9223372036854775808,true,null,1.5,1000.0],"#
        + #""é":"A😀\n"}"#
    )
    #expect(try JSONValue(parsing: value.text(indented: true)) == value)
    let literal: JSONValue = ["records": 3, "ok": true, "none": nil, "list": [1, "x"]]
    #expect(literal.text() == #"{"records":3,"ok":true,"none":null,"list":[1,"x"]}"#)
  }

  @Test func `characters that a terminal would act upon are escaped`() throws {
    let value = JSONValue.string("\u{1b}[2J\u{7f}\u{9b}\u{202e}\u{feff}\"\\/\u{0}ok")
    #expect(value.text() == #""\u001b[2J\u007f\u009b\u202e\ufeff\"\\/\u0000ok""#)
    #expect(try JSONValue(parsing: value.text()) == value)
    #expect(
      JSONValue.array([.double(.nan), .double(-.infinity)]).text() == #"["NaN","-Infinity"]"#)
  }

  @Test(arguments: [
    "", " ", "nul", "truee", "[1,]", "[1 2]", "{\"a\":1,}", "{\"a\" 1}", "{a:1}", "01", "1.", ".5",
    "+1", "1e", "-", "\"", "\"\\x\"", "\"\\u12g4\"", "\"\\ud800\"", "\"\\ud800\\u0041\"",
    "\"\\udc00\"", "\"a\nb\"", "1 1", "[", "{", "{\"a\":1,\"a\":2}", "9223372036854775808", "1e999",
    "NaN", "\u{feff}1",
  ])
  func `a text that is not strict JSON is refused`(text: String) {
    #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
  }

  @Test func `depth and size are limited`() throws {
    let deep = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
    _ = try JSONValue(parsing: deep)
    #expect(throws: JSONError.self) { try JSONValue(parsing: "[\(deep)]") }
    #expect(throws: JSONError.self) {
      try JSONValue(parsing: String(repeating: "[", count: 1_000_000))
    }
    #expect(throws: JSONError.self) { try JSONValue(parsing: "12345", sizeLimit: 4) }
    let invalid: [UInt8] = [0x22, 0xff, 0x22]
    #expect(throws: JSONError.self) { try JSONValue(parsing: invalid.span) }
  }

  @Test func `random values are parsed back equal`() throws {
    try withSeed { random throws in
      for _ in 0..<repetitions(5_000) {
        let value = Self.value(&random, depth: 4)
        #expect(try JSONValue(parsing: value.text()) == value)
        #expect(try JSONValue(parsing: value.text(indented: true)) == value)
      }
    }
  }

  private static func value(_ random: inout SeededGenerator, depth: Int) -> JSONValue {
    switch Int.random(in: 0..<(depth == 0 ? 5 : 7), using: &random) {
    case 0: return .null
    case 1: return .bool(.random(using: &random))
    case 2: return .integer(.random(using: &random, 0))
    case 3:
      let number = Double.random(using: &random, 0)
      return .double(number.isFinite ? number : 0.5)
    case 4: return .string(.random(using: &random, 0))
    case 5:
      return .array((0..<3).map { _ in value(&random, depth: depth - 1) })
    default:
      return .object(
        (0..<3).map {
          .init("\($0)\(String.random(using: &random, 0))", value(&random, depth: depth - 1))
        })
    }
  }
}
