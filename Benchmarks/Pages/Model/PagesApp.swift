import RetraceArchitecture
import RetraceAvro
import RetraceScreen
import RetraceState

/// A state that is one table and two scalars.
struct PagesState: RecordedState {
  var entries: Entries = Entries()
  var changes: Int64 = 0
  var title = "pages"
}

/// The changes of the state.
enum PagesAction: Recordable, Equatable {
  case add(Entry)
  case close(EntryID, duration: Int64)
}

/// An app around the state, so that dispatching and saving go through the engine's own fold.
enum PagesApp: ReplayableApp {
  typealias State = PagesState
  typealias Action = PagesAction
  typealias Environment = Nothing
  typealias Route = Nowhere

  static var name: String { "pages" }
  static var build: String { "1" }
  static var reducer: PagesReducer { PagesReducer() }
  static var initialState: PagesState { PagesState() }

  static func scenes(in state: PagesState) -> [SceneID] { [] }
  static func backStack(of scene: SceneID, in state: PagesState) -> BackStack<Nowhere>? { nil }
  static func screen(
    of scene: SceneID, in state: PagesState, at moment: Moment, size: Screen.Size
  ) -> Screen {
    Screen(Canvas(size))
  }
}

/// The environment of effects, which the app does not have.
struct Nothing: Sendable {}

struct PagesReducer: Reducer {
  func reduce(
    _ state: inout PagesState, _ action: PagesAction, at moment: Moment
  ) -> Effect<PagesAction, Nothing> {
    state.changes += 1
    switch action {
    case .add(let entry): state.entries.insert(entry)
    case .close(let id, let duration):
      state.entries.modify(id) { $0.duration = duration }
    }
    return .none
  }
}

/// The route of an app that shows nothing.
struct Nowhere: NavigationRoute {
  init() {}
  var path: String { "nowhere" }
}
