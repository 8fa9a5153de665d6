public import RetraceState

/// An entry of a day, in the list of the ended entries of a user.
///
/// The list has the latest day first, and on each day the latest place first.
public struct DayEntry: Equatable, Sendable {
  /// The day on which the entry began.
  public let day: EntryDay
  /// The index of the entry on its day.
  public let index: Int

  /// The entry.
  public var entry: IdentifiedEntry { day.entries[index] }

  /// The place of the entry.
  public var place: EntryPlace {
    EntryPlace(end: Moment(microseconds: entry.entry.sortKey), id: entry.id)
  }
}

extension EntryDays {
  /// Returns the first entry of the list at or after a place.
  ///
  /// - Parameters:
  ///   - place: The place; `nil` for the first entry of the list.
  ///   - visits: As for ``day(before:visits:)``.
  /// - Complexity: As ``day(before:visits:)``.
  public mutating func entry(
    at place: EntryPlace?, visits: inout Int
  ) -> BoundedSearch<DayEntry> {
    guard let place else {
      return entry(before: Moment(microseconds: .max), visits: &visits)
    }
    let start = reader.domain.timeEntries.read(place.id) { $0.start }
    guard let start else { return entry(before: place.end.next, visits: &visits) }
    let day = day(calendar.day(at: start))
    let index = day.entries.firstIndex { entry in entry.place.map { $0 <= place } ?? false }
    if let index { return .found(DayEntry(day: day, index: index)) }
    return entry(before: day.range.lowerBound, visits: &visits)
  }

  /// Returns the next entry of the list.
  ///
  /// - Parameters:
  ///   - entry: The entry before it.
  ///   - visits: As for ``day(before:visits:)``.
  /// - Complexity: O(1) on the same day, else as ``day(before:visits:)``.
  public mutating func entry(
    olderThan entry: DayEntry, visits: inout Int
  ) -> BoundedSearch<DayEntry> {
    let next = entry.index + 1
    if next < entry.day.entries.count { return .found(DayEntry(day: entry.day, index: next)) }
    return self.entry(before: entry.day.range.lowerBound, visits: &visits)
  }

  /// Returns the last entry of the list before a place.
  ///
  /// - Parameters:
  ///   - place: The place.
  ///   - rest: The moment from which a search goes on; `nil` for a new one.
  ///   - visits: As for ``day(from:rest:visits:)``.
  /// - Complexity: O(entries of the day), else as ``day(from:rest:visits:)``.
  public mutating func entry(
    newerThan place: EntryPlace, rest: Moment? = nil, visits: inout Int
  ) -> BoundedSearch<DayEntry> {
    let (newer, end) = newer(than: place)
    if let newer { return .found(newer) }
    switch day(from: end, rest: rest, visits: &visits) {
    case .found(let day): return .found(DayEntry(day: day, index: day.entries.count - 1))
    case .none: return .none
    case .stopped(let rest): return .stopped(rest)
    }
  }

  /// Returns whether the list has an entry before a place, or a search for one stopped early.
  ///
  /// - Parameters: As for ``entry(newerThan:rest:visits:)``.
  /// - Complexity: O(entries of the day), else as `EntityTable.search`.
  public mutating func mayHaveEntry(
    newerThan place: EntryPlace, rest: Moment? = nil, visits: Int
  ) -> Bool {
    let (newer, end) = newer(than: place)
    var visits = visits
    if newer != nil { return true }
    return reader.firstStart(from: end, rest: rest ?? end, visits: &visits) != .none
  }

  /// Returns the last entry before a place on the day of the place, if any, and the end of that
  /// day.
  ///
  /// A place without an entry has no day. All before it began after it.
  private mutating func newer(than place: EntryPlace) -> (entry: DayEntry?, end: Moment) {
    let start = reader.domain.timeEntries.read(place.id) { $0.start }
    guard let start else { return (nil, place.end.next) }
    let day = day(calendar.day(at: start))
    let index = day.entries.lastIndex { entry in entry.place.map { $0 > place } ?? false }
    return (index.map { DayEntry(day: day, index: $0) }, day.range.upperBound)
  }

  /// Returns the first entry of the latest day on which one began before a moment.
  private mutating func entry(
    before moment: Moment, visits: inout Int
  ) -> BoundedSearch<DayEntry> {
    switch day(before: moment, visits: &visits) {
    case .none: return .none
    case .stopped(let rest): return .stopped(rest)
    case .found(let day):
      let index = day.entries.firstIndex { $0.entry.start < moment } ?? 0
      return .found(DayEntry(day: day, index: index))
    }
  }
}
