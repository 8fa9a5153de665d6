import ArgumentParser
package import RetraceStorage
package import RetraceToolSupport

/// The options that every command of every tool has.
package struct StoreOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "The directory of the store; the help of the tool names the default.", valueName: "dir"))
  var store: String?

  /// Whether to print JSON instead of text.
  @Flag(name: .long, help: "Print JSON instead of text.")
  package var json = false

  /// Creates empty options for the argument parser.
  package init() {}

  /// Returns the directory of the store; see `StoreLocation.path`.
  package func path(app: String) throws(ToolFailure) -> String {
    try StoreLocation.path(store, app: app)
  }

  /// Opens the log for reading, calls `body` with it and closes it.
  ///
  /// - Parameters:
  ///   - app: The name of the app, which names the default store.
  ///   - checkingPages: Whether to check every page of the data file.
  ///   - checkingEnd: Whether to check the last block.
  ///   - body: Reads the log, which stays open until it returns.
  /// - Complexity: As `StoreLocation.withLog`.
  /// - Throws: As that, and a usage failure if no store is given and there is no default.
  package func withLog<Result>(
    app: String, checkingPages: Bool = false, checkingEnd: Bool = true,
    _ body: (LogStorage) throws(ToolFailure) -> Result
  ) throws(ToolFailure) -> Result {
    try StoreLocation.withLog(
      at: try path(app: app), checkingPages: checkingPages, checkingEnd: checkingEnd, body)
  }
}
