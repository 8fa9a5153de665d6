import RetraceCommandLine
import RetraceToolSupport

/// Brings back the changes that were undone last.
struct RedoVerb: Verb {
  static let name = "redo"
  static let syntax = CommandSyntax(
    "track redo", summary: "Bring back the change that you undid last.",
    discussion: """
      After another change there is nothing to redo; `track restore` brings back what was undone \
      before it.

      EXAMPLES
        track redo
        track redo 3
        track redo --dry-run
        track redo --json
      """,
    operands: [
      CommandOperand(
        "count", isOptional: true,
        "How many, at most \(Restoring.countMax); the default is 1.")
    ],
    options: TrackerOptions.ofUser + [Restoring.yesOption, EntryTimeOptions.dryRunOption])

  private let restoring: Restoring

  init(_ arguments: CommandArguments, in context: VerbContext) throws(ToolFailure) {
    restoring = try Restoring(arguments, in: context, .redo)
  }

  func perform() throws(ToolFailure) { try restoring.perform() }
}
