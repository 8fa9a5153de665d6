import ArgumentParser
package import RetraceStorage
package import RetraceToolSupport

package struct StoreOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The directory of the store, or a file that `\(ToolProcess.replay) bundle` wrote; the help "
        + "of the tool names the default store.", valueName: "dir"))
  var store: String?

  @Flag(help: "Print JSON instead of text.")
  package var json = false

  package init() {}

  /// Returns the directory of the store, from the option or else from a location.
  package func path(or location: StoreLocation) throws(ToolFailure) -> String {
    try location.path(store)
  }

  /// Opens the log for reading, calls `body` with it and closes it.
  ///
  /// - Parameters:
  ///   - location: Where the store is without the option.
  ///   - checkingPages: Whether to check every page of the data file.
  ///   - checkingEnd: Whether to check the last block.
  ///   - body: Reads the log, which stays open until it returns.
  /// - Complexity: As `StoreLocation.withLog`.
  /// - Throws: The errors of `StoreLocation.withLog`, and a usage failure if no store is given and
  ///   there is no default.
  package func withLog<Result>(
    or location: StoreLocation, checkingPages: Bool = false, checkingEnd: Bool = true,
    _ body: (LogStorage) throws(ToolFailure) -> Result
  ) throws(ToolFailure) -> Result {
    try StoreLocation.withLog(
      at: try path(or: location), checkingPages: checkingPages, checkingEnd: checkingEnd, body)
  }
}
