import Foundation
import Retrace
import RetraceReplayTool
import RetraceTerminal

/// The replay tool of the app: `starter replay`.
enum Replay: ReplayTool { typealias App = StarterApp }

/// The program: `starter STORE` opens the app in the directory STORE, `starter STORE add NAME…`
/// adds items, and `starter replay` is the replay tool.
@main
enum Main {
  static func main() {
    do {
      try run(Array(CommandLine.arguments.dropFirst()))
    } catch CommandError<StarterApp>.refused(.item(let refusal), after: _) {
      stop("No item was added.\nwhy: \(refusal.text)\nwhat to do: Give another name.", code: 1)
    } catch CommandError<StarterApp>.store(let error) {
      stop("\(error)", code: 1)
    } catch {
      stop("\(error)", code: 1)
    }
  }

  private static func stop(_ text: String, code: Int32) -> Never {
    FileHandle.standardError.write(Data("starter: \(text)\n".utf8))
    exit(code)
  }

  private static func run(_ words: [String]) throws {
    if words.first == "replay" { Replay.main(arguments: Array(words.dropFirst())) }
    guard let path = words.first, words.count == 1 || words[1] == "add" else {
      stop(
        "Nothing was recorded.\nwhy: The first word is a store, and the second is `add`.\n"
          + "what to do: starter STORE [add NAME...] | starter replay --help", code: 64)
    }
    let store = try Store<StarterApp>.openBlocking(
      at: path, configuration: StoreConfiguration(), environment: StarterEnvironment())
    for name in words.dropFirst(2) { try store.performBlocking(.item(.add(name: name))) }
    if words.count == 1 {
      try TerminalProgram(store).run()
    }
    try store.closeBlocking()
  }
}
