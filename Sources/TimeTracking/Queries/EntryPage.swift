public import RetraceState

/// An entry and its id.
public struct IdentifiedEntry: Equatable, Sendable {
  /// The id.
  public var id: TimeEntryID
  /// The entry.
  public var entry: TimeEntry

  /// Makes an entry with its id.
  public init(id: TimeEntryID, entry: TimeEntry) {
    self.id = id
    self.entry = entry
  }

  /// The place of the entry among the ended ones; `nil` while it runs.
  public var place: EntryPlace? { entry.end.map { EntryPlace(end: $0, id: id) } }
}

/// Some of the entries that a query finds, and where to go on.
public struct EntryPage: Equatable, Sendable {
  /// The entries, those that were recorded last first.
  public var entries: [IdentifiedEntry]
  /// The id before which the next page begins; `nil` if there are no more.
  public var next: TimeEntryID?
}

extension DomainState {
  /// Returns the visible entries of a query that were recorded last, page by page.
  ///
  /// The work for a page is bounded, so that one user's entries among those of many are found
  /// without an index: a page may have fewer entries than asked for, or none, while there are more.
  ///
  /// - Parameters:
  ///   - filter: The entries that are wanted.
  ///   - cursor: ``EntryPage/next`` of the page before; `nil` for the first page.
  ///   - limit: The most entries of the page, at least 1.
  ///   - visits: The most entries to look at, rounded up to a multiple of 256.
  /// - Complexity: O(visits), and O(bytes of the texts) of each if the filter has words.
  public func entries(
    _ filter: EntryFilter, before cursor: TimeEntryID? = nil, limit: Int = 50, visits: Int = 8_192
  ) -> EntryPage {
    var matcher = EntryMatcher(filter, in: self)
    return entries(before: cursor, limit: limit, visits: visits) { matcher.matches($0, $1) }
  }

  /// Returns the visible entries that `isWanted` returns `true` for, those recorded last first.
  ///
  /// - Parameters:
  ///   - isWanted: Is called in no certain order.
  ///   - isKept: Is called for the wanted entries in order of the page.
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
      // Parts, because a table is read in order of the ids; large ones, because a table that is not
      // in memory reads the nodes above the leaves again for each part.
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

  /// Returns the visible entries that ended last, the running ones first.
  ///
  /// - Parameters:
  ///   - user: Whose entries; `nil` for those of all users.
  ///   - limit: The most entries.
  /// - Complexity: That of `EntityTable.highest(_:where:)`: O(entries that ended about as late);
  ///   all entries if there are fewer than `limit`.
  public func latestEntries(of user: UserID?, limit: Int) -> [IdentifiedEntry] {
    var visible = VisibleEntries(self)
    return timeEntries.highest(limit) { entry in
      (user == nil || entry.user == user) && visible.contains(entry)
    }
    .map { IdentifiedEntry(id: $0.id, entry: $0.entity) }
  }
}

extension DomainState {
  /// Returns the visible entry of a user that ended last, at a moment or before it.
  ///
  /// - Complexity: As ``latestEntries(of:limit:)``.
  public func lastEntry(of user: UserID, endedBy moment: Moment) -> IdentifiedEntry? {
    var visible = VisibleEntries(self)
    return timeEntries.highest(1) { entry in
      entry.user == user && visible.contains(entry) && entry.sortKey <= moment.microseconds
    }
    .first.map { IdentifiedEntry(id: $0.id, entry: $0.entity) }
  }
}

extension EntityTable {
  /// Calls `body` with the entities from an id on, before another one.
  ///
  /// - Complexity: O(ids between them).
  func forEach(from start: ID, before end: ID, _ body: (ID, Entity) -> Void) {
    do throws(EndReached) {
      try forEach(from: start) { id, entity throws(EndReached) in
        if id >= end { throw EndReached() }
        body(id, entity)
      }
    } catch {}
  }
}

/// The end of a part of a table.
private struct EndReached: Error {}
