import Foundation
import Testing
import ToolTestSupport

/// Runs programs and records their writes and barriers below a directory.
final class RecordedPrograms {
  /// The recorded directory, which stands for a disk.
  let root: String
  let log: String
  /// The file that says what each step acknowledges.
  let claims: String
  private let recorder: String
  private var step = 0

  /// What a recorded program needs in its environment.
  var environment: [String: String] {
    [
      "LD_PRELOAD": recorder, "RECORDER_ROOT": root, "RECORDER_LOG": log,
      "RECORDER_STEP": "\(step)",
    ]
  }

  /// The path of the script's store.
  var store: String { "\(root)/\(PowerStep.store)" }

  /// Runs a script in a folder.
  init(_ script: [PowerStep], in folder: String) throws {
    root = "\(folder)/disk"
    log = "\(folder)/log"
    claims = "\(folder)/claims"
    recorder = "\(folder)/recorder.so"
    try Self.build(recorder)
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: false)
    var lines = ""
    for step in script {
      lines += "\(self.step) \(step.meaning.rawValue) \(step.store)\n"
      try step.perform(self)
      self.step += 1
    }
    try lines.write(toFile: claims, atomically: false, encoding: .utf8)
  }

  /// Starts the tests' app on a store.
  func sender(
    _ environment: [String: String], on store: String = PowerStep.store
  ) throws -> SenderProcess {
    try SenderProcess("\(root)/\(store)", environment: environment.merging(self.environment) { $1 })
  }

  /// Makes a directory by `mkdir`, which syncs nothing.
  func makeDirectory(_ path: String) throws {
    let variables = environment.map { "\($0.key)=\($0.value)" }.sorted()
    let result = try runProgram("/usr/bin/env", variables + ["mkdir", "\(root)/\(path)"])
    try #require(result.status == 0, "\(result.errors)")
  }

  /// Builds the recorder with the compiler that comes with Swift.
  private static func build(_ library: String) throws {
    let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("recorder.c").path
    let options = ["-std=gnu17", "-Wall", "-Wextra", "-Werror", "-O1", "-fPIC", "-shared"]
    let result = try runProgram(
      "/usr/bin/env", ["clang"] + options + ["-o", library, source, "-ldl", "-lpthread"])
    try #require(result.status == 0, "\(result.output) \(result.errors)")
  }
}
