import Retrace

package enum ToolVersion {
  /// The `--version` line of a tool without an app.
  package static var text: String {
    "retrace \(RetraceRelease.version), log format \(LogFormat.version)"
  }

  package static func text(app: String, build: String) -> String { "\(app) \(build), \(text)" }
}
