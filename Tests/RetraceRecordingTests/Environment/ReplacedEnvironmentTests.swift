import CivilTime
import RetraceArchitecture
import RetraceAvro
import RetraceFixtures
import RetraceLog
import RetraceReplay
import RetraceState
import RetraceStorage
import RetraceSystem
import RetraceTesting
import Testing

@testable import RetraceRecording

/// Structs of dependencies for effects: live, mock and failing ones, and their replacement.
@Suite struct ReplacedEnvironmentTests {
  private func services(
    names: NameService = .failing, analytics: AnalyticsSink = .failing,
    instruments: Instruments? = nil
  ) -> Services {
    Services(
      names: names,
      instruments: instruments
        ?? Instruments(
          now: { Moment(microseconds: 0) }, zone: .utc, nextID: { 0 }, random: { 0 },
          clock: VirtualClock()),
      analytics: analytics)
  }

  private func send(_ action: CounterAction, to store: Store<ServedApp>) async throws {
    try await store.send(action).settled()
  }

  @Test func `an environment has live, mock and failing services, and parts for features [P1]`()
    async throws
  {
    for (service, name) in [(NameService.live, "tea from the network"), (.mock, "mock tea")] {
      let store = try Store<ServedApp>.inMemory(environment: services(names: service))
      try await send(.noticed("tea"), to: store)
      #expect(store.state.names == [name])
      try await store.close()
    }
    // A failing service fails the leaf and names itself in the log; the store goes on.
    let store = try Store<ServedApp>.inMemory(environment: services())
    try await send(.noticed("tea"), to: store)
    try await send(.added(name: "milk"), to: store)
    #expect(store.state.names == ["milk"])
    #expect(try Self.failures(in: store) == ["\(Unimplemented("NameService.find"))"])
    try await store.close()
  }

  @Test func `a service is replaced while stores are open, in a scope and for one store [P1]`()
    async throws
  {
    let (first, second) = (Replaceable(NameService.live), Replaceable(NameService.live))
    let stores = try [first, second].map { replaceable in
      let names = NameService { try await replaceable.current.find($0) }
      return try Store<ServedApp>.inMemory(environment: services(names: names))
    }
    try await send(.noticed("a"), to: stores[0])
    try await first.withReplacement(.mock) {
      try await send(.noticed("b"), to: stores[0])
      try await send(.noticed("b"), to: stores[1])
      let inner = NameService { _ in "inner" }
      try await first.withReplacement(inner) { try await send(.noticed("c"), to: stores[0]) }
      try await send(.noticed("d"), to: stores[0])
    }
    try await send(.noticed("e"), to: stores[0])
    first.replace(with: NameService { "replaced \($0)" })
    try await send(.noticed("f"), to: stores[0])
    #expect(
      stores[0].state.names == [
        "a from the network", "mock b", "inner", "mock d", "e from the network", "replaced f",
      ])
    #expect(stores[1].state.names == ["b from the network"])
    for store in stores { try await store.close() }
  }

  @Test func `clock, zone, ids, random numbers and time to wait are the environment's [P2]`()
    async throws
  {
    let clock = VirtualClock(at: Moment(microseconds: 1_000_000_000_000_000))
    let ids = Lock<Int64>(40)
    let random = Lock(SeededGenerator(seed: 7))
    var expected = SeededGenerator(seed: 7)
    let instruments = Instruments(
      now: { clock.moment }, zone: ZoneRules(id: "Fixed", offsetSeconds: -7_200),
      nextID: {
        ids.withLock { id in
          id += 1
          return id
        }
      }, random: { random.withLock { $0.next() } }, clock: clock)
    var configuration = StoreConfiguration(clock: { clock.moment })
    configuration.effectClock = clock
    let store = try Store<ServedApp>.inMemory(
      configuration: configuration, environment: services(instruments: instruments))
    for round: Int64 in 1...2 {
      let receipt = try await store.send(.noticed("instruments"))
      await clock.whenSleeping(1)
      #expect(store.state.counters.count == round - 1)
      clock.advance(by: .seconds(5))
      try await receipt.settled()
    }
    let names = [41, 42].map { "read \($0) \(expected.next() % 100) 2001-09-08" }
    #expect(store.state.names == names)
    #expect(store.state.lastMoment == clock.moment)
    // A replay has no environment: what the instruments showed is in the log.
    var replayer = try Replayer<ServedApp>(store.storage)
    try replayer.seek(to: replayer.last)
    #expect(replayer.state == store.state)
    try await store.close()
  }

  @Test func `events of analytics reach every sink after the commit, and none in a replay [O4]`()
    async throws
  {
    let first = Lock<[String]>([])
    let second = Lock<[String]>([])
    let sink = AnalyticsSink.composite(
      AnalyticsSink { events in first.withLock { $0 += events } },
      AnalyticsSink { events in second.withLock { $0 += events } })
    let store = try Store<ServedApp>.inMemory(environment: services(analytics: sink))
    let tea = CounterID(value: 0)
    try await send(.added(name: "tea"), to: store)
    try await send(.counted(tea, by: 2), to: store)
    try await send(.counted(tea, by: 3), to: store)
    let events = ["counted 2 on 0", "counted 3 on 2"]
    #expect(first.withLock { $0 } == events && second.withLock { $0 } == events)
    var replayer = try Replayer<ServedApp>(store.storage)
    try replayer.seek(to: replayer.last)
    #expect(replayer.state == store.state && replayer.effectsInFlight.isEmpty)
    #expect(first.withLock { $0 } == events && second.withLock { $0 } == events)
    try await store.close()
  }

  /// The errors of the leaves that failed, as the log has them.
  private static func failures(in store: Store<ServedApp>) throws -> [String] {
    var found: [String] = []
    try store.storage.withReadView { (view) throws(StoreError) in
      try view.forEachRecord(from: 1, through: view.head.sequence) {
        (envelope, payload) throws(StoreError) in
        guard envelope.kind == .effectFinished, let end = try? EffectFinished(encoded: payload),
          !end.error.isEmpty
        else { return }
        found.append(end.error)
      }
    }
    return found
  }
}
