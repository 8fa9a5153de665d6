import RetraceArchitecture
import RetraceState
import RetraceFixtures
import RetraceTesting
import Testing

/// The difference of two lists of subscriptions, as an effect.
@Suite struct SubscribingTests {
  private typealias Work = Effect<KioskAction, KioskDesk>

  private func prices(_ items: [Int64]) -> [KioskPrices] {
    items.map { KioskPrices(item: KioskItemID(value: $0)) }
  }

  private func steps(to new: [Int64], insteadOf old: [Int64]) -> [String] {
    Work.subscribe(to: prices(new), insteadOf: prices(old)).steps.map(\.description)
  }

  @Test func `new subscriptions start, missing ones are cancelled, and others stay [E10]`() {
    #expect(Work.subscribe(to: prices([1, 2]), insteadOf: prices([2, 1])).isNone)
    #expect(Work.subscribe(to: prices([]), insteadOf: prices([])).isNone)
    #expect(
      steps(to: [3, 1, 3], insteadOf: [2, 1, 2]) == [
        "cancel(KioskPrices 04)",
        "cancellable(KioskPrices 06, \(prices([3])[0]))",
      ])
  }

  @Test func `listed work starts after its time, and is cancelled when it is gone [E10]`() {
    typealias Work = Effect<KioskWindowAction, KioskDesk>
    func orders(_ counts: [Int64]) -> [KioskOrder] {
      counts.map { KioskOrder(item: KioskItemID(value: 0), count: $0) }
    }
    #expect(Work.run(orders([1, 2]), insteadOf: orders([2, 1])).isNone)
    let late = Work.run(orders([3, 1, 3, 0]), insteadOf: orders([2, 1])) { .seconds($0.count) }
    #expect(
      late.steps.map(\.description) == [
        "cancel(KioskOrder 0004)",
        "cancellable(KioskOrder 0006, delay(3000000 us, \(orders([3])[0])))",
        "cancellable(KioskOrder 0000, delay(0 us, \(orders([0])[0])))",
      ])
    #expect(Work.run(orders([1]), insteadOf: []).leaves.map(\.delay) == [.zero])
  }

  @Test func `any sequence of lists leaves exactly the last one in flight [E10]`() {
    withSeed("Subscribing") { random in
      var inFlight = EffectsInFlight()
      var old: [Int64] = []
      for cause in 1...200 as ClosedRange<UInt64> {
        let new = (0..<Int.random(in: 0...4, using: &random)).map { _ in
          Int64.random(in: 0..<6, using: &random)
        }
        let before = inFlight.leaves
        inFlight.register(
          Work.subscribe(to: prices(new), insteadOf: prices(old)), cause: cause,
          at: Moment(microseconds: 0))
        let names = inFlight.leaves.flatMap(\.cancellations).map(\.name)
        // Avro writes the number N as 2N.
        let expected = new.map { "KioskPrices 0\(String($0 * 2, radix: 16))" }
        #expect(Set(names) == Set(expected))
        #expect(names.count == Set(new).count)
        // A subscription that stays is the same leaf.
        for leaf in before where leaf.cancellations.contains(where: { names.contains($0.name) }) {
          #expect(inFlight.contains(leaf.id))
        }
        old = new
      }
    }
  }

  @Test func `a subscription stays in flight over a restart, as what runs again does`() {
    let window = SceneID(value: 0)
    var store = TestStore<KioskApp>.given([
      .fact(.added(KioskItemID(value: 0), Insertion(KioskItem(name: "tea", price: 3)))),
      .scene(.opened(window)), .scene(.window(window, .selected(KioskItemID(value: 0)))),
    ])
    store.send(
      .window(window, .followed(true)),
      effect: .subscribe(to: prices([0]), insteadOf: [])
    ) { $0.windows[window]?.followsPrices = true }
    store.restart()
    #expect(store.leavesInFlight.map(\.name) == ["KioskPrices"])
    #expect(store.leavesInFlight.first?.interruptionPolicy == .run)
    store.send(
      .window(window, .followed(false)),
      effect: .subscribe(to: [], insteadOf: prices([0]))
    ) { $0.windows[window]?.followsPrices = false }
    store.finish()
  }
}
