import Figures
import Foundation
import RetraceFixtures

/// The published time log, or a made-up one of its size.
enum TimeLog {
  private static let digest = "774f0b9861a80c63679ac275b529864e36306a885ac922f4c88bc204fc84c8fb"
  private static let published = ProcessInfo.processInfo.environment["RETRACE_CESAW"]
    .flatMap { $0.isEmpty ? nil : $0 }

  /// What the rows work on.
  static var input: String {
    published != nil
      ? "the published time log" : "a made-up time log (seed 1), as RETRACE_CESAW is not set"
  }

  /// Writes the table to a file.
  static func write(to path: String) throws {
    guard let published else {
      _ = FileManager.default.createFile(atPath: path, contents: nil)
      guard let file = fopen(path, "w") else { throw FiguresError("\(path) cannot be written") }
      defer { fclose(file) }
      _ = SyntheticTimeLog().forEachLine { line in fputs(line + "\n", file) }
      return
    }
    let isPacked = published.hasSuffix(".xz")
    let unpacked = try ToolRun.run(
      isPacked ? "/usr/bin/xz" : "/bin/cat", (isPacked ? ["-dc"] : []) + [published], output: path)
    let sum = try ToolRun.run("/usr/bin/sha256sum", [path], output: path + ".sum")
    let text = try String(contentsOfFile: path + ".sum", encoding: .utf8)
    guard unpacked.status == 0, sum.status == 0, text.hasPrefix(digest) else {
      throw FiguresError("RETRACE_CESAW is not the published time log")
    }
  }
}
