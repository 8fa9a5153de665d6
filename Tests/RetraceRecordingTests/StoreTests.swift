import RetraceState
import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceSystem
import RetraceReplay
import RetraceStorage
import RetraceFixtures
import Testing

@testable import RetraceRecording

@Suite struct StoreTests {
  private func configuration(hashInterval: Int = 256) -> StoreConfiguration {
    StoreConfiguration(hashInterval: hashInterval, clock: { Moment(microseconds: 1_000_000) })
  }

  private func withStore<R>(_ body: (String) throws -> R) throws -> R {
    try ScratchDirectory.with { try body("\($0)/store") }
  }

  @Test func `sent actions are reduced, numbered without gaps and still there after reopening`()
    throws
  {
    try withStore { path in
      let store = try Store<CounterApp>.openBlocking(at: path, configuration: configuration())
      let first = try store.sendBlocking([.added(name: "one"), .added(name: "two")])
      #expect(first.sequences == 2..<4)
      let second = try store.sendBlocking([.counted(CounterID(value: 1), by: 5)])
      #expect(second.sequences == 4..<5)
      #expect(second.state.total == 5)
      let state = store.state
      try store.closeBlocking()
      let again = try Store<CounterApp>.openBlocking(at: path, configuration: configuration())
      #expect(again.state == state)
      #expect(again.sequence == 5)
      try again.closeBlocking()
    }
  }

  @Test func `a store that sends nothing writes nothing`() throws {
    try withStore { path in
      let store = try Store<CounterApp>.openBlocking(at: path, configuration: configuration())
      try store.sendBlocking([])
      try store.closeBlocking()
      let storage = try LogStorage.open(at: path, access: .read)
      #expect(try storage.head().sequence == 0)
      storage.close()
    }
  }

  @Test func `a transaction that refuses appends nothing, one that returns actions is one batch`()
    throws
  {
    struct Refused: Error, Equatable {}
    try withStore { path in
      let store = try Store<CounterApp>.openBlocking(at: path, configuration: configuration())
      #expect(throws: TransactionError<Refused>.self) {
        try store.transactBlocking { (_, _) throws(Refused) -> [CounterAction] in throw Refused() }
      }
      #expect(store.sequence == 0)
      let receipt = try store.transactBlocking(closing: true) { (_, _) throws(Refused) in
        [.added(name: "a"), .added(name: "b"), .added(name: "c")]
      }
      #expect(receipt.sequences == 2..<5)
      try store.closeBlocking()
      let storage = try LogStorage.open(at: path, access: .read)
      #expect(try storage.head().sequence == 5)
      var starts: [Bool] = []
      var kinds: [RecordKind] = []
      try storage.withReadView { (view) throws(StoreError) in
        try view.forEachRecord(from: 1, through: 5) { (envelope, _) throws(StoreError) in
          starts.append(envelope.startsBatch)
          kinds.append(envelope.kind)
        }
      }
      #expect(starts == [true, true, false, false, true])
      #expect(kinds == [.sessionOpened, .action, .action, .action, .sessionClosed])
      storage.close()
    }
  }

  @Test func `enqueued batches are durable after a flush, in order`() throws {
    try withStore { path in
      let store = try Store<CounterApp>.openBlocking(at: path, configuration: configuration())
      for index in 0..<500 { try store.enqueue([.added(name: "n\(index)")]) }
      try store.flushBlocking()
      #expect(store.state.counters.count == 500)
      var names: [String] = []
      store.state.counters.forEach { _, counter in names.append(counter.name) }
      #expect(names == (0..<500).map { "n\($0)" })
      try store.closeBlocking()
    }
  }

  @Test func `a full queue throws overloaded and loses nothing`() throws {
    try withStore { path in
      var configuration = configuration()
      configuration.queueLimit = 3
      let store = try Store<CounterApp>.openBlocking(at: path, configuration: configuration)
      var accepted = 0
      var refused = 0
      // Inside an observer the writer thread is busy, so the queue fills up.
      let observed = Lock(false)
      let counts = Lock((0, 0))
      let observation = store.observe { [weak store] state in
        guard state.counters.count == 1, observed.withLock({ !$0 }) else { return }
        observed.withLock { $0 = true }
        for index in 0..<10 {
          do throws(StoreError) {
            try store?.enqueue([.added(name: "q\(index)")])
            counts.withLock { $0.0 += 1 }
          } catch {
            counts.withLock { $0.1 += 1 }
          }
        }
      }
      try store.sendBlocking([.added(name: "first")])
      try store.flushBlocking()
      (accepted, refused) = counts.withLock { $0 }
      #expect(accepted == 3)
      #expect(refused == 7)
      #expect(store.state.counters.count == 4)
      observation.cancel()
      try store.closeBlocking()
    }
  }

  @Test func `an observer may enqueue, and every other call is reentrant [i4]`() throws {
    try withStore { path in
      let store = try Store<CounterApp>.openBlocking(at: path, configuration: configuration())
      let codes = Lock<[Bool]>([])
      let observation = store.observe { [weak store] state in
        guard let store, state.counters.count == 1, state.total == 0 else { return }
        #expect(throws: StoreError.self) { try store.sendBlocking([.noticed("x")]) }
        #expect(throws: StoreError.self) { try store.flushBlocking() }
        do {
          try store.enqueue([.counted(CounterID(value: 0), by: 7)])
          codes.withLock { $0.append(true) }
        } catch {
          codes.withLock { $0.append(false) }
        }
      }
      try store.sendBlocking([.added(name: "first")])
      try store.flushBlocking()
      #expect(codes.withLock { $0 } == [true])
      #expect(store.state.total == 7)
      observation.cancel()
      try store.closeBlocking()
    }
  }

  @Test func `observers get the latest state first, equal states are not emitted`() throws {
    try withStore { path in
      let store = try Store<CounterApp>.openBlocking(at: path, configuration: configuration())
      try store.sendBlocking([.added(name: "one")])
      let seen = Lock<[Int64]>([])
      let mapped = Lock<[String]>([])
      let first = store.observe { state in seen.withLock { $0.append(state.total) } }
      let second = store.select({ $0.total }, map: { "t\($0)" }) { text in
        mapped.withLock { $0.append(text) }
      }
      try store.sendBlocking([.noticed("nothing changes")])
      try store.sendBlocking([
        .counted(CounterID(value: 0), by: 1), .counted(CounterID(value: 0), by: 1),
      ])
      try store.sendBlocking([.removed(CounterID(value: 0))])
      try store.flushBlocking()
      #expect(seen.withLock { $0 } == [0, 2, 2])
      #expect(mapped.withLock { $0 } == ["t0", "t2"])
      withExtendedLifetime((first, second)) {}
      try store.closeBlocking()
    }
  }

  @Test func `asynchronous sends from many tasks are all there, each once`() async throws {
    let folder = try ScratchDirectory.make()
    defer { try? FileSystem.removeTree(folder) }
    let path = folder + "/store"
    let store = try Store<CounterApp>.openBlocking(at: path, configuration: configuration())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<20 {
        group.addTask {
          for index in 0..<20 { try await store.send(.added(name: "\(task)-\(index)")) }
        }
      }
      try await group.waitForAll()
    }
    var names: Set<String> = []
    store.state.counters.forEach { _, counter in names.insert(counter.name) }
    #expect(names.count == 400)
    #expect(store.sequence == 401)
    try store.closeBlocking()
  }
}
