import RetraceState
import RetraceArchitecture
import RetraceLMDB
import RetraceSystem
import RetraceStorage
import RetraceFixtures
import Testing

@testable import RetraceRecording

/// A blocking send, which commits on its own thread if the writer's thread is idle.
@Suite struct BlockingSendTests {
  private let configuration = StoreConfiguration(clock: { Moment(microseconds: 1_000_000) })

  /// Returns the id of the current thread.
  private static func thread() throws(SystemError) -> [UInt8] {
    Array(
      try FileSystem.readWhole("/proc/thread-self/stat", limitBytes: 1000).prefix { $0 != 32 })
  }

  @Test
  func `a blocking send reduces, commits and calls observers on its own thread`() async throws {
    try await onOwnThread {
      let reduced = Lock<[[UInt8]]>([])
      let observed = Lock<[[UInt8]]>([])
      var configuration = configuration
      configuration.phaseObserver = { phase in
        guard phase == .reducing(0), let thread = try? Self.thread() else { return }
        reduced.withLock { $0.append(thread) }
      }
      let store = try Store<CounterApp>.inMemory(configuration: configuration)
      let observation = store.observe { _ in
        guard store.sequence > 0, let thread = try? Self.thread() else { return }
        observed.withLock { $0.append(thread) }
        // A batch that the observer enqueues is the next one.
        if store.sequence == 2 { try? store.enqueue([.noticed("by an observer")]) }
        #expect(throws: StoreError.self) { try store.sendBlocking([.noticed("refused")]) }
      }
      let here = try Self.thread()
      try store.sendBlocking([.noticed("x")])
      #expect(reduced.withLock { $0.first } == here)
      #expect(observed.withLock { $0.first } == here)
      try store.flushBlocking()
      #expect(store.sequence == 3)
      observation.cancel()
      try store.closeBlocking()
    }
  }

  @Test
  func `a blocking send comes after what its thread enqueued, whichever thread commits that`()
    throws
  {
    let store = try Store<CounterApp>.inMemory(configuration: configuration)
    for number in 1...200 {
      for _ in 0..<(number % 3) { try store.enqueue([.noticed("before")]) }
      let receipt = try store.sendBlocking([.noticed("then")])
      #expect(receipt.sequence == store.sequence)
      #expect(receipt.sequences.upperBound == store.sequence + 1)
    }
    // The record that opens the session, and the rest in the order in which it was sent.
    #expect(store.sequence == 1 + 200 + UInt64((1...200).reduce(0) { $0 + $1 % 3 }))
    try store.closeBlocking()
  }

  private final class Told: Sendable {
    let sequences = Lock<[UInt64]>([])

    func add(_ range: Range<UInt64>) { sequences.withLock { $0 += Array(range) } }
  }

  @Test
  func `many senders of all kinds together lose and repeat nothing [S11] [i4]`() async throws {
    let store = try Store<CounterApp>.inMemory(configuration: configuration)
    let told = Told()
    let sends = { @Sendable (number: Int) throws(StoreError) in
      for turn in 0..<150 {
        if (number + turn) % 4 == 0 {
          try store.enqueue([.noticed("\(number)")])
        } else {
          told.add(try store.sendBlocking([.noticed("\(number)")]).sequences)
        }
      }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<4 { group.addTask { try await onOwnThread { try sends(number) } } }
      group.addTask {
        for _ in 0..<150 {
          told.add(try await store.send([.noticed("awaited")]).sequences)
        }
      }
      try await group.waitForAll()
    }
    try store.flushBlocking()
    #expect(store.sequence == 1 + 5 * 150)
    let sequences = told.sequences.withLock { $0 }
    #expect(Set(sequences).count == sequences.count)
    #expect(store.statistics.queuedActions == 0)
    try store.closeBlocking()
  }

  @Test func `a blocking send throws the failure of its commit, which closes the store`() throws {
    let plan = LMDBFaultPlan()
    let store = try Store<CounterApp>.open(
      over: try LogStorage.inMemory(in: nil, faults: plan), configuration: configuration)
    try store.sendBlocking([.noticed("known")])
    plan.fail(.inputOutput, atCall: 1, of: .commit)
    for _ in 0..<2 {
      let error = #expect(throws: StoreError.self) { try store.sendBlocking([.noticed("lost")]) }
      #expect(error?.code == .commitOutcomeUnknown)
    }
    #expect(store.sequence == 2)
    try? store.closeBlocking()
  }
}
