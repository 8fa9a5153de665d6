import Retrace
import RetraceToolSupport
import TimeTracking
import TrackerApp
import TrackerFeatures

/// The questions to the user on a terminal, before a plan is performed.
extension PlanPerformer {
  /// Returns the plan if the user confirms it, or after a refusal the plan under the policy that
  /// the user chooses.
  ///
  /// - Throws: The refusal, or the failure of a question that is not answered with yes.
  func confirmed(_ planned: Planned) throws(ToolFailure) -> Planned {
    var planned = planned
    let policy = times.policy(in: planned.context)
    // For several entries, --yes answers only whether to change them.
    let isOne = Set(planned.plan.commands.compactMap(\.target)).count <= 1
    let yesChooses = times.isYes && !times.hasFilter && isOne
    let isLongAgo = planned.plan.longAgo != nil
    if let start = planned.plan.longAgo {
      planned.plan = try confirmed(planned, runningSince: start, isConfirmed: yesChooses)
    }
    let plan = planned.plan
    if let refusal = plan.refusal {
      let failure = refused(refusal, in: plan.stateAfter, planned)
      guard let other = plan.otherPolicy, policy == .refuse, !times.hasPolicy,
        yesChooses || mayAsk
      else { throw failure }
      // --yes answers one question only.
      if isLongAgo, times.isConfirmed {
        var unanswered = failure
        unanswered.advice =
          "Look at it with --dry-run, and give the policy, such as --policy adjust."
        throw unanswered
      }
      var chosen = planned
      chosen.plan = plan.with(other)
      if let refusal = chosen.plan.refusal {
        throw refused(refusal, in: chosen.plan.stateAfter, chosen)
      }
      if !yesChooses {
        let deleted = chosen.plan.deletions.count
        let adjusting =
          deleted > 0
          ? "Adjust the other entries, which deletes \(deleted == 1 ? "one" : "\(deleted)")?"
          : "Adjust the other entries?"
        let overlap = plan.hiddenOverlap.map { refused($0, in: plan.stateAfter, planned).why }
        try ask(
          other == .adjust ? adjusting : "Record it all the same?", failure,
          (overlap.map { [$0] } ?? []) + lines(of: chosen))
      }
      return chosen
    }
    for question in plan.questions(asks, under: policy, isGiven: times.hasPolicy) {
      let isAnswered =
        if case .deleted = question {
          times.isDryRun || !isLongAgo && yesChooses
        } else {
          times.isConfirmed
        }
      if !isAnswered { try ask(question, about: planned) }
    }
    return planned
  }

  /// Returns the plan of commands that make an entry run since more than 12 hours ago, if the user
  /// confirms it.
  ///
  /// A given policy confirms a start. For other verbs, a given policy `refuse` refuses it.
  private func confirmed(
    _ planned: Planned, runningSince start: Moment, isConfirmed: Bool
  ) throws(ToolFailure) -> EntryPlan {
    var confirmed = planned
    confirmed.plan = planned.plan.withoutRunningLimit
    let isStart = asks.contains(.longAgo)
    if isStart, times.hasPolicy { return confirmed.plan }
    var failure = refused(.entry(.runsSince(start)), in: planned.plan.stateAfter, planned)
    if times.hasPolicy, times.policy(in: planned.context) == .refuse { throw failure }
    if isConfirmed || times.isDryRun { return confirmed.plan }
    if isStart {
      failure.advice =
        "Record an entry that has ended with `track add`, or repeat the command with --yes."
    }
    guard mayAsk else { throw failure }
    let showsLines = !isStart && confirmed.plan.refusal == nil
    try ask(
      isStart ? "Start it then?" : "Let it run since then?", failure,
      showsLines ? lines(of: confirmed) : [])
    return confirmed.plan
  }

  /// Whether the user can be asked; a dry run asks nothing.
  private var mayAsk: Bool {
    !times.isDryRun && !options.json && options.output.streams.canAsk
  }

  private func ask(
    _ question: EntryPlan.Question, about planned: Planned
  ) throws(ToolFailure) {
    let (text, failure) = text(of: question, planned.context)
    guard mayAsk else { throw failure }
    try ask(text, failure, lines(of: planned))
  }

  /// Prints the reason of a failure and the lines of a dry run, and asks a question.
  ///
  /// - Throws: The failure if the answer is not yes.
  private func ask(
    _ question: String, _ failure: ToolFailure, _ lines: [String]
  ) throws(ToolFailure) {
    let output = options.output
    output.printErrorWrapped(failure.why)
    for line in lines { output.printErrorWrapped(line, indent: 9) }
    output.promptError("\(question) [y/N] ")
    guard let answer = output.streams.readAnswer()?.lowercased(), ["y", "yes"].contains(answer)
    else {
      // The question was printed after the reason.
      var failure = failure
      failure.why = "The answer was not yes."
      throw failure
    }
  }

  /// Returns a question, and the failure without a yes.
  private func text(
    of question: EntryPlan.Question, _ context: EntryContext
  ) -> (String, ToolFailure) {
    let look = "Look at them with --dry-run"
    switch question {
    case .selected(let count, let isDeletion):
      let entries = count == 1 ? "1 entry" : "\(count) entries"
      let verb = isDeletion ? "delete" : "change"
      return (
        "\(verb.capitalizedFirst) \(entries)?",
        failure(
          "The filter selects \(entries) to \(verb).", "\(look), and \(verb) them with --yes.")
      )
    case .described(let count, let text):
      return (
        "Change \(count) entries?",
        failure(
          "\(count) entries would get the description \"\(TextWidth.cut(text, to: 30))\".",
          "\(look), and change them with --yes; write -- before a text that begins with a number.")
      )
    case .annotated(let count, let text):
      let change =
        text.isEmpty
        ? "lose their annotations" : "get the annotation \"\(TextWidth.cut(text, to: 30))\""
      return (
        "Change \(count) entries?",
        failure(
          "\(count) entries would \(change).",
          "\(look), and change them with --yes; write -- before a text that begins with a number.")
      )
    case .deleted(let ids):
      let listed = context.domain.mention(of: ids, zone: context.rules)
      return (
        "Delete \(ids.count == 1 ? "this entry" : "these \(ids.count) entries")?",
        failure(
          "By the policy of the preferences it would delete \(listed).",
          "\(look), and repeat the command with --policy adjust to delete them.")
      )
    }
  }
}
