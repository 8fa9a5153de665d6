import Retrace
import RetraceFixtures
import RetracePage
import RetraceRandom
import RetraceTesting
import Testing

@Suite struct PageProgramTests {
  private typealias Program = PageProgram<CounterApp>

  private static func value(_ text: String) throws -> JSONValue { try JSONValue(parsing: text) }

  private static func ask(_ program: inout Program, _ request: JSONValue) throws -> JSONValue {
    try value(program.answer(Array(request.text().utf8)))
  }

  /// Returns a program with an open bundle whose rows are known.
  private static func opened(_ sample: PageSample) throws -> Program {
    var program = Program()
    let header = try value(program.open(sample.bundle))
    #expect(header["records"]?.integerValue == Int64(sample.head.sequence))
    while try ask(&program, ["index": 100])["isComplete"] == false {}
    return program
  }

  @Test func `the message of the bundle is text in the header`() throws {
    try withSeed { random throws in
      let message = "It counts <b>twice</b>:\n\u{1b}[31mno\u{202e}"
      let sample = try PageSample(actions: 3, message: message, using: &random)
      var program = Program()
      let header = try Self.value(program.open(sample.bundle))
      #expect(
        header["message"]?.stringValue
          == "It counts <b>twice</b>:\n\\u{1B}[31mno\\u{202E}")
    }
  }

  private static func verdict(_ program: inout Program, step: Int64) throws -> JSONValue {
    while true {
      let verdict = try ask(&program, ["verify": .integer(step)])
      if verdict["isComplete"] == true { return verdict }
    }
  }

  @Test func `the verdict has the chain and the state hash, in steps of any size`() throws {
    try withSeed { random throws in
      for (actions, step) in [(0, 1), (1, 1), (900, 1), (900, 64), (4_000, 1_000_000)] {
        let sample = try PageSample(actions: actions, using: &random)
        var program = try Self.opened(sample)
        let verdict = try Self.verdict(&program, step: Int64(step))
        var state = try #require(sample.states.last)
        let hash = StateHasher.hash(&state, with: SwiftHasher.self)
        #expect(verdict["failure"] == .null && verdict["firstDivergence"] == .null)
        #expect(verdict["records"]?.integerValue == Int64(actions) + 1)
        #expect(verdict["chain"]?.stringValue == sample.head.chain.hex)
        #expect(verdict["stateHash"]?.stringValue == hash.hex)
        #expect(verdict["compared"]?.integerValue == Int64(actions + 1) / 10)
      }
    }
  }

  @Test func `a wrong state hash is the first divergence`() throws {
    try withSeed { random throws in
      let sample = try PageSample(actions: 500, wrongHash: 310, using: &random)
      var program = try Self.opened(sample)
      let verdict = try Self.verdict(&program, step: 100)
      #expect(verdict["firstDivergence"] == ["after": 300, "upTo": 310])
    }
  }

  @Test func `a state is that of the fold, whatever was shown before`() throws {
    try withSeed { random throws in
      let sample = try PageSample(actions: 700, using: &random)
      var program = try Self.opened(sample)
      let comparison = try StateComparison(like: sample.states[0], limit: 1)
      for _ in 0..<60 {
        let record = Int.random(in: 1..<sample.states.count, using: &random)
        let state = try Self.ask(&program, ["state": .integer(Int64(record))])
        #expect(try state == comparison.json(of: sample.states[record]), "record \(record)")
        let screen = try Self.ask(&program, ["screen": .integer(Int64(record)), "theme": "dark"])
        #expect(
          screen["text"]?.arrayValue?.first == .string("total \(sample.states[record].total)"))
        #expect(screen["columns"]?.integerValue == 80 && screen["rows"]?.integerValue == 24)
      }
    }
  }

  @Test func `a step has the changes between the states around its records`() throws {
    try withSeed { random throws in
      let sample = try PageSample(actions: 300, using: &random)
      var program = try Self.opened(sample)
      let comparison = try StateComparison(like: sample.states[0], limit: 200)
      for _ in 0..<40 {
        let last = Int.random(in: 1..<sample.states.count, using: &random)
        let first = Int.random(in: max(1, last - 5)...last, using: &random)
        let step = try Self.ask(
          &program, ["step": .integer(Int64(last)), "first": .integer(Int64(first))])
        let difference = try comparison.difference(
          from: sample.states[first - 1], to: sample.states[last])
        let paths = step["changes"]?["list"]?.arrayValue?.map { $0["path"] ?? .null }
        #expect(paths == difference.changes.map { $0.entity.map { .string($0.path) } ?? .null })
        #expect(step["screenAt"]?.integerValue == Int64(last))
      }
    }
  }

  @Test func `a search finds the rows with a text, and leads to their records`() throws {
    try withSeed { random throws in
      let sample = try PageSample(actions: 400, using: &random)
      var program = try Self.opened(sample)
      _ = try Self.ask(&program, ["select": "Removed", "kinds": []])
      while try Self.ask(&program, ["search": 50])["isComplete"] == false {}
      let rows = try #require(
        try Self.ask(&program, ["rows": 0, "count": 1_000]).arrayValue)
      #expect(!rows.isEmpty)
      for (place, row) in rows.enumerated() {
        #expect(row["text"]?.stringValue?.hasPrefix("removed") == true)
        let found = try Self.ask(&program, ["place": row["first"] ?? .null])
        #expect(found["place"]?.integerValue == Int64(place))
      }
      _ = try Self.ask(&program, ["select": "", "kinds": ["sessionOpened"]])
      #expect(try Self.ask(&program, ["search": 1_000])["count"] == 1)
    }
  }

  @Test func `a time leads to the last record up to it`() throws {
    try withSeed { random throws in
      let sample = try PageSample(actions: 100, using: &random)
      var program = try Self.opened(sample)
      #expect(try Self.ask(&program, ["time": "2023-11-14T22:13:19Z", "near": 50]) == 1)
      #expect(try Self.ask(&program, ["time": "2123-11-14T22:13:19Z", "near": 50]) == 101)
      #expect(try Self.ask(&program, ["time": "now and then", "near": 50])["failure"] != nil)
    }
  }

  @Test func `a changed byte is told, and no request is answered without a bundle`() throws {
    try withSeed { random throws in
      let sample = try PageSample(actions: 200, using: &random)
      var program = try Self.opened(sample)
      for _ in 0..<200 {
        var bytes = sample.bundle
        let place = Int.random(in: bytes.indices, using: &random)
        bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        #expect(try Self.value(program.open(bytes))["failure"] != nil, "byte \(place)")
        #expect(try Self.ask(&program, ["verify": 1])["failure"] != nil)
      }
    }
  }

  @Test(arguments: [
    "", "[", "null", "{}", #"{"step":0}"#, #"{"step":-1}"#, #"{"step":99}"#,
    #"{"step":3,"first":4}"#, #"{"rows":9223372036854775807,"count":1}"#,
    #"{"screen":"1"}"#, #"{"state":1e3}"#, #"{"time":5}"#, #"{"place":null}"#,
  ])
  func `a request that makes no sense gets an answer`(_ request: String) throws {
    try withSeed { random throws in
      var program = try Self.opened(PageSample(actions: 20, using: &random))
      let answer = try Self.value(program.answer(Array(request.utf8)))
      #expect(answer["failure"] != nil || answer == .array([]))
    }
  }
}
