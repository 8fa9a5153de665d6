public import RetraceState

/// The times that an import would give an entry.
public struct PlannedTimes: Sendable {
  /// The user of the entry.
  public let user: Name
  /// The start.
  public let start: Moment
  /// The end.
  public let end: Moment

  /// Creates the times of an entry of a user.
  public init(of user: Name, from start: Moment, to end: Moment) {
    (self.user, self.start, self.end) = (user, start, end)
  }
}

extension DomainState {
  /// Times of one user, some of which are counted.
  private typealias CountedTimes = [(start: Moment, end: Moment, isCounted: Bool)]

  /// Returns the number of counted entries that overlap another visible entry of their user.
  ///
  /// The visible entries of an import are counted, and some others.
  ///
  /// - Parameters:
  ///   - run: The import; `nil` for none.
  ///   - others: The other counted entries.
  ///   - range: A range that contains all counted entries; `nil` to find it.
  /// - Complexity: O(entries) without the range, and O(*n* log *n*) for the *n* entries that end
  ///   between the first start and the last end of the counted entries, or within 999 hours
  ///   after.
  public func overlappingEntries(
    of run: ImportRunID?, and others: Set<TimeEntryID> = [], in range: Range<Moment>? = nil
  ) -> Int {
    func isCounted(_ id: TimeEntryID, _ entry: TimeEntry) -> Bool {
      run != nil && entry.importRun == run || others.contains(id)
    }
    guard let range = range ?? timeRange(where: isCounted) else { return 0 }
    return times(in: range, where: isCounted).values.reduce(0) { $0 + Self.overlapping($1) }
  }

  /// Returns the number that ``overlappingEntries(of:and:in:)`` would have after an import.
  ///
  /// - Parameters:
  ///   - planned: The entries that the import would create.
  ///   - others: The other counted entries, with the times that they would get.
  /// - Complexity: O(*n* log *n*) for the *n* planned entries, and the entries that end between the
  ///   first start and the last end of the counted ones, or within 999 hours after.
  public func overlappingEntries(
    planned: [PlannedTimes], and others: [TimeEntryID: PlannedTimes] = [:]
  ) -> Int {
    let counted = (planned + others.values).filter { $0.start < $0.end }
    guard let first = counted.map({ $0.start }).min(), let last = counted.map({ $0.end }).max()
    else { return 0 }
    var times = self.times(in: first..<last, except: Set(others.keys)) { _, _ in false }
    var imported: [Name: CountedTimes] = [:]
    for one in counted { imported[one.user, default: []].append((one.start, one.end, true)) }
    var overlaps = 0
    for (name, new) in imported {
      if let user = users.rival(of: User(name: name)) {
        times[user, default: []] += new
      } else {
        overlaps += Self.overlapping(new)
      }
    }
    return times.values.reduce(overlaps) { $0 + Self.overlapping($1) }
  }

  /// Returns the times of the visible entries in a range that have a length, by user.
  private func times(
    in range: Range<Moment>, except others: Set<TimeEntryID> = [],
    where isCounted: (TimeEntryID, TimeEntry) -> Bool
  ) -> [UserID: CountedTimes] {
    var times: [UserID: CountedTimes] = [:]
    forEachEntry(from: range.lowerBound, to: range.upperBound) { id, entry in
      let end = entry.end ?? range.upperBound
      guard entry.start < end, !others.contains(id) else { return }
      times[entry.user, default: []].append((entry.start, end, isCounted(id, entry)))
    }
    return times
  }

  /// Returns the time from the first start to the last end of some visible entries that have ended.
  private func timeRange(where isCounted: (TimeEntryID, TimeEntry) -> Bool) -> Range<Moment>? {
    var range: Range<Moment>?
    timeEntries.forEach { id, entry in
      guard isCounted(id, entry), isVisible(entry), let end = entry.end, entry.start < end
      else { return }
      let own = entry.start..<end
      let all = range ?? own
      range = min(all.lowerBound, own.lowerBound)..<max(all.upperBound, own.upperBound)
    }
    return range
  }

  /// Returns the number of counted times that overlap another time.
  private static func overlapping(_ times: CountedTimes) -> Int {
    let times = times.sorted { ($0.start, $0.end) < ($1.start, $1.end) }
    var count = 0
    var latestEnd: Moment?
    for (index, time) in times.enumerated() {
      let meetsEarlier = latestEnd.map { time.start < $0 } ?? false
      let meetsLater = index + 1 < times.count && times[index + 1].start < time.end
      if time.isCounted, meetsEarlier || meetsLater { count += 1 }
      latestEnd = max(latestEnd ?? time.end, time.end)
    }
    return count
  }
}
