import Figures

/// Registers rows of the release tool on the same store, beside a C program on an equal one.
///
/// The C program reads as much as in the rows of `start-probe`. For a start and a stop it appends
/// as many bytes, in one commit that is synced to disk. It leaves out the same as in those rows,
/// the command line, and JSON.
func registerToolRows() {
  compare(
    Row(
      "track --version", input: "release tool, start to exit", unit: .milliseconds, rounds: 21,
      isWhole: true),
    ours: {
      let run = try Program.run(try ToolRun.tool("track"), ["--version"])
      guard run.output.hasPrefix("track ") else { throw FiguresError(run.output) }
      return one(run)
    },
    yardsticks: [
      Yardstick("C that does nothing", .timesYardstick(atMost: 6)) {
        one(try Program.run(try Program.yardstick, ["nothing"]))
      }
    ])
  tool(
    "track status", ["status"], expecting: "\"running\":{", inC: "status", timesC: 11)
  let bytes = LargeStore.appendedBytes
  tool(
    "track start", ["start", "measured"], expecting: "\"running\":true", inC: "append", bytes,
    timesC: 6
  ) {
    // A start would also stop an entry that is running.
    _ = try run(["stop"], allowFailure: true)
  }
  tool(
    "track stop", ["stop"], expecting: "\"running\":false", inC: "append", bytes, timesC: 6.5
  ) {
    _ = try run(["start", "measured"], allowFailure: true)
  }
}

private func tool(
  _ name: String, _ words: [String], expecting text: String, inC command: String,
  _ numbers: Int..., timesC most: Double, before: @escaping () throws -> Void = {}
) {
  compare(
    Row(
      name, input: "release tool, 1,000,000 entries, start to exit", unit: .milliseconds,
      rounds: 21, isWhole: true),
    setUp: { _ = try LargeStore.path.get() },
    ours: {
      try before()
      let run = try run(words)
      guard run.output.contains(text) else { throw FiguresError("\(name) printed: \(run.output)") }
      return one(run)
    },
    yardsticks: [
      Yardstick("C over LMDB", .timesYardstick(atMost: most)) {
        let measured = try LargeStore.inC(command, numbers)
        guard measured.operations == 1 else { throw FiguresError("C finds no running entry") }
        return Measured(nanoseconds: measured.nanoseconds, operations: 1, checksum: 0)
      }
    ])
}

/// Returns a process as one operation.
private func one(_ run: Program.Run) -> Measured {
  Measured(nanoseconds: run.nanoseconds, operations: 1, checksum: 0)
}

private func run(_ words: [String], allowFailure: Bool = false) throws -> Program.Run {
  try Program.run(
    try ToolRun.tool("track"),
    words + ["--store", try LargeStore.path.get(), "--user", "user0", "--json"],
    allowFailure: allowFailure)
}
