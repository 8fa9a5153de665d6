import RetraceCommandLine
package import RetraceStorage

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
  ///   - environment: The variables.
  ///   - configured: Returns the directory that the settings of the tracker name.
  /// - Throws: A usage failure if `--store` is empty, if the settings are wrong, or if neither
  ///   names a directory and neither `XDG_DATA_HOME` nor `HOME` is an absolute path.
  package static func path(
    _ store: String?, app: String, in environment: Environment,
    configured: () throws(ToolFailure) -> String?
  ) throws(ToolFailure) -> String {
    if let store {
      guard !store.isEmpty else {
        throw .usage("--store is empty.", advice: "Give a directory with --store.")
      }
      return store
    }
    if app == tracker, let store = try configured() { return store }
    if let data = environment.folder("XDG_DATA_HOME") { return "\(data)/retrace/\(app)" }
    if let home = environment.folder("HOME") { return "\(home)/.local/share/retrace/\(app)" }
    throw .usage(
      "Neither XDG_DATA_HOME nor HOME is set, so there is no default store.",
      advice: "Give a directory with --store.")
  }

  /// Returns the directory of the store of this process, as
  /// ``path(_:app:in:configured:)`` does.
  package static func path(_ store: String?, app: String) throws(ToolFailure) -> String {
    let environment = Environment.process
    return try path(store, app: app, in: environment) { () throws(ToolFailure) in
      if let path = environment.text(variable) { return path }
      let file = ConfigurationFile(in: environment)
      guard let document = try file.document(),
        let setting = document.settings.first(where: { $0.path == [ConfigurationFile.storeName] })
      else { return nil }
      return try file.store(setting)
    }
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
