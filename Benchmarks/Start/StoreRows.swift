import Figures
import Foundation

/// The store of a million entries, written once and used by all rows.
enum LargeStore {
  static let count = 1_000_000
  static let input = "1,000,000 entries (seed 1), process start to exit"

  /// The store, written when it is asked for first.
  static let path: Result<String, any Error> = Result {
    let path = try scratch("large") + "/store"
    let run = try Program.run(try Program.probe, ["write", path, "\(count)"])
    let written = try run.measured()
    guard written.operations == UInt64(count + 1) else {
      throw FiguresError("\(written.operations) entries were written")
    }
    return path
  }

  static func forget() throws {
    for file in ["data.mdb", "derived/data.mdb"] { try Program.forget(try path.get() + "/" + file) }
  }

  static func probe(_ command: String, _ more: Int...) throws -> Program.Run {
    let words = [command, try path.get(), "\(count)"] + more.map { "\($0)" }
    return try Program.run(try Program.probe, words)
  }
}

/// What a program with the tracker's reducer costs over a million entries.
func registerStoreRows() {
  func row(
    _ name: String, _ command: String, _ more: Int..., atMost limit: Double, rounds: Int = 21,
    isCold: Bool = false, operations: UInt64, checksum: UInt64? = nil
  ) {
    var seen: UInt64?
    figure(
      Row(
        name, input: LargeStore.input, unit: .milliseconds, target: .atMost(limit),
        rounds: rounds),
      setUp: { _ = try LargeStore.path.get() }
    ) {
      if isCold { try LargeStore.forget() }
      let words = [command, try LargeStore.path.get(), "\(LargeStore.count)"]
      let run = try Program.run(try Program.probe, words + more.map { "\($0)" })
      let measured = try run.measured()
      guard measured.operations == operations else {
        throw FiguresError("\(measured.operations) operations in place of \(operations)")
      }
      guard seen == nil || seen == measured.checksum else {
        throw FiguresError("another checksum than in the round before")
      }
      seen = measured.checksum
      return try counted(measured)
    }
  }
  row("open, running entry, last 30, one synced start", "open", atMost: 5, operations: 32)
  row(
    "the same, data files not in memory", "open", atMost: 10, isCold: true, operations: 32)
  row("log of the last day", "today", atMost: 5, operations: 85)
  row("report over 100,000 entries", "report", 900_000, atMost: 25, operations: 100_000)
  row("report over 1,000,000 entries", "report", 0, atMost: 150, rounds: 7, operations: 1_000_000)
  figure(
    Row(
      "anonymous memory after a lazy open", input: LargeStore.input, unit: .counted("MB"),
      target: .atMost(2)),
    setUp: { _ = try LargeStore.path.get() }
  ) {
    let run = try LargeStore.probe("lazy")
    let measured = try run.measured()
    return Counted(
      run.numbers[2] * 1024 / 1e6, operations: measured.operations, checksum: measured.checksum)
  }
}
