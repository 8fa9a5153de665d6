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
    "for", value: "duration", "How long it took, instead of when it ended.")
  static let syntax = CommandSyntax(
    "track add", summary: "Record an entry that has ended.",
    discussion: """
      The words are a range of two times, unless options give it, and then as in \
      `track start`. --from, --at or --after-last gives the start, and --to or --for the end. The \
      name of the command may be left out before a range.

      EXAMPLES
        track add 9:00 - 10:30 write the report @thesis
        track 9:00 - 10:30 write the report @thesis
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
      + [fromOption, atOption, EntryTimeOptions.afterLastOption, toOption, forOption]
      + EntryTimeOptions.placing + DraftOptions.all)

  let draft: DraftOptions
  let performer: PlanPerformer
  private let from: String?
  private let to: String?
  private let duration: String?

  init(_ arguments: CommandArguments, in context: VerbContext) {
    draft = DraftOptions(arguments, in: context)
    from = arguments[Self.fromOption]
    to = arguments[Self.toOption]
    duration = arguments[Self.forOption]
    performer = PlanPerformer(
      arguments, in: context, what: "The entry was not added.", createsStore: true)
  }

  func perform() throws(ToolFailure) {
    try performer.perform { (context) throws(ToolFailure) in
      var words = draft.words.prefix(draft.signed)
      let start = try performer.times.start(or: from, in: context)
      let range = try range(from: start, or: &words, in: context)
      if start == nil {
        try LeadingTime.refuseDay(
          at: words, in: draft.words.prefix(draft.signed), of: Self.name)
      }
      let rest = draft.words.dropFirst(draft.signed - words.count)
      guard let end = range.end else { throw Self.missingRange }
      try performer.times.refuseEarlyEnd(of: range, in: context, performer.what)
      let (draft, remarks) = try draft.draft(rest, start: range.start.moment, in: context)
      return EntryRequest(
        [.add(draft, start: range.start.moment, end: end.moment, policy: .refuse)],
        remarks: remarks)
    }
  }

  /// Reads the range of the options, or takes it from the words.
  private func range(
    from start: String?, or words: inout ArraySlice<String>, in context: EntryContext
  ) throws(ToolFailure) -> RangeExpression {
    if start == nil, to == nil, duration == nil {
      guard
        let range = try LeadingTime.takeRange(
          from: &words, in: context.expressions, context.readings)
      else {
        throw Self.missingRange
      }
      return range
    }
    var rest = words
    guard
      (try? LeadingTime.takeRange(from: &rest, in: context.expressions, context.readings)) == nil
    else {
      throw .usage(
        "The time is given twice: by options and by words.",
        advice: "Leave out one of them, or write -- before the description.")
    }
    guard let start, (to == nil) != (duration == nil) else {
      throw .usage(
        "A range needs --from, --at or --after-last, and either --to or --for.",
        advice: "Give both ends, as in --from 9:00 --to 10:30.")
    }
    let end = to ?? duration ?? ""
    guard !start.utf8.isEmpty, !end.utf8.isEmpty else {
      throw .usage("A time of the range is empty.", advice: "Give one such as 9:00.")
    }
    return try range(from: start, end, in: context)
  }

  /// Reads the range from one text to another, which is the end or the duration.
  private func range(
    from start: String, _ end: String, in context: EntryContext
  ) throws(ToolFailure) -> RangeExpression {
    do throws(ExpressionError) {
      return try RangeExpression(
        to == nil ? "\(start) for \(end)" : "\(start) - \(end)", in: context.expressions)
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
