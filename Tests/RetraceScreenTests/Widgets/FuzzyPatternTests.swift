import RetraceScreen
import RetraceTesting
import Testing

/// A pattern finds texts with its characters in their order, the best first.
@Suite struct FuzzyPatternTests {
  private func ranked(_ pattern: String, _ texts: [String]) -> [String] {
    FuzzyPattern(pattern).ranked(count: texts.count) { texts[$0] }.map { texts[$0] }
  }

  @Test(
    "Characters match in their order, and words each for themselves",
    arguments: [
      ("", "anything", true), ("  ", "", true), ("rep", "Write the report", true),
      ("rpt", "report", true), ("tpr", "report", false), ("report write", "Write the report", true),
      ("report x", "Write the report", false), ("Rep", "report", false), ("Rep", "Report", true),
      ("rep", "REPORT", true), ("é", "café", true), ("é", "cafe\u{301}", false), ("É", "é", false),
      ("日語", "日本語", true), ("語日", "日本語", false), ("a", "", false),
      // No bytes of two characters are mixed: U+00E9 is C3 A9, U+00C3 is C3 83, U+00A9 is C2 A9.
      ("é", "Ã©", false), ("@", "`", false), ("[", "{", false),
    ])
  func matching(pattern: String, text: String, isMatch: Bool) {
    #expect((FuzzyPattern(pattern).score(of: text) != nil) == isMatch)
  }

  @Test func `starts of words, neighbors and capitals come first`() {
    let texts = ["Prepare", "Report", "Review a part"]
    #expect(ranked("rep", texts) == ["Report", "Review a part", "Prepare"])
    #expect(ranked("st", ["list", "so that", "Start"]) == ["Start", "so that", "list"])
    #expect(
      ranked("ed", ["shared", "ended", "entryDelete"]) == ["entryDelete", "ended", "shared"])
    #expect(ranked("fb", ["fzb", "fooBar", "f-b"]) == ["f-b", "fooBar", "fzb"])
    #expect(ranked("a", ["bba", "aaa", "a"]) == ["a", "aaa", "bba"])
    #expect(ranked("x", ["x1", "x2", "x"]) == ["x", "x1", "x2"])
    #expect(ranked("", ["b", "a"]) == ["b", "a"])
    #expect(ranked("z", ["b", "a"]) == [])
  }

  @Test func `the best of the ranges that end first is found`() {
    // As late as it can begin: the second a.
    let (late, only) = (
      FuzzyPattern("ab").score(of: "a  ab"), FuzzyPattern("ab").score(of: "xx ab")
    )
    #expect(late == only)
  }

  @Test func `every match has the characters of its words`() {
    withSeed { random in
      for _ in 0..<2000 {
        let text = random.hostileText()
        let scalars = Array(text.unicodeScalars)
        var word = String.UnicodeScalarView()
        for scalar in scalars where Int.random(in: 0...2, using: &random) == 0 && scalar != " " {
          word.append(scalar)
        }
        #expect(FuzzyPattern(String(word)).score(of: text) != nil)
        #expect(FuzzyPattern(String(word) + "\u{1F600}").score(of: text) == nil)
      }
    }
  }

  @Test func `long texts and patterns are no problem`() {
    let text = String(repeating: "ab ", count: 50_000)
    #expect(FuzzyPattern(String(repeating: "a", count: 50_000)).score(of: text) != nil)
    #expect(FuzzyPattern(String(repeating: "a", count: 50_001)).score(of: text) == nil)
  }

  @Test func `the matched characters are highlighted, also in a text that is cut`() {
    func highlighted(_ text: String, _ pattern: String, _ columns: Int) -> [Int] {
      var canvas = Canvas(Screen.Size(columns: columns, rows: 1))
      MatchedText(text, pattern: FuzzyPattern(pattern)).draw(in: canvas.bounds, on: &canvas)
      return (0..<columns).filter { canvas[row: 0, column: $0].style.foreground == .accent }
    }
    #expect(highlighted("日本語の report", "語rep", 20) == [4, 5, 9, 10, 11])
    #expect(highlighted("日本語の report", "語rep", 11) == [4, 5, 9])
    #expect(highlighted("e\u{301}a", "\u{301}", 5) == [0])
    #expect(highlighted("\u{1b}x", "x", 9) == [6])
    #expect(highlighted("\u{1b}x", "x", 3) == [])
    #expect(highlighted("abc", "", 9) == [])
    withSeed { random in
      for _ in 0..<500 {
        let text = random.hostileText()
        let pattern = FuzzyPattern(random.hostileText())
        Pictures.drawn(MatchedText(text, pattern: pattern), in: random.widgetRect())
      }
    }
  }
}
