import Retrace
import TimeTracking

/// The time of a user today and in the present week, as reports of these ranges have it.
struct LogTotals: Sendable {
  /// The time of today, with the part of the running entry.
  let today: ElapsedTime
  /// The time of the week that has today, with the part of the running entry.
  let week: ElapsedTime
  private let style: TimeStyle

  /// Adds up the times.
  ///
  /// - Parameters:
  ///   - days: The days of the user's entries.
  ///   - moment: The present.
  ///   - running: The running entry, if any.
  /// - Complexity: O(7) if the days are kept, else as `EntryDays.time(of:)`.
  init(_ days: inout EntryDays, at moment: Moment, _ running: TimeEntry?) {
    let calendar = days.calendar
    style = calendar.style
    let date = calendar.day(at: moment)
    func time(of dates: Range<CivilDate>) -> ElapsedTime {
      days.time(of: dates)
        .adding(running?.time(in: calendar.range(of: dates), at: moment) ?? .zero)
    }
    today = time(of: date..<date.adding(days: 1))
    week = time(of: date.week(startingOn: calendar.firstWeekday))
  }

  /// The texts of the times in the style of the user, the widest first.
  var texts: [String] {
    let today = "Today \(style.text(today))"
    return ["\(today)  Week \(style.text(week))", today]
  }
}

extension TimeEntry {
  /// Returns the time until a moment of the part that is in a range.
  ///
  /// The ends are truncated to whole seconds before the part is taken, as in every sum.
  func time(in range: Range<Moment>, at moment: Moment) -> ElapsedTime {
    let part = span(at: moment).clamped(to: range)
    return part.upperBound.elapsed(since: part.lowerBound)
  }
}
