public import RetraceArchitecture
import RetraceToolCommands
import RetraceToolSupport

/// An entire replay tool for an app, in one line of code.
///
/// ```swift
/// @main struct Main: ReplayTool { typealias App = CounterApp }
/// ```
public protocol ReplayTool {
  /// The app whose logs are replayed.
  associatedtype App: ReplayableApp
}

extension ReplayTool {
  /// Runs the command line and exits with its exit code.
  public static func main() { ToolMain.run(ReplayCommand<App>.self) }
}
