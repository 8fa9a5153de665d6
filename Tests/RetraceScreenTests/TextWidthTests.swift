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
      ("…", 1), ("─", 1), ("ñ", 1), ("\u{7f}", 6), ("\u{1b}", 6), ("\u{ad}", 0), ("ᄒ", 2),
      ("하", 2), ("Ж", 1), ("ا", 1), ("กำ", 2), ("का", 2), ("。", 2), ("𠀀", 2), ("👍🏽", 2),
      ("\u{303f}", 1), ("\n", 5), ("\r\n", 10), ("\u{200b}", 8), ("a\u{202e}b", 10),
      ("🏴\u{e0067}\u{e007f}", 20),
    ])
  func widths(text: String, cells: Int) {
    #expect(TextWidth.of(text) == cells)
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
