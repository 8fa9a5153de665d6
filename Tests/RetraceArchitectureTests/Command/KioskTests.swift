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

  @Test func `each command has its facts or its refusal`() throws {
    let given = try Kiosk.given([added, restocked(0, 5)])
    try Kiosk.given([]).when(.add(name: "tea", price: 3)).then([added])
    try given.when(.add(name: "", price: 3)).then(refused: .nameEmpty)
    try given.when(.add(name: "tea", price: 3)).then(refused: .nameTaken("tea"))
    try given.when(.add(name: "jam", price: 0)).then(refused: .invalidPrice(0))
    try given.when(.sell(tea, count: 2)).then([
      .stockChanged(tea, from: 5, to: 3)
    ])
    try given.when(.sell(tea, count: 6)).then(refused: .outOfStock(tea, stock: 5))
    try given.when(.sell(KioskItemID(value: 7), count: 1))
      .then(refused: .noItem(KioskItemID(value: 7)))
    try given.when(.restock(tea, count: 0)).then(refused: .invalidCount(0))
    try given.when(.restock(tea, count: KioskDecider.stockMax))
      .then(refused: .invalidCount(KioskDecider.stockMax))
    try given.when(.reprice(tea, price: 4)).then([
      .fact(.repriced(tea, price: Change(from: 3, to: 4)))
    ])
    try given.when(.reprice(tea, price: 3)).then([])
    try given.when(.reprice(tea, price: -1)).then(refused: .invalidPrice(-1))
  }

  @Test func `a window keeps its draft, its selection and its screen`() throws {
    var store = try Kiosk.given([added])
    try store.send(.opened(window)) { $0.windows[SceneID(value: 0)] = KioskWindow() }
    let typed = TextDraft().replacement(for: .insert("jam"))
    try store.send(.window(window, .edited(typed))) {
      $0.windows[SceneID(value: 0)]?.draft = TextDraft("jam")
    }
    try store.send(.window(window, .selected(tea))) {
      $0.windows[SceneID(value: 0)]?.selection = KioskItemID(value: 0)
    }
    let screen = KioskApp.screen(
      of: window, in: store.state, at: store.clock.moment,
      size: Screen.Size(columns: 40, rows: 5))
    #expect(
      screen.canvas.lines.dropLast() == ["> tea, 0 for 3 each", "new item: jam"])
    try store.send(.closed(window)) { $0.windows = [:] }
    try store.send(.window(window, .selected(nil))) { $0.missing = 1 }
  }

  @Test func `an order ends with a command, whose facts or refusal the test expects`()
    async throws
  {
    let asked = KioskAction.scene(.window(window, .request(.restock(tea, count: 10))))
    var store = try ordered
    try await store.run("KioskOrder", in: KioskDesk(), sending: [asked]) {
      _ = $0.items.modify(KioskItemID(value: 0)) { $0.stock = 10 }
      $0.total = 10
      $0.factCount = 2
    }
    try store.finish()
    store = try ordered
    try await store.run("KioskOrder", in: KioskDesk { _ in -1 }, refused: [.invalidCount(-1)])
    try store.finish()
    var surprised = try ordered
    await #expect(throws: TestMismatch.self) {
      try await surprised.run("KioskOrder", in: KioskDesk { _ in -1 })
    }
    store = try ordered
    let empty = KioskDesk { _ in throw KioskDesk.NotDelivered("sold out") }
    try await store.run("KioskOrder", in: empty) {
      $0.windows[SceneID(value: 0)]?.problem = "sold out"
    }
    try store.finish()
    store = try ordered
    try store.send(.closed(window)) { $0.windows = [:] }
    try store.finish()
  }

  /// A store with an order in flight.
  private var ordered: Kiosk {
    get throws {
      try Kiosk.given([
        added, .scene(.opened(window)), .scene(.window(window, .selected(tea))),
        .scene(.window(window, .orderPressed)),
      ])
    }
  }

  @Test func `an answer with a fact is a mismatch, and a restart asks for the command in place`()
    async throws
  {
    var store = try TestStore<ErrandKiosk>.given([added, .scene(.opened(window))])
    let errand = KioskErrand(inPlace: .restock(tea, count: 1))
    try store.send(.window(window, .orderPressed), effect: .run(errand))
    var desk = KioskDesk()
    desk.errand = { [.fact(.repriced(KioskItemID(value: 0), price: Change(from: 3, to: 4)))] }
    let lying = desk
    await #expect(throws: TestMismatch.self) {
      try await store.run("KioskErrand", in: lying)
    }
    // At a restart, the command in place of the leaf is decided.
    try store.send(.window(window, .orderPressed), effect: .run(errand))
    try store.restart {
      _ = $0.items.modify(KioskItemID(value: 0)) { $0.stock = 1 }
      $0.total = 1
      $0.factCount = 2
    }
    try store.finish()
  }

  @Test func `invariants hold after random commands, and some are refused`() throws {
    try withSeed("Kiosk") { random in
      var facts: [KioskAction] = []
      var accepted = 0
      for _ in 0..<200 {
        let store = try Kiosk.given(facts)
        let command = KioskCommand.random(using: &random)
        let decided = store.when(command).facts
        accepted += decided.isEmpty ? 0 : 1
        facts += decided
        #expect(try KioskApp.violations(of: Kiosk.given(facts).state).isEmpty)
      }
      #expect(accepted > 20)
    }
  }
}
