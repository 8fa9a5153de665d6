import Figures
import Foundation

/// A store of a million entries, written once and used by several rows, and a copy for the
/// yardsticks.
final class LargeStore {
  static let count = 1_000_000
  let users: Int
  private let made: () throws -> String
  private var known: Result<String, any Error>?
  private var steps = 0

  /// Makes a store with the entries of a number of users; nothing is written before its first use.
  init(users: Int) {
    self.users = users
    made = {
      let path = try scratch("large-\(users)") + "/store"
      let words = ["write", path, "\(Self.count)", "\(users)", NSUserName()]
      let run = try Program.run(try Program.probe, words)
      let written = try run.measured()
      guard written.operations == UInt64(Self.count + 1) else {
        throw FiguresError("\(written.operations) entries were written")
      }
      try FileManager.default.copyItem(atPath: path, toPath: path + Self.copySuffix)
      return path
    }
  }

  var input: String {
    "1,000,000 entries of \(users) user\(users == 1 ? "" : "s") (seed 1), process start to exit"
  }

  /// The store, written on first use.
  var path: String {
    get throws {
      let result = known ?? Result { try made() }
      known = result
      return try result.get()
    }
  }

  private static let copySuffix = "-in-c"

  /// What C reads and appends to; it grows with the rounds as the store does.
  var copy: String { get throws { try path + Self.copySuffix } }

  /// The files of a store that are read in pages.
  static func files(of path: String) -> [String] {
    ["data.mdb", "derived/data.mdb"].map { path + "/" + $0 }
  }

  /// The present of the next program that changes the store, in seconds after the last entry.
  func nextSecond() -> Int {
    steps += 10
    return steps
  }

  /// The end of the last entry.
  static let endSecond = 1_000_000_000 + count * 300

  /// Runs the C program on the copy.
  func inC(_ command: String, _ numbers: [Int]) throws -> Measured {
    let words = [command, try copy] + numbers.map { "\($0)" }
    return try Program.run(try Program.yardstick, words).measured()
  }

  /// The bytes that the last session added to the log, as a record of C's has them: without its
  /// length, which takes two.
  func appendedBytes() throws -> Int {
    let run = try Program.run(try Program.probe, ["appended", try path])
    guard let bytes = run.numbers.last, run.numbers.count == 3 else {
      throw FiguresError("a program printed: \(run.output)")
    }
    return Int(bytes) - 2
  }

  /// The first and the last microsecond of the day on which the last entry starts.
  static var lastDay: [Int] {
    let day = 86_400
    let first = (endSecond - 1) / day * day
    return [first * 1_000_000, (first + day) * 1_000_000 - 1]
  }

  func probe(_ command: String, _ more: [Int] = []) throws -> Program.Run {
    let words = [command, try path, "\(Self.count)", "\(users)"] + more.map { "\($0)" }
    return try Program.run(try Program.probe, words)
  }
}

/// Registers rows of a program with the tracker's reducer on a store of a million entries.
///
/// The yardstick is a C program that opens both environments of an equal store, reads and checks
/// the same pages and records, decodes the same entries, and appends as many bytes in one
/// synchronised commit where ours does. It leaves out the decider and the reducer, sessions,
/// schemas, and the files and locks beside the environments. It reads pages through LMDB, which
/// trusts them; ours does not.
func registerStoreRows(on store: LargeStore) {
  func row(
    _ name: String, _ command: String, _ more: @escaping () -> [Int] = { [] },
    inC numbers: @escaping () throws -> [Int], timesC most: Double, rounds: Int = 21,
    isCold: Bool = false, operations: UInt64
  ) {
    compare(
      Row(name, input: store.input, unit: .milliseconds, rounds: rounds, isWhole: true),
      setUp: { _ = try store.path },
      ours: {
        if isCold { for file in LargeStore.files(of: try store.path) { try Program.evict(file) } }
        let measured = try store.probe(command, more()).measured()
        guard measured.operations == operations else {
          throw FiguresError("\(measured.operations) operations in place of \(operations)")
        }
        return measured
      },
      yardsticks: [
        Yardstick("C over LMDB", .timesYardstick(atMost: most)) {
          if isCold { for file in LargeStore.files(of: try store.copy) { try Program.evict(file) } }
          return try store.inC(command, try numbers())
        }
      ])
  }
  let count = LargeStore.count
  row(
    "open, find the running entry, list the last 30, start one durably", "open",
    { [store.nextSecond()] }, inC: { [try store.appendedBytes()] }, timesC: 3.7, operations: 32)
  row(
    "the same, cold page cache", "open", { [store.nextSecond()] },
    inC: { [try store.appendedBytes()] }, timesC: 3.7, isCold: true, operations: 32)
  row(
    "log of the last day", "today", inC: { [count] + LargeStore.lastDay }, timesC: 5.5,
    operations: 86)
  row(
    "report over 100,000 entries", "report", { [900_000] },
    inC: { [count, store.users, 900_000] }, timesC: 2.1, operations: 100_000)
  row(
    "report over 1,000,000 entries", "report", { [0] }, inC: { [count, store.users, 0] },
    timesC: 1.9, rounds: 7, operations: 1_000_000)
  figure(
    Row(
      "anonymous memory after a lazy open", input: store.input, unit: .counted("MB"),
      target: .atMost(2)),
    setUp: { _ = try store.path }
  ) {
    let run = try store.probe("lazy")
    let measured = try run.measured()
    return Counted(
      run.numbers[2] * 1024 / 1e6, operations: measured.operations, checksum: measured.checksum)
  }
}
