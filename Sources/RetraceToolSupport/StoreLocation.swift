import RetraceConfiguration
package import RetraceStorage
import RetraceSystem

/// Where the store of an app is.
package enum StoreLocation {
  /// The name of the tracker, whose settings can name its store.
  package static var tracker: String { "track" }
  /// The environment variable that names the tracker's store.
  package static var variable: String { "RETRACE_STORE" }

  /// Returns the default directory of an app's store as the help names it.
  package static func standard(app: String) -> String {
    (app == tracker ? "\(variable), that of `track config`, or " : "")
      + "retrace/\(app) below XDG_DATA_HOME or ~/.local/share"
  }

  /// Returns the directory of the store.
  ///
  /// It is the directory given with `--store`; otherwise, for the tracker, that of the settings
  /// (`RETRACE_STORE`, or `store` in the file); otherwise `retrace/APP` in the user's data
  /// directory (`XDG_DATA_HOME`, or `.local/share` in the home directory).
  ///
  /// - Parameters:
  ///   - store: The directory given with `--store`.
  ///   - app: The name of the app, which names the default store.
  /// - Throws: A usage failure if `--store` is empty, if the settings are wrong, or if neither
  ///   names a directory and neither `XDG_DATA_HOME` nor `HOME` is an absolute path.
  package static func path(_ store: String?, app: String) throws(ToolFailure) -> String {
    if let store {
      guard !store.isEmpty else {
        throw .usage("--store is empty.", advice: "Give a directory with --store.")
      }
      return store
    }
    if app == tracker, let store = try configuredStore() { return store }
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

  /// Returns the directory of the tracker's store that the settings name; `nil` if none is named.
  private static func configuredStore() throws(ToolFailure) -> String? {
    if let path = ThisProcess.environment(variable), !path.utf8.isEmpty { return path }
    guard let file = try ConfigurationFile.loaded.get(),
      let setting = file.document.settings.first(where: {
        $0.path == [ConfigurationFile.storeName]
      })
    else { return nil }
    return try ConfigurationFile.store(setting, in: file.path)
  }

  /// Opens the log in a directory for reading, calls `body` with it and closes it.
  ///
  /// No command opens a log in another way, so none leaves one open: a later opening would report
  /// that a process ended without closing.
  ///
  /// - Parameters:
  ///   - path: The directory.
  ///   - checkingPages: Whether to check every page of the data file.
  ///   - checkingEnd: Whether to check the last block.
  ///   - body: Reads the log, which stays open until it returns.
  /// - Complexity: O(bytes of one block); O(pages of the data file) if they are checked.
  /// - Throws: The store's error if it cannot be opened; the failure of the body.
  package static func withLog<Result>(
    at path: String, checkingPages: Bool = false, checkingEnd: Bool = true,
    _ body: (LogStorage) throws(ToolFailure) -> Result
  ) throws(ToolFailure) -> Result {
    let storage: LogStorage
    do throws(StoreError) {
      storage = try LogStorage.open(
        at: path, access: .read, checkingPages: checkingPages, checkingEnd: checkingEnd)
    } catch {
      throw ToolFailure(error)
    }
    defer { storage.close() }
    return try body(storage)
  }
}
