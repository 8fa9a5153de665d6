import Retrace
import RetraceCommandLine
import RetraceFilter
import RetraceToolSupport
import TimeTracking
import TrackerApp
import TrackerFeatures

/// The words of a command line that are a range, such as `:week` or `monday - friday`.
///
/// Words such as `@thesis`, `#focus`, `client:ACME` and `not @thesis` among them are terms of a
/// filter; those after `--` are not.
struct RangeWords {
  /// The operand of a command without a filter.
  static let rangeOperand = CommandOperand(
    "range", isOptional: true, repeats: true, kind: .range,
    "A range such as :week, last month, yesterday, week 47, 2026-03, \"from monday\", :all or "
      + "2026-03-01 - 2026-03-05; see `track help times`.")
  /// The operand of a command with a filter.
  static let operand = CommandOperand(
    "range", isOptional: true, repeats: true, kind: .tracker(.rangeAndTerms),
    "\(rangeOperand.help) Words such as @thesis, +focus, client:ACME, \"duration>1h\", saved:NAME "
      + "and not +focus are terms of the filter; see `track help filters`. An entry must match all "
      + "of them, but of several projects one.")

  private var words: [String]
  let terms: [FilterExpression]
  private let readings: ChosenReadings

  /// Reads the words of a command line.
  ///
  /// - Parameters:
  ///   - arguments: The words.
  ///   - context: The readings that the user chose.
  init(_ arguments: CommandArguments, in context: VerbContext) {
    var words: [String] = []
    var terms: [FilterExpression] = []
    for (index, word) in arguments.operands.enumerated() {
      let isOffset = EntryWords.isOffset(word, after: words.last)
      let term =
        index < arguments.operandsBeforeEnd && !isOffset ? Self.term(word) : nil
      guard let term else {
        words += Self.withoutDots(word)
        continue
      }
      let isNegated = words.last == "not"
      if isNegated { words.removeLast() }
      terms.append(isNegated ? .not(.term(term)) : .term(term))
    }
    self.terms = terms
    self.words = words
    readings = context.readings
  }

  init(_ text: String) {
    words = text.isEmpty ? [] : [text]
    terms = []
    readings = ChosenReadings()
  }

  /// Returns the words of a range that is written as in a filter: `2026-09..2026-10`, or open as
  /// `2026-09..`; a word without two dots is returned as it is.
  private static func withoutDots(_ word: String) -> [String] {
    guard
      case .term(.field(_, _, .range(let start, let end))) = try? FilterExpression("date:\(word)"),
      !start.isEmpty
    else { return [word] }
    return end.isEmpty ? ["from", start] : [start, "-", end]
  }

  /// Reads the words of a range, and the filter of a command, which has the terms among the words.
  ///
  /// Without a range, a filter that asks for dates gets all entries, and not the default range.
  static func withFilter(
    _ arguments: CommandArguments, in context: VerbContext
  ) throws(ToolFailure) -> (RangeWords, FilterOptions) {
    var range = RangeWords(arguments, in: context)
    let filter = try FilterOptions(arguments, and: range.terms, in: context)
    if range.isEmpty, filter.hasDates { range.words = [":all"] }
    return (range, filter)
  }

  /// The words of the range, with blanks between them.
  var text: String { words.joinedByBlanks }

  /// Returns the text of the range, with the name of a period where the words leave it out: `last`
  /// and `47` are `last week` and `week 47`.
  private func text(ofPeriod name: String) -> String {
    let word = text.lowercased()
    switch (word, name) {
    case ("last", "day"): return "yesterday"
    case ("this", "day"): return "today"
    case ("last", _), ("this", _): return "\(word) \(name)"
    default:
      return name != "day" && word.utf8.count <= 2 && Int(word).map { $0 >= 0 } ?? false
        ? "\(name) \(word)" : text
    }
  }

  /// Whether the words mean all entries.
  var areAll: Bool { text == ":all" }

  /// The number of periods before the present one that the words mean, such as 1 for `-1`; `nil`
  /// for other words.
  var periodsBack: Int? {
    guard (2...4).contains(text.utf8.count), let number = Int(text), number < 0 else { return nil }
    return -number
  }

  /// Whether there are no words of a range.
  var isEmpty: Bool { words.isEmpty }

  /// Returns the term that a word is; `nil` for a word of a range.
  private static func term(_ word: String) -> FilterTerm? {
    guard word.utf8.count > 1 else { return nil }
    let name = String(word.dropFirst())
    if word.hasPrefix("@") { return .project(name) }
    if word.hasPrefix("#") || word.hasPrefix("+") { return .tag(name) }
    func isKey(_ name: String) -> Bool {
      EntryConditionKey(name: name) != nil || name == SavedFilters.key
    }
    if case .term(let term) = try? FilterExpression(word), case .field(let key, _, _) = term {
      return isKey(key) ? term : nil
    }
    guard let colon = word.firstIndex(of: ":") else { return nil }
    let (key, value) = (String(word[..<colon]), String(word[colon...].dropFirst()))
    guard !value.isEmpty, isKey(key) else { return nil }
    // A value with blanks, which was quoted in the shell.
    return .field(key: key, .equal, .text(value))
  }

  /// The advice for finding entries by the words instead.
  private var searchAdvice: String {
    let filter = words.map { FilterTerm.text($0).description }.joinedByBlanks
    return "To find entries by words, use `track search "
      + "\(words.map(commandWord).joinedByBlanks)` or --filter \(quotedWord(filter))."
  }

  /// Returns the range that the words mean.
  ///
  /// A range of whole days is one of the days of the calendar, which may begin later than midnight.
  ///
  /// - Parameters:
  ///   - calendar: The calendar.
  ///   - moment: The present.
  ///   - period: The period that `last`, `this` and a number mean, such as `week`.
  /// - Throws: A usage failure if the words are no range.
  func range(
    in calendar: ReportCalendar, at moment: Moment, of period: String? = nil
  ) throws(ToolFailure) -> EntryRange {
    guard !areAll else { return .all }
    var chosen = self
    while true {
      let text = period.map(chosen.text(ofPeriod:)) ?? chosen.text
      do throws(ExpressionError) {
        let range = try calendar.range(of: text, at: moment)
        if let days = range.days { return EntryRange(days: days, in: calendar) }
        return EntryRange(from: range.start, to: range.end)
      } catch {
        let words = text.split(separator: " ").map(String.init)
        let context = calendar.expressionContext(at: moment)
        guard let next = readings.chosen(in: words[...], after: error, context) else {
          throw failure(text, error)
        }
        chosen.words = Array(next)
      }
    }
  }

  /// Returns the failure of words that are no range.
  private func failure(_ text: String, _ error: ExpressionError) -> ToolFailure {
    if case .unreadable = error {
      for word in words {
        if let advice = Self.advice(onHint: word) {
          return .usage("\(word) is a hint of timewarrior and no range.", advice: advice)
        }
        if let failure = FilterOptions.unknownKey(word) { return failure }
      }
    }
    var advice = "Give a range such as :week, yesterday or 2026-03-01 - 2026-03-05."
    if case .unreadable = error, text.first?.isLetter == true {
      advice += " \(searchAdvice)"
    }
    if let number = Int(text) {
      advice +=
        number < 0
        ? " The newest entries are listed by `track log --limit \(number.magnitude)`."
        : " The entry of that number is listed by `track log id:\(number)`."
    }
    var failure = ToolFailure.usage("\(error)", advice: advice)
    failure.readings = error.readings
    return failure
  }

  /// Returns the advice on a hint that reports of timewarrior take; `nil` for another word.
  private static func advice(onHint word: String) -> String? {
    switch word {
    case ":ids", ":noids": "Leave it out; the ids are always listed."
    case ":annotations": "Leave it out; `track log --json` lists the annotations."
    case ":tags": "Leave it out; the tags are always listed. `track report --by tag` sums by them."
    case ":fill", ":adjust": "Leave it out; it is for commands that record time."
    case ":blank", ":color", ":nocolor", ":debug", ":lock", ":quiet", ":yes": "Leave it out."
    default: nil
    }
  }
}

/// The range of time whose entries a command reads.
struct EntryRange {
  /// The moments; without an end, up to the last moment of all entries.
  let moments: Range<Moment>
  let hasEnd: Bool
  /// The days, if the range is one of whole days.
  let dates: Range<CivilDate>?

  static let all = EntryRange(from: TimeEntry.moments.lowerBound, to: nil)

  /// Creates a range of whole days.
  init(days: Range<CivilDate>, in calendar: ReportCalendar) {
    moments = calendar.range(of: days)
    hasEnd = true
    dates = days
  }

  /// Creates a range between two moments.
  init(from start: Moment, to end: Moment?) {
    moments = start..<max(start, end ?? TimeEntry.moments.upperBound)
    hasEnd = end != nil
    dates = nil
  }

  /// Returns the line above a report: the range, the time zone, and when its days begin, if that is
  /// not at midnight.
  func heading(in calendar: ReportCalendar) -> String {
    let dayStart = calendar.dayStart
    let days = dayStart > .zero ? ", days from \(dayStart.hoursAndMinutes)" : ""
    return "\(text(in: calendar)), \(calendar.rules.id)\(days)"
  }

  /// Returns the range as it is shown: days, or times by the clocks of the calendar.
  func text(in calendar: ReportCalendar) -> String {
    let style = calendar.style
    if let dates { return calendar.text(of: dates) }
    guard hasEnd || moments.lowerBound > TimeEntry.moments.lowerBound else { return "All entries" }
    func text(_ moment: Moment) -> String {
      let local = calendar.rules.local(at: moment)
      return "\(style.withWeekday(local.date)) \(style.clock(local))"
    }
    let start = text(moments.lowerBound)
    guard hasEnd else { return "from \(start)\(calendar.rules.offsetMark(at: moments.lowerBound))" }
    let marks = calendar.rules.offsetMarks(from: moments.lowerBound, to: moments.upperBound)
    return "\(start)\(marks.start) - \(text(moments.upperBound))\(marks.end)"
  }

  /// Returns the notes about days of the range with more or less than 24 hours, a line for each.
  ///
  /// A range of more than 31 days has none, because the lines would be no help.
  ///
  /// - Parameter matters: Whether a change of the clocks matters.
  func clockNotes(
    in calendar: ReportCalendar, _ matters: (ZoneChange) -> Bool
  ) -> [String] {
    guard let dates else { return [] }
    let count = dates.upperBound.daysSince1970 - dates.lowerBound.daysSince1970
    guard count <= 31 else { return [] }
    return (0..<count).compactMap { number in
      let day = calendar.zoneDay(dates.lowerBound.adding(days: number))
      return day.changes.contains(where: matters) ? day.explanation.map { "\($0)." } : nil
    }
  }

  /// Returns the range for programs.
  func json(in calendar: ReportCalendar) -> JSONValue {
    [
      "start": .string(moments.lowerBound.timestamp),
      "end": hasEnd ? .string(moments.upperBound.timestamp) : .null,
      "zone": .string(calendar.rules.id),
    ]
  }
}
