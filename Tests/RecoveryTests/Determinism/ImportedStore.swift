import Foundation
import RetraceFixtures
import RetraceTesting
import Testing
import ToolTestSupport

/// The store made by importing the published time log, or a made-up one of its size if that is not
/// available.
struct ImportedStore: Sendable {
  /// The directory, which may be read and copied, not written.
  let path: String
  /// A directory for what a test writes.
  let folder: String
  /// How many entries the import created.
  let created: Int

  /// The number of rows that are imported, from the first on: all of the published log with
  /// `RETRACE_FULL=1`, else an eighth.
  static let rows = repetitions(203_619, few: 25_000)

  @TaskLocal private static var shared: ImportedStore?

  /// The store of the suite.
  static func current() throws -> ImportedStore { try #require(shared) }

  /// Gives a suite a store, made once and removed after its last test.
  struct Trait: SuiteTrait, TestScoping {
    @concurrent
    func provideScope(
      for test: Test, testCase: Test.Case?,
      performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
      let folder = NSTemporaryDirectory() + "retrace-\(UUID().uuidString)"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let store = try ImportedStore.make(in: folder)
      try await $shared.withValue(store) { try await function() }
    }
  }

  private static func make(in folder: String) throws -> ImportedStore {
    let file = "\(folder)/log.csv"
    let real = try CesawFile.bytes()
    var bytes = real ?? []
    if real == nil {
      _ = SyntheticTimeLog().forEachLine { line in
        bytes += Array(line.utf8)
        bytes.append(0x0a)
      }
    }
    print("imported: \(real == nil ? "a look-alike of the time log" : "the published time log")")
    let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: rows + 1)
    // The first line names the columns.
    try Data(lines.prefix(rows + 1).joined(separator: [UInt8(ascii: "\n")]))
      .write(to: URL(fileURLWithPath: file))
    let path = "\(folder)/store"
    var arguments = ["import", file, "--store", path, "--source", "cesaw", "--json"]
    for column in [
      "start=time_log_start_date", "duration=time_log_delta_minutes", "user=person_key",
      "project=project_key", "description=phase_short_name", "id=time_log_fact_key",
    ] {
      arguments += ["--column", column]
    }
    arguments += ["--date-format", "M/d/yyyy H:mm", "--duration-unit", "minutes", "--zone", "UTC"]
    let result = try run("track", arguments)
    #expect(result.status == 0, "\(result.errors)")
    let created = try #require(try result.json()["created"] as? Int)
    try FileManager.default.removeItem(atPath: file)
    return ImportedStore(path: path, folder: folder, created: created)
  }
}
