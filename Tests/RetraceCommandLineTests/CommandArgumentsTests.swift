import RetraceCommandLine
import Testing

/// Words sorted into options and operands, and the help of a syntax.
struct CommandArgumentsTests {
  static let at = CommandOption("at", value: "time", "When.")
  static let tag = CommandOption("tag", value: "name", repeats: true, "A tag.")
  static let billable = CommandOption("billable", "Mark it as billable.")
  static let policy = CommandOption(
    "policy", value: "p", choices: ["refuse", "allow"], colonWords: ["allow"], "What.")
  static let syntax = CommandSyntax(
    "track start", summary: "Start an entry.", discussion: "More.\n\nEXAMPLE\n  track start x",
    operands: [CommandOperand("description", repeats: true, "What is done.")],
    options: [at, tag, billable, policy])

  private func parse(_ words: String...) throws(CommandLineError) -> CommandArguments {
    try CommandArguments(words[...], for: Self.syntax)
  }

  @Test func `options may stand anywhere, with their value beside or behind an equals sign`() throws
  {
    let arguments = try parse("--at", "9:00", "write", "--tag=a=b", "the", "--tag", "", "-30m")
    #expect(arguments.operands == ["write", "the", "-30m"])
    #expect(arguments[Self.at] == "9:00")
    #expect(arguments.all(Self.tag) == ["a=b", ""])
    #expect(!arguments.has(Self.billable))
    #expect(arguments.operandsBeforeEnd == 3)
  }

  @Test func `words after two hyphens are operands`() throws {
    let arguments = try parse("-", "--billable", "--", "--at", "--", "-h")
    #expect(arguments.operands == ["-", "--at", "--", "-h"])
    #expect(arguments.has(Self.billable) && !arguments.has(Self.at))
    #expect(arguments.operandsBeforeEnd == 1)
  }

  @Test func `a word with a colon gives the option that has it`() throws {
    let arguments = try parse("write", ":allow", ":all", "--tag", ":allow", "--", ":allow")
    #expect(arguments.operands == ["write", ":all", ":allow"])
    #expect(arguments[Self.policy] == "allow" && arguments.all(Self.tag) == [":allow"])
    for words in [[":allow", "x", ":allow"], ["--policy", "allow", "x", ":allow"]] {
      let repeated = try CommandArguments(words[...], for: Self.syntax)
      #expect(repeated.all(Self.policy) == ["allow", "allow"], "\(words)")
    }
    #expect(throws: CommandLineError.givenTwice(Self.policy)) {
      try parse("--policy", "refuse", "x", ":allow")
    }
    let yes = CommandOption("yes", colonWords: ["yes"], "Answer yes.")
    let syntax = CommandSyntax("track stop", summary: "", discussion: "", options: [yes])
    for words in [["--yes", ":yes"], [":yes", "--yes"], [":yes", ":yes"]] {
      #expect(try CommandArguments(words[...], for: syntax).has(yes), "\(words)")
    }
  }

  @Test func `words that the syntax does not allow are refused`() {
    func refusal(_ words: String...) -> CommandLineError? {
      do throws(CommandLineError) {
        _ = try CommandArguments(words[...], for: Self.syntax)
        return nil
      } catch {
        return error
      }
    }
    #expect(refusal("x", "--tga", "1") == .unknownOption("--tga", like: "--tag"))
    #expect(refusal("x", "--polcy", "1") == .unknownOption("--polcy", like: "--policy"))
    #expect(refusal("x", "--elephant") == .unknownOption("--elephant", like: nil))
    #expect(refusal("x", "-f") == .unknownOption("-f", like: nil))
    #expect(refusal("x", "--at") == .missingValue(Self.at, before: nil))
    for next in ["--billable", "--", "--other"] {
      #expect(refusal("x", "--at", next) == .missingValue(Self.at, before: next))
    }
    #expect(refusal("x", "--at=--billable", "--tag", "-1") == nil)
    #expect(refusal("x", "--billable=no") == .unexpectedValue(Self.billable))
    #expect(refusal("x", "--at", "1", "--at", "2") == .givenTwice(Self.at))
    #expect(refusal("x", "--policy", "no") == .wrongChoice(Self.policy, "no"))
    #expect(refusal("--at", "1") == .missingOperand(Self.syntax.operands[0]))
    let none = CommandSyntax("track status", summary: "", discussion: "", options: [])
    #expect(throws: CommandLineError.unexpectedOperand("x")) {
      try CommandArguments(["x"], for: none)
    }
  }

  @Test func `help is asked for before two hyphens only`() {
    #expect(CommandSyntax.asksForHelp(["a", "--help"]) && CommandSyntax.asksForHelp(["-h"]))
    #expect(!CommandSyntax.asksForHelp(["a", "--", "--help"]))
  }

  @Test func `the help has the summary, the syntax and each meaning on 80 columns`() {
    let help = HelpText().of(Self.syntax)
    #expect(
      help == """
        OVERVIEW: Start an entry.

        More.

        EXAMPLE
          track start x

        USAGE: track start [--at <time>] [--tag <name> ...] [--billable] [--policy <p>]
               <description> ...

        ARGUMENTS:
          <description>           What is done.

        OPTIONS:
          --at <time>             When.
          --tag <name>            A tag.
          --billable              Mark it as billable.
          --policy <p>            What. (values: refuse, allow)
          -h, --help              Show help information.

        """)
    let words = Array(repeating: "word", count: 60).joined(separator: " ")
    let long = CommandSyntax(
      "t", summary: words, discussion: words,
      options: [CommandOption("an-option-with-a-long-name", value: "value", words)])
    for columns in [nil, 200, 60, 46] {
      for line in HelpText(columns: columns).of(long).split(separator: "\n") {
        #expect(line.count <= min(columns ?? 80, 80), "\(line)")
      }
    }
  }

  @Test func `the help of a narrow terminal breaks at blanks, and between options`() {
    let help = HelpText(columns: 40).of(Self.syntax)
    #expect(
      help == """
        OVERVIEW: Start an entry.

        More.

        EXAMPLE
          track start x

        USAGE: track start [--at <time>]
               [--tag <name> ...] [--billable]
               [--policy <p>] <description> ...

        ARGUMENTS:
          <description>
              What is done.

        OPTIONS:
          --at <time>
              When.
          --tag <name>
              A tag.
          --billable
              Mark it as billable.
          --policy <p>
              What. (values: refuse, allow)
          -h, --help
              Show help information.

        """)
    let page = """
      A table.

        9:00 - 10:30            two times of today
                                or of another day
      """
    #expect(HelpText().page(page) == page + "\n")
    #expect(
      HelpText(columns: 30).page(page) == """
        A table.

          9:00 - 10:30
              two times of today
              or of another day

        """)
  }
}
