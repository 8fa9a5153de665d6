import RetraceArchitecture
import RetraceLMDB
import RetraceLog
import RetraceRecording
import RetraceState
import RetraceStorage
import RetraceSystem
import RetraceFixtures
import RetraceTesting
import Testing

/// Relaxed durability: acknowledged early, at most the last window lost, never a gap.
@Suite struct RelaxedTests {
  typealias CounterStore = Store<CounterApp>

  private static func configuration(_ window: Duration) -> StoreConfiguration {
    StoreConfiguration(
      durability: .relaxed(window: window), clock: { Moment(microseconds: 1_000_000) })
  }

  /// A window that is longer than any test.
  private static var long: StoreConfiguration { configuration(.seconds(3600)) }

  private func code<R>(_ body: () throws(StoreError) -> R) -> StoreError.Code? {
    do throws(StoreError) {
      _ = try body()
      return nil
    } catch {
      return error.code
    }
  }

  @Test func `uncommitted batches are visible to their store, and to others after a flush [L2]`()
    throws
  {
    try ScratchDirectory.with { folder in
      let path = folder + "/store"
      let store = try CounterStore.openBlocking(at: path, configuration: Self.long)
      let receipt = try store.sendBlocking([.added(name: "one")])
      for _ in 0..<3 { try store.sendBlocking([.counted(CounterID(value: 0), by: 2)]) }
      #expect(receipt.sequences == 2..<3 && receipt.state.counters.count == 1)
      #expect(store.sequence == 5 && store.state.total == 6)
      #expect(store.durableSequence == 0)
      #expect(try store.storage.head().sequence == 0)
      try store.flushBlocking()
      #expect(store.durableSequence == 5)
      #expect(try store.storage.head().sequence == 5)
      try store.sendBlocking([.noticed("more")])
      #expect(store.statistics.durableSequence == 5 && store.statistics.sequence == 6)
      try store.closeBlocking()
      let again = try CounterStore.openBlocking(at: path, configuration: Self.long)
      #expect(again.sequence == 7 && again.state.total == 6)
      try again.closeBlocking()
    }
  }

  @Test func `a process that ends loses its uncommitted batches and nothing before them`() throws {
    try withSeed { random in
      try ScratchDirectory.with { folder in
        let path = folder + "/store"
        var kept: [CounterState] = [CounterState()]
        for _ in 0..<repetitions(100) {
          let store = try CounterStore.openBlocking(at: path, configuration: Self.long)
          #expect(store.state == kept.last)
          var states = [store.state]
          for _ in 0..<Int.random(in: 1...20, using: &random) {
            let action = CounterAction.random(on: store.state, using: &random)
            states.append(try store.sendBlocking([action]).state)
            if Int.random(in: 0..<5, using: &random) == 0 {
              try store.flushBlocking()
              kept = [store.state]
              #expect(store.durableSequence == store.sequence)
            }
          }
          let durable = store.durableSequence
          // The process ends here.
          store.abandon()
          let log = try LogStorage.open(at: path, access: .read)
          let report = try log.withReadView { (view) throws(StoreError) in
            try view.verify()
          }
          #expect(report.damage == nil && report.records == durable)
          log.close()
        }
      }
    }
  }

  @Test func `the window ends by itself`() async throws {
    try await ScratchDirectory.with { folder in
      let store = try CounterStore.openBlocking(
        at: folder + "/store", configuration: Self.configuration(.milliseconds(1)))
      for number in 0..<3 {
        try await store.send([.noticed("\(number)")])
        while store.durableSequence < store.sequence {
          try await Task.sleep(for: .microseconds(100))
        }
        #expect(try store.storage.head().sequence == store.sequence)
      }
      try store.closeBlocking()
    }
  }

  @Test
  func `a commit that fails closes the store for writing and shows the durable state again`()
    throws
  {
    for (fault, operation) in [
      (LMDBError.Code.inputOutput, LMDBError.Operation.commit), (.noSpace, .commit),
      (.noSpace, .put),
    ] {
      try ScratchDirectory.with { folder in
        let plan = LMDBFaultPlan()
        let path = folder + "/store"
        let store = try CounterStore.open(
          over: try LogStorage.open(at: path, access: .create, faults: plan),
          configuration: Self.long)
        try store.sendBlocking([.added(name: "kept")])
        try store.flushBlocking()
        let seen = Lock<[Int]>([])
        let observation = store.observe { state in
          seen.withLock { $0.append(state.counters.count) }
        }
        try store.sendBlocking([.added(name: "lost")])
        #expect(store.state.counters.count == 2)
        plan.fail(fault, atCall: 1, of: operation)
        let failed = code { () throws(StoreError) in try store.flushBlocking() }
        #expect(failed == (fault == .noSpace ? .diskFull : .commitOutcomeUnknown))
        #expect(store.state.counters.count == 1 && store.sequence == 2)
        #expect(store.durableSequence == 2)
        #expect(seen.withLock { $0 } == [1, 2, 1])
        observation.cancel()
        #expect(code { () throws(StoreError) in try store.sendBlocking([.noticed("x")]) } == failed)
        store.abandon()
        let again = try CounterStore.openBlocking(at: path, configuration: Self.long)
        // One record more says that the session before was found dead.
        #expect(again.sequence == 3)
        try again.closeBlocking()
      }
    }
  }

  @Test func `a refused request does not discard the batches that wait`() throws {
    let refusals: [@Sendable (CounterStore) throws -> Void] = [
      { store in _ = try store.sendBlocking([.noticed("other")], key: "a") },
      { store in
        _ = try store.transactBlocking { (_, _) throws(StoreError) -> [CounterAction] in
          throw StoreError(.invalidRecord, what: "", why: "", advice: "")
        }
      },
      { store in
        let long = String(repeating: "x", count: LogFormat.actionBytesMax)
        _ = try store.transactBlocking { (_, _) throws(Never) in [.noticed(long)] }
      },
    ]
    try ScratchDirectory.with { folder in
      let path = folder + "/store"
      let store = try CounterStore.openBlocking(at: path, configuration: Self.long)
      try store.sendBlocking([.added(name: "one")], key: "a")
      for refusal in refusals {
        #expect(throws: (any Error).self) { try refusal(store) }
        try store.sendBlocking([.noticed("after")])
      }
      // A key is known before its batch is durable.
      #expect(try store.sendBlocking([.added(name: "one")], key: "a").sequences == 2..<3)
      #expect(!store.storage.isClosedForWriting)
      try store.closeBlocking()
      let again = try CounterStore.openBlocking(at: path, configuration: Self.long)
      #expect(again.sequence == 6 && again.state.counters.count == 1)
      try again.closeBlocking()
    }
  }

  @Test func `while batches wait, no other process can write, and readers see what is durable`()
    throws
  {
    try ScratchDirectory.with { folder in
      let path = folder + "/store"
      let store = try CounterStore.openBlocking(at: path, configuration: Self.long)
      try store.sendBlocking([.added(name: "one")])
      try store.flushBlocking()
      try store.sendBlocking([.added(name: "two")])
      // Tries to take the lock as a writer in another process would.
      let other = try ByteRangeLock.open(path + "/owner.lock")
      #expect(try !other.tryShared(at: 1 << 62))
      try store.closeBlocking()
      #expect(try other.tryShared(at: 1 << 62))
      let refused = code { () throws(StoreError) in
        try CounterStore.openBlocking(at: path, configuration: Self.long)
      }
      #expect(refused == .inUse(pids: []))
    }
  }

  @Test func `a transaction at its limit of records is committed before its window ends`() throws {
    try ScratchDirectory.with { folder in
      let store = try CounterStore.openBlocking(at: folder + "/store", configuration: Self.long)
      let actions = [CounterAction](repeating: .noticed("x"), count: 20_000)
      for _ in 0..<5 { try store.sendBlocking(actions) }
      #expect(store.durableSequence >= 65_536)
      #expect(store.sequence == 100_001)
      store.abandon()
    }
  }
}
