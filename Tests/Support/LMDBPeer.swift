import Foundation

/// Runs `Python/lmdb_peer.py`, which uses lmdb 3.0.0 with LMDB 0.9.36 and 1.0.2.
public enum LMDBPeer {
  /// The script could not do its work.
  public struct Failure: Error, CustomStringConvertible {
    /// The errors that Python printed.
    public let description: String
  }

  /// Writes an environment into a new directory, and returns the version of LMDB that did.
  ///
  /// - Parameter version: 0 for LMDB 0.9, 1 for LMDB 1.0.
  public static func write(_ directory: String, version: Int) throws -> String {
    try run(["write", directory, "\(version)"]).trimmingCharacters(in: .newlines)
  }

  /// Copies the databases of an environment into a new one of LMDB 1.0.
  public static func convert(_ directory: String, to new: String) throws {
    _ = try run(["convert", directory, new])
  }

  /// Returns the verdict on each data file: `OK`, or the problems separated by semicolons.
  public static func verdicts(on paths: [String]) throws -> [String] {
    let lines = paths.map { $0 + "\n" }.joined()
    return try run(["verify"], input: lines).split(separator: "\n").map(String.init)
  }

  /// Runs a command of lmdb's own tool, as `python -m lmdb COMMAND`.
  public static func tool(_ arguments: [String]) throws -> ToolResult {
    try runProgram(try Python.path(), ["-B", "-m", "lmdb"] + arguments)
  }

  private static func run(_ arguments: [String], input: String = "") throws -> String {
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Python/lmdb_peer.py").path
    let result = try runProgram(
      try Python.path(), ["-B", script] + arguments, input: Data(input.utf8))
    guard result.status == 0 else { throw Failure(description: "\(arguments): \(result.errors)") }
    return result.output
  }
}
