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
  /// - Parameters:
  ///   - text: The time.
  ///   - entry: The entry.
  ///   - option: The option that gives the time.
  ///   - fits: Returns whether a moment is possible. If the moment on the day of the start is not,
  ///     and the entry continues after midnight, the moment on the next day is taken.
  func time(
    _ text: String, on entry: TimeEntry, option: String? = nil,
    where fits: (Moment) -> Bool = { _ in true }
  ) throws(ToolFailure) -> Moment {
    let day = rules.local(at: entry.start).date
    let first = try time(text, on: day, option: option)
    guard !fits(first), rules.local(at: entry.end ?? now).date > day else {
      return first
    }
    let next = try time(text, on: day.adding(days: 1), option: option)
    return fits(next) ? next : first
  }

  /// Reads a time; one without a day is on a given day.
  private func time(
    _ text: String, on day: CivilDate, option: String?
  ) throws(ToolFailure) -> Moment {
    guard text.contains(where: { $0 != " " }) else { throw .time(.empty, option: option) }
    do throws(ExpressionError) {
      return try readings.time("\(day) \(text)", in: expressions).moment
    } catch {
      // A text that is no time of day may name a day.
      guard case .unreadable = error else { throw .ambiguousTime(error, option: option) }
    }
    return try time(text, option: option).moment
  }
}
