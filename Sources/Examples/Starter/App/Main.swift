import Retrace
import RetraceReplayTool
import RetraceTerminal

/// The replay tool of the app: `starter replay`.
enum Replay: ReplayTool { typealias App = StarterApp }

/// The program: `starter STORE` opens the app in the directory STORE, `starter STORE add NAME…`
/// adds items, and `starter replay` is the replay tool.
@main
enum Main {
  static func main() throws {
    let words = Array(CommandLine.arguments.dropFirst())
    if words.first == "replay" { Replay.main(arguments: Array(words.dropFirst())) }
    guard let path = words.first, words.count == 1 || words[1] == "add" else {
      print("usage: starter STORE [add NAME...] | starter replay --help")
      return
    }
    let store = try Store<StarterApp>.openBlocking(
      at: path, configuration: StoreConfiguration(), environment: StarterEnvironment())
    for name in words.dropFirst(2) { try store.performBlocking(.item(.add(name: name))) }
    if words.count == 1 { try TerminalProgram(store).run() }
    try store.closeBlocking()
  }
}
