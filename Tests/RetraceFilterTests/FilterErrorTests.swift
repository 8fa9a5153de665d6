import RetraceFilter
import Testing

/// The errors of texts that are no filters, with their positions.
@Suite struct FilterErrorTests {
  private func error(_ text: String) -> FilterError? {
    do throws(FilterError) {
      _ = try FilterExpression(text)
      return nil
    } catch {
      return error
    }
  }

  @Test func `parentheses have to be in pairs with something between them`() {
    #expect(error("a (b") == .missingClosingParenthesis(at: 2))
    #expect(error("(a (b)") == .missingClosingParenthesis(at: 0))
    #expect(error("a (") == .missingClosingParenthesis(at: 2))
    #expect(error("a) b") == .unexpectedClosingParenthesis(at: 1))
    #expect(error(")") == .unexpectedClosingParenthesis(at: 0))
    #expect(error("a(b)") == .unexpectedClosingParenthesis(at: 3))
    #expect(error("(a) )") == .unexpectedClosingParenthesis(at: 4))
    #expect(error("a ( )") == .emptyParentheses(at: 2))
    #expect(error("((a) ())") == .emptyParentheses(at: 5))
  }

  @Test func `an operator needs its operands`() {
    #expect(error("a or") == .missingOperand(after: .or, at: 2))
    #expect(error("a or  ") == .missingOperand(after: .or, at: 2))
    #expect(error("(a and)") == .missingOperand(after: .and, at: 3))
    #expect(error("a || or b") == .missingOperand(after: .or, at: 2))
    #expect(error("a and and b") == .missingOperand(after: .and, at: 2))
    #expect(error("é not") == .missingOperand(after: .not, at: 3))
    #expect(error("a !") == .missingOperand(after: .not, at: 2))
    #expect(error("not or a") == .missingOperand(after: .not, at: 0))
    #expect(error(" or a") == .missingOperandBefore(.or, at: 1))
    #expect(error("(&& a)") == .missingOperandBefore(.and, at: 1))
    #expect(error("a (or") == .missingOperandBefore(.or, at: 3))
  }

  @Test func `a value may not be missing`() {
    #expect(error("project:") == .emptyValue(of: "project:", at: 8))
    #expect(error("a project: b") == .emptyValue(of: "project:", at: 10))
    #expect(error("(duration>=)") == .emptyValue(of: "duration>=", at: 11))
    #expect(error("a > ") == .emptyValue(of: "a > ", at: 4))
    #expect(error("project:(a or b)") == .emptyValue(of: "project:", at: 8))
    #expect(error("a # b") == .emptyValue(of: "#", at: 3))
    #expect(error("a + b") == .emptyValue(of: "+", at: 3))
    #expect(error("@") == .emptyValue(of: "@", at: 1))
    #expect(error("#&&a") == .emptyValue(of: "#", at: 1))
    #expect(error(#""a"..(b)"#) == .emptyValue(of: #""a".."#, at: 5))
  }

  @Test func `a comparison needs a key`() {
    #expect(error("> 1h") == .missingKey(before: .greater, at: 0))
    #expect(error("a (<=b)") == .missingKey(before: .lessOrEqual, at: 3))
    #expect(error(#""a" > b"#) == .missingKey(before: .greater, at: 4))
  }

  @Test func `a quote has to be closed, with a blank after it`() {
    #expect(error(#"a "b"#) == .unclosedQuote(at: 2))
    #expect(error(#"project:"a\""#) == .unclosedQuote(at: 8))
    #expect(error(#""a\"#) == .unclosedQuote(at: 0))
    #expect(error("\"") == .unclosedQuote(at: 0))
    #expect(error(#"a.."b"#) == .unclosedQuote(at: 3))
    #expect(error(#""a"b"#) == .textAfterQuote(at: 3))
    #expect(error(##"#"a""b""##) == .textAfterQuote(at: 4))
    #expect(error(#"(x:"a"(b))"#) == .textAfterQuote(at: 6))
  }

  @Test func `levels and bytes are limited`() throws {
    func nested(_ open: String, _ close: String, _ count: Int) -> String {
      String(repeating: open, count: count) + "a" + String(repeating: close, count: count)
    }
    #expect(error(nested("(", ")", 100)) == nil)
    #expect(error(nested("(", ")", 101)) == .tooDeep(at: 100))
    #expect(error(nested("!", "", 100)) == nil)
    #expect(error(nested("!", "", 101)) == .tooDeep(at: 100))
    #expect(error(nested("!(", ")", 51)) == .tooDeep(at: 100))
    #expect(error(String(repeating: "(", count: 4_096)) == .tooDeep(at: 100))
    // Levels beside each other do not add up.
    #expect(error(String(repeating: nested("(", ")", 100), count: 20)) == nil)
    #expect(error(String(repeating: "a", count: 4_096)) == nil)
    #expect(error(String(repeating: "a", count: 4_097)) == .tooLong(bytes: 4_097))
    #expect(error(String(repeating: " ", count: 4_097)) == .tooLong(bytes: 4_097))
  }

  @Test func `errors are sentences`() {
    for text in ["(a", "a)", "()", "a or", "or a", "x:", "\"", "\"a\"b", "!(" + "!"] {
      let sentence = error(text)?.description ?? ""
      #expect(sentence.hasSuffix("."), "\(text): \(sentence)")
    }
    #expect(error("a or")?.description == "Something is missing after `or`.")
    #expect(error("a or")?.position == 2)
    #expect(error("x:")?.description == "The value after `x:` is missing.")
  }
}
