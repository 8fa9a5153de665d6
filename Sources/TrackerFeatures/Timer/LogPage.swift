import Retrace
import TimeTracking

/// The entries of a user's log that a frame shows.
struct LogPage: Sendable {
  /// The entries of all users after which a search for a frame stops.
  static var visitsMax: Int { 20_000 }

  /// The rows, latest first.
  let rows: [DayEntry]
  /// The place after the last row; `nil` at the end of the log.
  let rest: EntryPlace?
  /// Whether there are entries before the first row.
  let hasNewer: Bool

  /// Reads a page.
  ///
  /// - Parameters:
  ///   - days: The days of the user's entries.
  ///   - top: The place of the first row; `nil` for the newest entry.
  ///   - count: The most rows of the page.
  init(_ days: inout EntryDays, from top: EntryPlace?, count: Int) {
    var visits = Self.visitsMax
    var rows: [DayEntry] = []
    var next = days.entry(at: top, visits: &visits)
    while rows.count < count, case .found(let row) = next {
      rows.append(row)
      next = days.entry(olderThan: row, visits: &visits)
    }
    switch next {
    case .found(let row): rest = row.place
    case .stopped(let moment): rest = EntryPlace(rest: moment)
    case .none: rest = nil
    }
    self.rows = rows
    hasNewer =
      top.map { top in
        days.mayHaveEntry(
          newerThan: rows.first?.place ?? top, rest: top.rest, visits: Self.visitsMax)
      } ?? false
  }
}
