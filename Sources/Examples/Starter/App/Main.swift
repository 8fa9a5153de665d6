import Foundation
import Retrace
import RetraceRecording
import RetraceReplayTool
import TerminalUI

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
    if words.count == 1 { try show(store) }
    try store.closeBlocking()
  }

  /// Shows the app on the terminal until the user leaves it.
  private static func show(_ store: Store<StarterApp>) throws {
    var session = try TerminalSession(palette: TerminalPalette(.basic, on: .unknown))
    // Effects and other processes change the state, too.
    let observation = store.observe { _ in TerminalSession.wake() }
    defer { observation.cancel() }
    while true {
      let frame = StarterFrame(store.state)
      try session.show(frame.screen(session.size))
      switch try session.next() {
      case .inputs(let inputs):
        for case .key(let key) in inputs {
          if key == .ctrl("c") { return }
          try press(key, on: StarterFrame(store.state), store)
        }
      case .ended: return
      case .resized, .resumed, .features, .tick, .woken: break
      }
    }
  }

  private static func press(
    _ key: Key, on frame: StarterFrame, _ store: Store<StarterApp>
  ) throws {
    if key == .ctrl("z") {
      try store.undoBlocking()
      return
    }
    guard let intents = try? frame.keys.value(for: key, in: frame) else { return }
    if case .item(let refusal)? = try store.carryOutBlocking(intents) {
      try store.sendBlocking([.refused(refusal)])
    }
  }
}
