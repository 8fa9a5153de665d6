import RetraceArchitecture
import RetraceState
import Testing

/// Reducers of one case of an enum.
@Suite struct CaseTests {
  private let reducer = IfCaseLet<
    Room, DeskAction, Room.Parts._furnished, DeskAction.Parts._drawer, DrawerReducer
  >(\.furnished, action: \.drawer) { DrawerReducer() }
  private let moment = Moment(microseconds: 7)

  @Test func `the value of the case is reduced in place, and its effect embedded`() {
    var room = Room.furnished(Drawer())
    let effect = reducer.reduce(&room, .drawer(.set(4)), at: moment)
    guard case .furnished(let drawer) = room else { return #expect(Bool(false)) }
    #expect(drawer.box.value == 4 && !drawer.wasShared)
    var alone = Drawer()
    let own = DrawerReducer().reduce(&alone, .set(4), at: moment)
    #expect(effect == own.map(CaseEmbedding<DeskAction.Parts._drawer>()))
  }

  @Test func `an action for another case is reported, one for another feature is not`() {
    var room = Room.empty(missing: [])
    #expect(reducer.reduce(&room, .tally(.add), at: moment).isNone)
    #expect(room == .empty(missing: []))
    #expect(reducer.reduce(&room, .drawer(.set(4)), at: moment).isNone)
    #expect(room == .empty(missing: [MissingTarget(type: "Drawer")]))
  }

  /// A case by hand, with the default way to its payload.
  private enum Furniture: EnumCase {
    static func extract(_ room: Room) -> Drawer? {
      if case .furnished(let drawer) = room { drawer } else { nil }
    }
    static func embed(_ drawer: Drawer) -> Room { .furnished(drawer) }
  }

  /// Whether a case by hand copies its payload depends on the optimizer.
  @Test func `a generated case moves its payload, one by hand changes it too`() {
    var room = Room.furnished(Drawer())
    let isUnique: (inout Drawer) -> Bool = { isKnownUniquelyReferenced(&$0.box) }
    #expect(Room.Parts._furnished.with(&room, isUnique) == true)
    #expect(Furniture.with(&room) { $0.box = Box(3) } != nil)
    #expect(Room.Parts._furnished.with(&room) { $0.box.value } == 3)
  }
}

/// Handlers of changes.
@Suite struct OnChangeTests {
  private struct Handler: ChangeHandler {
    func value(of state: borrowing Int64) -> Bool { state < 0 }

    func changed(
      from old: Bool, to new: Bool, in state: inout Int64, at moment: Moment
    ) -> Effect<TallyAction, Desktop> {
      state &+= 100
      return new ? .send(.negate) : .send(.double)
    }
  }

  private let moment = Moment(microseconds: 7)
  private let reducer = TallyReducer(step: 2).onChange(Handler())

  @Test func `a handler runs once for each action that changes the value`() {
    var state: Int64 = 5
    #expect(reducer.reduce(&state, .add, at: moment).isNone && state == 7)
    let negated = reducer.reduce(&state, .negate, at: moment)
    #expect(state == 93 && negated == .merge([.send(.add), .send(.negate)]))
    state = -1
    #expect(reducer.reduce(&state, .add, at: moment) == .send(.double) && state == 101)
  }
}

/// Effects in a part of the environment.
@Suite struct EnvironmentPullbackTests {
  private struct House: Sendable { var desktop = Desktop(greeting: "welcome") }

  private enum DesktopOfHouse: EnvironmentProjection {
    static func project(_ house: House) -> Desktop { house.desktop }
  }

  private enum OtherProjection: EnvironmentProjection {
    static func project(_ house: House) -> Desktop { house.desktop }
  }

  private let moment = Moment(microseconds: 7)

  @Test func `a leaf runs in its part of the environment, in any tree`() async throws {
    let note = EffectWork<ItemAction, Desktop>.run(Note("home"))
    let tree = Effect.merge([
      note.delayed(by: .seconds(1)), .concatenate([note, note.cancellable("a")]), .cancel("b"),
    ])
    let widened = tree.pulledBack(environment: DesktopOfHouse.self)
    #expect(widened.description == tree.description && widened.leafCount == 3)
    #expect(widened == tree.pulledBack(environment: DesktopOfHouse.self))
    #expect(widened != tree.pulledBack(environment: OtherProjection.self))
    for leaf in widened.leaves {
      #expect(try await leaf.leaf.run(in: House(), send: .refusing) == [.noted("welcome home")])
    }
    #expect(Effect<ItemAction, Desktop>.none.pulledBack(environment: DesktopOfHouse.self).isNone)
  }

  @Test func `a widened reducer changes only the environment`() {
    let reducer = TallyReducer(step: 3).pulledBack(environment: DesktopOfHouse.self)
    var (state, own): (Int64, Int64) = (1, 1)
    let effect = reducer.reduce(&state, .negate, at: moment)
    let expected = TallyReducer(step: 3).reduce(&own, .negate, at: moment)
    #expect(state == own && effect == expected.pulledBack(environment: DesktopOfHouse.self))
  }
}
