import RetraceArchitecture
import RetraceAvro

/// A route with a draft.
struct Place: NavigationRoute {
  var name: String
  var draft = ""

  init(_ name: String) { self.name = name }
  var path: String { name }
}

extension BackStack<Place> {
  /// Makes a stack of names, the root first.
  init(_ root: String, _ pushed: String...) {
    self.init(root: Place(root), pushed: pushed.map { Place($0) })
  }

  /// The names from the root to the top.
  var names: [String] { routes.map(\.name) }
}

/// The tabs of tests.
enum Side: Recordable, CaseIterable {
  case left, right
}
