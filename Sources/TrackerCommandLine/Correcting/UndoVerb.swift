import RetraceCommandLine
import RetraceToolSupport

/// Takes back the newest changes, or the change that its name names.
struct UndoVerb: Verb {
  static let name = "undo"
  static let toOption = CommandOption(
    "to", value: "time",
    "Take back all changes that were made at this time or later, such as 14:30.")
  static let syntax = CommandSyntax(
    "track undo", summary: "Take back your newest change, or any other one by its name.",
    discussion: """
      Each undo takes back the change before, however old it is and in whatever program you made \
      it; an import is one change. With a name that `track history` lists, such as c412, it takes \
      back that change alone. On a terminal, several changes are listed and asked about, and so is \
      one that opens a closed period again, which elsewhere needs --yes; more \
      than there are is refused. What was changed since keeps its value and is named, unless \
      --take is given. A project, tag or user that other entries use stays, and is named, too. If \
      nothing else would change, the undo is refused. \
      Later changes by others stay. Only changes of your login are taken back, \
      also those for another user than --user; a note then names the user. What changed is \
      printed as the undo leaves it, and what the undo removes is marked (deleted). Nothing is \
      lost: `track redo` brings the last change back, and `track restore c412` any other.

      EXAMPLES
        track undo
        track undo 3
        track undo c17
        track undo c17 --take
        track undo --to 14:30
        track undo --to 14:30 --dry-run
        track undo --json
      """,
    operands: [
      CommandOperand(
        "count", isOptional: true, kind: .tracker(.change),
        "How many, at most \(Restoring.countMax), or the name of a change, such as c412; the "
          + "default is 1.")
    ],
    options: TrackerOptions.ofUser + [
      toOption, Restoring.takeOption, Restoring.yesOption, EntryTimeOptions.dryRunOption,
    ])

  private let restoring: Restoring

  init(_ arguments: CommandArguments, in context: VerbContext) throws(ToolFailure) {
    restoring = try Restoring(arguments, in: context, .undo)
  }

  func perform() throws(ToolFailure) { try restoring.perform() }
}
