import RetraceArchitecture
import RetraceAvro
import RetraceScreen
import RetraceState
import RetraceFixtures

/// What the versions of the app have in common: a shelf of books that are lent.
///
/// Each version is what a release of the app would be: its action and state schemas are never
/// changed again, only followed by another version.
protocol Shelf: ReplayableApp where Environment == Never, Route == CounterRoute {}

extension Shelf {
  static var name: String { "shelf" }
  static var build: String { "\(Self.self)" }
  static func scenes(in state: State) -> [SceneID] { [] }
  static func backStack(of scene: SceneID, in state: State) -> BackStack<CounterRoute>? { nil }
  static func screen(
    of scene: SceneID, in state: State, at moment: Moment, size: Screen.Size
  ) -> Screen {
    Screen(Canvas(size))
  }
}

/// The id of a book.
struct BookID: EntityID { var value: Int64 }

/// A reducer that is a function, which spares each version a type.
struct ShelfReducer<State: RecordedState, Action: Recordable>: Reducer {
  let function: @Sendable (inout State, Action) -> Void

  func reduce(_ state: inout State, _ action: Action, at moment: Moment) -> Effect<Action, Never> {
    function(&state, action)
    return .none
  }
}
