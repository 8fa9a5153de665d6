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
    options: TrackerOptions.ofUser + [EditVerb.reasonOption, EntryTimeOptions.dryRunOption])

  let runner: EntryCommandRunner
  private let reason: String?

  init(_ arguments: CommandArguments, in context: VerbContext) {
    reason = arguments[EditVerb.reasonOption]
    runner = EntryCommandRunner(
      options: TrackerOptions(arguments, in: context), placing: EntryTimeOptions(arguments),
      what: "Nothing was canceled.")
  }

  func perform() throws(ToolFailure) {
    try runner.run { (context) throws(ToolFailure) in
      guard let user = context.user, let (id, _) = context.domain.runningEntry(of: user) else {
        throw context.nothingRunning(runner.what)
      }
      return [.delete(id, reason: reason)]
    }
  }
}
