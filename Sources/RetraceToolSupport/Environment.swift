import RetraceSystem

/// The environment variables that a command depends on.
package struct Environment: Sendable {
  private let value: @Sendable (String) -> String?

  package static let process = Environment { ThisProcess.environment($0) }

  package init(_ variables: [String: String]) { self.init { variables[$0] } }

  private init(_ value: @escaping @Sendable (String) -> String?) { self.value = value }

  package subscript(name: String) -> String? { value(name) }

  /// Returns a variable that is an absolute path; `nil` otherwise.
  package func folder(_ name: String) -> String? {
    value(name).flatMap { $0.hasPrefix("/") ? $0 : nil }
  }

  /// Returns a variable that is not empty; `nil` otherwise.
  package func text(_ name: String) -> String? {
    value(name).flatMap { $0.utf8.isEmpty ? nil : $0 }
  }
}

extension Environment {
  /// The home directory; `nil` if `HOME` is not an absolute path.
  package var home: String? { folder("HOME") }

  /// The folder of the user's settings: `XDG_CONFIG_HOME` or `~/.config`; `nil` if neither is an
  /// absolute path.
  package var settingsFolder: String? { folder("XDG_CONFIG_HOME") ?? home.map { "\($0)/.config" } }

  /// The folder of the user's data: `XDG_DATA_HOME` or `~/.local/share`; `nil` if neither is an
  /// absolute path.
  package var dataFolder: String? { folder("XDG_DATA_HOME") ?? home.map { "\($0)/.local/share" } }

  /// The folder of what programs keep for the user beside data: `XDG_STATE_HOME` or
  /// `~/.local/state`; `nil` if neither is an absolute path.
  package var stateFolder: String? { folder("XDG_STATE_HOME") ?? home.map { "\($0)/.local/state" } }

  /// Returns a path with the home directory in place of a tilde at its start.
  package func expandingTilde(_ path: String) -> String {
    guard path == "~" || path.hasPrefix("~/"), let home else { return path }
    return home + path.dropFirst()
  }
}
