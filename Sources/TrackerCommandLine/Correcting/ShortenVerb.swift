import RetraceCommandLine
import RetraceToolSupport

/// Moves the end of an entry to an earlier moment.
struct ShortenVerb: Verb {
  static let name = "shorten"
  static let syntax = CommandSyntax(
    "track shorten", summary: "Move the end of an entry to an earlier moment.",
    discussion: """
      A number alone, such as 15, could be minutes or hours: a terminal asks; elsewhere it is \
      refused.

      EXAMPLES
        track shorten 12 15m
        track shorten -1 1h30
        track shorten 12 15m --reason "forgot to stop" --dry-run
      """,
    operands: [EntryReshaping.id, CommandOperand("duration", repeats: true, "By how much.")],
    options: EntryReshaping.options)

  let shape: EntryReshaping

  init(_ arguments: CommandArguments, in context: VerbContext) {
    shape = EntryReshaping(arguments, in: context, what: "Nothing was shortened.")
  }

  func perform() throws(ToolFailure) {
    try shape.perform { (entry, text, context) throws(ToolFailure) in
      try shape.resize(entry, by: text, isShorter: true, in: context)
    }
  }
}
