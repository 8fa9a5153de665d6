// Public signatures name types of these modules, so whoever imports this one sees them.
@_exported public import Retrace
@_exported public import RetraceToolSupport
import RetraceToolCommands

/// An entire replay tool for an app, in one line of code.
///
/// ```swift
/// @main struct Main: ReplayTool { typealias App = CounterApp }
/// ```
///
/// A program that records can be the replay tool, too:
///
/// ```swift
/// enum Replay: ReplayTool { typealias App = CounterApp }
///
/// func runTool() {
///   if CommandLine.arguments.dropFirst().first == "replay" {
///     Replay.main(arguments: Array(CommandLine.arguments.dropFirst(2)))
///   }
/// }
/// ```
public protocol ReplayTool: SendableMetatype {
  /// The app whose logs are replayed.
  associatedtype App: ReplayableApp

  /// Where the store is if no `--store` names it; by default `retrace/NAME` in the user's data
  /// directory, NAME being the name of the app.
  static var store: StoreLocation { get }

  /// The name of a program beside this tool that opens a branch of a log, as `PROGRAM app --store
  /// LOG --at N`; `nil`, the default, for an app whose frames take keys, which this tool opens.
  static var branchProgram: String? { get }
}

extension ReplayTool {
  /// The location by the name of the app.
  public static var store: StoreLocation { StoreLocation(app: App.name) }

  /// `nil`.
  public static var branchProgram: String? { nil }

  /// Runs the command line and exits with its exit code.
  public static func main() {
    ToolProcess.beReplayTool()
    ToolMain.run(ReplayCommand<Self>.self)
  }

  /// Runs the command line of the tool and exits with its exit code.
  ///
  /// - Parameter arguments: The last arguments of the program, without the word that chose the
  ///   tool. The words before them start the tool again where it needs a child process, and name
  ///   it in help and advice.
  public static func main(arguments: [String]) -> Never {
    ToolProcess.beReplayTool(arguments)
    // The script of the argument parser names its functions after the tool, which has to be a word.
    if arguments.first?.hasPrefix("--generate-completion-script") == true,
      !ToolProcess.prefix.isEmpty
    {
      ToolProcess.exit(
        ToolProcess.replay,
        reporting: .usage(
          "A shell completes the arguments of a program, and this tool is a word of one.",
          advice: "Make an executable of the tool alone to get its completions."))
    }
    ToolMain.run(ReplayCommand<Self>.self)
  }
}
