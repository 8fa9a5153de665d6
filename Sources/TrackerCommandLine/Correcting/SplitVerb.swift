import Retrace
import RetraceCommandLine
import RetraceToolSupport
import TimeTracking

/// Splits an entry into two.
struct SplitVerb: Verb {
  static let name = "split"
  static let syntax = CommandSyntax(
    "track split", summary: "Split an entry into two with the same fields.",
    discussion: """
      Without a time, the entry is split in the middle, a running one between its start and now. A \
      time of day is on the day of the entry; if the entry goes on after midnight and has the \
      time on the next day only, it is there. The first part of a running entry ends, so more \
      than 12 \
      hours of it are refused as by `track stop`.

      EXAMPLES
        track split 12
        track split 12 10:15
        track split 12 --at 14:10
        track split -1 10min ago
      """,
    operands: [
      EntryReshaping.id, CommandOperand("time", isOptional: true, repeats: true, "Where to split."),
    ],
    options: EntryReshaping.options + [atOption])
  private static let atOption = CommandOption(
    EntryTimeOptions.atOption.name, value: "time", "Where to split, instead of the words.")

  let shape: EntryReshaping

  init(_ arguments: CommandArguments, in context: VerbContext) {
    shape = EntryReshaping(arguments, in: context, what: "Nothing was split.")
  }

  func perform() throws(ToolFailure) {
    try shape.perform { (entry, text, context) throws(ToolFailure) in
      let given = shape.arguments[Self.atOption]
      guard text.isEmpty || given == nil else { throw EntryTimeOptions.twice }
      let at: Moment
      if text.isEmpty, given == nil {
        at = entry.entry.middle(at: context.now)
      } else {
        at = try context.time(
          given ?? text, on: entry.entry, option: given.map { _ in "--at" }
        ) {
          $0 > entry.entry.start && $0 < entry.entry.end ?? context.now
        }
      }
      return .split(entry.id, at: at, reason: shape.reason)
    }
  }
}
