import RetraceArchitecture
import RetraceFixtures
import RetraceState
import RetraceStorage
import RetraceSystem
import RetraceTesting
import Testing

@testable import RetraceRecording

/// What every store of a state architecture promises, whether it records or not.
@Suite struct StoreContractTests {
  private typealias CounterStore = Store<CounterApp>
  private let tea = CounterID(value: 0)

  private func open() throws(StoreError) -> CounterStore {
    try CounterStore.inMemory(
      configuration: StoreConfiguration(clock: { Moment(microseconds: 1_000_000) }))
  }

  @Test func `a new store has the initial state, which is read without waiting [S1]`() throws {
    let store = try Store<HouseApp>.inMemory(environment: HouseDesk())
    #expect(store.state == HouseApp.initialState)
    #expect(store.sequence == 0)
    try store.closeBlocking()
  }

  @Test func `each action is reduced once, in the order in which it was sent [S2]`() async throws {
    let store = try open()
    for number in 0..<20 { try await store.send(.added(name: "\(number)")) }
    try store.sendBlocking([.counted(tea, by: 1)])
    #expect(store.state.total == 1 && store.state.counters.count == 20)
    var names: [String] = []
    store.state.counters.forEach { _, counter in names.append(counter.name) }
    #expect(names == (0..<20).map { "\($0)" })
    try await store.close()
  }

  @Test func `each action of a batch sees the one before, and observers one state [S3]`() throws {
    let store = try open()
    let totals = Lock<[Int64]>([])
    let views = Lock<[Int64]>([])
    let observations = [
      store.observe { state in totals.withLock { $0.append(state.total) } },
      store.select(\.total) { total in views.withLock { $0.append(total) } },
    ]
    try store.sendBlocking([.added(name: "tea"), .counted(tea, by: 2), .counted(tea, by: 3)])
    #expect(totals.withLock { $0 } == [0, 5] && views.withLock { $0 } == [0, 5])
    #expect(store.state.refused == 0 && store.sequence == 4)
    withExtendedLifetime(observations) {}
    try store.closeBlocking()
  }

  @Test func `an empty batch reduces, emits and records nothing [S4]`() async throws {
    let store = try open()
    let calls = Lock(0)
    let observations = [
      store.observe { _ in calls.withLock { $0 += 1 } },
      store.observeCommits { _ in calls.withLock { $0 += 1 } },
    ]
    #expect(try await store.send([]).sequences.isEmpty)
    try store.sendBlocking([])
    try store.enqueue([])
    try await store.flush()
    #expect(calls.withLock { $0 } == 1 && store.sequence == 0)
    withExtendedLifetime(observations) {}
    try await store.close()
  }

  @Test func `a batch that changes nothing emits nothing, except to observers of commits [S5]`()
    throws
  {
    let store = try open()
    try store.sendBlocking([.added(name: "tea")])
    let states = Lock(0)
    let commits = Lock(0)
    let observations = [
      store.observe { _ in states.withLock { $0 += 1 } },
      store.select({ $0 }) { _ in states.withLock { $0 += 1 } },
      store.observeCommits { _ in commits.withLock { $0 += 1 } },
    ]
    try store.sendBlocking([.noticed("nothing")])
    try store.sendBlocking([.counted(tea, by: 1), .counted(tea, by: -1)])
    #expect(states.withLock { $0 } == 2 && commits.withLock { $0 } == 2)
    #expect(store.sequence == 5)
    withExtendedLifetime(observations) {}
    try store.closeBlocking()
  }

  @Test func `a sender learns when the effects of its batch have ended [S13]`() async throws {
    let desk = HouseDesk(["milk": .waits])
    let store = try Store<HouseApp>.inMemory(environment: desk)
    let receipt = try await store.send(.started(Errand("milk"), after: .zero, id: ""))
    #expect(receipt.state.done == [])
    await desk.whenStarted(1)
    let settled = Task { try await receipt.settled() }
    desk.release("milk")
    try await settled.value
    #expect(store.state.done == ["done milk"])
    #expect(store.effectsInFlight.isEmpty)
    try await store.close()
  }
}
