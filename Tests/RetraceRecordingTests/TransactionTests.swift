import RetraceState
import RetraceArchitecture
import RetraceSystem
import RetraceStorage
import RetraceFixtures
import RetraceTesting
import Testing

@testable import RetraceRecording

/// What a transaction decides, returns and may do.
@Suite struct TransactionTests {
  private typealias CounterStore = Store<CounterApp>

  private let configuration = StoreConfiguration(clock: { Moment(microseconds: 1_000_000) })

  @Test func `the body returns a value for the caller besides the actions`() async throws {
    let store = try CounterStore.inMemory(configuration: configuration)
    let (receipt, id) = try await store.transact { state, _ throws(Never) in
      (actions: [.added(name: "one")], value: state.counters.nextID)
    }
    #expect(receipt.sequences == 2..<3 && id == CounterID(value: 0))
    let (again, next) = try store.transactBlocking(key: "k") { state, _ throws(Never) in
      (actions: [.added(name: "two")], value: state.counters.nextID)
    }
    #expect(again.sequences == 3..<4 && next == CounterID(value: 1))
    // A key that the log has: the body is not called.
    let (known, none) = try store.transactBlocking(key: "k") {
      _, _ throws(Never) -> (actions: [CounterAction], value: Int) in
      Issue.record("called")
      return ([], 5)
    }
    #expect(known.sequences == 3..<4 && none == nil)
    // A body without actions returns its value, and nothing is appended.
    let (empty, total) = try await store.transact { state, _ throws(Never) in
      (actions: [], value: state.total)
    }
    #expect(empty.sequences.isEmpty && total == 0 && store.sequence == 3)
    try await store.close()
  }

  @Test func `a call of the store within the body is refused, but for enqueue`() throws {
    let store = try CounterStore.inMemory(configuration: configuration)
    let codes = Lock<[StoreError.Code]>([])
    let note = { @Sendable (body: () throws(StoreError) -> Void) in
      do throws(StoreError) { try body() } catch { codes.withLock { $0.append(error.code) } }
    }
    try store.transactBlocking { _, _ throws(Never) in
      note { () throws(StoreError) in _ = try store.attach(to: SceneID(value: 0)) }
      note { () throws(StoreError) in try store.detach(from: SceneID(value: 0)) }
      note { () throws(StoreError) in try store.sendBlocking([.noticed("x")]) }
      note { () throws(StoreError) in try store.flushBlocking() }
      note { () throws(StoreError) in try store.catchUpBlocking() }
      note { () throws(StoreError) in try store.closeBlocking() }
      note { () throws(StoreError) in try store.enqueue([.added(name: "later")]) }
      return [.added(name: "one")]
    }
    #expect(codes.withLock { $0 } == [StoreError.Code](repeating: .reentrant, count: 6))
    try store.flushBlocking()
    #expect(store.state.counters.count == 2)
    try store.closeBlocking()
  }

  @Test func `if a body is called again after damage, only its last call counts`() throws {
    try withSeed("Transactions on damaged pages") { random in
      try ScratchDirectory.with { folder in
        let path = folder + "/store"
        var configuration = configuration
        configuration.snapshots = SnapshotPolicy(interval: 50, closingInterval: 1)
        let first = try CounterStore.openBlocking(at: path, configuration: configuration)
        for _ in 0..<400 {
          try first.sendBlocking([.random(on: first.state, using: &random)])
        }
        try first.closeBlocking()
        let store = try CounterStore.openBlocking(at: path, configuration: configuration)
        let file = path + "/derived/data.mdb"
        var bytes = try FileSystem.readWhole(file, limitBytes: 1 << 26)
        for index in 8192..<bytes.count { bytes[index] ^= 0x55 }
        let data = try OpenFile.open(file, [.write])
        try data.write(bytes.span, at: 0)
        let calls = Lock(0)
        let (receipt, value) = try store.transactBlocking { state, _ throws(Never) in
          var count = 0
          state.counters.forEach { _, _ in count += 1 }
          let call = calls.withLock { calls in
            calls += 1
            return calls
          }
          return (actions: [.added(name: "call \(call)")], value: (call: call, count: count))
        }
        let last = calls.withLock { $0 }
        #expect((1...2).contains(last) && value?.call == last)
        var names: [String] = []
        receipt.state.counters.forEach { _, counter in names.append(counter.name) }
        #expect(value?.count == names.count - 1)
        #expect(names.filter { $0.hasPrefix("call") } == ["call \(last)"])
        try store.closeBlocking()
      }
    }
  }
}
