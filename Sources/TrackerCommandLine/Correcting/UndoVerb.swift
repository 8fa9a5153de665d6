import RetraceCommandLine
import RetraceToolSupport

/// Takes back the newest changes.
struct UndoVerb: Verb {
  static let name = "undo"
  static let toOption = CommandOption(
    "to", value: "time",
    "Take back all changes that were made at this time or later, such as 14:30.")
  static let syntax = CommandSyntax(
    "track undo", summary: "Take back your newest change, in whatever program you made it.",
    discussion: """
      Each undo takes back the change before, however old it is; an import is one change. Later \
      changes by others stay. Only changes of your login are taken back, also those for another \
      user than --user; a note then names the user. What changed is printed as the undo leaves it, \
      and what the undo removes is marked (deleted). `track redo` brings a change back. `track \
      history` lists what can be taken back.

      EXAMPLES
        track undo
        track undo 3
        track undo --to 14:30
        track undo --to 14:30 --dry-run
        track undo --json
      """,
    operands: Restoring.operands,
    options: TrackerOptions.ofUser + [toOption, EntryTimeOptions.dryRunOption])

  private let restoring: Restoring

  init(_ arguments: CommandArguments, in context: VerbContext) throws(ToolFailure) {
    restoring = try Restoring(arguments, in: context, isRedo: false)
  }

  func perform() throws(ToolFailure) { try restoring.perform() }
}
