import Observation
import RetraceArchitecture
import RetraceFixtures
import RetraceState
import RetraceStorage
import RetraceSystem
import Testing

@testable import RetraceRecording

/// The state of a store on the main actor.
@MainActor @Suite struct MainActorStoreTests {
  /// Waits until a condition holds, while the main actor does other work.
  private func wait(until condition: () -> Bool) async throws {
    for _ in 0..<10_000 where !condition() { try await Task.sleep(for: .milliseconds(1)) }
    #expect(condition())
  }

  @Test func `the main actor sees the latest state, and observation tells each change of it`()
    async throws
  {
    let store = try Store<CounterApp>.inMemory()
    let tea = CounterID(value: 0)
    let counters = MainActorStore(store.view(\.total) { (step: Int64) in .counted(tea, by: step) })
    #expect(counters.state == 0)
    let changes = Lock(0)
    withObservationTracking {
      _ = counters.state
    } onChange: {
      changes.withLock { $0 += 1 }
    }
    try store.sendBlocking([.added(name: "tea")])
    #expect(try await counters.send(2, 3).value == nil)
    try await wait { counters.state == 5 }
    #expect(changes.withLock { $0 } == 1)
    // Sends from any thread arrive too, and a busy main actor skips states.
    for _ in 0..<100 { try store.sendBlocking([.counted(tea, by: 1)]) }
    #expect(counters.state == 5)
    try await wait { counters.state == 105 }
    try await store.close()
  }

  @Test func `batches of the main actor are recorded in the order of the calls`() async throws {
    let store = try Store<CounterApp>.inMemory()
    let counters = MainActorStore(store)
    let tasks = (0..<50).map { number in counters.send(.added(name: "\(number)")) }
    for task in tasks { _ = try await task.value }
    var names: [String] = []
    store.state.counters.forEach { _, counter in names.append(counter.name) }
    #expect(names == (0..<50).map { "\($0)" })
    try await store.close()
    await #expect(throws: StoreError.self) { try await counters.send(.added(name: "late")).value }
  }

  @Test func `a store that only the main actor had closes when it drops it`() async throws {
    weak var kept: Store<CounterApp>?
    var counters: MainActorStore<CounterState, CounterAction>?
    do {
      let store = try Store<CounterApp>.inMemory()
      kept = store
      counters = MainActorStore(store)
    }
    #expect(kept != nil && counters?.state.total == 0)
    counters = nil
    try await wait { kept == nil }
  }
}
