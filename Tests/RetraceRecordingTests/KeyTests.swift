import RetraceArchitecture
import RetraceLMDB
import RetraceLog
import RetraceRecording
import RetraceState
import RetraceStorage
import RetraceSystem
import RetraceFixtures
import Synchronization
import Testing

/// Batches with idempotency keys: sent again, they are answered and not appended.
@Suite struct KeyTests {
  typealias CounterStore = Store<CounterApp>
  private let actions: [CounterAction] = [
    .added(name: "one"), .counted(CounterID(value: 0), by: 3),
  ]

  private static var configuration: StoreConfiguration {
    StoreConfiguration(clock: { Moment(microseconds: 1_000_000) })
  }

  private func code<R>(_ body: () throws(StoreError) -> R) -> StoreError.Code? {
    do throws(StoreError) {
      _ = try body()
      return nil
    } catch {
      return error.code
    }
  }

  @Test func `a batch that is sent again is appended once and answered alike`() throws {
    try ScratchDirectory.with { folder in
      let path = folder + "/store"
      let store = try CounterStore.openBlocking(at: path, configuration: Self.configuration)
      let first = try store.sendBlocking(actions, key: "a")
      try store.sendBlocking([.noticed("between")])
      let again = try store.sendBlocking(actions, key: "a")
      #expect(again.sequences == first.sequences && first.sequences == 2..<4)
      #expect(again.sequence == 4 && again.state == store.state)
      #expect(store.sequence == 4 && store.state.total == 3)
      #expect(try store.sequences(ofKey: "a") == 2..<4)
      #expect(try store.sequences(ofKey: "b") == nil)
      try store.closeBlocking()
      // The same after reopening; the repeated batch opens no session.
      let later = try CounterStore.openBlocking(at: path, configuration: Self.configuration)
      #expect(try later.sendBlocking(actions, key: "a").sequences == 2..<4)
      #expect(later.sequence == 5)
      try later.closeBlocking()
      #expect(
        try CounterStore.openBlocking(at: path, configuration: Self.configuration).sequence == 5)
    }
  }

  @Test func `a different batch under a used key is refused, and no other batch is`() throws {
    let store = try CounterStore.inMemory(configuration: Self.configuration)
    try store.sendBlocking(actions, key: "a")
    let refused = code { () throws(StoreError) in
      try store.sendBlocking([.noticed("other")], key: "a")
    }
    #expect(refused == .keyReused)
    // The same bytes, divided differently, are another batch.
    let half = code { () throws(StoreError) in try store.sendBlocking([actions[0]], key: "a") }
    #expect(half == .keyReused)
    #expect(try store.sendBlocking([.noticed("other")], key: "b").sequences == 4..<5)
    for key in ["", String(repeating: "k", count: 65)] {
      #expect(
        code { () throws(StoreError) in try store.sendBlocking(actions, key: key) }
          == .invalidRecord)
    }
    let longest = String(repeating: "k", count: 64)
    #expect(try store.sendBlocking(actions, key: longest).sequences == 5..<7)
    try store.closeBlocking()
  }

  @Test func `a group contains a key once, and its other batches are not affected`() throws {
    let store = try CounterStore.inMemory(configuration: Self.configuration)
    try store.storage.performWriting { (_) throws(StoreError) in
      try store.enqueue(actions, key: "a")
      try store.enqueue([.noticed("x")], key: "b")
      try store.enqueue(actions, key: "a")
      try store.enqueue([.noticed("y")], key: "b")
      try store.enqueue([.noticed("z")])
    }
    try store.flushBlocking()
    // The records of a, b and z: what was sent again and what was refused left nothing.
    #expect(store.sequence == 5)
    #expect(store.state.total == 3)
    try store.closeBlocking()
  }

  @Test func `a transaction with a known key does not call its body`() throws {
    let store = try CounterStore.inMemory(configuration: Self.configuration)
    let first = try store.transactBlocking(key: "t") { (_, _) throws(Never) in actions }
    let again = try store.transactBlocking(key: "t") { (_, _) throws(Never) -> [CounterAction] in
      Issue.record("the body was called")
      return []
    }
    #expect(again.sequences == first.sequences)
    #expect(store.sequence == 3)
    try store.closeBlocking()
  }

  @Test func `the oldest keys are forgotten beyond the limit, and can be used again`() throws {
    let store = try CounterStore.inMemory(configuration: Self.configuration)
    store.storage.setKeyLimit(5)
    for number in 0..<20 { try store.sendBlocking([.noticed("\(number)")], key: "k\(number)") }
    for number in 0..<20 {
      #expect(try (store.sequences(ofKey: "k\(number)") != nil) == (number >= 15))
    }
    // After the limit is lowered, each batch removes two keys.
    store.storage.setKeyLimit(2)
    try store.sendBlocking([.noticed("more")], key: "more")
    #expect(try store.sequences(ofKey: "k16") == nil)
    #expect(try store.sequences(ofKey: "k17") != nil)
    #expect(try store.sendBlocking([.noticed("0")], key: "k0").sequences == 23..<24)
    try store.closeBlocking()
  }

  @Test func `after a commit with an unknown outcome, sending again is exactly once`() throws {
    for timing in [LMDBFaultPlan.Timing.before, .after] {
      try ScratchDirectory.with { folder in
        let path = folder + "/store"
        let plan = LMDBFaultPlan()
        let store = try CounterStore.open(
          over: try LogStorage.open(at: path, access: .create, faults: plan),
          configuration: Self.configuration)
        try store.sendBlocking([.noticed("known")], key: "known")
        plan.fail(.inputOutput, atCall: 1, of: .commit, timing: timing)
        let unknown = code { () throws(StoreError) in try store.sendBlocking(actions, key: "a") }
        #expect(unknown == .commitOutcomeUnknown)
        // Reading goes on from what was durable before; writing does not.
        #expect(store.sequence == 2 && store.state.total == 0)
        #expect(
          code { () throws(StoreError) in try store.sendBlocking([.noticed("x")]) }
            == .commitOutcomeUnknown)
        store.abandon()
        let again = try CounterStore.openBlocking(at: path, configuration: Self.configuration)
        let kept = try again.sequences(ofKey: "a")
        #expect(kept == (timing == .after ? 3..<5 : nil))
        // One record more says that the session before was found dead.
        #expect(again.sequence == (timing == .after ? 5 : 3))
        try again.sendBlocking(actions, key: "a")
        try again.sendBlocking(actions, key: "a")
        #expect(again.state.total == 3 && again.state.counters.count == 1)
        try again.closeBlocking()
      }
    }
  }

  @Test func `a log from before there were keys gets its index when it is opened to write`() throws
  {
    try ScratchDirectory.with { folder in
      let path = folder + "/store"
      let store = try CounterStore.openBlocking(at: path, configuration: Self.configuration)
      try store.sendBlocking([.noticed("old")])
      try store.closeBlocking()
      try removeIndex(path)
      let reader = try LogStorage.open(at: path, access: .read)
      #expect(try reader.batch(ofKey: "a") == nil)
      reader.close()
      let later = try CounterStore.openBlocking(at: path, configuration: Self.configuration)
      try later.sendBlocking(actions, key: "a")
      try later.sendBlocking(actions, key: "a")
      #expect(later.state.total == 3)
      #expect(try later.sequences(ofKey: "a")?.count == 2)
      try later.closeBlocking()
    }
  }

  @Test func `a reused key refuses no batch that another thread has enqueued meanwhile`()
    async throws
  {
    try await onOwnThread {
      let store = try CounterStore.inMemory(configuration: Self.configuration)
      try store.sendBlocking(actions, key: "a")
      let other = WorkerThread(name: "other")
      let isDone = Atomic(false)
      let refused = Lock(0)
      other.submit {
        while !isDone.load(ordering: .relaxed) {
          let code = self.code { () throws(StoreError) in
            try store.sendBlocking([.noticed("other")], key: "a")
          }
          if code == .keyReused { refused.withLock { $0 += 1 } }
        }
      }
      defer {
        isDone.store(true, ordering: .relaxed)
        other.waitForSubmittedJobs()
      }
      // A flush throws the failure of what was enqueued.
      for _ in 0..<1_000 {
        try store.enqueue([.added(name: "x")])
        try store.flushBlocking()
      }
      #expect(store.state.counters.count == 1_001 && refused.withLock { $0 } > 0)
      try store.closeBlocking()
    }
  }

  @Test func `a repeated command finds its facts while another thread appends`() async throws {
    try await onOwnThread {
      let folder = try ScratchDirectory.make()
      defer { try? FileSystem.removeTree(folder) }
      let configuration = StoreConfiguration(
        durability: .relaxed(window: .seconds(3_600)), clock: { Moment(microseconds: 1_000_000) })
      let store = try Store<KioskApp>.openBlocking(
        at: folder + "/store", configuration: configuration)
      let tea = KioskItemID(value: 0)
      try store.performBlocking(.add(name: "tea"))
      let other = WorkerThread(name: "other")
      let isDone = Atomic(false)
      other.submit {
        while !isDone.load(ordering: .relaxed) {
          _ = try? store.performBlocking(.restock(tea, count: 1))
        }
      }
      defer {
        isDone.store(true, ordering: .relaxed)
        other.waitForSubmittedJobs()
        try? store.closeBlocking()
      }
      for number in 0..<500 {
        let first = try store.performBlocking(.restock(tea, count: 2), key: "\(number)")
        let again = try store.performBlocking(.restock(tea, count: 2), key: "\(number)")
        #expect(again.facts == first.facts && again.wasRepeated)
        let many = try store.performBlocking([.restock(tea, count: 2)], keys: ["\(number)"])
        #expect(try many[0].get() == first.facts)
      }
    }
  }

  /// Takes the two databases of the keys out of a store, as an older build would have made it.
  private func removeIndex(_ path: String) throws {
    let copy = path + ".old"
    try FileSystem.makeDirectory(copy)
    let from = try LMDBEnvironment.open(path)
    let to = try LMDBEnvironment.open(copy)
    for name in ["log", "meta", "schemas"] {
      let source = try #require(try from.openDatabase(name))
      let target = try to.createDatabase(name)
      let reading = try from.beginRead()
      var writing = try to.beginWrite()
      var cursor = try reading.cursor(over: source)
      while try cursor.next() { try writing.put(cursor.value, for: cursor.key, in: target) }
      try writing.commit()
    }
    from.close()
    to.close()
    try FileSystem.rename(copy + "/data.mdb", to: path + "/data.mdb")
    try FileSystem.removeTree(copy)
  }
}
