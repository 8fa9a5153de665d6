import RetraceSystem
import RetraceToolSupport

/// The folders of a user in which programs for the tracker lie.
struct UserFolders {
  private let environment: Environment

  /// Creates the folders that the environment names.
  init(_ environment: Environment) { self.environment = environment }

  /// The folder of the user's configuration of Retrace: `retrace` below `XDG_CONFIG_HOME` or
  /// `~/.config`; `nil` if neither that nor `HOME` is an absolute path.
  var configuration: String? { xdg("XDG_CONFIG_HOME", ".config").map { "\($0)/retrace" } }

  /// The folders of timewarrior.
  struct Timewarrior {
    /// The folder with `timewarrior.cfg` and `extensions`.
    var configuration: String
    /// The folder with `data`, which reports call `temp.db`.
    var database: String
  }

  /// The folders of timewarrior; `nil` if the environment names none.
  ///
  /// They are `TIMEWARRIORDB`, or else `~/.timewarrior` if it exists, or else `timewarrior` below
  /// `XDG_CONFIG_HOME` and `XDG_DATA_HOME` if that exists, or else `~/.timewarrior`.
  var timewarrior: Timewarrior? {
    if let path = environment.text("TIMEWARRIORDB") {
      let path = absolute(path)
      return Timewarrior(configuration: path, database: path)
    }
    guard let home else { return nil }
    let classic = "\(home)/.timewarrior"
    if !exists(classic), let configuration = xdg("XDG_CONFIG_HOME", ".config"),
      exists("\(configuration)/timewarrior"), let data = xdg("XDG_DATA_HOME", ".local/share")
    {
      return Timewarrior(
        configuration: "\(configuration)/timewarrior", database: "\(data)/timewarrior")
    }
    return Timewarrior(configuration: classic, database: classic)
  }

  private var home: String? { environment.folder("HOME") }

  private func xdg(_ name: String, _ standard: String) -> String? {
    environment.folder(name) ?? home.map { "\($0)/\(standard)" }
  }

  /// Returns a path with the home folder in place of a tilde, and from the root.
  private func absolute(_ path: String) -> String {
    if path == "~" || path.hasPrefix("~/"), let home { return home + path.dropFirst() }
    if path.hasPrefix("/") { return path }
    return (try? FileSystem.realPath(path)) ?? path
  }

  private func exists(_ path: String) -> Bool {
    (try? FileSystem.info(path)) != nil
  }
}
