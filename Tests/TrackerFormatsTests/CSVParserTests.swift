import RetraceTesting
import Testing
import TrackerFormats

@Suite
struct CSVParserTests {
  struct Parsed: Equatable, CustomTestStringConvertible {
    var line: Int
    var fields: [String]
    var problem: CSVRecord.Problem?
    var testDescription: String { "\(line) \(fields) \(problem.map { "\($0)" } ?? "")" }

    init(_ line: Int, _ fields: [String], _ problem: CSVRecord.Problem? = nil) {
      self.line = line
      self.fields = fields
      self.problem = problem
    }
  }

  static func parse(_ bytes: [UInt8], piece: Int) -> [Parsed] {
    var parser = CSVParser()
    var records: [Parsed] = []
    func take(_ record: CSVRecord) {
      let fields = (0..<record.count).map { record.shown($0) }
      records.append(Parsed(record.line, fields, record.problem))
    }
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + piece)
      parser.feed(Array(bytes[start..<end]), take)
      start = end
    }
    parser.finish(take)
    return records
  }

  static let table: [(String, [Parsed])] = [
    ("", []),
    ("\n\r\n\n", []),
    ("a", [Parsed(1, ["a"])]),
    ("a,b\n1,2\n", [Parsed(1, ["a", "b"]), Parsed(2, ["1", "2"])]),
    ("a,b\r\n1,2", [Parsed(1, ["a", "b"]), Parsed(2, ["1", "2"])]),
    ("a\rb\r", [Parsed(1, ["a"]), Parsed(2, ["b"])]),
    ("a,\n,b\n,\n", [Parsed(1, ["a", ""]), Parsed(2, ["", "b"]), Parsed(3, ["", ""])]),
    ("a\n\n\nb", [Parsed(1, ["a"]), Parsed(4, ["b"])]),
    ("\u{feff}a,b", [Parsed(1, ["a", "b"])]),
    ("\u{feff}\"a\",b", [Parsed(1, ["a", "b"])]),
    ("a\u{feff},b", [Parsed(1, ["a\u{feff}", "b"])]),
    ("\"a,b\",c", [Parsed(1, ["a,b", "c"])]),
    ("\"a\"\"b\",\"\"\"\"", [Parsed(1, ["a\"b", "\""])]),
    ("\"a\nb\r\nc\",d\ne", [Parsed(1, ["a\nb\r\nc", "d"]), Parsed(4, ["e"])]),
    ("\"\",x", [Parsed(1, ["", "x"])]),
    (
      "say \"hi\" to \"all\"\n5\" disk,x",
      [Parsed(1, ["say \"hi\" to \"all\""]), Parsed(2, ["5\" disk", "x"])]
    ),
    ("a \"b\",c", [Parsed(1, ["a \"b\"", "c"])]),
    ("\"a\"b,c\nd", [Parsed(1, ["ab", "c"], .textAfterQuote), Parsed(2, ["d"])]),
    ("x\n\"a,b\nc", [Parsed(1, ["x"]), Parsed(2, ["a,b\nc"], .unclosedQuote)]),
    ("\\N,\\\"", [Parsed(1, ["\\N", "\\\""])]),
    ("é,🔥\n", [Parsed(1, ["é", "🔥"])]),
  ]

  @Test(arguments: table)
  func `Records are read alike, whatever the pieces`(text: String, expected: [Parsed]) {
    for piece in [1, 2, 3, 1_000] {
      #expect(Self.parse(Array(text.utf8), piece: piece) == expected, "pieces of \(piece)")
    }
  }

  @Test
  func `Half a byte-order mark is data`() {
    #expect(Self.parse([0xef, 0xbb], piece: 1).count == 1)
    #expect(Self.parse([0xef, 0xbb, 0x2c, 0x61], piece: 1).first?.fields.count == 2)
  }

  @Test
  func `A record longer than the limit is cut and marked, the next is whole`() {
    let long = [UInt8](repeating: 0x61, count: CSVParser.longestRecord + 10)
    let records = Self.parse(long + Array("\nb,c".utf8), piece: 4_096)
    #expect(records.count == 2)
    #expect(records.first?.problem == .tooLong)
    #expect(records.first?.fields.first?.utf8.count == CSVParser.longestRecord)
    #expect(records.last == Parsed(2, ["b", "c"]))
  }

  @Test
  func `Fields written by the rules of CSV are read back`() {
    withSeed { random in
      for _ in 0..<repetitions(2_000) {
        let alphabet = ["a", ",", "\"", "\n", "\r", "\r\n", " ", "é"]
        var rows: [[String]] = []
        for _ in 0..<Int.random(in: 1...5, using: &random) {
          var row: [String] = []
          for _ in 0..<Int.random(in: 2...4, using: &random) {
            var field = ""
            for _ in 0..<Int.random(in: 0...4, using: &random) {
              field += alphabet.randomElement(using: &random) ?? ""
            }
            row.append(field)
          }
          rows.append(row)
        }
        let text = rows.map { row in
          row.map {
            "\""
              + $0.split(separator: "\"", omittingEmptySubsequences: false).joined(
                separator: "\"\"") + "\""
          }
          .joined(separator: ",")
        }.joined(separator: "\r\n")
        let piece = Int.random(in: 1...20, using: &random)
        #expect(Self.parse(Array(text.utf8), piece: piece).map(\.fields) == rows)
      }
    }
  }

  @Test
  func `Any bytes are read without a trap`() {
    withSeed { random in
      for _ in 0..<repetitions(2_000) {
        let choices: [UInt8] = [0x22, 0x2c, 0x0a, 0x0d, 0x61, 0xff, 0xef, 0xbb, 0xbf, 0]
        let bytes = (0..<Int.random(in: 0..<60, using: &random)).map { _ in
          choices.randomElement(using: &random) ?? 0
        }
        let whole = Self.parse(bytes, piece: 1_000)
        #expect(Self.parse(bytes, piece: 1) == whole)
      }
    }
  }
}
