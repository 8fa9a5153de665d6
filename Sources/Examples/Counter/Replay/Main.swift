import Counter
import RetraceReplayTool

@main
struct Main: ReplayTool {
  typealias App = CounterApp
}
