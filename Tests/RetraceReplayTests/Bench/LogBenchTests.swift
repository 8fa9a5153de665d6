import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceSystem
import RetraceStorage
import RetraceFixtures
import RetraceTesting
import Testing

@testable import RetraceReplayTool

@Suite struct LogBenchTests {
  @Test func `each record of a random log is under its type, and folds to the same state`() throws {
    try withSeed("LogBench") { random in
      try CounterLog.withDirectory { path in
        _ = try CounterLog.record(300, in: 3, at: path, &random)
        try CounterLog.reading(path) { storage in
          let head = try storage.head()
          let bench = try LogBench<CounterApp>(storage)
          #expect(bench.last == head.sequence && bench.chain == head.chain)
          #expect(bench.stateHash == (try CounterLog.states(of: storage)).last?.hash)
          var expected: [String: UInt64] = [:]
          var hashes = 0
          var endsWithHash = false
          var bytes = 0
          try storage.withReadView { (view) throws(StoreError) in
            try view.scan(from: 1, through: head.sequence) { record throws(StoreError) in
              bytes += record.recordEnd - record.recordStart
              endsWithHash = record.stateHash != nil
              if endsWithHash { hashes += 1 }
              guard record.kind == .action else {
                expected["\(record.kind)", default: 0] += 1
                return
              }
              switch try? CounterAction(encoded: record.payload) {
              case .added: expected["added", default: 0] += 1
              case .counted: expected["counted", default: 0] += 1
              case .removed: expected["removed", default: 0] += 1
              case .noticed: expected["noticed", default: 0] += 1
              case nil: expected["undecodable", default: 0] += 1
              }
            }
          }
          #expect(
            Dictionary(uniqueKeysWithValues: bench.types.map { ($0.name, $0.records) }) == expected)
          #expect(bench.bytes == UInt64(bytes))
          #expect(bench.hashes == (endsWithHash ? hashes : hashes + 1))
          let round = try bench.round()
          #expect(round.types.count == bench.types.count)
          for part in [BenchPart.scan, .verify, .hash, .fold] {
            #expect(try #require(round.parts[part]) > 0)
          }
          for type in round.types { #expect(type.whole.p99 >= type.whole.p50) }
        }
      }
    }
  }

  @Test func `each decoded record is reported once, also under older schemas`() throws {
    // The cases of today, in another order and with one that became a longer text.
    let items: [WrittenLog.Item] = [
      .opened(stateSchema: CounterState.fingerprint), .action(.added(name: "a")),
      .action(.counted(CounterID(value: 0), by: 5)), .action(.noticed("x")), .closed(hash: .none),
      .crashed(session: 1),
    ]
    try CounterLog.withDirectory { path in
      try WrittenLog.write(items, at: path)
      try CounterLog.reading(path) { storage in
        var whole = RecordFold<CounterApp>(plan: DecodingPlan())
        var told: [UInt64] = []
        try storage.withReadView { (view) throws(StoreError) in
          whole = RecordFold(plan: try view.plan(for: CounterApp.self))
          try view.scan(from: 1, through: view.head.sequence) {
            record throws(StoreError) in
            let sequence = record.sequence
            do throws(FoldError) {
              try whole.advance(record) { told.append(sequence) }
            } catch {
              throw StoreError(error)
            }
          }
        }
        #expect(told == Array(1...6))
        #expect(whole.fold.sequence == 6 && whole.fold.state.total == 5)
      }
    }
  }

  @Test func `parts add up, and decoding and reducing share as the types have it`() throws {
    try withSeed("LogBench.parts") { random in
      try CounterLog.withDirectory { path in
        _ = try CounterLog.record(300, in: 3, at: path, &random)
        try CounterLog.reading(path) { storage in
          let round = try LogBench<CounterApp>(storage).round()
          func part(_ part: BenchPart) -> Double { round.parts[part] ?? .nan }
          let rest = part(.fold) - part(.scan)
          #expect(abs(part(.decode) + part(.reduce) - rest) < 0.001)
          let decode = round.types.reduce(0) { $0 + $1.decode.total }
          let reduce = round.types.reduce(0) { $0 + $1.reduce.total }
          #expect(decode > 0 && reduce > 0)
          // A time is a whole number of nanoseconds, so that the two are not quite the whole.
          #expect(abs(part(.decode) / rest - decode / (decode + reduce)) < 0.05)
          #expect(abs(part(.total) - part(.verify) - part(.fold) - part(.hash)) < 0.001)
        }
      }
    }
  }

  @Test func `the step of a clock is seen in its readings`() {
    func readings(_ differences: [Int64]) -> [Int64] {
      differences.reduce(into: [1_000]) { $0.append($0[$0.count - 1] + $1) }
    }
    // A clock that goes in tens, with a nanosecond now and then, and what interrupts it.
    let coarse = (0..<1_000).map { index -> Int64 in
      index % 50 == 0 ? 4_000 : index % 20 == 0 ? 21 : index % 3 == 0 ? 30 : 20
    }
    #expect(ClockProperties.step(readings(coarse)) == 10)
    #expect(ClockProperties.step(readings((0..<1_000).map { 17 + $0 % 5 })) == 1)
    #expect(ClockProperties.step(readings((0..<1_000).map { $0 % 40 == 0 ? 1_000 : 0 })) == 1)
    #expect(ClockProperties.step(readings((0..<1_000).map { $0 % 4 == 0 ? 1_000 : 0 })) == 1_000)
  }

  @Test func `the state after the last record is hashed once`() throws {
    let start: [WrittenLog.Item] = [
      .opened(stateSchema: CounterState.fingerprint), .action(.added(name: "a")),
    ]
    for end in [[], [WrittenLog.Item.closed(hash: .none)], [.closed(hash: .right)]] {
      try CounterLog.withDirectory { path in
        try WrittenLog.write(start + end, at: path)
        try CounterLog.reading(path) { storage in
          let bench = try LogBench<CounterApp>(storage)
          #expect(bench.hashes == 1)
          #expect(bench.stateHash == (try CounterLog.states(of: storage)).last?.hash)
        }
      }
    }
  }

  @Test func `a payload that is no action is damage, as in a fold`() throws {
    try CounterLog.withDirectory { path in
      try WrittenLog.write(
        [
          .opened(stateSchema: CounterState.fingerprint),
          .foreign([99], schema: CounterAction.schema.text), .closed(hash: .none),
        ], at: path)
      try CounterLog.reading(path) { storage in
        do {
          _ = try LogBench<CounterApp>(storage)
          Issue.record("the log was measured")
        } catch let error as StoreError {
          #expect(error.code == .damaged(sequence: 2))
        }
      }
    }
  }

  @Test func `a log without records is measured as nothing`() throws {
    try CounterLog.withDirectory { path in
      try LogStorage.open(at: path, access: .create).close()
      try CounterLog.reading(path) { storage in
        let bench = try LogBench<CounterApp>(storage)
        #expect(bench.last == 0 && bench.types.isEmpty && bench.bytes == 0)
        #expect(try bench.round().parts[.fold] == 0)
      }
    }
  }
}
