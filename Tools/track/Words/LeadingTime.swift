import CivilTime
import RetraceCommandLine
import RetraceToolSupport
import TimeTracking

/// A time or a range at the beginning of words.
enum LeadingTime {
  /// The most words of a time.
  private static var timeWordsMax: Int { 5 }
  /// The most words of a range.
  private static var rangeWordsMax: Int { 9 }

  /// Takes the words of a time from the beginning of words.
  ///
  /// - Returns: The time; `nil` if the words begin with no time.
  /// - Throws: Why a word that looks like a time is none, such as one that clocks skip.
  static func takeTime(
    from words: inout ArraySlice<String>, in context: ExpressionContext
  ) throws(ToolFailure) -> TimeExpression? {
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
        if Self.isWrongTime(error) { throw .time(error) }
        failure = error
        continue
      }
      let isShorter = (try? TimeExpression(Self.withoutLast(text), in: context)) != nil
      if isShorter, let failure = Self.misread(afterAt.prefix(count)) { throw failure }
      words = afterAt.dropFirst(count)
      return time
    }
    // The error of the first word alone.
    if let failure, isClock(first) { throw .time(failure) }
    return nil
  }

  /// Takes the words of a range with two ends from the beginning of words.
  ///
  /// - Returns: The range; `nil` if the words begin with no range.
  static func takeRange(
    from words: inout ArraySlice<String>, in context: ExpressionContext
  ) throws(ToolFailure) -> RangeExpression? {
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
      // An entry that takes whole days is not meant.
      guard range.end != nil, Self.hasClock(words.prefix(count)) else { continue }
      let shorter = try? RangeExpression(Self.withoutLast(text), in: context)
      if shorter?.end != nil, let failure = Self.misread(words.prefix(count)) { throw failure }
      words = words.dropFirst(count)
      return range
    }
    if let failure { throw .time(failure) }
    return nil
  }

  /// Refuses a range at the beginning of the words of a command that takes one time.
  ///
  /// - Parameters:
  ///   - words: The words in which a time may stand.
  ///   - whole: All words of the command.
  static func refuseRange(
    in words: ArraySlice<String>, before whole: ArraySlice<String>, _ context: ExpressionContext
  ) throws(ToolFailure) {
    let words = words.first == "at" ? words.dropFirst() : words
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
      let add = (whole.first == "at" ? whole.dropFirst() : whole).map(commandWord).joinedByBlanks
      throw .usage(
        "`\(text)` is a range, and an entry starts at one time.",
        advice: "Record an entry that has ended with `track add \(add)`.")
    }
  }

  /// Refuses a day that follows the times of a range.
  ///
  /// - Parameters:
  ///   - rest: The words after the range.
  ///   - words: The words with the range.
  static func refuseDay(
    at rest: ArraySlice<String>, in words: ArraySlice<String>
  ) throws(ToolFailure) {
    guard let day = rest.first, let first = words.first else { return }
    guard day == "today" || isRelativeDay(day) || isDate(day), !isDate(first),
      first != "today", !EntryWords.isOtherDay(first)
    else { return }
    let right = ([day] + words.prefix(words.count - rest.count) + rest.dropFirst())
      .map(commandWord).joinedByBlanks
    throw .usage(
      "The day \(day) stands after the times.",
      advice: "Write it before them, as in `track add \(right)`, or write -- before the "
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

  private static func withoutLast(_ text: String) -> String {
    text.lastIndex(of: " ").map { String(text[..<$0]) } ?? ""
  }

  /// Returns whether words name a time of day.
  static func hasClock(_ words: ArraySlice<String>) -> Bool {
    words.contains { word in
      let word = word.lowercased()
      let isHour = word.hasSuffix("am") || word.hasSuffix("pm") || word.hasSuffix("ago")
      // As in 20261121T173000Z.
      let isCompact = word.prefix(8).utf8.allSatisfy(isDigit) && word.dropFirst(8).hasPrefix("t")
      return word.contains(":") || isHour || isCompact
        || ["now", "noon", "midnight", "for"].contains(word)
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// Returns the failure of words that are a time with and without the last one, unless that is
  /// clearly a part of it, so that no word of a description is taken for one.
  private static func misread(_ words: ArraySlice<String>) -> ToolFailure? {
    guard let last = words.last, words.count > 1, !last.isEmpty, !last.contains(":"),
      !(EntryWords.looksLikeTime(last) && Int(last) == nil)
    else { return nil }
    let time = words.joinedByBlanks
    let before = words.dropLast().joinedByBlanks
    return .usage(
      "`\(time)` could be misread: \(last) is a part of the time or text.",
      advice: "Write \"\(time)\" in quotes for the time, or `\(before) -- \(last)` for the text.")
  }

  /// Returns whether words begin as `half an hour ago` or `an hour ago` does.
  private static func isAgo(_ words: ArraySlice<String>) -> Bool {
    let words = words.prefix(4).joinedByBlanks.lowercased().split(separator: " ")
    guard let first = words.first, words.prefix(4).contains("ago") else { return false }
    return ["a", "an"].contains(first) || words.starts(with: ["half", "an"])
  }

  /// Returns whether a text is a time that does not exist or exists twice, so that it is no text.
  private static func isWrongTime(_ error: ExpressionError) -> Bool {
    switch error {
    case .skipped, .repeated, .noSuchDay, .noSuchTime, .noSuchOffset: true
    default: false
    }
  }

  /// Returns whether a word has the form of a time of day, so that it is no text.
  static func isClock(_ word: String) -> Bool {
    word.contains(":") && word.utf8.allSatisfy { (0x30...0x3a).contains($0) }
  }
}

extension ToolFailure {
  /// Returns the failure for a time that is not understood.
  static func time(_ error: ExpressionError, option: String? = nil) -> ToolFailure {
    let advice =
      switch error {
      case .skipped, .repeated: "Write one of these times, with its offset."
      default:
        "Give a time such as 9:00 or \"yesterday 17:30\", or a range such as 9:00 - 10:30."
      }
    return .usage(option.map { "\($0): \(error)" } ?? "\(error)", advice: advice)
  }
}
