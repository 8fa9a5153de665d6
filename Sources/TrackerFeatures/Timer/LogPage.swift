import Retrace
import TimeTracking

/// A row of the log.
enum LogRow: Sendable {
  /// The heading of a day.
  case day(EntryDay)
  /// An entry of the day above it.
  case entry(DayEntry)
}

/// The shape of a page of the log.
struct LogShape: Hashable, Sendable {
  /// The most rows.
  let rows: Int
  /// Whether the entries of a day have a heading.
  let hasHeadings: Bool

  /// Returns the rows that an entry takes on a page: two with the heading of its day.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - neighbor: The entry before or after it on the page, if any.
  func rows(of entry: DayEntry, beside neighbor: DayEntry?) -> Int {
    hasHeadings && entry.day.date != neighbor?.day.date ? 2 : 1
  }
}

/// The part of a user's log that a frame shows.
struct LogPage: Sendable {
  /// The entries of all users after which a search for a frame stops.
  static var visitsMax: Int { 20_000 }

  /// The rows, latest first.
  ///
  /// The first row is the heading of a day, if days have one.
  let rows: [LogRow]
  /// The entries of the rows.
  let entries: [DayEntry]
  /// The place after the last row; `nil` at the end of the log.
  let rest: EntryPlace?
  /// Whether there are entries before the first row.
  let hasNewer: Bool

  /// Reads a page.
  ///
  /// - Parameters:
  ///   - days: The days of the user's entries.
  ///   - top: The place of the first entry; `nil` for the newest one.
  ///   - shape: The shape of the page. It has the first entry in any case.
  /// - Complexity: O(rows) if the days are kept, else as `EntryDays.day(before:visits:)` for each.
  init(_ days: inout EntryDays, from top: EntryPlace?, _ shape: LogShape) {
    var visits = Self.visitsMax
    var (rows, entries): ([LogRow], [DayEntry]) = ([], [])
    var next = days.entry(at: top, visits: &visits)
    while case .found(let entry) = next {
      let taken = shape.rows(of: entry, beside: entries.last)
      guard entries.isEmpty || rows.count + taken <= shape.rows else { break }
      if taken > 1 { rows.append(.day(entry.day)) }
      rows.append(.entry(entry))
      entries.append(entry)
      next = days.entry(olderThan: entry, visits: &visits)
    }
    switch next {
    case .found(let entry): rest = entry.place
    case .stopped(let moment): rest = EntryPlace(rest: moment)
    case .none: rest = nil
    }
    (self.rows, self.entries) = (rows, entries)
    hasNewer =
      top.map { top in
        days.mayHaveEntry(
          newerThan: entries.first?.place ?? top, rest: top.rest, visits: Self.visitsMax)
      } ?? false
  }
}
