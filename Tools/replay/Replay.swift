import RetraceReplayTool
import RetraceToolSupport
import TrackerFeatures

/// The replay tool of the tracker.
@main
struct Main: ReplayTool {
  typealias App = TimeTracker

  /// As `track` finds it.
  static let store = StoreLocation(app: App.name, hasSettings: true)
}
