public import RetraceAvro
public import RetraceState
public import TrackerDomain

/// The place of an ended entry among all, by its end and then by its id.
public struct EntryPlace: Recordable, Hashable, Comparable {
  /// The end of the entry.
  public var end: Moment
  /// The id of the entry.
  public var id: TimeEntryID

  /// Makes a place.
  public init(end: Moment, id: TimeEntryID) {
    self.end = end
    self.id = id
  }

  /// Returns whether one place is before another.
  public static func < (left: EntryPlace, right: EntryPlace) -> Bool {
    (left.end, left.id) < (right.end, right.id)
  }
}

/// Ended entries of a user next to a place.
struct EntryPage: Sendable {
  /// The entries, the latest first.
  var entries: [(place: EntryPlace, entry: TimeEntry)] = []
  /// The place from which to search on; `nil` if nothing is left.
  var rest: EntryPlace?
}

extension DomainState {
  /// The most entries that one search reads before it returns what it has.
  private static var readMax: Int { 20_000 }
  /// The time that a search looks at first; each further step takes twice as long.
  private static var firstStep: Int64 { 7 * 86_400_000_000 }
  /// The bounds of all moments in entries: 300 years around 1970.
  private static var bound: Int64 { 300 * 366 * 86_400_000_000 }

  /// Returns the visible ended entries of a user at or before a place, the latest first.
  ///
  /// The search takes steps back in time, so that it costs the same at any age. If the user has few
  /// entries among many of others, it stops early, and the page says where to go on.
  ///
  /// - Complexity: O(entries of all users that ended in the time that the page covers), at most
  ///   about 20,000 beside those of the last step.
  func endedEntries(of user: UserID, from place: EntryPlace?, limit: Int) -> EntryPage {
    var page = EntryPage()
    guard let newest = newestEnd else { return page }
    let last = min(place?.end.microseconds ?? newest, newest)
    var (upper, step, read) = (last, Self.firstStep, 0)
    while upper >= -Self.bound {
      let lower = max(-Self.bound, upper - step)
      var found: [(place: EntryPlace, entry: TimeEntry)] = []
      timeEntries.forEach(inSortKeys: lower...upper) { id, entry in
        read += 1
        guard entry.user == user, let end = entry.end, isVisible(entry) else { return }
        let here = EntryPlace(end: end, id: id)
        if place.map({ here <= $0 }) ?? true { found.append((here, entry)) }
      }
      page.entries += found.sorted { $0.place > $1.place }
      upper = lower - 1
      if page.entries.count >= limit || read >= Self.readMax { break }
      step = step &* 2 > 0 ? step &* 2 : step
    }
    if page.entries.count > limit {
      page.rest = page.entries[limit].place
      page.entries.removeLast(page.entries.count - limit)
    } else if upper >= -Self.bound {
      page.rest = EntryPlace(
        end: Moment(microseconds: upper), id: TimeEntryID(value: .max))
    }
    return page
  }

  /// Returns the place of the entry that is a number of entries later than a place; `nil` if the
  /// newest is not as far.
  ///
  /// A search that stops early returns where to go on, a place with the highest id.
  ///
  /// - Complexity: As ``endedEntries(of:from:limit:)``.
  func place(of user: UserID, laterThan place: EntryPlace, by count: Int) -> EntryPlace? {
    guard let newest = newestEnd else { return nil }
    var later: [EntryPlace] = []
    var (lower, step, read) = (place.end.microseconds, Self.firstStep, 0)
    while lower <= newest, later.count < count, read < Self.readMax {
      let upper = min(newest, lower + step)
      var found: [EntryPlace] = []
      timeEntries.forEach(inSortKeys: lower...upper) { id, entry in
        read += 1
        guard entry.user == user, let end = entry.end, isVisible(entry) else { return }
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

  /// The latest end of all entries that have ended; `nil` if none has.
  private var newestEnd: Int64? {
    timeEntries.highest(1) { !$0.isRunning }.first?.entity.sortKey
  }
}
