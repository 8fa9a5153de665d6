import ArgumentParser
import Retrace
import RetraceReplay
import RetraceStorage
import RetraceSystem
import RetraceToolCommands
import RetraceToolSupport

/// Measures how long it takes to read, decode, reduce and hash the records of a log.
struct BenchCommand<Tool: ReplayTool>: ReplaySubcommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "bench",
      abstract: "Measure how fast this build folds a log: each part of the work, and each type of "
        + "action.",
      discussion: """
        Each round runs in its own process, which warms up first. The figures are medians of the \
        rounds. Parts are measured in processor time, types in wall-clock time. --with alternates \
        rounds of this build with rounds of another build's replay tool, which is the most \
        reliable comparison. --baseline compares with the rounds of an earlier run instead. A \
        difference within the noise of the rounds is not reported.

        EXAMPLES
          \(replay) bench
          \(replay) bench --with ../old-build/replay
          \(replay) bench --json > before.json
          \(replay) bench --baseline before.json
        """)
  }

  @OptionGroup var options: StoreOptions

  @Option(help: ArgumentHelp("How many rounds.", valueName: "count"))
  var rounds = 11

  @Option(
    name: [.long, .customLong("as-of")],
    help: ArgumentHelp(
      "Measure up to this record, or up to this time; the default is the last record.",
      valueName: "n|time"))
  var at: String?

  @Option(
    help: ArgumentHelp(
      "Compare with the saved output of an earlier `\(ToolProcess.replay) bench --json`.",
      valueName: "file"))
  var baseline: String?

  @Option(help: ArgumentHelp("The replay tool of another build.", valueName: "tool"))
  var with: String?

  @Option(help: ArgumentHelp("The seed for resampling the rounds.", valueName: "number"))
  var seed: UInt64 = 1

  @Flag(name: .customLong(BenchedBuild.flag), help: .hidden)
  var isWorker = false

  func perform() throws(ToolFailure) {
    if isWorker { return try BenchWorker<Tool>.serve(options, through: at.flatMap(UInt64.init)) }
    guard (3...1_000).contains(rounds) else {
      throw .usage("--rounds has to be between 3 and 1000.", advice: "Give a number such as 11.")
    }
    guard baseline == nil || with == nil else {
      throw .usage(
        "--baseline and --with cannot be used together.",
        advice: "Give a file with --baseline, or a tool with --with.")
    }
    let earlier = try baseline.map { path throws(ToolFailure) in
      try BenchBaseline.read(path, app: App.name)
    }
    let store = try options.path(or: Tool.store)
    let bootstrap = Bootstrap(seed: seed)
    var current = try BenchedBuild(nil, store: store, through: try lastRecord())
    defer { current.end() }
    if let baseline, let earlier {
      try BenchBaseline.check(earlier, of: baseline, like: current.run)
    }
    guard let with else {
      for _ in 0..<rounds { try current.measure() }
      let comparison = earlier.map {
        BenchComparison(current.run, $0, design: .separate, bootstrap: bootstrap)
      }
      return printResult(
        current.run, comparison, source: .init("baseline", .string(baseline ?? "")), bootstrap)
    }
    var reference = try BenchedBuild(with, store: store, through: current.run.records)
    defer { reference.end() }
    try BenchBaseline.check(reference.run, of: with, like: current.run)
    for round in 0..<rounds {
      // Alternates the order, because the second run finds warmer caches.
      if round % 2 == 0 { try current.measure() }
      try reference.measure()
      if round % 2 == 1 { try current.measure() }
    }
    let comparison = BenchComparison(
      current.run, reference.run, design: .alternating, bootstrap: bootstrap)
    printResult(current.run, comparison, source: .init("with", .string(with)), bootstrap)
  }

  /// Returns the last record to measure; `nil` for the last of the log.
  private func lastRecord() throws(ToolFailure) -> UInt64? {
    // The process that measures refuses a number after the last record.
    guard let at, UInt64(at) == nil else { return at.flatMap(UInt64.init) }
    let end = try HistoryEnd(at, option: "--at", first: 0)
    return try options.withLog(or: Tool.store) { storage throws(ToolFailure) in
      try end.position(in: storage)
    }
  }

  private func printResult(
    _ run: BenchRun, _ comparison: BenchComparison?, source: JSONValue.Member,
    _ bootstrap: Bootstrap
  ) {
    let load = Machine.load
    let notes = BenchNotes.lines(about: run, comparison, load: load)
    guard options.json else {
      let text = BenchText(run, bootstrap: bootstrap)
      text.printRun()
      if let comparison, case .string(let name) = source.value {
        text.printComparison(comparison, with: name)
      }
      for note in notes { Output.standard.print("note: \(note)") }
      return
    }
    Output.standard.print(
      .object(
        run.members(bootstrap: bootstrap, confidence: BenchText.confidence) + [
          .init("seed", .integer(Int64(clamping: seed))),
          .init(
            "machine",
            [
              "processors": .integer(Int64(Machine.processorCount)),
              "load": load.map { .figure($0) } ?? .null,
              "missingShare": .figure(run.waitingShare),
              "yardstickSpread": .figure(run.calibrationSpread),
            ]),
          .init("notes", .array(notes.map { .string($0) })),
          .init("comparison", comparison?.json(of: run, source: source) ?? .null),
        ]))
  }
}
