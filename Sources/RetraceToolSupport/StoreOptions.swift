public import ArgumentParser
import RetraceSystem
public import RetraceStorage

/// The options that every command of every tool takes.
public struct StoreOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp("The directory of the store.", valueName: "dir"))
  var store: String?

  /// Whether one JSON value is printed instead of text.
  @Flag(name: .long, help: "Print one JSON value instead of text.")
  public var json = false

  /// Makes options with nothing given; the argument parser fills them in.
  public init() {}

  /// The directory of the store: the one given, else `retrace/APP` below the user's data directory
  /// (`XDG_DATA_HOME`, or `.local/share` in the home directory).
  ///
  /// - Throws: A usage failure when neither is known.
  public func path(app: String) throws(ToolFailure) -> String {
    if let store {
      guard !store.isEmpty else {
        throw .usage("--store is empty.", advice: "Name a directory after --store.")
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
      advice: "Name a directory after --store.")
  }

  /// Opens the log for reading.
  ///
  /// - Parameters:
  ///   - app: The name of the app, which the default store is called by.
  ///   - checkingPages: Whether every page of the data file is checked on the way.
  ///   - checkingEnd: Whether the last block is checked on the way.
  /// - Complexity: O(bytes of one block); O(pages of the data file) if they are checked.
  /// - Throws: A usage failure where no store is named and there is no default; what the store says
  ///   where it cannot be opened.
  public func openLog(
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
