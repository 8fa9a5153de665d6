import RetraceAvro
import RetraceReplay
import RetraceSchema
import Testing

@Suite struct JSONDifferenceTests {
  private func lines(_ old: JSONValue, _ new: JSONValue) -> [String] {
    JSONDifference.values(between: old, new).map {
      "\($0.path): \($0.before?.text() ?? "-") -> \($0.after?.text() ?? "-")"
    }
  }

  @Test func `each value that differs has its path, on one side or on both`() {
    #expect(lines(["a": 1, "b": [1, 2]], ["a": 1, "b": [1, 3]]) == ["b[1]: 2 -> 3"])
    #expect(
      lines(
        ["facts": [["sold": ["_0": 7, "note": .null]]]],
        ["facts": [["sold": ["_0": 7, "note": "x"]], ["added": ["names": ["tea", "jam"]]]]]) == [
          "facts[0].sold.note: null -> \"x\"", "facts[1].added.names[0]: - -> \"tea\"",
          "facts[1].added.names[1]: - -> \"jam\"",
        ])
    #expect(
      lines(["refusal": ["empty": .object([])]], ["facts": .array([])])
        == ["refusal: \"empty\" -> -", "facts: - -> []"])
    #expect(
      lines(["refusal": ["empty": .object([])]], ["refusal": ["full": .object([])]])
        == ["refusal: \"empty\" -> \"full\""])
    #expect(lines(["a": .null], ["b": .null]).isEmpty && lines(1, 2) == [": 1 -> 2"])
  }
}
