import RetraceScreen
import Testing

@Suite
struct SpellingTests {
  @Test(arguments: [
    ("strat", "start"), ("STOP", "stop"), ("contnue", "continue"), ("sop", "stop"), ("x", nil),
    ("statistics", nil), ("", nil), (String(repeating: "a", count: 70), nil),
  ]) func `the nearest name is the one that was meant`(text: String, name: String?) {
    #expect(Spelling.nearest(to: text, in: ["start", "stop", "status", "continue"]) == name)
  }
}
