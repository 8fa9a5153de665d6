/// One change of what a scene presents.
public enum NavigationStep<Route: NavigationRoute>: Hashable, Sendable {
  /// The topmost route goes away.
  case pop
  /// A route comes on top.
  case push(Route)
  /// Everything goes away and another root comes.
  case replaceAll(Route)
}

/// Finds what to present and to dismiss between two back stacks.
///
/// Routes are the same where their paths are: a draft that changes within a route moves nothing.
public enum Router<Route: NavigationRoute> {
  /// The fewest steps from one stack to another: pops down to what they share, then pushes.
  ///
  /// - Complexity: O(routes of both stacks), a path printed for each.
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
  /// Does one step; a pop leaves the root.
  public mutating func apply(_ step: NavigationStep<Route>) {
    switch step {
    case .pop: pop()
    case .push(let route): push(route)
    case .replaceAll(let root): replaceAll(with: root)
    }
  }
}
