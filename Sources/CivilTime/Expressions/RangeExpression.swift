import RetraceState

/// A range of time that a user typed, such as `9:00 - 10:30`, `monday - friday` or `:lastweek`.
///
/// The range contains its start and not its end. Days, weeks, months and years are counted in the
/// calendar and begin at the first moment of a day in the zone, so that a day may have 23 or 25
/// hours, and none if clocks skip it. A day or a period at the end of a range belongs to it.
///
/// An end without a day is on the day of the start, or on the next day if the clock would not be
/// later; ``note`` says so.
public struct RangeExpression: Hashable, Sendable {
  /// The start.
  public let start: TimeExpression
  /// The end, which is not part of the range; `nil` if the range has no end, as in `from monday`.
  public let end: TimeExpression?
  /// The note to print beside the moments, such as which day a weekday is.
  public let note: String?
  /// Whether the end is on the next day because its time of day is not later than the start's.
  package let isEndOnNextDay: Bool

  /// Reads a range.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - context: What the range depends on.
  ///   - takesDigits: Whether three or four digits beside ` - ` and before ` for ` are a time of
  ///     day, as in ``TimeExpression/init(_:in:takesDigits:)``.
  /// - Throws: ``ExpressionError`` if the text is not one range.
  /// - Complexity: O(log transitions), because longer texts than
  ///   ``ExpressionContext/longestText`` are refused.
  public init(
    _ text: String, in context: ExpressionContext, takesDigits: Bool = false
  ) throws(ExpressionError) {
    var text = try ExpressionText(text)
    try context.check()
    if let hours = try Self.lastHours(text, in: context) {
      self = hours
      return
    }
    let isOpen = text.accept("from ") || text.accept("since ")
    if isOpen { text = text.part(text.index..<text.bytes.count) }
    if let (start, length) = text.split(at: " for ") {
      self = try Self.lasting(
        DurationExpression(length), from: start, in: context, takesDigits: takesDigits)
    } else if let sides = try Self.sides(of: text, in: context, takesDigits: takesDigits) {
      self = try Self.between(sides.0, sides.1, in: context)
    } else {
      let side =
        isOpen
        ? try RangeSide.beside(text, isEnd: false, in: context, takesDigits: takesDigits)
        : try RangeSide(text, in: context)
      let start = try side.start(in: context)
      let isOfDays = side.days(in: context) != nil
      guard isOpen || isOfDays else { throw Self.missingEnd(of: side, text) }
      let end = isOpen ? nil : try side.end(after: start, in: context)
      let note = start.moment == end?.moment ? "clocks skipped this day" : start.note
      self.init(start: start, end: end, notes: [note])
    }
  }

  private init(start: TimeExpression, end: TimeExpression?, notes: [String?]) {
    self.start = TimeExpression(moment: start.moment, offset: start.offsetSeconds, note: nil)
    self.end = end.map { TimeExpression(moment: $0.moment, offset: $0.offsetSeconds, note: nil) }
    isEndOnNextDay = end?.note == RangeSide.nextDayNote
    let notes = notes.compactMap { $0 }
    note = notes.isEmpty ? nil : notes.joined(separator: "; ")
  }

  /// Reads `last 24 hours` and `last 30 minutes`, which end now; returns `nil` for another text.
  private static func lastHours(
    _ text: ExpressionText, in context: ExpressionContext
  ) throws(ExpressionError) -> RangeExpression? {
    var text = text
    guard text.accept("last "), let count = text.number(1...4), text.accept(" "),
      case .fixed(let unit) = ExpressionWords.unit(text.word()), text.isAtEnd, count > 0
    else { return nil }
    let length = ElapsedTime(microseconds: -Int64(count) * unit)
    return RangeExpression(
      start: try context.time(context.now.adding(length)), end: try context.time(context.now),
      notes: [])
  }

  /// Returns the sides of a range, with dates in the same order of day and month.
  ///
  /// If the order is clear in one side only, as in `1.10.2026 - 31.10.2026`, the date of the other
  /// is returned as `2026-10-01`.
  private static func settled(
    _ start: ExpressionText, _ end: ExpressionText, in context: ExpressionContext
  ) -> (ExpressionText, ExpressionText) {
    guard
      let (first, last) = start.numericDate.flatMap({ first in end.numericDate.map { (first, $0) } }
      ),
      first.separator == last.separator
    else { return (start, end) }
    func written(_ text: ExpressionText, _ date: NumericDate, like other: NumericDate)
      -> ExpressionText
    {
      guard date.isDayFirst == nil, let isDayFirst = other.isDayFirst,
        let day = date.day(isDayFirst: isDayFirst, in: context)
      else { return text }
      let words = text.words.map { $0 == date.word ? day.description : $0 }
      return (try? ExpressionText(words.joined(separator: " "))) ?? text
    }
    return (written(start, first, like: last), written(end, last, like: first))
  }

  /// Returns the readings of two numbers with a hyphen, such as `9-10` and `11-24`: two hours, and
  /// the latest day of a month up to today; `nil` for another text.
  private static func readings(
    ofNumbers text: ExpressionText, in context: ExpressionContext
  ) -> [String]? {
    var rest = text
    guard let first = rest.number(1...2), rest.accept("-"), let last = rest.number(1...2),
      rest.isAtEnd
    else { return nil }
    let hours = first < 24 && last <= 24 && first != last ? ["\(first):00 - \(last):00"] : []
    let today = CivilDate(daysSince1970: context.today)
    let days = [0, 1].compactMap { CivilDate(year: today.year - $0, month: first, day: last) }
    return hours + (days.first { $0 <= today }.map { [$0.description] } ?? [])
  }

  /// Returns the error of a time without an end, such as `9:00`, and of one with an offset that is
  /// probably its end, such as `9:00 -10:30`.
  private static func missingEnd(of side: RangeSide, _ text: ExpressionText) -> ExpressionError {
    guard case .seconds(let offset) = side.point?.offset, offset < 0,
      let hyphen = text.positions(of: " -").last
    else { return .rangeMissing(text.text) }
    let (head, tail) = (text.part(0..<hyphen), text.part(hyphen + 2..<text.bytes.count))
    return .ambiguous(
      text.text, instead: ["\(head.text) - \(tail.text)", "\(text.text) for 1h"])
  }

  private static func lasting(
    _ length: DurationExpression, from text: ExpressionText, in context: ExpressionContext,
    takesDigits: Bool
  ) throws(ExpressionError) -> RangeExpression {
    let side = try RangeSide(text, in: context, takesDigits: takesDigits)
    guard side.days(in: context) == nil else { throw .timeMissing(text.text) }
    let start = try side.start(in: context)
    let end = try context.time(start.moment.adding(length.time))
    guard end.moment > start.moment else { throw .endNotLater(start: start, end: end) }
    return RangeExpression(start: start, end: end, notes: [start.note])
  }

  private static func between(
    _ first: RangeSide, _ second: RangeSide, in context: ExpressionContext
  ) throws(ExpressionError) -> RangeExpression {
    let start = try first.start(in: context)
    let end = try second.end(after: start, in: context)
    guard end.moment > start.moment else { throw .endNotLater(start: start, end: end) }
    return RangeExpression(start: start, end: end, notes: [start.note, end.note])
  }

  /// Returns the two sides of a range, or `nil` if the text has only one.
  private static func sides(
    of text: ExpressionText, in context: ExpressionContext, takesDigits: Bool
  ) throws(ExpressionError) -> (RangeSide, RangeSide)? {
    let parts = text.split(at: " - ") ?? text.split(at: " to ") ?? text.split(at: " until ")
    if let (start, end) = parts.map({ settled($0, $1, in: context) }) {
      return (
        try RangeSide.beside(start, isEnd: false, in: context, takesDigits: takesDigits),
        try RangeSide.beside(end, isEnd: true, in: context, takesDigits: takesDigits)
      )
    }
    // A hyphen without blanks also stands in dates, in offsets and before durations.
    let whole: RangeSide?
    var failure = ExpressionError.unreadable(text.text, .range)
    do throws(ExpressionError) {
      whole = try RangeSide(text, in: context)
    } catch {
      whole = nil
      if case .unreadable = error {} else { failure = error }
    }
    let isUnreadable = if case .unreadable = failure { true } else { false }
    if let point = whole?.point, point.isLikeRange {
      if point.isTimestamp {
        let hyphen = text.positions(of: "-").last ?? 0
        let (head, tail) = (text.part(0..<hyphen), text.part(hyphen + 1..<text.bytes.count))
        throw .ambiguous(text.text, instead: ["\(head.text) - \(tail.text)"])
      }
    } else if whole != nil {
      return nil
    }
    let hyphens = text.positions(of: "-")
    var found: [(RangeSide, RangeSide)] = []
    for hyphen in hyphens {
      do throws(ExpressionError) {
        let start = try RangeSide(text.part(0..<hyphen), in: context)
        let end = try RangeSide(text.part(hyphen + 1..<text.bytes.count), in: context)
        let isClear = start.point?.isLikeRange != true && end.point?.isLikeRange != true
        if isClear && start.isPoint && end.isPoint { found.append((start, end)) }
      } catch {
        if case .unreadable = error { continue }
        if case .unreadable = failure, hyphens.count == 1 { failure = error }
      }
    }
    guard found.count == 1 else {
      // The error of one side, such as `11` of `11-24`, would be about an hour.
      guard text.bytes.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }),
        hyphens.count == 1, isUnreadable
      else { throw failure }
      guard let readings = readings(ofNumbers: text, in: context), !readings.isEmpty else {
        throw .unreadable(text.text, .range)
      }
      throw .ambiguous(text.text, instead: readings)
    }
    return found[0]
  }
}

extension RangeExpression: CustomStringConvertible {
  /// The range as `2026-11-21 09:00 +01:00 - 2026-11-21 10:30 +01:00`, or `from` and its start.
  ///
  /// The text can be read again, unless the range is empty because clocks skipped its day.
  public var description: String { end.map { "\(start) - \($0)" } ?? "from \(start)" }
}
