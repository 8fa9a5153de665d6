package import Retrace
import RetraceSystem

/// A time that a user gave in an option, a filter or a step: a moment, or a day or a longer period.
///
/// Every text of the tools that names a time is read here.
package enum TypedTime: Hashable, Sendable {
  case moment(Moment)
  case period(Range<Moment>)

  /// Parses an instant, or a time, a day or a period of the reader's zone.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - option: The name of the option, for the error.
  ///   - orRecord: Whether the number of a record is possible in its place, for the advice.
  ///   - context: The context of a time without an offset.
  /// - Throws: A usage failure for other text.
  package init(
    _ text: String, option: String, orRecord: Bool = false, in context: ExpressionContext
  ) throws(ToolFailure) {
    if let moment = Moment(timestamp: text) {
      self = .moment(moment)
    } else if let period = context.period(of: text) {
      self = .period(period)
    } else {
      do throws(ExpressionError) {
        self = .moment(try TimeExpression(text, in: context).moment)
      } catch {
        let record = orRecord ? "the number of a record, " : ""
        throw .usage(
          "\(option): \(error)",
          advice: "Give \(record)a time such as 14:30, \"2026-11-28 14:30\" or "
            + "\"yesterday 9:00\", a day such as 2026-11-28, or an instant such as "
            + "2026-03-02T09:00:00Z.")
      }
    }
  }

  /// The moment, or the first one of the period.
  package var first: Moment {
    switch self {
    case .moment(let moment): moment
    case .period(let period): period.lowerBound
    }
  }

  /// The moment, or the last one of the period.
  package var last: Moment {
    switch self {
    case .moment(let moment): moment
    case .period(let period): period.upperBound.adding(ElapsedTime(microseconds: -1))
    }
  }

  /// The moment, or the one after the last of the period: the end of what is before the moment, or
  /// until the period is over.
  package var end: Moment {
    switch self {
    case .moment(let moment): moment
    case .period(let period): period.upperBound
    }
  }

  /// What is read as a time, for the help of the tools.
  package static let help = """
    TIMES
      14:30, yesterday 9:00, monday 9am, 10min ago, 2026-11-28 14:30
                            a time by the clocks of the local time zone
      today, yesterday, monday, 2026-11-28, last week, 2026-11
                            a day or a longer period
      2026-03-02T09:00:00Z  an instant
    """
}

extension ExpressionContext {
  /// The context of the times that a user types into a tool: the zone and the clock of the process.
  package static var ofProcess: ExpressionContext {
    ExpressionContext(
      zone: LocalZone.shown, now: Moment(microseconds: WallClock.now()), firstWeekday: 1)
  }
}
