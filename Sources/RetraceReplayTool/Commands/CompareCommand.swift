import ArgumentParser
import Retrace
import RetraceReplay
import RetraceStorage
import RetraceToolCommands
import RetraceToolSupport

/// Compares two logs, two builds, or a build with a recording.
struct CompareCommand<Tool: ReplayTool>: ReplaySubcommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "compare",
      abstract: "Find the first record at which two logs, or two builds, differ, and how.",
      discussion: """
        With another store: finds the first record that differs, and prints the difference by path.

        With --with, the replay tool of another build: finds the first record on which the two \
        builds differ, and prints the difference by path: the states after it, its effect (names \
        of leaves, and when they are due), or the decision on its command. If the states of the \
        builds have different fields, the common fields are compared. That tool is run as `TOOL \
        step --json`.

        With neither: compares this build with the state hashes in the log, with what the log \
        says of effects, and its decisions on the recorded commands with the recorded ones. \
        Invariants are not checked; `\(replay) verify` does that.

        EXAMPLES
          \(replay) compare ~/backups/track --store ./track
          \(replay) compare --with ../old-build/replay
          \(replay) compare

        EXIT CODES
          0 no difference, 2 a difference, 64 a program that is not a replay tool
        """)
  }

  @Argument(help: ArgumentHelp("The directory of another store.", valueName: "store"))
  var other: String?

  @OptionGroup var options: StoreOptions

  @Option(help: ArgumentHelp("The replay tool of another build.", valueName: "tool"))
  var with: String?

  @Option(
    help: ArgumentHelp(
      "The largest number of differences to print; the default is 100.", valueName: "count"))
  var limit: Int?

  func perform() throws(ToolFailure) {
    guard limit == nil || other != nil || with != nil else {
      throw .usage(
        "--limit applies only to a comparison with another store or another build.",
        advice: "Give a store, or a tool with --with; or leave out --limit.")
    }
    let limit = limit ?? 100
    guard limit > 0 else {
      throw .usage("--limit is not positive.", advice: "Give a number of at least 1.")
    }
    guard other == nil || with == nil else {
      throw .usage(
        "A store and --with cannot be used together.",
        advice: "Give a store, or a tool with --with.")
    }
    try options.withLog(or: Tool.store) { storage throws(ToolFailure) in
      let result: ComparisonResult
      if let other {
        let found = try StoreLocation.withLog(at: other) { second throws(ToolFailure) in
          try LogComparison<App>(storage, second, limit: limit).run()
        }
        result = found.map { ComparisonResult.different($0) } ?? .same()
      } else if let with {
        let path = try options.path(or: Tool.store)
        result = try BuildComparison<App>(storage, at: path, tool: with, limit: limit).run()
      } else {
        result = try RecordingComparison<App>(storage).run()
      }
      try printResult(result)
    }
  }

  private func printResult(_ result: ComparisonResult) throws(ToolFailure) {
    let found: Comparison
    switch result {
    case .different(let difference): found = difference
    case .same(let line, let members):
      if options.json {
        Output.standard.print(
          .object([.init("same", true), .init("first", .null)] + members))
      } else {
        Output.standard.print(line)
      }
      return
    }
    if options.json {
      Output.standard.print(found.json)
    } else {
      found.lines.forEach { Output.standard.print($0) }
    }
    throw ToolFailure(
      what: found.what, why: found.why, advice: found.advice, exitCode: ToolExit.divergence)
  }
}

/// The result of a comparison.
enum ComparisonResult {
  case different(Comparison)
  /// There is no difference: what to tell the user, and further members of the JSON.
  case same(line: String = "There is no difference.", members: [JSONValue.Member] = [])
}

struct Comparison {
  var lines: [String]
  var json: JSONValue
  var what: String
  var why: String
  var advice: String
}

/// Compares the fold of this build with the state hashes in the log, its effects with what the log
/// says of them, and its decisions with the recorded ones.
struct RecordingComparison<App: ReplayableApp> {
  private let storage: LogStorage

  init(_ storage: LogStorage) { self.storage = storage }

  func run() throws(ToolFailure) -> ComparisonResult {
    do throws(StoreError) {
      let result = try Verifier<App>.verify(
        storage, checkingInvariants: .omitted, decidingCommands: true)
      // A hash names an interval of records; an effect or a decision in it names the record.
      let state = result.firstDivergence
      let effect = result.effects.firstDivergence
      let decision = result.decisions?.firstDivergence
      let places = [state?.upTo, effect?.sequence, decision?.sequence].compactMap { $0 }
      guard let first = places.min() else {
        return .same(
          line: "There is no difference in what was compared. "
            + VerificationText.coverage(of: result),
          members: [
            .init("compared", .integer(Int64(result.compared))),
            .init("largestDistance", .integer(Int64(clamping: result.largestDistance))),
            .init("recordsAfterLastHash", .integer(Int64(clamping: result.recordsAfterLastHash))),
          ])
      }
      if let effect, effect.sequence == first { return .different(try comparison(effect)) }
      if let decision, decision.sequence == first { return .different(try comparison(decision)) }
      guard let state else { return .same() }
      return .different(try comparison(state))
    } catch {
      throw ToolFailure(error)
    }
  }

  private func comparison(
    _ divergence: Verification.Divergence
  ) throws(StoreError) -> Comparison {
    let (first, last) = (divergence.after + 1, divergence.upTo)
    var lines = ["The states begin to differ at one of the records \(first) to \(last):"]
    try RecordDescription.forEach(in: storage, from: first, through: min(last, first + 9)) {
      lines.append("  " + $0.line)
      return true
    }
    if last > first + 9 { lines.append("  and \(last - first - 9) more") }
    return Comparison(
      lines: lines,
      json: [
        "same": false, "first": .null, "after": .integer(Int64(clamping: divergence.after)),
        "upTo": .integer(Int64(clamping: last)),
      ],
      what: "The fold does not reproduce the recording.",
      why: "The state hash recorded at record \(last) is not that of this build; "
        + "\(divergence.lastAgreementText).",
      advice: "Run `\(ToolProcess.replay) compare --with TOOL` with the replay tool of the build "
        + "that recorded the log; it finds the record and the difference.")
  }

  private func comparison(
    _ divergence: Verification.EffectDivergence
  ) throws(StoreError) -> Comparison {
    let sequence = divergence.sequence
    var lines = ["The first record whose effect differs from the log is \(sequence):"]
    try RecordDescription.forEach(in: storage, from: sequence, through: sequence) {
      lines.append("  " + $0.line)
      return true
    }
    lines.append(VerificationText.description(of: divergence))
    return Comparison(
      lines: lines,
      json: [
        "same": false, "first": .integer(Int64(clamping: sequence)), "effect": divergence.json,
      ],
      what: "The effects of this build are not those in the log.",
      why: "Record \(sequence): \(VerificationText.description(of: divergence)).",
      advice: divergence.advice)
  }

  private func comparison(
    _ divergence: Verification.DecisionDivergence
  ) throws(StoreError) -> Comparison {
    var lines = try DecisionText.lines(divergence, in: storage, limit: 100)
    lines.insert(
      "The first command that this build decides differently is record \(divergence.sequence):",
      at: 0)
    lines.insert("recorded, then decided by this build:", at: min(2, lines.count))
    return Comparison(
      lines: lines,
      json: [
        "same": false, "first": .integer(Int64(clamping: divergence.sequence)),
        "command": divergence.command, "recorded": divergence.recorded,
        "decided": divergence.decided,
      ],
      what: "This build decides a recorded command differently.",
      why: "The facts or the refusal of record \(divergence.sequence) are not those of this build.",
      advice: "Look at the decider of this command, and at the reducer of the facts before it.")
  }
}
