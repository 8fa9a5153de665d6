import Retrace
import TimeTracking

/// A row of the log.
enum LogRow: Sendable {
  /// The heading of a day.
  case day(EntryDay)
  /// The similar entries of the day above it, at least two.
  case group(EntryGroup, isOpen: Bool)
  /// An entry of the day above it.
  ///
  /// `isMember` says whether it is one of the open group above it. `key` is the key of its group,
  /// if similar entries are grouped.
  case entry(IdentifiedEntry, key: EntryGroupKey?, isMember: Bool)

  /// Whether the row can be selected.
  var isSelectable: Bool { if case .day = self { false } else { true } }

  /// The entries of the row; those of a group are in order of their places, the latest one first.
  var entries: [IdentifiedEntry] {
    switch self {
    case .day: []
    case .group(let group, isOpen: _): group.entries
    case .entry(let entry, key: _, isMember: _): [entry]
    }
  }

  /// Whether a timer has selected the row.
  ///
  /// A group that has lost all but one of its entries is still selected. A closed group is selected
  /// with any of its entries.
  func isSelected(by route: TimerRoute) -> Bool {
    switch self {
    case .day: false
    case .group(let group, let isOpen):
      group.key == route.group
        || !isOpen && route.selection.map { id in group.entries.contains { $0.id == id } } ?? false
    case .entry(let entry, let key, let isMember):
      if let group = route.group { key == group && !isMember } else { entry.id == route.selection }
    }
  }
}

/// The shape of a page of the log.
struct LogShape: Hashable, Sendable {
  /// The most rows.
  let rows: Int
  /// Whether the entries of a day have a heading, and similar ones are grouped.
  let hasHeadings: Bool

  /// Returns the rows that an item takes on a page: more than one with the heading of its day, and
  /// with that of its open group.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - neighbor: The item before or after it on the page, if any.
  func rows(of item: LogItem, beside neighbor: LogItem?) -> Int {
    1 + (hasDayHeading(item, beside: neighbor) ? 1 : 0)
      + (item.member != nil && !item.isBeside(neighbor) ? 1 : 0)
  }

  fileprivate func hasDayHeading(_ item: LogItem, beside neighbor: LogItem?) -> Bool {
    hasHeadings && item.day.date != neighbor?.day.date
  }
}

/// The part of a user's log that a frame shows.
struct LogPage: Sendable {
  /// The entries of all users after which a search for a frame stops.
  static var visitsMax: Int { 20_000 }

  /// The rows, latest first.
  ///
  /// The first row is the heading of a day, if days have one. The heading of an open group is above
  /// its first entry on the page.
  let rows: [LogRow]
  /// The items of the rows.
  let items: [LogItem]
  /// The place after the last row; `nil` at the end of the log.
  let rest: EntryPlace?
  /// Whether there are entries before the first row.
  let hasNewer: Bool

  /// Creates a page without entries.
  init() { (rows, items, rest, hasNewer) = ([], [], nil, false) }

  /// Reads a page.
  ///
  /// - Parameters:
  ///   - log: The log.
  ///   - top: The place of the first item; `nil` for the newest one.
  ///   - shape: The shape of the page. It has the first item in any case.
  ///   - visits: The entries of all users after which the search for older rows stops.
  /// - Complexity: O(rows) if the days are kept, else as `EntryDays.day(before:visits:)` for each.
  init(
    _ log: inout Log, from top: EntryPlace?, _ shape: LogShape, visits: Int = visitsMax
  ) {
    var visits = visits
    var (rows, items): ([LogRow], [LogItem]) = ([], [])
    var next = log.item(at: top, visits: &visits)
    while case .found(let item) = next {
      let taken = shape.rows(of: item, beside: items.last)
      guard items.isEmpty || rows.count + taken <= shape.rows else { break }
      if shape.hasDayHeading(item, beside: items.last) { rows.append(.day(item.day)) }
      rows += Self.rows(of: item, after: items.last)
      items.append(item)
      next = log.item(olderThan: item, visits: &visits)
    }
    switch next {
    case .found(let item): rest = item.place
    case .stopped(let moment): rest = EntryPlace(rest: moment)
    case .none: rest = nil
    }
    (self.rows, self.items) = (rows, items)
    hasNewer =
      top.map { top in
        log.mayHaveItem(
          newerThan: items.first?.place ?? top, rest: top.rest, visits: Self.visitsMax)
      } ?? false
  }

  /// Returns the rows of an item without the heading of its day.
  private static func rows(of item: LogItem, after neighbor: LogItem?) -> [LogRow] {
    let key = item.group?.key
    guard let group = item.group, group.entries.count > 1 else {
      return [.entry(item.entry, key: key, isMember: false)]
    }
    guard item.member != nil else { return [.group(group, isOpen: false)] }
    let row = LogRow.entry(item.entry, key: key, isMember: true)
    return item.isBeside(neighbor) ? [row] : [.group(group, isOpen: true), row]
  }

  /// The entries of the rows.
  var entries: [IdentifiedEntry] { items.flatMap { $0.entries } }

  /// The index of the heading of the open group above the first item, if the group has entries
  /// before that.
  var continuedHeading: Int? {
    guard let member = items.first?.member, member > 0 else { return nil }
    return rows.firstIndex { $0.isSelectable }
  }
}
