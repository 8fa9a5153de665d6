import Retrace
import TimeTracking

/// The headings of the days of the log.
struct DayHeadings {
  private let today: CivilDate
  private let running: TimeEntry?
  private let moment: Moment

  /// Makes headings.
  ///
  /// - Parameters:
  ///   - calendar: The calendar of the days.
  ///   - moment: The present.
  ///   - running: The running entry, if any.
  init(_ calendar: ReportCalendar, at moment: Moment, _ running: TimeEntry?) {
    today = calendar.day(at: moment)
    (self.running, self.moment) = (running, moment)
  }

  /// Returns the time of a day, as a report has it: with the part of the running entry until now.
  func time(of day: EntryDay) -> ElapsedTime {
    guard let running else { return day.time }
    return day.time.adding(running.time(in: day.range, at: moment))
  }

  /// Returns the name of a day in several writings, the widest first.
  func texts(of date: CivilDate) -> [String] {
    let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    let weekday = weekdays[date.weekday]
    let full = "\(weekday) \(date)"
    switch today.daysSince1970 - date.daysSince1970 {
    case 0: return ["Today, \(full)", "Today"]
    case 1: return ["Yesterday, \(full)", "Yesterday"]
    default:
      return date.year == today.year
        ? [full, "\(weekday) \("\(date)".suffix(5))"] : [full, "\(date)"]
    }
  }
}
