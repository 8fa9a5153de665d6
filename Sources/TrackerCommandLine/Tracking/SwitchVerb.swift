import RetraceCommandLine
import RetraceToolSupport
import TimeTracking
import TrackerApp

/// Stops the running entry and starts another one at the same instant.
struct SwitchVerb: Verb {
  static let name = "switch"
  static let syntax = CommandSyntax(
    "track switch", summary: "Stop the running entry and start another one at that instant.",
    discussion: """
      The words are as in `track start`. With nothing running, the entry only starts.

      EXAMPLES
        track switch phone call @support
        track switch 5min ago lunch
        track switch --at 12:00 lunch
      """,
    operands: StartVerb.syntax.operands,
    options: TrackerOptions.ofUser + EntryTimeOptions.starting + DraftOptions.all)

  let draft: DraftOptions
  let performer: PlanPerformer

  init(_ arguments: CommandArguments, in context: VerbContext) {
    draft = DraftOptions(arguments, in: context)
    performer = PlanPerformer(
      arguments, in: context, what: "Nothing was switched.", createsStore: true, asks: .longAgo)
  }

  func perform() throws(ToolFailure) {
    try performer.perform { (context) throws(ToolFailure) in
      // A misspelled name would make a user, and that user's running entry would go on.
      if context.user == nil, let missing = MissingUser(context.userName, in: context.domain) {
        throw missing.failure(performer.what)
      }
      return try draft.start(Self.name, performer.times, in: context)
    }
  }
}
