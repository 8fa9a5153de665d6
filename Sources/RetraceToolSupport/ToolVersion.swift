import Retrace

/// The output of the tools for `--version`.
package enum ToolVersion {
  /// The `--version` line of a tool without an app.
  package static var text: String {
    "retrace \(RetraceRelease.version), log format \(LogFormat.version)"
  }

  /// Returns the `--version` line of a tool with an app.
  package static func text(app: String, build: String) -> String { "\(app) \(build), \(text)" }
}
