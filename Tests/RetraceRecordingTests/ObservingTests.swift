import RetraceState
import RetraceArchitecture
import RetraceSystem
import RetraceStorage
import RetraceFixtures
import Synchronization
import Testing

@testable import RetraceRecording

/// The order and the end of the calls of observers.
@Suite struct ObservingTests {
  private typealias CounterStore = Store<CounterApp>

  private let configuration = StoreConfiguration(clock: { Moment(microseconds: 1_000_000) })

  /// Waits until a condition holds, at most for some time.
  private static func wait(milliseconds: Int, until condition: () -> Bool) {
    for _ in 0..<milliseconds where !condition() { MonotonicClock.sleep(nanoseconds: 1_000_000) }
  }

  @Test func `an observer whose first call takes long ends on the latest state`() async throws {
    try await onOwnThread {
      let store = try CounterStore.inMemory(configuration: configuration)
      let seen = Lock<[Int]>([])
      let sender = WorkerThread(name: "sender")
      let observation = store.observe { state in
        if state.counters.count == 0 {
          sender.submit { _ = try? store.sendBlocking([.added(name: "one")]) }
          // Long enough for a second call beside this one.
          Self.wait(milliseconds: 10_000) { store.sequence == 2 }
          Self.wait(milliseconds: 50) { seen.withLock { $0.count > 0 } }
        }
        seen.withLock { $0.append(state.counters.count) }
      }
      sender.waitForSubmittedJobs()
      #expect(seen.withLock { $0 } == [0, 1])
      observation.cancel()
      try store.closeBlocking()
    }
  }

  @Test func `calls of an observer never overlap, and the last one has the latest state`()
    async throws
  {
    let store = try CounterStore.inMemory(configuration: configuration)
    let isInside = Atomic(false)
    let last = Lock<[Int: Int]>([:])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<4 {
        group.addTask {
          try await onOwnThread {
            for _ in 0..<50 { try store.sendBlocking([.added(name: "\(number)")]) }
          }
        }
      }
      let observations = (0..<20).map { number in
        store.observe { state in
          if number == 0 {
            let overlaps = isInside.exchange(true, ordering: .sequentiallyConsistent)
            #expect(!overlaps)
          }
          last.withLock { $0[number] = max($0[number] ?? 0, state.counters.count) }
          let isLatest = last.withLock { $0[number] == state.counters.count }
          #expect(isLatest, "an older state after a newer one")
          if number == 0 { isInside.store(false, ordering: .sequentiallyConsistent) }
        }
      }
      try await group.waitForAll()
      withExtendedLifetime(observations) {}
    }
    #expect(
      last.withLock { $0.count } == 20 && last.withLock { $0.values.allSatisfy { $0 == 200 } })
    try store.closeBlocking()
  }

  @Test func `an observer that cancels itself is not called again in the same group`() throws {
    let store = try CounterStore.inMemory(configuration: configuration)
    let seen = Lock<[Int]>([])
    let held = Lock<Observation?>(nil)
    let observation = store.observe { state in
      seen.withLock { $0.append(state.counters.count) }
      if state.counters.count == 1 { held.withLock { $0?.cancel() } }
    }
    held.withLock { $0 = observation }
    try store.storage.performWriting { (_) throws(StoreError) in
      for _ in 0..<3 { try store.enqueue([.added(name: "x")]) }
    }
    try store.flushBlocking()
    #expect(seen.withLock { $0 } == [0, 1])
    try store.closeBlocking()
  }

  @Test func `an observation keeps neither the store nor its thread alive`() throws {
    weak var kept: CounterStore?
    var first: Observation?
    var second: Observation?
    do {
      let store = try CounterStore.inMemory(configuration: configuration)
      kept = store
      first = store.observe { _ in }
      second = store.select({ $0.total }, map: { $0 }) { _ in }
      try store.sendBlocking([.added(name: "one")])
      try store.closeBlocking()
    }
    #expect(kept == nil)
    withExtendedLifetime((first, second)) {}
    first = nil
    second = nil
  }

  @Test func `references of an observer are released when it is cancelled or the store closes`()
    throws
  {
    final class Token: Sendable {}
    let store = try CounterStore.inMemory(configuration: configuration)
    weak var cancelled: Token?
    weak var closed: Token?
    var observation: Observation?
    var other: Observation?
    do {
      let (one, two) = (Token(), Token())
      (cancelled, closed) = (one, two)
      observation = store.observe { _ in withExtendedLifetime(one) {} }
      other = store.observe { _ in withExtendedLifetime(two) {} }
    }
    observation?.cancel()
    #expect(cancelled == nil && closed != nil)
    try store.closeBlocking()
    #expect(closed == nil)
    withExtendedLifetime((observation, other)) {}
  }

  @Test func `the states are a sequence that ends with the store`() async throws {
    let store = try CounterStore.inMemory(configuration: configuration)
    let states = store.states
    let consumer = Task {
      var counts: [Int] = []
      for await state in states { counts.append(state.counters.count) }
      return counts
    }
    for number in 1...100 { try await store.send([.added(name: "\(number)")]) }
    try await store.close()
    let counts = await consumer.value
    #expect(counts.last == 100)
    #expect(zip(counts, counts.dropFirst()).allSatisfy { $0 < $1 }, "\(counts)")
    // The states of a closed store are the last one only.
    var after: [Int] = []
    for await state in store.states { after.append(state.counters.count) }
    #expect(after == [100])
  }

  @Test func `a consumer that waits for states does not keep the store open`() async throws {
    weak var kept: CounterStore?
    var states: AsyncStream<CounterState>?
    do {
      let store = try CounterStore.inMemory(configuration: configuration)
      kept = store
      states = store.states
      try await store.send([.added(name: "one")])
    }
    #expect(kept == nil)
    var seen: [Int] = []
    if let states { for await state in states { seen.append(state.counters.count) } }
    #expect(seen == [1])
  }
}
