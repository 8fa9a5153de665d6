import Retrace
import TimeTracking

/// An item of the log: an entry, or a closed group of similar entries.
struct LogItem: Equatable, Sendable {
  /// An item without its day.
  fileprivate struct Part: Equatable, Sendable {
    /// The entry, or the newest one of a closed group.
    let entry: IdentifiedEntry
    /// The group of the entry; `nil` if similar entries are not grouped.
    let group: EntryGroup?
    /// The index of the entry in an open group; `nil` for a closed one, and for an entry alone.
    let member: Int?

    func contains(_ id: TimeEntryID) -> Bool {
      guard member == nil, let group else { return entry.id == id }
      return group.entries.contains { $0.id == id }
    }
  }

  /// The day of the item.
  let day: EntryDay
  fileprivate let parts: [Part]
  fileprivate let index: Int

  /// The entry, or the newest one of a closed group.
  var entry: IdentifiedEntry { parts[index].entry }
  /// The place of the entry, or of the newest one.
  var place: EntryPlace { entry.logPlace }
  /// The group of the entry; `nil` if similar entries are not grouped.
  var group: EntryGroup? { parts[index].group }
  /// The index of the entry in an open group; `nil` for a closed one, and for an entry alone.
  var member: Int? { parts[index].member }

  /// The entries of the item.
  var entries: [IdentifiedEntry] {
    guard member == nil, let group else { return [entry] }
    return group.entries
  }

  /// Whether it is an entry of the open group of another item.
  func isBeside(_ other: LogItem?) -> Bool {
    guard member != nil, let other, other.member != nil else { return false }
    return group?.entries.first?.id == other.group?.entries.first?.id
  }
}

extension IdentifiedEntry {
  /// The place of an ended entry in the log.
  var logPlace: EntryPlace { EntryPlace(end: entry.end ?? entry.start, id: id) }
}

/// The ended entries of a user: the latest day first, and on each day the group with the latest
/// entry first.
struct Log: Sendable {
  private(set) var days: EntryDays
  private(set) var groups: DayGroups
  private let open: Set<EntryGroupKey>
  private let isGrouped: Bool

  /// Creates a log.
  ///
  /// - Parameters:
  ///   - days: The days of the entries.
  ///   - groups: The groups of the days.
  ///   - open: The keys of the open groups.
  ///   - isGrouped: Whether similar entries of a day are grouped.
  init(_ days: EntryDays, _ groups: DayGroups, open: [EntryGroupKey], isGrouped: Bool) {
    (self.days, self.groups, self.open, self.isGrouped) = (days, groups, Set(open), isGrouped)
  }

  /// Returns the same log with other open groups.
  func with(open: [EntryGroupKey]) -> Log { Log(days, groups, open: open, isGrouped: isGrouped) }

  /// Returns the time of today and of the present week.
  ///
  /// - Parameters:
  ///   - moment: The present.
  ///   - running: The running entry, if any.
  mutating func totals(at moment: Moment, _ running: TimeEntry?) -> LogTotals {
    LogTotals(&days, at: moment, running)
  }

  /// Returns the first item of the log at or after a place; see `EntryDays.entry(at:visits:)`.
  mutating func item(at place: EntryPlace?, visits: inout Int) -> BoundedSearch<LogItem> {
    item(of: days.entry(at: place, visits: &visits))
  }

  /// Returns the next item of the log; see `EntryDays.day(before:visits:)`.
  mutating func item(olderThan item: LogItem, visits: inout Int) -> BoundedSearch<LogItem> {
    let next = item.index + 1
    if next < item.parts.count {
      return .found(LogItem(day: item.day, parts: item.parts, index: next))
    }
    switch days.day(before: item.day.range.lowerBound, visits: &visits) {
    case .found(let day): return .found(LogItem(day: day, parts: parts(of: day), index: 0))
    case .none: return .none
    case .stopped(let rest): return .stopped(rest)
    }
  }

  /// Returns the last item before that of a place; see `EntryDays.entry(newerThan:rest:visits:)`.
  mutating func item(
    newerThan place: EntryPlace, rest: Moment?, visits: inout Int
  ) -> BoundedSearch<LogItem> {
    guard let item = item(of: place), let first = item.day.entries.first else {
      return self.item(of: days.entry(newerThan: place, rest: rest, visits: &visits))
    }
    if item.index > 0 {
      return .found(LogItem(day: item.day, parts: item.parts, index: item.index - 1))
    }
    switch days.entry(newerThan: first.logPlace, rest: rest, visits: &visits) {
    case .found(let entry):
      let parts = parts(of: entry.day)
      return .found(LogItem(day: entry.day, parts: parts, index: parts.count - 1))
    case .none: return .none
    case .stopped(let rest): return .stopped(rest)
    }
  }

  /// Returns whether the log has an item before that of a place, or a search for one stopped early.
  mutating func mayHaveItem(newerThan place: EntryPlace, rest: Moment? = nil, visits: Int) -> Bool {
    guard let item = item(of: place), let first = item.day.entries.first else {
      return days.mayHaveEntry(newerThan: place, rest: rest, visits: visits)
    }
    return item.index > 0
      || days.mayHaveEntry(newerThan: first.logPlace, rest: rest, visits: visits)
  }

  /// Returns the item with the entry of a place; `nil` if no entry is there.
  private mutating func item(of place: EntryPlace) -> LogItem? {
    var visits = 0
    guard place.rest == nil, case .found(let entry) = days.entry(at: place, visits: &visits),
      entry.place == place
    else { return nil }
    return item(of: entry)
  }

  private mutating func item(of found: BoundedSearch<DayEntry>) -> BoundedSearch<LogItem> {
    switch found {
    case .found(let entry): .found(item(of: entry))
    case .none: .none
    case .stopped(let rest): .stopped(rest)
    }
  }

  private mutating func item(of entry: DayEntry) -> LogItem {
    let parts = parts(of: entry.day)
    let id = entry.entry.id
    let index = parts.firstIndex { $0.contains(id) } ?? 0
    return LogItem(day: entry.day, parts: parts, index: index)
  }

  /// Returns the items of a day.
  private mutating func parts(of day: EntryDay) -> [LogItem.Part] {
    guard isGrouped else {
      return day.entries.map { LogItem.Part(entry: $0, group: nil, member: nil) }
    }
    var parts: [LogItem.Part] = []
    for group in groups.groups(of: day) {
      let isOpen = group.entries.count > 1 && open.contains(group.key)
      for (index, entry) in group.entries.enumerated() where isOpen || index == 0 {
        parts.append(LogItem.Part(entry: entry, group: group, member: isOpen ? index : nil))
      }
    }
    return parts
  }
}
