import RetraceReplayTool
import RetraceToolSupport
import TrackerFeatures

/// The replay tool of the tracker.
@main
struct Main: ReplayTool {
  typealias App = TimeTracker

  /// The store that `track` uses by default.
  static let store = StoreLocation(app: App.name, hasSettings: true)

  /// The app, which this tool does not link.
  static var branchProgram: String? { "track" }
}
