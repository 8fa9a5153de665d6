import RetraceArchitecture
import RetraceAvro
import RetraceScreen
import RetraceState
import RetraceFixtures
import RetraceTesting
import Testing

/// The store for tests of reducers finds what differs, and folds as stores do.
@Suite struct TestStoreTests {
  @Test func `expected changes and effects pass, and leaves run when the test says so`()
    async
  {
    var store = TestStore<HouseApp>()
    store.send(.noted("one")) { $0.done = ["one"] }
    store.send(
      .started(Errand("milk"), after: .seconds(5), id: "x"),
      effect: .run(Errand("milk")).delayed(by: .seconds(5)).cancellable("x"))
    #expect(store.leavesInFlight.map(\.name) == ["Errand"])
    #expect(
      await mismatch(of: "Errand", in: store)?
        .hasSuffix("is not due yet, but in 5 s: advance the clock") == true)
    store.clock.advance(by: .seconds(5))
    await store.run("Errand", in: HouseDesk(), sending: [.noted("done milk")]) {
      $0.done.append("done milk")
    }
    store.finish()
  }

  @Test func `a different state, effect, answer or end is a mismatch that says what differs`() async
  {
    var store = TestStore<HouseApp>()
    #expect(
      issues { store.send(.noted("one")) { $0.done = ["two"] } } == [
        """
        after noted("one") the state is not as expected:
          done[0]  is "one", but "two" was expected
        """
      ])
    // The store has the actual state.
    #expect(store.state.done == ["one"])
    #expect(
      issues { store.send(.noted("two")) } == [
        """
        after noted("two") the state is not as expected:
          done[1]  is "two", but absent was expected
        """
      ])
    #expect(
      issues { store.send(.together([Errand("a")])) }.first?
        .hasSuffix(", but none was expected") == true)
    #expect(
      issues { store.send(.stopped(id: "x"), effect: .cancel("y")) } == [
        #"the effect of stopped(id: "x") is cancel(x), but cancel(y) was expected"#
      ])
    #expect(issues { store.finish() }.first?.hasPrefix("still in flight: Errand") == true)
    #expect(await mismatch(of: "Errand", in: store, sending: []) != nil)
    #expect(await mismatch(of: "Other", in: store) != nil)
  }

  @Test func `the leaves of a nested feature are expected as they were made`() {
    var store = TestStore<HouseApp>()
    store.send(.hall(.watched(Watch("w"))), starting: [Watch("w")])
    store.send(
      .together([Errand("a"), Errand("b")]), starting: [Errand("a"), Errand("b")])
    store.send(.noted("one"), starting: []) { $0.done = ["one"] }
    let others: [[any Recordable]] = [[], [Watch("v")], [Watch("w"), Watch("w")], [Errand("w")]]
    for expected in others {
      let found = issues { store.send(.hall(.watched(Watch("w"))), starting: expected) }
      #expect(found.count == 1 && found[0].contains(" started Watch("), "\(found)")
    }
    let found = issues { store.send(.together([Errand("a")]), starting: []) }
    #expect(found.first?.hasSuffix(", but no leaf was expected") == true, "\(found)")

    var kiosk = TestStore<KioskApp>()
    kiosk.perform(.add(name: "tea", price: 3), starting: []) {
      $0.items.insert(KioskItem(name: "tea", price: 3))
      $0.factCount += 1
    }
    #expect(
      issues {
        kiosk.perform(
          .restock(KioskItemID(value: 0), count: 5), starting: [Errand("a")]
        ) {
          _ = $0.items.modify(KioskItemID(value: 0)) { $0.stock = 5 }
          $0.total = 5
          $0.factCount += 1
        }
      }.first?.contains("started no leaf, but Errand(") == true)
  }

  @Test func `a leaf without the environment that it needs stays in flight`() async {
    var store = TestStore<HouseApp>()
    store.send(.together([Errand("milk")]), effect: .run(Errand("milk")))
    let found = await issues { await store.run("Errand") }
    #expect(found.first?.hasSuffix("needs an environment") == true)
    #expect(store.leavesInFlight.map(\.name) == ["Errand"])
    await store.run("Errand", in: HouseDesk()) { $0.done = ["done milk"] }
    store.finish()
  }

  /// What is wrong with running a leaf.
  private func mismatch(
    of name: String, in store: TestStore<HouseApp>, sending actions: [HouseAction]? = nil
  ) async -> String? {
    var copy = store
    return await issues { await copy.run(name, in: HouseDesk(), sending: actions) { _ in } }.first
  }

  @Test func `a cancellation and a restart leave the same in flight as in the log`() {
    var store = TestStore<HouseApp>()
    let errands = [
      Errand("a", ended: .drop), Errand("b", ended: .run), Errand("c", ended: .send),
    ]
    store.send(.together(errands), effect: Effect(.merge(errands.map { .run($0) })))
    store.send(
      .reminded("tea", after: .seconds(9)),
      effect: .send(.noted("tea")).delayed(by: .seconds(9)).cancellable("reminder"))
    store.restart { $0.done = ["ended c"] }
    #expect(store.inFlight.leaves.map(\.id.ordinal) == [1, 0])
    store.send(.stopped(id: "reminder"), effect: .cancel("reminder"))
    #expect(store.leavesInFlight.count == 1)
  }

  @Test func `the batches of a stream stay when it fails, and it may not send once cancelled`()
    async
  {
    var store = TestStore<ScriptedErrands>()
    let failing = Ticker(fails: true)
    store.send(.noted("fail"), effect: .run(failing).cancellable("tick"))
    await store.run("Ticker", in: HouseDesk(), failing: Ticker.Failure.self) { $0.done = ["a"] }
    #expect(store.inFlight.isEmpty)
    // The second batch cancels the leaf, so the third is not sent.
    store.send(.noted("tick"), effect: .run(Ticker(fails: false)).cancellable("tick"))
    await store.run(
      "Ticker", in: HouseDesk(), sending: [.noted("a"), .stopped(id: "tick")]
    ) { $0.done.append("a") }
    store.finish()
  }

  @Test func `an action in place of a leaf keeps the leaf that it cancels from applying`() {
    var store = TestStore<ScriptedErrands>()
    let errand = Errand("b", ended: .send)
    store.send(
      .noted("cancel"),
      effect: .merge([.send(.stopped(id: "x")), .run(errand).cancellable("x")]))
    store.restart()
    store.finish()
  }

  @Test func `a leaf waits for what is before it in a concatenation, also at a restart`()
    async
  {
    var store = TestStore<HouseApp>()
    let (first, second) = (Errand("first", ended: .run), Errand("second", ended: .send))
    store.send(
      .inOrder([first, second], after: .zero), effect: .concatenate([.run(first), .run(second)]))
    store.restart()
    #expect(store.leavesInFlight.count == 2)
    await store.run("Errand", in: HouseDesk()) { $0.done = ["done first"] }
    store.restart { $0.done.append("ended second") }
    store.finish()
    // Dropped, and so no longer in front of the next one.
    let dropped = Errand("first", ended: .drop)
    store.send(
      .inOrder([dropped, second], after: .zero),
      effect: .concatenate([.run(dropped), .run(second)]))
    store.restart { $0.done.append("ended second") }
    store.finish()
  }

  @Test func `a leaf is not run before the one in front of it`() async {
    var store = TestStore<ScriptedErrands>()
    let effect = Effect<HouseAction, HouseDesk>.concatenate([
      .run(Errand("b")), .run(Ticker(fails: true)),
    ])
    store.send(.noted("order"), effect: effect)
    let found = await issues { await store.run("Ticker", in: HouseDesk()) }
    #expect(found.first?.contains("waits for an earlier part of its concatenation") == true)
    #expect(store.leavesInFlight.count == 2)
    await store.run("Errand", in: HouseDesk()) { $0.done = ["done b"] }
    await store.run("Ticker", in: HouseDesk(), failing: Ticker.Failure.self) {
      $0.done.append("a")
    }
    store.finish()
  }
}

/// A stream that fails after its first batch, or cancels itself with its second.
private struct Ticker: StreamingLeaf {
  struct Failure: Error {}

  var fails: Bool

  init(fails: Bool) { self.fails = fails }

  func run(in desk: HouseDesk, send: EffectSender<HouseAction>) async throws {
    try await send(.noted("a"))
    if fails { throw Failure() }
    try await send(.stopped(id: "tick"))
    try await send(.noted("too late"))
    throw Failure()
  }

  static var recordedName: String { "Ticker" }

  static func schema(in composer: inout SchemaComposer) -> Schema {
    composer.named(recordedName, for: Self.self) { _ in
      .record(name: recordedName, fields: [Schema.Field("fails", .boolean)])
    }
  }

  func encode(into writer: inout AvroWriter) { fails.encode(into: &writer) }

  init(decoding reader: inout AvroReader) throws(AvroError) {
    fails = try Bool(decoding: &reader)
  }
}

/// An errand app in which some notes start effects.
private enum ScriptedErrands: ReplayableApp {
  struct Script: Reducer {
    func reduce(
      _ state: inout HouseState, _ action: HouseAction, at moment: Moment
    ) -> Effect<HouseAction, HouseDesk> {
      switch action {
      case .noted("fail"): .run(Ticker(fails: true)).cancellable("tick")
      case .noted("tick"): .run(Ticker(fails: false)).cancellable("tick")
      case .noted("cancel"):
        .merge([.send(.stopped(id: "x")), .run(Errand("b", ended: .send)).cancellable("x")])
      case .noted("order"): .concatenate([.run(Errand("b")), .run(Ticker(fails: true))])
      default: ErrandReducer().reduce(&state, action, at: moment)
      }
    }
  }

  typealias Environment = HouseDesk
  typealias Route = CounterRoute

  static var name: String { "scripted" }
  static var build: String { "test" }
  static var reducer: Script { Script() }
  static var initialState: HouseState { HouseState() }
  static func scenes(in state: HouseState) -> [SceneID] { [] }
  static func backStack(of scene: SceneID, in state: HouseState) -> BackStack<CounterRoute>? {
    nil
  }
  static func screen(
    of scene: SceneID, in state: HouseState, at moment: Moment, size: Screen.Size
  ) -> Screen {
    Screen(Canvas(size))
  }
}
