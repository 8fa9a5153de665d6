import RetraceArchitecture
import RetraceState
import RetraceTesting
import Testing

/// Reducers that list other reducers in their body.
@Suite struct BodyTests {
  /// Notes what it sees of the parts, and removes what an action names.
  private struct Clerk: UpdatingReducer {
    var body: some Reducer<Desk, DeskAction, Desktop> {
      Update(self)
        .forEach(\.items, action: \.item) { ItemReducer() }
        .forEach(\.scenes, action: \.scene) { DrawerReducer() }
        .ifLet(\.drawer, action: \.drawer) { DrawerReducer() }
      Scope(\.tally, action: \.tally) { TallyReducer() }
    }

    func update(
      _ state: inout Desk, _ action: DeskAction, at moment: Moment
    ) -> EffectOf<Self> {
      switch action {
      case .tally: state.names.append("tally \(state.tally)")
      case .item(let id, _): state.names.append(state.items[id]?.name ?? "-")
      case .drawer:
        state.names.append("drawer \(state.drawer?.box.value ?? -1)")
        state.drawer = nil
      case .scene(let id, _): state.scenes[id] = nil
      case .noted(let text): return .run(Note(text))
      }
      return .none
    }
  }

  private let moment = Moment(microseconds: 7)

  @Test
  func `a child runs before the logic to which it is attached, in the order listed [R4, R6]`() {
    var desk = Desk(drawer: Drawer(), scenes: [SceneID(value: 2): Drawer()])
    let id = desk.items.insert(Item("a", start: 0))
    #expect(!Clerk().reduce(&desk, .item(id, .rename("b")), at: moment).isNone)
    #expect(!Clerk().reduce(&desk, .drawer(.set(4)), at: moment).isNone)
    #expect(!Clerk().reduce(&desk, .tally(.add), at: moment).isNone)
    #expect(desk.names == ["b", "drawer 4", "tally 0"] && desk.tally == 1)
    #expect(!Clerk().reduce(&desk, .scene(SceneID(value: 2), .set(1)), at: moment).isNone)
    #expect(desk.drawer == nil && desk.scenes.isEmpty && desk.missing.isEmpty)
    #expect(Clerk().reduce(&desk, .noted("x"), at: moment) == .run(Note("x")))
  }

  @Test func `attached children report a missing target [R3] [a3, H16]`() {
    var desk = Desk()
    _ = Clerk().reduce(&desk, .item(ItemID(value: 3), .rename("b")), at: moment)
    _ = Clerk().reduce(&desk, .drawer(.set(1)), at: moment)
    _ = Clerk().reduce(&desk, .scene(SceneID(value: 4), .set(1)), at: moment)
    let missing = [("Item", Int64?.some(3)), ("Drawer", nil), ("Drawer", 4)]
    #expect(desk.missing == missing.map { MissingTarget(type: $0.0, id: $0.1) })
  }

  @Test func `a body does what the same reducers do one after the other`() {
    withSeed { generator in
      for _ in 0..<200 {
        var desks = [Desk(), Desk()]
        for place in desks.indices {
          desks[place].items.insert(Item("a", start: 0))
          desks[place].drawer = Drawer()
        }
        let action = Self.action(using: &generator)
        let effect = DeskReducer().reduce(&desks[0], action, at: moment)
        #expect(effect == Self.byHand(&desks[1], action, at: moment))
        #expect(desks[0] == desks[1])
      }
    }
  }

  @Test func `the value of a composed reducer takes no memory`() {
    #expect(MemoryLayout<DeskReducer>.size == 0)
    #expect(MemoryLayout<DeskReducer.Body>.size == MemoryLayout<TallyReducer>.size)
  }

  private static func action(using generator: inout SeededGenerator) -> DeskAction {
    let number = Int64.random(in: 0...1, using: &generator)
    switch Int.random(in: 0..<5, using: &generator) {
    case 0: return .tally(TallyAction.allCases[Int.random(in: 0..<3, using: &generator)])
    case 1: return .item(ItemID(value: number), .rename("b\(number)"))
    case 2: return .drawer(.set(number))
    case 3: return .scene(SceneID(value: number), .set(number))
    default: return .noted("n\(number)")
    }
  }

  /// The desk's reducer as one switch.
  private static func byHand(
    _ desk: inout Desk, _ action: DeskAction, at moment: Moment
  ) -> Effect<DeskAction, Desktop> {
    typealias Names = DeskAction.Parts
    switch action {
    case .tally(let inner):
      return TallyReducer().reduce(&desk.tally, inner, at: moment)
        .map(CaseEmbedding<Names._tally>())
    case .item(let id, let inner):
      let effect = desk.items.modify(id) { ItemReducer().reduce(&$0, inner, at: moment) }
      guard let effect else {
        desk.targetWasMissing(MissingTarget(type: "Item", id: id.value))
        return .none
      }
      return effect.map(ElementEmbedding<Names._item>(id: id))
    case .drawer(let inner):
      guard var drawer = desk.drawer else {
        desk.targetWasMissing(MissingTarget(type: "Drawer"))
        return .none
      }
      defer { desk.drawer = drawer }
      return DrawerReducer().reduce(&drawer, inner, at: moment)
        .map(CaseEmbedding<Names._drawer>())
    case .scene(let id, let inner):
      guard var drawer = desk.scenes[id] else {
        desk.targetWasMissing(MissingTarget(type: "Drawer", id: id.value))
        return .none
      }
      defer { desk.scenes[id] = drawer }
      return DrawerReducer().reduce(&drawer, inner, at: moment)
        .map(ElementEmbedding<Names._scene>(id: id))
    case .noted: return .none
    }
  }
}
