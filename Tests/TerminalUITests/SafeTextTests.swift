import RetraceArchitecture
import RetraceScreen
import RetraceTesting
import Testing

@Suite struct SafeTextTests {
  @Test(
    "What could deceive a terminal or a reader is shown as an escape",
    arguments: [
      ("plain text, ünïcödé 日本語 👩‍👩‍👧", "plain text, ünïcödé 日本語 👩‍👩‍👧"),
      ("a\u{1B}[31mred", #"a\u{1B}[31mred"#),
      ("\u{1B}]52;c;aGk=\u{07}", #"\u{1B}]52;c;aGk=\u{7}"#),
      ("\u{1B}]8;;http://x\u{1B}\\link", #"\u{1B}]8;;http://x\u{1B}\link"#),
      ("\u{9B}2J\u{90}$qm\u{9C}", #"\u{9B}2J\u{90}$qm\u{9C}"#),
      ("work\n[INFO] fake", #"work\u{A}[INFO] fake"#),
      ("a\r\nb\tc\u{0}d\u{7F}", #"a\u{D}\u{A}b\u{9}c\u{0}d\u{7F}"#),
      ("a\u{2028}b\u{2029}c", #"a\u{2028}b\u{2029}c"#),
      (
        "\u{202E}cba\u{202C}\u{2066}\u{2069}\u{200E}\u{200F}\u{61C}",
        #"\u{202E}cba\u{202C}\u{2066}\u{2069}\u{200E}\u{200F}\u{61C}"#
      ),
      ("a\u{200B}b\u{FEFF}c\u{2060}d", #"a\u{200B}b\u{FEFF}c\u{2060}d"#),
      ("x\u{E0041}\u{E007F}", #"x\u{E0041}\u{E007F}"#),
      (#"a\b"#, #"a\b"#),
      ("", ""),
    ])
  func escapes(input: String, expected: String) {
    // Scalar by scalar: Swift's equality of strings would take canonical equivalents for equal.
    #expect(Array(SafeText.line(input).unicodeScalars) == Array(expected.unicodeScalars))
  }

  @Test("Own line feeds stay in a block, nothing else does")
  func block() {
    #expect(SafeText.block("one\ntwo\r\u{1B}\n") == "one\ntwo\\u{D}\\u{1B}\n")
    #expect(SafeText.block(String(repeating: "x", count: 10_000)).count == 10_000)
  }

  @Test("Long text is cut between scalars and says so")
  func cap() {
    #expect(SafeText.line("abcdef", bytesMax: 6) == "abcdef")
    #expect(SafeText.line("abcdefg", bytesMax: 6) == "abcdef…")
    #expect(SafeText.line("éééé", bytesMax: 5) == "éé…")
    #expect(SafeText.line("\u{1B}\u{1B}", bytesMax: 7) == "\\u{1B}…")
    let marks = "a" + String(repeating: "\u{301}", count: 10_000)
    #expect(SafeText.line("b" + marks).utf8.count <= SafeText.bytesMax + "…".utf8.count)
    let long = SafeText.line(String(repeating: "🙂", count: 100_000))
    #expect(long.utf8.count <= SafeText.bytesMax + "…".utf8.count)
  }

  @Test("Random text never comes out with a control, a direction mark or a hidden scalar")
  func randomText() {
    withSeed { random in
      for _ in 0..<3000 {
        let text = Bool.random(using: &random) ? random.bytesAsText() : random.scalars()
        let line = SafeText.line(text, bytesMax: Int.random(in: 0...200, using: &random))
        #expect(!line.unicodeScalars.contains(where: isHarmful))
        #expect(!line.utf8.contains { $0 < 0x20 || $0 == 0x7F })
        let block = SafeText.block(text)
        #expect(!block.unicodeScalars.contains { $0 != "\n" && isHarmful($0) })
        let kept = text.unicodeScalars.filter { $0 == "\n" }.count
        #expect(block.unicodeScalars.filter { $0 == "\n" }.count == kept)
      }
    }
  }

  /// Written apart from the code under test, by property where Unicode has one.
  private func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    case .format:
      // Joiners shape words and emoji; the others of the category that stay are visible signs.
      scalar.properties.isBidiControl || scalar.value == 0xFEFF || scalar.value == 0x200B
        || scalar.value == 0x2060 || (0xE0000...0xE007F).contains(scalar.value)
    default: false
    }
  }
}
