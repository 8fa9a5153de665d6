import RetraceReplayTool
import TimeTracking

/// The replay tool of the tracker.
@main
struct Main: ReplayTool {
  typealias App = TimeTrackerApp
}
