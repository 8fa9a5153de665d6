import CivilTime
package import Retrace
package import TimeTracking

/// The division of the days of a report by a chart.
package struct ReportChart {
  /// The groups of the bars.
  package let grouping: ReportGrouping
  private let dates: Range<CivilDate>?
  private let calendar: ReportCalendar

  /// The number of bars beyond which there is no chart.
  private static var barsMax: Int { 36 }

  /// Divides days: a week by days, two months by weeks, and more by months.
  ///
  /// - Parameters:
  ///   - dates: The days; `nil` for all time, which has no chart.
  ///   - calendar: The calendar of the days.
  ///   - daysMax: The most days that have a bar each.
  package init(of dates: Range<CivilDate>?, in calendar: ReportCalendar, daysMax: Int = 7) {
    (self.dates, self.calendar) = (dates, calendar)
    let days = dates.map { $0.upperBound.daysSince1970 - $0.lowerBound.daysSince1970 }
    grouping =
      switch days {
      case .some(...daysMax): .day
      case .some(...62): .week
      default: .month
      }
  }

  /// Returns the bars: of each day, week or month of the days, the empty ones too.
  ///
  /// - Parameter report: The report with the groups of the division.
  package func bars(of report: Report) -> [BarChart.Bar] {
    bars(
      of: report.groups.compactMap { group in
        group.key.firstDate.map { ($0, group.figures.exact.time) }
      })
  }

  /// Returns the bars of times, each of which is of a day: of each day, week or month, the empty
  /// ones too.
  package func bars(of parts: [(date: CivilDate, time: ElapsedTime)]) -> [BarChart.Bar] {
    guard let dates else { return [] }
    var times: [CivilDate: ElapsedTime] = [:]
    for part in parts {
      let first = first(of: part.date)
      times[first] = (times[first] ?? .zero).adding(part.time)
    }
    var bars: [BarChart.Bar] = []
    var date = first(of: dates.lowerBound)
    while date < dates.upperBound {
      guard bars.count < Self.barsMax else { return [] }
      let time = times[date] ?? .zero
      bars.append(
        BarChart.Bar(label(of: date), value: time.seconds, text: calendar.style.text(time)))
      date = next(after: date)
    }
    return bars.count < 2 ? [] : bars
  }

  private func first(of date: CivilDate) -> CivilDate {
    switch grouping {
    case .week: date.week(startingOn: calendar.firstWeekday).lowerBound
    case .month: date.monthDates.lowerBound
    default: date
    }
  }

  private func next(after date: CivilDate) -> CivilDate {
    switch grouping {
    case .week: date.adding(days: 7)
    case .month: date.monthDates.upperBound
    default: date.adding(days: 1)
    }
  }

  private func label(of date: CivilDate) -> String {
    grouping == .month ? date.monthText : calendar.style.withWeekdayAndDay(date)
  }
}

extension ReportKey {
  /// The first day of a day, week or month; `nil` for other groups.
  fileprivate var firstDate: CivilDate? {
    switch self {
    case .day(let date), .week(let date), .month(let date): date
    default: nil
    }
  }
}
