import RetraceArchitecture
import RetraceState
import Testing

/// The fold applies actions in the order of their sequences and skips other records.
struct FoldTests {
  @Test("Actions are folded in order and other records only counted")
  func folds() {
    var fold = Fold<TallyApp>()
    #expect(fold.sequence == 0)
    fold.skip(1)
    #expect(fold.state == TallyApp.initialState)
    let effect = fold.apply(.add, at: Moment(microseconds: 5), sequence: 2)
    #expect(fold.state.count == 1)
    #expect(effect == Effect.send(.double).delayed(by: .seconds(1)))
    _ = fold.apply(.double, at: Moment(microseconds: 4), sequence: 3)
    #expect(fold.state.count == 3)
    #expect(fold.sequence == 3)
  }

  @Test("A fold that goes on from a state ends where the whole fold ends")
  func goesOn() {
    let actions: [TallyAction] = [.add, .double, .negate, .double, .add]
    var whole = Fold<TallyApp>()
    var states = [whole.state]
    for (index, action) in actions.enumerated() {
      _ = whole.apply(action, at: Moment(microseconds: 0), sequence: UInt64(index + 1))
      states.append(whole.state)
    }
    for start in states.indices {
      var rest = Fold<TallyApp>(state: states[start], sequence: UInt64(start))
      for (index, action) in actions.enumerated().dropFirst(start) {
        _ = rest.apply(action, at: Moment(microseconds: 0), sequence: UInt64(index + 1))
      }
      #expect(rest.state == whole.state)
    }
  }

  @Test("A record out of sequence ends the program")
  func refusesGaps() async {
    await #expect(processExitsWith: .failure) {
      var fold = Fold<TallyApp>()
      fold.skip(2)
    }
  }
}
