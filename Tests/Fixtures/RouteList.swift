public import RetraceArchitecture

/// Shows routes as a terminal would: a list of what is there.
public final class RouteList<Route: NavigationRoute>: Coordinator {
  /// What all coordinators of a router have presented, and not finished.
  public final class Shown {
    /// The entries, the topmost one last.
    public var entries: [BackStack<Route>.Entry] = []

    /// Creates an empty list.
    public init() {}
  }

  private let shown: Shown

  /// Creates a coordinator that shows routes in a list.
  public init(_ shown: Shown) { self.shown = shown }

  /// Returns another coordinator of the same list.
  public func newRoute(_ entry: BackStack<Route>.Entry) -> (any Coordinator<Route>)? {
    RouteList(shown)
  }

  /// Adds the route.
  public func present(_ entry: BackStack<Route>.Entry) async { shown.entries.append(entry) }

  /// Replaces the route with the same path, which is the same place also with another id.
  public func update(_ entry: BackStack<Route>.Entry) async {
    let path = entry.route.path
    guard let index = shown.entries.lastIndex(where: { $0.route.path == path }) else { return }
    shown.entries[index] = entry
  }

  /// Removes the topmost route.
  public func finish(_ entry: BackStack<Route>.Entry) async { shown.entries.removeLast() }
}
