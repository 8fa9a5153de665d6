import Foundation
import Testing
import ToolTestSupport

/// `testapp power-cuts`, which checks states, and is started again where one ends it.
final class PowerCuts {
  /// What was found.
  struct Outcome {
    var failures: [String] = []
    var checked = 0
    var summary = ""
  }

  private let folder: String
  private let arguments: [String]
  private var process: ToolProcess

  /// Starts the check of a recording.
  init(_ programs: RecordedPrograms, in folder: String, _ options: [String]) throws {
    self.folder = folder
    arguments =
      ["power-cuts", "log=\(programs.log)", "claims=\(programs.claims)", "root=\(programs.root)"]
      + ["folder=\(folder)"] + options
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    process = try ToolProcess("testapp", arguments)
  }

  /// Waits for the end.
  ///
  /// - Parameter isPlanted: Whether a state that ends the process is all that is wanted.
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
      process = try ToolProcess("testapp", arguments + ["after=\(state)"])
    }
  }

  /// The state that was being checked when the process ended.
  private func interrupted(_ outcome: Outcome) throws -> String? {
    let known = outcome.failures.map { line in
      line.split(separator: " ")[1].prefix { $0 != "," && $0 != ":" }
    }
    return try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { $0.hasPrefix("state-") }.map { $0.dropFirst("state-".count) }
      .first { !known.contains($0) }.map(String.init)
  }
}
