public import PokeInjection
public import PokeModels
public import Retrace

/// The screens of a window.
public enum PokeRoute: NavigationRoute {
  /// The list.
  case list
  /// The favourites.
  case favourites
  /// The details of a creature.
  case detail(CreatureID)
  /// What a new user reads.
  case welcome

  /// The path of the route.
  public var path: String {
    switch self {
    case .list: "list"
    case .favourites: "favourites"
    case .detail(let id): "creatures/\(id.value)"
    case .welcome: "welcome"
    }
  }
}

/// A window: one scene.
public struct PokeWindow: Recordable, Hashable {
  /// The screens.
  public var stack: BackStack<PokeRoute>
  /// The selected row of the list.
  public var list: ListState
  /// The selected row of the favourites.
  public var favourites: ListState

  /// Makes a window that shows the list, or first what a new user reads.
  public init(isWelcoming: Bool) {
    stack = BackStack(root: .list, pushed: isWelcoming ? [.welcome] : [])
    list = ListState()
    favourites = ListState()
  }

  /// Removes what a new user reads.
  mutating func endWelcome() {
    if let entry = stack.entries.first(where: { $0.route == .welcome }) {
      stack.pop(through: entry.id)
    }
  }
}

/// The actions of a window.
public enum WindowAction: Recordable, Equatable {
  /// Another row was selected, or the rows were scrolled.
  case moved(ListState)
  /// A screen was opened above the others.
  case opened(PokeRoute)
  /// The topmost screen was left.
  case left
}

/// The reducer of a window.
public struct WindowReducer: Reducer {
  /// Reduces an action; a screen that is shown is not opened again.
  public func reduce(
    _ state: inout PokeWindow, _ action: WindowAction, at moment: Moment
  ) -> Effect<WindowAction, PokeEnvironment> {
    switch action {
    case .moved(let position):
      if state.stack.top == .favourites {
        state.favourites = position
      } else {
        state.list = position
      }
    case .opened(let route): if state.stack.top != route { state.stack.push(route) }
    case .left: state.stack.pop()
    }
    return .none
  }
}
