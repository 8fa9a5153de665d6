import RetraceArchitecture
import RetraceAvro

/// The id of a counter.
struct CounterID: EntityID {
  var value: Int64
  static let recordedName = "CounterID"
}

/// A counter with a name.
struct CounterEntity: TableEntity, Hashable {
  var name: String
  var count: Int64
  var zone: Int64 { count }
}

/// The state of the tests' app.
struct CounterState: RecordedState {
  var counters = EntityTable<CounterID, CounterEntity>()
  var total: Int64 = 0
  var lastMoment: Moment = Moment(microseconds: 0)
  var refused: Int64 = 0
}

/// What can happen to counters.
enum CounterAction: Recordable, Hashable {
  case added(name: String)
  case counted(CounterID, by: Int64)
  case removed(CounterID)
  case noticed(String)
}

/// Counts; what cannot be met is counted as refused.
struct CounterReducer: Reducer {
  func reduce(
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
      if met == nil { state.refused += 1 } else { state.total &+= step }
    case .removed(let id):
      if !state.counters.remove(id) { state.refused += 1 }
    case .noticed:
      break
    }
    return .none
  }
}

/// The only route of the tests' app.
enum CounterRoute: NavigationRoute {
  case all
  case other

  var path: String { self == .all ? "all" : "other" }

  init?(path: String) {
    guard path == "all" else { return nil }
    self = .all
  }
}

/// A small app for the tests of recording and replay.
enum CounterApp: ReplayableApp {
  static var name: String { "counter" }
  static var build: String { "test" }
  static var reducer: CounterReducer { CounterReducer() }
  static var initialState: CounterState { CounterState() }

  static func scenes(in state: CounterState) -> [SceneID] { [SceneID(value: 0)] }

  static func backStack(of scene: SceneID, in state: CounterState) -> BackStack<CounterRoute>? {
    scene.value == 0 ? BackStack(root: .all) : nil
  }

  static func screen(
    of scene: SceneID, in state: CounterState, at moment: Moment, size: Screen.Size
  ) -> Screen {
    Screen(lines: [Screen.Line("total \(state.total)")])
  }

  typealias Environment = Never
  typealias Route = CounterRoute
}
