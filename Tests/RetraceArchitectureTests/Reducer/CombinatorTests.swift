import RetraceArchitecture
import RetraceAvro
import RetraceState
import RetraceTesting
import Testing

/// Combinators put reducers together without changing what any of them does.
struct CombinatorTests {
  static let moment = Moment(microseconds: 7)

  @Test func `a name of a part gives access to one stored property, or to one case`() {
    withSeed { generator in
      var desk = Desk()
      for action in TallyAction.allCases {
        checkCase(\.tally, action, .tally(action), other: .noted(""))
      }
      for value in [Int64.min, -1, 0, 9, Int64.random(in: 0...1_000, using: &generator)] {
        checkPart(\.tally, &desk, value)
      }
      checkCase(\.drawer, .set(3), .drawer(.set(3)), other: .tally(.add))
      checkPart(\.drawer, &desk, Drawer())
      checkPart(\.drawer, &desk, nil)
      let id = ItemID(value: Int64.random(in: .min ... .max, using: &generator))
      let item = DeskAction.Parts._item.self
      let wrapped = item.embed(.rename("a"), for: id)
      #expect(wrapped == .item(id, .rename("a")))
      #expect(item.extract(wrapped).map { $0.id == id && $0.value == .rename("a") } == true)
      #expect(item.extract(.noted("")) == nil)
      let scene = SceneID(value: id.value)
      #expect(DeskAction.Parts._scene.extract(.scene(scene, .set(1)))?.id == scene)
      #expect(Desk.Parts._names.read(desk) { $0.count } == 0)
    }
  }

  @Test("Combining is associative, and the empty reducer is its identity [R5]", arguments: 1...20)
  func combineLaws(seed: UInt64) {
    withSeed(default: seed) { generator in
      let parts = (0..<3).map { _ in
        TallyReducer(step: Int64.random(in: -5...5, using: &generator))
      }
      let (one, two, three) = (parts[0], parts[1], parts[2])
      let left = one.combined(with: two).combined(with: three)
      let right = one.combined(with: two.combined(with: three))
      let listed = CombineReducers {
        one
        two
        three
      }
      let empty = EmptyReducer<Int64, TallyAction, Desktop>()
      for _ in 0..<50 {
        guard let action = TallyAction.allCases.randomElement(using: &generator) else { continue }
        let start = Int64.random(in: .min ... .max, using: &generator)
        let expected = run(left, start, action)
        #expect(run(right, start, action) == expected)
        #expect(run(listed, start, action) == expected)
        #expect(run(one.combined(with: empty), start, action) == run(one, start, action))
        #expect(run(empty.combined(with: one), start, action) == run(one, start, action))
        #expect(run(empty, start, action) == Outcome(state: start, effect: .none))
      }
    }
  }

  @Test("The second of two reducers sees the state that the first left [R5, R6]")
  func order() {
    let both = TallyReducer(step: 2).combined(with: TallyReducer(step: 4))
    #expect(run(both, 1, .double).state == (1 * 2 + 2) * 2 + 4)
  }

  @Test("The effects of the first of two reducers come first")
  func effectOrder() {
    let both = TallyReducer(step: 1).combined(with: TallyReducer(step: 3))
    #expect(run(both, 1, .add).effect.leaves.map(\.delay) == [.seconds(1), .seconds(3)])
  }

  @Test("A pulled-back reducer changes its part only, and only for its actions [R1]")
  func pullback() {
    var desk = Desk()
    let effect = reduce(&desk, .tally(.add))
    #expect(desk == Desk(tally: 1))
    #expect(effect.leaves.map(\.delay) == [.seconds(1)])
    #expect(effect.leaves.first?.leaf.interruptionPolicy == .send(.tally(.double)))
    #expect(reduce(&desk, .noted("x")) == .none)
    #expect(desk == Desk(tally: 1))
  }

  @Test("An entity is changed under its id, and the answers of its effect carry the id")
  func forEachEntity() async throws {
    var desk = Desk()
    let ids = ["a", "b"].map { desk.items.insert(Item($0, start: 0)) }
    let effect = reduce(&desk, .item(ids[1], .rename("c")))
    #expect(desk.items.contents.mapValues(\.name) == [0: "a", 1: "c"])
    let answers = try await effect.leaves[0].leaf.run(in: Desktop(), send: .refusing)
    #expect(answers == [.item(ids[1], .noted("hello c"))])
    #expect(desk.missing.isEmpty)
  }

  @Test func `a reducer of one case of the actions works on the whole state [R2]`() {
    let reducer = Scope<
      Int64, DeskAction, Itself<Int64>, DeskAction.Parts._tally, TallyReducer
    >(action: \.tally) { TallyReducer() }
    var state: Int64 = 4
    let effect = reducer.reduce(&state, .tally(.negate), at: Self.moment)
    let sent = Effect<TallyAction, Desktop>.send(.add)
    #expect(state == -4 && effect == sent.map(CaseEmbedding<DeskAction.Parts._tally>()))
    #expect(reducer.reduce(&state, .noted("x"), at: Self.moment).isNone && state == -4)
  }

  // The seeds also address an element by its index, which means another one once those before it
  // are gone. Here an element has an id for ever.
  @Test func `an action reaches its own element or none, whatever was removed [R4] [H17]`() {
    var desk = Desk()
    let ids = ["a", "b", "c"].map { desk.items.insert(Item($0, start: 0)) }
    desk.items.remove(ids[0])
    _ = reduce(&desk, .item(ids[1], .rename("x")))
    #expect(desk.items.contents.mapValues(\.name) == [1: "x", 2: "c"])
    let new = desk.items.insert(Item("d", start: 0))
    _ = reduce(&desk, .item(ids[0], .rename("y")))
    #expect(!ids.contains(new) && desk.items[new]?.name == "d")
    #expect(desk.missing == [MissingTarget(type: "Item", id: ids[0].value)])
    let scenes = (4..<7).map { SceneID(value: $0) }
    for scene in scenes { desk.scenes[scene] = Drawer() }
    desk.scenes[scenes[0]] = nil
    for scene in scenes.prefix(2) { _ = reduce(&desk, .scene(scene, .set(9))) }
    #expect(scenes.map { desk.scenes[$0]?.box.value } == [nil, 9, 0])
    #expect(desk.missing.last == MissingTarget(type: "Drawer", id: scenes[0].value))
  }

  @Test("A part of a dictionary and an optional part are changed in place")
  func inPlace() async throws {
    var desk = Desk(drawer: Drawer())
    for number in 0..<Int64(5) { desk.scenes[SceneID(value: number)] = Drawer() }
    let scene = SceneID(value: 3)
    let effect = reduce(&desk, .scene(scene, .set(4)))
    #expect(desk.scenes[scene]?.box.value == 4)
    #expect(desk.scenes[scene]?.wasShared == false)
    let answers = try await effect.leaves[0].leaf.run(in: Desktop(), send: .refusing)
    #expect(answers == [.scene(scene, .noted("hello 4"))])
    _ = reduce(&desk, .drawer(.set(5)))
    #expect(desk.drawer?.box.value == 5)
    #expect(desk.drawer?.wasShared == false)
    let kept = desk
    _ = reduce(&desk, .scene(scene, .set(6)))
    _ = reduce(&desk, .drawer(.set(6)))
    #expect(desk.scenes[scene]?.wasShared == true)
    #expect(desk.drawer?.wasShared == true)
    #expect(kept.scenes[scene]?.box.value == 4)
    #expect(kept.drawer?.box.value == 5)
  }

  @Test("A missing entity, part or value is recorded in the state, nothing else [R3] [a3, H16]")
  func missingTargets() throws {
    let scene = SceneID(value: 8)
    let cases: [(DeskAction, MissingTarget)] = [
      (.item(ItemID(value: 5), .rename("x")), MissingTarget(type: "Item", id: 5)),
      (.drawer(.set(1)), MissingTarget(type: "Drawer")),
      (.scene(scene, .set(1)), MissingTarget(type: "Drawer", id: 8)),
    ]
    for (action, target) in cases {
      var desk = Desk(tally: 3)
      #expect(reduce(&desk, action) == .none)
      #expect(desk == Desk(tally: 3, missing: [target]))
      #expect(try MissingTarget(encoded: target.encoded().span) == target)
    }
  }

  @Test("A hook sees each action before and after the reducer and may add effects [R6]")
  func decorated() {
    let decorated = DeskReducer().decorated(with: NotingHook())
    var desk = Desk()
    let effect = decorated.reduce(&desk, .tally(.negate), at: CombinatorTests.moment)
    #expect(desk.names == ["before 0", "after 0"])
    let sent = Effect<TallyAction, Desktop>.send(.add)
    let expected = Effect<DeskAction, Desktop>.run(Note("began"))
      .merged(with: sent.map(CaseEmbedding<DeskAction.Parts._tally>()))
      .merged(with: .run(Note("ended")))
    #expect(effect == expected)
  }

  private func reduce(_ desk: inout Desk, _ action: DeskAction) -> Effect<DeskAction, Desktop> {
    DeskReducer().reduce(&desk, action, at: CombinatorTests.moment)
  }

  private struct Outcome: Equatable {
    var state: Int64
    var effect: Effect<TallyAction, Desktop>
  }

  private func run(
    _ reducer: some Reducer<Int64, TallyAction, Desktop>, _ start: Int64, _ action: TallyAction
  ) -> Outcome {
    var state = start
    let effect = reducer.reduce(&state, action, at: CombinatorTests.moment)
    return Outcome(state: state, effect: effect)
  }

  private func checkCase<Case: EnumCase<DeskAction, Value>, Value: Equatable>(
    _ name: (DeskAction.Parts) -> Case, _ value: Value, _ whole: DeskAction,
    other: DeskAction
  ) {
    #expect(Case.embed(value) == whole)
    #expect(Case.extract(whole) == value)
    #expect(Case.extract(other) == nil)
    var (changed, unchanged) = (whole, other)
    #expect(Case.with(&changed) { $0 } == value && changed == whole)
    #expect(Case.with(&unchanged) { $0 } == nil && unchanged == other)
  }

  private func checkPart<Part: StatePart<Desk, Value>, Value: Equatable>(
    _ name: (Desk.Parts) -> Part, _ parent: inout Desk, _ value: Value
  ) {
    let before = Part.with(&parent) { $0 }
    let untouched = parent
    Part.with(&parent) { $0 = before }
    #expect(parent == untouched)
    Part.with(&parent) { $0 = value }
    #expect(Part.with(&parent) { $0 } == value)
    #expect(Part.read(parent) { $0 == value })
    Part.with(&parent) { $0 = before }
    #expect(parent == untouched)
  }
}

/// Notes in the state what happens before and after each action.
private struct NotingHook: ReducerHook {
  func before(
    _ state: inout Desk, _ action: DeskAction, at moment: Moment
  ) -> Effect<DeskAction, Desktop> {
    state.names.append("before \(state.tally)")
    return .run(Note("began"))
  }

  func after(
    _ state: inout Desk, _ action: DeskAction, at moment: Moment,
    _ effect: Effect<DeskAction, Desktop>
  ) -> Effect<DeskAction, Desktop> {
    state.names.append("after \(state.tally)")
    return effect.merged(with: .run(Note("ended")))
  }
}
