import Retrace

/// The facts of the cart as its first build recorded them.
enum FirstCartFact: Recordable, Equatable {  // recorded: CartFact
  case itemAdded(String)
  case addedFrom(shop: String, item: String)
  case looked
  case confirmed
}

/// The state of the first build.
struct FirstCartState: RecordedState {  // recorded: CartState
  var items: [String] = []
}

/// The reducer of the first build.
struct FirstCartReducer: Reducer {
  func reduce(
    _ state: inout FirstCartState, _ fact: FirstCartFact, at moment: Moment
  ) -> Effect<FirstCartFact, Never> {
    switch fact {
    case .itemAdded(let name), .addedFrom(_, let name): state.items.append(name)
    case .looked, .confirmed: break
    }
    return .none
  }
}

/// The first build.
enum FirstCartApp: ReplayableApp {
  typealias Environment = Never
  typealias Route = FirstRoute

  static var name: String { "cart" }
  static var build: String { "1" }
  static var initialState: FirstCartState { FirstCartState() }
  static var reducer: FirstCartReducer { FirstCartReducer() }

  static func scenes(in state: FirstCartState) -> [SceneID] { [] }
  static func backStack(
    of scene: SceneID, in state: FirstCartState
  ) -> BackStack<FirstRoute>? { nil }
  static func screen(
    of scene: SceneID, in state: FirstCartState, at moment: Moment, size: Screen.Size
  ) -> Screen { Screen(Canvas(size)) }
}

/// The only route of the first build.
enum FirstRoute: NavigationRoute {
  case cart

  var path: String { "cart" }
}
