import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceReplay
import RetraceState
import RetraceStorage
import RetraceFixtures
import RetraceTesting
import Testing
import ToolTestSupport

/// A replay gives the live state in the cases that recorders get wrong; faults that are planted in
/// each case are found by its check.
@Suite struct LiveStateTests {
  @Test func `a replay knows the ends of batches`() throws {
    try check(
      "batch ends", mutants: [.splitsBatches, .joinsBatches, .losesTheLastOfABatch]
    ) { path, random in
      var second: Int64 = 0
      return try LiveRun.record(
        at: path, sessions: 3, batches: repetitions(200), &random
      ) { _ in
        second += 1
        return Moment(microseconds: second * 1_000_000)
      }
    }
  }

  @Test func `moments that jump back are those of the live state`() throws {
    try check("moments that jump back", mutants: [.clampsMoments, .roundsMoments]) { path, random in
      try LiveRun.record(
        at: path, sessions: 3, batches: repetitions(200), &random
      ) { random in
        Moment(microseconds: Int64.random(in: -2_000_000_000...2_000_000_000, using: &random))
      }
    }
  }

  @Test func `a clock far in the future, or far back, is that of the live state`() throws {
    try check("far clocks", mutants: [.keepsMomentsAs32Bits, .roundsMoments]) { path, random in
      try LiveRun.record(
        at: path, sessions: 3, batches: repetitions(200), &random
      ) { random in
        switch Int.random(in: 0..<6, using: &random) {
        case 0: Moment(microseconds: .max)
        case 1: Moment(microseconds: .min)
        // The year 9999, to the microsecond.
        case 2: Moment(microseconds: 253_402_300_799_999_999)
        default: Moment(microseconds: Int64.random(in: .min ... .max, using: &random))
        }
      }
    }
  }

  @Test func `sessions that interleave give the state of each process`() throws {
    try withSeed("interleaving") { random in
      try withTemporaryDirectory { folder in
        let path = folder + "/live"
        var run = LiveRun()
        let senders = [try SenderProcess(path), try SenderProcess(path)]
        for turn in 0..<repetitions(200) {
          let sender = senders[Int.random(in: 0..<senders.count, using: &random)]
          let answer = try sender.ask("note turn \(turn)")
          let sequence = try #require(UInt64(answer.dropFirst("ok ".count)))
          let hash = try #require(Digest(hex: try sender.hash()))
          run.acknowledge(sequence..<sequence + 1, hash)
        }
        for sender in senders { sender.close() }
        #expect(try run.hashDifferences(by: "testapp", at: path) == [])
        for mutant in [MutantRecorder.groupsSessions, .losesForeignRecords] {
          let copy = "\(folder)/\(mutant.rawValue)"
          try mutant.copy(path, to: copy)
          let found = try run.hashDifferences(by: "testapp", at: copy)
          print("interleaving: \(mutant.rawValue) caught by \(found.count) differences")
          #expect(!found.isEmpty, "\(mutant.rawValue) was not caught")
        }
      }
    }
  }

  /// Records a run, replays it, and replays what each faulty recorder would have left of it.
  private func check(
    _ name: String, mutants: [MutantRecorder],
    _ record: (String, inout SeededGenerator) throws -> LiveRun
  ) throws {
    try withSeed(name) { random in
      try withTemporaryDirectory { folder in
        let run = try record(folder + "/live", &random)
        #expect(try run.differences(fromReplayOf: folder + "/live", as: CounterApp.self) == [])
        for mutant in mutants {
          let path = "\(folder)/\(mutant.rawValue)"
          try mutant.copy(folder + "/live", to: path)
          let found = try run.differences(fromReplayOf: path, as: CounterApp.self)
          print("\(name): \(mutant.rawValue) caught by \(found.count) differences")
          #expect(!found.isEmpty, "\(mutant.rawValue) was not caught")
        }
      }
    }
  }
}
