import Foundation
import RetraceSystem
import RetraceTesting
import Testing
import ToolTestSupport

/// Power cuts at each write and barrier of a recorded script: every state that the disk can then
/// have opens with everything that was acknowledged, and takes new records.
///
/// The page of `RetraceStorage` says what is simulated and what is assumed of the disk. The tests
/// check 2,100 states, with `RETRACE_FULL=1` 200,000. Recordings differ in names and times, so the
/// recording of a failure is kept.
@Suite(.serialized) struct PowerCutTests {
  /// The number of processes that check states.
  private static let processes = 2

  @Test func `after a power cut everything acknowledged is there [L8]`() throws {
    let states = cycles(10) == 10 ? 200_000 : 2_100
    try withSeed("PowerCutTests") { random in
      let seed = UInt64.random(in: 0..<1 << 32, using: &random)
      let folder = try Self.makeFolder()
      let programs = try RecordedPrograms(PowerStep.script, in: folder)
      let cuts = try (1...Self.processes).map { part in
        try PowerCutProcess(
          programs, in: "\(folder)/part-\(part)",
          ["seed=\(seed)", "states=\(states / Self.processes)", "part=\(part)/\(Self.processes)"])
      }
      let outcomes = try cuts.map { try $0.finish() }
      print("power cuts: \(outcomes.map(\.summary).joined(separator: "; "))")
      let failures = outcomes.flatMap(\.failures)
      #expect(failures == [], "kept in \(folder): \(cuts[0].command) only=CUT.VARIANT")
      #expect(outcomes.map(\.checked).reduce(0, +) >= states)
      if failures.isEmpty { try FileManager.default.removeItem(atPath: folder) }
    }
  }

  @Test func `planted faults are caught`() throws {
    let faults = [
      "unsynced-pages", "unsynced-meta", "unsynced-format", "unsynced-names", "unsynced-store",
      "unsynced-parents", "meta-first", "name-first", "acknowledged-early", "trusted-relaxed",
    ]
    let folder = try Self.makeFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let programs = try RecordedPrograms(PowerStep.script, in: folder)
    for fault in faults {
      let cuts = try PowerCutProcess(
        programs, in: "\(folder)/\(fault)", ["states=5000", "plant=\(fault)"])
      let outcome = try cuts.finish(isPlanted: true)
      print("\(fault): \(outcome.failures.first ?? "not seen")")
      #expect(!outcome.failures.isEmpty, "\(fault) in \(outcome.summary)")
    }
  }

  /// Makes a folder, in memory if possible, because each state is written and opened.
  private static func makeFolder() throws -> String {
    let place = (try? FileSystem.info("/dev/shm"))?.isDirectory == true ? "/dev/shm" : nil
    return try FileSystem.makeTemporaryDirectory("retrace-power-", in: place)
  }
}
