import Retrace
import TimeTracking

/// The times and durations of the rows of a page, as its columns show them.
///
/// Below the heading of a day, a time is the start and the end, or else the start. Without
/// headings, the year is the first part to be left out, then the end, which the duration says, too,
/// and then the day. An entry of another year or another day than the present one keeps these, and
/// loses its end and its clock time instead.
struct TimerFigures {
  /// The texts of the times by rows, from the widest writing to the narrowest; none for the heading
  /// of a day.
  let times: [[String]]
  /// The durations by rows.
  let durations: [String]
  /// The columns of the text, of the time and of the duration.
  let columns: [ColumnRule]

  /// Makes the texts.
  ///
  /// - Parameters:
  ///   - rows: The rows.
  ///   - headings: The headings of the days.
  ///   - signColumns: The columns before the texts of entries.
  ///   - moment: The moment at which the rows are shown.
  ///   - rules: The rules of the zone in which times are shown; `nil` for the recorded offsets.
  init(
    _ rows: [LogRow], _ headings: DayHeadings, signColumns: Int, at moment: Moment,
    by rules: ZoneRules?
  ) {
    let style = headings.style
    var (times, durations): ([[String]], [String]) = ([], [])
    var hasHeadings = false
    for row in rows {
      switch row {
      case .day(let day):
        hasHeadings = true
        times.append([])
        durations.append(style.text(headings.time(of: day)))
      case .group(let group, isOpen: _):
        let span = Self.span(of: group)
        times.append(
          Self.writings(of: span, hasHeading: hasHeadings, at: moment, by: rules, style))
        durations.append(style.text(group.time))
      case .entry(let entry, key: _, isMember: _):
        let entry = entry.entry
        times.append(
          Self.writings(of: entry, hasHeading: hasHeadings, at: moment, by: rules, style))
        durations.append(style.text(entry.elapsed(at: moment)))
      }
    }
    let widths = (hasHeadings ? [11, 5] : [22, 17, 11, 5]).enumerated().map { number, width in
      times.reduce(width) { max($0, $1.isEmpty ? 0 : $1[number].utf8.count) }
    }
    (self.times, self.durations) = (times, durations)
    columns = [
      ColumnRule(width: 14 + signColumns, cutTo: 6 + signColumns, priority: 1, grows: true),
      ColumnRule(widths: widths, priority: 0),
      ColumnRule(width: durations.reduce(8) { max($0, $1.utf8.count) }, priority: 2),
    ]
  }

  /// Returns the newest entry of a group with the earliest start and the latest end of all.
  private static func span(of group: EntryGroup) -> TimeEntry {
    var span = group.entries[0].entry
    for other in group.entries { span.start = min(span.start, other.entry.start) }
    return span
  }

  private static func writings(
    of entry: TimeEntry, hasHeading: Bool, at moment: Moment, by rules: ZoneRules?,
    _ style: TimeStyle
  ) -> [String] {
    let (start, end) = entry.local(by: rules)
    let marks = rules?.offsetMarks(from: entry.start, to: entry.end ?? entry.start)
    let clock = "\(style.clock(start))\(marks?.start ?? "")"
    let span = "\(clock)-\(end.map(style.clock) ?? "")\(marks?.end ?? "")"
    if hasHeading { return [span, clock] }
    let date = style.text(start.date)
    let now = rules?.local(at: moment)
    let today = now ?? LocalTime(moment, offsetSeconds: entry.zone.offsetSeconds)
    guard start.date.year == today.date.year else {
      return ["\(date) \(span)", "\(date) \(clock)", date, "\(start.date.year)"]
    }
    let day = style.dates.textWithoutYear(start.date)
    return [
      "\(date) \(span)", "\(day) \(span)", "\(day) \(clock)",
      start.date == today.date ? clock : day,
    ]
  }
}
