import Poke
import RetraceReplayTool

@main
struct Main: ReplayTool {
  typealias App = PokeApp
}
