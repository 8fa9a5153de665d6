import RetraceCommandLine
import RetraceToolSupport
import TrackerApp

/// Starts an entry.
struct StartVerb: Verb {
  static let name = "start"
  static let syntax = CommandSyntax(
    "track start", summary: "Start an entry; a running one stops at the same instant.",
    discussion: """
      The words are an optional time and the description. Among them @NAME is the project, and \
      +NAME or #NAME is a tag (quote #, which begins a comment in most shells). @PROJECT/TASK is a \
      known project and its task, and @CLIENT/PROJECT one of several projects of a name. Projects \
      and tags that are not known are created. A number of up to three digits with a plus sign, \
      such as +5, is only a known tag, and otherwise text. A comma after a tag or a project is \
      left out.

      Text is what is written after -- or after a backslash, and what the shell quotes: \
      "10:00 standup" has no time. Only the quoted name of a known project or tag is not text, as \
      in "@big project". More than 12 hours ago, an entry starts only after a question, with --yes \
      or with --policy. `track help times` lists what is read as a time.

      EXAMPLES
        track start write the report @thesis +focus
        track start 10min ago standup
        track start at 9:50 call +support
        track start --after-last review "@big project"
        track start -- "-5 degrees: defrost the pump"
      """,
    operands: [
      CommandOperand(
        "description", isOptional: true, repeats: true, kind: .tracker(.entryWords),
        "A time, the description, project and tags.")
    ],
    options: TrackerOptions.ofUser + EntryTimeOptions.starting + DraftOptions.all)

  let draft: DraftOptions
  let performer: PlanPerformer

  init(_ arguments: CommandArguments, in context: VerbContext) {
    draft = DraftOptions(arguments, in: context)
    performer = PlanPerformer(
      arguments, in: context, what: "The entry was not started.", createsStore: true, asks: .longAgo
    )
  }

  func perform() throws(ToolFailure) {
    try performer.perform { (context) throws(ToolFailure) in
      try draft.start(Self.name, performer.times, in: context)
    }
  }
}
