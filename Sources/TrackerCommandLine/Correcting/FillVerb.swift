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
      let entry = found.entry
      let day = context.calendar.range(of: context.calendar.day(at: entry.start))
      var (start, end) = (day.lowerBound, day.upperBound)
      var (hasBefore, hasAfter) = (false, false)
      context.domain.forEachEntry(from: start, to: end, of: entry.user) { id, other in
        guard id != found.id else { return }
        if let ended = other.end, ended <= entry.start, ended >= start {
          start = ended
          hasBefore = true
        }
        if let own = entry.end, other.start >= own, other.start <= end {
          end = other.start
          hasAfter = true
        }
      }
      var correction = TimeEntryCorrection()
      if hasBefore, start != entry.start {
        correction.changes.start = Change(from: entry.start, to: start)
      }
      if hasAfter, let own = entry.end, end != own {
        correction.changes.end = Change(from: own, to: end)
      }
      guard correction != TimeEntryCorrection() else {
        throw .noEntry("There is no gap beside the entry on its day.")
      }
      return .correct(found.id, correction, policy: .refuse, reason: shape.reason)
    }
  }
}
