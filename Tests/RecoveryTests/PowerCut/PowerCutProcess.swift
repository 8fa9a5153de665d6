import Foundation
import Testing
import ToolTestSupport

/// A process that checks states; it is started again after a state that ends it by a signal.
final class PowerCutProcess {
  /// The failures, and the number of states.
  struct Outcome {
    var failures: [String] = []
    var checked = 0
    var summary = ""
  }

  private let folder: String
  private let arguments: [String]
  private var process: RunningTool

  /// The command line; `only=CUT.VARIANT` checks a single state again.
  var command: String { "testapp \(arguments.joined(separator: " "))" }

  /// Starts to check a recording.
  init(_ programs: RecordedPrograms, in folder: String, _ options: [String]) throws {
    self.folder = folder
    arguments =
      ["power-cuts", "log=\(programs.log)", "claims=\(programs.claims)", "root=\(programs.root)"]
      + ["folder=\(folder)"] + options
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    process = try RunningTool("testapp", arguments)
  }

  /// Waits for the end and returns the outcome.
  ///
  /// - Parameter isPlanted: Whether the first failure is enough.
  func finish(isPlanted: Bool = false) throws -> Outcome {
    var outcome = Outcome()
    while true {
      let result = process.finish()
      for line in result.output.split(separator: "\n").map(String.init) {
        if line.hasPrefix("failed ") { outcome.failures.append(line) }
        guard line.hasPrefix("checked ") else { continue }
        outcome.summary = line
        outcome.checked += Int(line.split(separator: " ")[1]) ?? 0
      }
      guard let signal = result.signal else {
        let isExpected = [0, 1].contains(result.status)
        try #require(isExpected, "\(arguments): \(result.errors)")
        return outcome
      }
      let state = try #require(try interrupted(outcome), "\(arguments): \(result.errors)")
      outcome.failures.append("failed \(state): ended by signal \(signal) \(result.errors)")
      if isPlanted || outcome.failures.count >= 10 { return outcome }
      process = try RunningTool("testapp", arguments + ["after=\(state)"])
    }
  }

  /// Returns the state whose check ended the process.
  private func interrupted(_ outcome: Outcome) throws -> String? {
    let known = outcome.failures.map { line in
      line.split(separator: " ")[1].prefix { $0 != "," && $0 != ":" }
    }
    return try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { $0.hasPrefix("state-") }.map { $0.dropFirst("state-".count) }
      .first { !known.contains($0) }.map(String.init)
  }
}
