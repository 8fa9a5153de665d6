public import RetraceArchitecture
public import RetraceAvro
public import RetraceScreen
public import RetraceState

/// The id of a counter.
public struct CounterID: EntityID {
  /// The number of the counter.
  public var value: Int64
  /// The name of the id in schemas.
  public static var recordedName: String { "CounterID" }
  /// Makes an id from its number.
  public init(value: Int64) { self.value = value }
}

/// A counter with a name.
public struct CounterEntity: TableEntity, Hashable {
  /// The name.
  public var name: String
  /// How far it has counted.
  public var count: Int64
  /// The count.
  public var sortKey: Int64 { count }
  /// Makes a counter.
  public init(name: String, count: Int64) {
    self.name = name
    self.count = count
  }
}

/// The state of the tests' app.
public struct CounterState: RecordedState {
  /// The counters.
  public var counters: EntityTable<CounterID, CounterEntity> = EntityTable()
  /// What was counted on all counters, also on those that were removed.
  public var total: Int64 = 0
  /// When something happened last.
  public var lastMoment: Moment = Moment(microseconds: 0)
  /// How many actions named a counter that was not there.
  public var refused: Int64 = 0
  /// Makes the state before the first record.
  public init() {}
}

/// What can happen to counters.
public enum CounterAction: Recordable, Hashable {
  /// A counter was made.
  case added(name: String)
  /// A counter went on by a number.
  case counted(CounterID, by: Int64)
  /// A counter was taken away.
  case removed(CounterID)
  /// Something was noticed that changes the moment only.
  case noticed(String)

  /// A random action on a state: mostly met, at times refused.
  public static func random(
    on state: CounterState, using random: inout SeededGenerator
  ) -> CounterAction {
    let id = CounterID(value: Int64.random(in: 0...state.counters.nextID.value, using: &random))
    switch Int.random(in: 0..<10, using: &random) {
    case 0...2: return .added(name: "n\(UInt16.random(in: .min ... .max, using: &random))")
    case 3...7: return .counted(id, by: Int64.random(in: -9...9, using: &random))
    case 8: return .removed(id)
    default: return .noticed("ü\(UInt8.random(in: .min ... .max, using: &random))")
    }
  }
}

/// Counts; what cannot be met is counted as refused.
public struct CounterReducer: Reducer {
  /// What one step counts for in the total.
  public let unit: Int64

  /// Makes a reducer.
  public init(unit: Int64 = 1) { self.unit = unit }

  /// Reduces an action.
  public func reduce(
    _ state: inout CounterState, _ action: CounterAction, at moment: Moment
  ) -> Effect<CounterAction, Never> {
    state.lastMoment = moment
    switch action {
    case .added(let name):
      _ = state.counters.insert(CounterEntity(name: name, count: 0))
    case .counted(let id, let step):
      let met = state.counters.modify(id) { counter in
        counter.count &+= step
        return true
      }
      if met == nil { state.refused += 1 } else { state.total &+= step &* unit }
    case .removed(let id):
      if !state.counters.remove(id) { state.refused += 1 }
    case .noticed:
      break
    }
    return .none
  }
}

/// The routes of the tests' app.
public enum CounterRoute: NavigationRoute {
  /// All counters.
  case all
  /// Somewhere else.
  case other

  /// The path of the route.
  public var path: String { self == .all ? "all" : "other" }

  /// The route of a path.
  public init?(path: String) {
    guard path == "all" else { return nil }
    self = .all
  }
}

/// A small app for the tests of recording and replay.
public enum CounterApp: ReplayableApp {
  /// The name that sessions record.
  public static var name: String { "counter" }
  /// The build that sessions record.
  public static var build: String { "test" }
  /// The fingerprint of the reducer.
  public static var reducerFingerprint: Digest { ReducerFingerprint.digest }
  /// The reducer.
  public static var reducer: CounterReducer { CounterReducer() }
  /// The state before the first record.
  public static var initialState: CounterState { CounterState() }

  /// The only scene.
  public static func scenes(in state: CounterState) -> [SceneID] { [SceneID(value: 0)] }

  /// The stack of the only scene.
  public static func backStack(
    of scene: SceneID, in state: CounterState
  ) -> BackStack<CounterRoute>? {
    scene.value == 0 ? BackStack(root: .all) : nil
  }

  /// The total.
  public static func screen(
    of scene: SceneID, in state: CounterState, at moment: Moment, size: Screen.Size
  ) -> Screen {
    Screen(lines: [Screen.Line("total \(state.total)")])
  }

  /// There are no effects.
  public typealias Environment = Never
  /// Where a scene can be.
  public typealias Route = CounterRoute
}
