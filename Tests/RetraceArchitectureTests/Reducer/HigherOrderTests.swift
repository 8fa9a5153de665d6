import RetraceArchitecture
import RetraceState
import Testing

/// Reducers around reducers: gates, resets and their order.
@Suite struct HigherOrderTests {
  private let moment = Moment(microseconds: 1)

  @Test("A gate swallows an action or annotates it, and the state says so [O5]")
  func gate() {
    let gated = DeskReducer().gated(by: PlanGate())
    var desk = Desk(names: ["free"])
    // Swallowed: the reducer does not run, and no effect starts.
    #expect(gated.reduce(&desk, .tally(.negate), at: moment) == .none)
    #expect(desk.tally == 0 && desk.missing == [MissingTarget(type: "Plan")])
    // Annotated: the reducer runs.
    _ = gated.reduce(&desk, .tally(.add), at: moment)
    #expect(desk.tally == 1 && desk.names == ["free", "tried"])
    desk = Desk(tally: 3, names: ["paid"])
    #expect(!gated.reduce(&desk, .tally(.negate), at: moment).isNone)
    #expect(desk.tally == -3 && desk.missing.isEmpty)
    // The same log gives the same decisions.
    var again = Desk(tally: 3, names: ["paid"])
    _ = gated.reduce(&again, .tally(.negate), at: moment)
    #expect(again == desk)
  }

  @Test("Signing out resets the state but for a declared part, and ends all effects [O6]")
  func signOut() {
    let reducer = DeskReducer().decorated(with: SignOutHook())
    var desk = Desk(tally: 5, missing: [MissingTarget(type: "Item")], names: ["kept"])
    let id = desk.items.insert(Item("pen", start: 1))
    let effect = reducer.reduce(&desk, .noted("signed out"), at: moment)
    #expect(desk == Desk(names: ["kept"]))
    #expect(desk.items.isEmpty && desk.items[id] == nil)
    #expect(effect == .cancelAll)
    // Other actions go through.
    _ = reducer.reduce(&desk, .tally(.add), at: moment)
    #expect(desk.tally == 1)
  }

  @Test("The operator written last is outermost: first before the reducer, last after it [O7]")
  func order() {
    let stacked = DeskReducer()
      .decorated(with: NameHook("inner"))
      .gated(by: PlanGate())
      .decorated(with: NameHook("outer"))
    var desk = Desk(names: ["paid"])
    _ = stacked.reduce(&desk, .tally(.add), at: moment)
    #expect(
      desk.names
        == ["paid", "outer before 0", "inner before 0", "inner after 1", "outer after 1"])
    // The gate is inside the outer hook and outside the inner one.
    desk = Desk(names: ["free"])
    _ = stacked.reduce(&desk, .tally(.negate), at: moment)
    #expect(desk.names == ["free", "outer before 0", "outer after 0"])
  }
}

/// Some of the tally is only in the paid plan.
private struct PlanGate: FeatureGate {
  func admits(_ action: DeskAction, in state: inout Desk, at moment: Moment) -> Bool {
    guard state.names.first == "free" else { return true }
    switch action {
    case .tally(.negate):
      state.missing.append(MissingTarget(type: "Plan"))
      return false
    case .tally(.add):
      state.names.append("tried")
      return true
    default: return true
    }
  }
}

/// Signing out keeps the names.
private struct SignOutHook: ReducerHook {
  func before(
    _ state: inout Desk, _ action: DeskAction, at moment: Moment
  ) -> Effect<DeskAction, Desktop> {
    guard action == .noted("signed out") else { return .none }
    state = Desk(names: state.names)
    return .cancelAll
  }
}

/// Notes in the state when it runs.
private struct NameHook: ReducerHook {
  let name: String

  init(_ name: String) { self.name = name }

  func before(
    _ state: inout Desk, _ action: DeskAction, at moment: Moment
  ) -> Effect<DeskAction, Desktop> {
    state.names.append("\(name) before \(state.tally)")
    return .none
  }

  func after(
    _ state: inout Desk, _ action: DeskAction, at moment: Moment,
    _ effect: Effect<DeskAction, Desktop>
  ) -> Effect<DeskAction, Desktop> {
    state.names.append("\(name) after \(state.tally)")
    return effect
  }
}
