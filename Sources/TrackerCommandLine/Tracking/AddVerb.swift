import Retrace
import RetraceCommandLine
import RetraceToolSupport
import TimeTracking
import TrackerApp

/// Records an entry that has ended.
struct AddVerb: Verb {
  static let name = "add"
  static let fromOption = CommandOption("from", value: "time", "When the entry began.")
  private static let atOption = CommandOption(
    EntryTimeOptions.atOption.name, value: "time", "The same as --from.")
  static let toOption = CommandOption("to", value: "time", "When it ended.")
  static let forOption = CommandOption(
    "for", value: "duration",
    "How long it took. Without a start, it ended now, or at the time of --to.")
  static let syntax = CommandSyntax(
    "track add", summary: "Record an entry that has ended.",
    discussion: """
      The words are a range, or how long it took until now, and then as in `track start`. \
      Options may give the range instead: --from, --at or --after-last the start, --to or --for \
      the end; after --after-last alone, the end is now. `add` may be left out before a range. \
      `track help times` lists what is read as a range.

      EXAMPLES
        track add 9:00 - 10:30 write the report @thesis
        track 9:00 - 10:30 write the report @thesis
        track add 9-10 standup
        track add 1h30m call +support
        track add yesterday 17:00 for 45min call +support
        track add --from 9:00 --to 10:30 "fix #12"
        track add --after-last --for 10m tidy up
      """,
    operands: [
      CommandOperand(
        "words", isOptional: true, repeats: true, kind: .tracker(.entryWords),
        "A range, the description, project.")
    ],
    options: TrackerOptions.ofUser
      + [
        fromOption, atOption, EntryTimeOptions.afterLastOption, toOption, forOption,
        EntryTimeOptions.durationOption,
      ]
      + EntryTimeOptions.placing + DraftOptions.all)

  let draft: DraftOptions
  let performer: PlanPerformer
  private let from: String?
  private let to: String?
  private let isAfterLast: Bool
  private let duration: (option: String, text: String)?

  init(_ arguments: CommandArguments, in context: VerbContext) throws(ToolFailure) {
    draft = DraftOptions(arguments, in: context)
    from = arguments[Self.fromOption]
    to = arguments[Self.toOption]
    isAfterLast = arguments.has(EntryTimeOptions.afterLastOption)
    duration = try arguments.entryDuration()
    performer = PlanPerformer(
      arguments, in: context, what: "The entry was not added.", createsStore: true)
  }

  func perform() throws(ToolFailure) {
    try performer.perform { (context) throws(ToolFailure) in
      var words = draft.words.prefix(draft.signed)
      let start = try performer.times.start(or: from, in: context)
      let span = try span(from: start, or: &words, in: context)
      if start == nil {
        try LeadingTime.refuseDay(
          at: words, in: draft.words.prefix(draft.signed), of: Self.name)
      }
      let rest = draft.words.dropFirst(draft.signed - words.count)
      if let range = span.range {
        try performer.times.refuseEarlyEnd(of: range, in: context, performer.what)
      }
      let (draft, remarks) = try draft.draft(rest, start: span.start, in: context)
      return EntryRequest(
        [.add(draft, start: span.start, end: span.end, policy: .refuse)],
        remarks: newestRemark(after: span.end, in: context) + remarks)
    }
  }

  /// Returns the remark that `-1` and a missing id mean another entry than the added one; none
  /// while that is a running one.
  private func newestRemark(after end: Moment, in context: EntryContext) -> [String] {
    guard let user = context.user,
      let newest = context.domain.latestEntries(of: user, limit: 1).first,
      let last = newest.entry.end, last > end
    else { return [] }
    return ["-1 is #\(newest.id.value), whose end is later"]
  }

  /// The time of the entry.
  private struct Span {
    let start: Moment
    let end: Moment
    /// The range, if the words or the options give one.
    var range: RangeExpression?

    init(_ range: RangeExpression) throws(ToolFailure) {
      guard let end = range.end else { throw AddVerb.missingRange }
      (start, self.end, self.range) = (range.start.moment, end.moment, range)
    }

    init(lasting time: ElapsedTime, to end: Moment) {
      (start, self.end) = (end.adding(ElapsedTime(microseconds: -time.microseconds)), end)
    }
  }

  /// Reads the time of the options, or takes it from the words.
  private func span(
    from start: String?, or words: inout ArraySlice<String>, in context: EntryContext
  ) throws(ToolFailure) -> Span {
    let now = context.now.wholeSecond
    if start == nil, to == nil, duration == nil {
      if let time = try LeadingTime.takeDuration(from: &words) {
        return Span(lasting: time, to: now)
      }
      let range = try LeadingTime.takeRange(
        from: &words, in: context.expressions, context.readings, takesHours: true)
      guard let range else { throw Self.missingRange }
      return try Span(range)
    }
    var rest = words
    guard
      (try? LeadingTime.takeRange(from: &rest, in: context.expressions, context.readings)) == nil
    else {
      throw .usage(
        "The time is given twice: by options and by words.",
        advice: "Leave out one of them, or write -- before the description.")
    }
    guard ![start, to, duration?.text].contains("") else {
      throw .usage("A time of the range is empty.", advice: "Give one such as 9:00.")
    }
    if start == nil, let duration {
      let time = try context.duration(duration.text, option: duration.option)
      return Span(
        lasting: time,
        to: try to.map { (to) throws(ToolFailure) in
          try context.time(to, option: "--to").moment
        } ?? now)
    }
    if let start, isAfterLast, to == nil, duration == nil {
      return try Span(range(from: start, now.timestamp, in: context))
    }
    guard let start, (to == nil) != (duration == nil) else {
      throw .usage(
        "A range needs --from, --at or --after-last, and either --to or --for.",
        advice: "Give both ends, as in --from 9:00 --to now, or only how long it took until now, "
          + "as in --for 1h30.")
    }
    return try Span(range(from: start, to ?? duration?.text ?? "", in: context))
  }

  /// Reads the range from one text to another, which is the end or the duration.
  private func range(
    from start: String, _ end: String, in context: EntryContext
  ) throws(ToolFailure) -> RangeExpression {
    do throws(ExpressionError) {
      return try RangeExpression(
        duration != nil ? "\(start) for \(end)" : "\(start) - \(end)", in: context.expressions,
        takesDigits: true)
    } catch {
      if let chosen = context.readings.chosen([start, end], after: error, in: context.expressions) {
        return try range(from: chosen[0], chosen[1], in: context)
      }
      guard case .unreadable = error else { throw .ambiguousTime(error) }
      // Finds the option that is no time, for the failure.
      for (option, text) in [(from == nil ? "--at" : "--from", start), ("--to", to)] {
        guard let text else { continue }
        do throws(ExpressionError) {
          _ = try TimeExpression(text, in: context.expressions)
        } catch {
          if case .unreadable = error { throw .time(error, option: option) }
        }
      }
      throw .time(error)
    }
  }

  private static var missingRange: ToolFailure {
    .usage(
      "The words do not begin with a range of two times.",
      advice: "Give one, as in `track add 9:00 - 10:30 DESCRIPTION`.")
  }
}
