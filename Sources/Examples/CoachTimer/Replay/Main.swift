import CoachTimer
import RetraceReplayTool

@main
struct Main: ReplayTool {
  typealias App = CoachApp
}
