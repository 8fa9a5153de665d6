package import RetraceArchitecture
package import RetraceAvro
package import RetraceScreen
package import RetraceState

/// The id of a lamp in the table.
package struct LampID: EntityID {
  /// The number of the lamp.
  package var value: Int64
  /// The name of the id in schemas.
  package static var recordedName: String { "LampID" }
  /// Makes an id from its number.
  package init(value: Int64) { self.value = value }
}

/// The bulb of a lamp: a child of a child.
package struct Bulb: Recordable, Hashable {
  /// What the bulb's effects answered.
  package var seen: [String] = []
}

/// A lamp, which is a child of the house in each way that there is.
package struct Lamp: TableEntity, Hashable, ReportsMissingTarget, Composed {
  /// What the lamp's effects answered.
  package var seen: [String] = []
  /// The bulb, if one is in.
  package var bulb: Bulb?

  /// Notes that there was no bulb.
  package mutating func targetWasMissing(_ target: MissingTarget) { seen.append("no bulb") }
}

/// The porch, which has a lamp in one of its cases.
package enum Porch: Recordable, Hashable, ReportsMissingTarget, Composed {
  /// There is no lamp.
  case dark
  /// There is a lamp.
  case lit(Lamp)

  /// Does nothing: the house counts only lamps that it looks for itself.
  package mutating func targetWasMissing(_ target: MissingTarget) {}
}

/// The state of the house: a part of each kind, and what errands noted.
package struct HouseState: RecordedState, ReportsMissingTarget, Composed {
  /// The lamps of a table.
  package var lamps: EntityTable<LampID, Lamp> = EntityTable()
  /// A lamp that may be there.
  package var guest: Lamp?
  /// A lamp in a case.
  package var porch: Porch = .dark
  /// The lamps of a dictionary.
  package var scenes: [SceneID: Lamp] = [:]
  /// A lamp that is always there.
  package var hall: Lamp = Lamp()
  /// The texts that were noted, in order.
  package var done: [String] = []
  /// How often the target of an action was missing.
  package var missing: Int64 = 0

  /// Counts the missing target.
  package mutating func targetWasMissing(_ target: MissingTarget) { missing += 1 }
}

/// The typed keys of a lamp's work.
package enum LampWork: String, CancellationKey {
  /// Work that is cancelled by hand.
  case glow
  /// Work that waits until nothing more is asked for.
  case search
  /// Work that starts once in a time.
  case report
}

/// An effect that answers once, at a ``HouseDesk``.
package struct Glow: EffectLeaf, Hashable {
  /// The text that it answers.
  package var text: String
  /// Makes the leaf.
  package init(_ text: String) { self.text = text }

  /// Runs at the desk and returns an action with the text.
  package func run(in desk: HouseDesk) async throws -> [LampAction] {
    desk.note("\(text) runs")
    do {
      return [.glowed(try await desk.run(text))]
    } catch {
      desk.note("\(text) is cancelled")
      throw error
    }
  }
}

/// An effect that answers as often as a ``HouseDesk`` says.
package struct Watch: StreamingLeaf, Hashable {
  /// The name under which the desk has what it answers.
  package var name: String
  /// Whether an action is sent if the program ends before the leaf; otherwise the leaf is dropped.
  package var saysEnd: Bool
  /// Makes the leaf.
  package init(_ name: String, saysEnd: Bool = false) {
    self.name = name
    self.saysEnd = saysEnd
  }

  /// Sends each batch of the desk, and tells the desk how that ended.
  package func run(in desk: HouseDesk, send: EffectSender<LampAction>) async throws {
    desk.note("\(name) starts")
    for await texts in desk.batches(of: name) {
      do {
        try await send(texts.map { .glowed($0) })
        desk.note("\(name) sent \(texts)")
      } catch {
        desk.note("\(name) may not send \(texts): \(type(of: error))")
        throw error
      }
    }
    desk.note("\(name) ends")
  }

  /// The policy that the leaf was made with.
  package var interruptionPolicy: StreamInterruptionPolicy<LampAction> {
    saysEnd ? .send(.glowed("end of \(name)")) : .drop
  }
}

/// The actions of a bulb.
package enum BulbAction: Recordable, Hashable {
  /// Starts an effect.
  case lit(String)
  /// The answer of an effect.
  case glowed(String)
}

/// The actions of a lamp.
package enum LampAction: Recordable, Hashable, Composed {
  /// Starts an effect after a delay, under a key of its own.
  case lit(String, after: ElapsedTime)
  /// Starts an effect under the typed key ``LampWork/glow``.
  case warmed(String)
  /// Starts an effect unless another one is asked for within a second.
  case searched(String)
  /// Starts an effect once in ten seconds.
  case reported(String, latest: Bool)
  /// Starts an effect that answers several times, under a key of its own.
  case watched(Watch)
  /// Cancels the effects under a key.
  case dimmed(String)
  /// Cancels the effects under the typed key ``LampWork/glow``.
  case cooled
  /// Cancels all effects of the lamp.
  case switchedOff
  /// Starts an effect while the house removes the lamp.
  case left(String)
  /// The answer of an effect.
  case glowed(String)
  /// Puts a bulb in or takes it out.
  case hadBulb(Bool)
  /// An action of the bulb.
  case bulb(BulbAction)
}

/// The actions of the house.
package enum HouseAction: Recordable, Hashable, Composed {
  /// An action of a lamp in the table.
  case lamp(LampID, LampAction)
  /// An action of the guest's lamp.
  case guest(LampAction)
  /// An action of the porch's lamp.
  case porch(LampAction)
  /// An action of a scene's lamp.
  case scene(SceneID, LampAction)
  /// An action of the hall's lamp.
  case hall(LampAction)
  /// Inserts a lamp into the table.
  case bought
  /// Removes a lamp from the table.
  case sold(LampID)
  /// Whether there is a guest from now on.
  case hadGuest(Bool)
  /// Whether the porch has a lamp from now on.
  case hadPorch(Bool)
  /// Whether a scene has a lamp from now on.
  case hadScene(SceneID, Bool)
  /// Notes a text.
  case noted(String)
  /// Runs an errand after a delay, under an id unless that is empty.
  case started(Errand, after: ElapsedTime, id: String)
  /// Replaces the errand that runs under an id.
  case restarted(Errand, id: String)
  /// Runs errands concurrently.
  case together([Errand])
  /// Runs errands one after the other, each after a delay.
  case inOrder([Errand], after: ElapsedTime)
  /// Notes a text after a delay.
  case reminded(String, after: ElapsedTime)
  /// Cancels the errands that run under an id.
  case stopped(id: String)
  /// Notes a text and sends itself again, a number of times.
  case chained(String, times: Int64)
}

/// The reducer of a bulb.
package struct BulbReducer: Reducer {
  /// Reduces an action.
  package func reduce(
    _ state: inout Bulb, _ action: BulbAction, at moment: Moment
  ) -> Effect<BulbAction, HouseDesk> {
    switch action {
    case .lit(let text): return .send(.glowed(text)).delayed(by: .seconds(60)).cancellable(text)
    case .glowed(let text):
      state.seen.append(text)
      return .none
    }
  }
}

/// The reducer of a lamp without its bulb.
package struct LampReducer: Reducer {
  /// Makes a reducer.
  package init() {}

  /// Reduces an action.
  package func reduce(
    _ state: inout Lamp, _ action: LampAction, at moment: Moment
  ) -> Effect<LampAction, HouseDesk> {
    switch action {
    case .lit(let text, let time): return .run(Glow(text)).delayed(by: time).cancellable(text)
    case .warmed(let text): return .run(Glow(text)).cancellable(LampWork.glow)
    case .searched(let text): return .run(Glow(text)).debounced(LampWork.search, for: .seconds(1))
    case .reported(let text, let latest):
      return .run(Glow(text)).throttled(LampWork.report, for: .seconds(10), latest: latest)
    case .watched(let watch): return .run(watch).cancellable(watch.name)
    case .dimmed(let text): return .cancel(text)
    case .cooled: return .cancel(LampWork.glow)
    case .switchedOff: return .cancelAll
    case .left(let text): return .run(Glow(text)).cancellable(text)
    case .glowed(let text):
      state.seen.append(text)
      // The last answer ends the effect that gave it.
      return text.utf8.elementsEqual("stop".utf8) ? .cancelAll : .none
    case .hadBulb(let isIn):
      state.bulb = isIn ? state.bulb ?? Bulb() : nil
      return .none
    case .bulb: return .none
    }
  }
}

/// The reducer of the house without its lamps.
package struct RoomReducer: Reducer {
  /// Reduces an action.
  package func reduce(
    _ state: inout HouseState, _ action: HouseAction, at moment: Moment
  ) -> Effect<HouseAction, HouseDesk> {
    switch action {
    case .bought: _ = state.lamps.insert(Lamp())
    case .sold(let id), .lamp(let id, .left): state.lamps.remove(id)
    case .hadGuest(let isThere): state.guest = isThere ? state.guest ?? Lamp() : nil
    case .guest(.left): state.guest = nil
    case .hadPorch(let isLit):
      if case .lit = state.porch, isLit { break }
      state.porch = isLit ? .lit(Lamp()) : .dark
    case .porch(.left): state.porch = .dark
    case .hadScene(let id, let isThere):
      state.scenes[id] = isThere ? state.scenes[id] ?? Lamp() : nil
    case .scene(let id, .left): state.scenes[id] = nil
    default: break
    }
    return .none
  }
}

extension LampAction.Parts {
  /// All actions of a lamp.
  package var itself: Itself<LampAction> { Itself<LampAction>() }
}

/// The reducer of a lamp with its bulb.
package struct WholeLamp: Reducer {
  /// The lamp, then its bulb.
  package var body: some Reducer<Lamp, LampAction, HouseDesk> {
    LampReducer()
    IfLet(\.bulb, action: \.bulb) { BulbReducer() }
  }
}

/// The reducer of the porch.
package struct PorchReducer: Reducer {
  /// The lamp, if the porch is lit.
  package var body: some Reducer<Porch, LampAction, HouseDesk> {
    IfCaseLet(\.lit, action: \.itself) { WholeLamp() }
  }
}

/// The reducer of the house: a child of each kind, then the rooms and the errands.
package struct HouseReducer: Reducer {
  /// The lamps, then the rooms and the errands.
  package var body: some Reducer<HouseState, HouseAction, HouseDesk> {
    ForEachEntity(\.lamps, action: \.lamp) { WholeLamp() }
    IfLet(\.guest, action: \.guest) { WholeLamp() }
    Scope(\.porch, action: \.porch) { PorchReducer() }
    ForEachValue(\.scenes, action: \.scene) { WholeLamp() }
    Scope(\.hall, action: \.hall) { WholeLamp() }
    RoomReducer()
    ErrandReducer()
  }
}

/// An app for tests, with effects of every kind, also of children.
package enum HouseApp: ReplayableApp {
  /// The desk at which effects run.
  package typealias Environment = HouseDesk
  /// The routes of the app.
  package typealias Route = CounterRoute

  /// The name that sessions record.
  package static var name: String { "house" }
  /// The build that sessions record.
  package static var build: String { "test" }
  /// The fingerprint of the reducer.
  package static var reducerFingerprint: Digest { ReducerFingerprint.digest }
  /// The reducer: children first, then the house.
  package static var reducer: HouseReducer { HouseReducer() }
  /// The state before the first record.
  package static var initialState: HouseState { HouseState() }

  /// Returns the only scene.
  package static func scenes(in state: HouseState) -> [SceneID] { [SceneID(value: 0)] }

  /// Returns the stack of the only scene.
  package static func backStack(
    of scene: SceneID, in state: HouseState
  ) -> BackStack<CounterRoute>? {
    scene.value == 0 ? BackStack(root: .all) : nil
  }

  /// Returns a screen with one line for each answer in the hall.
  package static func screen(
    of scene: SceneID, in state: HouseState, at moment: Moment, size: Screen.Size
  ) -> Screen {
    Screen(state.hall.seen.map { Screen.Line($0) }, size: size)
  }
}
