import RetraceReplayTool
import TrackerFeatures

/// The replay tool of the tracker.
@main
struct Main: ReplayTool {
  typealias App = TimeTracker
}
