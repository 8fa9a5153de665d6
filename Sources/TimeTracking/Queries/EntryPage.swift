public import RetraceState

/// An entry and its id.
public struct IdentifiedEntry: Equatable, Sendable {
  /// The id.
  public var id: TimeEntryID
  /// The entry.
  public var entry: TimeEntry

  /// Creates an entry with its id.
  public init(id: TimeEntryID, entry: TimeEntry) {
    self.id = id
    self.entry = entry
  }

  /// The place of the entry among ended entries; `nil` while it runs.
  public var place: EntryPlace? { entry.end.map { EntryPlace(end: $0, id: id) } }
}

/// A page of the entries that a query finds.
public struct EntryPage: Equatable, Sendable {
  /// The entries, newest record first.
  public var entries: [IdentifiedEntry]
  /// The id before which the next page begins; `nil` after the last page.
  public var next: TimeEntryID?
}

extension DomainState {
  /// Returns a page of the visible entries of a query, newest record first.
  ///
  /// The work for a page is bounded, because no index leads to the entries of one user. So a page
  /// may have fewer entries than `limit`, or none, although there are more.
  ///
  /// - Parameters:
  ///   - filter: The filter.
  ///   - cursor: ``EntryPage/next`` of the page before; `nil` for the first page.
  ///   - limit: The maximum number of entries of the page, at least 1.
  ///   - visits: The maximum number of entries to look at, rounded up to a multiple of 256.
  /// - Complexity: O(visits), and O(bytes of the texts) of each if the filter has words.
  public func entries(
    _ filter: EntryFilter, before cursor: TimeEntryID? = nil, limit: Int = 50, visits: Int = 8_192
  ) -> EntryPage {
    var matcher = EntryMatcher(filter, in: self)
    return entries(before: cursor, limit: limit, visits: visits) { matcher.matches($0, $1) }
  }

  /// Returns a page of the visible entries for which `isWanted` returns `true`, newest record
  /// first.
  ///
  /// - Parameters:
  ///   - isWanted: Called in no particular order.
  ///   - isKept: Called for the wanted entries in the order of the page, until it is full. Returns
  ///     whether the entry is in the page.
  func entries(
    before cursor: TimeEntryID?, limit: Int, visits: Int,
    where isWanted: (TimeEntryID, borrowing TimeEntry) -> Bool,
    isKept: (TimeEntry) -> Bool = { _ in true }
  ) -> EntryPage {
    var page = EntryPage(entries: [], next: nil)
    var end = min(cursor ?? timeEntries.nextID, timeEntries.nextID).value
    var left = max(1, visits)
    var visible = VisibleEntries(self)
    while end > 0, left > 0, page.entries.count < max(1, limit) {
      // A table is read in ascending order of ids, so entries are read in chunks of 256 ids, from
      // the last chunk to the first. A table that is not in memory reads its inner nodes again for
      // each chunk, so smaller chunks would cost more.
      let start = (end - 1) & ~255
      var found: [IdentifiedEntry] = []
      timeEntries.forEach(from: TimeEntryID(value: start), before: TimeEntryID(value: end)) {
        id, entry in
        if visible.contains(entry), isWanted(id, entry) {
          found.append(IdentifiedEntry(id: id, entry: entry))
        }
      }
      left -= Int(end - start)
      end = start
      for entry in found.reversed() {
        guard isKept(entry.entry) else { continue }
        page.entries.append(entry)
        if page.entries.count == max(1, limit) {
          end = entry.id.value
          break
        }
      }
    }
    if end > 0 { page.next = TimeEntryID(value: end) }
    return page
  }

  /// Returns the visible entries with the latest ends, running ones first.
  ///
  /// - Parameters:
  ///   - user: The user; `nil` for all users.
  ///   - limit: The maximum number of entries.
  /// - Complexity: As `EntityTable.search`: O(entries with similar ends), or O(entries)
  ///   if fewer than `limit` are visible.
  public func latestEntries(of user: UserID?, limit: Int) -> [IdentifiedEntry] {
    var visible = VisibleEntries(self)
    return timeEntries.search(.descending, limit: limit) { _, entry in
      (user == nil || entry.user == user) && visible.contains(entry)
    }
    .entities.map { IdentifiedEntry(id: $0.id, entry: $0.entity) }
  }
}

extension DomainState {
  /// Returns the visible entry of a user with the latest end at or before a moment.
  ///
  /// - Complexity: As ``latestEntries(of:limit:)``.
  public func lastEntry(of user: UserID, endedBy moment: Moment) -> IdentifiedEntry? {
    var visible = VisibleEntries(self)
    return timeEntries.search(.descending, from: moment.microseconds, limit: 1) { _, entry in
      entry.user == user && visible.contains(entry)
    }
    .entities.first.map { IdentifiedEntry(id: $0.id, entry: $0.entity) }
  }
}

extension EntityTable {
  /// Calls `body` with the entities whose ids are in a range.
  ///
  /// - Complexity: O(ids in the range).
  func forEach(from start: ID, before end: ID, _ body: (ID, Entity) -> Void) {
    do throws(EndReached) {
      try forEach(from: start) { id, entity throws(EndReached) in
        if id >= end { throw EndReached() }
        body(id, entity)
      }
    } catch {}
  }
}

/// The end of the range, thrown to stop the iteration.
private struct EndReached: Error {}
