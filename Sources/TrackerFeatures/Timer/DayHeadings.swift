import Retrace
import TimeTracking

/// The headings of the days of the log.
struct DayHeadings {
  private let today: CivilDate
  private let running: TimeEntry?
  private let moment: Moment
  /// The style of the user.
  let style: TimeStyle

  /// Makes headings.
  ///
  /// - Parameters:
  ///   - calendar: The calendar of the days.
  ///   - moment: The present.
  ///   - running: The running entry, if any.
  init(_ calendar: ReportCalendar, at moment: Moment, _ running: TimeEntry?) {
    today = calendar.day(at: moment)
    style = calendar.style
    (self.running, self.moment) = (running, moment)
  }

  /// Returns the time of a day, as a report has it: with the part of the running entry until now.
  func time(of day: EntryDay) -> ElapsedTime {
    guard let running else { return day.time }
    return day.time.adding(running.time(in: day.range, at: moment))
  }

  /// Returns the name of a day in several writings, the widest first.
  func texts(of date: CivilDate) -> [String] {
    let full = style.withWeekday(date)
    switch today.daysSince1970 - date.daysSince1970 {
    case 0: return ["Today, \(full)", "Today"]
    case 1: return ["Yesterday, \(full)", "Yesterday"]
    default:
      return date.year == today.year
        ? [full, style.withWeekdayAndDay(date)] : [full, style.text(date)]
    }
  }
}
