public import ArgumentParser
import RetracePlatform

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
}
