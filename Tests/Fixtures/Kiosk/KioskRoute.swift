import RetraceArchitecture
import RetraceAvro

/// The only route of the kiosk.
package enum KioskRoute: NavigationRoute {
  /// All items.
  case shelf

  /// The path of the route.
  package var path: String { "shelf" }
}
