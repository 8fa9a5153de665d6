import Retrace
import RetraceFixtures
import RetracePage
import RetraceRandom
import RetraceTesting
import Testing

@Suite struct PageRunTests {
  private typealias Program = PageProgram<CounterApp>

  private static func ask(_ program: inout Program, _ request: JSONValue) throws -> JSONValue {
    try JSONValue(parsing: program.answer(Array(request.text().utf8)))
  }

  /// Returns where a run from a record stops; `nil` if it does not.
  private static func stop(
    at kind: String, _ text: String, from: Int, back: Bool, in program: inout Program
  ) throws -> Int? {
    _ = try ask(
      &program,
      [
        "breaks": [["kind": .string(kind), "text": .string(text)]],
        "from": .integer(Int64(from)), "isBackwards": .bool(back),
      ])
    while true {
      let found = try ask(&program, ["run": 13])
      if found["isComplete"] == false { continue }
      return found["stop"]?["record"]?.integerValue.map { Int($0) }
    }
  }

  /// Returns the first, or backwards the last, record at which a condition holds.
  private static func place(
    from: Int, back: Bool, in sample: PageSample, _ holds: (Int) -> Bool
  ) -> Int? {
    let last = sample.states.count - 1
    return back
      ? (1...max(1, from)).last { from >= 1 && holds($0) }
      : (min(from, last)...last).first { from <= last && holds($0) }
  }

  @Test func `a run stops where a value changes, an action is, or a text appears`() throws {
    try withSeed { random throws in
      let sample = try PageSample(actions: 300, using: &random)
      let states = sample.states
      var program = Program()
      _ = program.open(sample.bundle)
      for _ in 0..<30 {
        let from = Int.random(in: 1..<states.count, using: &random)
        let back = Bool.random(using: &random)
        let total = Self.place(from: from, back: back, in: sample) {
          states[$0].total != states[$0 - 1].total
        }
        #expect(
          try Self.stop(at: "change", "total", from: from, back: back, in: &program) == total)
        let text = "total \(states[from].total)"
        let shown = Self.place(from: from, back: back, in: sample) {
          "total \(states[$0].total)".contains(text)
            && !"total \(states[$0 - 1].total)".contains(text)
        }
        #expect(try Self.stop(at: "screen", text, from: from, back: back, in: &program) == shown)
      }
      #expect(
        try Self.stop(at: "action", "nothing of it", from: 1, back: false, in: &program) == nil)
      let removed = try #require(
        try Self.stop(at: "action", "Removed", from: 1, back: false, in: &program))
      let step = try Self.ask(&program, ["step": .integer(Int64(removed))])
      #expect(step["call"]?.stringValue?.hasPrefix("removed") == true)
    }
  }

  @Test(arguments: [
    #"{"run":1}"#, #"{"breaks":[{"kind":"change","text":""}],"from":1}"#,
    #"{"breaks":[{"kind":"other","text":"a"}],"from":1}"#, #"{"breaks":[]}"#,
  ])
  func `a run that makes no sense is refused`(_ request: String) throws {
    try withSeed { random throws in
      var program = Program()
      _ = try program.open(PageSample(actions: 3, using: &random).bundle)
      let answer = try JSONValue(parsing: program.answer(Array(request.utf8)))
      #expect(answer["failure"] != nil)
    }
  }
}
