public import RetraceArchitecture
import RetraceToolSupport

/// The whole replay tool of an app, in one line of code.
///
/// ```swift
/// @main struct Main: ReplayTool { typealias App = Counter }
/// ```
public protocol ReplayTool {
  /// The app whose logs are replayed.
  associatedtype App: ReplayableApp
}

extension ReplayTool {
  /// Runs the command line and ends the process with its exit code.
  public static func main() { ToolMain.run(ReplayCommand<App>.self) }
}
