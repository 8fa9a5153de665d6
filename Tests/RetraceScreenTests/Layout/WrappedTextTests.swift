import RetraceTesting
import Testing

@testable import RetraceScreen

/// Texts broken into rows lose no byte, and fit.
@Suite struct WrappedTextTests {
  @Test(arguments: [
    ("write the report", 9, ["write the ", "report"]),
    ("one two", 20, ["one two"]),
    ("a  b", 2, ["a  ", "b"]),
    ("abcdefgh ij", 3, ["abc", "def", "gh ", "ij"]),
    ("日本語", 5, ["日本", "語"]),
    ("one\n\ntwo\n", 9, ["one", "", "two", ""]),
    ("", 9, [""]),
    ("e\u{301}e\u{301}e\u{301}", 2, ["e\u{301}e\u{301}", "e\u{301}"]),
    ("日", 1, ["日"]),
  ])
  func `texts break after blanks, in words and at line feeds`(
    text: String, columns: Int, rows: [String]
  ) {
    let wrapped = WrappedText(text, columns: columns)
    #expect(wrapped.rows.indices.map { String(wrapped[$0]) } == rows)
  }

  @Test func `random texts lose no byte and fit`() {
    withSeed { random in
      for _ in 0..<repetitions(2_000) {
        let text = random.hostileText() + random.hostileText()
        let columns = Int.random(in: 1...12, using: &random)
        let wrapped = WrappedText(text, columns: columns)
        var end = 0
        for (index, row) in wrapped.rows.enumerated() {
          let isBroken = index > 0 && row.start == end + 1
          #expect(index == 0 || row.start == end || isBroken)
          let shown = wrapped[index].utf8.reversed().drop { $0 == 0x20 }.count
          let part = String(wrapped[index].utf8.prefix(shown)) ?? ""
          #expect(TextWidth.of(part) <= columns || part.unicodeScalars.count <= 8)
          end = row.end
        }
        #expect(end == text.utf8.count)
        for offset in 0...text.utf8.count {
          let row = wrapped.row(of: offset)
          #expect(wrapped.rows[row].start <= offset)
          #expect(0...columns ~= wrapped.column(of: offset))
        }
      }
    }
  }

  @Test func `a place leads to the character that is there`() {
    let wrapped = WrappedText("日本 abc\nx", columns: 5)
    #expect(wrapped.rows.count == 3)
    #expect(wrapped.offset(row: 0, column: 0) == 0)
    #expect(wrapped.offset(row: 0, column: 1) == 0)
    #expect(wrapped.offset(row: 0, column: 2) == 3)
    // The end of a row that goes on is before its last character.
    #expect(wrapped.offset(row: 0, column: 9) == 6)
    #expect(wrapped.offset(row: 1, column: 9) == 10)
    #expect(wrapped.offset(row: 9, column: 9) == 12)
    #expect(wrapped.row(of: 7) == 1)
    #expect(wrapped.column(of: 9) == 2)
  }
}
