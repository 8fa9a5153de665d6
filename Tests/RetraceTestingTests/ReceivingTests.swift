import RetraceArchitecture
import RetraceFixtures
import RetraceState
import RetraceTesting
import Testing

/// Receiving what effects send, in a store with an environment.
@Suite struct ReceivingTests {
  private typealias House = TestStore<HouseApp>

  private func house(_ desk: HouseDesk = HouseDesk()) -> House { House(environment: desk) }

  @Test func `what a leaf sends is received in the order of the effect [D1]`() async {
    var store = house()
    store.send(.together([Errand("b"), Errand("a"), Errand("c")]))
    await store.receive(.noted("done b"), .noted("done a")) { $0.done = ["done b", "done a"] }
    await store.receive(.noted("done c")) { $0.done.append("done c") }
    store.finish()
  }

  @Test func `several actions are sent in one step, and received in any order on request [D1]`()
    async
  {
    var store = house()
    store.send(.noted("one"), .noted("two")) { $0.done = ["one", "two"] }
    store.send(.together([Errand("a"), Errand("b")]))
    await store.receive(.noted("done b"), .noted("done a"), inAnyOrder: true) {
      $0.done += ["done a", "done b"]
    }
    store.send(.together([Errand("a"), Errand("b")]))
    let found = await issues {
      await store.receive(.noted("done b"), .noted("done a")) { $0.done += ["done a", "done b"] }
    }
    #expect(
      found == [
        """
        received action 1, noted, is not as expected:
          noted._0  is "done a", but "done b" was expected
        received action 2, noted, is not as expected:
          noted._0  is "done b", but "done a" was expected
        """
      ])
    store.finish()
  }

  @Test func `an action that is missing, different, too much or left is an issue [D2]`() async {
    var store = house()
    #expect(
      await issues { await store.receive(.noted("x")) } == [
        """
        received action 1 is missing: noted("x")
        no effect is in flight
        """
      ])
    store.send(.started(Errand("a"), after: .zero, id: ""))
    #expect(
      await issues { await store.receive(.bought) { $0.done = ["done a"] } } == [
        #"received action 1 is noted("done a"), but bought was expected"#
      ])
    store.send(.together([Errand("b"), Errand("c")]))
    await store.receive(.noted("done b")) { $0.done.append("done b") }
    await store.settle()
    // The state is that before what is not asserted yet.
    #expect(store.state.done == ["done a", "done b"])
    #expect(
      issues { store.send(.noted("d")) { $0.done.append("d") } } == [
        #"received and not asserted before the next action: noted("done c")"#
      ])
    #expect(store.state.done == ["done a", "done b", "done c", "d"])
    store.send(.started(Errand("e"), after: .zero, id: ""))
    #expect(issues { store.finish() }.first?.hasPrefix("still in flight: Errand") == true)
    await store.settle()
    #expect(
      issues { store.finish() } == [
        #"received and not asserted before the end: noted("done e")"#
      ])
  }

  @Test func `a wrong state after a received action is an issue, and the store goes on [D2]`()
    async
  {
    var store = house()
    store.send(.started(Errand("a"), after: .zero, id: ""))
    #expect(
      await issues { await store.receive(.noted("done a")) } == [
        """
        after noted("done a") the state is not as expected:
          done[0]  is "done a", but absent was expected
        """
      ])
    store.send(.noted("b")) { $0.done = ["done a", "b"] }
    store.finish()
  }

  @Test func `the environment is changed between steps [D3]`() async {
    var store = TestStore<KioskApp>.given(Self.windowOnTea)
    store.environment = KioskDesk()
    store.environment?.order = { _ in throw KioskDesk.NotDelivered("sold out") }
    store.send(.window(Self.window, .orderPressed))
    await store.receive(.scene(.window(Self.window, .orderFailed("sold out")))) {
      $0.windows[Self.window]?.problem = "sold out"
    }
    store.environment?.order = { _ in 3 }
    store.send(.window(Self.window, .orderPressed)) { $0.windows[Self.window]?.problem = nil }
    await store.receive(.scene(.window(Self.window, .request(.restock(Self.tea, count: 3))))) {
      _ = $0.items.modify(Self.tea) { $0.stock = 3 }
      $0.total = 3
      $0.factCount = 2
    }
    store.finish()
  }

  @Test func `a refused command of a leaf is expected by its refusal [D2]`() async {
    var store = TestStore<KioskApp>.given(Self.windowOnTea)
    store.environment = KioskDesk { _ in -1 }
    store.send(.window(Self.window, .orderPressed))
    let asked = KioskAction.scene(.window(Self.window, .request(.restock(Self.tea, count: -1))))
    await store.receive(asked, refused: [.invalidCount(-1)])
    store.send(.window(Self.window, .orderPressed))
    let found = await issues { await store.receive(asked) }
    #expect(found.first?.hasSuffix("invalidCount(-1), but none was expected") == true)
    store.finish()
  }

  @Test func `an action is received by its case, or by a predicate [D4]`() async {
    var store = house()
    store.send(.together([Errand("a"), Errand("b")]))
    await store.receive(case: "noted") { $0.done = ["done a"] }
    await store.receive(where: { if case .noted(let text) = $0 { text == "done b" } else { false } }
    ) {
      $0.done.append("done b")
    }
    store.finish()
    #expect(
      await issues { await store.receive(case: "nothing.of.that") } == [
        "no action has the case nothing.of.that"
      ])
    store.send(.started(Errand("c"), after: .zero, id: ""))
    #expect(
      await issues { await store.receive(case: "lamp.lit") { $0.done.append("done c") } } == [
        #"noted("done c") was received, but an action of the case lamp.lit was expected"#
      ])
  }

  @Test func `an action is received after a virtual time [D4]`() async {
    var store = house()
    store.send(.reminded("tea", after: .seconds(9)))
    #expect(
      await issues { await store.receive(.noted("tea"), after: .milliseconds(5_500)) } == [
        """
        received action 1 is missing: noted("tea")
        send(noted("tea")) is due in 3.5 s: advance the clock
        """
      ])
    await store.receive(.noted("tea"), after: .milliseconds(3_500)) { $0.done = ["tea"] }
    store.finish()
  }

  @Test func `a stream sends while the test goes on, and ends when it is cancelled [D4]`() async {
    let desk = HouseDesk()
    var store = house(desk)
    store.send(.hall(.watched(Watch("w"))))
    desk.give(["one"], to: "w")
    await store.receive(.hall(.glowed("one"))) { $0.hall.seen = ["one"] }
    store.send(.noted("between")) { $0.done = ["between"] }
    desk.give(["two", "three"], to: "w")
    await store.receive(.hall(.glowed("two")), .hall(.glowed("three"))) {
      $0.hall.seen = ["one", "two", "three"]
    }
    store.send(.hall(.dimmed("w")))
    store.finish()
  }

  @Test func `only what is asserted is compared, and the rest is listed [D5]`() async {
    var store = house()
    store.isExhaustive = false
    store.send(.noted("one"), .bought)
    store.send(.started(Errand("a"), after: .zero, id: "")) { $0.missing = 0 }
    store.send(.together([Errand("b"), Errand("c")]))
    await store.receive(.noted("done c"))
    store.send(.reminded("late", after: .seconds(1)))
    #expect(
      issues { store.send(.noted("two")) { $0.missing = 3 } } == [
        """
        after noted("two") the state is not as expected:
          missing  is 0, but 3 was expected
        """
      ])
    #expect(store.state.done == ["one", "done a", "done b", "done c", "two"])
    store.finish()
    let list = store.skipped.joined(separator: "\n")
    #expect(list.contains(#"done[0] changed from absent to "one""#))
    #expect(list.contains(#"noted("done b")"#) && list.contains("in flight at the end"))
  }

  @Test func `received actions are skipped, effects are awaited, and the state is asserted [D5]`()
    async
  {
    var store = house()
    store.send(.together([Errand("a"), Errand("b")]))
    await store.skipReceivedActions()
    #expect(store.skipped.count == 1)
    store.assert { $0.done = ["done a", "done b"] }
    store.send(.started(Errand("c"), after: .zero, id: ""))
    await store.settle()
    await store.receive(.noted("done c"), timeout: .zero) { $0.done.append("done c") }
    #expect(
      issues { store.assert { $0.done = [] } }.first?.hasPrefix("after these steps") == true)
    store.finish()
  }

  @Test func `a leaf that throws, or answers what it may not, is told readably [D2]`() async {
    var store = house(HouseDesk(default: .fails("no shop")))
    store.send(.started(Errand("a"), after: .zero, id: ""))
    let thrown = await issues { await store.receive(.noted("done a")) }
    #expect(
      thrown.first?.contains("threw no shop. A failed leaf leaves the state as it is") == true)
    store.finish()
    var kiosk = TestStore<ErrandKiosk>.given(Self.windowOnTea)
    kiosk.environment = KioskDesk()
    kiosk.environment?.errand = {
      [.scene(.closed(Self.window)), .request(.restock(Self.tea, count: 1))]
    }
    kiosk.send(.window(Self.window, .orderPressed))
    let mixed = await issues { await kiosk.settle() }
    #expect(mixed.first?.contains("It has a command and other actions.") == true)
    #expect(mixed.first?.contains("\n  request.restock(0, count: 1)") == true)
  }

  private static let window = SceneID(value: 0)
  private static let tea = KioskItemID(value: 0)

  private static var windowOnTea: [KioskAction] {
    [
      .fact(.added(tea, Insertion(KioskItem(name: "tea", price: 3)))), .scene(.opened(window)),
      .scene(.window(window, .selected(tea))),
    ]
  }

  @Test func `a change is undone and redone, as in a store`() {
    var store = TestStore<KioskApp>.given(Self.windowOnTea)
    store.perform(
      .restock(Self.tea, count: 5), facts: [.stockChanged(Self.tea, from: 0, to: 5)]
    ) {
      _ = $0.items.modify(Self.tea) { $0.stock = 5 }
      $0.total = 5
      $0.factCount = 2
    }
    store.perform(.reprice(Self.tea, price: 4)) {
      _ = $0.items.modify(Self.tea) { $0.price = 4 }
      $0.factCount = 3
    }
    store.perform(.sell(Self.tea, count: 9), refused: .outOfStock(Self.tea, stock: 5))
    store.undo {
      _ = $0.items.modify(Self.tea) { $0.price = 3 }
      $0.factCount = 4
    }
    store.undo {
      _ = $0.items.modify(Self.tea) { $0.stock = 0 }
      $0.total = 0
      $0.factCount = 5
    }
    store.redo {
      _ = $0.items.modify(Self.tea) { $0.stock = 5 }
      $0.total = 5
      $0.factCount = 6
    }
    store.redo {
      _ = $0.items.modify(Self.tea) { $0.price = 4 }
      $0.factCount = 7
    }
    #expect(issues { store.redo() } == ["there is nothing to redo"])
    store.undo {
      _ = $0.items.modify(Self.tea) { $0.price = 3 }
      $0.factCount = 8
    }
    store.finish()
  }
}
