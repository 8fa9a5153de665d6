import RetraceRecording
import RetraceReplayTool
import RetraceFixtures
import RetraceSystem

/// A program that records, and that is its replay tool, too: `testapp larder replay show`.
enum LarderTools: ReplayTool {
  typealias App = LarderApp

  /// Runs the words after `testapp larder`.
  static func run(_ words: [String]) -> Never {
    if words.first == "replay" { main(arguments: Array(words.dropFirst())) }
    do {
      let store = try Store<LarderApp>.openBlocking(
        at: words.last ?? "", configuration: StoreConfiguration())
      try store.performBlocking(.jar(.add(name: "honey", spoons: 2)))
      try store.performBlocking(.jar(.take(JarID(value: 0))))
      try store.closeBlocking()
      ThisProcess.exit(0)
    } catch {
      Answer.error("\(error)")
      ThisProcess.exit(6)
    }
  }
}
