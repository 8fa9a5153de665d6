import RetraceArchitecture
import TrackerFeatures

/// Shows routes as a terminal would: a list of what is there.
final class RouteList: Coordinator {
  /// What all coordinators of a router have presented, and not finished.
  final class Shown { var entries: [BackStack<TrackerRoute>.Entry] = [] }

  let shown: Shown

  init(_ shown: Shown) { self.shown = shown }

  func newRoute(_ entry: BackStack<TrackerRoute>.Entry) -> (any Coordinator<TrackerRoute>)? {
    RouteList(shown)
  }

  func present(_ entry: BackStack<TrackerRoute>.Entry) async { shown.entries.append(entry) }

  func update(_ entry: BackStack<TrackerRoute>.Entry) async {
    // A route with the same path is the same place, also with another id.
    let path = entry.route.path
    guard let index = shown.entries.lastIndex(where: { $0.route.path == path }) else { return }
    shown.entries[index] = entry
  }

  func finish(_ entry: BackStack<TrackerRoute>.Entry) async { shown.entries.removeLast() }
}
