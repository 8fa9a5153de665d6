import RetraceArchitecture
import RetraceAvro
import RetraceState
import RetraceSystem
import RetraceFixtures
import RetraceTesting
import Testing

/// Reducers and deciders compute the same from the same, whichever process runs them.
@Suite struct PurityTests {
  /// What a process computes, and its seed of hashing, which differs between processes.
  private struct Trace {
    var digest = SHA256Hasher()
    var differences = 0

    mutating func add(_ bytes: [UInt8]) { digest.update(bytes.span) }
    mutating func add(_ text: String) { add(Array(text.utf8)) }
  }

  @Test
  func `equal actions give equal bytes, also in another process [R8] [H1, H2, H3, H4, H5]`()
    async throws
  {
    let own = Self.run()
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) {
      print(PurityTests.run())
    }
    let output = String(decoding: try #require(result).standardOutputContent, as: UTF8.self)
    let lines = output.split(separator: "\n").filter { $0.hasPrefix("trace ") }
    let other = try #require(lines.first).split(separator: " ")
    let words = own.split(separator: " ")
    #expect(other.count == 4 && words.count == 4)
    #expect(words[1] == other[1])
    #expect(words[2] == "0" && other[2] == "0")
    // The other process hashes with another seed, which would show in an order of a dictionary.
    #expect(words[3] != other[3])
  }

  /// Returns the digest of random runs, the number of results that differ when they are repeated,
  /// and a hash by this process's seed.
  private static func run() -> String {
    var trace = Trace()
    for seed in 1...20 as ClosedRange<UInt64> {
      var generator = SeededGenerator(seed: seed)
      reduce(&trace, &generator)
      decide(&trace, &generator)
    }
    return "trace \(trace.digest.digest().hex) \(trace.differences) \("seed".hashValue)"
  }

  private static func reduce(_ trace: inout Trace, _ generator: inout SeededGenerator) {
    var state = HouseApp.initialState
    for _ in 0..<100 {
      let action = HouseAction.random(&generator)
      let moment = Moment(microseconds: Int64.random(in: 0...9_000_000, using: &generator))
      var again = state
      let effect = HouseApp.reducer.reduce(&state, action, at: moment)
      let repeated = HouseApp.reducer.reduce(&again, action, at: moment)
      let bytes = whole(state)
      if whole(again) != bytes || repeated.description != effect.description {
        trace.differences += 1
      }
      trace.add(bytes)
      trace.add(effect.description)
    }
  }

  private static func decide(_ trace: inout Trace, _ generator: inout SeededGenerator) {
    var state = KioskApp.initialState
    for number in 0..<100 as Range<Int64> {
      let command = KioskCommand.random(using: &generator)
      let moment = Moment(microseconds: number)
      let decisions = (0..<2).map { _ in
        Result { () throws(KioskRefusal) in
          try KioskApp.decider.decide(command, on: state, at: moment)
        }
      }
      if decisions[0] != decisions[1] { trace.differences += 1 }
      switch decisions[0] {
      case .success(let facts):
        for fact in facts {
          trace.add(fact.encoded())
          _ = KioskApp.reducer.reduce(&state, fact, at: moment)
        }
      case .failure(let refusal): trace.add(refusal.encoded())
      }
      trace.add(whole(state))
    }
  }

  private static func whole(_ state: some RecordedState) -> [UInt8] {
    var writer = AvroWriter()
    state.encodeWhole(into: &writer)
    return writer.bytes
  }
}
