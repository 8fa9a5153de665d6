import Retrace
import RetraceCommandLine
import RetraceToolSupport
import TimeTracking
import TrackerApp

/// Continues the entry that was paused or stopped last.
struct ResumeVerb: Verb {
  static let name = "resume"
  static let syntax = CommandSyntax(
    "track resume", summary: "Go on with the entry that was paused or stopped last.",
    discussion: """
      A new entry with the same fields begins, so the time between counts as a break. It is billed \
      at the rate that its project has now. While an entry is running, nothing changes, and a note \
      says which one it is; `track continue` changes to an earlier entry.

      EXAMPLES
        track resume
        track resume 13:00
        track resume 5min ago
      """,
    operands: [CommandOperand("time", isOptional: true, repeats: true, "When it goes on.")],
    options: TrackerOptions.ofUser + EntryTimeOptions.all)

  let words: [String]
  let performer: PlanPerformer

  init(_ arguments: CommandArguments, in context: VerbContext) {
    words = arguments.operands
    performer = PlanPerformer(arguments, in: context, what: "Nothing was resumed.", asks: .longAgo)
  }

  func perform() throws(ToolFailure) {
    try performer.perform { (context) throws(ToolFailure) in
      let at = try performer.times.moment(in: context, words)
      if let (id, entry) = context.user.flatMap({ context.domain.runningEntry(of: $0) }) {
        var request = EntryRequest([], remarks: [Self.note(on: id, entry, in: context)])
        request.unchanged = id
        return request
      }
      let moment = at ?? context.now
      let last = context.user.flatMap { context.domain.lastEntry(of: $0, endedBy: moment) }
      guard let last else { throw context.nothingEnded(performer.what) }
      return EntryRequest([
        .resume(last.id, at: at, zone: context.rules.recorded(at: moment), policy: .refuse)
      ])
    }
  }

  /// Returns the note that an entry runs already, or is planned to.
  private static func note(
    on id: TimeEntryID, _ entry: TimeEntry, in context: EntryContext
  ) -> String {
    let start = context.rules.local(at: entry.start)
    guard entry.isPlanned(at: context.now) else {
      return "#\(id.value) is running already, since \(start); "
        + "an earlier entry goes on with `track continue ID`"
    }
    return "#\(id.value) is planned to begin at \(start); "
      + "`track edit \(id.value) --start now` begins it"
  }
}
