public import Retrace

/// The reason why a text is not a time, a range or a duration: an `ExpressionError`, as it is
/// recorded.
///
/// Its texts are what the user typed, or could type instead.
public enum TimeTextProblem: Recordable, Hashable {
  /// The text is empty.
  case empty
  /// The text is too long.
  case textTooLong
  /// The text is not in the grammar.
  case unreadable(String, TimeTextKind)
  /// The text has several readings, or one that is too easily mistaken.
  case ambiguous(String, instead: [String])
  /// There is no such day.
  case noSuchDay(String)
  /// There is no such week, month or quarter.
  case noSuchPeriod(String, TimeTextPeriod)
  /// There is no such time of day.
  case noSuchTime(String)
  /// Minutes or seconds after a larger unit are more than 59.
  case over59(String)
  /// A day or a longer unit stands in a duration.
  case notFixed(String)
  /// The text is a day, and a time is needed.
  case timeMissing(String)
  /// The text is a time, and a range is needed.
  case rangeMissing(String)
  /// Clocks skip the local time, in seconds since 1970-01-01 00:00.
  case skipped(local: Int64, before: ClockMoment, after: ClockMoment)
  /// Clocks show the local time twice, in seconds since 1970-01-01 00:00.
  case repeated(local: Int64, ClockMoment, ClockMoment)
  /// The zone does not have the offset of this name at the local time, in seconds since 1970-01-01
  /// 00:00.
  case noSuchOffset(String, local: Int64, zone: String)
  /// The end of a range is not later than its start.
  case endNotLater(start: ClockMoment, end: ClockMoment)
  /// Dates do not have such a year.
  case yearOutOfRange
  /// The duration is negative.
  case negative
  /// The duration is too long.
  case durationTooLong
}

/// The kind of text that was expected.
public enum TimeTextKind: Recordable, Hashable {
  case time
  case range
  case duration
}

/// A unit of whole days that have numbers in a year.
public enum TimeTextPeriod: Recordable, Hashable {
  case week
  case month
  case quarter
}

/// A moment, and what clocks show then.
public struct ClockMoment: Recordable, Hashable {
  /// The moment.
  public var moment: Moment
  /// The offset of the clocks from UTC, in seconds.
  public var offsetSeconds: Int32

  /// Creates a value.
  public init(moment: Moment, offsetSeconds: Int32) {
    (self.moment, self.offsetSeconds) = (moment, offsetSeconds)
  }
}

extension TimeTextProblem {
  /// Creates the recorded form of an error.
  init(_ error: ExpressionError) {
    self =
      switch error {
      case .empty: .empty
      case .textTooLong: .textTooLong
      case .unreadable(let text, let kind): .unreadable(text, TimeTextKind(kind))
      case .ambiguous(let text, let instead): .ambiguous(text, instead: instead)
      case .noSuchDay(let text): .noSuchDay(text)
      case .noSuchPeriod(let text, let period): .noSuchPeriod(text, TimeTextPeriod(period))
      case .noSuchTime(let text): .noSuchTime(text)
      case .over59(let text): .over59(text)
      case .notFixed(let text): .notFixed(text)
      case .timeMissing(let text): .timeMissing(text)
      case .rangeMissing(let text): .rangeMissing(text)
      case .skipped(let local, let before, let after):
        .skipped(
          local: local.secondsSince1970, before: ClockMoment(before),
          after: ClockMoment(after))
      case .repeated(let local, let first, let second):
        .repeated(
          local: local.secondsSince1970, ClockMoment(first), ClockMoment(second))
      case .noSuchOffset(let name, let local, let zone):
        .noSuchOffset(name, local: local.secondsSince1970, zone: zone)
      case .endNotLater(let start, let end):
        .endNotLater(start: ClockMoment(start), end: ClockMoment(end))
      case .yearOutOfRange: .yearOutOfRange
      case .negative: .negative
      case .durationTooLong: .durationTooLong
      }
  }

  /// The error, without notes on its times.
  var error: ExpressionError {
    func local(_ seconds: Int64) -> LocalTime { LocalTime(secondsSince1970: seconds) }
    return switch self {
    case .empty: .empty
    case .textTooLong: .textTooLong
    case .unreadable(let text, let kind): .unreadable(text, kind.kind)
    case .ambiguous(let text, let instead): .ambiguous(text, instead: instead)
    case .noSuchDay(let text): .noSuchDay(text)
    case .noSuchPeriod(let text, let period): .noSuchPeriod(text, period.period)
    case .noSuchTime(let text): .noSuchTime(text)
    case .over59(let text): .over59(text)
    case .notFixed(let text): .notFixed(text)
    case .timeMissing(let text): .timeMissing(text)
    case .rangeMissing(let text): .rangeMissing(text)
    case .skipped(let seconds, let before, let after):
      .skipped(local(seconds), before: before.time, after: after.time)
    case .repeated(let seconds, let first, let second):
      .repeated(local(seconds), first.time, second.time)
    case .noSuchOffset(let name, let seconds, let zone):
      .noSuchOffset(name, local(seconds), zone: zone)
    case .endNotLater(let start, let end): .endNotLater(start: start.time, end: end.time)
    case .yearOutOfRange: .yearOutOfRange
    case .negative: .negative
    case .durationTooLong: .durationTooLong
    }
  }
}

extension TimeTextKind {
  fileprivate init(_ kind: ExpressionError.Kind) {
    self =
      switch kind {
      case .time: .time
      case .range: .range
      case .duration: .duration
      }
  }

  fileprivate var kind: ExpressionError.Kind {
    switch self {
    case .time: .time
    case .range: .range
    case .duration: .duration
    }
  }
}

extension TimeTextPeriod {
  fileprivate init(_ period: ExpressionError.Period) {
    self =
      switch period {
      case .week: .week
      case .month: .month
      case .quarter: .quarter
      }
  }

  fileprivate var period: ExpressionError.Period {
    switch self {
    case .week: .week
    case .month: .month
    case .quarter: .quarter
    }
  }
}

extension ClockMoment {
  fileprivate init(_ time: TimeExpression) {
    self.init(moment: time.moment, offsetSeconds: time.offsetSeconds)
  }

  var time: TimeExpression {
    TimeExpression(moment: moment, offset: offsetSeconds, note: nil)
  }
}
