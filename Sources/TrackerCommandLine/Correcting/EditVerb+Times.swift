import Retrace
import RetraceCommandLine
import RetraceToolSupport
import TimeTracking

/// The times in the words of `edit`, and in its options.
extension EditVerb {
  /// Refuses words that are only a time and no description.
  ///
  /// Such words are days, ranges of days, durations, and `start @2 8:45`, which timewarrior takes.
  /// ``ranges(from:of:in:)`` reads times of day and ranges of two.
  func refuseTimes(
    in words: ArraySlice<String>, _ context: EntryContext
  ) throws(ToolFailure) {
    func refuse(_ text: String, _ advice: String) -> ToolFailure {
      .usage(
        "`\(text)` is a time and no description.", advice: "\(advice), or -- before a description.")
    }
    let ids = arguments.operands.dropLast(words.count)
    if let side = words.first, ["start", "end", "range"].contains(side) {
      let named = words.dropFirst().dropLast().prefix(while: EntrySelection.isID)
      let text = words.dropFirst(1 + named.count).joinedByBlanks
      let isTime =
        side == "range"
        ? (try? RangeExpression(text, in: context.expressions)) != nil
        : (try? TimeExpression(text, in: context.expressions)) != nil
      if isTime {
        let option = side == "range" ? text : "--\(side) \(commandWord(text))"
        let all = (["edit"] + ids + named).joinedByBlanks
        throw refuse(words.joinedByBlanks, "Write `track \(all) \(option)`")
      }
    }
    let texts = words.filter { word in !["@", "#", "+"].contains { word.hasPrefix($0) } }
    let text = texts.joinedByBlanks
    // Words that begin with a number, such as 5 - 10, are text.
    guard let first = texts.first, Int(first.prefix { $0 != " " }) == nil else { return }
    let length = text.hasPrefix("for ") ? String(text.dropFirst(4)) : text
    if length != text || !text.contains(":"), (try? DurationExpression(length)) != nil {
      throw refuse(
        text, "Write --for \(commandWord(length)), or use `track lengthen` or `track shorten`")
    }
    guard !LeadingTime.hasClock(texts[...]),
      (try? RangeExpression(text, in: context.expressions)) != nil
    else { return }
    let filter = "date:\(text.replacing(" - ", with: ".."))"
    let option = commandWord(filter.contains(" ") ? "date:\"\(text)\"" : filter)
    throw refuse(
      text,
      ids.isEmpty
        ? "Write --filter \(option) to select entries" : "Write --start TIME or --end TIME")
  }

  /// Takes a range of two times from the beginning of words, and returns it on the day of each
  /// entry; `nil` if the words begin with no time.
  ///
  /// - Throws: A usage failure for a single time, which would be text otherwise.
  func ranges(
    from words: inout ArraySlice<String>, of entries: [IdentifiedEntry], in context: EntryContext
  ) throws(ToolFailure) -> [RangeExpression]? {
    // Words that begin with a number, such as 5 - 10, are text.
    guard let first = words.first, Int(first.prefix { $0 != " " }) == nil else { return nil }
    var ranges: [RangeExpression] = []
    var rest = words
    for found in entries {
      var range: RangeExpression?
      var failure: ToolFailure?
      do throws(ToolFailure) {
        range = try Self.range(from: &rest, of: words, on: found.entry, in: context)
      } catch {
        failure = error
      }
      guard let range else {
        rest = words.first == "from" ? words.dropFirst() : words
        let times = rest
        let time = try LeadingTime.takeTime(from: &rest, in: context.expressions, context.readings)
        let isRange =
          rest.first.map { ["for", "to", "until"].contains($0) || $0.hasPrefix("-") } ?? false
        if let failure, isRange || time == nil { throw failure }
        guard time != nil else { return nil }
        let text = times.prefix(times.count - rest.count).joinedByBlanks
        throw .usage(
          "`\(text)` is one time, and an entry has two.",
          advice: "Write --start \(commandWord(text)) or --end \(commandWord(text)), or -- before "
            + "text.")
      }
      let limit = max(TimeEntry.usualDurationMax, found.entry.duration ?? .zero)
      try performer.times.refuseEarlyEnd(
        of: range, notAfter: min(context.now, range.start.moment.adding(limit)), in: context,
        performer.what)
      ranges.append(range)
    }
    guard !Self.timeOptions.contains(where: arguments.has) else { throw EntryTimeOptions.twice }
    words = rest
    return ranges
  }

  /// Takes a range from the beginning of words; times without a day are on the day of an entry, or
  /// on the next one if only there the range has time of the entry.
  ///
  /// - Parameter rest: Gets the words after the range.
  /// - Returns: The range; `nil` if the words begin with no range.
  private static func range(
    from rest: inout ArraySlice<String>, of words: ArraySlice<String>, on entry: TimeEntry,
    in context: EntryContext
  ) throws(ToolFailure) -> RangeExpression? {
    let times = words.first == "from" ? words.dropFirst() : words
    if let first = times.first, EntryWords.looksLikeTime(first) {
      func taken(_ day: CivilDate) throws(ToolFailure) -> (RangeExpression, ArraySlice<String>)? {
        var rest = times
        return try LeadingTime.takeRange(
          from: &rest, in: context.expressions.on(day), context.readings
        ).map { ($0, rest) }
      }
      func hasTime(_ range: RangeExpression) -> Bool {
        range.start.moment < entry.end ?? context.now
          && range.end.map { $0.moment > entry.start } ?? true
      }
      let days = context.days(of: entry)
      if var found = try taken(days.lowerBound) {
        if days.upperBound > days.lowerBound, !hasTime(found.0),
          let next = try taken(days.lowerBound.adding(days: 1)), hasTime(next.0)
        {
          found = next
        }
        rest = found.1
        return found.0
      }
    }
    rest = words
    return try LeadingTime.takeRange(from: &rest, in: context.expressions, context.readings)
  }

  /// Reads the end of an entry.
  ///
  /// - Throws: A refusal with the time that was read if it precedes the start.
  static func end(
    _ text: String, of entry: TimeEntry, from start: Moment, in context: EntryContext
  ) throws(ToolFailure) -> Moment {
    let end = try context.time(text, on: entry, option: "--end") { $0 > start }
    guard end < start else { return end }
    let local = context.rules.local(at: end)
    throw .refused(
      "It would end before it begins: the end was read as \(local.date) \(local.clock).",
      advice: "Give a time after the start, with its day if it is on another one.")
  }
}
