/// One step from one back stack to another.
public enum NavigationStep<Route: NavigationRoute>: Hashable, Sendable {
  /// The topmost route is removed.
  case pop
  /// A route is pushed.
  case push(Route)
  /// All routes are replaced with another root.
  case replaceAll(Route)
}

/// The computation of the steps between two back stacks.
///
/// Routes are compared by path, so a change of parameters, such as a draft, needs no step.
public enum BackStackDifference<Route: NavigationRoute> {
  /// Returns the fewest steps from one stack to another; a root whose path stays equal is kept.
  ///
  /// If the roots have different paths, the first step replaces all routes. Otherwise the routes
  /// above the common part are popped. Then the remaining routes are pushed.
  ///
  /// - Complexity: O(routes of both stacks); each computes its path.
  public static func steps(
    from old: BackStack<Route>, to new: BackStack<Route>
  ) -> [NavigationStep<Route>] {
    guard old.root.path == new.root.path else {
      return [.replaceAll(new.root)] + new.pushed.map { .push($0) }
    }
    var shared = 0
    while shared < old.pushed.count && shared < new.pushed.count
      && old.pushed[shared].path == new.pushed[shared].path
    {
      shared += 1
    }
    let pops = Array(repeating: NavigationStep<Route>.pop, count: old.pushed.count - shared)
    return pops + new.pushed[shared...].map { .push($0) }
  }
}

extension BackStack {
  /// Applies one step; a pop never removes the root.
  public mutating func apply(_ step: NavigationStep<Route>) {
    switch step {
    case .pop: pop()
    case .push(let route): push(route)
    case .replaceAll(let root): replaceAll(with: root)
    }
  }
}
