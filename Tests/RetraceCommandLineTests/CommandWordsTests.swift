import RetraceCommandLine
import Testing

/// Words of a line, separated and quoted as in a shell.
@Suite struct CommandWordsTests {
  @Test(
    arguments: [
      ("", []), ("  \t ", []), ("a", ["a"]), (" a  b\tc ", ["a", "b", "c"]),
      ("'a b' c", ["a b", "c"]), ("\"a 'b'\" 'c \"d\"'", ["a 'b'", "c \"d\""]),
      ("a'b c'd\"e f\"", ["ab cde f"]), ("''", [""]), ("\"\" a", ["", "a"]),
      ("a\\ b \\'c \\\\", ["a b", "'c", "\\"]), ("\"a\\\"b\\\\c\\nd\\$\"", ["a\"b\\c\\nd$"]),
      ("'a\\b'", ["a\\b"]), ("#a $b `c` ~ * ?", ["#a", "$b", "`c`", "~", "*", "?"]),
      ("é 'ü\u{301} x' 👩‍👩‍👧", ["é", "ü\u{301} x", "👩‍👩‍👧"]),
      // A combining mark after a quote does not join it.
      ("'\u{301}'", ["\u{301}"]),
      ("$'a\\nb' c", ["a\nb", "c"]), ("x$'\\t\\'\\\\'y", ["x\t'\\y"]), ("$'' a", ["", "a"]),
      ("$'é\\342\\200\\256\\0011'", ["é\u{202E}\u{1}1"]),
      ("\\$'a\\n' \"$'a'\"", ["$a\\n", "$'a'"]),
    ] as [(String, [String])])
  func `a line is split`(line: String, words: [String]) throws {
    #expect(try CommandWords(line).words == words)
  }

  @Test(arguments: [
    ("'a", CommandWords.Failure.openQuote), ("\"a", .openQuote), ("a \"b\\\"", .openQuote),
    ("a\\", .trailingBackslash), ("\"a\\", .openQuote),
    ("$'a", .openQuote), ("$'a\\", .openQuote), ("$'a\\'", .openQuote),
    ("$'\\x41'", .unknownEscape), ("$'\\08'", .unknownEscape), ("$'\\-00'", .unknownEscape),
    ("$'\\400'", .unknownEscape),
    ("$'\\200'", .unknownEscape),
  ])
  func `a line that ends within a quote or an escape, or has an unknown one, is refused`(
    line: String, failure: CommandWords.Failure
  ) {
    #expect(throws: failure) { try CommandWords(line) }
  }
}
