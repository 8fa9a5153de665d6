import RetraceState
import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceSystem
import RetraceRecording
import RetraceStorage
import RetraceFixtures
import RetraceTesting
import Testing

@testable import RetraceReplay

/// The tests' app with one constant of its reducer changed.
private enum ChangedCounterApp: CounterVariant {
  static var reducer: CounterReducer { CounterReducer(factor: 2) }
}

@Suite struct VerifierTests {
  private let ownSchema = WrittenLog.Item.opened(stateSchema: CounterState.fingerprint)
  private let counted = CounterAction.counted(CounterID(value: 0), by: 5)

  private func verify(_ items: [WrittenLog.Item]) throws -> Verification {
    try CounterLog.withDirectory { path in
      try WrittenLog.write(items, at: path)
      return try CounterLog.reading(path) { try Verifier<CounterApp>.verify($0) }
    }
  }

  @Test func `verification checks a log, compares its hashes and reports its end`() throws {
    try withSeed("Verifier") { random in
      try CounterLog.withDirectory { path in
        _ = try CounterLog.record(200, in: 4, at: path, &random)
        try CounterLog.reading(path) { storage in
          let head = try storage.head()
          let states = try CounterLog.states(of: storage)
          let result = try Verifier<CounterApp>.verify(storage)
          #expect(result.records == head.sequence)
          #expect(result.chain == head.chain)
          #expect(result.stateHash == states.last?.hash)
          #expect(result.compared >= 4)
          #expect(result.notComparable == 0)
          #expect(result.firstDivergence == nil)
        }
      }
    }
  }

  @Test
  func `an empty log is whole and has the hash of the state before the first record [H2]`() throws {
    try CounterLog.withDirectory { path in
      try LogStorage.open(at: path, access: .create).close()
      try CounterLog.reading(path) { storage in
        let result = try Verifier<CounterApp>.verify(storage)
        #expect(
          result
            == Verification(
              records: 0, chain: .zero, stateHash: CounterState().hash, compared: 0,
              notComparable: 0, firstDivergence: nil))
      }
    }
  }

  @Test func `a wrong hash in a chain that is right is reported with its interval`() throws {
    let items: [WrittenLog.Item] = [
      ownSchema, .action(.added(name: "a"), hash: .right), .action(counted, hash: .right),
      .action(counted), .action(counted, hash: .wrong), .action(counted, hash: .right),
      .action(counted, hash: .wrong), .closed(),
    ]
    let result = try verify(items)
    #expect(result.firstDivergence == Verification.Divergence(after: 3, upTo: 5))
    #expect(result.compared == 6)
    #expect(result.records == 8)
    let first = try verify([ownSchema, .action(.added(name: "a")), .closed(hash: .wrong)])
    #expect(first.firstDivergence == Verification.Divergence(after: 0, upTo: 3))
  }

  @Test func `the distance of compared hashes and the records after the last one are counted`()
    throws
  {
    func extent(_ items: [WrittenLog.Item]) throws -> [UInt64] {
      let result = try verify(items)
      return [UInt64(result.compared), result.largestDistance, result.recordsAfterLastHash]
    }
    let plain = WrittenLog.Item.action(.noticed("x"))
    let hashed = WrittenLog.Item.action(.noticed("y"), hash: .right)
    #expect(try extent([ownSchema, plain, plain]) == [0, 0, 3])
    #expect(try extent([ownSchema, hashed, hashed, .closed()]) == [3, 2, 0])
    #expect(try extent([ownSchema, hashed, plain, plain, plain, hashed, plain]) == [2, 4, 1])
    #expect(
      try extent([ownSchema, plain, plain, hashed, plain, hashed, plain, plain]) == [2, 4, 2])
    // A hash of another state schema is not compared.
    let other = WrittenLog.Item.opened(stateSchema: .zero)
    #expect(try extent([ownSchema, hashed, other, hashed, .closed(hash: .none)]) == [1, 2, 3])
    // A wrong hash is compared, too.
    let wrong = WrittenLog.Item.action(.noticed("z"), hash: .wrong)
    #expect(try extent([ownSchema, hashed, plain, wrong]) == [2, 2, 0])
  }

  @Test func `a state in which much changed is hashed by several threads, to the same interval`()
    throws
  {
    let count = 9_000
    var items = [ownSchema]
    for number in 1...count {
      items.append(.action(.added(name: "c"), hash: number == count ? .right : .none))
    }
    let leaves = Array(stride(from: 0, to: Int64(count), by: 32))
    // Each round changes every leaf of the table.
    for hash in [WrittenLog.Hash.right, .wrong, .right] {
      for first in leaves {
        items.append(
          .action(
            .counted(CounterID(value: first), by: 3), hash: first == leaves.last ? hash : .none))
      }
    }
    let result = try verify(items + [.closed()])
    let agreed = UInt64(1 + count + leaves.count)
    #expect(
      result.firstDivergence
        == Verification.Divergence(after: agreed, upTo: agreed + UInt64(leaves.count)))
    #expect(result.compared == 5)
  }

  @Test func `hashes recorded under another state schema are counted and never a divergence`()
    throws
  {
    let other = WrittenLog.Item.opened(stateSchema: .zero)
    let result = try verify([
      other, .action(.added(name: "a"), hash: .wrong), .action(counted, hash: .right),
      .closed(hash: .wrong),
      ownSchema, .action(counted, hash: .right), .closed(),
    ])
    #expect(result.notComparable == 3)
    #expect(result.compared == 2)
    #expect(result.firstDivergence == nil)
    // Between the sessions nothing could be compared, so the interval reaches back over them.
    let diverged = try verify([
      ownSchema, .action(.added(name: "a"), hash: .right), .closed(hash: .none),
      other, .action(counted, hash: .wrong), .closed(hash: .wrong),
      ownSchema, .action(counted, hash: .wrong), .closed(),
    ])
    #expect(diverged.firstDivergence == Verification.Divergence(after: 2, upTo: 8))
  }

  @Test func `one changed constant in a reducer gives another hash, between two recorded ones`()
    throws
  {
    try CounterLog.withDirectory { path in
      try WrittenLog.write(
        [
          ownSchema, .action(.added(name: "a"), hash: .right), .action(.noticed("x"), hash: .right),
          .action(.noticed("y")), .action(counted), .action(.noticed("z"), hash: .right), .closed(),
        ], at: path)
      try CounterLog.reading(path) { storage in
        let same = try Verifier<CounterApp>.verify(storage)
        #expect(same.firstDivergence == nil)
        let changed = try Verifier<ChangedCounterApp>.verify(storage)
        #expect(changed.firstDivergence == Verification.Divergence(after: 3, upTo: 6))
        #expect(changed.stateHash != same.stateHash)
        #expect(changed.chain == same.chain)
      }
    }
  }

  @Test func `a record under a schema that this build lacks is incompatible, not divergent`()
    throws
  {
    do {
      _ = try verify([ownSchema, .foreign([2, 65], schema: "\"bytes\""), .closed()])
      Issue.record("the log was verified")
    } catch let error as StoreError {
      #expect(error.code == .incompatible)
      #expect(error.why.contains("Schema 2: impossible"))
    }
  }
}
