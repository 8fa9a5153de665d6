import ArgumentParser
import Retrace
import RetraceBundle
import RetraceReplay
import RetraceStorage
import RetraceToolCommands
import RetraceToolSupport

/// Recomputes the chain and the state hashes.
struct VerifyCommand<Tool: ReplayTool>: ReplaySubcommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "verify",
      abstract: "Check all pages; recompute checksums, chain and state hashes of the whole log.",
      discussion: """
        The exit code is 2 if the fold does not reproduce a recorded state hash; the report names \
        the range of records in which it first differs. Only some records have a hash: the report \
        says how many hashes were compared, how far apart they are at most, and how many records \
        come after the last one.

        Effects are compared with the log, which says which actions had an effect, and how and \
        when leaves ended. The exit code is 2 if an action has an effect only in the log or only \
        in this fold, if a leaf ended or answered that this fold does not have in flight, or if a \
        leaf ended before it is due in this fold. The log has no names and no delays of leaves; \
        `\(replay) compare --with` compares these.

        The invariants of the app are checked after at most 64 records spread over the log, the \
        last one included. With --every they are checked after each record, with --no-invariants \
        not at all. The exit code is 2 if a state breaks one; the report names the first checked \
        record at which this happens.

        With --decide, each command is decided again on the state before it. The exit code is 2 if \
        a decision differs from the recorded one; the report names the first such command and the \
        differences. Commands that need data outside the log, such as an imported file, are \
        counted as not compared.

        EXAMPLES
          \(replay) verify --json
          \(replay) verify --decide
        """)
  }

  @OptionGroup var options: StoreOptions

  @Flag(help: "Check the app's invariants after every record.")
  var every = false

  @Flag(help: "Do not check the app's invariants.")
  var noInvariants = false

  @Flag(help: "Decide each command again and compare the facts or the refusal.")
  var decide = false

  @Flag(name: .customLong(ChildProcessReader.flag), help: .hidden)
  var inThisProcess = false

  func perform() throws(ToolFailure) {
    guard !(every && noInvariants) else {
      throw .usage("--every and --no-invariants contradict each other.", advice: "Leave one out.")
    }
    guard inThisProcess else {
      return try ChildProcessReader.run(reading: try options.path(or: Tool.store))
    }
    try performHere()
  }

  private func performHere() throws(ToolFailure) {
    try options.withLog(or: Tool.store, checkingPages: true) { storage throws(ToolFailure) in
      let result = try orFail(
        try Verifier<App>.verify(
          storage,
          checkingInvariants: noInvariants ? .omitted : every ? .everyRecord : .spread,
          decidingCommands: decide))
      if options.json {
        Output.standard.print(json(result, of: storage))
      } else {
        try orFail(try printText(result, of: storage))
      }
      if let divergence = result.firstDivergence {
        throw VerificationFailure.states(divergence, in: result)
      }
      if let divergence = result.effects.firstDivergence {
        throw VerificationFailure.effects(divergence, in: result)
      }
      if let violations = result.firstViolations {
        throw VerificationFailure.invariants(violations, isEvery: every)
      }
      if let divergence = result.decisions?.firstDivergence {
        throw VerificationFailure.decisions(divergence, in: result)
      }
    }
  }

  private func json(_ result: Verification, of storage: LogStorage) -> JSONValue {
    var members: [JSONValue.Member] = []
    if let bundle = storage.bundle {
      members.append(.init("bundle", .string(bundle.header.contents.symbol)))
      members.append(.init("message", .string(bundle.header.message)))
    }
    if let violations = result.firstViolations {
      let list = violations.violations.map { violation -> JSONValue in
        ["rule": .string(violation.rule), "detail": .string(violation.detail)]
      }
      members.append(
        .init(
          "firstViolations",
          ["record": .integer(Int64(clamping: violations.sequence)), "list": .array(list)]))
    }
    members.append(.init("effects", result.effects.json))
    members.append(.init("invariantChecks", .integer(Int64(result.invariantChecks))))
    if let decisions = result.decisions { members.append(.init("decisions", json(decisions))) }
    guard case .object(let report) = report(result) else { return .object(members) }
    return .object(report + members)
  }

  private func json(_ decisions: Verification.Decisions) -> JSONValue {
    [
      "decided": .integer(Int64(decisions.decided)),
      "notComparable": .integer(Int64(decisions.notComparable)),
      "divergences": .integer(Int64(decisions.divergences)),
      "firstDivergence": decisions.firstDivergence.map {
        [
          "record": .integer(Int64(clamping: $0.sequence)), "command": $0.command,
          "recorded": $0.recorded, "decided": $0.decided,
        ]
      } ?? .null,
    ]
  }

  private func report(_ result: Verification) -> JSONValue {
    [
      "records": .integer(Int64(result.records)),
      "chain": .string(result.chain.hex),
      "stateHash": .string(result.stateHash.hex),
      "compared": .integer(Int64(result.compared)),
      "comparedShort": .integer(Int64(result.comparedShort)),
      "notComparable": .integer(Int64(result.notComparable)),
      "largestDistance": .integer(Int64(clamping: result.largestDistance)),
      "recordsAfterLastHash": .integer(Int64(clamping: result.recordsAfterLastHash)),
      "ignored": .object(
        skipped(result).map { JSONValue.Member("\($0.0)", .integer(Int64($0.1))) }),
      "firstDivergence": result.firstDivergence.map {
        ["after": .integer(Int64($0.after)), "upTo": .integer(Int64($0.upTo))]
      } ?? .null,
    ]
  }

  private func printText(_ result: Verification, of storage: LogStorage) throws(StoreError) {
    if let bundle = storage.bundle {
      Output.standard.print("bundle          \(bundle.header.contents)")
      Output.standard.printMessage(of: storage)
    }
    Output.standard.print("records         \(result.records)")
    Output.standard.print("chain           \(result.chain)")
    Output.standard.print("state hash      \(result.stateHash)")
    let short = result.comparedShort > 0 ? " (\(result.comparedShort) of them four bytes)" : ""
    Output.standard.print("hashes compared \(result.compared)\(short)")
    if result.invariantChecks > 0 {
      let records = VerificationText.count(UInt64(result.invariantChecks), "record")
      Output.standard.print("invariants      checked after \(records)")
    }
    if result.notComparable > 0 {
      Output.standard.print(
        "not comparable  \(result.notComparable) (recorded under another state schema)")
    }
    for (name, count) in skipped(result) {
      Output.standard.print("skipped         \(count) of \(name), a retired case")
    }
    printText(result.effects)
    if let violations = result.firstViolations {
      Output.standard.print("invariants broken after record \(violations.sequence)")
      for violation in violations.violations.prefix(20) {
        Output.standard.print("  \(SafeText.line("\(violation)"))")
      }
      if violations.violations.count > 20 {
        Output.standard.print("  and \(violations.violations.count - 20) more")
      }
    }
    if let decisions = result.decisions { try printText(decisions, of: storage) }
    if result.firstDivergence == nil && result.firstViolations == nil
      && result.effects.firstDivergence == nil && result.decisions?.firstDivergence == nil
    {
      Output.standard.print("The log is intact. \(VerificationText.coverage(of: result))")
    }
  }

  private func printText(_ effects: Verification.Effects) {
    if effects.actions > 0 || effects.ends > 0 {
      Output.standard.print(
        "effects         of \(VerificationText.count(UInt64(effects.actions), "action")), and "
          + "\(VerificationText.count(UInt64(effects.ends), "end")) of leaves")
    }
    guard let divergence = effects.firstDivergence else { return }
    Output.standard.print(
      "record \(divergence.sequence): " + VerificationText.description(of: divergence))
  }

  private func printText(
    _ decisions: Verification.Decisions, of storage: LogStorage
  ) throws(StoreError) {
    Output.standard.print("commands        \(decisions.decided) decided again")
    if decisions.notComparable > 0 {
      Output.standard.print(
        "not compared    \(decisions.notComparable) (need data outside the log, have retired "
          + "facts, or this build cannot read or handle them)")
    }
    guard let divergence = decisions.firstDivergence else { return }
    Output.standard.print(
      "record \(divergence.sequence): the recorded decision, and that of this build, differ:")
    for line in try DecisionText.lines(divergence, in: storage, limit: 20) {
      Output.standard.print(line)
    }
  }

  /// Returns the numbers of skipped records, by the name of their case.
  private func skipped(_ result: Verification) -> [(CaseName, UInt64)] {
    result.skipped.sorted { "\($0.key)" < "\($1.key)" }.map { ($0.key, $0.value) }
  }
}

extension Verification.EffectDivergence {
  /// The advice to the user who sees the divergence.
  var advice: String {
    let show =
      "Look at the record with `\(ToolProcess.replay) show --from \(sequence)`, and compare the"
      + " reducer with the one of the build that recorded it."
    guard case .endedEarly = kind else { return show }
    return show + " A wall clock that was set back, while nothing was recorded, looks the same."
  }
}

extension Verification.Divergence {
  /// The last record at which the hashes agreed, as the end of a sentence.
  var lastAgreementText: String {
    after == 0 ? "no earlier one agrees" : "the last one that agrees is at record \(after)"
  }
}
