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
  ///   time that clocks skip.
  package static func readTime(
    from words: inout ArraySlice<String>, in context: ExpressionContext
  ) throws(LeadingTimeError) -> TimeExpression? {
    let afterAt = words.first == "at" ? words.dropFirst() : words
    guard let first = afterAt.first, EntryWords.looksLikeTime(first) || isAgo(afterAt) else {
      return nil
    }
    var failure: ExpressionError?
    for count in stride(from: min(timeWordsMax, afterAt.count), to: 0, by: -1) {
      let text = afterAt.prefix(count).joinedByBlanks
      let time: TimeExpression
      do throws(ExpressionError) {
        time = try TimeExpression(text, in: context)
      } catch {
        if Self.isWrongTime(error) { throw .wrong(error) }
        failure = error
        continue
      }
      let isTimeWithoutLast = (try? TimeExpression(Self.withoutLastWord(text), in: context)) != nil
      if isTimeWithoutLast, let failure = Self.misread(afterAt.prefix(count)) { throw failure }
      words = afterAt.dropFirst(count)
      return time
    }
    // The last attempt was the first word alone.
    if let failure, isClock(first) { throw .unreadable(failure) }
    return nil
  }

  /// Removes a range with two ends from the beginning of words, and returns it.
  ///
  /// - Returns: The range; `nil` if the words do not begin with a range.
  package static func readRange(
    from words: inout ArraySlice<String>, in context: ExpressionContext
  ) throws(LeadingTimeError) -> RangeExpression? {
    guard let first = words.first,
      EntryWords.looksLikeTime(first) || first == "from" || isAgo(words)
    else {
      return nil
    }
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
      if shorter?.end != nil, let failure = Self.misread(words.prefix(count)) { throw failure }
      words = words.dropFirst(count)
      return range
    }
    switch failure {
    case .endNotLater(let start, let end): throw .wrong(.endNotLater(start: start, end: end))
    case let failure?: throw isWrongTime(failure) ? .wrong(failure) : .unreadable(failure)
    case nil: return nil
    }
  }

  private static func withoutLastWord(_ text: String) -> String {
    text.lastIndex(of: " ").map { String(text[..<$0]) } ?? ""
  }

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

  /// Returns whether an error is about a time that does not exist or exists twice.
  ///
  /// Such words are not a description.
  private static func isWrongTime(_ error: ExpressionError) -> Bool {
    switch error {
    case .skipped, .repeated, .noSuchDay, .noSuchTime, .noSuchOffset: true
    default: false
    }
  }

  /// Returns whether a word has the form of a time of day, such as `9:00`.
  private static func isClock(_ word: String) -> Bool {
    word.contains(":") && word.utf8.allSatisfy { (0x30...0x3a).contains($0) }
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
