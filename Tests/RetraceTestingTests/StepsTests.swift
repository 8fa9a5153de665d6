import RetraceArchitecture
import RetraceFixtures
import RetraceState
import RetraceTesting
import Testing

/// A reducer with its effects, tested by a list of steps, and by one line.
@Suite struct StepsTests {
  private let house = HouseApp.reducer

  @Test func `a reducer is tested step by step [D1]`() async {
    let desk = HouseDesk(["milk": .fails("no shop")])
    await assert(
      initialValue: HouseState(),
      reducer: house,
      environment: desk,
      steps:
        .send(.noted("one"), .noted("two")) { $0.done = ["one", "two"] },
      .send(.together([Errand("a"), Errand("b")])),
      .receive(.noted("done b"), .noted("done a"), inAnyOrder: true) {
        $0.done += ["done a", "done b"]
      },
      .environment { $0 = HouseDesk() },
      .do { #expect(desk.started == ["a", "b"]) },
      .send(.reminded("tea", after: .seconds(9))),
      .receive(where: { $0 == .noted("tea") }, after: .seconds(9)) { $0.done.append("tea") },
      .send(.started(Errand("milk"), after: .zero, id: "")),
      .receive(.noted("done milk")) { $0.done.append("done milk") })
  }

  @Test func `the state of a feature need not be that of an app [D1]`() async {
    await assert(
      initialValue: Lamp(), reducer: LampReducer(), environment: HouseDesk(),
      steps: .send(.lit("x", after: .seconds(1))),
      .receive(.glowed("x"), after: .seconds(1)) { $0.seen = ["x"] },
      .send(.hadBulb(true)) { $0.bulb = Bulb() })
  }

  @Test func `what differs in a step, is due before the next or left at the end is an issue [D2]`()
    async
  {
    let found = await issues {
      await assert(
        initialValue: HouseState(), reducer: house, environment: HouseDesk(),
        steps:
          .send(.started(Errand("a"), after: .zero, id: "")),
        .send(.noted("b")) { $0.done = ["c"] },
        .do { throw Failure() })
    }
    #expect(found.count == 4, "\(found)")
    guard found.count == 4 else { return }
    #expect(found[0].hasPrefix("not received before the next action: what Errand"))
    #expect(found[1].hasSuffix(#"done[0]  is "b", but "c" was expected"#))
    #expect(found[2] == "the step threw Failure()")
    #expect(found[3].hasPrefix("still in flight: Errand"))
  }

  private struct Failure: Error {}

  @Test func `a reduction is tested in one line [D6]`() {
    let state = HouseState()
    house.testReduce(state, .noted("a")) { $0.done = ["a"] }
    house.testReduce(state, .stopped(id: "x"), effect: .cancel("x"))
    house.testReduceState(state, .chained("a", times: 1)) { $0.done = ["a 1"] }
    house.testReduceEffect(state, .chained("a", times: 1), .send(.chained("a", times: 0)))
    house.testReduceNoEffect(state, .noted("a"))
    house.testReduceNoOp(state, .hadGuest(false))
    #expect(issues { house.testReduce(state, .noted("a")) }.count == 1)
    let found = issues { house.testReduceNoOp(state, .chained("a", times: 1)) }
    #expect(
      found.first?.hasPrefix(
        """
        after chained("a", times: 1) the state is not as expected:
          done[0]  is "a 1", but absent was expected
        the effect of chained("a", times: 1) is
        """) == true)
    #expect(issues { house.testReduceNoEffect(state, .stopped(id: "x")) }.count == 1)
    #expect(issues { house.testReduceEffect(state, .noted("a"), .cancel("x")) }.count == 1)
    #expect(issues { house.testReduceState(state, .noted("a")) { _ in } }.count == 1)
  }

  /// A reducer is total, so what may fail is a command, whose refusal is a value.
  @Test func `in place of an exception, a command is refused [D6]`() {
    let given = TestStore<KioskApp>.given([])
    given.when(.reprice(KioskItemID(value: 7), price: 1)).then(
      refused: .noItem(KioskItemID(value: 7)))
    #expect(
      issues { given.when(.reprice(KioskItemID(value: 7), price: 1)).then([]) } == [
        "reprice(7, price: 1) was refused as noItem(7), but was expected to lead to none"
      ])
  }
}
