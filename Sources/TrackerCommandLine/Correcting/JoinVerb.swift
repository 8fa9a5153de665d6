import RetraceCommandLine
import RetraceToolSupport
import TimeTracking

/// Joins two entries.
struct JoinVerb: Verb {
  static let name = "join"
  static let syntax = CommandSyntax(
    "track join", summary: "Join two entries into one.",
    discussion: """
      The entry that began first stays, and the other one is deleted. The first entry then lasts \
      until both have ended, and a break between them counts and is billed. It also gets the tags \
      and the texts of the other one; an annotation of both is kept once. An entry without a \
      project or a task takes it from the other. Entries of different users, projects or tasks \
      cannot be joined. Either both are billed, at the same rate in the same workspace, or neither.

      EXAMPLES
        track join 12 13
        track join -2 -1
        track join 12 13 --policy adjust
      """,
    operands: [
      EntryReshaping.id,
      CommandOperand("other", kind: .tracker(.entry), "The other entry."),
    ],
    options: EntryReshaping.options)

  let shape: EntryReshaping

  init(_ arguments: CommandArguments, in context: VerbContext) {
    shape = EntryReshaping(arguments, in: context, what: "Nothing was joined.")
  }

  func perform() throws(ToolFailure) {
    try shape.perform { (entry, text, context) throws(ToolFailure) in
      var words = [text][...]
      let others = try EntrySelection(in: context).takeIDs(from: &words)
      guard others.count == 1, let other = others.first else { throw .noID(text) }
      return .join(entry.id, other.id, policy: .refuse, reason: shape.reason)
    }
  }
}
