package import CivilTime

/// A parser of a time or a range at the beginning of the words of an entry.
package enum LeadingTime {
  /// The maximum number of words of a time.
  package static var timeWordsMax: Int { 5 }
  /// The maximum number of words of a range.
  package static var rangeWordsMax: Int { 9 }

  /// Removes a time from the beginning of words, and returns it.
  ///
  /// - Returns: The time; `nil` if the words do not begin with a time.
  /// - Throws: ``LeadingTimeError`` if leading words look like a time but are not valid, such as a
  ///   time that clocks skip, or have several readings, such as `9.30`.
  package static func readTime(
    from words: inout ArraySlice<String>, in context: ExpressionContext
  ) throws(LeadingTimeError) -> TimeExpression? {
    let afterAt = words.first == "at" ? words.dropFirst() : words
    guard let first = afterAt.first,
      EntryWords.looksLikeTime(first) || isAgo(afterAt) || isLastDay(afterAt)
    else { return nil }
    var failure: ExpressionError?
    var ambiguity: ExpressionError?
    for count in stride(from: min(timeWordsMax, afterAt.count), to: 0, by: -1) {
      let text = afterAt.prefix(count).joinedByBlanks
      let time: TimeExpression
      do throws(ExpressionError) {
        time = try TimeExpression(text, in: context)
      } catch {
        if Self.isWrongTime(error) { throw .wrong(error) }
        failure = error
        // A number alone, such as 9 or 930, is more likely text.
        let isTime = count > 1 || words.count > afterAt.count || Self.isMoreLikelyTime(first)
        if case .ambiguous = error, isTime { ambiguity = ambiguity ?? error }
        continue
      }
      let isTimeWithoutLast = (try? TimeExpression(Self.withoutLastWord(text), in: context)) != nil
      if isTimeWithoutLast {
        if isText(afterAt[afterAt.startIndex + count - 1]) { continue }
        if let failure = Self.misread(afterAt.prefix(count)) { throw failure }
      }
      words = afterAt.dropFirst(count)
      return time
    }
    if let ambiguity { throw .unreadable(ambiguity) }
    // The last attempt was the first word alone.
    if let failure, isClock(first) { throw .unreadable(failure) }
    return nil
  }

  /// Removes a range with two ends from the beginning of words, and returns it.
  ///
  /// - Parameters:
  ///   - words: The words.
  ///   - context: The context of the times.
  ///   - takesHours: Whether hours such as `9-10` are a range; otherwise they may be text.
  /// - Returns: The range; `nil` if the words do not begin with a range.
  /// - Throws: ``LeadingTimeError`` if leading words look like a range but are not valid or have
  ///   several readings.
  package static func readRange(
    from words: inout ArraySlice<String>, in context: ExpressionContext, takesHours: Bool = false
  ) throws(LeadingTimeError) -> RangeExpression? {
    // A range of hours can follow a day: `yesterday 9-5`.
    let days = takesHours ? dayWords(of: words, in: context) : 0
    if let hours = HourRange(words.dropFirst(days)) {
      let day = words.prefix(days)
      let isOtherDay = day.first.map { $0.lowercased() != "today" } ?? false
      let readings = hours.readings(in: context, onOtherDay: isOtherDay).map { reading in
        day.isEmpty ? reading : "\(day.joinedByBlanks) \(reading)"
      }
      guard takesHours, readings.count == 1 else {
        throw .wrong(
          .ambiguous((day + [hours.text]).joinedByBlanks, instead: readings))
      }
      var rest =
        (readings[0].split(separator: " ").map(String.init)
        + words.dropFirst(days + hours.count))[...]
      let range = try readRange(from: &rest, in: context)
      words = words.suffix(rest.count)
      return range
    }
    guard let first = words.first,
      EntryWords.looksLikeTime(first) || first == "from" || isAgo(words) || isLastDay(words)
    else { return nil }
    var failure: ExpressionError?
    for count in stride(from: min(rangeWordsMax, words.count), to: 0, by: -1) {
      let text = words.prefix(count).joinedByBlanks
      let range: RangeExpression
      do throws(ExpressionError) {
        range = try RangeExpression(text, in: context)
      } catch {
        if case .unreadable = error {} else { failure = failure ?? error }
        continue
      }
      // A range of whole days is not the time of an entry.
      guard range.end != nil, Self.hasClock(words.prefix(count)) else { continue }
      let shorter = try? RangeExpression(Self.withoutLastWord(text), in: context)
      if shorter?.end != nil {
        if isText(words[words.startIndex + count - 1]) { continue }
        if let failure = Self.misread(words.prefix(count)) { throw failure }
      }
      words = words.dropFirst(count)
      return range
    }
    switch failure {
    case .endNotLater(let start, let end): throw .wrong(.endNotLater(start: start, end: end))
    case let failure?: throw isWrongTime(failure) ? .wrong(failure) : .unreadable(failure)
    case nil: return nil
    }
  }

  /// Returns the number of words of a day before hours such as `9-5`; 0 without such a day.
  private static func dayWords(
    of words: ArraySlice<String>, in context: ExpressionContext
  ) -> Int {
    guard let first = words.first, EntryWords.looksLikeTime(first) || first == "last" else {
      return 0
    }
    return (1...3).first { count in
      guard HourRange(words.dropFirst(count)) != nil else { return false }
      do throws(ExpressionError) {
        _ = try TimeExpression(words.prefix(count).joinedByBlanks, in: context)
        return false
      } catch {
        if case .timeMissing = error { return true }
        return false
      }
    } ?? 0
  }

  /// Returns whether a word with several readings, such as `9.30`, `1730`, `-30` or `3/4/2026`, is
  /// more likely a time than text.
  private static func isMoreLikelyTime(_ word: String) -> Bool {
    if EntryWords.isClockWithoutColon(word) || word.utf8.first == UInt8(ascii: "-") { return true }
    // A date has two separators.
    return [UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: "-")].contains { separator in
      word.utf8.count { $0 == separator } == 2
    }
  }

  private static func withoutLastWord(_ text: String) -> String {
    text.lastIndex(of: " ").map { String(text[..<$0]) } ?? ""
  }

  /// Returns whether a word after a time is text, although it could name an offset: the small
  /// letter z, because an offset is `Z`.
  private static func isText(_ word: String) -> Bool { word == "z" }

  /// Returns whether words contain a time of day.
  package static func hasClock(_ words: ArraySlice<String>) -> Bool {
    words.contains { word in
      let word = word.lowercased()
      let isHour = word.hasSuffix("am") || word.hasSuffix("pm") || word.hasSuffix("ago")
      // As in 20261121T173000Z.
      let isCompact =
        word.prefix(8).utf8.allSatisfy(EntryWords.isDigit) && word.dropFirst(8).hasPrefix("t")
      return word.contains(":") || isHour || isCompact
        || ["now", "noon", "midnight", "for"].contains(word)
    }
  }

  /// Returns the error for words that are a time both with and without the last word, which may
  /// belong to the description.
  ///
  /// Returns `nil` if the last word clearly belongs to the time.
  private static func misread(_ words: ArraySlice<String>) -> LeadingTimeError? {
    guard let last = words.last, words.count > 1, !last.isEmpty, !last.contains(":"),
      !(EntryWords.looksLikeTime(last) && Int(last) == nil)
    else { return nil }
    return .misread(before: words.dropLast().joinedByBlanks, last: last)
  }

  /// Returns whether words begin like `half an hour ago` or `an hour ago`.
  package static func isAgo(_ words: ArraySlice<String>) -> Bool {
    let words = words.prefix(4).joinedByBlanks.lowercased().split(separator: " ")
    guard let first = words.first, words.prefix(4).contains("ago") else { return false }
    return ["a", "an"].contains(first) || words.starts(with: ["half", "an"])
  }

  /// Returns whether words begin like `last monday`.
  package static func isLastDay(_ words: ArraySlice<String>) -> Bool {
    let words = words.prefix(2).joinedByBlanks.split(separator: " ").map(String.init)
    return words.first?.lowercased() == "last"
      && words.dropFirst().first.map(EntryWords.looksLikeTime) ?? false
  }

  /// Returns whether an error is about a time that does not exist or exists twice.
  ///
  /// Such words are not a description.
  private static func isWrongTime(_ error: ExpressionError) -> Bool {
    switch error {
    case .skipped, .repeated, .noSuchDay, .noSuchPeriod, .noSuchTime, .noSuchOffset: true
    default: false
    }
  }

  /// Returns whether a word has the form of a time of day, such as `9:00`.
  private static func isClock(_ word: String) -> Bool {
    word.contains(":") && word.utf8.allSatisfy { (0x30...0x3a).contains($0) }
  }
}

/// A range of hours without minutes, such as `9-10`, at the beginning of words.
package struct HourRange {
  /// The text, such as `9-10`.
  package let text: String
  /// The number of its words.
  package let count: Int
  private let first: Int
  private let last: Int

  /// Reads `9-10`; `nil` if the words begin with something else.
  package init?(_ words: ArraySlice<String>) {
    func hour(_ digits: Substring) -> Int? {
      guard (1...2).contains(digits.utf8.count), digits.utf8.allSatisfy(EntryWords.isDigit),
        let hour = Int(digits)
      else { return nil }
      return hour <= 24 ? hour : nil
    }
    guard let word = words.first else { return nil }
    let parts = word.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let first = hour(parts[0]), let last = hour(parts[1]), first != last,
      first < 24
    else { return nil }
    (text, count, self.first, self.last) = (word, 1, first, last)
  }

  /// Returns the ranges that may be meant: one, or both halves of the day.
  ///
  /// An hour of more than 12 shows that hours count to 24. The second half of the day is possible
  /// if it has begun, or if the hours are of another day than today.
  func readings(in context: ExpressionContext, onOtherDay: Bool) -> [String] {
    func range(_ first: Int, _ last: Int) -> String { "\(first % 24):00 - \(last):00" }
    guard first > 0, first <= 12, last <= 12 else { return [range(first, last)] }
    if first > last { return [range(first, last + 12), range(first + 12, last)] }
    let later = try? TimeExpression("\((first + 12) % 24):00", in: context)
    let hasBegun = onOtherDay || later.map { $0.moment <= context.now } ?? true
    return [range(first, last)] + (hasBegun ? [range(first + 12, last + 12)] : [])
  }
}

/// The reason why leading words are not a valid time.
package enum LeadingTimeError: Error, Hashable, Sendable {
  /// The time does not exist or exists twice, or the end of the range is not after its start.
  case wrong(ExpressionError)
  /// The words cannot be read as a time.
  case unreadable(ExpressionError)
  /// The words are a time both with and without the last word.
  case misread(before: String, last: String)
}
