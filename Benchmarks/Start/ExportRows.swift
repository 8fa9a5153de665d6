import Figures
import Foundation

/// Registers the flat export of a log of a million records, beside `audit verify` of the same log.
///
/// The export writes a new file and syncs it to disk. A verification writes nothing, and checks the
/// pages of the data file and the chain as well.
func registerExportRows() {
  let log = ExportedLog()
  let name = "audit export --flat"
  compare(
    Row(
      "\(name), 1,000,000 records", input: "release tool, \(ExportedLog.input)",
      unit: .milliseconds, isWhole: true),
    setUp: { _ = try log.path.get() },
    ours: {
      let run = try log.export()
      return Measured(nanoseconds: run.nanoseconds, operations: 1, checksum: 0)
    },
    yardsticks: [
      Yardstick("audit verify", .timesYardstick(atMost: 3)) {
        let words = ["verify", "--store", try log.path.get()]
        let run = try Program.run(try ToolRun.tool("audit"), words)
        return Measured(nanoseconds: run.nanoseconds, operations: 1, checksum: 0)
      }
    ])
  figure(
    Row(
      "memory of \(name), 1,000,000 records", input: "release tool, \(ExportedLog.input)",
      unit: .counted("MiB"), target: .atMost(60), rounds: 3),
    setUp: { _ = try log.path.get() }
  ) {
    Counted(Double(try log.export().residentBytes) / 1_048_576)
  }
}

/// A log of a million records, written once.
private final class ExportedLog {
  static let records = 1_000_000
  static let entries = 10_000
  static let input = "1,000,000 records of the mix, 10,000 entries (seed 1), as JSON Lines"

  lazy var path: Result<String, any Error> = Result {
    let path = try scratch("exported") + "/store"
    let numbers = ["\(Self.records)", "\(Self.entries)"]
    let written = try Program.run(try Program.probe, ["write-log", path] + numbers).measured()
    guard written.operations == UInt64(Self.records) else {
      throw FiguresError("\(written.operations) records were written")
    }
    return path
  }

  func export() throws -> ToolRun {
    let folder = try scratch("export")
    defer { removeScratch(folder) }
    let file = folder + "/records.jsonl"
    let words = ["export", "--flat", "--output", file, "--store", try path.get()]
    let run = try ToolRun.run(try ToolRun.tool("audit"), words)
    guard run.status == 0 else { throw FiguresError("audit export ended with \(run.status)") }
    return run
  }
}
