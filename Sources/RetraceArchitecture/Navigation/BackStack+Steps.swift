extension BackStack {
  /// One step from one back stack to another.
  public enum Step: Hashable, Sendable {
    /// The topmost route is removed.
    case pop
    /// An entry is pushed.
    case push(Entry)
    /// All routes are replaced with another root.
    case replaceAll(Entry)
  }

  /// Returns the fewest steps to another stack; a root whose path stays equal is kept.
  ///
  /// Routes are compared by path, so a change of parameters, such as a draft, needs no step. If the
  /// roots have different paths, the first step replaces all routes. Otherwise the routes above the
  /// common part are popped. Then the remaining routes are pushed.
  ///
  /// - Complexity: O(routes of both stacks); each computes its path.
  public func steps(to target: BackStack) -> [Step] {
    Self.steps(from: storage, to: target.storage)
  }

  /// Returns the fewest steps between the entries of two stacks; `old` may be empty.
  static func steps(from old: [Entry], to new: [Entry]) -> [Step] {
    var shared = 0
    while shared < min(old.count, new.count)
      && old[shared].route.isSamePlace(as: new[shared].route)
    {
      shared += 1
    }
    if shared == 0, let root = new.first {
      return [.replaceAll(root)] + new.dropFirst().map { .push($0) }
    }
    return Array(repeating: .pop, count: old.count - shared) + new[shared...].map { .push($0) }
  }
}
