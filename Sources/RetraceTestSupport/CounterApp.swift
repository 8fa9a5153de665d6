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
  /// The current count.
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
  /// The sum of all counts, including those of removed counters.
  public var total: Int64 = 0
  /// The moment of the last action.
  public var lastMoment: Moment = Moment(microseconds: 0)
  /// The number of actions that named a missing counter.
  public var refused: Int64 = 0
  /// Makes the state before the first record.
  public init() {}
}

/// The actions of counters.
public enum CounterAction: Recordable, Hashable {
  /// A counter was added.
  case added(name: String)
  /// A counter was increased by a number.
  case counted(CounterID, by: Int64)
  /// A counter was removed.
  case removed(CounterID)
  /// A text was noticed; of the state, only the moment changes.
  case noticed(String)

  /// Returns a random action for a state; most name an existing counter.
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

/// A reducer that counts; an action that names a missing counter is counted as refused.
public struct CounterReducer: Reducer {
  /// The factor by which each step is multiplied in the total.
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
  /// Another place.
  case other

  /// The path of the route.
  public var path: String { self == .all ? "all" : "other" }

  /// Makes the route of a path.
  public init?(path: String) {
    guard path == "all" else { return nil }
    self = .all
  }
}

/// A small app for tests of recording and replay.
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

  /// Returns the only scene.
  public static func scenes(in state: CounterState) -> [SceneID] { [SceneID(value: 0)] }

  /// Returns the stack of the only scene.
  public static func backStack(
    of scene: SceneID, in state: CounterState
  ) -> BackStack<CounterRoute>? {
    scene.value == 0 ? BackStack(root: .all) : nil
  }

  /// Returns a screen with the total.
  public static func screen(
    of scene: SceneID, in state: CounterState, at moment: Moment, size: Screen.Size
  ) -> Screen {
    Screen(lines: [Screen.Line("total \(state.total)")])
  }

  /// The app has no effects.
  public typealias Environment = Never
  /// The routes of the app.
  public typealias Route = CounterRoute
}
