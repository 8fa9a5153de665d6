import Figures

/// The release tool over the same store.
func registerToolRows() {
  figure(
    Row(
      "track --version", input: "release tool, start to exit", unit: .milliseconds,
      target: .atMost(5), rounds: 21)
  ) {
    let run = try Program.run(try ToolRun.tool("track"), ["--version"])
    guard run.output.hasPrefix("track ") else { throw FiguresError(run.output) }
    return Counted(Double(run.nanoseconds) / 1e6, checksum: UInt64(run.output.utf8.count))
  }
  tool("track status", ["status"], expecting: "\"running\":{")
  tool("track start", ["start", "measured"], expecting: "\"running\":true") {
    // One that runs would be stopped by the start.
    _ = try run(["stop"], allowFailure: true)
  }
  tool("track stop", ["stop"], expecting: "\"running\":false") {
    _ = try run(["start", "measured"], allowFailure: true)
  }
}

private func tool(
  _ name: String, _ words: [String], expecting text: String,
  before: @escaping () throws -> Void = {}
) {
  figure(
    Row(
      name, input: "release tool, 1,000,000 entries, start to exit", unit: .milliseconds,
      target: .atMost(10), rounds: 21),
    setUp: { _ = try LargeStore.path.get() }
  ) {
    try before()
    let run = try run(words)
    guard run.output.contains(text) else { throw FiguresError("\(name) printed: \(run.output)") }
    return Counted(Double(run.nanoseconds) / 1e6, checksum: UInt64(text.utf8.count))
  }
}

private func run(_ words: [String], allowFailure: Bool = false) throws -> Program.Run {
  try Program.run(
    try ToolRun.tool("track"),
    words + ["--store", try LargeStore.path.get(), "--user", "user0", "--json"],
    allowFailure: allowFailure)
}
