import RetraceCommandLine
import RetraceToolSupport
import TimeTracking

/// Deletes the running entry.
struct CancelVerb: Verb {
  static let name = "cancel"
  static let syntax = CommandSyntax(
    "track cancel", summary: "Delete the running entry.",
    discussion: """
      With nothing running, it is refused with exit code 1. `track undo` brings the entry back.

      EXAMPLES
        track cancel
        track cancel --reason "started by mistake" --dry-run
        track cancel --json
      """,
    options: TrackerOptions.ofUser + [
      EditVerb.reasonOption, yesOption, EntryTimeOptions.dryRunOption,
    ])

  private static let yesOption = CommandOption(
    "yes", colonWords: ["yes"], "Changes nothing here, because no question is asked.")

  let performer: PlanPerformer
  private let reason: String?

  init(_ arguments: CommandArguments, in context: VerbContext) {
    reason = arguments[EditVerb.reasonOption]
    performer = PlanPerformer(arguments, in: context, what: "Nothing was canceled.")
  }

  func perform() throws(ToolFailure) {
    try performer.perform { (context) throws(ToolFailure) in
      guard let user = context.user, let (id, _) = context.domain.runningEntry(of: user) else {
        throw context.nothingRunning(performer.what)
      }
      return EntryRequest([.delete(id, reason: reason)])
    }
  }
}
