import Retrace
import RetraceToolSupport
import TimeTracking

/// Times that users type.
extension EntryContext {
  /// Reads a time.
  ///
  /// After midnight, it may be one of the day before, see ``stopExpressions``.
  func time(_ text: String, option: String? = nil) throws(ToolFailure) -> TimeExpression {
    do throws(ExpressionError) {
      return try readings.time(text, in: stopExpressions)
    } catch {
      if case .unreadable = error, (try? DurationExpression(text)) != nil {
        throw .usage(
          "`\(text)` is a duration, and a time is needed.",
          advice: "Write \"\(text) ago\", or a time such as 9:00.")
      }
      throw .ambiguousTime(error, option: option)
    }
  }

  /// Reads a time; one without a day is on the day of an entry.
  ///
  /// A day begins when the preferences say, as in a report.
  ///
  /// - Parameters:
  ///   - text: The time.
  ///   - entry: The entry.
  ///   - option: The option that gives the time.
  ///   - fits: Returns whether a moment is possible; by default, whether it is in the entry. If the
  ///     moment on the day of the start is not, and the entry continues on the next day, the moment
  ///     on that day is taken.
  func time(
    _ text: String, on entry: TimeEntry, option: String? = nil,
    where fits: ((Moment) -> Bool)? = nil
  ) throws(ToolFailure) -> Moment {
    let days = days(of: entry)
    let first = try time(text, on: days.lowerBound, option: option)
    func isPossible(_ moment: Moment) -> Bool {
      fits?(moment) ?? (moment >= entry.start && moment <= entry.end ?? now)
    }
    guard !isPossible(first), days.upperBound > days.lowerBound else { return first }
    let next = try time(text, on: days.lowerBound.adding(days: 1), option: option)
    return isPossible(next) ? next : first
  }

  /// Returns the first and the last day of an entry.
  func days(of entry: TimeEntry) -> ClosedRange<CivilDate> {
    let (first, last) = (calendar.day(at: entry.start), calendar.day(at: entry.end ?? now))
    return first...max(first, last)
  }

  /// Reads a time; one without a day is on a given day.
  private func time(
    _ text: String, on day: CivilDate, option: String?
  ) throws(ToolFailure) -> Moment {
    guard text.contains(where: { $0 != " " }) else { throw .time(.empty, option: option) }
    do throws(ExpressionError) {
      return try readings.time(text, in: expressions.on(day)).moment
    } catch {
      guard case .unreadable = error else { throw .ambiguousTime(error, option: option) }
    }
    return try time(text, option: option).moment
  }

  /// Reads a duration; one without a unit could be minutes or hours.
  ///
  /// - Parameters:
  ///   - text: The duration.
  ///   - option: The option that gives it.
  func duration(_ text: String, option: String? = nil) throws(ToolFailure) -> ElapsedTime {
    do throws(ExpressionError) {
      return try readings.duration(text).time
    } catch {
      var failure = ToolFailure.ambiguousTime(error, option: option)
      failure.advice = "Give a duration such as 15m or 1h30."
      throw failure
    }
  }
}
