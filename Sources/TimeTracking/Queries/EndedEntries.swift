public import RetraceAvro
public import RetraceState

/// The position of an ended entry in the order by end and id.
public struct EntryPlace: Recordable, Hashable, Comparable {
  /// The end of the entry.
  public var end: Moment
  /// The id of the entry.
  public var id: TimeEntryID

  /// Creates a place.
  public init(end: Moment, id: TimeEntryID) {
    self.end = end
    self.id = id
  }

  /// Returns whether one place is before another.
  public static func < (left: EntryPlace, right: EntryPlace) -> Bool {
    (left.end, left.id) < (right.end, right.id)
  }
}

/// A page of the ended entries of a user.
public struct EndedEntryPage: Equatable, Sendable {
  /// The entries, the latest end first.
  public var entries: [IdentifiedEntry] = []
  /// The place where the next page begins; `nil` after the last page.
  public var next: EntryPlace?
}

extension DomainState {
  /// Returns the visible ended entries of a user at or before a place, the latest first.
  ///
  /// If the user has few entries among many, the search stops early, and ``EndedEntryPage/next`` is
  /// the place to continue from.
  ///
  /// - Parameters:
  ///   - user: The user.
  ///   - place: The place of the first entry; `nil` for the newest one.
  ///   - limit: The most entries of the page.
  ///   - visits: The number of entries after which the search stops.
  /// - Complexity: As `EntityTable.search`: O(*n* log *n*) for the *n* entries of all users in the
  ///   pages that have ends in the time of the result, about `visits` of them at most.
  public func endedEntries(
    of user: UserID, from place: EntryPlace?, limit: Int, visits: Int = 20_000
  ) -> EndedEntryPage {
    var visible = VisibleEntries(self)
    // One more than the page has shows where the next one begins.
    let found = timeEntries.search(
      .descending, from: place?.end.microseconds, limit: max(0, min(limit, .max - 1)) + 1,
      visits: visits
    ) { id, entry in
      guard entry.user == user, let end = entry.end, visible.contains(entry) else { return false }
      return place.map { EntryPlace(end: end, id: id) <= $0 } ?? true
    }
    var page = EndedEntryPage(
      entries: found.entities.map { IdentifiedEntry(id: $0.id, entry: $0.entity) },
      next: found.rest.map(Self.placeWithoutEntry))
    if page.entries.count > limit {
      page.next = page.entries.last?.place
      page.entries.removeLast()
    }
    return page
  }

  /// Returns the place of the entry that is `count` entries later than a place; `nil` if there are
  /// fewer.
  ///
  /// A search that stops early returns the place to continue from. No entry is at that place: its
  /// id is the maximum `Int64`.
  ///
  /// - Parameters:
  ///   - user: The user.
  ///   - place: The place.
  ///   - count: The number of entries, at least 1.
  ///   - visits: The number of entries after which the search stops.
  /// - Complexity: As ``endedEntries(of:from:limit:visits:)``.
  public func place(
    of user: UserID, laterThan place: EntryPlace, by count: Int, visits: Int = 20_000
  ) -> EntryPlace? {
    var visible = VisibleEntries(self)
    // No entry that ends at a place without an entry is later than it.
    let start = place.end.microseconds + (place.id.value == .max ? 1 : 0)
    let found = timeEntries.search(
      .ascending, from: start, limit: count, visits: visits
    ) { id, entry in
      guard entry.user == user, let end = entry.end, visible.contains(entry) else { return false }
      return EntryPlace(end: end, id: id) > place
    }
    if found.entities.count == count, let last = found.entities.last, let end = last.entity.end {
      return EntryPlace(end: end, id: last.id)
    }
    // The entries that end at the rest are not visited yet, so they are later than the place.
    return found.rest.map { Self.placeWithoutEntry(at: $0 - 1) }
  }

  /// Returns the place after all entries that end at a sort key.
  private static func placeWithoutEntry(at sortKey: Int64) -> EntryPlace {
    EntryPlace(end: Moment(microseconds: sortKey), id: TimeEntryID(value: .max))
  }
}
