public import RetraceAvro

/// A place in the app with the parameters that restore it, such as a draft.
///
/// Only its path is written by hand:
///
/// ```swift
/// enum ShelfRoute: NavigationRoute {
///   case books(newTitle: TextDraft)
///   case book(BookID, title: TextDraft)
///
///   var path: String {
///     switch self {
///     case .books: "books"
///     case .book(let id, _): "books/\(id.value)"
///     }
///   }
/// }
/// ```
///
/// No path is read back: the log has the whole route. A type of routes that other programs open by
/// an address conforms to ``LinkedRoute``, which also gives it the path.
public protocol NavigationRoute: Recordable, Hashable {
  /// The path of the place: its identity without parameters, components joined by `/`.
  var path: String { get }
}

extension NavigationRoute {
  /// Returns whether two routes are the same place; their parameters may differ.
  ///
  /// Paths are compared by their UTF-8.
  func isSamePlace(as other: Self) -> Bool { path.utf8.elementsEqual(other.path.utf8) }
}
