import Counter
import Foundation
import Retrace
import RetraceRecording

/// The app: sends the actions in its arguments, `counter DIR WORD…`, and prints the screen.
///
/// `add NAME` adds a counter, `count ID STEP` adds STEP to a counter, `open ID` shows a counter,
/// and `close` goes back to the list. `favourite ID` marks a counter, and `unfavourite ID` unmarks
/// it. `fact ID` asks for a fact about the number of a counter, and `dismiss` removes the answer.
@main
enum Main {
  fileprivate static let usage = """
    counter DIR [add NAME | count ID STEP | open ID | close | favourite ID | \
    unfavourite ID | fact ID | dismiss]...
    """

  static func main() async {
    var words = CommandLine.arguments.dropFirst()
    if words.first == "--help" { return print("usage: \(usage)") }
    do {
      guard let path = words.popFirst() else { throw UsageError(word: nil) }
      var actions: [CounterAction] = []
      while let word = words.popFirst() { actions.append(try action(word, &words)) }
      try await send(actions, to: path)
    } catch let error as UsageError {
      stop(error, code: 64)
    } catch {
      stop(error, code: 1)
    }
  }

  private static func send(_ actions: [CounterAction], to path: String) async throws {
    let store = try await Store<CounterApp>.open(
      at: path, configuration: StoreConfiguration(), environment: .live)
    // The next action is for the state after the effects of this one.
    for action in actions { try await store.send(action).settled() }
    let screen = CounterApp.screen(
      of: SceneID(value: 0), in: store.state, at: Moment(microseconds: 0),
      size: Screen.Size(columns: 80, rows: 24))
    // Names come from the log; the canvas has shown codes that change a terminal as text.
    for line in screen.canvas.lines { print(line) }
    try await store.close()
  }

  private static func stop(_ error: any Error, code: Int32) -> Never {
    FileHandle.standardError.write(Data("counter: \(error)\n".utf8))
    exit(code)
  }

  private static func action(
    _ word: String, _ words: inout ArraySlice<String>
  ) throws -> CounterAction {
    switch word {
    case "add": .added(name: try name(&words))
    case "count": .counted(try id(&words), by: try number(&words))
    case "open": .opened(try id(&words))
    case "close": .closed
    case "favourite": .marked(try id(&words), isFavourite: true)
    case "unfavourite": .marked(try id(&words), isFavourite: false)
    case "fact": .factAsked(try id(&words))
    case "dismiss": .factDismissed
    default: throw UsageError(word: word)
    }
  }

  private static func name(_ words: inout ArraySlice<String>) throws -> String {
    guard let name = words.popFirst() else { throw UsageError(word: nil) }
    return name
  }

  private static func id(_ words: inout ArraySlice<String>) throws -> CounterID {
    CounterID(value: try number(&words))
  }

  private static func number(_ words: inout ArraySlice<String>) throws -> Int64 {
    let word = words.popFirst()
    guard let number = word.flatMap({ Int64($0) }) else { throw UsageError(word: word) }
    return number
  }
}

/// The error of an argument that is missing or not understood.
struct UsageError: Error, CustomStringConvertible {
  /// The argument; `nil` if it is missing.
  var word: String?

  /// What failed, why, and what to do, one line each.
  var description: String {
    let problem =
      word.map { "`\(SafeText.line($0))` is not understood" } ?? "A word or a number is missing"
    return "Nothing was recorded.\nwhy: \(problem).\nwhat to do: \(Main.usage)"
  }
}
