import Figures
import Foundation

/// The store of a million entries, written once and used by all rows, and a copy for the
/// yardsticks.
enum LargeStore {
  static let count = 1_000_000
  static let input = "1,000,000 entries (seed 1), process start to exit"

  /// The store, written on first use.
  static let path: Result<String, any Error> = Result {
    let path = try scratch("large") + "/store"
    let run = try Program.run(try Program.probe, ["write", path, "\(count)"])
    let written = try run.measured()
    guard written.operations == UInt64(count + 1) else {
      throw FiguresError("\(written.operations) entries were written")
    }
    try FileManager.default.copyItem(atPath: path, toPath: path + copySuffix)
    return path
  }

  private static let copySuffix = "-in-c"

  /// What C reads and appends to; it grows with the rounds as the store does.
  static var copy: String { get throws { try path.get() + copySuffix } }

  static func evict(_ path: String) throws {
    for file in ["data.mdb", "derived/data.mdb"] { try Program.evict(path + "/" + file) }
  }

  /// Runs the C program on the copy.
  static func inC(_ command: String, _ numbers: [Int]) throws -> Measured {
    let words = [command, try copy] + numbers.map { "\($0)" }
    return try Program.run(try Program.yardstick, words).measured()
  }

  /// The bytes that a session of one start adds to the log.
  static let appendedBytes = 180

  /// The first and the last microsecond of the day on which the last entry starts.
  static var lastDay: [Int] {
    let (begin, spacing, day) = (1_000_000_000_000_000, 300_000_000, 86_400_000_000)
    let first = (begin + count * spacing - 1) / day * day
    return [first, first + day - 1]
  }

  static func probe(_ command: String, _ more: Int...) throws -> Program.Run {
    let words = [command, try path.get(), "\(count)"] + more.map { "\($0)" }
    return try Program.run(try Program.probe, words)
  }
}

/// Registers rows of a program with the tracker's reducer on a store of a million entries.
///
/// The yardstick is a C program that opens both environments of an equal store, reads and checks
/// the same pages and records, decodes the same entries, and appends as many bytes in one
/// synchronised commit where ours does. It leaves out the reducer, sessions, schemas, effects, and
/// the files and locks beside the environments. It reads pages through LMDB, which trusts them;
/// ours does not.
func registerStoreRows() {
  func row(
    _ name: String, _ command: String, _ more: Int..., inC numbers: [Int], timesC most: Double,
    rounds: Int = 21, isCold: Bool = false, operations: UInt64
  ) {
    compare(
      Row(
        name, input: LargeStore.input, unit: .milliseconds, rounds: rounds, isWhole: true),
      setUp: { _ = try LargeStore.path.get() },
      ours: {
        if isCold { try LargeStore.evict(try LargeStore.path.get()) }
        let words = [command, try LargeStore.path.get(), "\(LargeStore.count)"]
        let run = try Program.run(try Program.probe, words + more.map { "\($0)" })
        let measured = try run.measured()
        guard measured.operations == operations else {
          throw FiguresError("\(measured.operations) operations in place of \(operations)")
        }
        return measured
      },
      yardsticks: [
        Yardstick("C over LMDB", .timesYardstick(atMost: most)) {
          if isCold { try LargeStore.evict(try LargeStore.copy) }
          return try LargeStore.inC(command, numbers)
        }
      ])
  }
  let count = LargeStore.count
  row(
    "open, find the running entry, list the last 30, start one durably", "open",
    inC: [LargeStore.appendedBytes], timesC: 3.7, operations: 32)
  row(
    "the same, cold page cache", "open", inC: [LargeStore.appendedBytes], timesC: 3.7,
    isCold: true, operations: 32)
  row(
    "log of the last day", "today", inC: [count] + LargeStore.lastDay, timesC: 5.5, operations: 85)
  row(
    "report over 100,000 entries", "report", 900_000, inC: [count, 900_000], timesC: 2.1,
    operations: 100_000)
  row(
    "report over 1,000,000 entries", "report", 0, inC: [count, 0], timesC: 1.9, rounds: 7,
    operations: 1_000_000)
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
