import Retrace
import RetraceCommandLine
import RetraceToolSupport
import TimeTracking

/// Moves an entry to another start.
struct MoveVerb: Verb {
  static let name = "move"
  static let syntax = CommandSyntax(
    "track move", summary: "Move an entry to another start; its duration stays.",
    discussion: """
      A time of day is on the day of the entry.

      EXAMPLES
        track move 12 9:30
        track move 12 yesterday 9:30
        track move -1 9:30 --policy adjust --reason "the clock was wrong"
      """,
    operands: [EntryReshaping.id, CommandOperand("time", repeats: true, "The new start.")],
    options: EntryReshaping.options)

  let shape: EntryReshaping

  init(_ arguments: CommandArguments, in context: VerbContext) {
    shape = EntryReshaping(arguments, in: context, what: "Nothing was moved.")
  }

  func perform() throws(ToolFailure) {
    try shape.perform { (entry, text, context) throws(ToolFailure) in
      let start = try context.time(text, on: entry.entry)
      guard start != entry.entry.start else {
        throw .noEntry("The entry begins at that time already.")
      }
      var correction = TimeEntryCorrection()
      correction.changes.start = Change(from: entry.entry.start, to: start)
      if let end = entry.entry.end, let duration = entry.entry.duration {
        correction.changes.end = Change(from: end, to: start.adding(duration))
      }
      return .correct(entry.id, correction, policy: .refuse, reason: shape.reason)
    }
  }
}
