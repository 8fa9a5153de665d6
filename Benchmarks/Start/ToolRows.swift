import Figures
import Foundation

/// Registers rows of the release tool on stores of a million entries, beside a C program on equal
/// ones.
///
/// The C program opens both environments of the store, looks up the user and the running entry, and
/// reads as many pages as the tool. For a start, a stop and an undo it appends as many bytes as the
/// tool, in one commit that is synced to disk. It leaves out the command line, JSON, and what it
/// leaves out in the rows of `start-probe`.
///
/// The pages are counted: both files are evicted from the page cache, the program runs, and
/// `mincore` tells which pages are there, read or written. Neither program reads ahead. What C
/// reads less by itself it reads from other pages of the table, and it is counted again. The bytes
/// are the size of the records that the tool's session appended.
func registerToolRows(on stores: [LargeStore]) {
  compare(
    Row(
      "track --version", input: "release tool, start to exit", unit: .milliseconds, rounds: 21,
      isWhole: true),
    ours: { try version() },
    yardsticks: [
      Yardstick("C that does nothing", .timesYardstick(atMost: 6)) {
        one(try Program.run(try Program.yardstick, ["nothing"]))
      }
    ])
  for store in stores {
    ToolRow(store, ["status"], expecting: "\"running\":{", inC: "status").register()
    // A start would also stop an entry that is running.
    ToolRow(
      store, ["start", "measured"], after: ["stop"], expecting: "\"running\":true", inC: "append"
    ).register()
    ToolRow(
      store, ["stop"], after: ["start", "measured"], expecting: "\"running\":false", inC: "append"
    ).register()
    ToolRow(
      store, ["undo"], after: ["start", "measured"], expecting: "\"deleted\":true", inC: "append"
    ).register()
  }
}

/// Registers the row of an undo of one change among a million, beside a seek to the next record.
///
/// Each undo is followed by a restore, which is not timed.
func registerUndoRow(on store: LargeStore) {
  // An entry takes a command and a fact. The records before are the session's opening, and those of
  // the user and the projects.
  let change = LargeStore.count
  compare(
    Row(
      "track undo of one change by its number", input: "release tool, \(store.input)",
      unit: .milliseconds, rounds: 21, isWhole: true),
    setUp: { _ = try store.path },
    ours: {
      let run = try store.track(["undo", "c\(change)"])
      guard run.output.contains("\"deleted\":true") else { throw FiguresError(run.output) }
      _ = try store.track(["restore", "c\(change)"])
      return one(run)
    },
    yardsticks: [
      Yardstick("replay route --at, the record after it", .timesYardstick(atMost: 3)) {
        let words = ["route", "--at", "\(change + 1)", "--store", try store.path]
        // The store has no scene, so there is no route after the seek, and the exit code is 7.
        return one(try Program.run(try ToolRun.tool("replay"), words, allowFailure: true))
      }
    ])
}

/// A row of one command of the tool.
private final class ToolRow {
  private let store: LargeStore
  private let words: [String]
  /// A command that brings the store into the right state; it may be refused.
  private let preparation: [String]?
  private let expected: String
  private let yardstick: String
  /// The pages that C has to read beside its own, and the bytes that it appends.
  private var numbers: [Int] = []
  private var pages = 0

  init(
    _ store: LargeStore, _ words: [String], after preparation: [String]? = nil,
    expecting expected: String, inC yardstick: String
  ) {
    self.store = store
    self.words = words
    self.preparation = preparation
    self.expected = expected
    self.yardstick = yardstick
  }

  func register() {
    let name =
      "track \(words[0]), \(store.users) user\(store.users == 1 ? "" : "s")"
    compare(
      Row(
        name, input: "release tool, \(store.input)", unit: .milliseconds, rounds: 51, isWhole: true
      ),
      setUp: { try self.count() },
      ours: {
        try self.prepare()
        return one(try self.run())
      },
      yardsticks: [
        Yardstick("C over LMDB", .timesYardstickBeyond(side: "track --version", atMost: 2)) {
          try self.runInC()
        },
        Yardstick("track --version") { try version() },
      ])
    figure(
      Row(
        "pages of \(name)", input: "release tool, \(store.input)", unit: .counted("pages"),
        rounds: 1),
      setUp: { if self.pages == 0 { try self.count() } }
    ) {
      Counted(Double(self.pages))
    }
  }

  /// Counts the pages that the tool and C read, and how much they append.
  private func count() throws {
    // A tool that wrote to the store has kept the digests of its schemas there.
    _ = try run(["start", "measured"], allowFailure: true)
    try prepare()
    // The tool itself is in memory, and the store is opened as after another run.
    pages = try Program.pages(of: LargeStore.files(of: try store.path)) { _ = try run() }
    let bytes = yardstick == "append" ? [try store.appendedBytes()] : []
    func pagesInC() throws -> Int {
      try Program.pages(of: LargeStore.files(of: try store.copy)) { _ = try runInC() }
    }
    numbers = [0] + bytes
    // Some of the other pages may be among those that C reads by itself.
    for _ in 0..<5 {
      let missing = pages - (try pagesInC())
      if missing <= 0 { return }
      numbers[0] += missing
    }
    throw FiguresError("C does not read the \(pages) pages that the tool reads")
  }

  private func prepare() throws {
    guard let preparation else { return }
    _ = try run(preparation, allowFailure: true)
  }

  private func run() throws -> Program.Run {
    let run = try run(words)
    guard run.output.contains(expected) else {
      throw FiguresError("track \(words[0]) printed: \(run.output)")
    }
    return run
  }

  private func run(_ words: [String], allowFailure: Bool = false) throws -> Program.Run {
    try store.track(words, allowFailure: allowFailure)
  }

  private func runInC() throws -> Measured {
    let measured = try store.inC(yardstick, numbers)
    guard measured.operations == 1 else { throw FiguresError("C finds no running entry") }
    return Measured(nanoseconds: measured.nanoseconds, operations: 1, checksum: 0)
  }
}

extension LargeStore {
  /// The present of the next program that changes the store, as the tool reads it.
  func nextMoment() -> String {
    Date(timeIntervalSince1970: TimeInterval(Self.endSecond + nextSecond())).ISO8601Format()
  }

  /// Runs a command of the first user, after all commands before it.
  func track(_ words: [String], allowFailure: Bool = false) throws -> Program.Run {
    try Program.run(
      try ToolRun.tool("track"),
      words + ["--store", try path, "--user", "user0", "--now", nextMoment(), "--json"],
      allowFailure: allowFailure)
  }
}

private func version() throws -> Measured {
  let run = try Program.run(try ToolRun.tool("track"), ["--version"])
  guard run.output.hasPrefix("track ") else { throw FiguresError(run.output) }
  return one(run)
}

/// Returns a process as one operation.
private func one(_ run: Program.Run) -> Measured {
  Measured(nanoseconds: run.nanoseconds, operations: 1, checksum: 0)
}
