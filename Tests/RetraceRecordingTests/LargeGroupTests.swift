import RetraceState
import RetraceArchitecture
import RetraceAvro
import RetraceLMDB
import RetraceLog
import RetraceSystem
import RetraceStorage
import RetraceFixtures
import RetraceTesting
import Testing

@testable import RetraceRecording

/// Groups that are reduced on a thread of their own while they are appended.
@Suite struct LargeGroupTests {
  private typealias CounterStore = Store<CounterApp>

  private static func configuration(largeFrom: Int) -> StoreConfiguration {
    var configuration = StoreConfiguration(clock: { Moment(microseconds: 1_000_000) })
    configuration.largeGroupActionsMin = largeFrom
    return configuration
  }

  /// A record, without what differs from store to store.
  private struct Seen: Equatable {
    var envelope: Envelope
    var payload: [UInt8]
  }

  private static func records(of store: CounterStore) throws -> [Seen] {
    let seen = Lock<[Seen]>([])
    try store.storage.withReadView { (view) throws(StoreError) in
      try view.forEachRecord(from: 1, through: view.head.sequence) {
        (envelope, payload) throws(StoreError) in
        var bytes: [UInt8] = []
        for index in payload.indices { bytes.append(payload[index]) }
        seen.withLock { $0.append(Seen(envelope: envelope, payload: bytes)) }
      }
    }
    return seen.withLock { $0 }
  }

  private static func actions(
    using random: inout SeededGenerator, on state: CounterState
  ) -> [CounterAction] {
    let count = Int.random(in: 1...(Bool.random(using: &random) ? 3 : 900), using: &random)
    return (0..<count).map { _ in CounterAction.random(on: state, using: &random) }
  }

  /// Sends batches as one group, some of them with a key or waited for, and returns the states of
  /// the receipts.
  private static func send(
    _ batches: [[CounterAction]], to store: CounterStore
  ) throws -> [CounterState] {
    let states = Lock<[CounterState]>([])
    try store.storage.performWriting { (_) throws(StoreError) in
      for (number, batch) in batches.enumerated() {
        switch number % 3 {
        case 0: try store.enqueue(batch)
        case 1: try store.enqueue(batch, key: "key \(number % 7)")
        default:
          let waited = try store.writer.encode(batch).completing { result in
            if let receipt = try? result.get() { states.withLock { $0.append(receipt.state) } }
          }
          try store.writer.push(waited, bounded: true)
        }
      }
    }
    // A key of another batch is refused.
    do throws(StoreError) { try store.flushBlocking() } catch { #expect(error.code == .keyReused) }
    return states.withLock { $0 }
  }

  @Test func `a large group leaves the records, receipts and states that a small one does`() throws
  {
    try withSeed { random in
      try ScratchDirectory.with { folder in
        var stores: [CounterStore] = []
        for largeFrom in [1, Int.max] {
          stores.append(
            try CounterStore.openBlocking(
              at: "\(folder)/\(largeFrom)",
              configuration: Self.configuration(largeFrom: largeFrom)))
        }
        if Bool.random(using: &random) {
          for store in stores { #expect(try store.attach(to: SceneID(value: 0))) }
        }
        for _ in 0..<6 {
          let batches = (0..<Int.random(in: 1...12, using: &random)).map { _ in
            Self.actions(using: &random, on: stores[0].state)
          }
          let receipts = try stores.map { try Self.send(batches, to: $0) }
          let (areEqual, count) = (receipts[0] == receipts[1], receipts[0].count)
          #expect(areEqual && count == batches.count / 3)
          let lead = stores[0].state == stores[1].state
          #expect(lead)
        }
        let records = try stores.map { try Self.records(of: $0) }
        let areSame = records[0] == records[1]
        #expect(areSame)
        #expect(records[0].contains { $0.envelope.stateHash != nil })
        for store in stores {
          let report = try store.storage.withReadView { (view) throws(StoreError) in
            try view.verify()
          }
          #expect(report.damage == nil)
          try store.closeBlocking()
        }
      }
    }
  }

  @Test func `observers see the state after each batch of a large group`() throws {
    try ScratchDirectory.with { folder in
      let store = try CounterStore.openBlocking(
        at: folder + "/store", configuration: Self.configuration(largeFrom: 1))
      let seen = Lock<[Int]>([])
      let observation = store.observe { state in
        seen.withLock { $0.append(state.counters.count) }
      }
      try store.storage.performWriting { (_) throws(StoreError) in
        for count in [1, 2_000, 3] {
          try store.enqueue([CounterAction](repeating: .added(name: "x"), count: count))
        }
      }
      try store.flushBlocking()
      #expect(seen.withLock { $0 } == [0, 1, 2_001, 2_004])
      observation.cancel()
      try store.closeBlocking()
    }
  }

  @Test func `a large group that fails while it is appended leaves the state as it was`() throws {
    let plan = LMDBFaultPlan()
    let store = try CounterStore.open(
      over: try LogStorage.inMemory(in: nil, faults: plan),
      configuration: Self.configuration(largeFrom: 1))
    try store.sendBlocking([.added(name: "known")])
    let batches = [[CounterAction]](
      repeating: [CounterAction](repeating: .added(name: "lost"), count: 2_000), count: 5)
    plan.fail(.noSpace, atCall: 2, of: .put)
    try store.storage.performWriting { (_) throws(StoreError) in
      for batch in batches { try store.enqueue(batch) }
    }
    var code: StoreError.Code?
    do throws(StoreError) { try store.flushBlocking() } catch { code = error.code }
    #expect(code == .diskFull)
    #expect(store.sequence == 2 && store.state.counters.count == 1)
    for batch in batches { try store.enqueue(batch) }
    try store.flushBlocking()
    #expect(store.sequence == 10_002 && store.state.counters.count == 10_001)
    try store.closeBlocking()
  }
}
