import RetraceArchitecture
import RetraceAvro
import RetraceLog
import RetraceReplay
import RetraceState
import RetraceStorage
import RetraceSystem
import RetraceFixtures
import Testing

@testable import RetraceRecording

/// Subscriptions, which start and end as the state says, and go on in the next session.
@Suite struct SubscriptionTests {
  /// A supplier who announces prices as a test says.
  private final class Supplier: Sendable {
    struct Broken: Error {}

    private struct State {
      var notes: [String] = []
      var numbers: Int64 = 0
      var waiting: [KioskItemID: AsyncThrowingStream<KioskPrice, any Error>.Continuation] = [:]
    }

    private let state = Lock(State())

    /// What happened, in order: `+0` is the start of the subscription to item 0, and `-0` its end.
    var notes: [String] { state.withLock { $0.notes } }

    /// Announces a price; `nil` breaks the subscription, or ends it.
    func announce(_ price: Int64?, of item: KioskItemID, breaks: Bool = false) {
      state.withLock { state in
        state.numbers += 1
        guard let price else {
          state.waiting[item]?.finish(throwing: breaks ? Broken() : nil)
          return
        }
        state.waiting[item]?.yield(KioskPrice(number: state.numbers, price: price))
      }
    }

    var desk: KioskDesk {
      var desk = KioskDesk()
      desk.prices = { item, receive in
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: KioskPrice.self)
        self.state.withLock { state in
          state.notes.append("+\(item.value)")
          state.waiting[item] = continuation
        }
        defer { self.state.withLock { $0.notes.append("-\(item.value)") } }
        for try await price in stream { try await receive(price) }
      }
      return desk
    }
  }

  private let tea = KioskItemID(value: 0)
  private let jam = KioskItemID(value: 1)
  private let left = SceneID(value: 0)
  private let right = SceneID(value: 1)

  /// Waits until a condition holds.
  private func until(_ condition: () -> Bool) async throws {
    for _ in 0..<20_000 where !condition() { try await Task.sleep(for: .milliseconds(1)) }
    #expect(condition())
  }

  private func open(at path: String, _ supplier: Supplier) throws -> Store<KioskApp> {
    try Store<KioskApp>.openBlocking(
      at: path, configuration: StoreConfiguration(), environment: supplier.desk)
  }

  /// Adds both items, and opens two windows on the first.
  private func prepare(_ store: Store<KioskApp>) throws {
    try store.performBlocking(.add(name: "tea", price: 3))
    try store.performBlocking(.add(name: "jam", price: 4))
    try store.sendBlocking([
      .opened(left), .opened(right), .window(left, .selected(tea)), .window(right, .selected(tea)),
    ])
  }

  private func ends(_ store: Store<KioskApp>) throws -> [String] {
    var ends: [String] = []
    try store.storage.withReadView { (view) throws(StoreError) in
      try view.forEachRecord(from: 1, through: view.head.sequence) {
        (envelope, payload) throws(StoreError) in
        guard envelope.kind == .effectFinished else { return }
        guard let end = try? EffectFinished(encoded: payload) else { return }
        ends.append("\(end.outcome) \(end.error)")
      }
    }
    return ends
  }

  @Test func `a subscription starts and ends with its predicate, and equal input leaves it [E10]`()
    async throws
  {
    try await ScratchDirectory.with { path in
      let supplier = Supplier()
      let store = try open(at: path, supplier)
      try prepare(store)
      #expect(store.effectsInFlight.isEmpty)
      try store.sendBlocking([.window(left, .followed(true))])
      try await until { supplier.notes == ["+0"] }
      let first = store.effectsInFlight.leaves
      // A second window follows the same item.
      try store.sendBlocking([.window(right, .followed(true))])
      #expect(store.effectsInFlight.leaves == first && first.count == 1)
      supplier.announce(7, of: tea)
      try await until { store.state.items[tea]?.price == 7 }
      // One key is new, the other one stays.
      try store.sendBlocking([.window(right, .selected(jam))])
      try await until { supplier.notes == ["+0", "+1"] }
      #expect(store.effectsInFlight.leaves.first == first.first)
      // One key goes, the other one stays.
      try store.sendBlocking([.closed(left)])
      try await until { supplier.notes == ["+0", "+1", "-0"] }
      supplier.announce(9, of: jam)
      try await until { store.state.items[jam]?.price == 9 }
      try store.sendBlocking([.window(right, .followed(false))])
      try await until { supplier.notes == ["+0", "+1", "-0", "-1"] }
      #expect(store.effectsInFlight.isEmpty)
      #expect(try ends(store).isEmpty)
      try await store.close()
    }
  }

  @Test func `a subscription ends with its store, and goes on in the next session [E10]`()
    async throws
  {
    try await ScratchDirectory.with { path in
      let (first, second) = (Supplier(), Supplier())
      let store = try open(at: path, first)
      try prepare(store)
      try store.sendBlocking([.window(left, .followed(true))])
      try await until { first.notes == ["+0"] }
      try await store.close()
      try await until { first.notes == ["+0", "-0"] }
      // Without an environment nothing can go on, and nothing is lost.
      let viewer = try Store<KioskApp>.openBlocking(at: path, configuration: StoreConfiguration())
      #expect(viewer.effectsInFlight.leaves.count == 1)
      try await viewer.close()
      let later = try open(at: path, second)
      try await until { second.notes == ["+0"] }
      second.announce(8, of: tea)
      try await until { later.state.items[tea]?.price == 8 }
      second.announce(nil, of: tea)
      try await until { later.effectsInFlight.isEmpty }
      #expect(try ends(later) == ["finished "])
      try await later.close()
      let last = try open(at: path, second)
      #expect(last.effectsInFlight.isEmpty)
      try await last.close()
      #expect(second.notes == ["+0", "-0"])
    }
  }

  @Test func `a subscription that throws is recorded as failed, and the others go on [E9]`()
    async throws
  {
    try await ScratchDirectory.with { path in
      let supplier = Supplier()
      let store = try open(at: path, supplier)
      try prepare(store)
      try store.sendBlocking([
        .window(left, .followed(true)), .window(right, .selected(jam)),
        .window(right, .followed(true)),
      ])
      try await until { Set(supplier.notes) == ["+0", "+1"] }
      supplier.announce(nil, of: tea, breaks: true)
      try await until { store.effectsInFlight.leaves.count == 1 }
      #expect(try ends(store) == ["failed Broken()"])
      supplier.announce(9, of: jam)
      try await until { store.state.items[jam]?.price == 9 }
      try await store.close()
    }
  }

  @Test func `a number that was announced is refused, and the subscription goes on [E9]`()
    async throws
  {
    try await ScratchDirectory.with { path in
      let supplier = Supplier()
      let store = try open(at: path, supplier)
      try prepare(store)
      try store.performBlocking(.announce(tea, price: 5, number: 2))
      try store.sendBlocking([.window(left, .followed(true))])
      try await until { supplier.notes == ["+0"] }
      for price in [10, 20, 30] as [Int64] { supplier.announce(price, of: tea) }
      try await until { store.state.items[tea]?.announcement == 3 }
      #expect(store.state.items[tea]?.price == 30)
      #expect(store.effectsInFlight.leaves.count == 1)
      let found = try Verifier<KioskApp>.verify(store.storage, decidingCommands: true)
      // Two items, one price by hand, two refused and one accepted.
      #expect(found.decisions?.decided == 6 && found.decisions?.divergences == 0)
      #expect(found.effects.divergences == 0 && found.effects.actions > 0)
      try await store.close()
    }
  }
}
