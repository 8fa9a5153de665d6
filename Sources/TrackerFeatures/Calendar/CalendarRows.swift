import CivilTime
import Retrace
import TimeTracking

/// The rows of the grid of some days: one for each hour that the clocks show on one of them.
///
/// An hour that clocks show twice on a day has two rows, the second of which the other days do not
/// have. An hour that they skip has no row on that day.
struct CalendarRows {
  /// The labels from top to bottom.
  let labels: [String]
  /// For each day, the minute at which each row begins; `nil` for a row that the day does not have.
  let starts: [[Int64?]]

  /// The place of a row among those of all days.
  private struct Place: Hashable, Comparable {
    /// The hour on the clock since the midnight with which the date begins.
    var hour: Int64
    /// How often clocks have shown it before on the day.
    var number: Int64

    static func < (left: Place, right: Place) -> Bool {
      (left.hour, left.number) < (right.hour, right.number)
    }
  }

  private struct Row {
    var place: Place
    var minute: Int64
    var label: String
  }

  /// The most rows of a day.
  private static var rowsMax: Int { 64 }

  /// Finds the rows.
  ///
  /// - Parameters:
  ///   - dates: The days.
  ///   - calendar: The calendar with the zone and the start of days.
  /// - Complexity: O(days × hours).
  init(_ dates: [CivilDate], in calendar: ReportCalendar) {
    let days = dates.map { Self.rows(of: $0, in: calendar) }
    var texts: [Place: String] = [:]
    for row in days.joined() where texts[row.place] == nil { texts[row.place] = row.label }
    let places = texts.keys.sorted()
    labels = places.map { texts[$0] ?? "" }
    starts = days.map { rows in
      places.map { place in rows.first { $0.place == place }?.minute }
    }
  }

  private static func rows(of date: CivilDate, in calendar: ReportCalendar) -> [Row] {
    let range = calendar.range(of: date)
    let midnight = Int64(date.daysSince1970) * 86_400
    var rows: [Row] = []
    var moment = range.lowerBound
    while moment < range.upperBound, rows.count < rowsMax {
      let local = calendar.rules.local(at: moment)
      var place = Place(hour: (local.secondsSince1970 - midnight).hours, number: 0)
      if let last = rows.last?.place, place.hour <= last.hour {
        place = Place(hour: last.hour, number: last.number + 1)
      }
      let minute = moment.elapsed(since: range.lowerBound).seconds / 60
      rows.append(Row(place: place, minute: minute, label: calendar.style.clock(local)))
      let nextHour = moment.adding(.seconds(Int64(3_600 - local.secondOfDay % 3_600)))
      let change = calendar.rules.change(after: moment)?.moment ?? nextHour
      moment = min(nextHour, change)
    }
    return rows
  }
}

extension Int64 {
  /// The whole hours in a number of seconds, rounded down.
  fileprivate var hours: Int64 { self >= 0 ? self / 3_600 : -((3_599 - self) / 3_600) }
}
