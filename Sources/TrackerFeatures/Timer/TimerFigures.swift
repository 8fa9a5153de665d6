import Retrace
import TimeTracking

/// The times and durations of the rows of the timer, as their columns show them.
///
/// Of a time, the year is the first part to be left out, then the end, which the duration says,
/// too, and then the day. An entry of another year or another day than the present one keeps these,
/// and loses its end and its clock time instead.
struct TimerFigures {
  /// The texts of the times by rows, from the widest writing to the narrowest.
  private let times: [[String]]
  /// The durations by rows.
  let durations: [String]
  /// The widths of the writings.
  let widths: [Int]

  /// Makes the texts.
  ///
  /// - Parameters:
  ///   - rows: The rows.
  ///   - moment: The moment at which they are shown.
  ///   - rules: The rules of the zone in which times are shown; `nil` for the recorded offsets.
  init(_ rows: [IdentifiedEntry], at moment: Moment, by rules: ZoneRules?) {
    let times = rows.map { Self.writings(of: $0.entry, at: moment, by: rules) }
    self.times = times
    durations = rows.map { $0.entry.elapsed(at: moment).clock }
    widths = [22, 17, 11, 5].enumerated().map { number, width in
      times.reduce(width) { max($0, $1[number].utf8.count) }
    }
  }

  /// The width of the column of durations, which is at least the width of its heading.
  var durationWidth: Int { durations.reduce(8) { max($0, $1.utf8.count) } }

  /// Returns the time of a row in the widest writing that fits.
  func time(ofRow row: Int, fitting width: Int) -> String {
    times[row][widths.firstIndex { $0 <= width } ?? widths.count - 1]
  }

  private static func writings(
    of entry: TimeEntry, at moment: Moment, by rules: ZoneRules?
  ) -> [String] {
    let (start, end) = entry.local(by: rules)
    let marks = rules?.offsetMarks(from: entry.start, to: entry.end ?? entry.start)
    let clock = "\(start.clock)\(marks?.start ?? "")"
    let span = "\(clock)-\(end?.clock ?? "")\(marks?.end ?? "")"
    let date = "\(start.date)"
    let now = rules?.local(at: moment)
    let today = now ?? LocalTime(moment, offsetSeconds: entry.zone.offsetSeconds)
    guard start.date.year == today.date.year else {
      return ["\(date) \(span)", "\(date) \(clock)", date, String(date.dropLast(6))]
    }
    let day = String(date.suffix(5))
    return [
      "\(date) \(span)", "\(day) \(span)", "\(day) \(clock)",
      start.date == today.date ? clock : day,
    ]
  }
}
