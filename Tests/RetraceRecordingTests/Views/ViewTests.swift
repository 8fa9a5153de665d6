import RetraceArchitecture
import RetraceFixtures
import RetraceScreen
import RetraceState
import RetraceStorage
import RetraceSystem
import Synchronization
import Testing

@testable import RetraceRecording

/// Selecting from a store, and views of it.
@Suite struct ViewTests {
  private typealias CounterStore = Store<CounterApp>
  private let tea = CounterID(value: 0)

  private func open() throws(StoreError) -> CounterStore {
    try CounterStore.inMemory(
      configuration: StoreConfiguration(clock: { Moment(microseconds: 1_000_000) }))
  }

  private func openHouse() throws(StoreError) -> Store<HouseApp> {
    try Store<HouseApp>.inMemory(environment: HouseDesk())
  }

  // MARK: Selecting

  @Test func `a selected value is told at once and after each change of it, also by key path [V1]`()
    throws
  {
    let store = try open()
    try store.sendBlocking([.added(name: "tea")])
    let totals = Lock<[Int64]>([])
    let counts = Lock<[Int]>([])
    let first = store.select(\.total) { total in totals.withLock { $0.append(total) } }
    let second = store.select({ $0.counters.count }) { count in
      counts.withLock { $0.append(count) }
    }
    try store.sendBlocking([.counted(tea, by: 2)])
    try store.sendBlocking([.added(name: "milk")])
    try store.sendBlocking([.counted(tea, by: 2), .counted(tea, by: -2)])
    #expect(totals.withLock { $0 } == [0, 2])
    #expect(counts.withLock { $0 } == [1, 2])
    first.cancel()
    try store.sendBlocking([.counted(tea, by: 1)])
    #expect(totals.withLock { $0 } == [0, 2])
    withExtendedLifetime((first, second)) {}
    try store.closeBlocking()
  }

  @Test func `a compact selection leaves out the states without a value [V2]`() throws {
    let store = try openHouse()
    let seen = Lock<[[String]]>([])
    let observation = store.compactSelect({ $0.guest?.seen }) { texts in
      seen.withLock { $0.append(texts) }
    }
    #expect(seen.withLock { $0 } == [])
    try store.sendBlocking([.hadGuest(true)])
    try store.sendBlocking([.hadGuest(false)])
    try store.sendBlocking([.hadGuest(true)])
    try store.sendBlocking([.guest(.glowed("warm"))])
    #expect(seen.withLock { $0 } == [[], ["warm"]])
    withExtendedLifetime(observation) {}
    try store.closeBlocking()
  }

  @Test func `a selection compares with the caller's function [V3]`() throws {
    let store = try open()
    try store.sendBlocking([.added(name: "tea")])
    let seen = Lock<[Int64]>([])
    let observation = store.select({ $0.total }, by: { $0 / 10 == $1 / 10 }) { total in
      seen.withLock { $0.append(total) }
    }
    for step: Int64 in [4, 5, 3, 7, 1] { try store.sendBlocking([.counted(tea, by: step)]) }
    #expect(seen.withLock { $0 } == [0, 12, 20])
    withExtendedLifetime(observation) {}
    try store.closeBlocking()
  }

  @Test func `a selector maps an input once, whoever asks, and counts that [V4]`() throws {
    let store = try open()
    let names = Selector({ (state: CounterState) in state.counters }) { counters in
      var names: [String] = []
      counters.forEach { _, counter in names.append(counter.name) }
      return names
    }
    #expect(names.recomputations == 0)
    #expect(names(store.state) == [])
    #expect(names(store.state) == [])
    #expect(names.recomputations == 1)
    let seen = Lock<[[String]]>([])
    let observations = (0..<3).map { _ in
      store.select(names) { found in seen.withLock { $0.append(found) } }
    }
    let view = store.view(names, action: { (action: CounterAction) in action })
    #expect(view.state == [])
    #expect(names.recomputations == 1)
    try store.sendBlocking([.added(name: "tea")])
    #expect(view.state == ["tea"] && names(store.state) == ["tea"])
    #expect(seen.withLock { $0 } == [[], [], [], ["tea"], ["tea"], ["tea"]])
    #expect(names.recomputations == 2)
    withExtendedLifetime(observations) {}
    try store.closeBlocking()
  }

  @Test func `an unrelated change maps nothing and asks nothing below the view [V5]`() throws {
    let store = try open()
    try store.sendBlocking([.added(name: "tea")])
    let asked = Lock(0)
    let mapped = Lock(0)
    let compared = Lock(0)
    let view = store.view(
      Selector(
        { (state: CounterState) in state.counters },
        by: { old, new in
          compared.withLock { $0 += 1 }
          return old == new
        },
        map: { counters in
          mapped.withLock { $0 += 1 }
          return counters.count
        }), action: { (action: CounterAction) in action })
    let observations = (0..<10).map { number in
      view.select { count in
        asked.withLock { $0 += 1 }
        return count + number
      } _: { _ in
      }
    }
    let before = (asked.withLock { $0 }, mapped.withLock { $0 }, compared.withLock { $0 })
    #expect(before.1 == 1)
    for _ in 0..<5 { try store.sendBlocking([.counted(CounterID(value: 9), by: 1)]) }
    #expect(asked.withLock { $0 } == before.0)
    #expect(mapped.withLock { $0 } == before.1)
    #expect(compared.withLock { $0 } == before.2 + 5)
    withExtendedLifetime(observations) {}
    try store.closeBlocking()
  }

  // MARK: Views

  @Test func `a view maps state and actions, drops some, and keeps batches together [V6]`()
    async throws
  {
    let store = try open()
    let view = store.view({ $0.total }) { (step: Int64) -> CounterAction? in
      step == 0 ? nil : .counted(CounterID(value: 0), by: step)
    }
    try store.sendBlocking([.added(name: "tea")])
    let totals = Lock<[Int64]>([])
    let states = Lock<[Int64]>([])
    let observation = view.observe { total in totals.withLock { $0.append(total) } }
    let whole = store.observe { state in states.withLock { $0.append(state.total) } }
    let before = store.sequence
    #expect(try await view.send(3) == nil)
    try await view.send([1, 0, 2])
    #expect(store.sequence == before + 3)
    #expect(view.state == 6)
    #expect(totals.withLock { $0 } == [0, 3, 6])
    #expect(states.withLock { $0 } == [0, 3, 6])
    // Nothing is left of these.
    try await view.send(0)
    try view.sendBlocking([0, 0])
    try view.sendBlocking([])
    #expect(store.sequence == before + 3)
    withExtendedLifetime((observation, whole)) {}
    try await store.close()
  }

  @Test func `a view of a view has the state and the actions of both mappings [V7]`() throws {
    let store = try openHouse()
    try store.sendBlocking([.hadGuest(true)])
    let hall = store.view({ $0.hall }, action: HouseAction.hall)
    let texts = hall.view({ $0.seen }, map: { $0.joined(separator: ", ") }) { (text: String) in
      text.utf8.isEmpty ? nil : LampAction.glowed(text)
    }
    let seen = Lock<[String]>([])
    let observation = texts.observe { text in seen.withLock { $0.append(text) } }
    try texts.sendBlocking(["a", "", "b"])
    try store.sendBlocking([.noted("elsewhere")])
    try hall.sendBlocking([.glowed("c")])
    #expect(store.state.hall.seen == ["a", "b", "c"])
    #expect(texts.state == "a, b, c")
    #expect(seen.withLock { $0 } == ["", "a, b", "a, b, c"])
    withExtendedLifetime(observation) {}
    try store.closeBlocking()
  }

  @Test
  func `an optional view skips states without its part, and what it sends then is missing [V8]`()
    throws
  {
    let store = try openHouse()
    #expect(store.optionalView({ $0.guest }, action: HouseAction.guest) == nil)
    try store.sendBlocking([.hadGuest(true)])
    let found = store.optionalView({ $0.guest }, action: HouseAction.guest)
    let guest = try #require(found)
    let seen = Lock<[[String]]>([])
    let observation = guest.select({ $0.seen }) { texts in seen.withLock { $0.append(texts) } }
    try guest.sendBlocking([.glowed("a")])
    try store.sendBlocking([.hadGuest(false)])
    #expect(guest.state.seen == ["a"])
    // The policy: the reducer gets the action, and records that its target was missing.
    try guest.sendBlocking([.glowed("lost")])
    #expect(store.state.missing == 1)
    #expect(seen.withLock { $0 } == [[], ["a"]])
    try store.sendBlocking([.hadGuest(true)])
    try guest.sendBlocking([.glowed("b")])
    #expect(guest.state.seen == ["b"])
    #expect(seen.withLock { $0 } == [[], ["a"], [], ["b"]])
    withExtendedLifetime(observation) {}
    try store.closeBlocking()
  }

  @Test func `a stateless view only sends, and an actionless one only observes [V9]`() throws {
    let store = try open()
    let calls = Lock(0)
    let totals = Lock<[Int64]>([])
    let stateless = store.stateless
    let actionless: StoreView<CounterState, Never> = store.actionless
    let first = stateless.observe { calls.withLock { $0 += 1 } }
    let second = actionless.select(\.total) { total in totals.withLock { $0.append(total) } }
    try stateless.sendBlocking([.added(name: "tea"), .counted(tea, by: 2)])
    #expect(calls.withLock { $0 } == 1)
    #expect(totals.withLock { $0 } == [0, 2])
    #expect(actionless.state.total == 2)
    withExtendedLifetime((first, second)) {}
    try store.closeBlocking()
  }

  @Test func `a view of intents performs commands, tells a refusal and drops what follows`()
    async throws
  {
    let kiosk = try Store<KioskApp>.inMemory(environment: KioskDesk())
    let window = SceneID(value: 0)
    try kiosk.sendBlocking([.opened(window)])
    let names = kiosk.intents.view({ $0.items }, map: { $0.count }) {
      (name: String) -> KioskApp.Intent? in
      name == "help" ? .scene(.window(window, .helpToggled)) : .command(.add(name: name))
    }
    #expect(try await names.send(["help", "tea"]) == nil)
    #expect(names.state == 1 && kiosk.state.windows[window]?.isHelpShown == true)
    let refusal = try await names.send(["tea", "help", "milk"])
    #expect(refusal as? KioskRefusal == .nameTaken("tea"))
    #expect(names.state == 1 && kiosk.state.windows[window]?.isHelpShown == true)
    try await kiosk.close()
  }

  // MARK: Threads and ends

  @Test func `views of a store that many threads change end on the latest state`() async throws {
    let store = try open()
    let last = Lock<[Int: Int]>([:])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<4 {
        group.addTask {
          try await onOwnThread {
            for _ in 0..<50 { try store.sendBlocking([.added(name: "\(number)")]) }
          }
        }
      }
      var observations: [Observation] = []
      for number in 0..<40 {
        let view = store.view({ $0.counters.count }) { (action: CounterAction) in action }
        let observation = view.select({ $0 }) { count in
          let before = last.withLock { last in
            defer { last[number] = count }
            return last[number] ?? 0
          }
          #expect(before <= count, "an older state after a newer one")
        }
        // Some end at once, so that views come and go while states are passed on.
        if number % 4 == 3 { observation.cancel() } else { observations.append(observation) }
        await Task.yield()
      }
      try await group.waitForAll()
      withExtendedLifetime(observations) {}
    }
    for number in 0..<40 where number % 4 != 3 {
      #expect(last.withLock { $0[number] } == 200, "view \(number)")
    }
    try await store.close()
  }

  @Test func `observers of a view end with the store, and unobserved views do not observe it`()
    async throws
  {
    let store = try open()
    let view = store.view({ $0.total }) { (action: CounterAction) in action }
    #expect(!store.writer.publisher.isObserved)
    let observation = view.observe { _ in }
    #expect(store.writer.publisher.isObserved)
    observation.cancel()
    #expect(!store.writer.publisher.isObserved)
    let states = view.states
    try await view.send([.added(name: "tea"), .counted(tea, by: 2)])
    try await store.close()
    var totals: [Int64] = []
    for await total in states { totals.append(total) }
    #expect(totals == [2])
    var after: [Int64] = []
    for await total in view.states { after.append(total) }
    #expect(after == [2])
    await #expect(throws: StoreError.self) { try await view.send(.added(name: "milk")) }
  }

  @Test func `a view keeps the store open, an observation of it does not`() throws {
    weak var kept: CounterStore?
    var view: StoreView<Int64, CounterAction>?
    var observation: Observation?
    do {
      let store = try open()
      kept = store
      view = store.view(\.total, action: { $0 })
      observation = view?.view({ $0 > 0 }) { (action: CounterAction) in action }.observe { _ in }
    }
    try view?.sendBlocking([.added(name: "tea"), .counted(tea, by: 2)])
    #expect(kept?.state.total == 2)
    view = nil
    #expect(kept == nil)
    withExtendedLifetime(observation) {}
  }

  @Test func `an observer of a view may add observers and send without waiting`() throws {
    let store = try open()
    let view = store.view({ $0.counters.count }) { (action: CounterAction) in action }
    let held = Lock<[Observation]>([])
    let seen = Lock<[Int]>([])
    let observation = view.observe { [weak store] count in
      guard count == 1, let store else { return }
      let more = view.select({ $0 * 10 }) { tens in seen.withLock { $0.append(tens) } }
      held.withLock { $0.append(more) }
      try? store.enqueue([.added(name: "queued")])
    }
    try store.sendBlocking([.added(name: "tea")])
    try store.flushBlocking()
    #expect(seen.withLock { $0 } == [10, 20])
    withExtendedLifetime(observation) {}
    held.withLock { $0 = [] }
    try store.closeBlocking()
  }
}
