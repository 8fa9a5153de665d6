import RetraceCommandLine
import RetraceToolSupport

/// Moves the end of an entry to a later moment.
struct LengthenVerb: Verb {
  static let name = "lengthen"
  static let syntax = CommandSyntax(
    "track lengthen", summary: "Move the end of an entry to a later moment.",
    discussion: """
      A number alone, such as 15, could be minutes or hours: a terminal asks; elsewhere it is \
      refused.

      EXAMPLES
        track lengthen 12 15m
        track lengthen -1 1h30
        track lengthen 12 15m --policy adjust --reason "the call went on"
      """,
    operands: [EntryReshaping.id, CommandOperand("duration", repeats: true, "By how much.")],
    options: EntryReshaping.options)

  let shape: EntryReshaping

  init(_ arguments: CommandArguments, in context: VerbContext) {
    shape = EntryReshaping(arguments, in: context, what: "Nothing was lengthened.")
  }

  func perform() throws(ToolFailure) {
    try shape.perform { (entry, text, context) throws(ToolFailure) in
      try shape.resize(entry, by: text, isShorter: false, in: context)
    }
  }
}
