import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetracePlatform
import RetraceStorage
import RetraceTestSupport
import Testing

@testable import RetraceReplay

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
          var hashes = 1
          var bytes = 0
          try storage.withSnapshot { (snapshot) throws(StoreError) in
            try snapshot.scan(from: 1, through: head.sequence) { record throws(StoreError) in
              bytes += record.offset - record.recordStart
              if record.stateHash != nil { hashes += 1 }
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
          #expect(bench.bytes == UInt64(bytes) && bench.hashes == hashes)
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

  @Test func `what was decoded first folds as what is folded at once, also under older schemas`()
    throws
  {
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
        var parts = whole
        try storage.withSnapshot { (snapshot) throws(StoreError) in
          whole = RecordFold(plan: try snapshot.plan(for: CounterApp.self))
          parts = whole
          try snapshot.scan(from: 1, through: snapshot.head.sequence) {
            record throws(StoreError) in
            try snapshot.take(record, into: &whole)
            do throws(FoldError) {
              try parts.apply(try parts.decode(record), of: record)
            } catch {
              throw StoreError(error)
            }
            #expect(parts.fold.state.hash == whole.fold.state.hash)
            #expect(parts.fold.sequence == whole.fold.sequence)
          }
        }
        #expect(whole.fold.sequence == 6 && whole.fold.state.total == 5)
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
