public import Retrace
import RetraceToolCommands
public import RetraceToolSupport

/// An entire replay tool for an app, in one line of code.
///
/// ```swift
/// @main struct Main: ReplayTool { typealias App = CounterApp }
/// ```
public protocol ReplayTool: SendableMetatype {
  /// The app whose logs are replayed.
  associatedtype App: ReplayableApp

  /// Where the store is if no `--store` names it; by default `retrace/NAME` in the user's data
  /// directory, NAME being the name of the app.
  static var store: StoreLocation { get }
}

extension ReplayTool {
  /// The location by the name of the app.
  public static var store: StoreLocation { StoreLocation(app: App.name) }

  /// Runs the command line and exits with its exit code.
  public static func main() { ToolMain.run(ReplayCommand<Self>.self) }
}
