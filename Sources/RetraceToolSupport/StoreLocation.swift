import RetraceCommandLine
package import RetraceStorage

/// Where the store of an app is, if no option names a directory.
///
/// It is `retrace/APP` in the user's data directory (`XDG_DATA_HOME`, or `.local/share` in the home
/// directory). If the app has settings, they take precedence.
///
/// ```swift
/// enum SharedReplay: ReplayTool {
///   typealias App = CounterApp
///   static var store: StoreLocation { StoreLocation(app: "shared-counter") }
/// }
/// ```
public struct StoreLocation: Sendable {
  /// The environment variable that names the store of an app with settings.
  package static var variable: String { "RETRACE_STORE" }

  private let app: String
  /// Whether the app has a file of settings.
  private let hasSettings: Bool

  /// Creates the location of the store of an app without settings.
  ///
  /// - Parameter app: The name of the app.
  public init(app: String) { self.init(app: app, hasSettings: false) }

  /// Creates the location of the store of an app.
  ///
  /// - Parameters:
  ///   - app: The name of the app.
  ///   - hasSettings: Whether `RETRACE_STORE`, or `store` in the file of settings of the app, can
  ///     name the directory.
  package init(app: String, hasSettings: Bool) {
    self.app = app
    self.hasSettings = hasSettings
  }

  /// The directory as the help names it.
  package var help: String {
    (hasSettings ? "\(Self.variable), the store of `\(app) config`, or " : "")
      + "retrace/\(app) below XDG_DATA_HOME or ~/.local/share"
  }

  /// Returns the directory of the store.
  ///
  /// - Parameters:
  ///   - store: The directory given with `--store`, which has precedence.
  ///   - environment: The variables.
  ///   - configured: Returns the directory that the settings name; called for apps with settings.
  /// - Throws: A usage failure if `--store` is empty, if the settings are wrong, or if neither
  ///   names a directory and neither `XDG_DATA_HOME` nor `HOME` is an absolute path.
  package func path(
    _ store: String?, in environment: Environment, configured: () throws(ToolFailure) -> String?
  ) throws(ToolFailure) -> String {
    if let store {
      guard !store.isEmpty else {
        throw .usage("--store is empty.", advice: "Give a directory with --store.")
      }
      return store
    }
    if hasSettings, let store = try configured() { return store }
    if let folder = environment.dataFolder { return "\(folder)/retrace/\(app)" }
    throw .usage(
      "Neither XDG_DATA_HOME nor HOME is set, so there is no default store.",
      advice: "Give a directory with --store.")
  }

  /// Returns the directory of the store by the variables and the settings of this process, as
  /// ``path(_:in:configured:)`` does.
  package func path(_ store: String?) throws(ToolFailure) -> String {
    let environment = Environment.process
    return try path(store, in: environment) { () throws(ToolFailure) in
      if let path = environment.text(Self.variable) { return path }
      let file = ConfigurationFile(of: app, in: environment)
      guard let document = try file.document(),
        let setting = document.settings.first(where: { $0.path == [ConfigurationFile.storeName] })
      else { return nil }
      return try file.store(setting)
    }
  }

  /// Returns the text of a setting of the app; `nil` without the setting, or if the app has no
  /// settings.
  ///
  /// - Throws: A failure if the file of settings cannot be read.
  package func setting(
    _ name: String, in environment: Environment = .process
  ) throws(ToolFailure) -> String? {
    guard hasSettings else { return nil }
    let document = try ConfigurationFile(of: app, in: environment).document()
    return document?.settings.first { $0.path == [name] }?.value
  }

  /// Opens the log in a directory or in a bundle for reading, calls `body` with it and closes it.
  ///
  /// Every command opens a log this way, so that it is always closed. After a log was left open,
  /// the next opening would report that a process ended without closing.
  ///
  /// - Parameters:
  ///   - path: The directory, or a file that is a bundle.
  ///   - checkingPages: Whether to check every page of the data file.
  ///   - checkingEnd: Whether to check the last block.
  ///   - body: Reads the log, which stays open until it returns.
  /// - Complexity: O(bytes of one block); O(pages of the data file) if they are checked; O(bytes of
  ///   a bundle).
  /// - Throws: The store's error if it cannot be opened; the failure of the body.
  package static func withLog<Result>(
    at path: String, checkingPages: Bool = false, checkingEnd: Bool = true,
    _ body: (LogStorage) throws(ToolFailure) -> Result
  ) throws(ToolFailure) -> Result {
    let storage = try orFail(
      LogStorage.isBundle(path)
        ? try openBundle(path)
        : try LogStorage.open(
          at: path, access: .read, checkingPages: checkingPages, checkingEnd: checkingEnd))
    defer { storage.close() }
    return try body(storage)
  }

  /// The environment variable that names the directory in which a process notes how far it folds a
  /// bundle; a process sets it for its children.
  package static var notesVariable: String { "RETRACE_FOLD_NOTES" }

  private static func openBundle(_ path: String) throws(StoreError) -> LogStorage {
    guard let folder = Environment.process.text(notesVariable) else {
      return try LogStorage.open(bundle: path)
    }
    return try LogStorage.open(bundle: path, notingIn: folder)
  }
}
