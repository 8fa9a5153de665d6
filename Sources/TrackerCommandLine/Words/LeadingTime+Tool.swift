import Retrace
import RetraceCommandLine
import RetraceToolSupport
import TimeTracking

extension LeadingTime {
  /// Removes a time from the beginning of words, and returns it.
  ///
  /// - Returns: The time; `nil` if the words begin with no time.
  /// - Throws: The failure if leading words look like a time but are not valid, such as a time that
  ///   clocks skip.
  static func takeTime(
    from words: inout ArraySlice<String>, in context: ExpressionContext,
    _ readings: ChosenReadings
  ) throws(ToolFailure) -> TimeExpression? {
    try take(from: &words, in: context, readings) { (words) throws(LeadingTimeError) in
      try readTime(from: &words, in: context)
    }
  }

  /// Removes a range with two ends from the beginning of words, and returns it.
  ///
  /// - Parameters:
  ///   - words: The words.
  ///   - context: The context of the times.
  ///   - readings: The readings that the user chose.
  ///   - takesHours: Whether hours such as `9-10` are a range.
  /// - Returns: The range; `nil` if the words begin with no range.
  static func takeRange(
    from words: inout ArraySlice<String>, in context: ExpressionContext,
    _ readings: ChosenReadings, takesHours: Bool = false
  ) throws(ToolFailure) -> RangeExpression? {
    try take(from: &words, in: context, readings) { (words) throws(LeadingTimeError) in
      try readRange(from: &words, in: context, takesHours: takesHours)
    }
  }

  /// Removes a duration with units from the beginning of words, and returns it.
  ///
  /// - Returns: The duration; `nil` if the words begin with none, or if it belongs to a time, as in
  ///   `1h30 ago`.
  static func takeDuration(
    from words: inout ArraySlice<String>
  ) throws(ToolFailure) -> ElapsedTime? {
    func duration(_ words: ArraySlice<String>) -> DurationExpression? {
      let text = words.joinedByBlanks
      let isISO = text.lowercased().hasPrefix("pt")
      guard isISO || text.utf8.first.map({ (0x30...0x39).contains($0) }) ?? false,
        text.contains(where: \.isLetter)
      else { return nil }
      return try? DurationExpression(text)
    }
    // As in `1h 30 min 10 sec`.
    var count = min(6, words.count)
    while count > 0, duration(words.prefix(count)) == nil { count -= 1 }
    guard let found = duration(words.prefix(count)) else { return nil }
    let rest = words.dropFirst(count)
    if let next = rest.first, ["ago", "-", "to", "until"].contains(next) { return nil }
    if let last = words.prefix(count).last, Int(last) != nil,
      duration(words.prefix(count - 1)) != nil
    {
      throw ToolFailure(.misread(before: words.prefix(count - 1).joinedByBlanks, last: last))
    }
    words = rest
    return found.time
  }

  /// Calls `read` on words in which a chosen reading replaces an ambiguous time.
  private static func take<Value>(
    from words: inout ArraySlice<String>, in context: ExpressionContext,
    _ readings: ChosenReadings, _ read: (inout ArraySlice<String>) throws(LeadingTimeError) -> Value
  ) throws(ToolFailure) -> Value {
    var rest = words
    while true {
      do throws(LeadingTimeError) {
        let value = try read(&rest)
        words = words.suffix(rest.count)
        return value
      } catch {
        switch error {
        case .wrong(let wrong), .unreadable(let wrong):
          if let chosen = readings.chosen(in: rest, after: wrong, context) {
            rest = chosen
            continue
          }
        case .misread: break
        }
        throw ToolFailure(error)
      }
    }
  }

  /// Refuses a range at the beginning of the words of a command that takes one time.
  ///
  /// - Parameters:
  ///   - words: The words in which a time may stand.
  ///   - whole: All words of the command.
  static func refuseRange(
    in words: ArraySlice<String>, of whole: ArraySlice<String>, _ context: ExpressionContext
  ) throws(ToolFailure) {
    let words = words.first == "at" ? words.dropFirst() : words
    func refuse(_ text: String) -> ToolFailure {
      let add = (whole.first == "at" ? whole.dropFirst() : whole).map(commandWord).joinedByBlanks
      return .usage(
        "`\(text)` is a range, and an entry starts at one time.",
        advice: "Record an entry that has ended with `track add \(add)`, or write -- before text.")
    }
    if let hours = HourRange(words) { throw refuse(hours.text) }
    guard let first = words.first,
      EntryWords.looksLikeTime(first) || first == "from" || isAgo(words)
    else {
      return
    }
    for count in 1...min(rangeWordsMax, words.count) where hasClock(words.prefix(count)) {
      let text = words.prefix(count).joinedByBlanks
      do throws(ExpressionError) {
        guard try RangeExpression(text, in: context).end != nil else { continue }
      } catch {
        guard case .endNotLater = error else { continue }
      }
      throw refuse(text)
    }
  }

  /// Refuses a day that follows a time or a range.
  ///
  /// - Parameters:
  ///   - rest: The words after the time or the range.
  ///   - words: The words with it.
  ///   - command: The name of the command.
  static func refuseDay(
    at rest: ArraySlice<String>, in words: ArraySlice<String>, of command: String
  ) throws(ToolFailure) {
    guard let day = rest.first, let first = words.first, rest.count < words.count else { return }
    guard day == "today" || isRelativeDay(day) || isDate(day), !isDate(first),
      first != "today", !EntryWords.isOtherDay(first)
    else { return }
    let right = ([day] + words.prefix(words.count - rest.count) + rest.dropFirst())
      .map(commandWord).joinedByBlanks
    throw .usage(
      "The day \(day) stands after the time.",
      advice: "Write it before the time, as in `track \(command) \(right)`, or write -- before the "
        + "description.")
  }

  private static func isRelativeDay(_ word: String) -> Bool {
    ["yesterday", "tomorrow"].contains(word.lowercased())
  }

  /// Returns whether a word has the form of `2026-03-26`.
  private static func isDate(_ word: String) -> Bool {
    let parts = word.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    return parts.map(\.count) == [4, 2, 2]
      && parts.allSatisfy { $0.allSatisfy { (0x30...0x39).contains($0) } }
  }
}

extension ToolFailure {
  /// Creates the failure of words that begin with a time.
  fileprivate init(_ error: LeadingTimeError) {
    switch error {
    case .wrong(let error), .unreadable(let error):
      self = ToolFailure.ambiguousTime(error)
      if case .ambiguous = error { advice = "Write one of these, or -- before text." }
    case .misread(let before, let last):
      let time = "\(before) \(last)"
      self = .usage(
        "`\(time)` could be misread: \(last) is a part of the time or text.",
        advice: "Write \"\(time)\" in quotes for the time, or `\(before) -- \(last)` for the "
          + "text.")
    }
  }

  /// Returns the failure for a time that is not understood.
  static func time(_ error: ExpressionError, option: String? = nil) -> ToolFailure {
    let example = "Give a time such as 9:00 or \"yesterday 17:30\""
    let advice =
      switch error {
      case .skipped, .repeated: "Write one of these times, with its offset."
      case .unreadable(let text, .time):
        if let right = dayFirst(text) {
          "Write the day before the time: \(commandWord(right))."
        } else {
          "\(example)."
        }
      default: option == nil ? "\(example), or a range such as 9:00 - 10:30." : "\(example)."
      }
    return .usage(option.map { "\($0): \(error)" } ?? "\(error)", advice: advice)
  }

  /// Returns a text such as `5pm yesterday` with its last word at the beginning; `nil` if that is
  /// no time either.
  private static func dayFirst(_ text: String) -> String? {
    guard let blank = text.lastIndex(of: " ") else { return nil }
    let right = "\(text[blank...].dropFirst()) \(text[..<blank])"
    // Whether a text is a time does not depend on the present.
    let context = ExpressionContext(zone: .utc, now: Moment(microseconds: 0), firstWeekday: 1)
    return (try? TimeExpression(right, in: context)).map { _ in right }
  }
}
