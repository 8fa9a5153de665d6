import RetraceArchitecture
import RetraceLMDB
import RetraceLog
import RetraceRecording
import RetraceState
import RetraceStorage
import RetraceSystem
import RetraceFixtures
import Testing

/// Batches whose commit fails, and batches over the limits of the queue.
@Suite struct BatchFailureTests {
  typealias CounterStore = Store<CounterApp>

  private func code<R>(_ body: () throws(StoreError) -> R) -> StoreError.Code? {
    do throws(StoreError) {
      _ = try body()
      return nil
    } catch {
      return error.code
    }
  }

  private func configuration() -> StoreConfiguration {
    StoreConfiguration(clock: { Moment(microseconds: 1_000_000) })
  }

  private func store(_ plan: LMDBFaultPlan, _ configuration: StoreConfiguration) throws(StoreError)
    -> CounterStore
  {
    try CounterStore.open(
      over: try LogStorage.inMemory(in: nil, faults: plan), configuration: configuration)
  }

  @Test func `batches queued after a group that failed are refused with its error`() async throws {
    let plan = LMDBFaultPlan()
    var configuration = configuration()
    // Each batch is a group of its own.
    configuration.groupBytesMax = 1
    let store = try store(plan, configuration)
    try store.sendBlocking([.added(name: "known")])
    plan.fail(.inputOutput, atCall: 1, of: .commit)
    // The writer's thread is blocked until all batches are queued.
    let gate = Lock(false)
    store.storage.submitWriting { _ in
      while !gate.withLock({ $0 }) { MonotonicClock.sleep(nanoseconds: 100_000) }
    }
    let codes = await withTaskGroup(of: StoreError.Code?.self) { group in
      for number in 0..<5 {
        group.addTask {
          do throws(StoreError) {
            try await store.send([.noticed("\(number)")])
            return nil
          } catch {
            return error.code
          }
        }
      }
      while store.statistics.queuedActions < 5 { await Task.yield() }
      gate.withLock { $0 = true }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(codes == [StoreError.Code?](repeating: .commitOutcomeUnknown, count: 5))
    #expect(store.sequence == 2 && store.statistics.queuedActions == 0)
    #expect(plan.callCount(of: .commit) > 1)
    store.abandon()
  }

  @Test func `a send that failed before the commit point can be repeated without reopening`() throws
  {
    for (operation, fault) in [
      (LMDBError.Operation.put, LMDBError.Code.noSpace), (.commit, .noSpace), (.commit, .mapFull),
      (.commit, .quotaExceeded), (.commit, .fileTooLarge), (.beginWrite, .inputOutput),
    ] {
      let plan = LMDBFaultPlan()
      let store = try store(plan, configuration())
      try store.sendBlocking([.added(name: "known")])
      plan.fail(fault, atCall: 1, of: operation)
      let failed = code { () throws(StoreError) in try store.sendBlocking([.added(name: "x")]) }
      #expect(
        failed
          == (fault == .inputOutput
            ? .storageFailed
            : fault == .mapFull
              ? .mapFull
              : .diskFull),
        "\(operation) \(fault)")
      #expect(!store.storage.isClosedForWriting)
      #expect(store.sequence == 2 && store.state.counters.count == 1)
      try store.sendBlocking([.added(name: "x")])
      #expect(store.sequence == 3 && store.state.counters.count == 2)
      let report = try store.storage.withReadView { (view) throws(StoreError) in
        try view.verify()
      }
      #expect(report.damage == nil)
      try store.closeBlocking()
    }
  }

  @Test func `a full disk after the commit point has an unknown outcome`() throws {
    let plan = LMDBFaultPlan()
    let store = try store(plan, configuration())
    plan.fail(.noSpace, atCall: 1, of: .commit, timing: .after)
    let failed = code { () throws(StoreError) in try store.sendBlocking([.added(name: "x")]) }
    #expect(failed == .commitOutcomeUnknown)
    #expect(store.storage.isClosedForWriting)
    store.abandon()
  }

  @Test func `the next flush reports a failed batch, and batches sent before it are refused`()
    throws
  {
    let plan = LMDBFaultPlan()
    let store = try store(plan, configuration())
    try store.sendBlocking([.added(name: "known")])
    plan.fail(.noSpace, atCall: 1, of: .commit)
    try store.storage.performWriting { (_) throws(StoreError) in
      try store.enqueue([.added(name: "lost")])
    }
    // Sent after it, so it must not be appended without it.
    #expect(code { () throws(StoreError) in try store.sendBlocking([.noticed("a")]) } == .diskFull)
    #expect(code { () throws(StoreError) in try store.enqueue([.noticed("b")]) } == .diskFull)
    #expect(code { () throws(StoreError) in try store.flushBlocking() } == .diskFull)
    try store.enqueue([.noticed("c")])
    try store.flushBlocking()
    #expect(store.sequence == 3 && store.state.counters.count == 1)
    try store.closeBlocking()
  }

  @Test func `close reports the failure of an enqueued batch that no flush has reported`() throws {
    let plan = LMDBFaultPlan()
    let store = try store(plan, configuration())
    plan.fail(.noSpace, atCall: 1, of: .commit)
    try store.enqueue([.added(name: "lost")])
    #expect(code { () throws(StoreError) in try store.closeBlocking() } == .diskFull)
    #expect(code { () throws(StoreError) in try store.sendBlocking([.noticed("a")]) } == .closed)
  }

  @Test func `batches beyond the limit of actions or bytes are refused, and accepted again later`()
    throws
  {
    for limits in [(actions: 3, bytes: 1 << 20), (actions: 1 << 20, bytes: 80)] {
      var configuration = configuration()
      configuration.queueLimit = limits.actions
      configuration.queueBytesLimit = limits.bytes
      let store = try CounterStore.inMemory(configuration: configuration)
      let name = String(repeating: "x", count: 31)
      try store.storage.performWriting { (_) throws(StoreError) in
        // An action of 33 bytes of payload and 4 of length.
        for _ in 0..<3 { try store.enqueue([.noticed(name)]) }
        #expect(store.statistics.queuedActions == 3)
        #expect(store.statistics.queuedBytes == 3 * 37)
        let refused = code { () throws(StoreError) in try store.enqueue([.noticed(name)]) }
        #expect(refused == .overloaded)
      }
      try store.flushBlocking()
      #expect(store.statistics.queuedActions == 0 && store.statistics.queuedBytes == 0)
      try store.enqueue([.noticed(name)])
      try store.flushBlocking()
      #expect(store.sequence == 5)
      #expect(store.statistics.sequence == 5 && store.statistics.durableSequence == 0)
      try store.closeBlocking()
    }
  }

  @Test func `an asynchronous send is refused as well when too much waits`() async throws {
    var configuration = configuration()
    configuration.queueLimit = 2
    let store = try CounterStore.inMemory(configuration: configuration)
    let gate = Lock(false)
    store.storage.submitWriting { _ in
      while !gate.withLock({ $0 }) { MonotonicClock.sleep(nanoseconds: 100_000) }
    }
    for _ in 0..<2 { try store.enqueue([.noticed("waits")]) }
    do throws(StoreError) {
      try await store.send([.noticed("too much")])
      Issue.record("sent")
    } catch {
      #expect(error.code == .overloaded)
    }
    gate.withLock { $0 = true }
    try store.flushBlocking()
    #expect(store.sequence == 3)
    try store.closeBlocking()
  }
}
