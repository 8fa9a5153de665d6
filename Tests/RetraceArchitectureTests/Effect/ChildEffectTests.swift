import RetraceArchitecture
import RetraceAvro
import RetraceState
import RetraceFixtures
import RetraceTesting
import Testing

extension LampID: CancellationKey {}

/// Effects of children: keys that belong to a child, and effects that end with it.
@Suite struct ChildEffectTests {
  private let moment = Moment(microseconds: 1_000_000)
  private let minute = ElapsedTime.seconds(60)

  /// A place for a lamp in the house, and how the lamp comes there and goes.
  private struct Place {
    var name: String
    var come: HouseAction
    var go: HouseAction
    var wrap: @Sendable (LampAction) -> HouseAction
  }

  private let places: [Place] = [
    Place(
      name: "an entity", come: .bought, go: .sold(LampID(value: 0)),
      wrap: { .lamp(LampID(value: 0), $0) }),
    Place(
      name: "an optional part", come: .hadGuest(true), go: .hadGuest(false), wrap: { .guest($0) }),
    Place(name: "a case", come: .hadPorch(true), go: .hadPorch(false), wrap: { .porch($0) }),
    Place(
      name: "a value", come: .hadScene(SceneID(value: 3), true),
      go: .hadScene(SceneID(value: 3), false), wrap: { .scene(SceneID(value: 3), $0) }),
  ]

  /// Folds actions from the start, a second apart.
  private func fold(_ actions: [HouseAction]) -> Fold<HouseApp> {
    var fold = Fold<HouseApp>()
    for action in actions {
      let sequence = fold.sequence + 1
      let now = moment.adding(.seconds(Int64(sequence)))
      _ = fold.apply(action, at: now, sequence: sequence)
    }
    return fold
  }

  private func causes(_ fold: Fold<HouseApp>) -> [UInt64] { fold.inFlight.leaves.map(\.id.cause) }

  @Test func `a child that goes takes its effects and those of its children with it [E5]`() {
    for place in places {
      let flying = fold([
        place.come, place.wrap(.lit("a", after: minute)), place.wrap(.hadBulb(true)),
        place.wrap(.bulb(.lit("a"))), .hall(.lit("a", after: minute)),
      ])
      #expect(causes(flying) == [2, 4, 5], "\(place.name)")
      #expect(flying.inFlight.leaves[1].scope.isWithin(flying.inFlight.leaves[0].scope))
      var gone = flying
      _ = gone.apply(place.go, at: moment, sequence: 6)
      #expect(causes(gone) == [5], "\(place.name)")
      var dark = flying
      _ = dark.apply(place.wrap(.hadBulb(false)), at: moment, sequence: 6)
      #expect(causes(dark) == [2, 5], "\(place.name)")
    }
  }

  @Test func `an effect of the action with which a child goes is not in flight`() {
    for place in places {
      var house = fold([place.come])
      let effect = house.apply(place.wrap(.left("bye")), at: moment, sequence: 2)
      #expect(effect.leafCount == 1, "\(place.name)")
      #expect(house.inFlight.isEmpty && house.state.missing == 0, "\(place.name)")
    }
  }

  @Test func `the same key in two children names two effects [E5]`() {
    let (one, two) = (LampID(value: 0), LampID(value: 1))
    let start: [HouseAction] = [
      .bought, .bought, .hadGuest(true), .hadScene(SceneID(value: 0), true),
      .lamp(one, .warmed("a")), .lamp(two, .warmed("a")), .guest(.warmed("a")),
      .scene(SceneID(value: 0), .warmed("a")), .hall(.warmed("a")),
      .hall(.lit("glow", after: minute)),
    ]
    #expect(causes(fold(start)) == [5, 6, 7, 8, 9, 10])
    let cancelled: [(HouseAction, UInt64)] = [
      (.lamp(one, .cooled), 5), (.lamp(two, .cooled), 6), (.guest(.cooled), 7),
      (.scene(SceneID(value: 0), .cooled), 8), (.hall(.cooled), 9), (.hall(.dimmed("glow")), 10),
    ]
    for (action, cause) in cancelled {
      #expect(causes(fold(start + [action])) == (5...10).filter { $0 != cause }, "\(action)")
    }
  }

  @Test func `a child cancels all its effects, and those of its children [E5]`() {
    let house = fold([
      .hadGuest(true), .guest(.warmed("a")), .guest(.hadBulb(true)), .guest(.bulb(.lit("b"))),
      .hall(.warmed("a")), .guest(.switchedOff),
    ])
    #expect(causes(house) == [5])
    let all: Effect<HouseAction, HouseDesk> = .cancelAll
    var inFlight = house.inFlight
    inFlight.register(all, cause: 9, at: moment)
    #expect(inFlight.isEmpty)
  }

  @Test func `the effect of an action shows why it cancels a leaf [E6]`() throws {
    let start: [HouseAction] = [
      .hadGuest(true), .guest(.searched("a")), .guest(.lit("b", after: minute)),
      .guest(.reported("c", latest: true)), .guest(.reported("d", latest: true)),
    ]
    let reasons: [(HouseAction, [UInt64: CancellationReason])] = [
      (.guest(.searched("e")), [2: .id(CancellationID(LampWork.search))]),
      (.guest(.dimmed("b")), [3: .id(CancellationID("b"))]),
      (.guest(.reported("e", latest: true)), [5: .id(CancellationID(LampWork.report))]),
      (.guest(.switchedOff), [2: .all, 3: .all, 4: .all, 5: .all]),
      (
        .hadGuest(false), [2: .childEnded, 3: .childEnded, 4: .childEnded, 5: .childEnded]
      ),
      (.hall(.switchedOff), [:]),
    ]
    for (action, expected) in reasons {
      var house = fold(start)
      let before = house.inFlight.leaves
      let effect = house.apply(action, at: moment.adding(.seconds(6)), sequence: 6)
      var found: [UInt64: CancellationReason] = [:]
      for leaf in before where !house.inFlight.contains(leaf.id) {
        found[leaf.id.cause] = leaf.reasonOfCancellation(by: effect)
      }
      #expect(found == expected, "\(action)")
    }
  }

  @Test func `a key has the same name in each process`() {
    #expect(CancellationID(LampWork.glow).name == "RetraceFixtures.LampWork.glow")
    #expect(CancellationID("glow").name == "glow")
    #expect(CancellationID(LampID(value: -7)).name == "RetraceFixtures.LampID.-7")
    #expect(CancellationID("é") != CancellationID("e\u{301}"))
    let scope = ElementEmbedding<HouseAction.Parts._lamp>(id: LampID(value: 7)).scope
    #expect(scope.description == "RetraceFixtures.HouseAction.Parts._lamp 7")
    // Generated names are those of the compiler, which other types have.
    typealias Item = DeskAction.Parts._item
    #expect(Item.typeName == _typeName(Item.self, qualified: true))
    #expect(EffectScope.Component(PrivatePlace.self).name == "PrivatePlace")
  }

  private enum PrivatePlace: NamedType {}

  /// A second optional lamp, whose actions share the case of the guest.
  private struct NoGuest: StatePart {
    static func with<Result>(
      _ whole: inout HouseState, _ body: (inout Lamp?) -> Result
    ) -> Result {
      var lamp: Lamp?
      return body(&lamp)
    }

    static func read<Result, Failure: Error>(
      _ whole: borrowing HouseState, _ body: (borrowing Lamp?) throws(Failure) -> Result
    ) throws(Failure) -> Result { try body(nil) }
  }

  @Test func `if two children share a case, the one that remains keeps its effects`() {
    let guest = IfLet<HouseState, HouseAction, HouseState.Parts._guest, _, _>(
      \.guest, action: \.guest
    ) { LampReducer() }
    let none = IfLet<HouseState, HouseAction, NoGuest, _, _>(
      { _ in NoGuest() }, action: \.guest
    ) { LampReducer() }
    let child = [EffectScope.Component(HouseAction.Parts._guest.self)][...]
    let other = [EffectScope.Component(HouseAction.Parts._hall.self)][...]
    var house = HouseState()
    #expect(guest.combined(with: none).hasChild(child, in: house) == false)
    #expect(guest.combined(with: none).hasChild(other, in: house) == nil)
    house.guest = Lamp()
    #expect(guest.combined(with: none).hasChild(child, in: house) == true)
    #expect(none.combined(with: guest).hasChild(child, in: house) == true)
    #expect(none.hasChild(child, in: house) == false)
  }

  @Test(arguments: 1...20)
  func `random actions leave in flight what a plain model has [E5]`(seed: UInt64) throws {
    try withSeed(default: seed) { generator in
      var model = Model()
      var house = Fold<HouseApp>()
      var restarted = Fold<HouseApp>()
      for _ in 0..<300 {
        let action = model.step(&generator)
        let sequence = house.sequence + 1
        let now = moment.adding(.seconds(Int64(sequence)))
        _ = house.apply(action, at: now, sequence: sequence)
        _ = restarted.apply(action, at: now, sequence: sequence)
        try #require(causes(house) == model.flying.map(\.cause), "after \(action)")
        try #require(restarted.inFlight == house.inFlight, "after \(action)")
        if Int.random(in: 0..<20, using: &generator) == 0 {
          // Another process opens a snapshot, which has the names of the scopes.
          let bytes = house.inFlight.encoded()
          restarted = Fold(
            state: house.state, inFlight: try EffectsInFlight(encoded: bytes.span),
            sequence: sequence)
          try #require(restarted.inFlight == house.inFlight)
        }
      }
    }
  }

  /// Which lamps there are, and which effects are in flight, by the rules as a reader knows them.
  private struct Model {
    struct Flying { var cause: UInt64; var lamp: String; var isBulb: Bool; var key: String }

    /// The lamps that are there; `true` for one with a bulb.
    var lamps: [String: Bool] = ["hall": false]
    var flying: [Flying] = []
    var bought: Int64 = 0
    var count: UInt64 = 0

    mutating func step(_ generator: inout SeededGenerator) -> HouseAction {
      count += 1
      let number = Int64.random(in: 0..<3, using: &generator)
      let (lamp, scene) = (LampID(value: number), SceneID(value: number))
      let isThere = Bool.random(using: &generator)
      switch Int.random(in: 0..<14, using: &generator) {
      case 0:
        lamps["lamp \(bought)"] = false
        bought += 1
        return .bought
      case 1:
        remove("lamp \(number)")
        return .sold(lamp)
      case 2:
        set("guest", isThere)
        return .hadGuest(isThere)
      case 3:
        set("porch", isThere)
        return .hadPorch(isThere)
      case 4:
        set("scene \(number)", isThere)
        return .hadScene(scene, isThere)
      case 5, 6: return .lamp(lamp, inner("lamp \(number)", &generator))
      case 7, 8: return .guest(inner("guest", &generator))
      case 9, 10: return .porch(inner("porch", &generator))
      case 11, 12: return .scene(scene, inner("scene \(number)", &generator))
      default: return .hall(inner("hall", &generator))
      }
    }

    private mutating func remove(_ lamp: String) {
      lamps[lamp] = nil
      flying.removeAll { $0.lamp == lamp }
    }

    private mutating func set(_ lamp: String, _ isThere: Bool) {
      if !isThere { remove(lamp) } else if lamps[lamp] == nil { lamps[lamp] = false }
    }

    private mutating func start(_ key: String, in lamp: String, isBulb: Bool = false) {
      guard lamps[lamp] == true || (lamps[lamp] == false && !isBulb) else { return }
      flying.append(Flying(cause: count, lamp: lamp, isBulb: isBulb, key: key))
    }

    private mutating func cancel(_ key: String, in lamp: String) {
      guard lamps[lamp] != nil else { return }
      flying.removeAll { $0.lamp == lamp && !$0.isBulb && $0.key == key }
    }

    private mutating func inner(
      _ lamp: String, _ generator: inout SeededGenerator
    ) -> LampAction {
      let text = ["a", "b"][Int.random(in: 0..<2, using: &generator)]
      switch Int.random(in: 0..<10, using: &generator) {
      case 0, 1:
        start(text, in: lamp)
        return .lit(text, after: .seconds(60))
      case 2:
        start("LampWork.glow", in: lamp)
        return .warmed(text)
      case 3:
        cancel("LampWork.search", in: lamp)
        start("LampWork.search", in: lamp)
        return .searched(text)
      case 4:
        cancel(text, in: lamp)
        return .dimmed(text)
      case 5:
        cancel("LampWork.glow", in: lamp)
        return .cooled
      case 6:
        if lamps[lamp] != nil { flying.removeAll { $0.lamp == lamp } }
        return .switchedOff
      case 7:
        let isIn = Bool.random(using: &generator)
        if lamps[lamp] != nil {
          lamps[lamp] = isIn
          if !isIn { flying.removeAll { $0.lamp == lamp && $0.isBulb } }
        }
        return .hadBulb(isIn)
      case 8 where lamp != "hall":
        remove(lamp)
        return .left(text)
      default:
        start(text, in: lamp, isBulb: true)
        return .bulb(.lit(text))
      }
    }
  }
}
