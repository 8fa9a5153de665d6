import RetraceFilter
import Testing

/// Names of filters in filters.
@Suite struct SavedFilterTests {
  private func saved(_ filters: (String, String)...) throws -> SavedFilters {
    SavedFilters(try filters.map { ($0.0, try FilterExpression($0.1)) })
  }

  private func failure(_ text: String, _ saved: SavedFilters) throws -> SavedFilterError? {
    let expression = try FilterExpression(text)
    do throws(SavedFilterError) {
      _ = try saved.resolved(expression)
      return nil
    } catch {
      return error
    }
  }

  @Test func `a name stands for its filter, as if it were in parentheses`() throws {
    let saved = try saved(
      ("deep", "#focus or duration>1h"), ("a b", "not saved:deep"), ("none", "@x"), ("all", ""))
    func resolved(_ text: String) throws -> String {
      try "\(saved.resolved(FilterExpression(text)))"
    }
    #expect(try resolved("@p saved:deep") == "@p (#focus or duration>1h)")
    #expect(try resolved("not saved:\"a b\"") == "not not (#focus or duration>1h)")
    #expect(try resolved("SAVED:none or saved:none") == "@x or @x")
    #expect(try FilterExpression("x saved:all") != saved.resolved(FilterExpression("x saved:all")))
    // What only looks like a name is a text.
    #expect(try resolved("\"saved:deep\" saved") == "\"saved:deep\" saved")
  }

  @Test func `unknown names, ranges and comparisons are errors`() throws {
    let saved = try saved(("deep", "#focus"))
    #expect(try failure("saved:dep", saved) == .unknownName("dep", known: ["deep"]))
    #expect(try failure("saved:Deep", saved) == .unknownName("Deep", known: ["deep"]))
    for text in ["saved>deep", "saved:a..b"] {
      #expect(try failure(text, saved) == .notAName)
    }
  }

  @Test func `a filter that contains itself is an error`() throws {
    let saved = try saved(
      ("a", "saved:b or #x"), ("b", "not saved:c"), ("c", "saved:b"), ("self", "saved:self"))
    #expect(try failure("saved:self", saved) == .recursive(["self", "self"]))
    #expect(try failure("#y saved:a", saved) == .recursive(["b", "c", "b"]))
  }

  @Test func `the size of the result is bounded`() throws {
    // Each filter doubles the one before it.
    var filters = [(name: "f0", expression: try FilterExpression("x"))]
    for number in 1..<12 {
      let text = "saved:f\(number - 1) saved:f\(number - 1)"
      filters.append(("f\(number)", try FilterExpression(text)))
    }
    #expect(try failure("saved:f11", SavedFilters(filters)) == .tooManyTerms)
    #expect(try failure("saved:f5", SavedFilters(filters)) == nil)
    var chain = [(name: "f0", expression: try FilterExpression("x"))]
    for number in 1..<20 {
      chain.append(("f\(number)", try FilterExpression("saved:f\(number - 1)")))
    }
    #expect(try failure("saved:f19", SavedFilters(chain)) == .tooDeep)
  }
}
