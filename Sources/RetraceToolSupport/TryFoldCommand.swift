public import ArgumentParser
public import RetraceArchitecture
public import RetraceStorage

/// Folds a log in a process of its own; hidden, for the tools themselves.
///
/// A tool starts it when an earlier process ended while it folded the log, to learn which record
/// ended it.
public struct TryFoldCommand<App: ReplayableApp>: ToolCommand {
  /// The name of the command.
  public static var name: String { "try-fold" }

  /// How the argument parser knows the command.
  public static var configuration: CommandConfiguration {
    CommandConfiguration(commandName: name, shouldDisplay: false)
  }

  @Argument var store: String

  /// Makes a command with nothing given; the argument parser fills it in.
  public init() {}

  /// The trial of a store that this command is.
  public static func trial(of path: String) -> FoldTrial {
    FoldTrial(arguments: [name, "--", path])
  }

  /// Folds the log.
  public func perform() throws(ToolFailure) {
    do throws(StoreError) {
      try LogStorage.foldNotingEachRecord(App.self, at: store)
    } catch {
      throw ToolFailure(error)
    }
  }
}
