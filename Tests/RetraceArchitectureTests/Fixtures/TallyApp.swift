import RetraceArchitecture
import RetraceAvro
import RetraceScreen
import RetraceState

/// The smallest app: one number.
enum TallyApp: ReplayableApp {
  typealias Environment = Desktop
  typealias Route = Place

  static var name: String { "tally" }
  static var build: String { "1" }
  static var reducer: CountReducer { CountReducer() }
  static var initialState: Count { Count() }

  static func scenes(in state: Count) -> [SceneID] { [] }
  static func backStack(of scene: SceneID, in state: Count) -> BackStack<Place>? { nil }
  static func screen(
    of scene: SceneID, in state: Count, at moment: Moment, size: Screen.Size
  ) -> Screen {
    Screen(Screen.Line("\(state.count)"), size: size)
  }
}

struct Count: RecordedState {
  var count: Int64 = 0
}

/// The tally's reducer over a whole state.
struct CountReducer: Reducer {
  func reduce(
    _ state: inout Count, _ action: TallyAction, at moment: Moment
  ) -> Effect<TallyAction, Desktop> {
    TallyReducer().reduce(&state.count, action, at: moment)
  }
}
