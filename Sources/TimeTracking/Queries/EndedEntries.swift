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
  /// The time span of the first step of a search; each further step is twice as long.
  private static var firstStep: Int64 { 7 * 86_400_000_000 }
  /// The lowest possible sort key.
  private static var first: Int64 { TimeEntry.moments.lowerBound.microseconds }

  /// Returns the visible ended entries of a user at or before a place, the latest first.
  ///
  /// The search steps back in time, so that it costs the same at any age. If the user has few
  /// entries among many, it stops early, and ``EndedEntryPage/next`` is the place to continue from.
  ///
  /// - Parameters:
  ///   - user: The user.
  ///   - place: The place of the first entry; `nil` for the newest one.
  ///   - limit: The most entries of the page.
  ///   - visits: The number of entries after which the search stops.
  /// - Complexity: O(entries of all users that ended in the time of the page), at most about
  ///   `visits` plus the entries of the last step.
  public func endedEntries(
    of user: UserID, from place: EntryPlace?, limit: Int, visits: Int = 20_000
  ) -> EndedEntryPage {
    var page = EndedEntryPage()
    guard let newest = newestEnd else { return page }
    var visible = VisibleEntries(self)
    let last = min(place?.end.microseconds ?? newest, newest)
    var (upper, step, read) = (last, Self.firstStep, 0)
    while upper >= Self.first {
      let lower = max(Self.first, upper - step)
      var found: [(place: EntryPlace, entry: TimeEntry)] = []
      timeEntries.forEach(inSortKeys: lower...upper) { id, entry in
        read += 1
        guard entry.user == user, let end = entry.end, visible.contains(entry) else { return }
        let here = EntryPlace(end: end, id: id)
        if place.map({ here <= $0 }) ?? true { found.append((here, entry)) }
      }
      page.entries += found.sorted { $0.place > $1.place }
        .map { IdentifiedEntry(id: $0.place.id, entry: $0.entry) }
      upper = lower - 1
      if page.entries.count >= limit || read >= visits { break }
      step = step &* 2 > 0 ? step &* 2 : step
    }
    if page.entries.count > limit {
      page.next = page.entries[limit].place
      page.entries.removeLast(page.entries.count - limit)
    } else if upper >= Self.first {
      page.next = EntryPlace(
        end: Moment(microseconds: upper), id: TimeEntryID(value: .max))
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
    guard let newest = newestEnd else { return nil }
    var visible = VisibleEntries(self)
    var later: [EntryPlace] = []
    var (lower, step, read) = (place.end.microseconds, Self.firstStep, 0)
    while lower <= newest, later.count < count, read < visits {
      let upper = min(newest, lower + step)
      var found: [EntryPlace] = []
      timeEntries.forEach(inSortKeys: lower...upper) { id, entry in
        read += 1
        guard entry.user == user, let end = entry.end, visible.contains(entry) else { return }
        let here = EntryPlace(end: end, id: id)
        if here > place { found.append(here) }
      }
      later += found.sorted()
      lower = upper + 1
      step = step &* 2 > 0 ? step &* 2 : step
    }
    if later.count >= count { return later[count - 1] }
    return lower <= newest
      ? EntryPlace(end: Moment(microseconds: lower), id: TimeEntryID(value: .max)) : nil
  }

  /// The latest end of all ended entries, if any.
  private var newestEnd: Int64? {
    timeEntries.highest(1) { !$0.isRunning }.first?.entity.sortKey
  }
}
