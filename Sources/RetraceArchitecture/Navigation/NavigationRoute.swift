public import RetraceAvro

/// A place in the app with the parameters that restore it, such as a draft.
///
/// A type of routes that also conforms to ``LinkedRoute`` gets both members from its deep links.
public protocol NavigationRoute: Recordable, Hashable {
  /// The path of the place: its identity without parameters, components joined by `/`.
  var path: String { get }

  /// Parses a path; the parameters have their initial values.
  init?(path: String)
}

extension NavigationRoute {
  /// Returns whether two routes are the same place; their parameters may differ.
  ///
  /// Paths are compared by their UTF-8.
  func isSamePlace(as other: Self) -> Bool { path.utf8.elementsEqual(other.path.utf8) }
}
