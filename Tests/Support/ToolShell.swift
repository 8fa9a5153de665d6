import Foundation

/// Runs a script of the shell, in which the tools under test are found by their names.
///
/// - Parameters:
///   - script: The script; its arguments are `$1`, `$2`, …
///   - arguments: The arguments.
///   - environment: Variables to set in addition to the tests' own.
/// - Returns: The result of the whole script.
public func shell(
  _ script: String, _ arguments: [String] = [], environment: [String: String] = [:]
) throws -> ToolResult {
  let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
  return try RunningTool(
    executable: URL(fileURLWithPath: "/bin/bash"),
    ["-c", script, "bash"] + arguments,
    environment: environment.merging(["PATH": "\(Tools.folder.path):\(path)"]) { $1 }
  ).finish()
}

/// The interpreter that has fastavro, avro and lmdb.
public enum Python {
  /// Why no script can be run.
  public struct Missing: Error, CustomStringConvertible {
    /// The reason, in words for the user.
    public let description: String
  }

  /// The path of the interpreter: `RETRACE_PYTHON`, else the one that `Tools/prepare test` makes.
  ///
  /// - Throws: ``Missing``.
  public static func path() throws -> String {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let path =
      ProcessInfo.processInfo.environment["RETRACE_PYTHON"]
      ?? root.appendingPathComponent(".build/venv/bin/python3").path
    guard FileManager.default.isExecutableFile(atPath: path) else {
      throw Missing(
        description: "no Python with fastavro, avro and lmdb at \(path): run `Tools/prepare test`")
    }
    return path
  }
}
