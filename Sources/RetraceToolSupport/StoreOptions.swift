import ArgumentParser
import RetraceSystem
package import RetraceStorage

/// The options that every command of every tool has.
package struct StoreOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "The directory of the store; the default is retrace/APP below XDG_DATA_HOME or "
        + "~/.local/share.",
      valueName: "dir"))
  var store: String?

  /// Whether to print JSON instead of text.
  @Flag(name: .long, help: "Print JSON instead of text.")
  package var json = false

  /// Creates empty options for the argument parser.
  package init() {}

  /// Returns the directory of the store.
  ///
  /// It is the directory given with `--store`; otherwise `retrace/APP` in the user's data directory
  /// (`XDG_DATA_HOME`, or `.local/share` in the home directory).
  ///
  /// - Throws: A usage failure if `--store` is empty, or if it is missing and neither
  ///   `XDG_DATA_HOME` nor `HOME` is an absolute path.
  package func path(app: String) throws(ToolFailure) -> String {
    if let store {
      guard !store.isEmpty else {
        throw .usage("--store is empty.", advice: "Give a directory with --store.")
      }
      return store
    }
    if let data = ThisProcess.environment("XDG_DATA_HOME"), data.hasPrefix("/") {
      return "\(data)/retrace/\(app)"
    }
    if let home = ThisProcess.environment("HOME"), home.hasPrefix("/") {
      return "\(home)/.local/share/retrace/\(app)"
    }
    throw .usage(
      "Neither XDG_DATA_HOME nor HOME is set, so there is no default store.",
      advice: "Give a directory with --store.")
  }

  /// Opens the log for reading.
  ///
  /// - Parameters:
  ///   - app: The name of the app, which names the default store.
  ///   - checkingPages: Whether to check every page of the data file.
  ///   - checkingEnd: Whether to check the last block.
  /// - Complexity: O(bytes of one block); O(pages of the data file) if they are checked.
  /// - Throws: A usage failure if no store is given and there is no default; the store's error if
  ///   it cannot be opened.
  package func openLog(
    app: String, checkingPages: Bool = false, checkingEnd: Bool = true
  ) throws(ToolFailure) -> LogStorage {
    let path = try path(app: app)
    do throws(StoreError) {
      return try LogStorage.open(
        at: path, access: .read, checkingPages: checkingPages, checkingEnd: checkingEnd)
    } catch {
      throw ToolFailure(error)
    }
  }
}
