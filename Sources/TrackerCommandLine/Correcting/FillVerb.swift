import Retrace
import RetraceCommandLine
import RetraceToolSupport
import TimeTracking

/// Lengthens an entry on both sides up to its neighbours.
struct FillVerb: Verb {
  static let name = "fill"
  static let syntax = CommandSyntax(
    "track fill", summary: "Lengthen an entry up to the entries before and after it.",
    discussion: """
      It begins where the entry before it ended on the same day, and ends where the next one \
      begins. A day begins as `track preferences` says. A running entry keeps running.

      EXAMPLES
        track fill 12
        track fill -1
        track fill 12 --dry-run
      """,
    operands: [EntryReshaping.id], options: EntryReshaping.options)

  let shape: EntryReshaping

  init(_ arguments: CommandArguments, in context: VerbContext) {
    shape = EntryReshaping(arguments, in: context, what: "Nothing was filled.")
  }

  func perform() throws(ToolFailure) {
    try shape.perform { (found, _, context) throws(ToolFailure) in
      guard let correction = context.domain.filling(found, in: context.calendar) else {
        throw .noEntry("There is no gap beside the entry on its day.")
      }
      return .correct(found.id, correction, policy: .refuse, reason: shape.reason)
    }
  }
}
