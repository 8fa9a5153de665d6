import Foundation
import RetraceSystem
import RetraceToolSupport
import Testing
import ToolTestSupport
import TrackerCommandLine

extension ToolRunner {
  /// Runs command lines of `track` in this process, and other tools in processes.
  ///
  /// The app reads keys from the standard input of a process of its own.
  ///
  /// The variables are those that are given, without any of the process. The streams are no
  /// terminals, and what is written is captured.
  static let inProcess = ToolRunner { tool, arguments, environment, input in
    guard tool == "track", arguments.first != "app" else {
      return try ToolRunner.process.run(tool, arguments, environment, input)
    }
    let captured = Lock<(output: [UInt8], errors: [UInt8])>(([], []))
    let file = try inputFile(input)
    defer { try? file.close() }
    let streams = StandardStreams(input: file.fileDescriptor) { bytes, stream in
      captured.withLock { captured in
        if stream == .output { captured.output += bytes } else { captured.errors += bytes }
      }
    }
    let variables = ["HOME": "/proc/none"].merging(Tools.withoutSettings) { $1 }
      .merging(environment) { $1 }
    // A process of its own, which folds a log that crashed another one, would be this program.
    let context = VerbContext(
      arguments, in: Environment(variables), streams, foldTrial: { _ in nil })
    let status = Track.run(context)
    let written = captured.withLock { $0 }
    return ToolResult(status: status, output: written.output, errors: written.errors)
  }

  /// Opens what a command line can read.
  private static func inputFile(_ text: String) throws -> FileHandle {
    guard !text.isEmpty else {
      return try FileHandle(forReadingFrom: URL(fileURLWithPath: "/dev/null"))
    }
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("retrace-input-\(UUID().uuidString)")
    try Data((text + "\n").utf8).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    return try FileHandle(forReadingFrom: url)
  }
}

/// Runs a command line of `track` in this process to its end.
func run(
  _ tool: String, _ arguments: [String], environment: [String: String] = [:]
) throws -> ToolResult {
  try ToolRunner.inProcess.run(tool, arguments, environment)
}

/// Runs a command line as `expectFine(_:environment:by:location:)` does, in this process.
@discardableResult
func expectFine(
  _ command: [String], environment: [String: String] = [:],
  location: SourceLocation = #_sourceLocation
) throws -> String {
  try expectFine(command, environment: environment, by: .inProcess, location: location)
}

/// Runs a command line as `expectFailure(_:exit:mentions:environment:by:location:)` does, in this
/// process.
@discardableResult
func expectFailure(
  _ command: [String], exit: Int32, mentions words: [String] = [],
  environment: [String: String] = [:], location: SourceLocation = #_sourceLocation
) throws -> PrintedFailure {
  try expectFailure(
    command, exit: exit, mentions: words, environment: environment, by: .inProcess,
    location: location)
}

/// Calls `body` with a store that does not exist yet, whose commands run in this process.
func withDesk(_ body: (Desk) throws -> Void) throws { try withDesk(by: .inProcess, body) }
