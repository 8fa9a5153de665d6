import RetraceCommandLine
import RetraceToolSupport

/// Brings back a change that was undone, whatever was changed after that.
struct RestoreVerb: Verb {
  static let name = "restore"
  static let syntax = CommandSyntax(
    "track restore", summary: "Bring back any change that was undone, by its name.",
    discussion: """
      `track history` lists the names of the changes, such as c412, and marks those that are \
      undone. They can be restored in any order, and after other changes. Without a name, the \
      change that was undone last is restored. What was changed since keeps its value and is \
      named, unless --take is given. `track undo` takes the restored change back again.

      EXAMPLES
        track restore
        track restore c17
        track restore c17 --take
        track restore c17 --dry-run
      """,
    operands: [
      CommandOperand(
        "change", isOptional: true, kind: .tracker(.undoneChange),
        "The name of the change, such as c412.")
    ],
    options: TrackerOptions.ofUser + [Restoring.takeOption, EntryTimeOptions.dryRunOption])

  private let restoring: Restoring

  init(_ arguments: CommandArguments, in context: VerbContext) throws(ToolFailure) {
    restoring = try Restoring(arguments, in: context, .restore)
  }

  func perform() throws(ToolFailure) { try restoring.perform() }
}
