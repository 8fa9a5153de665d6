import RetraceCommandLine
import RetraceToolSupport

/// Stops the running entry and starts another one at the same instant.
struct SwitchVerb: Verb {
  static let name = "switch"
  static let syntax = CommandSyntax(
    "track switch", summary: "Stop the running entry and start another one at that instant.",
    discussion: """
      The words are those of `track start`. With nothing running, the switch is refused.

      EXAMPLES
        track switch phone call @support
        track switch 5min ago lunch
        track switch --at 12:00 lunch
      """,
    operands: StartVerb.syntax.operands,
    options: TrackerOptions.ofUser + EntryTimeOptions.starting + DraftOptions.all)

  let draft: DraftOptions
  let runner: EntryCommandRunner

  init(_ arguments: CommandArguments, in context: VerbContext) {
    draft = DraftOptions(arguments, in: context)
    runner = EntryCommandRunner(
      options: TrackerOptions(arguments, in: context), placing: EntryTimeOptions(arguments),
      what: "Nothing was switched.", confirmsStart: true)
  }

  func perform() throws(ToolFailure) { try draft.start(runner, requiresRunning: true) }
}
