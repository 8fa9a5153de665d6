import RetraceCommandLine
import Testing

/// What the syntax of a command offers for a word that is being typed.
struct WordCompletionTests {
  static let syntax = CommandSyntax(
    "track start", summary: "Start an entry.", discussion: "",
    operands: [
      CommandOperand("verb", kind: .words(["create", "rename"]), "What."),
      CommandOperand("name", repeats: true, kind: .data("project"), "Which."),
    ],
    options: [
      CommandOption("at", value: "time", "When."),
      CommandOption("tag", value: "name", repeats: true, kind: .data("tag"), "A tag."),
      CommandOption("by", value: "groups", kind: .list(["project", "tag", "task"]), "Groups."),
      CommandOption("policy", value: "p", choices: ["refuse", "allow"], "What."),
      CommandOption("store", value: "dir", kind: .directory, "Where."),
      CommandOption("billable", "Billable."),
    ])

  private func complete(_ words: String...) -> WordCompletion {
    WordCompletion(words[...], for: Self.syntax)
  }

  private func texts(_ completion: WordCompletion) -> [String] {
    completion.candidates.map(\.text)
  }

  @Test func `options are offered after a hyphen, once unless they repeat`() {
    #expect(
      texts(complete("--")) == [
        "--at", "--tag", "--by", "--policy", "--store", "--billable", "--help",
      ])
    #expect(texts(complete("--billable", "--tag", "x", "--at=9", "x", "--")).count == 5)
    #expect(texts(complete("--tag", "x", "--t")) == ["--tag"])
    #expect(complete("--bil").candidates.first?.meaning == "Billable.")
    #expect(texts(complete("--", "--")) == [])
    #expect(texts(complete("--tag", "--b")) == ["--by", "--billable"])
    #expect(texts(complete("--tag", "--billable", "--b")) == ["--by"])
    #expect(texts(complete("--x")) == [])
  }

  @Test func `values of options are completed, beside them or after an equals sign`() {
    #expect(texts(complete("--policy", "")) == ["refuse", "allow"])
    #expect(texts(complete("--policy=a")) == ["--policy=allow"])
    #expect(texts(complete("--billable=")) == [])
    let tag = complete("x", "--tag", "foc")
    #expect(tag.kind == .data("tag") && tag.query == "foc" && tag.prefix == "" && tag.isOfOption)
    let joined = complete("--tag=foc")
    #expect(joined.kind == .data("tag") && joined.query == "foc" && joined.prefix == "--tag=")
    #expect(complete("--store", "/us").kind == .directory)
    #expect(complete("--at", "").kind == .text)
    #expect(complete("--store", "a", "--store=b", "").value(of: Self.syntax.options[4]) == "b")
  }

  @Test func `a list is completed after each comma, without what it has`() {
    #expect(texts(complete("--by", "")) == ["project", "tag", "task"])
    #expect(texts(complete("--by", "project,t")) == ["project,tag", "project,task"])
    #expect(texts(complete("--by=tag,t")) == ["--by=tag,task"])
    #expect(texts(complete("--by=tag,")) == ["--by=tag,project", "--by=tag,task"])
  }

  @Test func `operands are completed by their places`() {
    #expect(texts(complete("")) == ["create", "rename"])
    #expect(texts(complete("--at", "9:00", "--billable", "re")) == ["rename"])
    let second = complete("rename", "a", "b")
    #expect(second.kind == .data("project") && second.operands == ["rename", "a"])
    #expect(!second.isOfOption && !second.isAfterEnd)
    let last = complete("rename", "--", "-x")
    #expect(last.kind == .data("project") && last.isAfterEnd && last.query == "-x")
    #expect(complete().query == "")
  }
}

/// Words of bash with quotes.
struct BashWordTests {
  @Test func `quotes and escapes are removed`() {
    func text(_ typed: String) -> String? { BashWord(typed)?.text }
    #expect(text("") == "" && text("a") == "a" && text("@ü") == "@ü")
    #expect(text(#"big\ p"#) == "big p" && text(#"'a b'c"d e"#) == "a bcd e")
    #expect(text(#"'it'\''s"#) == "it's" && text(#""a\"b\x"#) == #"a"b\x"#)
    // Only bash can expand these.
    #expect(text("$x") == nil && text("\"`id`") == nil && text(#"a\"#) == nil)
    #expect(text("'$x") == "$x" && text(#"\$x"#) == "$x")
  }

  @Test func `a completion keeps the typed part and quotes the rest like it`() {
    func completed(_ typed: String, _ candidate: String) -> String? {
      BashWord(typed)?.completed(as: candidate)
    }
    #expect(completed("big", "big 'q' $x") == #"big\ \'q\'\ \$x"#)
    #expect(completed("'big", "big 'q' $x") == #"'big '\''q'\'' $x"#)
    #expect(completed("\"big", "big \"q\" $x`") == #""big \"q\" \$x\`"#)
    #expect(completed("@", "@a:b") == "@a:b")
    #expect(completed("#f", "#focus") == "\\#focus", "A comment would be left.")
    #expect(completed("~", "~x") == "~x" && completed("", "~x") == #"\~x"#)
    #expect(completed("THE", "thesis") == "thesis" && completed("'THE", "thesis") == "'thesis")
    #expect(completed("a'B", "abc") == nil, "Its quotes would have to change.")
    #expect(completed("\"a", "a!b") == nil, "bash would search its history.")
    #expect(completed("a", "a\nb") == nil && completed("a", "a\u{7f}") == nil)
  }

  /// Numbers of Marsaglia's xorshift from a fixed seed.
  private struct Random: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return state
    }
  }

  @Test func `a completed word stands for the candidate`() throws {
    var random = Random(state: 7)
    let letters = Array("ab \"'$`\\!*?[]{}()<>|&;#~=:@+-äß界")
    for _ in 0..<2_000 {
      let candidate = String(
        (0..<Int.random(in: 1...8, using: &random)).map { _ in
          letters[Int.random(in: 0..<letters.count, using: &random)]
        })
      for typed in ["", "'", "\""] {
        guard let completed = BashWord(typed)?.completed(as: candidate) else {
          #expect(typed == "\"" && candidate.contains("!"), "\(candidate)")
          continue
        }
        #expect(BashWord(completed)?.text == candidate, "\(typed) \(candidate): \(completed)")
      }
    }
  }
}
