package import RetraceArchitecture
package import RetraceAvro
package import RetraceRandom
package import RetraceScreen
package import RetraceState

/// The id of a counter.
package struct CounterID: EntityID { var number: Int64 }

/// A counter with a name.
package struct CounterEntity: TableEntity, Hashable {
  /// The name.
  package var name: String
  /// The current count.
  package var count: Int64
  /// The count.
  package var sortKey: Int64 { count }
}

/// The state of the tests' app.
package struct CounterState: RecordedState {
  /// The counters.
  package var counters: EntityTable<CounterID, CounterEntity> = EntityTable()
  /// The sum of all counts, including removed counters.
  package var total: Int64 = 0
  /// The moment of the last action.
  package var lastMoment: Moment = Moment(microseconds: 0)
  /// The number of actions that named a missing counter.
  package var refused: Int64 = 0
}

/// The actions of counters.
package enum CounterAction: Recordable, Hashable {
  /// A counter was added.
  case added(name: String)
  /// A counter was increased by a number.
  case counted(CounterID, by: Int64)
  /// A counter was removed.
  case removed(CounterID)
  /// A text was noticed; only the moment in the state changes.
  case noticed(String)

  /// Returns a random action for a state; most name an existing counter.
  package static func random(
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
package struct CounterReducer: Reducer {
  /// The factor by which each step is multiplied in the total.
  package let factor: Int64

  /// Makes a reducer.
  package init(factor: Int64 = 1) { self.factor = factor }

  /// Reduces an action.
  package func reduce(
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
      if met == nil { state.refused += 1 } else { state.total &+= step &* factor }
    case .removed(let id):
      if !state.counters.remove(id) { state.refused += 1 }
    case .noticed:
      break
    }
    return .none
  }
}

/// The routes of the tests' app.
package enum CounterRoute: NavigationRoute {
  /// All counters.
  case all
  /// Another place.
  case other

  /// The path of the route.
  package var path: String { self == .all ? "all" : "other" }
}

/// A small app for tests of recording and replay.
package enum CounterApp: ReplayableApp {
  /// The name that sessions record.
  package static var name: String { "counter" }
  /// The build that sessions record.
  package static var build: String { "test" }
  /// The fingerprint of the reducer.
  package static var reducerFingerprint: Digest { ReducerFingerprint.digest }
  /// The reducer.
  package static var reducer: CounterReducer { CounterReducer() }
  /// The state before the first record.
  package static var initialState: CounterState { CounterState() }

  /// Returns the only scene.
  package static func scenes(in state: CounterState) -> [SceneID] { [SceneID(value: 0)] }

  /// Returns the stack of the only scene.
  package static func backStack(
    of scene: SceneID, in state: CounterState
  ) -> BackStack<CounterRoute>? {
    scene.value == 0 ? BackStack(root: .all) : nil
  }

  /// Returns a screen with the total.
  package static func screen(
    of scene: SceneID, in state: CounterState, at moment: Moment, size: Screen.Size
  ) -> Screen {
    Screen(Screen.Line("total \(state.total)"), size: size)
  }

  /// The app has no effects.
  package typealias Environment = Never
  /// The routes of the app.
  package typealias Route = CounterRoute
}
