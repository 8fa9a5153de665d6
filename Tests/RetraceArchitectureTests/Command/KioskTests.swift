import RetraceArchitecture
import RetraceScreen
import RetraceState
import RetraceFixtures
import RetraceTesting
import Testing

/// The kiosk in a test store: commands, windows, effects that answer with commands, and undo.
@Suite struct KioskTests {
  private typealias Kiosk = TestStore<KioskApp>
  private let window = SceneID(value: 0)
  private let tea = KioskItemID(value: 0)

  private var added: KioskAction {
    .fact(.added(tea, Insertion(KioskItem(name: "tea", price: 3))))
  }
  private func restocked(_ before: Int64, _ after: Int64) -> KioskAction {
    .stockChanged(tea, from: before, to: after)
  }

  @Test func `each command has its facts or its refusal`() {
    let given = Kiosk.given([added, restocked(0, 5)])
    Kiosk.given([]).when(.add(name: "tea", price: 3)).then([added])
    given.when(.add(name: "", price: 3)).then(refused: .nameEmpty)
    given.when(.add(name: "tea", price: 3)).then(refused: .nameTaken("tea"))
    given.when(.add(name: "jam", price: 0)).then(refused: .invalidPrice(0))
    given.when(.sell(tea, count: 2)).then([
      .stockChanged(tea, from: 5, to: 3)
    ])
    given.when(.sell(tea, count: 6)).then(refused: .outOfStock(tea, stock: 5))
    given.when(.sell(KioskItemID(value: 7), count: 1))
      .then(refused: .noItem(KioskItemID(value: 7)))
    given.when(.restock(tea, count: 0)).then(refused: .invalidCount(0))
    given.when(.restock(tea, count: KioskDecider.stockMax))
      .then(refused: .invalidCount(KioskDecider.stockMax))
    given.when(.reprice(tea, price: 4)).then([
      .fact(.repriced(tea, price: Change(from: 3, to: 4)))
    ])
    given.when(.reprice(tea, price: 3)).then([])
    given.when(.reprice(tea, price: -1)).then(refused: .invalidPrice(-1))
  }

  @Test func `a window keeps its draft, its selection and its screen`() {
    var store = Kiosk.given([added])
    store.send(.opened(window)) { $0.windows[SceneID(value: 0)] = KioskWindow() }
    let typed = TextDraft().replacement(for: .insert("jam"))
    store.send(.window(window, .edited(typed))) {
      $0.windows[SceneID(value: 0)]?.draft = TextDraft("jam")
    }
    store.send(.window(window, .selected(tea))) {
      $0.windows[SceneID(value: 0)]?.selection = KioskItemID(value: 0)
    }
    let screen = KioskApp.screen(
      of: window, in: store.state, at: store.clock.moment,
      size: Screen.Size(columns: 40, rows: 5))
    #expect(
      screen.canvas.lines.dropLast() == ["> tea, 0 for 3 each", "new item: jam"])
    store.send(.closed(window)) { $0.windows = [:] }
    store.send(.window(window, .selected(nil))) { $0.missing = 1 }
  }

  @Test func `an order ends with a command, whose facts or refusal the test expects`()
    async throws
  {
    let asked = KioskAction.scene(.window(window, .request(.restock(tea, count: 10))))
    var store = ordered
    await store.run("KioskOrder", in: KioskDesk(), sending: [asked]) {
      _ = $0.items.modify(KioskItemID(value: 0)) { $0.stock = 10 }
      $0.total = 10
      $0.factCount = 2
    }
    store.finish()
    store = ordered
    await store.run("KioskOrder", in: KioskDesk { _ in -1 }, refused: [.invalidCount(-1)])
    store.finish()
    store = ordered
    let surprising = await issues { await store.run("KioskOrder", in: KioskDesk { _ in -1 }) }
    #expect(surprising.first?.hasSuffix("invalidCount(-1), but none was expected") == true)
    store = ordered
    let empty = KioskDesk { _ in throw KioskDesk.NotDelivered("sold out") }
    await store.run("KioskOrder", in: empty) {
      $0.windows[SceneID(value: 0)]?.problem = "sold out"
    }
    store.finish()
    store = ordered
    store.send(.closed(window)) { $0.windows = [:] }
    store.finish()
  }

  /// A store with an order in flight.
  private var ordered: Kiosk {
    Kiosk.given([
      added, .scene(.opened(window)), .scene(.window(window, .selected(tea))),
      .scene(.window(window, .orderPressed)),
    ])
  }

  @Test func `an answer with a fact is a mismatch, and a restart asks for the command in place`()
    async
  {
    var store = TestStore<ErrandKiosk>.given([added, .scene(.opened(window))])
    let errand = KioskErrand(inPlace: .restock(tea, count: 1))
    store.send(.window(window, .orderPressed), effect: .run(errand))
    var desk = KioskDesk()
    desk.errand = { [.fact(.repriced(KioskItemID(value: 0), price: Change(from: 3, to: 4)))] }
    let lying = desk
    let found = await issues { await store.run("KioskErrand", in: lying) }
    #expect(found.first?.contains("It has a fact, which only a decider returns.") == true)
    // At a restart, the command in place of the leaf is decided.
    store.send(.window(window, .orderPressed), effect: .run(errand))
    store.restart {
      _ = $0.items.modify(KioskItemID(value: 0)) { $0.stock = 1 }
      $0.total = 1
      $0.factCount = 2
    }
    store.finish()
  }

  @Test func `invariants hold after random commands, and some are refused`() {
    withSeed("Kiosk") { random in
      var facts: [KioskAction] = []
      var accepted = 0
      for _ in 0..<200 {
        let store = Kiosk.given(facts)
        let command = KioskCommand.random(using: &random)
        let decided = store.when(command).facts
        accepted += decided.isEmpty ? 0 : 1
        facts += decided
        #expect(KioskApp.violations(of: Kiosk.given(facts).state).isEmpty)
      }
      #expect(accepted > 20)
    }
  }
}
