import CivilTime
import RetraceFilter
import RetraceState

/// A reader of the times in a term.
struct ConditionTimes {
  /// The key: `date`, `day`, `week` or `month`.
  let key: EntryConditionKey
  let context: ExpressionContext

  /// Returns the bounds of the times for which a comparison with a text holds.
  ///
  /// The text is a period or, unless the comparison is `:`, a point in time.
  func bounds(
    _ comparison: FilterComparison, _ text: String
  ) throws(EntryConditionError) -> ConditionBounds {
    do throws(ExpressionError) {
      let text = expandingThisAndLast(text)
      if comparison == .equal {
        return ConditionBounds(comparison, try range(text))
      }
      if let period = try period(text) { return ConditionBounds(comparison, period) }
      let point = try TimeExpression(text, in: context).moment.microseconds
      return ConditionBounds(comparison, point..<point + 1)
    } catch {
      throw .unreadable(key, errorForNumbers(text) ?? error)
    }
  }

  /// Returns the bounds of a range; an empty side is open.
  func bounds(_ start: String, _ end: String) throws(EntryConditionError) -> ConditionBounds {
    if start.utf8.isEmpty && end.utf8.isEmpty { return ConditionBounds(first: .min, last: .max) }
    if start.utf8.isEmpty { return try bounds(.lessOrEqual, end) }
    if end.utf8.isEmpty { return try bounds(.greaterOrEqual, start) }
    do throws(ExpressionError) {
      let (start, end) = (expandingThisAndLast(start), expandingThisAndLast(end))
      if let first = try period(start), let last = try period(end),
        first.lowerBound < last.upperBound
      {
        return ConditionBounds(.equal, first.lowerBound..<last.upperBound)
      }
      // The end may depend on the start, as in `monday..friday` and `9:00..10:00`.
      return ConditionBounds(.equal, try range("\(start) - \(end)"))
    } catch {
      throw .unreadable(key, errorForNumbers(start) ?? errorForNumbers(end) ?? error)
    }
  }

  /// Returns the period of a text, or `nil` if it is a point in time.
  private func period(_ text: String) throws(ExpressionError) -> Range<Int64>? {
    do throws(ExpressionError) {
      return try range(text)
    } catch {
      if case .rangeMissing = error { return nil }
      throw error
    }
  }

  /// Returns the range in microseconds.
  ///
  /// With the keys `week` and `month`, a day means its week or month.
  private func range(_ text: String) throws(ExpressionError) -> Range<Int64> {
    let calendar = ReportCalendar(
      context.zone, firstWeekday: context.firstWeekday, dayStart: context.dayStart)
    let (start, end, days) = try calendar.range(of: text, in: context)
    guard let end else { return start.microseconds..<Int64.max }
    var moments = start..<max(start, end)
    if let days, days.lowerBound.adding(days: 1) == days.upperBound {
      let day = days.lowerBound
      if key == .week {
        moments = calendar.range(of: day.week(startingOn: context.firstWeekday))
      }
      if key == .month { moments = calendar.range(of: day.monthDates) }
    }
    return moments.lowerBound.microseconds..<moments.upperBound.microseconds
  }

  /// Returns the error for a text of numbers that is no full period, such as `3` for a month.
  ///
  /// The error suggests the latest month, week or day with these numbers that has begun. If there
  /// is none, the error says that the text is not a range.
  ///
  /// - Returns: `nil` for other texts.
  private func errorForNumbers(_ text: String) -> ExpressionError? {
    let parts = text.split { $0 == "-" || $0 == "/" }
    let numbers = parts.compactMap { Int($0) }
    guard let first = numbers.first, let last = numbers.last else { return nil }
    // A number after `date:` may be an hour.
    let noPeriod: ExpressionError? = key == .date ? nil : .unreadable(text, .range)
    guard numbers.count == parts.count else { return noPeriod }
    guard numbers.count <= 2 else { return nil }
    let today = context.zone.local(at: context.now).date
    let months = [today, today.adding(days: -today.day)]
    let years = [today.year, today.year - 1]
    func joined(_ numbers: Int...) -> String {
      numbers.map { padded($0, to: 2) }.joined(separator: "-")
    }
    let known: [String] =
      switch (key, numbers.count) {
      case (.month, 1): years.map { joined($0, first) }
      case (.month, _): [joined(max(first, last), min(first, last))]
      case (.week, 1): years.map { "\($0)-W\(padded(first, to: 2))" }
      case (.day, 1): months.map { joined($0.year, $0.month, first) }
      default: []
      }
    let found = known.first { known in
      (try? range(known)).map { $0.lowerBound <= context.now.microseconds } ?? false
    }
    if let found { return .ambiguous(text, instead: [found]) }
    return numbers.count == 1 ? noPeriod : nil
  }

  /// Returns the text with the values `this` and `last` expanded, unless the key is `date`.
  private func expandingThisAndLast(_ text: String) -> String {
    let word = Name(text)
    guard key != .date, word == Name("this") || word == Name("last") else { return text }
    if key == .day { return word == Name("this") ? ":today" : ":yesterday" }
    return word == Name("this") ? ":\(key.rawValue)" : ":last\(key.rawValue)"
  }
}
