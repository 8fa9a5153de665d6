import RetraceArchitecture
import RetraceScreen
import RetraceTesting
import Testing

/// Texts take the cells that terminals give them.
struct TextWidthTests {
  @Test func `a text breaks at blanks into lines that fit`() {
    let text = "  one two 日本語 averylongword end"
    #expect(
      TextWidth.lines(of: text, fitting: 10, indent: 2) == [
        "  one two", "  日本語", "  averylongword", "  end",
      ])
    #expect(TextWidth.lines(of: text, fitting: 80, indent: 2) == [text])
    // Several blanks stay between words, and not at a break.
    #expect(TextWidth.lines(of: "a  b  cccc", fitting: 6, indent: 1) == ["a  b", " cccc"])
    #expect(TextWidth.lines(of: "", fitting: 10, indent: 2) == [""])
  }

  @Test(
    "Characters take none, one or two cells, or the cells of their escapes",
    arguments: [
      ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("\u{301}", 0), ("\u{200d}", 0), ("日本", 4),
      ("한국", 4), ("ｱ", 1), ("Ａ", 2), ("👩‍👩‍👧", 2), ("🇩🇪", 2), ("❤", 1), ("❤\u{fe0f}", 2), ("✅", 2),
      ("…", 1), ("─", 1), ("ñ", 1), ("\u{7f}", 6), ("\u{1b}", 6), ("\u{ad}", 1), ("ᄒ", 2),
      ("하", 2), ("Ж", 1), ("ا", 1), ("กำ", 2), ("का", 2), ("。", 2), ("𠀀", 2), ("👍🏽", 2),
      ("\u{303f}", 1), ("\n", 5), ("\r\n", 10), ("\u{200b}", 8), ("a\u{202e}b", 10),
      ("🏴\u{e0067}\u{e007f}", 20), ("1\u{fe0f}\u{20e3}", 2), ("a\u{fe0f}", 1), ("©", 1),
      ("🇩", 2), ("क्षि", 2), ("\u{600}", 1), ("\u{2028}", 8), ("\u{e000}", 1), ("\u{ffff}", 8),
      // Characters of Unicode 16 and 17, as their blocks.
      ("\u{1fae9}", 2), ("\u{1facd}", 2), ("\u{1acf}", 0), ("\u{2b73a}", 2),
    ])
  func widths(text: String, cells: Int) {
    #expect(TextWidth.of(text) == cells)
  }

  @Test(
    "Terminals agree on letters with marks, on Chinese, Japanese and Korean, and on signs",
    arguments: [
      ("a", false), ("é", false), ("e\u{301}", false), ("ж\u{301}", false), ("日", false),
      ("한", false), ("か", false), ("ｱ", false), ("─", false), ("█", false), ("⣿", false),
      ("→", false), ("…", false), ("©", false), ("\u{1b}", false), ("👍", true), ("👍🏽", true),
      ("👩‍👩‍👧", true), ("🇩🇪", true), ("🇩", true), ("❤", true), ("❤\u{fe0f}", true),
      ("1\u{fe0f}\u{20e3}", true), ("क्षि", true), ("ا", true), ("\u{ad}", true),
      ("\u{1fae9}", true), ("\u{e000}", true), ("e\u{34f}", true), ("日\u{301}", true),
    ])
  func disputes(character: String, isDisputed: Bool) {
    #expect(TextWidth.isDisputed(Character(character)) == isDisputed)
  }

  @Test func `the table agrees with what the toolchain knows of the scalars`() {
    for value in UInt32(0x20)...0x3ffff {
      guard let scalar = Unicode.Scalar(value), !SafeText.isEscaped(scalar), value != 0xad,
        let age = scalar.properties.age, age.major < 15
      else { continue }
      let cells = TextWidth.of(Character(scalar))
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .enclosingMark: #expect(cells == 0, "\(value)")
      default:
        if scalar.properties.isEmojiPresentation || scalar.properties.isIdeographic {
          #expect(cells == 2 || value == 0x16fe4, "\(value)")
        }
      }
    }
  }

  @Test func `a text takes the cells of its characters`() {
    withSeed { generator in
      let alphabet: [String] = [
        "a", "é", "e\u{301}", "日", "한", "👩‍👩‍👧", "🇩🇪", "क्षि", "─", "\u{ad}", "\u{1b}", "\r\n",
        "\u{301}", "\u{1f3fb}", "\u{200d}", "\u{fe0f}", "1", "\u{e0067}", "🏴", "\u{1100}",
        "\u{1161}",
      ]
      for _ in 0..<500 {
        let text = (0..<20).map { _ in alphabet.randomElement(using: &generator) ?? "a" }.joined()
        #expect(TextWidth.of(text) == text.reduce(0) { $0 + TextWidth.of($1) })
        #expect(TextWidth.of(text[...]) == TextWidth.of(text))
      }
    }
  }

  @Test func `text takes as many cells before it is escaped as after that`() {
    withSeed { generator in
      let alphabet: [Character] = [
        "a", "日", "👩‍👩‍👧", "\u{1b}", "\r\n", "\u{200b}", "\u{2066}", "\0",
      ]
      for _ in 0..<200 {
        let text = String((0..<20).map { _ in alphabet.randomElement(using: &generator) ?? "a" })
        #expect(TextWidth.of(text) == TextWidth.of(SafeText.line(text)))
      }
    }
  }

  @Test("A prefix fits, and one character more would not", arguments: 1...20)
  func prefixes(seed: UInt64) {
    withSeed(default: seed) { generator in
      let alphabet: [Character] = ["a", "日", "e\u{301}", "👩‍👩‍👧", "\u{200b}", " "]
      let text = String((0..<20).map { _ in alphabet.randomElement(using: &generator) ?? "a" })
      let cells = Int.random(in: 0...40, using: &generator)
      let prefix = TextWidth.prefix(of: text, fitting: cells)
      #expect(text.hasPrefix(prefix))
      #expect(TextWidth.of(prefix) <= cells)
      if prefix.endIndex < text.endIndex {
        #expect(TextWidth.of(prefix) + TextWidth.of(text[prefix.endIndex]) > cells)
      }
    }
  }
}
