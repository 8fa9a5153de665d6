import RetraceArchitecture
import RetraceFixtures
import RetraceLog
import RetraceRecording
import RetraceState
import RetraceTesting
import Testing

/// A recorded log as the steps of a test.
@Suite struct ReplayingTests {
  private let window = SceneID(value: 0)
  private let tea = KioskItemID(value: 0)

  /// Returns a store whose user has sold too much, and has renamed and ordered something.
  private func recorded() throws -> Store<KioskApp> {
    var configuration = StoreConfiguration()
    configuration.hashInterval = 1
    configuration.origin.login = "anna"
    // Without an environment, the order stays in flight.
    let store = try Store<KioskApp>.inMemory(configuration: configuration)
    try store.performBlocking(.add(name: "tea", price: 3))
    try store.performBlocking(.restock(tea, count: 5))
    #expect(throws: CommandError<KioskApp>.self) {
      try store.performBlocking(.sell(tea, count: 6), from: .scene)
    }
    try store.performBlocking(.rename(tea, to: "mate"))
    try store.sendBlocking([.opened(window), .window(window, .selected(tea))])
    try store.sendBlocking([.window(window, .orderPressed)])
    return store
  }

  @Test func `a test goes on where a log ends [D9]`() async throws {
    let recorded = try recorded()
    var store = try TestStore<KioskApp>.replaying(recorded.storage, environment: KioskDesk())
    #expect(store.state == recorded.state && store.leavesInFlight.map(\.name) == ["KioskOrder"])
    await store.receive(.scene(.window(window, .request(.restock(tea, count: 10))))) {
      _ = $0.items.modify(KioskItemID(value: 0)) { $0.stock = 15 }
      $0.total = 15
      $0.factCount += 1
    }
    store.finish()
    try await recorded.close()
  }

  @Test func `a log shows what this build decides or reduces differently [D9]`() async throws {
    let recorded = try recorded()
    let decided = issues { _ = try? TestStore<OversoldKiosk>.replaying(recorded.storage) }
    #expect(decided.count == 1)
    #expect(decided.first?.contains("outOfStock") == true, "\(decided)")
    #expect(decided.first?.contains("and now leads to") == true, "\(decided)")
    let reduced = issues { _ = try? TestStore<ForgetfulKiosk>.replaying(recorded.storage) }
    #expect(reduced.first?.hasPrefix("the state differs from the recorded one") == true)
    try await recorded.close()
  }
}
