public import RetraceAvro

/// A place in the app with the parameters that restore it, such as a draft.
public protocol NavigationRoute: Recordable, Hashable {
  /// The path of the place: identity only, no parameters, components joined by `/`.
  var path: String { get }

  /// Parses a path; the parameters are fresh.
  init?(path: String)
}

/// The routes of a scene from the root to the one on top; never empty.
public struct BackStack<Route: NavigationRoute>: Hashable, Sendable {
  /// The route at the bottom.
  public private(set) var root: Route
  /// The routes above the root, the topmost last.
  public private(set) var pushed: [Route]

  /// Makes a stack of one route.
  public init(root: Route) {
    self.root = root
    pushed = []
  }

  /// The route that is shown.
  public var top: Route {
    get { pushed.last ?? root }
    set {
      if pushed.isEmpty { root = newValue } else { pushed[pushed.count - 1] = newValue }
    }
  }

  /// All routes from the root to the top.
  public var routes: [Route] { [root] + pushed }

  /// Puts a route on top.
  public mutating func push(_ route: Route) { pushed.append(route) }

  /// Takes the topmost route off and answers it; the root stays.
  @discardableResult
  public mutating func pop() -> Route? { pushed.popLast() }

  /// Leaves one route only.
  public mutating func replaceAll(with root: Route) {
    self.root = root
    pushed = []
  }
}
