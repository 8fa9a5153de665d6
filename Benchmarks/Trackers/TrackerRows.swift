import Figures
import Foundation

/// Registers the row of a summary of everything, beside the programs that report.
///
/// All print sums; timewarrior prints a line for each entry too. It takes more than 100 seconds for
/// 10^6 entries, and Watson and hledger take about as long, so only ledger is measured there.
func registerSummaryRow(on trackers: Trackers) {
  let isLarge = trackers.count > 100_000
  func sum(_ output: Output) throws -> Measured {
    try output.measured(checksum: output.totalSeconds ?? 0)
  }
  let seconds = trackers.seconds
  func hours(_ output: Output) throws -> Measured {
    try trackers.measuredHours(output, checksum: isLarge ? 0 : seconds)
  }
  let ledger = Yardstick("ledger") { try hours(trackers.ledger()) }
  let others = [
    Yardstick(
      "timewarrior", trackers.count == 100_000 ? .fasterThanYardstick(atLeast: 50) : nil
    ) { try sum(trackers.timewarrior(["summary", ":all"])) },
    Yardstick("Watson") { try sum(trackers.watson(["report", "--all", "--no-pager"])) },
    // Counts an entry of 10 minutes as 0.17 hours.
    Yardstick("hledger") { try hours(trackers.hledger()) },
    ledger,
  ]
  compare(
    Row(
      "summary of everything, \(grouped(trackers.count)) entries", input: trackers.input,
      unit: .milliseconds, rounds: isLarge ? 7 : 3, isWhole: true),
    setUp: { try trackers.prepare() },
    ours: {
      let output = try trackers.track(
        ["report", "1990-01-01", "-", "2030-01-01", "--json"] + trackers.user)
      return try output.measured(printing: "\(seconds)", checksum: isLarge ? 0 : seconds)
    },
    yardsticks: isLarge ? [ledger] : others)
}

/// Registers the row of a report with the sums of clients and of their projects, beside the two
/// programs that sum accounts in accounts.
func registerClientRow(on trackers: Trackers) {
  let seconds = trackers.seconds
  compare(
    Row(
      "report by client and project, \(grouped(trackers.count)) entries", input: trackers.input,
      unit: .milliseconds, rounds: 3, isWhole: true),
    setUp: { try trackers.prepare() },
    ours: {
      try trackers.track(["report", ":all", "--by", "client,project", "--json"] + trackers.user)
        .measured(printing: "\(seconds)", checksum: seconds)
    },
    yardsticks: [
      Yardstick("ledger", .fasterThanYardstick(atLeast: 10)) {
        try trackers.measuredHours(trackers.ledger(), checksum: seconds)
      },
      Yardstick("hledger", .fasterThanYardstick(atLeast: 100)) {
        try trackers.measuredHours(trackers.hledger(), checksum: seconds)
      },
    ])
}

/// Registers the rows of the commands of a day, and of completions.
func registerRows(on trackers: Trackers) {
  registerStatusRow(on: trackers)
  registerStartRow(on: trackers)
  registerEndRows(on: trackers)
  registerCompletionRow("a command", ["sta"], offers: "start", on: trackers)
  registerCompletionRow("a project", ["start", "@"], offers: "@project3", on: trackers)
}

private func row(_ verb: String, on trackers: Trackers, rounds: Int = 11) -> Row {
  Row(
    "\(verb), \(grouped(trackers.count)) entries", input: trackers.input, unit: .milliseconds,
    rounds: rounds, isWhole: true)
}

private func registerStatusRow(on trackers: Trackers) {
  compare(
    row("status", on: trackers, rounds: 21),
    setUp: {
      try trackers.prepare()
      try trackers.start()
    },
    ours: {
      try trackers.track(["status", "--json"] + trackers.user)
        .measured(printing: "\"running\":{")
    },
    yardsticks: [
      Yardstick("timewarrior") { try trackers.timewarrior([]).measured(printing: "Tracking") },
      Yardstick("Watson") { try trackers.watson(["status"]).measured(printing: "started") },
    ])
}

private func registerStartRow(on trackers: Trackers) {
  compare(
    row("start", on: trackers), setUp: { try trackers.prepare() },
    ours: { try trackers.startAnew(in: .track).measured(printing: "started") },
    yardsticks: [
      Yardstick("timewarrior") {
        try trackers.startAnew(in: .timewarrior).measured(printing: "Tracking")
      },
      Yardstick("Watson") { try trackers.startAnew(in: .watson).measured(printing: "Starting") },
    ])
}

/// Registers the rows of a stop and of an undo of a start.
///
/// Watson has no undo. Its stop reads all frames and writes them again, which takes more than a
/// minute for 10^6 entries, so it is not measured there.
private func registerEndRows(on trackers: Trackers) {
  func end(
    in program: Trackers.Program, _ words: (_ now: String) -> [String], printing part: String
  ) throws -> Measured {
    _ = try trackers.startAnew(in: program)
    let now = trackers.moment(minutes: 5).ISO8601Format()
    return try trackers.end(in: program, words(now)).measured(printing: part)
  }
  let watson = Yardstick("Watson") {
    try end(in: .watson, { _ in ["stop"] }, printing: "Stopping")
  }
  compare(
    row("stop", on: trackers, rounds: trackers.count == 100_000 ? 5 : 11),
    setUp: { try trackers.prepare() },
    ours: {
      try end(in: .track, { ["stop", "--now", $0] + trackers.user }, printing: "stopped")
    },
    yardsticks: [
      Yardstick("timewarrior") {
        try end(in: .timewarrior, { ["stop", $0] }, printing: "Recorded")
      }
    ] + (trackers.count <= 100_000 ? [watson] : []))
  compare(
    row("undo", on: trackers), setUp: { try trackers.prepare() },
    ours: { try end(in: .track, { _ in ["undo"] }, printing: "undone") },
    yardsticks: [
      Yardstick("timewarrior") { try end(in: .timewarrior, { _ in ["undo"] }, printing: "Undo") }
    ])
}

private func registerCompletionRow(
  _ kind: String, _ words: [String], offers word: String, on trackers: Trackers
) {
  compare(
    row("completion of \(kind)", on: trackers, rounds: 51), setUp: { try trackers.prepare() },
    ours: { try trackers.complete(words).measured(printing: word) },
    yardsticks: [
      Yardstick("track --version", .timesYardstick(atMost: 2)) {
        try Output(ToolRun.tool("track"), ["--version"]).measured(printing: "track ")
      }
    ])
}

extension Trackers {
  /// The seconds of all entries.
  fileprivate var seconds: Int { count * Self.entrySeconds }

  /// Returns the measure of a program that prints a total of rounded hours.
  ///
  /// - Throws: ``FiguresError``, unless the total is that of all entries but for the rounding.
  fileprivate func measuredHours(_ output: Output, checksum: Int) throws -> Measured {
    let total = (output.totalHours ?? 0) * 3600
    guard abs(total - Double(seconds)) < Double(seconds) / 40 else {
      throw FiguresError("the total was not printed, but \(output.text.suffix(200))")
    }
    return try output.measured(checksum: checksum)
  }

  /// Starts an entry in each program.
  fileprivate func start() throws {
    nextStart()
    for program in Program.allCases where !running.contains(program) { _ = try start(in: program) }
  }

  /// Starts an entry in a program in which nothing is running.
  fileprivate func start(in program: Program) throws -> Output {
    running.insert(program)
    let now = moment().ISO8601Format()
    return switch program {
    case .track: try track(["start", "measured", "@project0", "+tag0"] + user + ["--now", now])
    case .timewarrior: try timewarrior(["start", now, "project0", "tag0"])
    // It starts now: a given time would make Watson read all frames.
    case .watson: try watson(["start", "project0", "+tag0"])
    }
  }

  /// Starts an entry in a program, after deleting what is running there.
  fileprivate func startAnew(in program: Program) throws -> Output {
    try cancel(in: program)
    nextStart()
    return try start(in: program)
  }

  /// Deletes what is running in a program.
  fileprivate func cancel(in program: Program) throws {
    guard running.remove(program) != nil else { return }
    switch program {
    case .track: _ = try track(["cancel"] + user)
    case .timewarrior: _ = try timewarrior(["cancel"])
    case .watson: _ = try watson(["cancel"])
    }
  }

  /// Runs a command that ends what is running.
  fileprivate func end(in program: Program, _ words: [String]) throws -> Output {
    running.remove(program)
    return switch program {
    case .track: try track(words)
    case .timewarrior: try timewarrior(words)
    case .watson: try watson(words)
    }
  }

  /// Completes words as the scripts of the shells do.
  fileprivate func complete(_ words: [String]) throws -> Output {
    let options = words.count > 1 ? ["--store", try store] : []
    return try Output(
      ToolRun.tool("track"), ["__complete", "--"] + words.prefix(1) + options + words.dropFirst())
  }
}
