import RetraceArchitecture
import RetraceAvro

/// The only route of the kiosk.
package enum KioskRoute: NavigationRoute {
  /// All items.
  case shelf

  /// The path of the route.
  package var path: String { "shelf" }

  /// Makes the route of a path.
  package init?(path: String) {
    guard path.utf8.elementsEqual("shelf".utf8) else { return nil }
    self = .shelf
  }
}
