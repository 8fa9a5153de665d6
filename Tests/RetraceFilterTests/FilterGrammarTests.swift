import RetraceFilter
import Testing

/// The grammar of filters.
@Suite struct FilterGrammarTests {
  private func parse(_ text: String) throws -> FilterExpression { try FilterExpression(text) }

  private func word(_ text: String) -> FilterExpression { .term(.text(text)) }

  private func field(
    _ key: String, _ comparison: FilterComparison, _ value: FilterValue
  ) -> FilterExpression {
    .term(.field(key: key, comparison, value))
  }

  private func field(_ key: String, _ value: FilterValue) -> FilterExpression {
    field(key, .equal, value)
  }

  @Test(arguments: ["", " ", "\t\n \r"])
  func `an empty text matches everything`(text: String) throws {
    #expect(try parse(text) == .all([]))
    #expect(try parse(text).description.isEmpty)
  }

  @Test func `terms are keys with values, tags, projects, words and quoted texts`() throws {
    #expect(try parse("project:Acme") == field("project", .text("Acme")))
    #expect(try parse("Project:a:b(c") == field("Project", .text("a:b(c")))
    #expect(try parse(#"task:"a \"b\" \\ c) d""#) == field("task", .text(#"a "b" \ c) d"#)))
    #expect(try parse("#review") == .term(.tag("review")))
    #expect(try parse("+code-review") == .term(.tag("code-review")))
    #expect(try parse(##"#"code review""##) == .term(.tag("code review")))
    #expect(try parse("@Acme") == .term(.project("Acme")))
    #expect(try parse(#"@"Acme Ltd.""#) == .term(.project("Acme Ltd.")))
    #expect(try parse("été") == word("été"))
    #expect(try parse(#""code review""#) == word("code review"))
    #expect(try parse(#""""#) == word(""))
    // Each of these is a plain word.
    for text in ["9:30", "C#", "-5", "a-b", "wow!", "5\"", "a&b", "none", "None", "e.g.", "=x"] {
      #expect(try parse(text) == word(text), "\(text)")
    }
  }

  @Test func `a key is compared with a value`() throws {
    #expect(try parse("duration>1h") == field("duration", .greater, .text("1h")))
    #expect(try parse("duration>=1h") == field("duration", .greaterOrEqual, .text("1h")))
    #expect(try parse("duration<1h") == field("duration", .less, .text("1h")))
    #expect(try parse(#"duration<="1h 30m""#) == field("duration", .lessOrEqual, .text("1h 30m")))
    #expect(try parse("duration > 1h") == field("duration", .greater, .text("1h")))
    #expect(try parse("a <=b c") == .all([field("a", .lessOrEqual, .text("b")), word("c")]))
    #expect(try parse("(a< b)") == field("a", .less, .text("b")))
    #expect(try parse("a :b") == .all([word("a"), word(":b")]))
    #expect(try parse("a:>b") == field("a", .text(">b")))
  }

  @Test func `none means no value, unless it is quoted`() throws {
    #expect(try parse("project:none") == field("project", .nothing))
    #expect(try parse("project:NONE") == field("project", .nothing))
    #expect(try parse(#"project:"none""#) == field("project", .text("none")))
    #expect(try parse(#"project:"""#) == field("project", .text("")))
    #expect(try parse("project:nonesuch") == field("project", .text("nonesuch")))
    #expect(try parse("#none") == .term(.tag("none")))
  }

  @Test func `two dots make a range`() throws {
    let march = ("2026-03-01", "2026-03-31")
    #expect(try parse("2026-03-01..2026-03-31") == .term(.range(march.0, march.1)))
    #expect(try parse("date:2026-03-01..2026-03-31") == field("date", .range(march.0, march.1)))
    #expect(try parse("date:2026-03-01..") == field("date", .range(march.0, "")))
    #expect(try parse("date:..2026-03-31") == field("date", .range("", march.1)))
    #expect(try parse(#"date:"1 May".."2 May""#) == field("date", .range("1 May", "2 May")))
    #expect(try parse(#"date:today.."2 May""#) == field("date", .range("today", "2 May")))
    #expect(try parse(#""2 May"..today"#) == .term(.range("2 May", "today")))
    #expect(try parse(#"date:.."2 May""#) == field("date", .range("", "2 May")))
    #expect(try parse(#"date:"2 May".."#) == field("date", .range("2 May", "")))
    #expect(try parse(##"today.."""##) == .term(.range("today", "")))
    #expect(try parse(#"date:"a..b""#) == field("date", .text("a..b")))
  }

  @Test func `dots that form no range are part of a text`() throws {
    for text in ["wait...", "wait..", "..wait", "..", "...", "a..b..c", "a...b", "1.5"] {
      #expect(try parse(text) == word(text), "\(text)")
    }
    #expect(try parse("text:..") == field("text", .text("..")))
    #expect(try parse("text:a...") == field("text", .text("a...")))
    #expect(try parse("#a..b") == .term(.tag("a..b")))
  }

  @Test func `not binds tightest, then and, then or`() throws {
    let (a, b, c) = (word("a"), word("b"), word("c"))
    #expect(try parse("a b c") == .all([a, b, c]))
    #expect(try parse("a and b c") == .all([a, b, c]))
    #expect(try parse("a or b or c") == .any([a, b, c]))
    #expect(try parse("a or b c") == .any([a, .all([b, c])]))
    #expect(try parse("a b or c") == .any([.all([a, b]), c]))
    #expect(try parse("(a or b) c") == .all([.any([a, b]), c]))
    #expect(try parse("not a b") == .all([.not(a), b]))
    #expect(try parse("not a or b") == .any([.not(a), b]))
    #expect(try parse("not (a or b)") == .not(.any([a, b])))
    #expect(try parse("not not a") == .not(.not(a)))
    #expect(try parse("a not b") == .all([a, .not(b)]))
    #expect(try parse("(a b) c") == .all([.all([a, b]), c]))
    #expect(try parse("((a))") == a)
  }

  @Test func `operators have signs, any case, and need no blanks beside parentheses`() throws {
    let (a, b, c) = (word("a"), word("b"), word("c"))
    #expect(try parse("a && b || !c") == .any([.all([a, b]), .not(c)]))
    #expect(try parse("a&&b||!c") == .any([.all([a, b]), .not(c)]))
    #expect(try parse("a AND b Or NOT c") == .any([.all([a, b]), .not(c)]))
    #expect(try parse("(a)or(b)and not(c)") == .any([a, .all([b, .not(c)])]))
    #expect(try parse("! ( a )!b") == .all([.not(a), .not(b)]))
    #expect(try parse("#a||#b") == .any([.term(.tag("a")), .term(.tag("b"))]))
    #expect(try parse(#""and" nothing order"#) == .all(["and", "nothing", "order"].map(word)))
    #expect(try parse("or:x not:y") == .all([field("or", .text("x")), field("not", .text("y"))]))
    // Only letters of ASCII are compared without case: the Kelvin sign is no letter k.
    #expect(try parse("\u{212A}:x") == word("\u{212A}:x"))
  }

  @Test func `the terms of an expression are in order`() throws {
    let expression = try parse("a (b or not #c) d")
    #expect(expression.terms == [.text("a"), .text("b"), .tag("c"), .text("d")])
  }
}
