package import ArgumentParser
package import RetraceArchitecture
package import RetraceStorage

/// Folds a log, and writes the sequence of each record to a file before folding it.
///
/// This is a hidden command for the tools themselves.
///
/// If an earlier process crashed while it folded the log, a tool runs this command in a child
/// process to find the record.
package struct TryFoldCommand<App: ReplayableApp>: ToolCommand {
  /// The name of the command.
  package static var name: String { "try-fold" }

  /// The configuration for the argument parser.
  package static var configuration: CommandConfiguration {
    CommandConfiguration(commandName: name, shouldDisplay: false)
  }

  @Argument var store: String

  /// Creates an empty command for the argument parser.
  package init() {}

  /// Returns the fold trial that runs this command on a store.
  package static func trial(of path: String) -> FoldTrial {
    FoldTrial(arguments: [name, "--", path])
  }

  /// Folds the log.
  package func perform() throws(ToolFailure) {
    do throws(StoreError) {
      try LogStorage.foldNotingEachRecord(App.self, at: store)
    } catch {
      throw ToolFailure(error)
    }
  }
}
