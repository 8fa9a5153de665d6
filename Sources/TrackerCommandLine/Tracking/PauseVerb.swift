import Retrace
import RetraceCommandLine
import RetraceToolSupport
import TimeTracking
import TrackerFeatures

/// Interrupts the running entry.
struct PauseVerb: Verb {
  static let name = "pause"
  static let syntax = CommandSyntax(
    "track pause", summary: "Interrupt the running entry, or cut a break out of an entry.",
    discussion: """
      With a time or without one, the running entry stops, and `track resume` goes on with it \
      later. With a range, the entry that has the whole range within it, running or ended, is cut \
      in two: it ends at the beginning of the range, and a new one begins at its end, with the \
      same fields and the same rate. A duration, as in `pause for 10min`, is a range from now on: \
      the entry stops, and is planned to go on after it.

      EXAMPLES
        track pause
        track pause 10min ago
        track pause 12:00 - 12:30
        track pause 12:00 for 30min
        track pause for 10min
      """,
    operands: [
      CommandOperand("time", isOptional: true, repeats: true, "A time, or a range of two.")
    ],
    options: TrackerOptions.ofUser + EntryTimeOptions.all)

  let words: [String]
  let performer: PlanPerformer

  init(_ arguments: CommandArguments, in context: VerbContext) {
    words = arguments.operands
    performer = PlanPerformer(arguments, in: context, what: "Nothing was paused.")
  }

  func perform() throws(ToolFailure) {
    try performer.perform { (context) throws(ToolFailure) in
      var rest = words.joinedByBlanks.split(separator: " ").map(String.init)[...]
      let isFromNow = rest.first == "for"
      if isFromNow { rest = ["from", "now"] + rest }
      let isRange =
        rest.contains { ["-", "to", "until", "for"].contains($0) } || HourRange(rest) != nil
      let range =
        isRange
        ? try LeadingTime.takeRange(
          from: &rest, in: context.stopExpressions, context.readings, takesHours: true) : nil
      let start: Moment?
      if let range {
        guard rest.isEmpty else {
          throw .usage(
            "There is more than a range: \(rest.joined(separator: " ")).",
            advice: "Write the range only, such as 12:00 - 12:30.")
        }
        try performer.times.refuseEarlyEnd(of: range, in: context, performer.what)
        start = try performer.times.moment(in: context, leading: range.start)
      } else {
        start = try performer.times.moment(in: context, words)
      }
      let running = context.user.flatMap { context.domain.runningEntry(of: $0) }
      if let range, let end = range.end?.moment, let id = context.entry(around: range)?.id {
        var correction = TimeEntryCorrection()
        // After the split, the entry ends where the break ends.
        correction.changes.end = Change(from: end, to: range.start.moment)
        return EntryRequest([
          .split(id, at: end, reason: nil),
          .correct(id, correction, policy: .refuse, reason: nil),
        ])
      }
      if let range, running.map({ range.start.moment <= $0.1.start }) ?? true,
        let failure = context.outside(of: range, performer.what)
      {
        throw failure
      }
      guard let user = context.user, let (id, _) = running else {
        guard range != nil, context.user != nil else {
          throw context.nothingRunning(performer.what)
        }
        throw performer.failure(
          "There is no entry around the break.",
          "Give a break inside an entry, which `track log` shows with its times.")
      }
      let stop = TimeEntryCommand.stop(user, at: start, policy: .refuse)
      guard let end = range?.end?.moment else { return EntryRequest([stop]) }
      var request = EntryRequest([
        stop, .resume(id, at: end, zone: context.rules.recorded(at: end), policy: .refuse),
      ])
      request.isForFuture = isFromNow
      return request
    }
  }
}

extension EntryContext {
  /// Returns the entry of the user that contains a range, if any.
  ///
  /// A running entry lasts until now.
  fileprivate func entry(around range: RangeExpression) -> IdentifiedEntry? {
    guard let user, let end = range.end?.moment, end > range.start.moment else { return nil }
    var found: IdentifiedEntry?
    domain.forEachEntry(from: range.start.moment, to: end, of: user) { id, entry in
      let isBeforeEnd = entry.end.map { end < $0 } ?? (end <= now)
      guard entry.start < range.start.moment, isBeforeEnd else { return }
      found = IdentifiedEntry(id: id, entry: entry)
    }
    return found
  }

  /// Returns the refusal of a break that is in no entry.
  ///
  /// It names the last entry that the break touches, or else the running one.
  ///
  /// - Returns: `nil` if there is neither.
  fileprivate func outside(of range: RangeExpression, _ what: String) -> ToolFailure? {
    guard let user, let end = range.end?.moment else { return nil }
    let start = range.start.moment
    var found: TimeEntryID?
    // The entry may end where the range begins, or begin where it ends.
    domain.forEachEntry(from: start.adding(.seconds(-1)), to: end.adding(.seconds(1)), of: user) {
      id, entry in
      if entry.start <= end, entry.end.map({ $0 >= start }) ?? true { found = id }
    }
    return (found ?? domain.runningEntry(of: user)?.id).map { id in
      ToolFailure.refused(
        "The break is not inside the entry \(domain.mention(of: [id], zone: rules)).",
        advice: "Give a break that begins and ends inside the entry. "
          + "`track edit \(id.value) --start TIME --end TIME` moves the ends of the entry.",
        what: what)
    }
  }
}
