public import RetraceAvro

/// A place in the app with the parameters that restore it, such as a draft.
public protocol NavigationRoute: Recordable, Hashable {
  /// The path of the place: its identity without parameters, components joined by `/`.
  var path: String { get }

  /// Parses a path; the parameters have their initial values.
  init?(path: String)
}

/// The routes of a scene from the root to the top; never empty.
public struct BackStack<Route: NavigationRoute>: Hashable, Sendable {
  /// The route at the bottom.
  public private(set) var root: Route
  /// The routes above the root, topmost last.
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

  /// The routes from the root to the top.
  public var routes: [Route] { [root] + pushed }

  /// Pushes a route.
  public mutating func push(_ route: Route) { pushed.append(route) }

  /// Removes the topmost route and returns it, or returns `nil` if only the root is left.
  @discardableResult
  public mutating func pop() -> Route? { pushed.popLast() }

  /// Replaces all routes with one root.
  public mutating func replaceAll(with root: Route) {
    self.root = root
    pushed = []
  }
}
