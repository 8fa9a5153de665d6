public import Retrace
// Public signatures name types of these modules, so whoever imports this one sees them.
@_exported public import RetraceReplayTool
@_exported public import RetraceTerminal
import RetraceToolSupport

/// An entire program of an app of one window: the app on a terminal or in a pipe, and its replay
/// tool.
///
/// ```swift
/// enum StepsProgram: AppProgram {
///   typealias App = StepsApp
/// }
/// ```
///
/// With `@main` before it, this is the whole main file. `steps STORE` opens the app in the
/// directory STORE, `steps` in the one of `ReplayTool.store`, and `steps replay` is the replay
/// tool. ``main()`` has the details. An app whose effects need something gives its ``environment``.
public protocol AppProgram: ReplayTool where App: InteractiveApp, App.State: SingleScene {
  /// What the effects of the app need; `nil`, the default, for an app whose effects need nothing.
  ///
  /// ```swift
  /// enum BooksProgram: AppProgram {
  ///   typealias App = StepsApp
  ///   static var environment: CounterEnvironment? { CounterEnvironment { "\($0) is a number." } }
  /// }
  /// ```
  static var environment: App.Environment? { get }

  /// The options of the store; by default those of `StoreConfiguration()`.
  static var configuration: StoreConfiguration { get }
}

extension AppProgram {
  /// `nil`.
  public static var environment: App.Environment? { nil }

  /// The default options.
  public static var configuration: StoreConfiguration { StoreConfiguration() }

  /// Runs the command line and exits with its exit code.
  ///
  /// | arguments | what the program does |
  /// | --- | --- |
  /// | `STORE`, or none | runs the app until a key leaves it or the input ends |
  /// | `replay` and others | is the replay tool of the app |
  /// | `--help` or `-h` | prints how the program is used |
  ///
  /// A failure has four parts on standard error: what was not done, why, what to do, and the exit
  /// code. The exit codes are those of the replay tool; 64 also tells that a line of the input
  /// named no key.
  public static func main() {
    let words = Array(CommandLine.arguments.dropFirst())
    if words.first == "replay" { main(arguments: Array(words.dropFirst())) }
    ToolProcess.beApp()
    do throws(ToolFailure) {
      try ToolProcess.prepare()
      let use = try ProgramUse(words)
      switch use {
      case .help: Output.standard.printRaw(ProgramUse.help(of: App.name, store: store.help))
      case .run(let path): try run(at: try store.path(path))
      }
    } catch {
      ToolProcess.exit(App.name, reporting: error)
    }
    ToolProcess.succeed(App.name)
  }

  /// Runs the app; the store is closed also after a failure.
  private static func run(at path: String) throws(ToolFailure) {
    let opened = try orFail(
      try Store<App>.openBlocking(at: path, configuration: configuration, environment: environment))
    do throws(StoreError) {
      let report = try TerminalProgram(opened).run()
      try opened.closeBlocking()
      if report != nil { ToolProcess.exit(code: ToolExit.usage) }
    } catch {
      try? opened.closeBlocking()
      throw ToolFailure(error)
    }
  }
}

/// What the arguments of a program ask for.
enum ProgramUse: Equatable {
  case help
  /// The directory of the store; `nil` for the default one.
  case run(String?)

  /// Reads the arguments.
  ///
  /// - Throws: A usage failure if there is more than a directory.
  init(_ words: [String]) throws(ToolFailure) {
    let advice = "Run the program with --help to see its arguments."
    switch words.first {
    case "--help", "-h": self = .help
    case let first? where first.hasPrefix("-"):
      throw .usage("There is no option \(first).", advice: advice)
    case "": throw .usage("The name of the store is empty.", advice: "Give a directory.")
    case let first:
      guard words.count <= 1 else {
        throw .usage("The program takes a store alone, and not also \(words[1]).", advice: advice)
      }
      self = .run(first)
    }
  }

  /// Returns the help text.
  ///
  /// - Parameters:
  ///   - name: The name of the app.
  ///   - store: The default store as a help text names it.
  static func help(of name: String, store: String) -> String {
    """
    usage: \(name) [STORE]           runs the app
           \(name) replay COMMAND    looks at what it recorded; see \(name) replay --help

    STORE is the directory in which everything is kept; without it, it is
    \(store).

    On a terminal, ctrl-c leaves the app. Without one, each line of input is a key, such as down,
    enter or text:a, and the screen is printed after it; an empty line prints it again.
    """
  }
}
