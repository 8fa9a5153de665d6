/// The error of a text that is not a time, a range or a duration.
///
/// It contains the user's text as it is, so escape it before printing.
public enum ExpressionError: Error, Hashable, Sendable {
  /// The kind of text that was expected.
  public enum Kind: Hashable, Sendable {
    /// A time, such as `yesterday 17:30`.
    case time
    /// A range, such as `9:00 - 10:30`.
    case range
    /// A duration, such as `1h30`.
    case duration
  }

  /// A unit of whole days that have numbers in a year.
  public enum Period: Hashable, Sendable {
    case week
    case month
    case quarter
  }

  /// The text is empty.
  case empty
  /// The text is longer than ``ExpressionContext/longestText``.
  case textTooLong
  /// The text is not in the grammar.
  case unreadable(String, Kind)
  /// The text has several readings, or one that is too easily mistaken; `instead` are texts that
  /// are accepted.
  case ambiguous(String, instead: [String])
  /// There is no such day, such as 30 February.
  case noSuchDay(String)
  /// There is no such week, month or quarter, such as 2026-13.
  case noSuchPeriod(String, Period)
  /// There is no such time of day, such as 9:60.
  case noSuchTime(String)
  /// Minutes or seconds after a larger unit are more than 59.
  case over59(String)
  /// A day or a longer unit stands in a duration, but days are not equally long.
  case notFixed(String)
  /// The text is a day, and a time is needed.
  case timeMissing(String)
  /// The text is a time, and a range is needed.
  case rangeMissing(String)
  /// Clocks skip the local time; they show the two others before and after.
  case skipped(LocalTime, before: TimeExpression, after: TimeExpression)
  /// Clocks show the local time twice.
  case repeated(LocalTime, TimeExpression, TimeExpression)
  /// The zone does not have the offset of this name at the local time.
  case noSuchOffset(String, LocalTime, zone: String)
  /// The end of a range is not later than its start.
  case endNotLater(start: TimeExpression, end: TimeExpression)
  /// The year is outside ``DateFormat/years``.
  case yearOutOfRange
  /// The duration is negative.
  case negative
  /// The duration is longer than ``DurationExpression/longest``.
  case durationTooLong
}

extension ExpressionError: CustomStringConvertible {
  /// The problem and the accepted forms, in words for the user.
  public var description: String {
    switch self {
    case .empty: "The text is empty."
    case .textTooLong: "The text is longer than \(ExpressionContext.longestText) bytes."
    case .unreadable(let text, let kind): "`\(text)` is not a \(kind.words)."
    case .ambiguous(let text, let instead):
      "`\(text)` could be misread. Write \(Self.list(instead))."
    case .noSuchDay(let text): "There is no day `\(text)`."
    case .noSuchPeriod(let text, let unit): "There is no \(unit.word) `\(text)`."
    case .noSuchTime(let text): "There is no time `\(text)`."
    case .over59(let text): "Minutes and seconds go to 59 in `\(text)`."
    case .notFixed(let text):
      "Days, weeks, months and years are not equally long: write hours instead of `\(text)`."
    case .timeMissing(let text): "`\(text)` is a day. Add a time, such as `\(text) 9:00`."
    case .rangeMissing(let text):
      "`\(text)` is a time. Add an end, such as `\(text) - 17:30` or `\(text) for 1h`."
    case .skipped(let local, let before, let after):
      "Clocks skipped \(local): the nearest times are \(before) and \(after)."
    case .repeated(let local, let first, let second):
      "Clocks showed \(local) twice. Write \(first) or \(second)."
    case .noSuchOffset(let name, let local, let zone):
      "\(local) in \(zone) is not in \(name). Leave \(name) out, or write an offset such as +02:00."
    case .endNotLater(let start, let end): "The end, \(end), is not later than the start, \(start)."
    case .yearOutOfRange:
      "The year is not in \(DateFormat.years.lowerBound) to \(DateFormat.years.upperBound)."
    case .negative: "A duration cannot be negative."
    case .durationTooLong: "The duration is longer than \(DurationExpression.longestHours) hours."
    }
  }

  private static func list(_ texts: [String]) -> String {
    texts.map { "`\($0)`" }.joined(separator: " or ")
  }
}

extension ExpressionError.Period {
  fileprivate var word: String {
    switch self {
    case .week: "week"
    case .month: "month"
    case .quarter: "quarter"
    }
  }
}

extension ExpressionError.Kind {
  /// The kind with examples.
  fileprivate var words: String {
    switch self {
    case .time:
      "time such as 9:00, 9am, yesterday 17:30, 2026-11-21 09:30, 10min ago or now"
    case .range:
      "range such as 9:00 - 10:30, 9:00 for 1h30, yesterday, :week, 2026-11 or from monday"
    case .duration: "duration such as 1h30, 90m, 1:30 or 1.5h"
    }
  }
}
